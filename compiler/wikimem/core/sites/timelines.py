"""Timelines: what held when, one row an attribute, as the geometry of a drawing. Not SVG text, and decides no dates.

Bars are half open, as intervals are; what nobody dated is not drawn. Bars of one row that overlap get lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

WIDTH, LABELS, LANE, GAP = 728, 130, 22, 8
ROWS, BARS = 14, 60
_LETTER = 6.3


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time that one claim held for.

    Args:
        row: what its row is called.
        text: the claim's text.
        fragment: of its line on the page.
        start: a day, `2026-08-14`.
        end: the day it ended on; empty while it holds.
        event: whether it is a moment rather than a stretch.
        ended: whether something ended it.
    """

    row: str
    text: str
    fragment: str
    start: str
    end: str
    event: bool
    ended: bool


@dataclass(frozen=True, slots=True)
class Bar:
    """A drawn span: in pixels of the drawing."""

    x: float
    y: float
    width: float
    text: str
    told: str
    fragment: str
    event: bool
    ended: bool
    open: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A row's name and where it begins."""

    name: str
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """A timeline: `ticks` are places with the words below them; a day is at `left + scale * (day - first)`."""

    width: int
    height: float
    rows: tuple[Row, ...]
    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str], ...]
    first: str
    last: str
    left: float
    scale: float


def draw(spans: Sequence[Span]) -> Drawing | None:
    """The drawing of some spans; None where there is nothing to compare: fewer than two, or all on one day."""
    known = [span for span in spans if _ordinal(span.start) is not None][:BARS]
    days = [_day(text) for span in known for text in (span.start, span.end) if _ordinal(text) is not None]
    if len(known) < 2 or not days or min(days) == max(days):
        return None
    first, last = min(days), max(days)
    room = max(1, (last - first) // 16)
    scale = (WIDTH - LABELS - 16) / (last - first + 2 * room)

    def place(day: int) -> float:
        return round(LABELS + (day - first + room) * scale, 1)

    rows: list[Row] = []
    bars: list[Bar] = []
    y = 8.0
    for name in list(dict.fromkeys(span.row for span in known))[:ROWS]:
        mine = sorted((span for span in known if span.row == name), key=lambda span: (span.start, span.end or "~", span.fragment))
        lanes: list[float] = []
        for span in mine:
            left = place(_day(span.start))
            right = place(_day(span.end)) if span.end else float(WIDTH - 8)
            right = left + 10 if span.event else max(right, left + 4)
            lane = next((n for n, end in enumerate(lanes) if end <= left), len(lanes))
            lanes[lane : lane + 1] = [right]
            bars.append(_bar(span, left, y + lane * LANE, right - left))
        height = len(lanes) * LANE
        rows.append(Row(_cut(name, LABELS - 12), y, height))
        y += height + GAP
    begins, until = (date.fromordinal(day).isoformat() for day in (first, last))
    ticks = _ticks(first, last, place)
    return Drawing(WIDTH, y + 22, tuple(rows), tuple(bars), ticks, begins, until, place(first), round(scale, 4))


def _bar(span: Span, x: float, y: float, width: float) -> Bar:
    until = f" to {span.end}" if span.end else ("" if span.event else ", holds")
    text = "" if span.event else _cut(span.text, width - 10)
    return Bar(
        x=x,
        y=y,
        width=round(width, 1),
        text=text,
        told=f"{span.text} ({span.start}{until})",
        fragment=span.fragment,
        event=span.event,
        ended=span.ended,
        open=not span.end and not span.event,
    )


def _cut(text: str, width: float) -> str:
    """As much of a text as fits so many pixels; wide characters count twice."""
    left = width
    for index, sign in enumerate(text):
        left -= _LETTER * (2 if ord(sign) > 0x2E80 else 1)
        if left < 0:
            return f"{text[: index - 1].rstrip()}…" if index > 4 else ""
    return text


def _ticks(first: int, last: int, place: Callable[[int], float]) -> tuple[tuple[float, str], ...]:
    start, end = date.fromordinal(first), date.fromordinal(last)
    months = (end.year - start.year) * 12 + end.month - start.month
    found: list[tuple[int, str]] = []
    if months >= 2:
        step = next((each for each in (1, 2, 3, 6, 12, 24, 60) if months / each <= 8), 120)
        month = start.year * 12 + start.month - 1
        for at in range(-(-month // step) * step, end.year * 12 + end.month, step):
            day = date(at // 12, at % 12 + 1, 1)
            found.append((day.toordinal(), day.strftime("%Y") if step >= 12 else f"{day.year:04}-{day.month:02}"))
    else:
        step = max(1, (last - first) // 6)
        found = [(day, (start + timedelta(days=day - first)).isoformat()) for day in range(first, last + 1, step)]
    return tuple((place(day), told) for day, told in found if first <= day <= last)


def _ordinal(text: str) -> int | None:
    try:
        return date.fromisoformat(text).toordinal()
    except ValueError:
        return None


def _day(text: str) -> int:
    return _ordinal(text) or 1
