"""Pair judgements by words: the same, ended, denied, or left alone; never a guess that closes a claim."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wikimem.core import linking, rules
from wikimem.core.claims import Claim, Evidence, Kind, Mention, Stance
from wikimem.core.judgements import pair

GLAZE = Mention("project:glazeworks", "topic", "Redis")


def claim(text: str, said: str, attribute: str = "", mention: Mention = GLAZE, stance: Stance = Stance.FACT) -> Claim:
    evidence = Evidence("L1", f"t-{said}", text, "human", said=said)
    return Claim(mention, attribute, Kind.SEMANTIC, stance, text, (evidence,))


PAIRS = [
    ("Odile on Redis: “we use Redis for the queue”", "Odile on Redis: “please, we use redis for the queue”", "same"),
    ("Odile on Redis: “we use Redis for the queue”", "Odile on Redis: “we don't use Redis for the queue”", "replaces"),
    ("Odile on Redis: “we use Redis for the queue”", "Odile on Redis: “we dropped Redis”", "replaces"),
    ("Odile on Redis: “we use Redis for the queue”", "Odile on Redis: “we never used Redis, that was the old team”", "denies"),
    ("Odile on Redis: “we use Redis for the queue”", "Odile on Redis: “there is no Redis, never was”", "denies"),
    ("Odile on Redis: “we use Redis for the queue”", "Odile on Redis: “Redis keeps 30 days”", "unrelated"),
    ("Odile on Redis: “never use Redis in tests”", "Odile on Redis: “we dropped Redis”", "unrelated"),
    ("The kiln shelves are 40 cm wide.", "no, the kiln shelves are 45 cm wide, not 40", "replaces"),
    ("The table is 40 cm wide.", "no, the shelf holds 45 plates, not 40", "unrelated"),
    ("The limit is 3.", "The limit is 5.", "unrelated"),
    ("always round up", "never round up", "unrelated"),
    ("the kiln heats the shelf", "the shelf heats the kiln", "unrelated"),
    ("after 3 firings the glaze cracks", "the glaze cracks after 3 firings", "same"),
    (
        "every Monday the apprentice carries all finished plates from the drying room to the storeroom beside the kiln",
        "every Monday the apprentice carries all finished plates from the drying room to the shop beside the kiln",
        "unrelated",
    ),
    (
        "the apprentice carries finished plates from the drying room over to the storeroom beside our large kiln",
        "the apprentice usually carries finished plates from the drying room over to the storeroom beside our large kiln",
        "unrelated",
    ),
]


@pytest.mark.parametrize(("old", "new", "relation"), PAIRS)
def test_pairs_of_claims(old: str, new: str, relation: str) -> None:
    earlier, later = claim(old, "2026-01-10T09:00:00Z"), claim(new, "2026-02-10T09:00:00Z")
    for one, other in ((earlier, later), (later, earlier)):
        told = rules.judge_claims(one, other)
        assert told["relation"] == relation
        assert linking.read(told, pair(one.id, other.id), "claims", "rules").relation.value == relation


def test_a_denial_that_was_said_earlier_ends_nothing() -> None:
    later, earlier = claim(PAIRS[3][0], "2026-02-10T09:00:00Z"), claim(PAIRS[3][1], "2026-01-10T09:00:00Z")
    assert rules.judge_claims(earlier, later)["relation"] == "unrelated"


def test_without_a_time_nothing_is_ended() -> None:
    one, other = claim(PAIRS[3][0], ""), claim(PAIRS[3][1], "2026-01-10T09:00:00Z")
    assert rules.judge_claims(one, other)["relation"] == "unrelated"


def test_an_event_and_an_inference_end_nothing() -> None:
    earlier, later = claim(PAIRS[2][0], "2026-01-10T09:00:00Z"), claim(PAIRS[2][1], "2026-02-10T09:00:00Z")
    assert rules.judge_claims(earlier, replace(later, kind=Kind.EPISODIC))["relation"] == "unrelated"
    assert rules.judge_claims(earlier, replace(later, stance=Stance.INFERENCE))["relation"] == "unrelated"


def test_the_same_value_of_one_attribute_in_other_words_is_the_same() -> None:
    one = claim("Staging runs on port 6432.", "2026-01-10T09:00:00Z", "port")
    other = claim("Odile on Staging: “it listens on 6432 since May [2026-05]”", "2026-02-10T09:00:00Z", "port")
    assert rules.judge_claims(one, other)["relation"] == "same"


NAMES = [
    ("unit test", "Unit-Tests", True),
    ("loadCones()", "loadcones", True),
    ("src/kiln/ramps.py", "ramps.py", True),
    ("src/index.ts", "index.ts", False),
    ("ramps.py", "ramps_test.py", False),
    ("Redis", "Redis cluster", False),
    ("status", "statu", False),
    ("kiln 1", "kiln 2", False),
]


@pytest.mark.parametrize(("one", "other", "same"), NAMES)
def test_pairs_of_names(one: str, other: str, same: bool) -> None:
    mine, theirs = (Mention("project:glazeworks", "topic", name) for name in (one, other))
    told = rules.judge_mentions(mine, theirs)
    assert told["relation"] == ("same" if same else "different")
    assert rules.judge_mentions(theirs, mine)["relation"] == told["relation"]
    assert rules.judge_mentions(mine, replace(theirs, scope="project:other"))["relation"] == "different"


SERVER = Mention("project:glazeworks", "topic", "kiln server")
GIVEN = [
    # What says the value again in other words ends with it, whichever of the two gives it as an attribute.
    ("Odile on kiln server: “clients reach the kiln server at port 7070”", "", "The kiln server runs on port 7171.", "port"),
    ("The kiln server runs on port 7070.", "port", "Odile on kiln server: “everyone should now use port 7171”", ""),
    ("Odile on kiln server: “use port 7070”", "", "Odile on kiln server: “use port 7171”", ""),
]


@pytest.mark.parametrize(("old", "had", "new", "has"), GIVEN)
def test_another_value_of_one_attribute_replaces_it_in_any_words(old: str, had: str, new: str, has: str) -> None:
    earlier = claim(old, "2026-01-10T09:00:00Z", had, SERVER)
    later = claim(new, "2026-02-10T09:00:00Z", has, SERVER)
    assert rules.judge_claims(earlier, later)["relation"] == "replaces"
    assert rules.judge_claims(later, earlier)["relation"] == "replaces"


@pytest.mark.parametrize(
    "old",
    [
        "Odile on kiln server: “the admin page of the kiln server is at port 7070”",
        "Odile on kiln server: “the kiln server also keeps port 7070 for the mill”",
        "Odile on kiln server: “never use port 7070”",
        "Odile on kiln server: “the timeout is 7070”",
        "Odile on kiln server: “use port 7070 or 7072”",
        "Odile on kiln server: “the kiln server has 7070 tiles”",
    ],
)
def test_a_value_of_something_else_is_not_ended(old: str) -> None:
    earlier = claim(old, "2026-01-10T09:00:00Z", "", SERVER)
    later = claim("The kiln server runs on port 7171.", "2026-02-10T09:00:00Z", "port", SERVER)
    assert rules.judge_claims(earlier, later)["relation"] == "unrelated"
