"""Inquiries: a question that is looked into step by step, what was looked at, and what a step answers. Asks and opens nothing.

Each step reads all that was seen before and says what to look at next, or which words answer. What it says is trusted
only as far as `read` understands it; whether the words stand where it says is decided by the shelf.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from wikimem.core.shelving import Entry, Line, Span, Version, window


class Do(StrEnum):
    """What can be done to look: the four of the shelf, and a search by the index."""

    SEARCH = "search"
    LIST = "list"
    GREP = "grep"
    READ = "read"
    HISTORY = "history"


class Premise(StrEnum):
    """Whether what a question takes for granted is so, as far as memory tells."""

    HOLDS = "holds"
    FALSE = "false"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Look:
    """One look.

    Args:
        do: how.
        path: the file or folder; empty for all.
        pattern: of a grep an expression, of a search words.
        first, last: of a read its lines; 0 for as many as there is room for.
    """

    do: Do
    path: str = ""
    pattern: str = ""
    first: int = 1
    last: int = 0

    @property
    def words(self) -> str:
        """The look in words."""
        lines = f", lines {self.first} to {self.last or 'the end'}" if self.do is Do.READ else ""
        return " ".join(word for word in (self.do.value, repr(self.pattern) if self.pattern else "", self.path) if word) + lines


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A line that was seen.

    Args:
        path: its file.
        line: whole.
        claim: the claim that it proves, with its stance and dates, where it was found by one; else empty.
        brief: the part of it where words of a search stand, which is what a model reads of it; empty for all.
    """

    path: str
    line: Line
    claim: str = ""
    brief: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a look gave.

    Args:
        look: it.
        glimpses: lines, the best or first one first.
        others: what is no line: entries of folders, versions, a refusal; a line of text each.
        more: how to go on, or why it stopped; empty if that was all.
    """

    look: Look
    glimpses: tuple[Glimpse, ...] = ()
    others: tuple[str, ...] = ()
    more: str = ""

    @property
    def text(self) -> str:
        """What it gave, as it is read."""
        shown = self.glimpses[:CARDS] if self.look.do is Do.SEARCH else self.glimpses
        lines = [*map(glimpse, shown), *self.others, *([f"({self.more})"] if self.more else [])]
        return "\n".join(lines) or "(nothing)"


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question that is looked into.

    Args:
        question: as it was asked.
        moments: the dates it is asked as of, in words; empty for now.
        cards: what a quick recall found, the best first.
        seen: every look so far, with what it gave.
        left: steps that are left, this one included.
    """

    question: str
    moments: str
    cards: tuple[Glimpse, ...]
    seen: tuple[Seen, ...] = ()
    left: int = 8

    def after(self, seen: Iterable[Seen]) -> Inquiry:
        """The inquiry one step later."""
        return replace(self, seen=(*self.seen, *seen), left=self.left - 1)


@dataclass(frozen=True, slots=True)
class Step:
    """What a step answers.

    Args:
        looks: what to look at next; none when it is done.
        spans: the words that answer, the best first.
        premise: see `Premise`.
        note: a sentence on what was found, or is otherwise than the question has it; may be empty.
    """

    looks: tuple[Look, ...]
    spans: tuple[Span, ...]
    premise: Premise = Premise.UNKNOWN
    note: str = ""


CARDS = 24
"""Cards, and hits of a search, that a model reads; rules read all."""
LOOKS = 4
"""Looks of one step."""
SPANS = 70
"""Spans of one answer that are taken; a model is asked for fewer."""

_TEXT = {"type": "string"}
_LINE = {"type": "integer", "minimum": 0}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "reason": _TEXT,
        "looks": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "do": {"type": "string", "enum": [do.value for do in Do]},
                    "path": _TEXT,
                    "pattern": _TEXT,
                    "first": _LINE,
                    "last": _LINE,
                },
                "required": ["do"],
                "additionalProperties": False,
            },
        },
        "spans": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"path": _TEXT, "first": _LINE, "last": _LINE, "quote": _TEXT},
                "required": ["path", "first", "last", "quote"],
                "additionalProperties": False,
            },
        },
        "premise": {"type": "string", "enum": [premise.value for premise in Premise]},
        "note": _TEXT,
    },
    "required": ["looks", "spans"],
    "additionalProperties": False,
}


def read(content: Any) -> Step:
    """The step that a reply tells; what of its lists is not of the form is passed over.

    Raises:
        ValueError: the reply as a whole is not of this form; the text is one clause.
    """
    if not isinstance(content, Mapping) or not all(isinstance(content.get(name), list) for name in ("looks", "spans")):
        raise ValueError('the reply is no object with lists "looks" and "spans"')
    looks = [look for told in content["looks"] if (look := _look(told)) is not None]
    spans = [span for told in content["spans"] if (span := _span(told)) is not None]
    premise, note = content.get("premise"), content.get("note")
    told = Premise(premise) if premise in [each.value for each in Premise] else Premise.UNKNOWN
    return Step(tuple(looks[:LOOKS]), tuple(spans[:SPANS]), told, " ".join(note.split())[:500] if isinstance(note, str) else "")


def _look(told: Any) -> Look | None:
    if not isinstance(told, Mapping) or told.get("do") not in [do.value for do in Do]:
        return None
    path, pattern = (told[name] if isinstance(told.get(name), str) else "" for name in ("path", "pattern"))
    return Look(Do(told["do"]), path, pattern, _number(told.get("first"), 1), _number(told.get("last"), 0))


def _span(told: Any) -> Span | None:
    if not isinstance(told, Mapping) or not all(isinstance(told.get(name), str) for name in ("path", "quote")):
        return None
    first = _number(told.get("first"), 1)
    return Span(told["path"], first, max(first, _number(told.get("last"), first)), told["quote"])


def _number(value: Any, otherwise: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**9 else otherwise


def glimpse(one: Glimpse) -> str:
    """A line that was seen, as it is read: file, place, speaker and day, then the words."""
    who = ", ".join(word for word in (one.line.speaker, one.line.said[:10], one.line.mark) if word)
    told = (one.brief or one.line.text).strip()
    words = f"claim: {one.claim} Proved by: {told}" if one.claim else told
    return f"{one.path} {one.line.at}{f' ({who})' if who else ''}: {words}"


def entry(one: Entry) -> str:
    """An entry of a folder, as it is read."""
    return f"{one.path}{f' ({one.note})' if one.note else ''}"


def version(one: Version) -> str:
    """A version of a file, as it is read."""
    told = [*(f"+ {line}" for line in one.gained), *(f"- {line}" for line in one.lost)]
    return "\n".join([f"{one.when[:10]} {one.subject}".strip(), *told])


def shown(line: Line, words: str, wide: int) -> str:
    """What is shown of a line around some of its words.

    Args:
        line: whole.
        words: as they stand in it.
        wide: characters at most.
    """
    start = max(line.text.find(words), 0)
    return window(line.text.strip(), start, start + len(words), wide)
