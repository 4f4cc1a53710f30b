"""Why: a statement leads to its claim, its words, its session and its commit."""

from __future__ import annotations

import pytest

from dictated import Dictated, git, session, tell
from wikimem.faces import text
from wikimem.faces.api import Vault

PROPOSAL = "Shall I cap the retries at five attempts?"
LIMIT = "topic | payment retries | retry-limit | Retries stop after {} attempts."
ACCEPTED = f"{LIMIT.format(5)} | words=Yes, do that. | accepts=L2: cap the retries at five attempts"


@pytest.fixture
def told(vault: Vault) -> Vault:
    judged = {frozenset({"The east queue is used.", "The east queue never was used."}): "denies"}
    tell(
        vault,
        session(
            "one",
            "2026-03-02",
            LIMIT.format(3),
            "topic | queue | | The east queue is used.",
        ),
        session("two", "2026-03-04", "The queue drops messages.", ("assistant", PROPOSAL), f"Yes, do that.\n{ACCEPTED}"),
        session("three", "2026-03-06", "topic | queue | | The east queue never was used."),
    )
    vault.compile(model=Dictated(judged))
    return vault


def test_words_lead_to_the_claim_and_all_it_rests_on(told: Vault) -> None:
    (reason, *_) = told.why("retries stop after five attempts 5").found
    assert (reason.text, reason.stance, reason.page) == (
        "Retries stop after 5 attempts.",
        "fact",
        "wiki/topics/payment-retries.md",
    )
    (proof,) = reason.proofs
    assert (proof.quote, proof.speaker, proof.said) == ("Yes, do that.", "human", "2026-03-04T09:02:00Z")
    assert proof.accepting == "cap the retries at five attempts"
    assert proof.session == "The queue drops messages."
    assert proof.cite.endswith(":L3")
    took = git(
        told.root,
        "log",
        "-1",
        "--format=%H",
        f"--grep=Source: {proof.cite.partition(':')[0]}",
        "--grep=Wiki-Op: compile",
        "--all-match",
    )
    assert proof.commit == took.strip()
    shown = text.reasons(told.why("retries stop after 5 attempts"))
    assert "accepting “cap the retries at five attempts”" in shown
    assert f"taken in by commit {proof.commit[:10]}" in shown


def test_an_id_leads_to_its_claim_alone(told: Vault) -> None:
    claim = told.why("retries stop after 3").found[0].claim
    for name in (claim, f"[^{claim}]", f" {claim} "):
        (reason,) = told.why(name).found
        assert reason.claim == claim


def test_what_ended_says_so_and_by_what(told: Vault) -> None:
    states = {reason.text: reason.state for reason in (*told.why("retries stop").found, *told.why("east queue used").found)}
    assert states["Retries stop after 3 attempts."] == "ended, until 2026-03-04, superseded by: Retries stop after 5 attempts."
    assert states["Retries stop after 5 attempts."] == "current"
    assert states["The east queue is used."] == "retracted, never was so: The east queue never was used."


def test_what_holds_comes_before_what_ended(told: Vault) -> None:
    assert [reason.state.split()[0] for reason in told.why("Retries stop after attempts").found[:2]] == ["current", "ended,"]


def test_what_the_wiki_does_not_say_has_no_reason(told: Vault) -> None:
    for statement in ["", "the of and", "zeppelins are grey", "[^aaaaaaaaaaaa]", "?!", "\x00"]:
        found = told.why(statement)
        assert found.found == ()
        assert text.reasons(found)


def test_at_most_as_many_as_asked(told: Vault) -> None:
    assert len(told.why("retries stop queue", limit=1).found) == 1


def test_claims_in_no_commit_yet_are_told_without_one(told: Vault) -> None:
    git(told.root, "rm", "-rq", "--cached", "wiki/.claims")
    git(told.root, "commit", "-qm", "forget the claims")
    (reason,) = told.why("Retries stop after 5 attempts.", limit=1).found
    assert reason.proofs[0].quote == "Yes, do that."


def test_an_empty_wiki_has_no_reasons(vault: Vault) -> None:
    assert vault.why("anything at all").found == ()


def test_of_words_that_a_claim_holds_no_claim_is_told_that_only_resembles_it(told: Vault) -> None:
    assert [one.text for one in told.why("Stop after 5 attempts!").found] == ["Retries stop after 5 attempts."]
    assert len(told.why("retries stop after attempts").found) == 2
