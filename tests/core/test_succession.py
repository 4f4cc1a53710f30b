"""Succession: what was superseded never comes before what superseded it, and nothing is lost on the way."""

from __future__ import annotations

import pytest

from evidence import passage, statement
from wikimem.core import succession
from wikimem.core.answers import Answer, Told
from wikimem.core.passages import Hit
from wikimem.core.timeline import Superseded

NEW, OLD = "Retries are capped at nine.", "Retries are capped at three."


def told(text: str = NEW, before: tuple[str, ...] = (OLD,)) -> Told:
    return Told((statement(text),), 1.0, before=tuple(statement(one, "L9", ending=Superseded("new")) for one in before))


def order(*answers: Answer) -> list[str]:
    return [one.passage.text if isinstance(one, Hit) else one.first.claim.text for one in succession.corrected(answers)]


def hit(text: str) -> Hit:
    return Hit(passage(text, len(text)), 2.0)


def test_a_claim_comes_before_the_first_turn_that_tells_what_it_ended() -> None:
    other, old, later = hit("Which limit do we have?"), hit("The page says retries stop at three."), hit("Fine.")
    assert order(other, old, later, told()) == [other.passage.text, NEW, old.passage.text, later.passage.text]


@pytest.mark.parametrize(
    "text",
    [
        "three cheers",  # of another matter
        "retries stop at nine",  # tells what holds
        "retries stop",  # tells no value
    ],
)
def test_other_turns_stay_where_they_are(text: str) -> None:
    assert order(hit(text), told()) == [text, NEW]


def test_another_statement_is_no_other_value() -> None:
    assert succession.ended(OLD, NEW) == {"three"}
    assert succession.ended("The gateway drops messages now and then at night.", NEW) == frozenset()
    assert succession.ended(NEW, NEW) == frozenset()


def test_what_ended_itself_and_what_ended_nothing_stay() -> None:
    old = hit("retries stop at three")
    ended = Told((statement(NEW, ending=Superseded("new")),), 1.0, before=(statement(OLD, "L9", ending=Superseded("new")),))
    assert order(old, told(before=())) == [old.passage.text, NEW]
    assert order(old, ended) == [old.passage.text, NEW]
