"""JSON lines as transcripts really hold them: torn, glued, blank, zero-filled; intact records are never lost.

This is the part that all JSONL formats share. It knows JSON, not any format's fields.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import orjson

from wikimem.core.turns import Damage, Line, Noise

BOM = b"\xef\xbb\xbf"
_DECODER = json.JSONDecoder()
_SURROGATE = re.compile("[\ud800-\udfff]")
_START = re.compile(r'\{\s*"')


def objects(
    lines: Iterable[Line], known: Callable[[dict[str, Any]], bool] = lambda value: False
) -> Iterator[tuple[Line, Any | Noise | Damage]]:
    """The JSON values of lines, in order, each with the line (or the piece of a line) it stands in.

    `known` says of an object found in a torn line that it is a record and no part of one, where its keys do not tell.
    Values may be of any JSON type. A line where a torn record is glued to a whole one yields a `Damage` for the torn
    piece and then the whole one, both with the line's number and each with its own offset.
    """
    for line in lines:
        data = line.data
        if line.number == 1 and data.startswith(BOM):
            line = Line(line.number, line.offset + len(BOM), data[len(BOM) :])
            data = line.data
        try:
            yield line, orjson.loads(data)
        except ValueError:
            yield from _mend(line, known)


def text(value: object) -> str:
    """A decoded JSON string with lone surrogates replaced, so that it can be written again; anything else gives ''."""
    if not isinstance(value, str):
        return ""
    if value.isascii():
        return value
    return _SURROGATE.sub("\ufffd", value)


def members(text: str, position: int) -> Iterator[Any]:
    """The whole members of a JSON list that is cut short or torn, from a position inside it on."""
    while position < len(text):
        while position < len(text) and text[position] in " \t\r\n,":
            position += 1
        try:
            value, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            return
        yield value


def _mend(line: Line, known: Callable[[dict[str, Any]], bool]) -> Iterator[tuple[Line, Any | Noise | Damage]]:
    bare = line.data.strip(b"\x00 \t\r\n\f\v")
    if not bare:
        yield line, Noise("nul" if b"\x00" in line.data else "blank")
        return
    # orjson is stricter than the writers of transcripts: lone surrogates, NaN, numbers beyond 64 bits.
    decoded = line.data.decode("utf-8", "replace")
    value = _whole(decoded.strip("\x00 \t\r\n"))
    if value is not _NOTHING:
        yield line, value
        return
    yield from _pieces(line, decoded, known)


_NOTHING = object()


def _whole(piece: str) -> Any:
    try:
        return _DECODER.decode(piece)
    except (ValueError, RecursionError):
        return _NOTHING


def _pieces(line: Line, decoded: str, known: Callable[[dict[str, Any]], bool]) -> Iterator[tuple[Line, Any | Damage]]:
    """Split a glued line: whole objects where they start at `{"`, and the torn stretches between them."""
    position = torn = 0
    size = len(decoded)
    found = False
    # Each failed start costs one scan of what follows; a cap keeps a hostile line from becoming quadratic.
    tries = 0
    while position < size and tries < 64:
        start = _START.search(decoded, position)
        if start is None:
            break
        try:
            value, end = _DECODER.raw_decode(decoded, start.start())
        except (ValueError, RecursionError):
            position = start.start() + 1
            tries += 1
            continue
        before = decoded[torn : start.start()]
        if not _is_record(value, before) and not (isinstance(value, dict) and known(value) and _stands_alone(before)):
            position = start.start() + 1
            tries += 1
            continue
        if decoded[torn : start.start()].strip("\x00 \t\r\n"):
            yield _piece(line, decoded, torn, start.start()), Damage("not JSON: torn record before a whole one")
        yield _piece(line, decoded, start.start(), end), value
        found = True
        position = torn = end
    if decoded[torn:].strip("\x00 \t\r\n"):
        reason = "not JSON: torn record after a whole one" if found else "not JSON: cut short or mangled"
        yield _piece(line, decoded, torn, size), Damage(reason)


_RECORD_KEYS = frozenset({"timestamp", "uuid", "sessionId", "payload"})


def _is_record(value: object, before: str) -> bool:
    """Whether an object found inside a torn line is a record of its own, not a value nested in the torn one."""
    if not isinstance(value, dict):
        return False
    if ("type" in value and _RECORD_KEYS & value.keys()) or "messages" in value:
        return True
    return "role" in value and "content" in value and _stands_alone(before)


def _stands_alone(before: str) -> bool:
    """Whether what follows these characters is no part of the value they belong to."""
    return not before.rstrip().endswith((":", ",", "["))


def _piece(line: Line, decoded: str, start: int, end: int) -> Line:
    before = len(decoded[:start].encode("utf-8", "surrogatepass"))
    return Line(line.number, line.offset + before, decoded[start:end].encode("utf-8", "surrogatepass"))
