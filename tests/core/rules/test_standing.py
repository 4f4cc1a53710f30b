"""What a person tells an agent that stands, and what does not."""

from __future__ import annotations

import pytest

from scripts import play

STANDS = [
    ("just use loguru like we do everywhere else", "The user on `kiln.py`: “just use loguru like we do everywhere else”"),
    ("no, we never edit a migration that has run. always add a new one.", None),
    ("This is a public repo, so nobody else could build the tool.", None),
    ("don't touch firing.py, we keep it as it is because the controllers read it.", None),
    ("The cone table needs to come from `cones.csv`, not from the database.", None),
    ("we don't want curves.py separate from ramps.py", None),
    ("please keep answers short, I always read the diff anyway", None),
    ("Let's allow `--dry` and `--quiet` together, the overlap doesn't matter.", None),
    (
        "We shouldn't have any tests that need a kiln to be on, what is this test for?",
        "on testing: “We shouldn't have any tests that need a kiln to be on”",
    ),
]


@pytest.mark.parametrize(("words", "expected"), STANDS)
def test_what_stands_is_quoted_in_the_persons_own_words(words: str, expected: str | None) -> None:
    played = play(f"agent: I changed the ramps.\nwrites: src/kiln.py\nhuman: {words}")
    assert len(played.claims) == 1, played.texts
    text = played.claims[0].text
    assert expected is None or expected in text
    assert text.startswith("The user on ") and "“" in text
    assert played.claims[0].evidence[0].quote in words
    assert not played.refused


PASSES = [
    "continue",
    "did you push?",
    "fix the failing test",
    "add a test for the empty cone table",
    "I ran it and it still fails, see the log",
    "What if we used Kafka?",
    "maybe we should always round up, not decided",
    "I am obviously the queen of Portugal, lol, we always win.",
    "In my novel the company never pays anybody.",
    "My boss thinks we should never use Rust.",
    "address 4, 18 and 152",
    "Why don't we always use the cache?",
    "could you always print the name instead of the id?",
    "thanks, that looks good",
    "If the tests pass, then we will drop Python 3.9.",
    "```\nalways use the shared logger, never print\n```",
    "2026-05-08 09:10:11 ERROR we should never be here, always check the cone",
    'The vendor page says "we are always the market leader".',
    "Let's look at this:\n\nThe loader must always validate its input instead of trusting it.",
]


@pytest.mark.parametrize("words", PASSES)
def test_what_passes_by_gives_no_claim(words: str) -> None:
    indented = words.replace("\n", "\n    ")
    assert play(f"writes: src/kiln.py\nagent: Shall I go on?\nhuman: {indented}").texts == []


def test_a_negation_is_kept() -> None:
    (claim,) = play("writes: src/glaze.py\nhuman: no, we never fire twice, the glaze must not crawl.").claims
    assert "never" in claim.text and "must not" in claim.text


def test_the_subject_is_what_the_clause_names_before_what_the_agent_did() -> None:
    played = play("writes: src/kiln.py\nhuman: we always round ramps.py up, never down")
    assert [claim.mention.name for claim in played.claims] == ["ramps.py"]


def test_without_a_name_the_text_names_the_file_that_was_written_and_the_project_has_it() -> None:
    (claim,) = play("writes: src/app/index.ts\nhuman: no, we never say oven, always furnace").claims
    assert (claim.mention.type, claim.mention.name) == ("project", "glazeworks")
    assert claim.text.startswith("The user on `app/index.ts`: ")


def test_without_a_project_the_file_that_was_written_is_the_subject() -> None:
    (claim,) = play("writes: src/app/index.ts\nhuman: no, we never say oven, always furnace", scope="").claims
    assert (claim.mention.type, claim.mention.name) == ("topic", "app/index.ts")


def test_a_correction_that_begins_with_it_is_about_what_was_worked_on() -> None:
    (claim,) = play("writes: src/limits.ts\nhuman: no, six. it has been six since Odile changed the rule, not eight").claims
    assert claim.mention.name == "limits.ts"


