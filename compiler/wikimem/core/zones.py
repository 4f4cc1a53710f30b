"""Zones: a vault's time zone, as a value: which day an instant falls on there, and which instants a day there holds.

What is stored stays in UTC; only days are told in a zone, each by the offset that holds on that very day, so that a day
may have 23 or 25 hours. Where the rules of a zone come from is no matter of this module (`edges.zones`): it reads no disk.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC as _UTC
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache

from wikimem.core import moments
from wikimem.core.turns import Turn


@dataclass(frozen=True, slots=True)
class Zone:
    """A time zone.

    Args:
        name: of the IANA database, `Europe/Berlin`; two zones of one name are equal.
        rules: which offset holds when; None for UTC.
    """

    name: str = "UTC"
    rules: tzinfo | None = field(default=None, compare=False, repr=False)

    @property
    def is_utc(self) -> bool:
        """Whether it is UTC by its name, where nothing has to be converted."""
        return self.rules is None

    def floor(self, text: str) -> str:
        """The first instant of a moment, in UTC, as `moments.floor`; empty for what is no moment.

        A day begins at midnight here; a time without an offset is one of a clock here, of two equal ones the first.
        """
        return moments.floor(text) if self.rules is None else _floor(self, text)

    def last(self, text: str) -> str:
        """The last instant of a moment, in UTC, as `moments.last`."""
        return moments.last(text) if self.rules is None else _last(self, text)

    def clamp(self, instant: str, moment: str) -> str:
        """The instant, moved into the moment's period where it lies outside it."""
        return min(max(instant, self.floor(moment)), self.last(moment))

    def day(self, text: str) -> str:
        """The day here of a moment, `2026-08-14`; a coarser moment as it is; empty for what is no moment."""
        return moments.day(text) if self.rules is None else _local(self, text)[:10]

    def shown(self, text: str) -> str:
        """A moment as a page shows it: at most to the minute, with the offset: `2026-08-14T12:11+02:00`."""
        if self.rules is None or len(text) <= 10:
            return moments.shown(text)
        told = _local(self, text)
        return told[:16] + told[19:]

    def told(self, said: str) -> str:
        """A time as people read it in an answer: to the second, with the offset here; of no time, as it is."""
        if len(said) <= 10:
            return said
        if self.rules is None:
            return said if said.endswith("Z") or moments.is_bare(said) else _in_utc(said)
        return _local(self, said) or said

    def clock(self, said: str) -> str:
        """What a clock here shows at a time of a turn, `2026-08-14T12:11:03`; a day, or what is no time, as it is."""
        return said if self.rules is None or not said.endswith("Z") else _local(self, said)[:19] or said


UTC = Zone()
"""The zone of a vault that names none."""


def placed(turn: Turn, zone: Zone) -> str:
    """What the clock of whoever spoke showed: by the turn's own offset where its format gave one, else in the zone."""
    return moments.at(turn.said, turn.offset) if turn.offset else zone.clock(turn.said)


def absolute(moment: str, turn: Turn, zone: Zone) -> str:
    """A time that a reader of a turn wrote without an offset, as an instant in UTC: it is one of that turn's clock.

    Any other moment, and every one where that clock is UTC's, stays as it is.
    """
    if len(moment) < 16 or not moments.is_bare(moment) or (zone.is_utc and not turn.offset):
        return moment
    instant = moments.floor(f"{moment}{turn.offset}") if turn.offset else zone.floor(moment)
    return f"{instant}Z" if instant else moment


def _in_utc(said: str) -> str:
    instant = moments.floor(said)
    return f"{instant}Z" if instant else said


@lru_cache(maxsize=1 << 15)
def _floor(zone: Zone, text: str) -> str:
    if len(text) > 10 and not moments.is_bare(text):
        return moments.floor(text)
    first = moments.floor(text)
    return _instant(zone, first) if first else ""


@lru_cache(maxsize=1 << 12)
def _last(zone: Zone, text: str) -> str:
    if len(text) > 10:
        first = _floor(zone, text)
        return moments.last(f"{first[:19] if moments.has_seconds(text) else first[:16]}Z") if first else ""
    end = moments.last(text)
    if not end or end == moments.LAST:
        return end
    # The second before the next midnight here, which need not be 24 hours after the one before.
    after = datetime.fromisoformat(end) + timedelta(seconds=1)
    return (datetime.fromisoformat(_instant(zone, after.isoformat())) - timedelta(seconds=1)).isoformat()


@lru_cache(maxsize=1 << 15)
def _local(zone: Zone, text: str) -> str:
    """A moment here, with its offset if it tells a time; one without a time as it is; empty for what is no moment."""
    if len(text) <= 10:
        return text if moments.is_moment(text) else ""
    instant = _floor(zone, text)
    if not instant:
        return ""
    try:
        return datetime.fromisoformat(instant).replace(tzinfo=_UTC).astimezone(zone.rules).isoformat()
    except (ValueError, OverflowError):
        return f"{instant}+00:00"


def _instant(zone: Zone, wall: str) -> str:
    """The instant at which a clock here shows this; of what no clock shows, when it was put forward."""
    try:
        return datetime.fromisoformat(wall).replace(tzinfo=zone.rules).astimezone(_UTC).isoformat()[:19]
    except (ValueError, OverflowError):
        return wall
