"""One commit of the index, opened for reading: the segments that are whole, and what was wrong with the others."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_right
from pathlib import Path
from typing import Any

from wikimem.core.passages import Passage
from wikimem.edges.index import schema
from wikimem.edges.index.engine import TOC, FilterMatcher, SegmentReader, TermNotFound, W3LeafMatcher
from wikimem.errors import Problem

NAME = "MAIN"
_ATTEMPTS = 5
_KEPT = 64


class Broken(Exception):
    """A segment turned out broken while it was read. Never leaves this package."""

    def __init__(self, segment: Segment, error: Exception) -> None:
        super().__init__(f"{segment.name}: {error}")
        self.segment = segment
        self.error = error


class Segment:
    """One immutable part of the index: documents numbered from `base` on, and columns of numbers by document."""

    def __init__(self, folder: Path, reader: Any, name: str) -> None:
        self.folder = folder
        self.reader = reader
        self.name = name
        self.base = 0
        self.count: int = reader.doc_count_all()
        self.place = self._column("place")
        self.size = self._column("size")
        self.day = self._column("day")
        self.last = self._column("last")
        self.act = self._column("act")
        self._mark = self._column("mark")
        self._marked: tuple[dict[int, int], dict[int, list[int]]] | None = None
        self.words = sum(self.size)

    def _column(self, name: str) -> array[int]:
        data = (self.folder / schema.Codec.column_filename(self.reader.segment(), name)).read_bytes()
        whole = array("I", data)
        if sys.byteorder == "little":
            whole.byteswap()
        if len(whole) != self.count:
            raise ValueError(f"column {name} holds {len(whole)} of {self.count} documents")
        return whole

    def postings(self, field: str, term: str) -> dict[int, float]:
        """Documents of this segment, by its own numbers, and how often each has the term."""
        found: dict[int, float] = {}
        try:
            matcher = self.reader.postings(field, term)
            removed = matcher._ids if type(matcher) is FilterMatcher else frozenset()
            leaf = matcher.child if removed else matcher
            if type(leaf) is W3LeafMatcher:
                _by_blocks(leaf, found)
                for number in found.keys() & removed:
                    del found[number]
                return found
            number, often, following = matcher.id, matcher.weight, matcher.next
            while matcher.is_active():
                found[number()] = often()
                following()
        except TermNotFound:
            pass
        except Exception as error:  # whatever broken bytes raise
            raise Broken(self, error) from error
        return found

    def marked(self, mark: int) -> list[int]:
        """The documents of this segment that have a mark and were not removed."""
        if self._marked is None:
            self._marked = _table(self._mark)
        last, others = self._marked
        if mark not in last:
            return []
        return [number for number in (*others.get(mark, ()), last[mark]) if not self.reader.is_deleted(number)]

    def body(self, number: int) -> tuple[Any, ...]:
        """What is stored of a document."""
        try:
            body: tuple[Any, ...] = self.reader.stored_fields(number)["body"]
        except Exception as error:  # whatever broken bytes raise
            raise Broken(self, error) from error
        return body


def _table(marks: array[int]) -> tuple[dict[int, int], dict[int, list[int]]]:
    """The last document of each mark, and those before it of the few marks that several have. Made so, it takes little time."""
    last = dict(zip(marks, range(len(marks)), strict=True))
    others: dict[int, list[int]] = {}
    if len(last) < len(marks):
        for number, mark in enumerate(marks):
            if last[mark] != number:
                others.setdefault(mark, []).append(number)
    return last, others


def _by_blocks(matcher: Any, found: dict[int, float]) -> None:
    """Read a matcher to its end, a block at a time: one call for 128 postings where its own steps are six for each."""
    while matcher.is_active():
        matcher.id(), matcher.weight()  # they load the block
        found.update(zip(matcher._ids, matcher._weights, strict=True))
        matcher._next_block()


class Snapshot:
    """The index as one commit left it. Only this changes: a segment found broken later is left out from then on.

    Raises:
        Exception: of any kind, when the table of segments itself cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.segments: list[Segment] = []
        self.problems: list[Problem] = []
        self._files = schema.Files(folder)
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close its files; it cannot be asked any more."""
        self._files.release()

    def _open(self) -> None:
        for _ in range(_ATTEMPTS):
            toc = TOC.read(self._files, NAME, schema=schema.SCHEMA)
            self.generation: int = toc.generation
            self.segments.clear()
            self.problems.clear()
            for part in toc.segments:
                self._add(toc.generation, part)
            # A writer may have removed files between the reading of the table and of the segments: look again.
            if not self.problems or TOC._latest_generation(self._files, NAME) == toc.generation:
                break
        self._number()

    def _add(self, generation: int, part: Any) -> None:
        name = part.segment_id()
        try:
            reader = SegmentReader(self._files, schema.SCHEMA, part, generation=generation)
            self.segments.append(Segment(self.folder, reader, name))
        except Exception as error:  # whatever broken bytes raise
            self._note(name, error)

    def _note(self, name: str, error: Exception) -> None:
        why = f"a part of the index cannot be read ({type(error).__name__}); answers lack what it held until a rebuild"
        self.problems.append(Problem(str(self.folder / name), "index", why))

    def _number(self) -> None:
        base = 0
        for segment in self.segments:
            segment.base = base
            base += segment.count
        self.count = base
        self.mean = max(sum(segment.words for segment in self.segments) / base, 1.0) if base else 1.0
        self._having: dict[tuple[str, str, int], frozenset[int]] = {}
        self._bases = [segment.base for segment in self.segments]

    def drop(self, broken: Broken) -> None:
        """Leave out a segment that failed; documents get other numbers."""
        self._note(broken.segment.name, broken.error)
        self.segments.remove(broken.segment)
        self._number()

    def having(self, field: str, term: str, from_: int = 0) -> frozenset[int]:
        """Numbers of the documents that have the term, counted from a number; kept, for scopes and speakers are asked often."""
        found = self._having.get((field, term, from_))
        if found is None:
            parts = ((from_ + segment.base, segment.postings(field, term)) for segment in self.segments)
            found = frozenset(base + number for base, numbers in parts for number in numbers)
            if len(self._having) < _KEPT:
                self._having[field, term, from_] = found
        return found

    def said(self, number: int) -> int:
        """The day of a document, `20260814`, or `schema.UNKNOWN`."""
        segment, own = self._where(number)
        return segment.day[own]

    def session(self, number: int) -> int:
        """A number that the passages of one source share: that of the place before its first."""
        segment, own = self._where(number)
        return number - segment.place[own]

    def size(self, number: int) -> int:
        """How many words a document has."""
        segment, own = self._where(number)
        return segment.size[own]

    def act(self, number: int) -> int:
        """`schema.SAID`, `NARRATED` or `DONE`."""
        segment, own = self._where(number)
        return segment.act[own]

    def beside(self, number: int, far: int) -> list[int]:
        """The numbers of the passages before and after one in its source, up to `far` away."""
        segment, own = self._where(number)
        place, base = segment.place, segment.base
        here = place[own] - own
        steps = range(max(own - far, 0), min(own + far + 1, segment.count))
        return [base + other for other in steps if other != own and place[other] - other == here]

    def passage(self, number: int) -> Passage:
        """A document as it was indexed."""
        return schema.passage(self.body(number))

    def body(self, number: int) -> tuple[Any, ...]:
        """What is stored of a document."""
        segment, own = self._where(number)
        return segment.body(own)

    def marked(self, name: str) -> list[int]:
        """The numbers of the documents that may be the one of this name."""
        mark = schema.mark(name)
        return [segment.base + number for segment in self.segments for number in segment.marked(mark)]

    def sources(self) -> dict[str, str]:
        """Each source and its content key."""
        known: dict[str, str] = {}
        for segment in self.segments:
            for number in segment.postings("kind", "source"):
                source, key = segment.body(number)[:2]
                known[source] = key
        return known

    def _where(self, number: int) -> tuple[Segment, int]:
        segment = self.segments[bisect_right(self._bases, number) - 1]
        return segment, number - segment.base
