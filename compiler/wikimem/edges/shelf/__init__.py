"""The shelf: `wiki/` and `sources/` of a vault, to be listed, searched, read and traced, and nothing else of the disk.

Reads only. Paths come from models and from strangers: they are checked by spelling (`core.shelving`), opened without
following links (`confined`), and shown as far as the scope that looks may see (`sheets`). Every call has limits, an order
that never changes, and a place to go on from.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from wikimem.core import shelving, texts
from wikimem.core.shelving import Entry, Found, Limits, Line, Listed, Match, Resolved, Sheet, Span, Story, Version
from wikimem.edges.ledger import Ledger
from wikimem.edges.shelf.confined import Astray, Confined
from wikimem.edges.shelf.sheets import Sheets
from wikimem.errors import NotOnShelf

__all__ = ["Past", "Shelf"]

Past = Callable[[str], Iterable[tuple[str, str, str, bytes]]]
"""The versions of a file of the vault, newest first: commit, time, subject and bytes."""


class Shelf:
    """The shelf of one vault, for one who looks.

    Args:
        root: the vault's folder.
        ledger: its sources.
        past: tells the versions of a file.
        scope: who looks, `project:checkout`.
        strict: whether only what belongs to that very scope is there.
        until: the last instant that something may have been said at; then the wiki is closed. Empty for any.
        limits: of each call.
        clock: seconds that pass, for the limit of time.
    """

    def __init__(
        self,
        root: Path,
        ledger: Ledger,
        past: Past = lambda path: (),
        scope: str = "",
        strict: bool = False,
        until: str = "",
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._files = Confined(root)
        self._sheets = Sheets(self._files, ledger, scope, strict, until)
        self._past, self._strict, self._clock = past, strict, clock
        self.limits = limits or Limits()

    def list(self, path: str = "", after: str = "") -> Listed:
        """What a folder holds; without a path, the folders of the shelf.

        Args:
            path: a folder.
            after: `next` of the list before.

        Raises:
            NotOnShelf: there is no such folder, or the path is refused.
        """
        if not path.strip("/"):
            return Listed(tuple(Entry(f"{top}/", 0) for top in shelving.TOPS if self._holds((top,))))
        parts = _parts(path)
        try:
            names = self._files.entries(parts)
        except Astray as astray:
            raise NotOnShelf(path, str(astray)) from None
        entries: list[Entry] = []
        room = self.limits.characters
        for name, size in names:
            entry = self._entry((*parts, name), size)
            if entry is None or (after and entry.path <= after):
                continue
            room -= len(entry.path) + len(entry.note)
            if len(entries) == self.limits.entries or (room < 0 and entries):
                return Listed(tuple(entries), entries[-1].path)
            entries.append(entry)
        return Listed(tuple(entries))

    def grep(self, pattern: str, path: str = "", after: str = "") -> Found:
        """Lines and turns that a pattern matches, whatever their case.

        Turns that only repeat what came from this memory, or that were taken back, are passed over.

        Args:
            pattern: a regular expression; one that cannot be read is looked for as plain text.
            path: a file or a folder; empty for all.
            after: `next` of the grep before.

        Raises:
            NotOnShelf: the path or the place to go on from is refused, or the pattern is empty or too long.
        """
        from wikimem.edges.shelf import matching

        matches = matching.matcher(pattern, path)
        files = list(self._below(path))
        begin, done = _resumed(after, files, path)
        found: list[Match] = []
        room, last = self.limits.characters, after
        limit = self._clock() + self.limits.seconds
        for name in files[begin:]:
            # One file at least is searched, so that whoever goes on gets on.
            if self._clock() > limit and last != after:
                return Found(tuple(found), last, f"{self.limits.seconds:g} s were up")
            lines = () if matching.lacks(self._raw(name), pattern) else self._greppable(name)
            for line in _behind(lines, done):
                try:
                    span = matches(line.text)
                except TimeoutError:
                    return Found(tuple(found), "", "the pattern takes too long; use a simpler one")
                if span is None:
                    continue
                cut = shelving.window(line.text, *span, self.limits.wide)
                room -= len(cut)
                if len(found) == self.limits.entries or (room < 0 and found):
                    return Found(tuple(found), last)
                found.append(Match(name, Line(line.at, cut, line.speaker, line.said, line.mark)))
                last = _place(name, line.at)
            last, done = _place(name, ""), ""
        return Found(tuple(found))

    def read(self, path: str, first: int = 1, last: int = 0) -> Sheet:
        """Lines of a page, or turns of a source by the line they stand at.

        Args:
            path: a file.
            first: the first line, from 1.
            last: the last line, included; 0 for as far as the limits allow.

        Raises:
            NotOnShelf: there is no such file, or the path is refused.
        """
        lines: list[Line] = []
        room = self.limits.characters
        for line in self._lines(path):
            number = shelving.number(line.at)
            if number < first:
                continue
            if last and number > last:
                break
            cut = shelving.window(line.text, 0, 0, min(self.limits.wide * 10, room if lines else self.limits.characters))
            room -= len(cut)
            if len(lines) == self.limits.entries or (room < 0 and lines):
                return Sheet(path, tuple(lines), number)
            lines.append(Line(line.at, cut, line.speaker, line.said, line.mark))
        return Sheet(path, tuple(lines))

    def history(self, path: str, after: str = "") -> Story:
        """How a file came about, commit by commit.

        Args:
            path: a file.
            after: `next` of the history before.

        Raises:
            NotOnShelf: there is no such file, the path is refused, or there is no such commit.
        """
        self._lines(path)
        every = list(self._past("/".join(_parts(path))))
        begin = 0
        if after:
            ids = [commit for commit, *_ in every]
            if after not in ids:
                raise NotOnShelf(path, f"no commit {after[:40]!r} changed it")
            begin = ids.index(after) + 1
        versions: list[Version] = []
        room = self.limits.characters
        for new, old in pairwise([*every[begin:], ("", "", "", b"")]):
            version = self._version(new, old[3])
            if version is None:
                continue
            room -= sum(map(len, (*version.gained, *version.lost)))
            if len(versions) == self.limits.entries or (room < 0 and versions):
                return Story(path, tuple(versions), versions[-1].commit)
            versions.append(version)
        return Story(path, tuple(versions))

    def resolve(self, span: Span) -> Resolved | str:
        """The words of a span as they stand in the file; why they do not, in one clause, otherwise.

        Words that only repeat what came from this memory, or that were taken back, prove nothing.
        """
        try:
            held = self._lines(span.path)
        except NotOnShelf as wrong:
            return str(wrong)
        inside = [line for line in held if span.first <= shelving.number(line.at) <= max(span.first, span.last)]
        for line in inside:
            place = texts.find(span.quote, line.text)
            if place is not None and not line.mark:
                return Resolved(span, self._cite(span.path, line.at), line, line.text[slice(*place)])
        if not inside:
            return f"{span.path} has no line {span.first}"
        return f"{span.quote[:60]!r} does not stand in {span.path}, lines {span.first} to {max(span.first, span.last)}"

    def _cite(self, path: str, at: str) -> str:
        owner = self._sheets.owner(path)
        return f"{owner.source}:{at}" if owner is not None and owner.whole else f"{path}:{at}"

    def _version(self, new: tuple[str, str, str, bytes], old: bytes) -> Version | None:
        commit, when, subject, data = new
        after, before = data.decode("utf-8", "replace"), old.decode("utf-8", "replace")
        # An earlier version may have told of another scope; and so may the subject of a commit.
        if not self._sheets.is_shown(after) or (before and not self._sheets.is_shown(before)):
            return None
        gained = Counter(after.split("\n")) - Counter(before.split("\n"))
        lost = Counter(before.split("\n")) - Counter(after.split("\n"))
        wide = self.limits.wide
        told = [tuple(shelving.window(line, 0, 0, wide) for line in each if line.strip()) for each in (gained, lost)]
        return Version(
            commit, when, "" if self._strict else subject, told[0][: self.limits.entries], told[1][: self.limits.entries]
        )

    def _lines(self, path: str) -> tuple[Line, ...]:
        parts = _parts(path)
        try:
            return self._sheets.lines("/".join(parts))
        except (Astray, OSError) as astray:
            why = str(astray) if isinstance(astray, Astray) else "it cannot be read"
            raise NotOnShelf(path, why) from None

    def _greppable(self, path: str) -> tuple[Line, ...]:
        try:
            return tuple(line for line in self._sheets.lines(path) if not line.mark)
        except (Astray, OSError):
            return ()

    def _raw(self, path: str) -> bytes | None:
        try:
            return self._sheets.raw(path)
        except Astray:
            return None

    def _below(self, path: str) -> Iterator[str]:
        """The files below a path that are there to be searched: pages in order, then sources, the newest first."""
        tops = [_parts(path)] if path.strip("/") else [(top,) for top in shelving.TOPS]
        for parts in tops:
            try:
                names = ["/".join(each) for each in self._files.walk(parts)]
            except Astray as astray:
                if path.strip("/"):
                    raise NotOnShelf(path, str(astray)) from None
                continue
            for name in names if parts[0] == "wiki" else sorted(names, reverse=True):
                owner = self._sheets.owner(name)
                if self._sheets.is_open(name) and not (owner is not None and (owner.part or not owner.whole)):
                    yield name

    def _entry(self, parts: tuple[str, ...], size: int) -> Entry | None:
        """The entry of a name, None if nothing of it may be seen."""
        path = "/".join(parts)
        if size < 0:
            return Entry(f"{path}/", 0) if self._holds(parts) else None
        if not self._sheets.is_open(path):
            return None
        if path.startswith("wiki/") and self._strict and not self._sheets.is_shown(self._text(parts)):
            return None
        owner = self._sheets.owner(path)
        if owner is None or not owner.whole:
            return Entry(path, size)
        sidecar = self._sheets.sidecar(owner.source)
        return Entry(path, size, ", ".join(word for word in (sidecar.format, sidecar.started[:10], sidecar.scope) if word))

    def _holds(self, parts: tuple[str, ...]) -> bool:
        """Whether a folder holds anything that may be seen."""
        try:
            for name, size in self._files.entries(parts):
                if self._entry((*parts, name), size) is not None:
                    return True
        except Astray:
            return False
        return False

    def _text(self, parts: tuple[str, ...]) -> str:
        try:
            return self._files.read(parts).decode("utf-8", "replace")
        except Astray:
            return ""


def _parts(path: str) -> tuple[str, ...]:
    try:
        return shelving.parts(path)
    except ValueError as wrong:
        raise NotOnShelf(path, str(wrong)) from None


def _place(path: str, at: str) -> str:
    return f"{path}:{at}"


def _behind(lines: Iterable[Line], at: str) -> Iterator[Line]:
    """The lines behind one; all of them where none is named."""
    left = iter(lines)
    if at:
        for line in left:
            if line.at == at:
                break
    return left


def _resumed(after: str, files: Sequence[str], path: str) -> tuple[int, str]:
    """Where to go on: the file's number, and the last line of it that was given; a whole file is passed by."""
    if not after:
        return 0, ""
    name, _, at = after.rpartition(":")
    if name not in files:
        raise NotOnShelf(path or "the shelf", f"{after[:80]!r} is no place to go on from; begin again without it")
    place = files.index(name)
    return (place, at) if at else (place + 1, "")
