"""Checks: each rule refuses what it is for, without a word of the proposal, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.test_cold import CRANE, FIVE, LIFTS, QUEUE, RETRIES, THREE, claim
from core.test_fold import file
from wikimem.core import cold, edits, fold
from wikimem.core.claims import Claim, Mention, Stance
from wikimem.core.cold import STALE, Result, Step
from wikimem.core.consolidation import checks
from wikimem.core.consolidation.views import Draft
from wikimem.core.edits import Deleted, Edit

LATER = claim("The tide queue is moved to the west wing.", "b")
GUESS = replace(claim("The tide queue drops messages.", "a"), stance=Stance.INFERENCE)
ELSEWHERE = claim("The berth plan is kept in a safe.", "b", Mention("project:other", "topic", "berth plan"))
RUN = claim("`make tide` runs the tests (seen to pass).", "a", Mention("project:harbour", "procedure", "make tide"))
MIRA = Mention("project:harbour", "person", "Mira")
HOME, PET = claim("Mira lives in Leeds.", "a", MIRA, "home"), claim("Mira keeps a parrot.", "a", MIRA, "pet")
WIKI = fold.whole([file("a", THREE, QUEUE, GUESS, RUN, HOME, PET), file("b", FIVE, LIFTS, ELSEWHERE, LATER)], {})
SOURCES = {"a", "b"}


Said = tuple[str, tuple[Claim, ...]]


def draft(*said: Said, step: str = Step.LEADS, about: tuple[Mention, ...] = (RETRIES,)) -> Draft:
    sentences = tuple((text, tuple(one.id for one in claims)) for text, claims in said)
    return Draft(step, tuple(one.id for one in about), sentences)


def reflection(*said: Said, stance: str = "inference", sure: int = 50, about: tuple[Mention, ...] = (RETRIES,)) -> Draft:
    return replace(draft(*said, step=Step.REFLECTIONS, about=about), stance=stance, confidence=sure)


GOOD = [
    draft(("They stop after 5 attempts since 2026-02-02.", (FIVE,)), ("They wait in the east wing.", (QUEUE,))),
    draft(("it lifts forty tonnes", (LIFTS,)), step=Step.LINKS, about=(RETRIES, CRANE)),
    draft(("Mira lives in Leeds.", (HOME,)), ("Mira keeps a parrot.", (PET,)), step=Step.PROFILES, about=(MIRA,)),
    reflection(("The limit was given in 2 sessions.", (THREE, FIVE))),
    reflection(("The queue is moved about.", (QUEUE, LATER)), ("But it waits.", (QUEUE,)), stance="opinion", sure=90),
    reflection(("The queue waits for the crane.", (QUEUE, LIFTS)), about=(RETRIES, CRANE)),
    reflection(("Messages get lost.", (GUESS, FIVE))),
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
        ("bad-level", reflection(("The limit keeps moving.", (THREE, FIVE)), stance="fact")),
        ("bad-level", reflection(("The limit keeps moving.", (THREE, FIVE)), stance="hunch")),
        ("bad-level", reflection(("The limit keeps moving.", (THREE, FIVE)), stance="")),
        ("bad-level", reflection(("The limit keeps moving.", (THREE, FIVE)), sure=0)),
        ("bad-level", reflection(("The limit keeps moving.", (THREE, FIVE)), sure=100)),
        ("bad-level", replace(draft(("They wait.", (QUEUE,))), stance="inference", confidence=50)),
        ("bad-text", reflection(("", (THREE, FIVE)))),
        ("bad-text", reflection(*[("It keeps moving.", (THREE, FIVE))] * 3)),
        ("unknown-page", reflection(("It keeps moving.", (THREE, FIVE)), about=())),
        ("unknown-page", reflection(("It keeps moving.", (THREE, FIVE)), about=(RETRIES, RETRIES))),
        ("unknown-claim", reflection(("It keeps moving.", (THREE, claim("Nobody said that.", "b"))))),
        ("unknown-claim", reflection(("It lifts and waits.", (QUEUE, LIFTS)))),
        ("unknown-claim", reflection(("It keeps moving.", (THREE, FIVE)), ("But it waits.", ()))),
        ("one-source", reflection(("It keeps moving.", (THREE,)))),
        ("one-source", reflection(("It keeps moving.", (THREE, QUEUE)))),
        ("one-source", reflection(("It keeps moving.", (THREE, QUEUE)), ("But it stops.", (FIVE,)))),
        ("mixed-scopes", reflection(("All is kept.", (QUEUE, ELSEWHERE)), about=(RETRIES, ELSEWHERE.mention))),
        ("unproved-number", reflection(("The limit was given in 7 sessions.", (THREE, FIVE)))),
    ],
)
def test_a_malformed_proposal_is_refused_with_its_reason(rule: str, bad: Draft) -> None:
    found = checks.check(bad, WIKI, SOURCES)
    assert found is not None
    assert found[0] == rule
    assert found[1]
    assert not any(word in found[1] for text, _ in bad.said for word in text.split() if len(word) > 6)


@pytest.mark.parametrize("good", GOOD)
def test_what_rests_on_a_source_that_is_closed_or_missing_is_refused(good: Draft) -> None:
    for left in (SOURCES - {one} for _, sources in checks.rests(good, WIKI) for one in sources):
        assert checks.check(good, WIKI, left) == ("closed-source", "a source that it rests on is closed or missing")


def test_the_same_source_twice_counts_once() -> None:
    again = RUN.with_evidence([*RUN.evidence, replace(RUN.evidence[0], at="L9", turn="later")])
    wiki = fold.whole([file("a", again)], {})
    proposed = draft(("It passes.", (again,)), step=Step.PROCEDURES, about=(again.mention,))
    found = checks.check(proposed, wiki, SOURCES)
    assert found is not None
    assert found[0] == "one-source"


def test_what_is_concluded_has_the_union_of_the_evidence_the_least_confidence_and_is_tagged() -> None:
    unsure = replace(LATER, stance=Stance.INFERENCE, confidence=40)
    sources = [file("a", THREE, QUEUE), file("b", FIVE, unsure)]
    wiki = fold.whole(sources, {})
    proposed = reflection(("It is moved about.", (QUEUE, unsure, FIVE)), sure=80)
    assert checks.check(proposed, wiki, SOURCES) is None
    rests = checks.rests(proposed, wiki)
    made = Result(Step.REFLECTIONS, proposed.about, proposed.said, rests, "", "x", proposed.stance, proposed.confidence)
    after = fold.rested(wiki, [made])
    (subject,) = after.subjects.values()
    (one,) = (standing.claim for standing in subject.standings if standing.claim.rests)
    assert one.stance is Stance.INFERENCE
    assert one.confidence == 40
    assert {*one.rests} == {QUEUE.id, unsure.id, FIVE.id}
    footings = {each.footing for claim in (QUEUE, unsure, FIVE) for each in claim.evidence}
    assert {each.footing for each in one.evidence} == footings
    assert [standing for standing in subject.standings if not standing.claim.rests] == [*wiki.subjects[subject.key].standings]
    assert after == fold.whole(sources[::-1], {}, results=[made])
    assert fold.rested(after, []) == wiki


def test_what_rests_on_another_page_leads_to_it_until_a_person_takes_it_away() -> None:
    proposed = reflection(("The queue waits for the crane.", (QUEUE, LIFTS)), about=(RETRIES, CRANE))
    made = Result(Step.REFLECTIONS, proposed.about, proposed.said, checks.rests(proposed, WIKI), "", "x", "inference", 50)
    wiki = fold.rested(WIKI, [made])
    assert wiki.cold.beside == {RETRIES.id: (CRANE.id,)}
    (claim,) = (one for one in wiki.subjects[RETRIES.id].claims if one.rests)
    files = [
        *WIKI.ground.raw.values(),
        replace(file("z"), edits=((1, Edit(Deleted(edits.target(claim)), "Nora", "2026-06-01")),)),
    ]
    after = fold.again(wiki, files, {})
    assert [one for one in after.subjects[RETRIES.id].claims if one.rests] == []
    assert after.cold.beside.get(RETRIES.id, ()) == ()
    assert {one.id for one in after.subjects[RETRIES.id].claims} == {one.id for one in WIKI.subjects[RETRIES.id].claims}


def test_nothing_is_concluded_from_what_was_concluded() -> None:
    first = Result(
        Step.REFLECTIONS, (RETRIES.id,), (("It keeps moving.", (THREE.id, FIVE.id)),), cold.rests_on([THREE, FIVE]), "", "x"
    )
    wiki = fold.rested(WIKI, [replace(first, stance="inference", confidence=50)])
    (made,) = (claim for subject in wiki.subjects.values() for claim in subject.claims if claim.rests)
    found = checks.check(reflection(("It will move again.", (made, QUEUE))), wiki, SOURCES)
    assert found is not None
    assert found[0] == "concluded-claim"


def test_every_rule_has_a_name_of_its_own() -> None:
    names = [name for name, _ in checks.RULES]
    assert len({*names}) == len(names)
