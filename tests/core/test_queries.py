"""Queries: text in, terms, phrases, dates and whose words out; nothing raises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import queries
from wikimem.core.queries import When
from wikimem.core.turns import Speaker


def stem(word: str) -> str:
    return word.removesuffix("s") or word


def asked(text: str) -> list[str]:
    return [term.word for term in queries.parse(text, stem).terms]


def test_a_question_is_asked_by_its_telling_words() -> None:
    assert asked("Which port does the staging database use?") == ["port", "staging", "database", "use"]


def test_stop_words_alone_are_words() -> None:
    assert asked("to be or not to be") == ["to", "be", "or", "not"]
    assert asked("The Who") == ["the", "who"]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("NOT rm", ["rm"]),
        ("-rf", ["-rf", "rf"]),
        ("foo AND (bar OR", ["foo", "bar"]),
        ("user:prefs^2 [a TO", ["user:prefs", "user", "prefs", "2"]),
        ("retry*", ["retry"]),
        ("*", []),
        ('"', []),
    ],
)
def test_operators_are_text(text: str, terms: list[str]) -> None:
    assert asked(text) == terms


def test_each_root_is_asked_once() -> None:
    assert [term.root for term in queries.parse("retry retrys RETRY", stem).terms] == ["retry"]


def test_quoted_words_are_a_phrase_and_one_word_is_none() -> None:
    query = queries.parse('who said "cap at three" and "stop"', stem)
    assert query.phrases == (("cap", "at", "three"),)


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("in May 2023", [When(2023, 5, 0)]),
        ("on 8 May, 2023", [When(2023, 5, 8)]),
        ("on the 8th of may", [When(0, 5, 8)]),
        ("on May 8th", [When(0, 5, 8)]),
        ("on 2023-05-08 or 2023-06", [When(2023, 5, 8), When(2023, 6, 0)]),
        ("before May 8 or in June 2023", [When(0, 5, 8), When(2023, 6, 0)]),
        ("in August", [When(0, 8, 0)]),
        ("during 2022", [When(2022, 0, 0)]),
        ("may I ask for 40 decibels, or 8 mayors", []),
        ("on 2023-13-45", []),
    ],
)
def test_dates(text: str, dates: list[When]) -> None:
    assert list(queries.parse(text, stem).dates) == dates


def test_words_of_a_date_are_told_from_others() -> None:
    terms = queries.parse("Which 8 tests failed on 9 June 2023?", stem).terms
    assert [term.word for term in terms if term.dated] == ["9", "june", "2023"]
    assert [term.word for term in terms if not term.dated] == ["8", "tests", "failed"]


@pytest.mark.parametrize(
    ("when", "day", "holds"),
    [
        (When(2023, 5, 0), "2023-05-31", True),
        (When(2023, 5, 0), "2024-05-31", False),
        (When(0, 5, 8), "1999-05-08", True),
        (When(0, 5, 8), "", False),
    ],
)
def test_a_date_holds_its_days(when: When, day: str, holds: bool) -> None:
    assert when.holds(day) is holds


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("What did I say about retries?", Speaker.HUMAN),
        ("what did you suggest", Speaker.ASSISTANT),
        ("what was decided", None),
    ],
)
def test_whose_words_are_asked_for(text: str, speaker: Speaker | None) -> None:
    assert queries.parse(text, stem).speaker is speaker


@given(st.text())
def test_any_text_is_a_query(text: str) -> None:
    query = queries.parse(text, stem)
    assert len(query.terms) <= queries.MOST
    assert len({term.root for term in query.terms}) == len(query.terms)


def test_a_pasted_page_is_known_by_its_first_words() -> None:
    assert len(asked(" ".join(f"word{number}" for number in range(100_000)))) == queries.MOST


@pytest.mark.parametrize(
    ("when", "day", "near"),
    [
        (When(2026, 3, 4), "2026-03-04", 1.0),
        (When(2026, 3, 4), "2026-03-05", 0.8 * 20 / 21),
        (When(2026, 3, 0), "2026-04-07", 0.8 * 14 / 21),
        (When(2026, 0, 0), "2027-01-01", 0.8 * 20 / 21),
        (When(2026, 3, 4), "2026-03-03", 0.8 * 19 / 21),
        (When(2026, 3, 4), "2026-03-25", 0.0),
        (When(2026, 3, 4), "2026-02-01", 0.0),
        (When(0, 3, 4), "2026-03-05", 0.0),
        (When(0, 3, 4), "2026-03-04", 1.0),
        (When(2026, 2, 30), "2026-03-01", 0.0),
        (When(2026, 3, 4), "", 0.0),
    ],
)
def test_days_after_a_date_are_near_it(when: When, day: str, near: float) -> None:
    assert when.near(day) == pytest.approx(near)


@pytest.mark.parametrize(
    ("text", "owned"),
    [
        ("What does Ann think of Ben's plan?", ["ben"]),
        ("What did Ben say about Ben’s plan?", []),
        ("What is Ann's and Ben's plan?", ["ann", "ben"]),
        ("What's new with Ann?", []),
    ],
)
def test_whose_something_is_stands_apart(text: str, owned: list[str]) -> None:
    assert [term.word for term in queries.parse(text, stem).terms if term.owned] == owned


@pytest.mark.parametrize(
    ("text", "manner"),
    [
        ("how do I run the tests?", True),
        ("How can we deploy?", True),
        ("how to lint", True),
        ("which command builds the docs", True),
        ("how did I run the tests?", False),
        ("how old is the pump?", False),
        ("I know how it works", False),
    ],
)
def test_how_something_is_done_is_asked_of_nobody(text: str, manner: bool) -> None:
    query = queries.parse(text, stem)
    assert query.manner is manner
    assert not manner or query.speaker is None
