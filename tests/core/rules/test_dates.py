"""Dates in words, resolved against the day they were said, or left as they are."""

from __future__ import annotations

import pytest

from wikimem.core.rules import dates

# 2024-09-13 was a Friday.
SAID = "2024-09-13T16:01:00Z"
TOLD = [
    ("I signed the lease yesterday", "I signed the lease yesterday [2024-09-12]"),
    ("I toured it last week", "I toured it last week [2024-09-02 to 2024-09-08]"),
    ("the audit is next Friday", "the audit is next Friday [2024-09-20]"),
    ("the audit is next Sunday", "the audit is next Sunday"),
    ("it broke last Tuesday", "it broke last Tuesday [2024-09-10]"),
    ("it broke on Tuesday", "it broke on Tuesday"),
    ("since 1 August it holds", "since 1 August [2024-08-01] it holds"),
    ("from 1 June 2023 it holds", "from 1 June 2023 it holds"),
    ("on the twentieth of September", "on the twentieth of September [2024-09-20]"),
    ("two months ago", "two months ago [2024-07]"),
    ("in three days", "in three days [2024-09-16]"),
    ("we met in March", "we met in March [2024-03]"),
    ("it may march on", "it may march on"),
    ("I moved recently", "I moved recently [said 2024-09-13]"),
    ("on 30 February", "on 30 February"),
    ("last weekend", "last weekend [2024-09-07 to 2024-09-08]"),
    ("next month", "next month [2024-10]"),
    ("May 5th, 1999 was it", "May 5th, 1999 was it"),
]


@pytest.mark.parametrize(("words", "shown"), TOLD)
def test_relative_dates_get_absolute_ones_beside_them(words: str, shown: str) -> None:
    assert dates.told(words, SAID).shown == shown


@pytest.mark.parametrize("said", ["", "2024", "2024-09", "nonsense"])
def test_without_the_day_nothing_is_resolved(said: str) -> None:
    assert dates.told("I signed it yesterday, since last week", said) == dates.Told("I signed it yesterday, since last week")


INTERVALS = [
    ("it holds since last Tuesday", "2024-09-10", ""),
    ("from 1 September until 30 September we freeze", "2024-09-01", "2024-09-30"),
    ("it runs from the first of August to the tenth of October", "2024-08-01", "2024-10-10"),
    ("I signed it yesterday", "", ""),
    ("it ran from 5 October to 3 October", "2024-10-05", ""),
]


@pytest.mark.parametrize(("words", "since", "until"), INTERVALS)
def test_an_interval_is_told_only_by_its_words(words: str, since: str, until: str) -> None:
    told = dates.told(words, SAID)
    assert (told.since, told.until) == (since, until)
