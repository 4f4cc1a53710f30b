"""Timelines: rows, lanes and ticks; nothing is drawn that would say nothing."""

from __future__ import annotations

from wikimem.core.sites import timelines
from wikimem.core.sites.timelines import Span


def span(row: str, start: str, end: str = "", **more: bool) -> Span:
    return Span(
        row, f"{row} from {start}", f"c-{row}-{start}", start, end, more.get("event", False), more.get("ended", bool(end))
    )


def test_one_thing_or_one_day_is_no_timeline() -> None:
    assert timelines.draw([span("port", "2026-01-01")]) is None
    assert timelines.draw([span("port", "2026-01-01"), span("host", "2026-01-01")]) is None
    assert timelines.draw([span("port", ""), span("host", "")]) is None


def test_values_that_follow_one_another_share_a_lane_and_meet() -> None:
    drawn = timelines.draw([span("port", "2026-01-01", "2026-02-01"), span("port", "2026-02-01")])
    assert drawn is not None
    first, second = drawn.bars
    assert first.y == second.y
    assert abs(first.x + first.width - second.x) < 0.2
    assert (first.ended, first.open, second.ended, second.open) == (True, False, False, True)
    assert [row.name for row in drawn.rows] == ["port"]


def test_values_that_hold_together_get_lanes_of_their_own() -> None:
    drawn = timelines.draw([span("tariff", "2026-01-01"), span("tariff", "2026-02-01")])
    assert drawn is not None
    assert drawn.bars[0].y != drawn.bars[1].y


def test_everything_stays_inside_the_drawing() -> None:
    spans = [span(f"row {n}", f"20{n:02}-01-01", f"20{n + 1:02}-06-01") for n in range(10, 24)]
    drawn = timelines.draw(spans)
    assert drawn is not None
    assert all(bar.x >= 0 and bar.x + bar.width <= drawn.width for bar in drawn.bars)
    assert all(bar.y + timelines.LANE <= drawn.height for bar in drawn.bars)
    assert [told for _, told in drawn.ticks] == sorted({told for _, told in drawn.ticks})
    assert 2 <= len(drawn.ticks) <= 10


def test_a_day_is_where_the_scale_says() -> None:
    drawn = timelines.draw([span("a", "2026-01-01", event=True), span("a", "2026-01-11", event=True)])
    assert drawn is not None
    assert abs(drawn.bars[1].x - (drawn.left + 10 * drawn.scale)) < 0.2
