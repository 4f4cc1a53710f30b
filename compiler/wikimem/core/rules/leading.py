"""Leads by rule: the claims of a page that tell most of it, as they stand, with since when. Words nothing itself.

What has one value at a time comes first, then what was said in most sessions, then what was said last; of events the last.
A lead that would show most of the page again is none.
"""

from __future__ import annotations

from typing import Any

from wikimem.core.consolidation.views import Leading, Line

_MOST, _LONGEST = 4, 220
_SHARE = 3


def lead(asked: Leading) -> dict[str, Any]:
    """A reply to the task `lead`."""
    lines = [line for line in asked.page.lines if len(line.text) <= _LONGEST]
    room = min(_MOST, len(asked.page.lines) // _SHARE)
    if room < 2:
        return {"sentences": []}
    facts = sorted((line for line in lines if not line.event), key=_weight)
    events = sorted((line for line in lines if line.event), key=lambda line: (line.since, line.id))
    last = events[-1:]
    taken = [*facts[: room - len(last)], *last]
    return {"sentences": [{"text": _sentence(line), "claims": [line.id]} for line in taken] if len(taken) >= 2 else []}


def _weight(line: Line) -> tuple[object, ...]:
    return (not line.attribute, -line.sources, tuple(-ord(character) for character in line.said), line.id)


def _sentence(line: Line) -> str:
    """The claim's text with since when, as far as that is not in it already."""
    text = line.text
    if line.since and not line.event and line.since not in text:
        return f"{text.rstrip('.')} (since {line.since})."
    return text
