"""Zones: days of 23, 24 and 25 hours that lose and double no instant, in zones of every kind."""

from __future__ import annotations

from datetime import UTC as IN_UTC
from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import moments, zones
from wikimem.core.turns import Form, Speaker, Turn
from wikimem.core.zones import UTC, Zone
from wikimem.edges import zones as rules

# Half hours, quarters, clocks put forward at midnight, a day that a clock ends twice, summer time in winter, and none.
NAMES = (
    "Europe/Berlin",
    "Europe/Dublin",
    "America/New_York",
    "America/Sao_Paulo",
    "America/Havana",
    "America/Nuuk",
    "America/Asuncion",
    "Asia/Beirut",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "Pacific/Kiritimati",
    "Pacific/Niue",
)


def zone(name: str) -> Zone:
    found = rules.named(name)
    assert found is not None
    return found


BERLIN = zone("Europe/Berlin")
every = st.sampled_from(NAMES).map(zone) | st.just(UTC)
seconds = st.datetimes(datetime(2013, 1, 1), datetime(2090, 1, 1)).map(lambda at: at.strftime("%Y-%m-%dT%H:%M:%S"))  # noqa: DTZ001
dates = st.dates(date(2013, 1, 1), date(2089, 12, 31))
texts = st.sampled_from(
    ("", "2026", "2026-10", "2026-10-25", "2026-10-25T02:30", "2026-10-25T02:30:10Z", "2026-03-29T02:30:00", "2026-02-30", "soon")
)


def turn(said: str, offset: str = "") -> Turn:
    return Turn("L1", Speaker.HUMAN, Form.PROSE, "Now.", said=said, offset=offset)


def hours(where: Zone, day: str) -> float:
    ends = [datetime.fromisoformat(text) for text in (where.floor(day), where.last(day))]
    return (ends[1] - ends[0] + timedelta(seconds=1)).total_seconds() / 3600


@pytest.mark.parametrize(
    ("instant", "day"),
    [
        ("2026-01-21T22:59:59Z", "2026-01-21"),
        ("2026-01-21T23:00:00Z", "2026-01-22"),
        ("2026-03-28T22:59:00Z", "2026-03-28"),
        ("2026-03-28T23:00:00Z", "2026-03-29"),
        ("2026-03-29T00:59:00Z", "2026-03-29"),
        ("2026-03-29T01:01:00Z", "2026-03-29"),
        ("2026-03-29T21:59:59Z", "2026-03-29"),
        ("2026-03-29T22:00:00Z", "2026-03-30"),
        ("2026-10-24T22:00:00Z", "2026-10-25"),
        ("2026-10-25T00:30:00Z", "2026-10-25"),
        ("2026-10-25T01:30:00Z", "2026-10-25"),
        ("2026-10-25T22:59:59Z", "2026-10-25"),
        ("2026-10-25T23:00:00Z", "2026-10-26"),
    ],
)
def test_a_day_is_told_by_the_offset_of_that_very_day(instant: str, day: str) -> None:
    assert BERLIN.day(instant) == day
    assert BERLIN.floor(day) <= instant[:19] <= BERLIN.last(day)


def test_days_have_the_hours_that_clocks_give_them() -> None:
    assert [hours(BERLIN, day) for day in ("2026-03-28", "2026-03-29", "2026-10-25", "2026-10-26")] == [24, 23, 25, 24]
    assert hours(zone("Australia/Lord_Howe"), "2026-04-05") == 24.5
    assert hours(zone("Asia/Kolkata"), "2026-03-29") == 24
    # Where the clock goes on from midnight to one, the day begins at one.
    assert zone("America/Sao_Paulo").floor("2018-11-04") == "2018-11-04T03:00:00"


@given(every, seconds)
def test_each_instant_lies_in_one_day(where: Zone, instant: str) -> None:
    day = where.day(f"{instant}Z")
    assert where.floor(day) <= instant <= where.last(day)
    assert where.day(f"{where.floor(day)}Z") == where.day(f"{where.last(day)}Z") == day


