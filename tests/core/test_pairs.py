"""Pairs: which questions are asked, the same on every machine; and the judgements that answer them."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import judgements, pairs
from wikimem.core.claims import Claim, Evidence, Kind, Mention, Stance
from wikimem.core.judgements import Judgement, Relation, pair
from wikimem.core.vocabulary import SHIPPED


def claim(text: str, attribute: str = "", kind: Kind = Kind.SEMANTIC, stance: Stance = Stance.FACT) -> Claim:
    return Claim(Mention("", "topic", "API"), attribute, kind, stance, text, (Evidence("L1", "t", text, "human"),))


def asked(*claims: Claim) -> list[set[str]]:
    return [{one.text, other.text} for one, other in pairs.needed(claims, {}, SHIPPED)]


@pytest.mark.parametrize(
    ("one", "other", "relation"),
    [
        (claim("The port is 1.", "port"), claim("The port is 2.", "port-number"), Relation.REPLACES),
        (claim("Use tabs."), claim("Use tabs.", stance=Stance.INFERENCE), Relation.SAME),
        (claim("Use tabs.", "port"), claim("use  tabs.", ""), Relation.SAME),
        (claim("Three retries.", "retry-limit"), claim("Retries stop after 3.", "retry-limit"), None),
        (claim("Anna leads billing.", "leads"), claim("Anna leads search.", "leads"), None),
        (claim("The port is 1.", "port"), claim("The limit is 2.", "retry-limit"), None),
        (claim("Moved to 1.", "port", Kind.EPISODIC), claim("Moved to 2.", "port", Kind.EPISODIC), None),
        (claim("On `a` since 2026-01-01.", "host"), claim("Runs on `a`.", "host"), None),
    ],
)
def test_rules_decide_without_asking(one: Claim, other: Claim, relation: Relation | None) -> None:
    assert pairs.by_rule(one, other, SHIPPED) is relation
    assert pairs.by_rule(other, one, SHIPPED) is relation
    if relation:
        assert asked(one, other) == []


def test_similar_texts_are_asked_about_and_unlike_ones_are_not() -> None:
    redis, never = claim("Sessions are kept in Redis."), claim("Redis was never used.")
    tabs = claim("Indent with tabs.")
    assert asked(redis, never, tabs) == [{redis.text, never.text}]
    three = claim("Three retries are made.", "retry-limit"), claim("The limit is 3.", "retry-limit")
    assert asked(*three) == [{one.text for one in three}]


def test_a_judgement_beats_a_rule_and_is_asked_for_once() -> None:
    one, other = claim("The port is 1.", "port"), claim("The port is 2.", "port")
    key = pair(one.id, other.id)
    judged = {key: Judgement(key, "claims", Relation.UNRELATED, "person")}
    assert pairs.relations([one, other], judged, SHIPPED) == {}
    assert pairs.relations([one, other], {}, SHIPPED) == {key: Relation.REPLACES}
    assert pairs.needed([one, other], judged, SHIPPED) == ()


TEXTS = [
    "Redis is used.",
    "Redis is not used.",
    "Retries stop after 3.",
    "Three retries.",
    "Use tabs.",
    "The port is 1.",
]
many = st.lists(st.builds(claim, st.sampled_from(TEXTS), st.sampled_from(["", "port", "retry-limit"])), max_size=8).map(
    lambda found: list({one.id: one for one in found}.values())
)


@given(many)
def test_what_is_asked_does_not_depend_on_order(claims: list[Claim]) -> None:
    first = pairs.needed(claims, {}, SHIPPED)
    assert pairs.needed(random.Random(1).sample(claims, len(claims)), {}, SHIPPED) == first
    assert all(one.id < other.id for one, other in first)
    assert len(set(first)) == len(first)


@pytest.mark.parametrize(
    ("one", "other", "similar"),
    [
        ("payment retries", "retries", True),
        ("checkout service", "checkout-service", False),
        ("Postgres", "Postgresql", True),
        ("Kubernetes", "Kubernets", True),
        ("stagging port", "staging port", True),
        ("deploy process", "deployment process", True),
        ("colour palette", "palette color", False),
        ("tide lighthouses", "tidy lighthouses", True),
        ("oak lighthouses", "tar lighthouses", False),
        ("queue 1", "queue 2", False),
        ("slog", "zap", False),
        ("Sam Reed", "Sam Ito", False),
        ("Sam", "Sam Ito", True),
    ],
)
def test_similar_names(one: str, other: str, similar: bool) -> None:
    assert pairs.similar_names(one, other) is similar
    assert pairs.similar_names(other, one) is similar
    mentions = [Mention("", "topic", one), Mention("", "topic", other)]
    assert bool(pairs.needed_mentions(mentions, {})) is similar
    apart = [Mention("project:a", "topic", one), Mention("", "topic", other)]
    assert pairs.needed_mentions(apart, {}) == ()


ids = st.sampled_from(["aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc"])
some = st.lists(
    st.builds(
        lambda one, other, relation, by: Judgement(pair(one, other), "claims", relation, by, "because"),
        ids,
        st.just("zzzzzzzzzzzz"),
        st.sampled_from([relation for relation in Relation if relation is not Relation.DIFFERENT]),
        st.sampled_from(["rules", "person"]),
    ),
    max_size=6,
)


@given(some, some)
def test_a_union_of_two_files_is_a_file(mine: list[Judgement], theirs: list[Judgement]) -> None:
    merged = judgements.write(mine) + judgements.write(theirs)
    read, problems = judgements.read(merged, "pairs/aa.jsonl")
    assert not problems
    assert set(read) == {*mine, *theirs}
    assert judgements.write(read) == judgements.write([*theirs, *mine])
    settled = judgements.settled([*mine, *theirs])
    assert settled == judgements.settled([*reversed(theirs), *reversed(mine)])
    for key, chosen in settled.items():
        rivals = [one for one in read if one.pair == key]
        assert chosen.by == "person" or all(one.by != "person" for one in rivals)


def test_the_more_cautious_judgement_wins_and_a_person_wins_over_both() -> None:
    key = ("aaaaaaaaaaaa", "bbbbbbbbbbbb")
    denies = Judgement(key, "claims", Relation.DENIES, "rules")
    unrelated = Judgement(key, "claims", Relation.UNRELATED, "rules")
    assert judgements.settled([denies, unrelated])[key] is unrelated
    said = Judgement(key, "claims", Relation.DENIES, "person")
    assert judgements.settled([unrelated, said])[key] is said


def test_judgements_of_what_is_gone_are_void() -> None:
    key = ("aaaaaaaaaaaa", "bbbbbbbbbbbb")
    one = Judgement(key, "claims", Relation.SAME, "rules")
    assert judgements.living([one], {"aaaaaaaaaaaa"}) == ()
    assert judgements.living([one], set(key)) == (one,)
    assert judgements.shelf(one) == "aa.jsonl"


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"[]",
        b'{"pair":["b","a"],"of":"claims","relation":"same"}',
        b'{"pair":["a","b"],"of":"claims","relation":"likes"}',
        b'{"pair":["a","b"],"of":"mentions","relation":"denies"}',
        b'{"pair":["a"],"of":"claims","relation":"same"}',
        b'{"pair":["a",1],"of":"claims","relation":"same"}',
    ],
)
def test_a_broken_line_is_named_and_costs_no_other(line: bytes) -> None:
    good = judgements.write([Judgement(("a", "b"), "claims", Relation.SAME, "rules")])
    read, problems = judgements.read(good + line + b"\n", "pairs/aa.jsonl")
    assert len(read) == 1
    assert [problem.where for problem in problems] == ["pairs/aa.jsonl:2"]
