"""Big JSON documents, value by value: a list of conversations is never held whole, and a torn one costs only itself.

It knows JSON, not any format's fields. A list gives its members, anything else itself; values that merely follow each
other (JSON lines, lists glued together) are read as well.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import orjson

_WHOLE = 32 << 20
_BLOCK = 4 << 20
LONGEST = 256 << 20
"""Characters of the largest single value that is read."""

_DECODER = json.JSONDecoder(strict=False)
_BETWEEN = re.compile(r"[\s,\[\]\x00\ufeff]*")
_START = re.compile(r"\{\s*\"")
# Each failed start costs one scan of what follows; a cap keeps a hostile file from becoming quadratic.
_TRIES = 2000
# An error this close to the end of what was read may only mean that more has to be read.
_NEAR = 64


class Source(Protocol):
    """What bytes are read from: a file, or a member of an archive."""

    def read(self, size: int = -1, /) -> bytes:
        """At most so many bytes; none at the end."""
        ...


@dataclass(frozen=True, slots=True)
class Torn:
    """A stretch of a document that is no JSON.

    Args:
        reason: one clause.
        pieces: whole objects that stand inside it, which may be records of their own.
    """

    reason: str
    pieces: tuple[dict[str, Any], ...] = ()


def values(source: Source, is_item: Callable[[object], bool]) -> Iterator[Any]:
    """The values of a document in order, each a JSON value or a `Torn`; never raises on any bytes.

    Args:
        source: read to its end.
        is_item: whether an object found after a torn stretch is a value of the document, and no piece of a value.
    """
    data = source.read(_WHOLE)
    if len(data) < _WHOLE:
        try:
            yield from _flat(orjson.loads(data.removeprefix(codecs.BOM_UTF8)))
            return
        except ValueError:
            pass
    yield from _Reader(data, source, is_item).values()


def _flat(value: Any) -> Iterator[Any]:
    waiting = [iter((value,))]
    while waiting:
        for inner in waiting[-1]:
            if isinstance(inner, list):
                waiting.append(iter(inner))
                break
            yield inner
        else:
            waiting.pop()


class _Reader:
    """Decodes a document from a buffer that grows while one value needs it."""

    def __init__(self, data: bytes, source: Source, is_item: Callable[[object], bool]) -> None:
        self.source, self.is_item = source, is_item
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.ended = False
        self.buffer = self.decoder.decode(data)
        self.position = 0

    def values(self) -> Iterator[Any]:
        while True:
            between = _BETWEEN.match(self.buffer, self.position)
            self.position = between.end() if between else self.position
            if self.position >= len(self.buffer):
                if not self._more():
                    return
                continue
            found = self._decoded(self.position)
            if found is None:
                yield self._torn()
                continue
            value, self.position = found
            yield value
            if self.position > _BLOCK:
                self.buffer, self.position = self.buffer[self.position :], 0

    def _more(self) -> bool:
        """Read on, as much as there is already; false at the end or where a value is longer than any should be."""
        if self.ended or len(self.buffer) - self.position > LONGEST:
            return False
        self.buffer, self.position = self.buffer[self.position :], 0
        data = self.source.read(max(_BLOCK, len(self.buffer)))
        self.ended = not data
        self.buffer += self.decoder.decode(data, final=self.ended)
        return True

    def _decoded(self, start: int) -> tuple[Any, int] | None:
        """The value at a place and where it ends; None if there is none. What stands before the place may be dropped."""
        while True:
            try:
                return _DECODER.raw_decode(self.buffer, start)
            except json.JSONDecodeError as error:
                cut = error.pos >= len(self.buffer) - _NEAR or error.msg.startswith("Unterminated")
                before = self.position
                if not cut or not self._more():
                    return None
                start -= before
            except (ValueError, RecursionError):
                return None

    def _torn(self) -> Torn:
        """Pass over what cannot be decoded, up to the next value of the document."""
        pieces: list[dict[str, Any]] = []
        place = self.position + 1
        tries = 0
        while tries < _TRIES:
            # The stretch before the place is done with, so it need not be kept while more is read.
            self.position = place
            start = _START.search(self.buffer, place)
            if start is None:
                self.position = max(place, len(self.buffer) - 1)
                if not self._more():
                    break
                place = self.position
                continue
            self.position = start.start()
            found = self._decoded(self.position)
            if found is None:
                tries += 1
                place = self.position + 1
                continue
            value, end = found
            if self.is_item(value):
                return Torn("not JSON: torn before the next whole one", tuple(pieces))
            if isinstance(value, dict):
                pieces.append(value)
            place = end
        self.position = len(self.buffer)
        return Torn("not JSON: cut short or mangled", tuple(pieces))
