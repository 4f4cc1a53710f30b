"""How a passage becomes a Whoosh document. Imports Whoosh: only modules that were imported lazily import this one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any
from zlib import crc32

from wikimem.core import irregular, passages, statements, words
from wikimem.core.claims import Kind
from wikimem.core.passages import Passage
from wikimem.core.prose import Prose
from wikimem.core.statements import Statement
from wikimem.core.turns import Form, Speaker
from wikimem.edges.index.batch import Batch, Topic, Unit
from wikimem.edges.index.engine import FileStorage, PostingPool, W3Codec, columns, fields, formats, porter

UNKNOWN = 1
"""The day of what nobody dated."""
SAID, NARRATED, DONE = 1, 2, 3
"""Whether a person said it, an assistant did, or it is a call, a result or machine-made text."""

_NAMELESS = frozenset({"user", "human", "assistant", "agent", "system", "you", "me", "unknown"})


@lru_cache(1 << 16)
def stem(word: str) -> str:
    """The root of a folded word; identifiers, numbers and words of other alphabets are their own."""
    return str(porter(irregular.FORMS.get(word, word))) if word.isascii() and word.isalpha() else word


@lru_cache(1 << 17)
def roots(chunk: str) -> tuple[str, ...]:
    """The roots of one chunk of a text; nearly every chunk has been seen before, so this is where the speed is."""
    return tuple(stem(word) for word in words.of_chunk(chunk))


def terms(text: str) -> list[str]:
    """The roots of a text, in order."""
    found: list[str] = []
    for chunk in words.chunks(text):
        # A long chunk is rarely seen twice, and would only push others out of the cache.
        found += roots(chunk) if len(chunk) <= words.LONGEST else roots.__wrapped__(chunk)
    return found


class Terms(fields.FieldType):  # type: ignore[misc]  # Whoosh has no types
    """A field that is given its terms, not a text: no analyser, no positions, and no lengths of Whoosh's own."""

    def __init__(self) -> None:
        super().__init__(formats.Existence(), None)

    def index(self, value: Iterable[str], **_: Any) -> Iterator[tuple[bytes, int, float, bytes]]:
        """What Whoosh asks for: term, frequency, weight and payload."""
        return ((word.encode(errors="replace"), often, float(often), b"") for word, often in Counter(value).items())

    def to_bytes(self, value: str | bytes) -> bytes:
        """A term as it is stored."""
        return value if isinstance(value, bytes) else value.encode(errors="replace")


class Codec(W3Codec):  # type: ignore[misc]  # Whoosh has no types
    """Whoosh's own, without statistics of lengths that only its own scorers read."""

    length_stats = False


class Pool(PostingPool):  # type: ignore[misc]  # Whoosh has no types
    """Whoosh's own, which counts postings and not their bytes: counting bytes costs more than keeping them."""

    LIMIT = 600_000

    def add(self, item: tuple[str, bytes, int, float, bytes]) -> None:
        """Keep a posting; at the limit, those in memory go to a temporary file."""
        self.current.append(item)
        if len(self.current) >= self.LIMIT:
            self.save()


SCHEMA = fields.Schema(
    kind=Terms(),
    source=Terms(),
    scope=Terms(),
    speaker=Terms(),
    name=Terms(),
    text=Terms(),
    theme=Terms(),
    place=fields.COLUMN(columns.NumericColumn("I")),
    size=fields.COLUMN(columns.NumericColumn("I")),
    day=fields.COLUMN(columns.NumericColumn("I")),
    last=fields.COLUMN(columns.NumericColumn("I")),
    mark=fields.COLUMN(columns.NumericColumn("I")),
    act=fields.COLUMN(columns.NumericColumn("I")),
    body=fields.STORED(),
)


