"""Times as transcripts write them: one form, and the offset of a clock where it says something."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import times
from wikimem.core.turns import Form, Speaker, Turn


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("2026-08-14T00:30:00+02:00", "2026-08-14T00:30:00+02:00"),
        ("2026-08-14T00:30:00.250+0200", "2026-08-14T00:30:00+02:00"),
        ("2026-08-14 00:30-03:30", "2026-08-14T00:30:00-03:30"),
        # What knows of no clock is UTC, however it is written.
        ("2026-08-14T00:30:00Z", "2026-08-14T00:30:00Z"),
        ("2026-08-14T00:30:00.123456+00:00", "2026-08-14T00:30:00Z"),
        ("2026-08-14T00:30:00", "2026-08-14T00:30:00"),
        ("2026-08-14", "2026-08-14"),
        ("tomorrow", ""),
        (None, ""),
        (1_786_700_000, "2026-08-14T09:33:20Z"),
    ],
)
def test_an_offset_is_kept_where_it_is_of_a_clock(written: object, told: str) -> None:
    assert times.told(written) == told
    assert times.apart(told)[0] == times.utc(written)


@given(st.datetimes(timezones=st.timezones()).map(lambda at: at.isoformat()) | st.text(max_size=30))
def test_kept_or_not_it_is_the_same_instant(written: str) -> None:
    said, offset = times.apart(times.told(written))
    assert said == times.utc(written)
    assert offset == "" or len(offset) == 6


def test_a_turn_keeps_time_and_offset_apart() -> None:
    turn = Turn("L1", Speaker.HUMAN, Form.PROSE, "Hi.", said="2026-08-14T00:30:00+02:00")
    assert (turn.said, turn.offset, turn.clock) == ("2026-08-13T22:30:00Z", "+02:00", "2026-08-13T22:30:00Z")
    broken = Turn("L1", Speaker.HUMAN, Form.PROSE, "Hi.", said="2026-99-99T00:30:00+02:00")
    assert (broken.said, broken.offset) == ("2026-99-99T00:30:00+02:00", "")


@pytest.mark.parametrize(
    ("wall", "said"),
    [
        ("2026-08-14T12:11:03", "2026-08-14T12:11:03+02:00"),
        ("2026-08-14T05:41:03", "2026-08-14T05:41:03-04:30"),
        ("2026-08-14T10:11:03", "2026-08-14T10:11:03Z"),
        # No clock is so far away, or set to odd minutes.
        ("2026-08-16T12:11:03", "2026-08-14T10:11:03Z"),
        ("2026-08-14T12:11:04", "2026-08-14T10:11:03Z"),
        ("2026-08-14T12:04:03", "2026-08-14T10:11:03Z"),
        ("", "2026-08-14T10:11:03Z"),
        ("2026-08-14", "2026-08-14T10:11:03Z"),
    ],
)
def test_two_times_of_one_message_give_the_offset_of_the_clock(wall: str, said: str) -> None:
    assert times.between("2026-08-14T10:11:03Z", wall) == said
