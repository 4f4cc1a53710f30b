"""Identities: which pairs are asked about, and which judgements no rule lets through, whoever judged."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.test_cold import claim
from core.test_fold import file
from core.test_laws import History, files, histories
from wikimem.core import fold, judgements
from wikimem.core.claims import Claim, Kind, Mention, Stance
from wikimem.core.consolidation import identities
from wikimem.core.consolidation.identities import Couple
from wikimem.core.judgements import Judgement, Relation, pair
from wikimem.core.rules import merging
from wikimem.core.vocabulary import SHIPPED

ROPES = Mention("project:harbour", "topic", "mooring ropes")


def rope(text: str, source: str = "a", attribute: str = "", said: str = "2026-01-02T09:00:00Z") -> Claim:
    return claim(text, source, ROPES, attribute, said=said)


SPARE = rope("Spare ropes are kept in the north shed.")
AGAIN = rope("The spare ropes are kept in the north shed now.", "b")
STRETCH = rope("Ropes are checked on Mondays before the tide turns.", "b")


def asked(*claims: Claim, judged: list[Judgement] | None = None) -> list[set[str]]:
    sources = sorted({one.evidence[0].source for one in claims})
    wiki = fold.whole([file(each, *(one for one in claims if one.evidence[0].source == each)) for each in sources], {})
    settled = judgements.settled(judged or [])
    return [{one.text, other.text} for one, other in identities.facts(wiki, settled, False)]


def refused(one: Claim | Mention, other: Claim | Mention, relation: Relation = Relation.SAME) -> str:
    """The name of the rule that refuses a judgement; empty if none does."""
    both = [each if isinstance(each, Claim) else claim(f"It is named {each.name}.", "a", each) for each in (one, other)]
    wiki = fold.whole([file("a", *both)], {})
    subjects = tuple(subject for subject in wiki.subjects.values() if {each.mention.id for each in both} & {*subject.mentions})
    found = identities.check(Couple(one, other, relation, subjects, {"a", "b"}, SHIPPED))
    assert found is None or (found[1] and "north" not in found[1])
    return found[0] if found else ""


def test_near_claims_of_one_page_are_asked_about_and_far_ones_are_not() -> None:
    assert asked(SPARE, AGAIN, STRETCH) == [{SPARE.text, AGAIN.text}]


def test_what_is_only_spelled_alike_is_asked_about_too() -> None:
    one, other = rope("Reconfigure moorings nightly."), rope("Reconfiguring mooring nightlies.", "b")
    assert asked(one, other) == [{one.text, other.text}]


def test_a_pair_that_was_judged_is_not_asked_about_again() -> None:
    two = pair(SPARE.id, AGAIN.id)
    for relation in (Relation.UNRELATED, Relation.SAME, Relation.CONTRADICTS):
        assert asked(SPARE, AGAIN, judged=[Judgement(two, "claims", relation, "x/y")]) == []


def test_of_claims_that_are_one_already_one_stands_for_all() -> None:
    third = rope("Spare ropes are all kept in the north shed.", "c")
    same = Judgement(pair(SPARE.id, AGAIN.id), "claims", Relation.SAME, "rules")
    wiki = fold.whole([file("a", SPARE), file("b", AGAIN), file("c", third)], {same.pair: same})
    found = identities.facts(wiki, wiki.ground.judged, False)
    assert len(found) == 1
    apart = Judgement(pair(AGAIN.id, third.id), "claims", Relation.UNRELATED, "x/y")
    wiki = fold.whole([file("a", SPARE), file("b", AGAIN), file("c", third)], {same.pair: same, apart.pair: apart})
    assert identities.facts(wiki, wiki.ground.judged, False) == ()


def test_names_of_one_scope_are_asked_about_and_names_of_two_are_not() -> None:
    told = [
        claim("It is long.", "a", Mention("project:harbour", "topic", "payment retries")),
        claim("It is short.", "a", Mention("project:harbour", "topic", "retries of payments")),
        claim("It is broad.", "a", Mention("project:other", "topic", "retries of a payment")),
    ]
    wiki = fold.whole([file("a", *told)], {})
    found = identities.names(wiki, {}, False)
    assert [{one.name, other.name} for one, other in found] == [{"payment retries", "retries of payments"}]


@given(histories())
def test_what_is_asked_is_the_same_whatever_the_order_and_never_across_scopes(made: History) -> None:
    claims, judged = made
    wiki = fold.whole(files(claims), judged)
    other = fold.whole(files(claims)[::-1], judged)
    for strict in (False, True):
        assert identities.names(wiki, judged, strict) == identities.names(other, judged, strict)
        facts = identities.facts(wiki, judged, strict)
        assert facts == identities.facts(other, judged, strict)
        assert all(one.id < two.id and one.mention.scope == two.mention.scope for one, two in facts)
        assert all(scope for one, two in facts if strict for scope in (one.mention.scope, two.mention.scope))


CASES = [
    ("", "Ropes are kept dry.", "Keep ropes dry."),
    ("other-number", "Ropes last 3 years.", "Ropes last 5 years."),
    ("other-number", "Use release 2.1 of the winch.", "Use release 2.2 of the winch."),
    ("other-number", "Run `make knots`.", "Run `make ropes`."),
    ("other-number", "Three ropes are spare.", "Four ropes are spare."),
    ("other-date", "Ropes are changed on 2026-03-02.", "Ropes are changed on 2026-03-09."),
    ("other-date", "Ropes are checked on Mondays.", "Ropes are checked on Fridays."),
    ("other-date", "Ropes are checked daily.", "Ropes are checked weekly."),
    ("other-negation", "Ropes are kept dry.", "Ropes are not kept dry."),
    ("other-negation", "Use hemp.", "Never use hemp."),
    ("other-negation", "Ropes can be reused.", "Ropes can't be reused."),
    ("other-date", "Ropes are changed at noon.", "Ropes are changed at noon, but not on Fridays."),
    ("lost-exception", "Ropes are changed at noon.", "Ropes are changed at noon unless it is windy."),
    ("lost-exception", "Ropes are changed at noon.", "Only old ropes are changed at noon."),
    ("lost-exception", "Ropes are changed at noon.", "Ropes are usually changed at noon."),
    ("other-object", "The ropes come from Hamburg.", "The ropes come from Bremen."),
    ("other-object", "The ropes are in shed_north.", "The ropes are in shed_south."),
    ("", "The sessions live in Postgres.", "All is in PostgreSQL: the sessions live there."),
]


@pytest.mark.parametrize(("rule", "one", "other"), CASES)
def test_what_differs_in_what_matters_is_never_merged(rule: str, one: str, other: str) -> None:
    if rule == "" and "All" in other:
        other = "The sessions live in PostgreSQL."
    assert refused(rope(one), rope(other)) == rule
    assert refused(rope(other), rope(one)) == rule


def test_a_stance_is_never_raised_and_an_attribute_a_kind_and_a_step_never_mixed() -> None:
    other = rope("The spare ropes are kept in the north shed.")
    assert refused(SPARE, other) == ""
    assert refused(SPARE, replace(other, stance=Stance.INFERENCE)) == "raised-stance"
    assert refused(SPARE, replace(other, stance=Stance.PREFERENCE)) == "raised-stance"
    assert refused(replace(SPARE, attribute="host"), replace(other, attribute="port")) == "mixed-attributes"
    assert refused(replace(SPARE, attribute="port"), replace(other, attribute="port-number")) == ""
    assert refused(SPARE, replace(other, kind=Kind.EPISODIC)) == "mixed-kinds"
    steps = replace(SPARE, kind=Kind.PROCEDURAL, step=1), replace(other, kind=Kind.PROCEDURAL, step=2)
    assert refused(*steps) == "mixed-kinds"


def test_two_events_of_other_days_stay_two() -> None:
    one, other = (
        replace(claim(text, "a", ROPES, start=day), kind=Kind.EPISODIC)
        for text, day in (("The rope tore.", "2026-01-03"), ("The rope tore again.", "2026-01-09"))
    )
    assert refused(one, other) == "other-date"


def test_nothing_is_made_one_across_scopes_pages_or_kinds() -> None:
    away = claim("Spare ropes are kept in the north shed.", "a", Mention("project:other", "topic", "mooring ropes"))
    assert refused(SPARE, away) in ("mixed-scopes", "unknown-claim")
    assert refused(ROPES, away.mention) == "mixed-scopes"
    beside = claim("Spare ropes are kept in the north shed.", "a", Mention("project:harbour", "topic", "hawsers"))
    assert refused(SPARE, beside) == "unknown-claim"
    assert refused(SPARE, ROPES) == "unknown-relation"
    assert refused(ROPES, replace(ROPES, name="mooring rope"), Relation.REPLACES) == "unknown-relation"
    assert refused(SPARE, AGAIN, Relation.DIFFERENT) == "unknown-relation"


def test_what_rests_on_a_closed_source_is_refused() -> None:
    wiki = fold.whole([file("a", SPARE), file("b", AGAIN)], {})
    couple = Couple(SPARE, AGAIN, Relation.SAME, tuple(wiki.subjects.values()), {"a"}, SHIPPED)
    assert identities.check(couple) == ("closed-source", "a source that it rests on is closed or missing")


def test_names_that_differ_in_a_number_stay_two() -> None:
    one, other = Mention("", "topic", "berth 4"), Mention("", "topic", "berth 5")
    assert refused(one, other) == "other-number"
    assert refused(one, other, Relation.DIFFERENT) == ""


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("We always utilize the spare ropes.", "Always use spare ropes.", True),
        ("Configurations live in the repository.", "The config lives in the repo.", True),
        ("Don't tie knots in wet ropes.", "Do not tie knots in a wet rope.", True),
        ("The winch pulls the crane.", "The crane pulls the winch.", False),
        ("Tie spare ropes to the bollard.", "Tie spare ropes to the pontoon.", False),
        ("Wet ropes.", "The wet rope.", False),
        ("Run the tests before a release.", "Run the tests after a release.", False),
        ("Deploys need a review.", "Deploys need two reviews.", False),
    ],
)
def test_the_rules_make_one_only_of_the_same_words_in_the_same_order(one: str, other: str, same: bool) -> None:
    for mine, theirs in ((rope(one), rope(other, "b")), (rope(other), rope(one, "b"))):
        told = merging.judge_claims(mine, theirs)
        assert (told["relation"] == "same") is same
        assert told["reason"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("payment retries", "retries of payments", True),
        ("retry queue", "the retry queues", True),
        ("payment retries", "payment errors", False),
        ("user agent", "agent user", False),
        ("config.toml", "toml config", False),
        ("--only-stats", "stats", False),
        ("mix compile", "mix compile --warnings-as-errors", False),
    ],
)
def test_the_rules_make_one_name_of_the_same_words_only(one: str, other: str, same: bool) -> None:
    mine, theirs = (Mention("project:harbour", "topic", name) for name in (one, other))
    assert (merging.judge_mentions(mine, theirs)["relation"] == "same") is same
    assert merging.judge_mentions(mine, replace(theirs, scope="project:other"))["relation"] == "different"
    assert merging.judge_mentions(mine, replace(theirs, type="project"))["relation"] == "different"


texts = st.sampled_from([text for case in CASES for text in case[1:]])


@given(texts, texts)
def test_what_the_rules_call_the_same_is_nothing_that_a_check_refuses_by_its_words(one: str, other: str) -> None:
    if merging.judge_claims(rope(one), rope(other, "b"))["relation"] == "same" and one != other:
        assert refused(rope(one), rope(other)) == ""


def test_every_rule_has_a_name_of_its_own() -> None:
    names = [name for name, _ in identities.RULES]
    assert len({*names}) == len(names)
