"""Answers by rule: quoted from the spots that hold most of the question; nothing, or a contradiction, where that is so."""

from __future__ import annotations

import re

from wikimem.core import solutions
from wikimem.core.rules import answering
from wikimem.core.solutions import Asked, Solution, Spot, Verdict


def turn(number: int, text: str, covers: float, name: str = "", **more: bool) -> Spot:
    return Spot(
        number, number, f"s:L{number}", text, speaker="human", name=name, said="2026-03-02T09:00:00Z", covers=covers, **more
    )


def solved(question: str, *spots: Spot, named: tuple[str, ...] = (), past: bool = False) -> Solution:
    asked = Asked(question, "", spots, named=named, past=past)
    found = solutions.read(answering.answer(asked), asked)
    assert found.dropped == ()
    return found


def test_the_sentence_that_holds_most_of_the_question_is_quoted_with_speaker_and_day() -> None:
    text = "Good morning. The pump of berth 4 leaks since Sunday. I called Ines."
    found = solved("Since when does the pump of berth 4 leak?", turn(1, text, 0.9, "Sam"))
    assert found.text == "Sam on 2026-03-02: “The pump of berth 4 leaks since Sunday.”"
    assert found.short == "The pump of berth 4 leaks since Sunday."
    assert found.citations[0].words == found.short


def test_a_claim_is_told_as_it_stands_with_its_dates_before_turns_that_hold_as_much() -> None:
    claim = Spot(
        2, 2, "s:L9", "Retries stop after 3 attempts.", "cap it at three", "fact", "since 2026-08-14", "human", covers=0.8
    )
    found = solved("When do retries stop?", turn(1, "Retries stop sometime.", 0.8), claim)
    assert found.text.startswith("A person on 2026-03-02") or found.text.startswith(
        "Retries stop after 3 attempts (since 2026-08-14)."
    )
    assert "Retries stop after 3 attempts (since 2026-08-14)." in found.text


def test_what_holds_too_little_of_the_question_is_not_in_memory() -> None:
    assert solved("Which metal do scintillators use?", turn(1, "We use a metal gate.", 0.2)) == solutions.NOTHING
    assert solved("Which metal?") == solutions.NOTHING


def test_what_only_stands_beside_an_answer_is_not_told() -> None:
    found = solved("Does the pump leak?", turn(1, "The pump leaks.", 0.9), turn(2, "The pump leaks, he says.", 1.0, beside=True))
    assert [one.spot.number for one in found.citations] == [1]


def test_a_value_that_has_ended_since_is_told_to_be_otherwise() -> None:
    now = ("Retries stop after 3 attempts.", "s:L9")
    ended = Spot(
        1, 1, "s:L2", "Retries stop after 5 attempts.", "five", "fact", covers=0.9, ended=True, instead=now, outdated=True
    )
    found = solved("Why do retries stop after 5 attempts?", ended)
    assert (found.verdict, found.text) == (Verdict.OTHERWISE, "Retries stop after 3 attempts.")
    past = solved("Why did retries stop after 5 attempts?", ended, past=True)
    assert past.verdict is Verdict.ANSWERED


def test_somebody_else_s_words_are_no_answer_about_the_one_who_is_named() -> None:
    other = turn(1, "My kiln cracked while firing the blue bowls, Ada.", 0.9, "Ben")
    own = turn(2, "I like bowls.", 0.3, "Ada")
    found = solved("What did Ada's kiln do while firing?", other, own, named=("Ada",))
    assert found.verdict is Verdict.OTHERWISE
    assert found.text.startswith("Ben said: ")
    assert solved("What did the kiln do while firing?", other, own).verdict is Verdict.ANSWERED
    assert solved("Did Ada or Ben fire bowls?", other, own, named=("Ada", "Ben")).verdict is Verdict.ANSWERED


def test_the_words_of_the_one_who_is_named_are_told_first_where_they_hold_enough() -> None:
    found = solved(
        "What cracked, Ada?", turn(1, "A kiln cracked.", 0.6, "Ben"), turn(2, "My vase cracked.", 0.6, "Ada"), named=("Ada",)
    )
    assert [one.spot.name for one in found.citations] == ["Ada"]


def test_every_word_between_quotation_marks_stands_in_its_spot() -> None:
    long = "The pump leaks and nobody mends it because " * 12
    found = solved("Does the pump leak?", turn(1, long, 0.9))
    for quoted in re.findall("“(.*?)”", found.text):
        assert quoted in long


def test_the_option_that_shares_most_words_is_chosen() -> None:
    options = ("(a) You like strong mate.", "(b) You like green tea.")
    asked = Asked("What do I like?", "", (turn(1, "I drink green tea each day.", 0.2),), options)
    assert solutions.read(answering.answer(asked), asked).choice.startswith("(b)")
    none = Asked("What do I like?", "", (), options)
    assert solutions.read(answering.answer(none), none).verdict is Verdict.ABSENT


def test_a_question_a_call_and_a_value_that_a_claim_ended_are_no_answers() -> None:
    asked = "Which port does the tide table use?"
    question = turn(1, "Which port does the tide table use, Ines?", 1.0, "Sam")
    call = turn(2, '{"page": "tide table port"}', 0.9, act=True)
    old = turn(3, "The tide table is on port 8090, says the page.", 0.8, "Ines")
    claim = Spot(
        4, 4, "s:L9", "The tide table is served from port 9300.", "it is 9300", "fact", "since 2026-06-02", "human",
        earlier=("The tide table is served from port 8090.",), covers=0.7,
    )  # fmt: skip
    found = solved(asked, question, call, old, claim)
    assert found.text == "The tide table is served from port 9300 (since 2026-06-02)."
    assert [one.spot.number for one in solved(asked, question, call).citations] == []
    before = solved("Which port did the tide table use before?", question, call, old, claim, past=True)
    assert "Before: The tide table is served from port 8090." in before.text
    assert "on port 8090, says the page" in before.text


def test_of_a_long_turn_the_sentence_that_is_quoted_has_to_hold_what_was_asked() -> None:
    scattered = "The pump is new. We paint. Berth 4 is free. Nothing leaks."
    found = solved(
        "Since when does the pump of berth 4 leak?", turn(2, scattered, 1.0), turn(3, "The pump of berth 4 leaks.", 0.9)
    )
    assert found.citations[0].words == "The pump of berth 4 leaks."
