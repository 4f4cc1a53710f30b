"""Archive: which subjects are out of the way, since nothing of them has held for long. Pure: the day is an edit's, not a clock's.

An archived page stays where it is, so all links and what people wrote on it stay as well; it is listed in the archive and not in
its folder's index. What is said of its subject afterwards brings it back by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from wikimem.core.claims import Claim, Kind
from wikimem.core.timeline import Retracted, Standing

KEY = "archive"
"""The key of the edit (`edits.Named`); its value is the day since which nothing held."""
BACK = "-"
_SECOND = len("2026-08-14T10:11:03")


def day_of(
    mentions: Iterable[str], told: Mapping[str, tuple[str, str]], claims: Iterable[Claim], standings: Iterable[Standing]
) -> str:
    """The day since which nothing of an archived subject has held; empty if it is not archived, or not any more.

    Args:
        mentions: ids of its mentions.
        told: `Rulings.archived`.
        claims, standings: its own.
    """
    if not told:
        return ""
    said, day = max((told[id] for id in mentions if id in told), default=("", BACK))
    return day if day != BACK and is_older(claims, said) and is_over(standings, day) else ""


def is_over(standings: Iterable[Standing], day: str) -> bool:
    """Whether of a subject something once held and nothing has since a day. Events neither hold nor end.

    Args:
        standings: its timeline.
        day: `2026-08-14`.
    """
    every = tuple(standings)
    lasting = [each for each in every if each.claim.kind is not Kind.EPISODIC]
    ends = [interval.ends for each in lasting for interval in each.intervals if not isinstance(interval.ending, Retracted)]
    happened = [interval.begins for each in every for interval in each.intervals]
    return (
        bool(lasting)
        and not any(each.rivals for each in every)
        and all("" < end < day for end in ends)
        and all(begins < day for begins in happened)
    )


def is_due(claims: Iterable[Claim], standings: Iterable[Standing], day: str) -> bool:
    """Whether a subject is to be archived: since a day nothing of it has held or was said. Without any date it is not."""
    return "" < said_last(claims) < day and is_over(standings, day)


def said_last(claims: Iterable[Claim]) -> str:
    """When something was last said of a subject; empty if that is unknown."""
    return max((one.said for claim in claims for one in claim.evidence), default="")


def is_older(claims: Iterable[Claim], said: str) -> bool:
    """Whether all that is said of a subject was said by some instant."""
    return said_last(claims)[:_SECOND] <= said[:_SECOND]