def test_without_any_subject_there_is_no_claim() -> None:
    assert play("agent: Hello.\nhuman: no, never ever like so, always otherwise").claims == ()


def test_the_project_is_the_subject_of_what_is_said_of_the_repository() -> None:
    (claim,) = play("agent: Hello.\nhuman: This is a public repository, we must not name customers.").claims
    assert (claim.mention.type, claim.mention.name) == ("project", "glazeworks")


def test_the_speaker_is_named_from_the_settings() -> None:
    played = play("writes: src/kiln.py\nhuman: we never round ramps.py down", me="Odile")
    assert played.texts == ["Odile on `ramps.py`: “we never round ramps.py down”"]


def test_a_sentence_that_leans_on_another_is_quoted_with_it() -> None:
    (claim,) = play("agent: ok\nhuman: The FiringPlan has nine fields. This is wrong, it should have eight.").claims
    assert claim.text == "The user on `FiringPlan`: “The FiringPlan has nine fields. This is wrong, it should have eight.”"


def test_an_agents_idea_is_never_a_persons() -> None:
    played = play("human: how do we smooth it?\nagent: You should always use two heaps, never one.\nhuman: interesting")
    assert played.claims == ()


@pytest.mark.parametrize(
    "words",
    [
        "We should keep that switch because every kiln has one",
        "hm, different from the studio kiln, which must never run at night",
        "For starters, this must be a warning, not an error.",
        "We don't want this: 5. `ramps.py` may always be too steep",
        "We never want `curves.py`, for the same reason.",
        "needs to be fired at cone six, never at ten",
        "use the RampTable instead of the list of numbers",
        "in `ramps_test.py`, use the rounded value, not the raw one",
        "the cone table is longer than the page, so members have to turn it",
        'Error: 7 {"kind":"kiln","says":"each `ramp` must have an end"}',
        "add a test for `fire()`. it should count the ramps instead of the cones.",
        "`ramps.py` takes seven numbers. Add a type for them.",
        "Hanne says she always wants `ramps.py` in small letters",
    ],
)
def test_what_leans_on_the_talk_or_ends_with_the_task_is_no_claim(words: str) -> None:
    assert play(f"agent: I changed the ramps.\nwrites: src/kiln.py\nhuman: {words}").claims == ()


def test_what_follows_on_the_line_of_a_pasted_item_is_pasted_too() -> None:
    script = """
        writes: src/kiln.py
        agent: Done.
        human: that isn't true...

            - (5) Passes the shelf twice. `kiln.py` has no shelf of its own, so it must always get one.

            `kiln.py` CAN know its shelf, we always tell it.
    """
    assert [claim.evidence[0].quote for claim in play(script).claims] == ["`kiln.py` CAN know its shelf, we always tell it."]


def test_only_what_was_just_written_labels_what_names_nothing() -> None:
    script = "writes: src/kiln.py\nwrites: tests/test_kiln.py\nhuman: never round down, always up"
    (claim,) = play(script).claims
    assert claim.text == "The user on `kiln.py`: “never round down, always up”"
    (later,) = play("writes: src/kiln.py\nhuman: ok\nagent: Fine.\nhuman: never round down, always up").claims
    assert later.text == "The user on glazeworks: “never round down, always up”"


def test_a_word_that_only_begins_a_sentence_is_not_quoted() -> None:
    (claim,) = play("writes: src/kiln.py\nhuman: so... and we never round down in `ramps.py`").claims
    assert claim.text == "The user on `ramps.py`: “we never round down in `ramps.py`”"


def test_no_desire_is_a_correction() -> None:
    (claim,) = play("writes: cones.md\nhuman: That is the wrong focus. we have NO desire to rate the cones by colour.").claims
    assert claim.evidence[0].quote == "we have NO desire to rate the cones by colour."
