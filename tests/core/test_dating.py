"""Dating: a date that no words tell is taken off a draft; one that they tell stays."""

from __future__ import annotations

import pytest

from wikimem.core import dating
from wikimem.core.claims import Basis, Bound, Holds, Kind, Mention, Stance
from wikimem.core.drafts import Draft, Quote
from wikimem.core.screening import Heard, Screened
from wikimem.core.turns import Form, Speaker, Turn


@pytest.mark.parametrize(
    ("words", "moment"),
    [
        ("Priya is release manager from 1 March.", "2026-03-01"),
        ("Since this morning the API runs on port 9090.", "2026-02-20"),
        ("we moved on Fridays", "2026-02-20"),
        ("it ends 2027", "2027"),
        ("in 2025-06 we switched", "2025-06"),
        ("two weeks ago", "2026-02-06"),
        ("by the 3rd", "2026-03-03"),
        ("am 3. März 2026 umgezogen", "2026-03-03"),
        ("私たちは三月に引っ越した", "2026-03"),
        ("it no longer does that now", "2026-02-20"),
    ],
)
def test_words_that_tell_a_date(words: str, moment: str) -> None:
    assert dating.tells(words, moment)


@pytest.mark.parametrize(
    ("words", "moment"),
    [
        ("The paid plan has no limit.", "2026-03-02"),
        ("we cap it at 3 attempts on port 8080", "2026-03-02"),
        ("use version 2.14.1 of the parser", "2026-03-02"),
        ("it was founded in 1998", "2026-03-02"),
        ("maybe, if the marchers decide to", "2026-03-02"),
    ],
)
def test_words_that_tell_none(words: str, moment: str) -> None:
    assert not dating.tells(words, moment)


def weighed(words: str, moment: str, local: str = "2026-01-22T00:10:00", until: str = "") -> tuple[str, str, list[str]]:
    """What is left of a draft's interval, and why."""
    turn = Turn("L1", Speaker.HUMAN, Form.PROSE, words, said="2026-01-21T23:10:00Z", local=local)
    bounds = [Bound(told, Basis.INFERRED) if told else Bound() for told in (moment, until)]
    quote = Quote("L1", words, "human", Holds(*bounds), None)
    draft = Draft(Mention("", "topic", "mill"), "", Kind.SEMANTIC, Stance.FACT, "The mill moved.", (quote,))
    (found,), refused = dating.undated([draft], Screened((Heard(turn, words),), ()))
    holds = found.quotes[0].holds
    return holds.start.moment, holds.end.moment, [one.reason for one in refused]


def test_the_day_beside_the_one_that_was_meant_is_taken_off() -> None:
    start, _, why = weighed("The mill moved yesterday.", "2026-01-20")
    assert (start, why) == ("", ["from 2026-01-20 was taken off: by the clock of whoever said it, the words mean 2026-01-21"])
    assert weighed("The mill moved yesterday.", "2026-01-22")[0] == ""
    assert weighed("The mill moved yesterday.", "2026-01-20T09:00")[0] == ""
    # By a clock in UTC it would have been the 20th.
    assert weighed("The mill moved yesterday.", "2026-01-20", local="")[0] == "2026-01-20"


@pytest.mark.parametrize(
    ("words", "moment", "until"),
    [
        ("The mill moved yesterday.", "2026-01-21", ""),
        ("The mill moved yesterday.", "2026-01-21T09:00", ""),
        ("The mill moved yesterday.", "2026-01-20T23:30Z", ""),
        ("The mill moved yesterday.", "2026-01", ""),
        # Farther away something else is meant.
        ("The mill moved yesterday.", "2026-01-12", ""),
        # Until yesterday may end with that day or before it.
        ("The mill stood there until yesterday.", "", "2026-01-22"),
        ("The mill moved yesterday, not on 20 January.", "2026-01-20", ""),
        ("The mill moved last week.", "2026-01-13", ""),
        ("The mill moved on Monday.", "2026-01-20", ""),
    ],
)
def test_a_date_that_words_may_well_mean_stays(words: str, moment: str, until: str) -> None:
    assert weighed(words, moment, until=until) == (moment, until, [])
