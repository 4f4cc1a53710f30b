"""Extraction's replies: what fits the schema becomes drafts, what does not a refusal that says why; nothing is trusted."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import extraction
from wikimem.core.claims import Basis, Bound, Holds, Kind, Mention, Stance

GOOD: dict[str, Any] = {
    "type": "topic",
    "subject": "berth 4",
    "scope": "project",
    "kind": "semantic",
    "stance": "fact",
    "text": "Berth 4 is nine metres deep.",
    "quotes": [{"at": "L1", "words": "nine metres"}],
}


def read(*claims: object, me: str = "") -> tuple[Any, ...]:
    return extraction.read({"claims": list(claims)}, "project:harbour", me)


def test_a_claim_as_the_schema_has_it() -> None:
    quote = {"at": "L3", "words": "yes", "speaker": "human", "from": "2026-03", "until": "2026-04-01", "until_basis": "inferred"}
    full = GOOD | {
        "attribute": "depth",
        "confidence": 0.4,
        "step": 2,
        "sensitive": True,
        "reason": "it matters",
        "quotes": [quote | {"proposal": {"at": "L2", "words": "nine metres"}}],
    }
    (draft,), _, refused = read(full)
    assert refused == ()
    assert draft.mention == Mention("project:harbour", "topic", "berth 4")
    assert (draft.attribute, draft.kind, draft.stance) == ("depth", Kind.SEMANTIC, Stance.FACT)
    assert (draft.confidence, draft.step, draft.sensitive) == (40, 2, True)
    (found,) = draft.quotes
    assert found.holds == Holds(Bound("2026-03", Basis.STATED), Bound("2026-04-01", Basis.INFERRED))
    assert found.proposal == ("L2", "nine metres")


def test_what_is_usual_need_not_be_said() -> None:
    (draft,), _, refused = read({name: value for name, value in GOOD.items() if name not in ("scope", "kind")})
    assert (draft.mention.scope, draft.kind, refused) == ("project:harbour", Kind.SEMANTIC, ())


@pytest.mark.parametrize(
    ("scope", "me", "whose"),
    [
        ("project", "", "project:harbour"),
        ("user", "Ines Duarte", "user:ines-duarte"),
        ("user", "", "user:user"),
        ("all", "Ines", ""),
        ("", "Ines", ""),
    ],
)
def test_whose_a_claim_is(scope: str, me: str, whose: str) -> None:
    (draft,), _, _ = read(GOOD | {"scope": scope}, me=me)
    assert draft.mention.scope == whose


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"type": "ship"}, "type is 'ship'; it can be person, project"),
        ({"type": None}, "type is missing"),
        ({"type": ["topic"]}, "type is no text"),
        ({"subject": 4}, "subject is no text"),
        ({"scope": "agent"}, "scope is 'agent'"),
        ({"kind": "SEMANTIC"}, "kind is 'SEMANTIC'"),
        ({"stance": "gospel"}, "stance is 'gospel'"),
        ({"text": None}, "text is missing"),
        ({"attribute": 3}, "attribute is no text"),
        ({"quotes": []}, "quotes is no list of quotes"),
        ({"quotes": "L1"}, "quotes is no list of quotes"),
        ({"quotes": ["L1"]}, "a quote is no object"),
        ({"quotes": [{"at": "L1"}]}, "words is missing"),
        ({"quotes": [{"at": 1, "words": "x"}]}, "at is no text"),
        ({"quotes": [{"at": "L1", "words": "x", "from": "yesterday"}]}, "from is 'yesterday', which is no date"),
        ({"quotes": [{"at": "L1", "words": "x", "until": "2026-02-30"}]}, "which is no date"),
        ({"quotes": [{"at": "L1", "words": "x", "from": "2026", "from_basis": "guessed"}]}, "from_basis is 'guessed'"),
        ({"quotes": [{"at": "L1", "words": "x", "proposal": "L2"}]}, "a proposal is no object"),
        ({"quotes": [{"at": "L1", "words": "x", "proposal": {"at": "L2"}}]}, "words is missing"),
        ({"confidence": 2}, "confidence is no number from 0 to 1"),
        ({"confidence": "high"}, "confidence is no number"),
        ({"confidence": float("nan")}, "confidence is no number"),
        ({"confidence": True}, "confidence is no number"),
        ({"step": -1}, "step is no whole number"),
        ({"step": 1.5}, "step is no whole number"),
        ({"step": True}, "step is no whole number"),
        ({"sensitive": "yes"}, "sensitive is neither true nor false"),
    ],
)
def test_a_claim_that_does_not_fit_is_refused_with_the_reason_and_the_others_are_used(wrong: dict[str, Any], why: str) -> None:
    drafts, _, (refusal,) = read(GOOD, GOOD | wrong)
    assert len(drafts) == 1
    assert refusal.rule == "schema"
    assert refusal.reason.startswith("claim 2: ")
    assert why in refusal.reason


@pytest.mark.parametrize("content", [None, [], "x", 1, {}, {"claims": None}, {"claims": {"0": GOOD}}])
def test_a_reply_that_is_none_raises(content: object) -> None:
    with pytest.raises(ValueError, match='no object with a list "claims"'):
        extraction.read(content, "", "")


@pytest.mark.parametrize("episode", [None, [], "x", {"asked": 3}, {}])
def test_an_episode_that_does_not_fit_is_empty(episode: object) -> None:
    _, told, _ = extraction.read({"claims": [], "episode": episode}, "", "")
    assert (told.asked, told.outcome) == ("", "")


def test_an_episode_is_one_line_each() -> None:
    _, told, _ = extraction.read(
        {"claims": [], "episode": {"asked": " Where\nto moor? ", "outcome": "At berth\u202e 4."}}, "", ""
    )
    assert told.asked == "Where to moor?"
    assert "\u202e" not in told.outcome


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda one: st.lists(one, max_size=3) | st.dictionaries(st.sampled_from([*GOOD, "at", "words", "from"]), one, max_size=5),
    max_leaves=10,
)


@given(
    st.lists(st.dictionaries(st.sampled_from([*GOOD, "step", "confidence"]), anything).map(lambda told: GOOD | told) | anything)
)
def test_each_claim_is_a_draft_or_a_refusal(claims: list[object]) -> None:
    drafts, _, refused = read(*claims)
    assert len(drafts) + len(refused) == len(claims)
