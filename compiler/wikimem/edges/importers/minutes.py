"""Minutes of meetings in markdown: a note in which lines tell who spoke, as `**Ada**: …`, `Ada [12:03]` or `[12:03] Ada: …`.

Read as a note is, block by block; a labelled line begins what that person said. What stands under no label is somebody's
prose, as in any note: minutes are written by hand, each hand its own way. A clock in a label counts from the beginning of
the meeting or from midnight, nobody says which, so it is no time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from wikimem.core.turns import Line, Record, Turn
from wikimem.edges.importers import note
from wikimem.edges.importers.format import Head, LineFormat

_NAME = r"(?P<{0}>[^\W\d_][^*\[\]:|\n]{{0,50}}?)"
_CLOCK = r"[\[(]\d{1,2}:\d\d(?::\d\d)?[\])]"
_LABEL = re.compile(
    r"[ \t]*(?:[-*+][ \t]+)?(?:"
    + rf"\*\*{_NAME.format('bold')}(?:[ ]?{_CLOCK})?:?\*\*[ ]?(?:{_CLOCK})?:?(?:[ \t]+|\Z)"
    + rf"|{_CLOCK}[ \t]+{_NAME.format('after')}:(?:[ \t]+|\Z)"
    + rf"|{_NAME.format('before')}[ ]{_CLOCK}:?(?:[ \t]+|\Z)"
    + r")(?P<said>.*)"
)
# Labels of agents' transcripts, and of what stands in a document's margin.
_AGENTS = (
    "user",
    "human",
    "assistant",
    "agent",
    "system",
    "tool",
    "ai",
    "model",
    "claude",
    "chatgpt",
    "cursor",
    "codex",
    "gemini",
)
_MARGIN = ("note", "notes", "warning", "important", "tip", "decision", "decisions", "action", "actions", "todo", "date", "time")
_FIELDS = (
    "location",
    "attendees",
    "agenda",
    "summary",
    "topic",
    "question",
    "answer",
    "example",
    "status",
    "owner",
    "why",
    "how",
)
_NO_NAMES = frozenset((*_AGENTS, *_MARGIN, *_FIELDS))


def read(lines: Iterable[Line]) -> Iterator[Record]:
    """Records of minutes: those of a note, each block's turns cut where another person begins; see `LineFormat.read`."""
    for record in note.read(lines):
        if isinstance(record.gave, tuple):
            record = replace(record, gave=tuple(_cut(record.gave[0])))
        yield record


def _cut(block: Turn) -> Iterator[Turn]:
    pieces: list[tuple[str, list[str]]] = [("", [])]
    fence = ""
    for line in block.text.split("\n"):
        bare = line.lstrip()
        if bare.startswith(("```", "~~~")) and (not fence or bare.startswith(fence)):
            fence = "" if fence else bare[:3]
        name, said = ("", "") if fence else _label(line)
        if name:
            pieces.append((name, [said]))
        else:
            pieces[-1][1].append(line)
    number = 0
    for name, told in pieces:
        text = "\n".join(told).strip()
        if text:
            number += 1
            yield replace(block, text=text, name=name, at=block.at if number == 1 else f"{block.at}-{number}")
    if not number:
        yield block


def _label(line: str) -> tuple[str, str]:
    found = _LABEL.match(line)
    if found is None:
        return "", ""
    name = " ".join((found["bold"] or found["after"] or found["before"] or "").split())
    if len(name.split()) > 5 or name.lower() in _NO_NAMES or (found["bold"] and ":" not in line[: found.start("said")]):
        return "", ""
    return name, found["said"]


def _recognise(head: Head) -> bool:
    """Whether several people are named, one of them again, and most of the text is theirs."""
    if not note.FORMAT.recognise(head):
        return False
    lines = [line for line in head.data.decode("utf-8", "replace").split("\n") if line.strip()]
    names = Counter(name for line in lines if (name := _label(line)[0]))
    return len(names) > 1 and max(names.values()) > 1 and 5 * sum(names.values()) >= len(lines)


FORMAT = LineFormat("minutes", _recognise, read, ".md", json=False, hint=note.FORMAT.hint)
