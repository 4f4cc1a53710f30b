"""Moments: what is a date, where its period begins and ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import moments


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026", "2026-01-01T00:00:00", "2026-12-31T23:59:59"),
        ("2024-02", "2024-02-01T00:00:00", "2024-02-29T23:59:59"),
        ("2026-12", "2026-12-01T00:00:00", "2026-12-31T23:59:59"),
        ("2026-08-14", "2026-08-14T00:00:00", "2026-08-14T23:59:59"),
        ("2026-08-14T10:11Z", "2026-08-14T10:11:00", "2026-08-14T10:11:59"),
        ("2026-08-14T10:11:03Z", "2026-08-14T10:11:03", "2026-08-14T10:11:03"),
        ("2026-08-14T10:11:03", "2026-08-14T10:11:03", "2026-08-14T10:11:03"),
        ("2026-08-14T01:00:00+02:00", "2026-08-13T23:00:00", "2026-08-13T23:00:00"),
        ("9999", "9999-01-01T00:00:00", "9999-12-31T23:59:59"),
    ],
)
def test_a_moment_is_a_period(text: str, first: str, last: str) -> None:
    assert moments.is_moment(text)
    assert (moments.floor(text), moments.last(text)) == (first, last)


@pytest.mark.parametrize("text", ["", "2026-02-30", "2026-13", "yesterday", "{{date}}", "2026-8-1", "0000", "20260814"])
def test_what_is_no_moment(text: str) -> None:
    assert not moments.is_moment(text)
    assert moments.floor(text) == moments.last(text) == moments.day(text) == moments.shown(text) == ""


def test_what_a_page_shows() -> None:
    assert moments.shown("2026-08") == "2026-08"
    assert moments.shown("2026-08-14T10:11:03Z") == "2026-08-14T10:11Z"
    assert moments.day("2026-08-14T10:11:03Z") == "2026-08-14"
    assert moments.day("2026") == "2026"


@given(st.text(max_size=30) | st.dates().map(str) | st.datetimes().map(lambda moment: moment.isoformat()))
def test_no_text_raises_and_periods_are_in_order(text: str) -> None:
    assert moments.floor(text) <= moments.last(text)
    if moments.is_moment(text):
        assert moments.clamp("0000", text) == moments.floor(text)
        assert moments.clamp("9999-99", text) == moments.last(text)
