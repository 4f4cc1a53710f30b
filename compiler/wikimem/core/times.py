"""Times as transcripts write them, brought to one form: UTC to the second, or honestly less.

Four forms exist, by what is known: `2026-08-14T10:11:03Z`, `2026-08-14T10:11:03` (zone unknown), `2026-08-14` and ''.
A fifth, `2026-08-14T12:11:03+02:00`, only lives until a `Turn` is made of it, which keeps time and offset apart.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

_PLAIN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z\Z")
_DAY = re.compile(r"\d{4}-\d\d-\d\d\Z")
# Beyond these a number is no time of a transcript, but a counter or a wrong unit.
_EARLIEST, _LATEST = 631152000, 4102444800


def utc(value: object) -> str:
    """The time in one of the four forms; '' for what is none.

    Args:
        value: an ISO 8601 string, or a number of seconds or milliseconds since 1970 (told apart by size).
    """
    if isinstance(value, str):
        if _PLAIN.match(value):
            return value[:19] + "Z" if _real(value[:19]) else ""
        return _parsed(value.strip())
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        seconds = value / 1000 if value > _LATEST else value
        if _EARLIEST <= seconds <= _LATEST:
            return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return ""


def told(value: object) -> str:
    """As `utc`, but a time that was written with the offset of somebody's clock keeps it: `2026-08-14T12:11:03+02:00`.

    `Z` and `+00:00` are what programs write that know nothing of a clock, and are UTC.
    """
    found = utc(value)
    if not isinstance(value, str) or not found.endswith("Z") or _PLAIN.match(value):
        return found
    moment = datetime.fromisoformat(value.strip())
    away = moment.utcoffset()
    # An offset with seconds is of a time before there were zones.
    if not away or away.total_seconds() % 60:
        return found
    return moment.isoformat(timespec="seconds") if moment.year >= 1000 else found


def between(instant: str, wall: str) -> str:
    """An instant in UTC with the offset of the clock that showed `wall` at it; as it is where no clock could have.

    Args:
        instant: `2026-08-14T10:11:03Z`.
        wall: `2026-08-14T12:11:03`.
    """
    if not instant.endswith("Z") or len(wall) != 19:
        return instant
    away = datetime.fromisoformat(wall) - datetime.fromisoformat(instant[:19])
    minutes = round(away.total_seconds() / 60)
    # Clocks are set to quarters of an hour, and no two differ by more than a day.
    if not minutes or minutes % 15 or abs(minutes) > 15 * 60 or away.total_seconds() != minutes * 60:
        return instant
    sign = "-" if minutes < 0 else "+"
    return f"{wall}{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def apart(said: str) -> tuple[str, str]:
    """A time of any of the five forms as `utc` has it, and its offset, `+02:00`; the offset is empty for the other four."""
    if len(said) != 25 or said[19] not in "+-":
        return said, ""
    found = utc(said)
    return (found, said[19:]) if found.endswith("Z") else (said, "")


def day(said: str) -> str:
    """`2026-08-14` of any of the four forms; '' of ''."""
    return said[:10]


def _real(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _parsed(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return ""
    if _DAY.match(text):
        return text
    if moment.tzinfo is None:
        return moment.strftime("%Y-%m-%dT%H:%M:%S") if moment.year >= 1000 else ""
    try:
        return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except OverflowError:
        return ""
