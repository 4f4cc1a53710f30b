"""Risks: what each change can do, by whom it is blamed, and what a policy makes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wikimem.core import fold, judgements, memory_diff, policies, risks
from wikimem.core.claimfiles import ClaimFile, Stamp
from wikimem.core.claims import Claim, Evidence, Kind, Mention, Stance
from wikimem.core.fold import Wiki
from wikimem.core.judgements import Judgement, Relation, pair
from wikimem.core.policies import PRIVATE, SHARED, Finding, Risk, Way


def claim(text: str, day: int = 1, attribute: str = "", tool: str = "claude-code", type: str = "topic") -> Claim:
    source = f"202601{day:02}-{tool}-00000001"
    evidence = Evidence("L1", f"{day}{text}", text, "human", said=f"2026-01-{day:02}", source=source)
    return Claim(Mention("", type, "API"), attribute, Kind.SEMANTIC, Stance.FACT, text, (evidence,))


def wiki(*claims: Claim, judged: tuple[Judgement, ...] = ()) -> Wiki:
    files = [ClaimFile(Stamp(f"s{number}", "", "", "", ""), (one,)) for number, one in enumerate(claims)]
    return fold.whole(files, judgements.settled(judged))


def told(one: Claim, other: Claim, relation: Relation) -> Judgement:
    return Judgement(pair(one.id, other.id), "claims", relation, "m")


def weighed(before: tuple[Claim, ...], new: tuple[Claim, ...], judged: tuple[Judgement, ...] = ()) -> tuple[Finding, ...]:
    """The findings when some claims come to others."""
    old, now = wiki(*before), wiki(*before, *new, judged=judged)
    return risks.weigh(memory_diff.between(old, now), old, now, frozenset(one.id for one in new))


OLD, NEW = claim("The port is 1.", 2, "port"), claim("The port is 2.", 3, "port")
YES, NO = claim("The API has a cache.", 2), claim("The API never had a cache.", 3)
HAND = claim("The API is slow on Mondays.", 2, tool="edit")


def test_what_is_new_and_proved_is_low() -> None:
    (finding,) = weighed((YES,), (claim("The API is written in Rust.", 3),))
    assert (finding.risk, finding.reason) == (Risk.LOW, "")


def test_what_replaces_is_medium_and_blamed_on_the_new_claim() -> None:
    (finding,) = weighed((OLD,), (NEW,))
    assert (finding.claim, finding.risk, finding.reason) == (NEW.id, Risk.MEDIUM, "replaces what held")


def test_a_denial_is_high() -> None:
    found = weighed((YES,), (NO,), (told(YES, NO, Relation.DENIES),))
    assert (NO.id, Risk.HIGH, "denies what was held for true") in [(one.claim, one.risk, one.reason) for one in found]


def test_a_conflict_is_medium_and_one_with_a_hand_edit_high() -> None:
    other = claim("The API is fast on Mondays.", 3)
    apart = weighed((claim("The API is slow on Mondays.", 2),), (other,), (told(HAND, other, Relation.CONTRADICTS),))
    assert risks.greatest(apart) is Risk.MEDIUM
    by_hand = weighed((HAND,), (other,), (told(HAND, other, Relation.CONTRADICTS),))
    assert risks.trailer(by_hand) == "high (speaks against what a person wrote here)"


def test_many_closings_at_once_are_high() -> None:
    olds = tuple(claim(f"Fact number {number} is so.", 1) for number in range(6))
    news = tuple(claim(f"Fact number {number} is otherwise now.", 5) for number in range(6))
    judged = tuple(told(old, new, Relation.REPLACES) for old, new in zip(olds, news, strict=True))
    found = weighed(olds, news, judged)
    assert {one.risk for one in found if one.reason} == {Risk.HIGH}
    assert "closes 6 claims at once" in risks.trailer(found)
    few = weighed(olds, news[:3], judged[:3])
    assert risks.trailer(few) == "high (closes 3 of 6 claims of one page)"
    assert risks.greatest(weighed(olds, news[:2], judged[:2])) is Risk.MEDIUM


@pytest.mark.parametrize(
    ("changed", "risk"),
    [
        (lambda one: replace(one, confidence=30), Risk.HIGH),
        (lambda one: replace(one, confidence=80), Risk.LOW),
        (lambda one: replace(one, stance=Stance.PREFERENCE), Risk.MEDIUM),
        (lambda one: replace(one, kind=Kind.PROCEDURAL), Risk.MEDIUM),
        (lambda one: replace(one, kind=Kind.PROCEDURAL, stance=Stance.EVIDENCE), Risk.LOW),
        (lambda one: replace(one, attribute="decision"), Risk.MEDIUM),
        (lambda one: replace(one, mention=Mention("", "person", "Ines")), Risk.MEDIUM),
        (lambda one: replace(one, mention=Mention("", "decision", "Cache")), Risk.MEDIUM),
    ],
)
def test_what_a_claim_by_itself_risks(changed: object, risk: Risk) -> None:
    assert callable(changed)
    assert risks.greatest(weighed((), (changed(claim("It is so.")),))) is risk


def test_an_old_source_that_newer_ones_overtook_is_low() -> None:
    assert risks.trailer(weighed((NEW,), (OLD,))) == "low"


def test_whoever_is_not_new_is_not_blamed() -> None:
    old, now = wiki(OLD), wiki(OLD, NEW)
    (finding,) = risks.weigh(memory_diff.between(old, now), old, now, frozenset())
    assert (finding.claim, finding.risk) == ("", Risk.MEDIUM)


def test_a_policy_goes_by_the_type_of_page_before_the_risk() -> None:
    policy, wrong = policies.read({"high": "refuse", "many": 3, "person": {"low": "review"}}, "private")
    assert (wrong, policy.many) == ("", 3)
    assert policy.way(Finding("", Risk.LOW, "", "", "person")) is Way.REVIEW
    assert policy.way(Finding("", Risk.LOW, "", "", "topic")) is Way.COMMIT
    assert policy.way(Finding("", Risk.HIGH, "", "", "person")) is Way.REFUSE


def test_a_shared_vault_reviews_more_than_a_private_one() -> None:
    medium = Finding("", Risk.MEDIUM, "", "", "topic")
    assert (PRIVATE.way(medium), SHARED.way(medium)) == (Way.COMMIT, Way.REVIEW)
    assert policies.read({}, "shared")[0] == SHARED
    assert policies.read({}, "private")[0] == PRIVATE
