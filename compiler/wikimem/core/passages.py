"""Passages: what of a turn can be found again and shown as an answer. Not the turn itself, which stays in its source.

Speech is kept whole. A tool call is known by its head, a result by its two ends and by the lines that tell of errors;
what an assistant only thought is no passage at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from wikimem.core.turns import Form, Speaker, Turn
from wikimem.core.zones import UTC, Zone

CALL = 400
"""Characters kept of a tool call."""
END = 300
"""Characters kept of each end of a tool result."""
ERRORS = 1200
"""Characters kept of the error lines between the ends of a result."""

_GAP = " … "
_ERROR = re.compile(r"[Ee]rror\b|ERROR|[Ee]xception\b|Traceback|[Ff]ail(?:ed|ure)?\b|FAIL|\bpanic\b|\bfatal\b|FATAL")


@dataclass(frozen=True, slots=True)
class Passage:
    """One turn as the index keeps it.

    Args:
        source: the source's id.
        at: the turn's locator in it.
        ordinal: the turn's number in its source, from 0, counted over all turns.
        speaker, form, name, said, identity, error: as in `Turn`.
        scope: the scope of its session, `project:checkout`; empty if it has none.
        text: what is searched and shown.
        told: when it was said, as people read it: in the zone of the vault, with its offset.
    """

    source: str
    at: str
    ordinal: int
    speaker: Speaker
    form: Form
    text: str
    name: str = ""
    said: str = ""
    scope: str = ""
    identity: str = ""
    error: bool = False
    told: str = ""

    @property
    def day(self) -> str:
        """The day it was said on, in the zone of the vault; empty if unknown."""
        return (self.told or self.said)[:10]

    @property
    def cite(self) -> str:
        """The citation that `show` opens."""
        return f"{self.source}:{self.at}"


def of(source: str, scope: str, turns: Iterable[Turn], skip: frozenset[str] = frozenset(), zone: Zone = UTC) -> list[Passage]:
    """The passages of a session, in order.

    Args:
        source: its id.
        scope: its scope, may be empty.
        turns: all its turns.
        skip: locators left out, such as those of rewound turns and of copies.
        zone: of the vault.
    """
    found = []
    for ordinal, turn in enumerate(turns):
        if turn.form is Form.THINKING or turn.at in skip:
            continue
        text = _kept(turn)
        if not text.strip():
            continue
        passage = Passage(
            source,
            turn.at,
            ordinal,
            turn.speaker,
            turn.form,
            text,
            turn.name,
            turn.said,
            scope,
            turn.identity,
            turn.error,
            zone.told(turn.said),
        )
        found.append(passage)
    return found


def _kept(turn: Turn) -> str:
    match turn.form:
        case Form.CALL:
            return turn.text if len(turn.text) <= CALL else turn.text[:CALL] + _GAP.rstrip()
        case Form.RESULT:
            return _ends(turn.text, turn.error)
        case _:
            return turn.text


def _ends(text: str, failed: bool) -> str:
    """Both ends of a result and what between them tells of errors; of a failed result more, for it says why."""
    end = ERRORS if failed else END
    if len(text) <= 2 * end:
        return text
    middle = []
    room = ERRORS
    at, last = end, len(text) - end
    while match := _ERROR.search(text, at, last):
        first = max(text.rfind("\n", at, match.start()) + 1, at, match.start() - END // 2)
        stop = text.find("\n", match.end(), last)
        at = last if stop < 0 else stop
        line = text[first : min(at, first + END)].strip()
        if len(line) > room:
            break
        middle.append(line)
        room -= len(line)
    return _GAP.join((text[:end], *middle, text[-end:]))


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that answers a query.

    Args:
        passage: it.
        score: higher is better; comparable within one search only.
        spots: offsets in its text where words of the query stand.
        before, after: its neighbours in the source, in the source's order.
    """

    passage: Passage
    score: float
    spots: tuple[int, ...] = ()
    before: tuple[Passage, ...] = ()
    after: tuple[Passage, ...] = ()
