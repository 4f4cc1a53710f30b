"""Dates in people's words, resolved against the day they were said. Not a clock: without that day nothing is resolved.

The anchor is the day of the turn itself, by the clock of whoever spoke (`Turn.clock`). What two people could read
differently (a bare weekday, `next Friday` said on a Monday, `recently`) stays as it was said. Libraries that read dates give
one instant for `last week`, and read `may`, `sat` and `second` as dates; here the period itself is wanted, or nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from wikimem.core import moments
from wikimem.core.rules.lexicon import words as listed


@dataclass(frozen=True, slots=True)
class Told:
    """What words tell of time.

    Args:
        shown: the words, each relative date followed by the absolute one in square brackets.
        since: the moment from which it holds, or at which it happened; empty if not told.
        until: the moment at which it ends; empty if not told.
    """

    shown: str
    since: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """A date in a text: where it stands, its moment, how it is shown, and the word before it that gives it its role."""

    start: int
    end: int
    moment: str
    shown: str
    role: str
    relative: bool
    until: str = ""


_DAYS = {name: number for number, name in enumerate(listed("monday tuesday wednesday thursday friday saturday sunday"))}
_MONTHS = {
    name: number
    for number, names in enumerate(
        listed(
            "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sept|sep october|"
            "oct november|nov december|dec"
        ),
        1,
    )
    for name in names.split("|")
}
_COUNT = {word: n for n, word in enumerate(listed("zero one two three four five six seven eight nine ten eleven twelve"))} | {
    "a": 1,
    "an": 1,
    "couple of": 2,
}
_ORDINALS = {
    word: n
    for n, word in enumerate(
        listed(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
            "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third "
            "twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
        ),
        1,
    )
}
_DAY = "|".join(_DAYS)
_SHORT_DAY = r"(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)"
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_LONG_MONTH = "|".join(name for name in _MONTHS if len(name) > 3 or name == "may")
_N = r"\d{1,3}|" + "|".join(sorted(_COUNT, key=len, reverse=True))
_ORDINAL = "|".join(sorted(_ORDINALS, key=len, reverse=True))
_ANY = re.compile(
    r"(?i)days?\b|week|month|year|night|tomorrow|morning|afternoon|evening|20\d\d|\bago\b|lately|recently|season|summer|winter|spring|fall|"
    r"autumn|" + rf"\b(?:{_MONTH})\b|\b(?:last|past|next) {_SHORT_DAY}\b"
)
_FROM = re.compile(r"(?i)\b(?:since|from|as of|starting|effective|after)\s+(?:on\s+)?(?:the\s+)?$")
_TILL = re.compile(r"(?i)\b(?:until|till|up to|through)\s+(?:on\s+)?(?:the\s+)?$")

_Read = Callable[[re.Match[str], date], "tuple[str, str, str] | None"]


def told(words: str, said: str) -> Told:
    """The words with their relative dates resolved, and the interval they tell.

    Args:
        words: of one speaker.
        said: as `Turn.clock`; nothing is resolved if it does not tell a day.
    """
    spans = found(words, said)
    if not spans:
        return Told(words)
    shown, place = [], 0
    for span in spans:
        shown.append(words[place : span.end])
        place = span.end
        if span.relative:
            shown.append(f" [{span.shown}]")
    shown.append(words[place:])
    since = [span for span in spans if span.role == "since" and span.moment]
    until = [span for span in spans if span.role == "until" and span.moment]
    start = since[0].moment if len(since) == 1 else ""
    end = until[0].moment if len(until) == 1 else ""
    if start and end and moments.floor(end) <= moments.floor(start):
        start = end = ""
    return Told("".join(shown), start, end)


def found(words: str, said: str) -> tuple[Span, ...]:
    """The dates in some words that can be told, in order, none overlapping."""
    if _ANY.search(words) is None:
        return ()
    anchor = _anchor(said)
    if anchor is None:
        return ()
    spans: list[Span] = []
    for pattern, read, relative in _FORMS:
        for match in pattern.finditer(words):
            if any(match.start() < span.end and span.start < match.end() for span in spans):
                continue
            meant = _meant(read, match, anchor)
            if meant is not None:
                told_year = match.groupdict().get("year") is not None
                role = _role(words, match)
                spans.append(Span(match.start(), match.end(), meant[0], meant[2], role, relative and not told_year, meant[1]))
    return tuple(_ranged(words, sorted(spans, key=lambda span: span.start)))


_TO = re.compile(r"(?i)\s*(?:to|until|till|through|–|-)\s*(?:the\s+)?")


def _ranged(words: str, spans: list[Span]) -> list[Span]:
    """The end of `from A to B` ends an interval, and lies after its beginning."""
    for number in range(1, len(spans)):
        first, second = spans[number - 1], spans[number]
        if first.role == "since" and second.moment and _TO.fullmatch(words[first.end : second.start]):
            spans[number] = (
                replace(second, role="until") if second.moment > first.moment else replace(second, role="", shown="?", moment="")
            )
    return [span for span in spans if span.shown != "?"]


def _anchor(said: str) -> date | None:
    day = moments.day(said)
    try:
        return date.fromisoformat(day) if len(day) == 10 else None
    except ValueError:
        return None


def _meant(read: _Read, match: re.Match[str], anchor: date) -> tuple[str, str, str] | None:
    try:
        return read(match, anchor)
    except (ValueError, OverflowError):
        return None


def _role(words: str, match: re.Match[str]) -> str:
    before = words[: match.start()]
    if _FROM.search(before):
        return "since"
    return "until" if _TILL.search(before) else ""


def _one(day: date) -> tuple[str, str, str]:
    return (day.isoformat(), "", day.isoformat())


def _period(first: date, after: date) -> tuple[str, str, str]:
    return (first.isoformat(), after.isoformat(), f"{first.isoformat()} to {(after - timedelta(days=1)).isoformat()}")


def _named(match: re.Match[str], day: date) -> tuple[str, str, str]:
    word = match["word"].lower()
    return _one(day + timedelta(days={"yesterday": -1, "tomorrow": 1, "last night": -1}.get(word, 0)))


def _week(match: re.Match[str], day: date) -> tuple[str, str, str]:
    shift = {"last": -7, "this": 0, "next": 7}[match["which"].lower()]
    monday = day - timedelta(days=day.weekday()) + timedelta(days=shift)
    if match["unit"].lower() == "week":
        return _period(monday, monday + timedelta(days=7))
    if match["which"].lower() == "last" and day.weekday() >= 5:
        # On a Saturday or Sunday, the last weekend is the one before.
        monday = day - timedelta(days=day.weekday() + 7)
    return _period(monday + timedelta(days=5), monday + timedelta(days=7))


def _month(match: re.Match[str], day: date) -> tuple[str, str, str]:
    shift = {"last": -1, "this": 0, "next": 1}[match["which"].lower()]
    if match["unit"].lower() == "year":
        return _coarse(str(day.year + shift))
    return _coarse(_moved(day, shift))


def _moved(day: date, months: int) -> str:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return f"{year:04}-{month + 1:02}"


def _coarse(moment: str) -> tuple[str, str, str]:
    return (moment, "", moment)


def _weekday(match: re.Match[str], day: date) -> tuple[str, str, str] | None:
    wanted = next(number for name, number in _DAYS.items() if name.startswith(match["day"].lower()[:3]))
    which = match["which"].lower()
    if which in ("last", "past"):
        return _one(day - timedelta(days=(day.weekday() - wanted - 1) % 7 + 1))
    ahead = (wanted - day.weekday() - 1) % 7 + 1
    if which in ("this", "this coming", "coming"):
        return _one(day + timedelta(days=(wanted - day.weekday()) % 7))
    # Of a day later in this week people mean now this one, now the one after.
    return _one(day + timedelta(days=ahead)) if wanted <= day.weekday() else None


def _ago(match: re.Match[str], day: date) -> tuple[str, str, str] | None:
    told = match["n"].lower()
    count = int(told) if told.isdigit() else _COUNT[told]
    back = -1 if match["way"].lower() in ("ago", "earlier", "back") else 1
    unit = match["unit"].lower()
    if unit == "day":
        return _one(day + timedelta(days=back * count))
    if unit == "week":
        there = day + timedelta(days=7 * back * count)
        monday = there - timedelta(days=there.weekday())
        return _period(monday, monday + timedelta(days=7))
    return _coarse(_moved(day, back * count) if unit == "month" else str(day.year + back * count))


def _weekends(match: re.Match[str], day: date) -> tuple[str, str, str] | None:
    told = match["n"].lower()
    # On a Saturday or Sunday nobody can tell whether this weekend counts.
    if day.weekday() >= 5:
        return None
    monday = day - timedelta(days=day.weekday() + 7 * (int(told) if told.isdigit() else _COUNT[told]))
    return _period(monday + timedelta(days=5), monday + timedelta(days=7))


def _full(match: re.Match[str], day: date) -> tuple[str, str, str] | None:
    month = _MONTHS[match["month"].lower().rstrip(".")]
    number = match["n"].lower()
    there = int(re.sub(r"\D", "", number)) if number[0].isdigit() else _ORDINALS[number]
    if match["year"]:
        return _one(date(int(match["year"]), month, there))
    found = date(_nearest(day, month, there), month, there)
    # Farther away, nobody can tell which year is meant.
    return _one(found) if abs((found - day).days) <= _NEAR else None


_NEAR = 120
"""Days within which a date without a year is told."""


def _nearest(day: date, month: int, number: int) -> int:
    """The year in which a day of a month lies nearest."""
    return min((day.year - 1, day.year, day.year + 1), key=lambda year: abs((date(year, month, min(number, 28)) - day).days))


def _of_month(match: re.Match[str], day: date) -> tuple[str, str, str]:
    month = _MONTHS[match["month"].lower()]
    told = match.groupdict()
    year = told.get("year")
    if year is None:
        which = (told.get("which") or "").lower()
        shift = -1 if which == "last" and month >= day.month else 1 if which == "next" and month <= day.month else 0
        year = str(day.year + shift) if which in ("last", "next") else str(_nearest(day, month, 15))
    return _coarse(f"{int(year):04}-{month:02}")


def _iso(match: re.Match[str], day: date) -> tuple[str, str, str] | None:
    moment = match[0]
    return _coarse(moment) if moments.is_moment(moment) else None


def _year(match: re.Match[str], day: date) -> tuple[str, str, str]:
    return _coarse(match["year"])


_VAGUE = (
    r"recently|lately|the other (?:day|night|week)|(?:a|many) (?:while|long time) ago|a few (?:days|weeks|months|years) ago|"
    r"last (?:season|summer|winter|spring|fall|autumn|time)|this (?:season|summer|winter|spring|fall|autumn)"
)


def _vague(match: re.Match[str], day: date) -> tuple[str, str, str]:
    """What nobody can date is shown with the day it was said on."""
    return ("", "", f"said {day.isoformat()}")


def _forms() -> Iterator[tuple[re.Pattern[str], _Read, bool]]:
    def form(pattern: str) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{pattern})\b(?! ?\[)", re.IGNORECASE)

    year = r"(?:,?\s+(?P<year>20\d\d|19\d\d))?"
    weekday = rf"(?:(?:{_DAY}),?\s+(?:the\s+)?)?"
    yield form(r"\d{4}-\d\d-\d\d"), _iso, False
    yield form(rf"{weekday}(?P<n>\d{{1,2}}(?:st|nd|rd|th)?|{_ORDINAL})\s+(?:of\s+)?(?P<month>{_MONTH}){year}"), _full, True
    yield form(rf"{weekday}(?P<month>{_MONTH})\.?\s+(?:the\s+)?(?P<n>\d{{1,2}}(?:st|nd|rd|th)?)(?!\d|:\d){year}"), _full, True
    yield form(r"(?P<word>yesterday|today|tonight|tomorrow|last night|this (?:morning|afternoon|evening))"), _named, True
    yield form(r"(?P<which>last|this|next)\s+(?P<unit>week|weekend)"), _week, True
    yield form(r"(?P<which>last|this|next)\s+(?P<unit>month|year)"), _month, True
    yield form(rf"(?P<which>last|past|next|this coming|this|coming)\s+(?P<day>{_DAY})"), _weekday, True
    yield form(rf"(?P<which>last|past|next)\s+(?P<day>{_SHORT_DAY})"), _weekday, True
    yield form(rf"(?P<n>{_N})\s+(?P<unit>day|week|month|year)s?\s+(?P<way>ago|earlier|back)"), _ago, True
    yield form(rf"(?P<n>{_N})\s+weekends\s+ago"), _weekends, True
    yield form(rf"(?P<way>in)\s+(?P<n>{_N})\s+(?P<unit>day|week|month|year)s?(?:'s)?(?:\s+time)?"), _ago, True
    yield form(rf"(?P<which>last|next|this)\s+(?P<month>{_LONG_MONTH})"), _of_month, True
    yield form(rf"(?<=\b(?:in|by) )(?P<month>{_LONG_MONTH}){year}"), _of_month, True
    yield form(rf"(?<=\b(?:since|until) )(?P<month>{_LONG_MONTH}){year}"), _of_month, True
    yield form(_VAGUE), _vague, True
    yield form(r"(?<=\bin )(?P<year>20\d\d|19\d\d)"), _year, False
    yield form(r"(?<=\bsince )(?P<year>20\d\d|19\d\d)"), _year, False


_FORMS = tuple(_forms())
