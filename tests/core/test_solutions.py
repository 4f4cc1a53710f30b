"""Answers from spots: each citation is held against its spot, and an answer of which none stands is none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import solutions
from wikimem.core.solutions import Asked, Spot, Verdict

TURN = Spot(1, 1, "s1:L4", "The pump of berth 4 leaks since Sunday.", speaker="human")
CLAIM = Spot(
    2,
    2,
    "s2:L9",
    "Retries stop after 5 attempts.",
    "we cap it at five",
    "fact",
    ended=True,
    instead=("Retries stop after 3 attempts.", "s3:L2"),
    earlier=("Retries never stop.",),
    rivals=("Retries stop after 4 attempts.",),
)
ASKED = Asked("Does the pump leak?", "", (TURN, CLAIM))


def reply(*citations: Any, verdict: str = "answered", answer: str = "It does.", **more: Any) -> dict[str, Any]:
    return {"verdict": verdict, "answer": answer, "citations": list(citations), **more}


def cite(spot: int, quote: str) -> dict[str, Any]:
    return {"spot": spot, "quote": quote}


def test_an_answer_keeps_the_citations_that_stand_in_the_spots_own_words() -> None:
    found = solutions.read(reply(cite(1, "pump of  berth 4"), cite(1, "pump of berth 9"), cite(7, "pump"), short="yes"), ASKED)
    assert (found.verdict, found.text, found.short) == (Verdict.ANSWERED, "It does.", "yes")
    assert [(one.spot.cite, one.words) for one in found.citations] == [("s1:L4", "pump of berth 4")]
    assert len(found.dropped) == 2


@pytest.mark.parametrize(
    "quote",
    ["Retries stop after 5 attempts.", "cap it at five", "Retries stop after 3 attempts.", "never stop", "after 4 attempts"],
)
def test_a_claim_is_cited_by_its_words_its_proof_or_what_is_told_beside_it(quote: str) -> None:
    assert solutions.read(reply(cite(2, quote)), ASKED).citations


@pytest.mark.parametrize(
    "told",
    [
        reply(),
        reply(cite(1, "the pump is new")),
        reply(cite(1, "")),
        reply(cite(1, "ump of berth")),
        reply({"spot": "1", "quote": "pump"}),
        reply(4),
        reply(cite(1, "pump"), answer="  "),
        {"verdict": "otherwise", "answer": "x", "citations": None},
    ],
)
def test_an_answer_without_a_citation_that_stands_is_not_in_memory(told: dict[str, Any]) -> None:
    found = solutions.read(told, ASKED)
    assert (found.verdict, found.text, found.citations) == (Verdict.ABSENT, "", ())
    assert found.dropped


def test_an_abstention_needs_no_citation_and_has_no_words() -> None:
    found = solutions.read(reply(verdict="not-in-memory", answer="Perhaps."), ASKED)
    assert (found.verdict, found.text, found.dropped) == (Verdict.ABSENT, "", ())


@pytest.mark.parametrize("content", [None, [], {}, {"verdict": "sure"}, "yes"])
def test_what_is_no_reply_is_refused(content: Any) -> None:
    with pytest.raises(ValueError, match="verdict"):
        solutions.read(content, ASKED)


@given(st.text(max_size=40), st.integers(-2, 4))
def test_whatever_is_cited_stands_in_the_spot(quote: str, number: int) -> None:
    found = solutions.read(reply(cite(number, quote)), ASKED)
    for one in found.citations:
        assert any(
            one.words in text
            for text in (one.spot.text, one.spot.proof, one.spot.instead[0], *one.spot.earlier, *one.spot.rivals)
        )
