"""Telling: where a statement stands in time, in words and as plain values. Not what it says, and no page line."""

from __future__ import annotations

from typing import Any

from wikimem.core.claims import Kind
from wikimem.core.statements import Statement
from wikimem.core.timeline import Interval, Lapsed, Retracted, Superseded
from wikimem.core.zones import Zone


def state(statement: Statement) -> str:
    """`current`, `conflict` (it and another hold and cannot both), `ended` (it was so), or `retracted` (it never was)."""
    if statement.current:
        return "conflict" if statement.standing.rivals else "current"
    return "retracted" if isinstance(statement.standing.intervals[-1].ending, Retracted) else "ended"


def ground(statement: Statement) -> str:
    """Its stance, how sure whoever drew it was, and whether it was concluded from other claims: `inference, 0.4, concluded`."""
    claim = statement.claim
    sure = f"{claim.confidence / 100:g}" if claim.confidence else ""
    return ", ".join(part for part in (claim.stance.value, sure, "concluded" if claim.rests else "") if part)


def dates(statement: Statement) -> str:
    """When it held: `since 2026-08-14`, `on 2026-08-14`, `2025-01-10 to 2026-08-14; since 2026-09-01`; may be empty."""
    if state(statement) == "retracted":
        return ""
    zone = statement.claim.zone
    told = [_span(one, statement.claim.kind is Kind.EPISODIC, zone) for one in statement.standing.intervals]
    return "; ".join(one for one in told if one)


def _span(one: Interval, happened: bool, zone: Zone) -> str:
    start, end = zone.shown(one.start.moment), zone.shown(one.end.moment)
    if happened and start and not end:
        return f"on {start}"
    if start and end:
        return f"{start} to {end}"
    return f"since {start}" if start else f"until {end}" if end else ""


def ending(statement: Statement) -> str:
    """What became of it where it does not hold: `superseded by: …`; empty while it does."""
    if statement.current:
        return ""
    last = statement.standing.intervals[-1].ending
    texts = {other.id: other.text for other in statement.others}
    match last:
        case Superseded(by):
            return f"superseded by: {texts[by]}" if by in texts else "superseded"
        case Retracted(by):
            return f"never was so: {texts[by]}" if by in texts else "never was so"
        case _:
            return "ended as stated"


def intervals(statement: Statement) -> list[dict[str, str]]:
    """Each interval as plain values: from, until, how each is known, and how it ended."""
    return [
        {
            "from": one.start.moment,
            "from_basis": one.start.basis.value,
            "until": one.end.moment,
            "until_basis": one.end.basis.value,
            "ended": _how(one),
            "by": one.ending.by if isinstance(one.ending, Superseded | Retracted) else "",
        }
        for one in statement.standing.intervals
    ]


def _how(one: Interval) -> str:
    match one.ending:
        case Superseded():
            return "superseded"
        case Retracted():
            return "retracted"
        case Lapsed():
            return "lapsed"
    return ""


def brief(statement: Statement) -> dict[str, Any]:
    """A statement that is told beside another one, as plain values."""
    return {
        "id": statement.id,
        "text": statement.claim.text,
        "state": state(statement),
        "dates": dates(statement),
        "cite": statement.cite,
        "scope": statement.about.scope,
        "page": statement.page,
    }


def full(statement: Statement) -> dict[str, Any]:
    """A statement as plain values: what it says, on what ground, when it held, on which page, and what proves it."""
    claim = statement.claim
    return {
        "id": statement.id,
        "text": claim.text,
        "stance": claim.stance.value,
        "confidence": claim.confidence / 100,
        "kind": claim.kind.value,
        "attribute": claim.attribute,
        "title": statement.about.title,
        "scope": statement.about.scope,
        "page": statement.page,
        "state": state(statement),
        "dates": dates(statement),
        "ending": ending(statement),
        "intervals": intervals(statement),
        "conflicts": list(statement.standing.rivals),
        "same": list(statement.standing.same),
        "evidence": [
            {
                "cite": f"{one.source}:{one.at}",
                "source": one.source,
                "at": one.at,
                "said": one.said,
                "speaker": one.speaker,
                "name": one.name,
                "quote": one.quote,
                "accepting": one.proposal.quote if one.proposal else "",
            }
            for one in claim.evidence
        ],
    }
