"""Times as transcripts write them, brought to one form: UTC to the second, or honestly less.

Four forms exist, by what is known: `2026-08-14T10:11:03Z`, `2026-08-14T10:11:03` (zone unknown), `2026-08-14` and ''.
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
