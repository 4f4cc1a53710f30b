"""Ages: `90d`, `26w`, `18m`, `2y`, as people write how long ago something was."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta

_AGE = re.compile(r"(?P<number>\d{1,4})(?P<unit>[dwmy])\Z")
_DAYS = {"d": 1, "w": 7}


def before(today: date, age: str) -> str:
    """The day that was so long ago, `2026-08-14`.

    Args:
        today: the day from which it is counted.
        age: a number of days, weeks, months or years.

    Raises:
        ValueError: it is no age; the text is a sentence.
    """
    found = _AGE.match(age.strip())
    if found is None:
        raise ValueError(f"{age!r} is no age; write it as 90d, 26w, 18m or 2y.")
    number, unit = int(found["number"]), found["unit"]
    try:
        if unit in _DAYS:
            return (today - timedelta(days=number * _DAYS[unit])).isoformat()
        months = today.year * 12 + today.month - 1 - number * (12 if unit == "y" else 1)
        year, month = months // 12, months % 12 + 1
        return date(year, month, min(today.day, monthrange(year, month)[1])).isoformat()
    except (ValueError, OverflowError):
        raise ValueError(f"{age!r} reaches back before all calendars.") from None