@given(every, dates)
def test_a_day_begins_when_the_one_before_has_ended(where: Zone, day: date) -> None:
    ended = datetime.fromisoformat(where.last(day.isoformat()))
    begins = datetime.fromisoformat(where.floor((day + timedelta(days=1)).isoformat()))
    assert begins - ended == timedelta(seconds=1)
    assert 22 <= hours(where, day.isoformat()) <= 26


@given(every, dates)
def test_months_and_years_are_made_of_their_days(where: Zone, day: date) -> None:
    first = day.replace(day=1).isoformat()
    assert where.floor(first[:7]) == where.floor(first)
    assert where.floor(first[:4]) == where.floor(f"{first[:4]}-01-01")
    assert where.last(first[:4]) == where.last(f"{first[:4]}-12-31")


@given(texts | seconds | st.text(max_size=12))
def test_utc_is_what_moments_say(text: str) -> None:
    assert (UTC.floor(text), UTC.last(text), UTC.day(text)) == (moments.floor(text), moments.last(text), moments.day(text))
    assert UTC.shown(text) == moments.shown(text)
    assert UTC.clock(text) == text


@given(every, seconds)
def test_what_is_shown_is_the_same_instant_with_its_offset(where: Zone, instant: str) -> None:
    said = f"{instant}Z"
    assert moments.floor(where.told(said)) == instant
    assert moments.floor(where.shown(said))[:16] == instant[:16]
    assert where.shown(where.shown(said)) == where.shown(said)
    assert where.told(said)[:10] == where.shown(said)[:10] == where.day(said)


@given(st.sampled_from(NAMES).map(zone), seconds)
def test_a_time_of_a_clock_here_is_the_instant_at_which_it_showed_that(where: Zone, instant: str) -> None:
    bare = where.clock(f"{instant}Z")
    assert moments.is_bare(bare)
    # Of two equal times of a clock that is put back the first one is meant.
    assert where.clock(f"{where.floor(bare)}Z") == bare
    assert where.floor(bare) <= instant


@pytest.mark.parametrize("text", ["", "soon", "2026-02-30", "2026-13"])
def test_what_is_no_moment_has_no_day(text: str) -> None:
    assert (BERLIN.day(text), BERLIN.floor(text), BERLIN.last(text), BERLIN.shown(text)) == ("", "", "", "")
    assert BERLIN.told(text) == BERLIN.clock(text) == text


def test_the_end_of_all_time_has_no_day_after_it() -> None:
    assert BERLIN.last("9999") == moments.LAST
    assert BERLIN.floor("0001-01-01") <= BERLIN.last("0001-01-01")


def test_zones_of_one_name_are_equal_and_say_so_alone() -> None:
    assert BERLIN == Zone("Europe/Berlin", IN_UTC) != UTC
    assert repr(BERLIN) == "Zone(name='Europe/Berlin')"


def test_the_clock_of_a_turn_is_its_own_before_that_of_the_vault() -> None:
    said = "2026-08-13T22:30:00Z"
    assert zones.placed(turn(said), BERLIN) == "2026-08-14T00:30:00"
    assert zones.placed(turn(said, "-05:00"), BERLIN) == "2026-08-13T17:30:00"
    assert zones.placed(turn(said), UTC) == said
    # Where the zone was never known, it is taken for a clock of the vault's zone.
    assert zones.placed(turn("2026-08-13T22:30:00"), BERLIN) == "2026-08-13T22:30:00"
    assert zones.placed(turn("2026-08-13", "+05:00"), BERLIN) == "2026-08-13"


def test_times_that_a_reader_read_off_a_clock_are_put_into_utc() -> None:
    here, there = turn("2026-08-13T22:30:00Z"), turn("2026-08-13T22:30:00Z", "-05:00")
    assert zones.absolute("2026-08-14T00:15", here, BERLIN) == "2026-08-13T22:15:00Z"
    assert zones.absolute("2026-08-13T17:15", there, BERLIN) == "2026-08-13T22:15:00Z"
    assert zones.absolute("2026-08-13T17:15", there, UTC) == "2026-08-13T22:15:00Z"
    for moment in ("", "2026-08-14", "2026-08", "2026-08-14T00:15Z", "2026-08-14T00:15+02:00"):
        assert zones.absolute(moment, there, BERLIN) == moment
    assert zones.absolute("2026-08-14T00:15", here, UTC) == "2026-08-14T00:15"
