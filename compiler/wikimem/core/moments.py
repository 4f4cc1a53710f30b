"""Moments: dates and times as people give them, with the precision they gave; not a clock, and no rules of time zones.

A moment is text: `2026`, `2026-08`, `2026-08-14`, `2026-08-14T10:11Z` or `2026-08-14T10:11:03Z`; empty if unknown.
Its precision is its length. An *instant* is a moment widened to `2026-08-14T10:11:03`, so that instants order as text.
A time without an offset, and the days of a moment, are read as UTC here; in the zone of a vault, by `zones.Zone`.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache

_SHAPE = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d)"
    r"(?:[T ](?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d+)?)?(?P<zone>Z|[+-]\d\d:?\d\d)?)?)?)?"
)
FIRST = "0000-01-01T00:00:00"
LAST = "9999-12-31T23:59:59"


def is_moment(text: str) -> bool:
    """Whether the text is a moment that exists in the calendar (`2026-02-30` does not)."""
    return _read(text) is not None


@lru_cache(maxsize=1 << 15)
def floor(text: str) -> str:
    """The first instant of a moment: `2026-08` gives `2026-08-01T00:00:00`; empty for what is no moment."""
    if len(text) == 20 and text[19] == "Z" and _is_exact(text[:19]):
        return text[:19]
    found = _read(text)
    return _instant(found[0]) if found else ""


@lru_cache(maxsize=1 << 12)
def last(text: str) -> str:
    """The last instant of a moment: `2026-08` gives `2026-08-31T23:59:59`; empty for what is no moment."""
    found = _read(text)
    if found is None:
        return ""
    start, precision = found
    try:
        return _instant(_next(start, precision) - timedelta(seconds=1))
    except (OverflowError, ValueError):
        return LAST


def clamp(instant: str, moment: str) -> str:
    """The instant, moved into the moment's period where it lies outside it."""
    return min(max(instant, floor(moment)), last(moment))


def day(text: str) -> str:
    """The day of a moment in UTC, `2026-08-14`; a coarser moment as it is; empty for what is no moment."""
    first = floor(text)
    return text if first and len(text) <= 7 else first[:10]


def shown(text: str) -> str:
    """A moment as a page shows it: at most to the minute, `2026-08-14T10:11Z`."""
    found = _read(text)
    if found is None:
        return ""
    if found[1] not in ("minute", "second"):
        return text
    return _instant(found[0])[:16] + "Z"


def at(said: str, offset: str) -> str:
    """What a clock of an offset from UTC, `+02:00`, shows at a time: `2026-08-14T12:11:03`; as it is if it is no time."""
    found = _read(said)
    if found is None or found[1] not in ("minute", "second"):
        return said
    try:
        return _instant(found[0] + _offset(offset))
    except OverflowError:
        return said


def written(text: str) -> str:
    """The day that a moment shows as it is written, whatever its offset; a coarser one as it is; empty for no moment."""
    return text[:10] if is_moment(text) else ""


def is_bare(text: str) -> bool:
    """Whether a moment tells a time of day without an offset, so that somebody has to say whose clock it is of."""
    shape = _SHAPE.fullmatch(text)
    return shape is not None and shape["hour"] is not None and shape["zone"] is None


def has_seconds(text: str) -> bool:
    """Whether a moment tells seconds."""
    shape = _SHAPE.fullmatch(text)
    return shape is not None and shape["second"] is not None


def _is_exact(bare: str) -> bool:
    """Whether a text is a time of the calendar, to the second, as it would be written."""
    try:
        return datetime.fromisoformat(bare).isoformat() == bare
    except ValueError:
        return False


def _read(text: str) -> tuple[datetime, str] | None:
    shape = _SHAPE.fullmatch(text)
    if shape is None:
        return None
    part = shape.groupdict()
    try:
        start = datetime(
            int(part["year"]),
            int(part["month"] or 1),
            int(part["day"] or 1),
            int(part["hour"] or 0),
            int(part["minute"] or 0),
            int(part["second"] or 0),
            tzinfo=UTC,
        )
        start -= _offset(part["zone"] or "Z")
    except (ValueError, OverflowError):
        return None
    names = ("second", "minute", "day", "month", "year")
    return start, next(name for name in names if part[name] is not None)


def _offset(zone: str) -> timedelta:
    if zone == "Z":
        return timedelta(0)
    sign = -1 if zone[0] == "-" else 1
    return sign * timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))


def _next(start: datetime, precision: str) -> datetime:
    if precision == "year":
        return start.replace(year=start.year + 1)
    if precision == "month":
        later = start.month == 12
        return start.replace(year=start.year + later, month=1 if later else start.month + 1)
    return start + {"day": timedelta(days=1), "minute": timedelta(minutes=1), "second": timedelta(seconds=1)}[precision]


def _instant(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0")
