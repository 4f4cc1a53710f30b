"""Leads by rule: what has one value at a time, as its claims say it, with since when, and the last event. Words nothing itself.

A page of which less than two such values are known gets none, nor one of few lines: a lead that shows lines of the page again
without telling what it is about only makes it longer. (Tried: what was said most often, or last. It read no better.)
"""

from __future__ import annotations

from typing import Any

from wikimem.core.consolidation.views import Leading, Line
from wikimem.core.vocabulary import SHIPPED

_MOST, _LONGEST = 4, 220
_SHARE = 3


def lead(asked: Leading) -> dict[str, Any]:
    """A reply to the task `lead`."""
    lines = [line for line in asked.page.lines if len(line.text) <= _LONGEST]
    room = min(_MOST, len(asked.page.lines) // _SHARE)
    if room < 2:
        return {"sentences": []}
    facts = sorted((line for line in lines if not line.event and SHIPPED.is_single(line.attribute)), key=_weight)
    if len(facts) < 2:
        return {"sentences": []}
    events = sorted((line for line in lines if line.event), key=lambda line: (line.since, line.id))
    last = events[-1:]
    taken = [*facts[: max(2, room - len(last))], *last]
    return {"sentences": [{"text": _sentence(line), "claims": [line.id]} for line in taken]}


def _weight(line: Line) -> tuple[object, ...]:
    return (-line.sources, tuple(-ord(character) for character in line.said), line.id)


def _sentence(line: Line) -> str:
    """The claim's text with since when, as far as that is not in it already."""
    text = line.text
    if line.since and not line.event and line.since not in text:
        return f"{text.rstrip('.')} (since {line.since})."
    return text
