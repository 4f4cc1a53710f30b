"""How a passage becomes a Whoosh document. Imports Whoosh: only modules that were imported lazily import this one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from whoosh import columns, fields, formats
from whoosh.codec.whoosh3 import W3Codec
from whoosh.filedb.filestore import FileStorage
from whoosh.lang.porter2 import stem as porter
from whoosh.writing import PostingPool

from wikimem.core import words
from wikimem.core.passages import Passage
from wikimem.core.turns import Form, Speaker

UNKNOWN = 1
"""The day of what nobody dated."""

_NAMELESS = frozenset({"user", "human", "assistant", "agent", "system", "you", "me", "unknown"})


@lru_cache(1 << 16)
def stem(word: str) -> str:
    """The root of a folded word; identifiers, numbers and words of other alphabets are their own."""
    return str(porter(word)) if word.isascii() and word.isalpha() else word


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


class Terms(fields.FieldType):  # type: ignore[misc]
    """A field that is given its terms, not a text: no analyser, no positions, and no lengths of Whoosh's own."""

    def __init__(self) -> None:
        super().__init__(formats.Existence(), None)

    def index(self, value: Iterable[str], **_: Any) -> Iterator[tuple[bytes, int, float, bytes]]:
        """What Whoosh asks for: term, frequency, weight and payload."""
        return ((word.encode(errors="replace"), often, float(often), b"") for word, often in Counter(value).items())

    def to_bytes(self, value: str | bytes) -> bytes:
        """A term as it is stored."""
        return value if isinstance(value, bytes) else value.encode(errors="replace")


class Codec(W3Codec):  # type: ignore[misc]
    """Whoosh's own, without statistics of lengths that only its own scorers read."""

    length_stats = False


class Pool(PostingPool):  # type: ignore[misc]
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
    place=fields.COLUMN(columns.NumericColumn("I")),
    size=fields.COLUMN(columns.NumericColumn("I")),
    day=fields.COLUMN(columns.NumericColumn("I")),
    body=fields.STORED(),
)


class Files(FileStorage):  # type: ignore[misc]
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
        **numbers(place, len(found), day(passage.said)),
        "body": (
            *(passage.source, passage.at, passage.ordinal, passage.speaker.value, passage.form.value, passage.text),
            *(passage.name, passage.said, passage.scope, passage.identity, passage.error),
        ),
    }


def numbers(place: int, size: int, day: int) -> dict[str, int]:
    """The columns of a document. None is ever 0: Whoosh leaves out zeros at the end, and a cut column must show."""
    return {"place": place, "size": max(size, 1), "day": day}


def names(passage: Passage) -> tuple[str, ...]:
    """The words of a person's name; names of models and tools are words that questions use for other things."""
    if passage.speaker is not Speaker.HUMAN or not passage.name:
        return ()
    return tuple({word for word in words.split(passage.name) if word not in words.STOP and word not in _NAMELESS})


def passage(body: tuple[Any, ...]) -> Passage:
    """The passage of a stored document."""
    source, at, ordinal, speaker, form, text, *rest = body
    return Passage(source, at, ordinal, Speaker(speaker), Form(form), text, *rest)


def day(said: str) -> int:
    """`20260814` of a time; `UNKNOWN` if not even the day is known."""
    digits = said[:10].replace("-", "")
    return int(digits) if len(digits) == 8 and digits.isascii() and digits.isdigit() else UNKNOWN
