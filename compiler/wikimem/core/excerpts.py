"""Excerpts: of a source only the turns that claims cite, and what was said right before and after each. Not the whole.

A turn stands on the line that it has in the whole source, and all other lines are empty, so that every citation holds. Only
what was said is taken from a line, never the record around it; long turns are cut to the words about the quotes. The same
source and the same citations give the same bytes, so whoever has the whole can prove an excerpt.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import orjson

from wikimem.core import texts
from wikimem.core.turns import Damage, Form, Line, Record, Speaker, Turn

FORMAT = "excerpt"
"""The name of the format."""
MASK = "[masked:"
_AT = re.compile(r"(?:(?P<member>.+)/)?L(?P<line>\d+)(?:-(?P<block>\d+))?\Z")
_LONG, _AROUND = 1_200, 240
_GAP = "\n[…]\n"
_SPEECH = (Form.PROSE, Form.CALL)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a turn stands: the member file (empty for the main one), the line, and which block of the line (0 for its first)."""

    member: str
    line: int
    block: int


def place(at: str) -> Place | None:
    """The place that a locator names; None if it names no line."""
    found = _AT.match(at)
    return Place(found["member"] or "", int(found["line"]), int(found["block"] or 0)) if found else None


def select(
    turns: Sequence[Turn], quotes: Mapping[str, Iterable[str]], closed: Iterable[str], named: Iterable[str]
) -> tuple[Turn, ...]:
    """The turns of an excerpt, in order.

    Args:
        turns: of the whole session.
        quotes: the words that are quoted, by the locator of their turn.
        closed: locators of turns that nobody else is to see.
        named: people who keep their names; the others are only called by their role.
    """
    shut, known = set(closed), set(named)
    wanted: set[int] = set()
    for number, turn in enumerate(turns):
        if turn.at in quotes:
            wanted |= {number, *(near for near in (number - 1, number + 1) if _is_neighbour(turns, near, turn, shut))}
    return tuple(_as_shown(turns[number], tuple(quotes.get(turns[number].at, ())), known) for number in sorted(wanted))


def _is_neighbour(turns: Sequence[Turn], number: int, cited: Turn, shut: set[str]) -> bool:
    """Whether a turn stands beside a cited one and may be seen: speech, of the same file, with nothing masked in it."""
    if not 0 <= number < len(turns):
        return False
    turn = turns[number]
    # Of hand edits the next one may be about anything.
    spoken = turn.form in _SPEECH and turn.speaker in (Speaker.HUMAN, Speaker.ASSISTANT) and turn.mark != "edit"
    return spoken and turn.at.rpartition("/")[0] == cited.at.rpartition("/")[0] and turn.at not in shut and MASK not in turn.text


def _as_shown(turn: Turn, quotes: tuple[str, ...], named: set[str]) -> Turn:
    name = "" if turn.speaker is Speaker.HUMAN and turn.name not in named else turn.name
    about = homeless(turn.about) if len(turn.about) <= _LONG else ""
    return replace(turn, text=_cut(homeless(turn.text), quotes), name=name, about=about)


_HOMES = re.compile(
    r"(?<![\w.~-])(?:/mnt/[a-z])?/(?:home|Users)/[^/\s:;,\"'`<>|()\\]+|\b[A-Za-z]:(?:\\{1,2}|/)Users(?:\\{1,2}|/)[^/\\\s:;,\"'`<>|()]+"
)
_FOLDERS = re.compile(r"(?<=projects/)-(?:home|Users)-[^-/\s]+")


def homeless(text: str) -> str:
    """A text in which no path to somebody's home folder tells their name: `/home/mira/code` is `~/code`."""
    return _FOLDERS.sub("-~", _HOMES.sub("~", text))


def _cut(text: str, quotes: tuple[str, ...]) -> str:
    """A text, or if it is long, what stands about the quotes in it; its beginning where nothing is quoted."""
    if len(text) <= _LONG:
        return text
    spans = sorted(span for quote in quotes if (span := texts.find(quote, text)) is not None) or [(0, _AROUND)]
    parts: list[tuple[int, int]] = []
    for start, end in ((max(0, start - _AROUND), min(len(text), end + _AROUND)) for start, end in spans):
        if parts and start <= parts[-1][1]:
            parts[-1] = (parts[-1][0], max(parts[-1][1], end))
        else:
            parts.append((start, end))
    head, tail = (_GAP.lstrip() if parts[0][0] else ""), (_GAP.rstrip() if parts[-1][1] < len(text) else "")
    return head + _GAP.join(text[start:end] for start, end in parts) + tail


def write(turns: Iterable[Turn]) -> dict[str, bytes]:
    """The files of an excerpt: content by name of member, the main one's empty; lines that nothing is shown of are empty."""
    files: dict[str, dict[int, list[Turn]]] = defaultdict(lambda: defaultdict(list))
    files[""]
    for turn in turns:
        where = place(turn.at)
        if where is not None:
            files[where.member][where.line].append(turn)
    return {
        member: b"".join((_line(lines[number]) if number in lines else b"") + b"\n" for number in range(1, max(lines) + 1))
        if lines
        else b""
        for member, lines in files.items()
    }


def _line(turns: Iterable[Turn]) -> bytes:
    return orjson.dumps({"excerpt": [_told(turn) for turn in turns]})


def _told(turn: Turn) -> dict[str, object]:
    where = place(turn.at)
    told: dict[str, object] = {
        "block": where.block if where else 0,
        "id": turn.identity,
        "speaker": turn.speaker.value,
        "form": turn.form.value if turn.form is not Form.PROSE else "",
        "name": turn.name,
        "time": turn.said,
        "text": turn.text,
        "call": turn.call,
        "error": turn.error,
        "mark": turn.mark,
        "about": turn.about,
    }
    return {name: value for name, value in told.items() if value}


def read(lines: Iterable[Line]) -> Iterable[Record]:
    """The records of a file: one a line that is not empty."""
    for line in lines:
        if not line.data.strip():
            continue
        try:
            told = orjson.loads(line.data)["excerpt"]
            turns = tuple(_turn(line.number, one) for one in told)
        except (ValueError, KeyError, TypeError, AttributeError):
            yield Record(line.number, line.offset, Damage("no line of an excerpt"))
            continue
        said = max((turn.said for turn in turns), default="")
        yield Record(line.number, line.offset, turns or Damage("no line of an excerpt"), facts={"time": said} if said else {})


def _turn(number: int, told: Mapping[str, object]) -> Turn:
    def text(name: str) -> str:
        value = told.get(name, "")
        if not isinstance(value, str):
            raise TypeError(name)
        return value

    block = told.get("block", 0)
    at = f"L{number}-{block}" if block else f"L{number}"
    return Turn(
        at,
        Speaker(text("speaker")),
        Form(text("form") or "prose"),
        text("text"),
        name=text("name"),
        said=text("time"),
        identity=text("id"),
        call=text("call"),
        error=told.get("error") is True,
        mark=text("mark"),
        about=text("about"),
    )
