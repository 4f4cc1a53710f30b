"""Checks: each rule refuses what it is for, without a word of the proposal, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.test_cold import CRANE, FIVE, LIFTS, QUEUE, RETRIES, THREE, claim
from core.test_fold import file
from wikimem.core import fold
from wikimem.core.claims import Claim, Mention, Stance
from wikimem.core.cold import STALE, Step
from wikimem.core.consolidation import checks
from wikimem.core.consolidation.views import Draft

GUESS = replace(claim("The tide queue drops messages.", "a"), stance=Stance.INFERENCE)
ELSEWHERE = claim("The berth plan is kept in a safe.", "b", Mention("project:other", "topic", "berth plan"))
RUN = claim("`make tide` runs the tests (seen to pass).", "a", Mention("project:harbour", "procedure", "make tide"))
MIRA = Mention("project:harbour", "person", "Mira")
HOME, PET = claim("Mira lives in Leeds.", "a", MIRA, "home"), claim("Mira keeps a parrot.", "a", MIRA, "pet")
WIKI = fold.whole([file("a", THREE, QUEUE, GUESS, RUN, HOME, PET), file("b", FIVE, LIFTS, ELSEWHERE)], {})
SOURCES = {"a", "b"}


def draft(*said: tuple[str, tuple[Claim, ...]], step: str = Step.LEADS, about: tuple[Mention, ...] = (RETRIES,)) -> Draft:
    sentences = tuple((text, tuple(one.id for one in claims)) for text, claims in said)
    return Draft(step, tuple(one.id for one in about), sentences)


GOOD = [
    draft(("They stop after 5 attempts since 2026-02-02.", (FIVE,)), ("They wait in the east wing.", (QUEUE,))),
    draft(("it lifts forty tonnes", (LIFTS,)), step=Step.LINKS, about=(RETRIES, CRANE)),
    draft(("Mira lives in Leeds.", (HOME,)), ("Mira keeps a parrot.", (PET,)), step=Step.PROFILES, about=(MIRA,)),
]


@pytest.mark.parametrize("good", GOOD)
def test_what_claims_say_is_taken_and_rests_on_all_their_sources(good: Draft) -> None:
    assert checks.check(good, WIKI, SOURCES) is None
    cited = {id for _, ids in good.said for id in ids}
    assert {id for id, _ in checks.rests(good, WIKI)} == cited
    assert all(sources for _, sources in checks.rests(good, WIKI))


@pytest.mark.parametrize(
    ("rule", "bad"),
    [
        ("unknown-step", draft(("They wait.", (QUEUE,)), step="dreams")),
        ("unknown-page", draft(("They wait.", (QUEUE,)), about=(Mention("", "topic", "ghost"),))),
        ("unknown-page", draft(("They wait.", (QUEUE,)), step=Step.LINKS)),
        ("unknown-page", draft(("They wait.", (QUEUE,)), step=Step.LINKS, about=(RETRIES, RETRIES))),
        ("bad-text", draft()),
        ("bad-text", draft(("  ", (QUEUE,)))),
        ("bad-text", draft(("…!", (QUEUE,)))),
        ("bad-text", draft(("One line.\nAnother.", (QUEUE,)))),
        ("bad-text", draft(("word " * 100, (QUEUE,)))),
        ("bad-text", draft((f"They wait.{STALE}", (QUEUE,)))),
        ("bad-text", draft(*[("They wait.", (QUEUE,))] * 6)),
        ("unknown-claim", draft(("They wait.", ()))),
        ("unknown-claim", draft(("They wait.", (claim("Nobody said that.", "a"),)))),
        ("unknown-claim", draft(("It lifts.", (LIFTS,)))),
        ("ended-claim", draft(("They stop after 3 attempts.", (THREE,)))),
        ("one-source", draft(("It passes.", (RUN,)), step=Step.PROCEDURES, about=(RUN.mention,))),
        ("mixed-scopes", draft(("it is kept in a safe", (ELSEWHERE,)), step=Step.LINKS, about=(RETRIES, ELSEWHERE.mention))),
        ("mixed-attributes", draft(("Mira lives in Leeds with a parrot.", (HOME, PET)), step=Step.PROFILES, about=(MIRA,))),
        ("raised-stance", draft(("The queue drops messages.", (GUESS,)))),
        ("unproved-number", draft(("They stop after 7 attempts.", (FIVE,)))),
    ],
)
def test_a_malformed_proposal_is_refused_with_its_reason(rule: str, bad: Draft) -> None:
    found = checks.check(bad, WIKI, SOURCES)
    assert found is not None
    assert found[0] == rule
    assert found[1]
    assert not any(word in found[1] for text, _ in bad.said for word in text.split() if len(word) > 6)


def test_what_rests_on_a_source_that_is_closed_or_missing_is_refused() -> None:
    assert checks.check(GOOD[0], WIKI, {"b"}) == ("closed-source", "a source that it rests on is closed or missing")


def test_the_same_source_twice_counts_once() -> None:
    again = RUN.with_evidence([*RUN.evidence, replace(RUN.evidence[0], at="L9", turn="later")])
    wiki = fold.whole([file("a", again)], {})
    proposed = draft(("It passes.", (again,)), step=Step.PROCEDURES, about=(again.mention,))
    found = checks.check(proposed, wiki, SOURCES)
    assert found is not None
    assert found[0] == "one-source"


def test_every_rule_has_a_name_of_its_own() -> None:
    names = [name for name, _ in checks.RULES]
    assert len({*names}) == len(names)