class Files(FileStorage):  # type: ignore[misc]  # Whoosh has no types
    """Whoosh's own, which knows what it opened: Whoosh leaves files open where it meets an error."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder))
        self._opened: list[Any] = []

    def open_file(self, name: str, **more: Any) -> Any:
        """As in Whoosh."""
        self._opened = [file for file in self._opened if not file.is_closed]
        file = super().open_file(name, **more)
        self._opened.append(file)
        return file

    def release(self) -> None:
        """Close all files."""
        for file in self._opened:
            if not file.is_closed:
                file.close()
        self._opened.clear()


def documents(unit: Unit) -> Iterator[dict[str, Any]]:
    """The documents of a unit, and one that tells of the unit itself."""
    more: tuple[Any, ...] = ()
    match unit:
        case Batch(source, _, scope, turns, skip, zone):
            found = passages.of(source, scope, turns, skip, zone)
            yield from (document(passage, place) for place, passage in enumerate(found, 1))
        case Topic(source, _, told, relations, themes):
            more = (statements.pack_relations(relations),)
            yield from (
                _stated(statement, source, place, themes.get(statement.id, "")) for place, statement in enumerate(told, 1)
            )
        case _:
            yield from (_written(piece, place) for place, piece in enumerate(unit.pieces, 1))
    yield {
        "kind": ("source",),
        "source": (unit.source,),
        "body": (unit.source, unit.key, *more),
        **numbers(1, 0, UNKNOWN, UNKNOWN, unit.source),
    }


def document(passage: Passage, place: int) -> dict[str, Any]:
    """The fields of a passage.

    Args:
        passage: what is indexed.
        place: its number among the passages of its source, from 1: documents side by side with rising places are
            neighbours.
    """
    found = terms(passage.text)
    return {
        "kind": ("turn",),
        "source": (passage.source,),
        "scope": (passage.scope,),
        "speaker": (passage.speaker.value,),
        "name": names(passage),
        "text": found,
        **numbers(place, len(found), day(passage.day), day(passage.day), passage.cite, _act(passage)),
        "body": (
            *(passage.source, passage.at, passage.ordinal, passage.speaker.value, passage.form.value, passage.text),
            *(passage.name, passage.said, passage.scope, passage.identity, passage.error, passage.told),
        ),
    }


def _stated(statement: Statement, unit: str, place: int, themes: str) -> dict[str, Any]:
    claim = statement.claim
    found = list(chain.from_iterable(terms(text) for text in (claim.text, *statement.keys)))
    days = [day(one.day) for one in claim.evidence]
    known = [one for one in days if one != UNKNOWN] or [UNKNOWN]
    return {
        "kind": ("claim", *(() if statement.current else ("ended",)), *(("how",) if claim.kind is Kind.PROCEDURAL else ())),
        "source": (unit,),
        "scope": () if statement.scope is None else (statement.scope,),
        "speaker": tuple({one.speaker for one in claim.evidence}),
        "name": tuple({word for one in claim.evidence if one.speaker == "human" for word in called(one.name)}),
        "text": found,
        "theme": tuple(dict.fromkeys(terms(themes))),
        **numbers(place, len(found), min(known), max(known), claim.id),
        "body": (unit, tuple((one.source, one.at) for one in claim.evidence), statements.pack(statement)),
    }


def _written(piece: Prose, place: int) -> dict[str, Any]:
    found = list(chain.from_iterable(terms(text) for text in (piece.text, piece.title, piece.section, *piece.aliases)))
    return {
        "kind": ("prose",),
        "source": (piece.path,),
        "scope": (piece.scope,),
        "speaker": (Speaker.HUMAN.value,),
        "name": (),
        "text": found,
        **numbers(place, len(found), UNKNOWN, UNKNOWN, piece.cite),
        "body": (piece.path, piece.line, piece.title, piece.aliases, piece.section, piece.scope, piece.text),
    }


def numbers(place: int, size: int, day: int, last: int, name: str, act: int = SAID) -> dict[str, int]:
    """The columns of a document. None is ever 0: Whoosh leaves out zeros at the end, and a cut column must show.

    Args:
        place: see `document`.
        size: words.
        day, last: when it was said first and last.
        name: what it can be looked up by: a citation, a claim's id.
        act: `SAID`, `NARRATED` or `DONE`.
    """
    return {"place": place, "size": max(size, 1), "day": day, "last": last, "mark": mark(name), "act": act}


def _act(passage: Passage) -> int:
    if passage.form in (Form.CALL, Form.RESULT) or passage.speaker in (Speaker.HARNESS, Speaker.SUMMARY):
        return DONE
    return NARRATED if passage.speaker is Speaker.ASSISTANT else SAID


def mark(name: str) -> int:
    """A number for a name; two names may share one, so whoever looks a name up looks at the document too."""
    return crc32(name.encode(errors="replace")) or 1


def names(passage: Passage) -> tuple[str, ...]:
    """The words of a person's name; names of models and tools are words that questions use for other things."""
    return called(passage.name) if passage.speaker is Speaker.HUMAN else ()


def called(name: str) -> tuple[str, ...]:
    """The words of a name that tell who somebody is."""
    return tuple({word for word in words.split(name) if word not in words.STOP and word not in _NAMELESS})


def passage(body: tuple[Any, ...]) -> Passage:
    """The passage of a stored document."""
    source, at, ordinal, speaker, form, text, *rest = body
    return Passage(source, at, ordinal, Speaker(speaker), Form(form), text, *rest)


def prose(body: tuple[Any, ...]) -> Prose:
    """The piece of a page that a stored document holds."""
    return Prose(*body)


def day(said: str) -> int:
    """`20260814` of a time; `UNKNOWN` if not even the day is known."""
    digits = said[:10].replace("-", "")
    return int(digits) if len(digits) == 8 and digits.isascii() and digits.isdigit() else UNKNOWN
