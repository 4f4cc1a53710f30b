"""The chat that Zoom saves beside a recording: `00:12:03<tab>Name:<tab>words`, with further lines below.

The clock counts as the recording's does, so a turn has no time of its own; the day is the file's or its folder's.
Reactions are noise. A reply repeats the beginning of what it answers; that is not the replier's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from wikimem.core.turns import Damage, Form, Line, Noise, Record, Speaker, Turn
from wikimem.edges.importers import webvtt
from wikimem.edges.importers.format import Head, LineFormat

_BOM = b"\xef\xbb\xbf"
_HEAD = re.compile(r"(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d\t(?: ?From )?(?P<name>[^\t]{1,120}?)\s*:\t(?P<said>.*)", re.DOTALL)
_REACTION = re.compile(r"(?:Reacted to \".*\" with |Removed an? .{1,40} reaction from \")", re.DOTALL)
_REPLY = re.compile(r"\AReplying to \"(?P<to>.*?)\"\s*\n+", re.DOTALL)
_TO = re.compile(r" to (?:Everyone|Hosts and panelists)\Z", re.IGNORECASE)


def read(lines: Iterable[Line]) -> Iterator[Record]:
    """Records of a saved chat, a message each; see `LineFormat.read`."""
    first: Line | None = None
    name = ""
    told: list[str] = []
    for line in lines:
        data = line.data.removeprefix(_BOM) if line.number == 1 else line.data
        text = data.decode("utf-8", "replace")
        found = _HEAD.match(text)
        if found is not None:
            if first is not None:
                yield _record(first, name, told)
            first, name, told = line, _TO.sub("", found["name"].strip()), [found["said"]]
        elif first is not None:
            told.append(text)
        elif text.strip():
            yield Record(line.number, line.offset, Damage("words before the first message"))
    if first is not None:
        yield _record(first, name, told)


def _record(first: Line, name: str, told: list[str]) -> Record:
    text = "\n".join(told).strip()
    if _REACTION.match(text):
        return Record(first.number, first.offset, Noise("reaction"))
    about = ""
    if reply := _REPLY.match(text):
        about, text = reply["to"], text[reply.end() :].strip()
    if not text:
        return Record(first.number, first.offset, Noise("empty message"))
    turn = Turn(f"L{first.number}", Speaker.HUMAN, Form.PROSE, text, name=name, about=about)
    return Record(first.number, first.offset, (turn,))


def _recognise(head: Head) -> bool:
    first = head.data.removeprefix(_BOM).lstrip().split(b"\n", 1)[0]
    return _HEAD.match(first.decode("utf-8", "replace")) is not None


FORMAT = LineFormat("zoom-chat", _recognise, read, ".txt", json=False, hint=webvtt.FORMAT.hint)
