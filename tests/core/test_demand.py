"""Demand: what a log of recalls counts for a claim that stays on its card."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import demand
from wikimem.core.claims import Claim, Evidence, Kind, Mention, Stance
from wikimem.core.recalls import Feedback, Log, Recall

SOURCE = "20260302-claude-code-00000001"
AT = f"{SOURCE}:L4"
LEAKS = "The tide pump probably leaks at the seal."


def claim(text: str = LEAKS) -> Claim:
    proof = Evidence("L4", "t4", text, "assistant", said="2026-03-02", source=SOURCE)
    return Claim(Mention("", "topic", "tide pump"), "", Kind.SEMANTIC, Stance.INFERENCE, text, (proof,))


def recall(id: str, question: str, session: str = "", day: str = "2026-07-01", channel: str = "cli", hash: str = "") -> Recall:
    return Recall(id, f"{day}T09:00:00Z", question, hash, "", "", "", (AT,), (), 100, channel, session)


def wanted(*recalls: Recall, feedback: tuple[Feedback, ...] = (), about: Claim | None = None) -> bool:
    questions = demand.asked(Log(recalls, feedback, 0), lambda time: time[:10])
    return bool([*demand.wanted([about or claim()], questions, lambda source: "own" if source == SOURCE else "")])


@pytest.mark.parametrize(
    ("question", "means"),
    [
        ("Where does the tide pump leak?", True),
        ("Does the seal leak?", True),
        ("What is there of the tide pump?", True),
        ("Who painted the tide pump red?", False),
        ("When does the ferry to the northern pier leave on Sundays, and does it leak?", False),
        ("Why?", False),
    ],
)
def test_a_question_means_a_claim_by_its_words(question: str, means: bool) -> None:
    assert wanted(recall("r1", question, "one"), recall("r2", question, "two")) is means


def test_two_sessions_or_two_days() -> None:
    leak = "Where does the tide pump leak?"
    assert not wanted(recall("r1", leak), recall("r2", leak))
    assert wanted(recall("r1", leak), recall("r2", leak, day="2026-07-02"))
    assert not wanted(recall("r1", leak, "one"), recall("r2", leak, "one", day="2026-07-02"))
    assert wanted(recall("r1", leak, "one"), recall("r2", leak))
    assert not wanted(recall("r1", leak, "own"), recall("r2", leak, "two"))
    assert not wanted(recall("r1", leak, "one", channel="hook"), recall("r2", leak, "two"))


def test_feedback_says_it_at_once_also_where_no_question_is_kept() -> None:
    used = Feedback("r1", "2026-07-01T10:00:00Z", used=(AT,))
    assert wanted(recall("r1", "", hash="ab"), feedback=(used,))
    assert not wanted(recall("r1", "", hash="ab", session="own"), feedback=(used,))
    assert not wanted(recall("r1", "", "one", hash="ab"), recall("r2", "", "two", hash="cd"))
    wrong = Feedback("r2", "2026-07-01T11:00:00Z", misled=(AT,))
    assert not wanted(recall("r1", "", hash="ab"), recall("r2", "", hash="cd"), feedback=(used, wrong))


@given(st.permutations([recall(f"r{n}", "Where does the tide pump leak?", name) for n, name in enumerate(["one", "", "two"])]))
def test_the_order_of_the_log_plays_no_part(recalls: list[Recall]) -> None:
    assert wanted(*recalls)
