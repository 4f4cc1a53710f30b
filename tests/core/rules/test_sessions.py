"""Whole sessions: values and their corrections, decisions with what they accept, and what must never be taken for a fact."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scripts import SCOPE, judge, play
from wikimem.core import extraction
from wikimem.core.claims import Stance
from wikimem.core.turns import Form, Speaker, Turn


def values(script: str, scope: str = SCOPE) -> list[tuple[str, str, str, str]]:
    claims = play(script, scope).claims
    return sorted((c.mention.name, c.attribute, c.text, c.evidence[0].holds.start.moment) for c in claims if c.attribute)


def test_values_of_plain_sentences_and_their_later_values() -> None:
    script = "2026-01-10:\nhuman: The gallery API runs on port 8080. Odile is the release manager.\nagent: ok"
    assert values(script) == [
        ("gallery API", "port", "The gallery API runs on port 8080.", ""),
        ("glazeworks", "release-manager", "Odile is release manager.", ""),
    ]


def test_a_date_that_a_value_tells_is_kept_with_it() -> None:
    found = values(
        "2026-02-20:\nhuman: Since this morning the kiln API runs on port 9090. Bram is release manager from 1 March.\nagent: ok"
    )
    assert [(name, moment) for name, _, _, moment in found] == [("glazeworks", "2026-03-01"), ("kiln API", "2026-02-20")]


def test_a_value_of_clients_is_no_value_of_theirs() -> None:
    assert values("human: Reminder for the wiki: clients must use port 8080.\nagent: ok") == []


def test_each_service_has_its_own_value() -> None:
    found = values(
        "human: The firing service retries three times. The mail service retries five times. Odile leads firing.\nagent: ok"
    )
    assert [(name, attribute) for name, attribute, _, _ in found] == [
        ("firing", "lead"),
        ("firing service", "retry-limit"),
        ("mail service", "retry-limit"),
    ]


def test_a_correction_takes_attribute_and_subject_from_what_it_corrects() -> None:
    script = """
        2026-03-30:
        human: what do I put into the job for staging?
        agent: Host kiln-db.example, port 5432.
        human: no, it is 6432 now, not 5432. staging has been behind a pooler since last Tuesday.
    """
    assert ("Staging", "port", "Staging runs on port 6432.", "2026-03-24") in values(script)


def test_an_option_that_is_taken_is_a_decision_with_its_proposal() -> None:
    played = play(
        """
        agent: Two ways:
            A) Columns on `loans`.
            B) A table `holds` with `expires_at`.
        human: do B. a hold is not a loan.
        """
    )
    (claim,) = [claim for claim in played.claims if claim.attribute == "decision"]
    assert claim.mention.name == "holds"
    assert claim.evidence[0].proposal is not None
    assert claim.evidence[0].proposal.quote == "B) A table `holds` with `expires_at`."
    assert (claim.stance, claim.evidence[0].speaker) == (Stance.FACT, "human")


def test_an_answer_in_a_dialog_is_a_decision() -> None:
    (claim,) = play("answers: What should run the nightly firing? -> A timer in the API").claims
    assert claim.text == "The user decided, asked “What should run the nightly firing?”: “A timer in the API”"
    assert (claim.mention.type, claim.mention.name) == ("decision", "Nightly firing")


@pytest.mark.parametrize(
    "script",
    [
        "answers: How should we proceed with the commit? -> fix the issues",
        "answers: Which glaze should we use for the tiles? -> Decide later",
        "answers: Which glaze should we use for the tiles? -> Why do you ask?",
        "agent: Shall I commit now?\nhuman: yes",
        "agent: Shall I switch to Kafka then?\nhuman: Maybe later, not decided.",
        "agent: I could also add a purge job for `loans`.\nhuman: interesting",
    ],
)
def test_what_decides_nothing_is_no_decision(script: str) -> None:
    assert play(script).claims == ()


def test_an_approved_plan_is_an_event_and_its_points_are_nobodys() -> None:
    (claim,) = play(
        "2026-02-24:\napproves: # Plan: Label sheets\n\n    - Labels are 70 mm wide. -> User has approved your plan."
    ).claims
    assert claim.text == "The user approved the plan “Label sheets”."


def test_a_reason_of_a_rejection_stands() -> None:
    (claim,) = play("rejects: git merge --squash -> no, we always merge with rebase, never squash.").claims
    assert claim.mention.name == "Pull requests"


def test_dates_are_those_of_the_turn() -> None:
    script = (
        "2024-09-13:\nhuman: I toured the Ghent studio last week and yesterday I signed the lease for it. The audit is next "
        "Friday."
    )
    (claim,) = play(f"{script}\nagent: Congratulations.", scope="").claims
    assert "last week [2024-09-02 to 2024-09-08] and yesterday [2024-09-12]" in claim.text


def test_an_unknown_day_gives_no_date() -> None:
    script = "nobody-knows:\nhuman: Yesterday I signed the lease for the Ghent studio.\nagent: Congratulations."
    assert [(c.text, c.evidence[0].holds.start.moment) for c in play(script, scope="").claims] == [
        ("The user: “Yesterday I signed the lease for the Ghent studio.”", "")
    ]


def test_an_assistants_advice_is_nobodys_fact_and_a_choice_is() -> None:
    script = """
        human: How can I keep a running median of kiln values?
        agent: I keep two heaps; a histogram is simpler. You may also want to stop drinking coffee.
        human: Interesting. For the blog I will use the histogram.
    """
    texts = play(script, scope="").texts
    assert all("heaps" not in text and "coffee" not in text for text in texts)
    assert texts == ["The user: “For the blog I will use the histogram.”"]


def test_others_are_not_the_user() -> None:
    script = """
        human: My neighbour Joris is afraid of heights, and his club has just booked him on a climbing week.
        agent: Poor Joris.
        human: List the open tickets of client Baxter. And my sister says I should move to Porto.
    """
    assert [(c.mention.type, c.mention.name) for c in play(script, scope="").claims] in ([("person", "Joris")], [])


def test_a_note_is_quoted_as_a_note_and_its_list_counts() -> None:
    played = play(
        """
        2026-05-27:
        human: # Visit

            - From 1 June 2026 a member may borrow at most six kilns, not eight.
            - Firing logs are kept for good.
            - Ghent may join in autumn if they find somebody.
        """,
        title="Visit",
    )
    assert played.texts == [
        "A note on Visit: “From 1 June 2026 a member may borrow at most six kilns, not eight.”",
        "Firing logs are kept for good.",
    ]


def test_a_cause_that_the_agent_told_is_its_inference_and_only_the_last() -> None:
    played = play(
        """
        runs: make test -> 12 tests passed
        agent: The root cause is in `ramps.py`, which reads the cone table before it is loaded.
        human: ok
        agent: The root cause was `cones.csv`, which had two rows for cone twelve in it.
        """
    )
    (claim,) = [claim for claim in played.claims if claim.stance is Stance.INFERENCE]
    assert claim.text == "An agent on `cones.csv`: “The root cause was `cones.csv`, which had two rows for cone twelve in it.”"
    assert (claim.confidence, claim.evidence[0].speaker) == (50, "assistant")


def test_a_guess_of_the_agent_is_nothing() -> None:
    assert play("runs: ls -> x\nagent: The root cause might be in `ramps.py`, which probably reads the cone table.").claims == ()


def test_the_episode_tells_what_was_asked_and_how_it_ended() -> None:
    episode = play("human: round the ramps up\nagent: Looking.\nagent: All ramps are rounded up.").reply["episode"]
    assert episode == {"asked": "round the ramps up", "outcome": "All ramps are rounded up."}


@pytest.mark.parametrize("first", ["166", "hi", "ok?"])
def test_what_was_asked_is_what_says_something(first: str) -> None:
    episode = play(f"human: {first}\nagent: Hello.\nhuman: round the ramps up\nagent: Done.").reply["episode"]
    assert episode["asked"] == "round the ramps up"


def test_a_cause_of_nobody_knows_what_is_not_told() -> None:
    assert play("runs: ls -> x\nagent: The root cause was `ramps.py` only reads the cones.").claims == ()


def test_a_number_for_an_option_that_is_not_told_is_no_decision() -> None:
    assert play("answers: How should the kiln API filter its files? -> 2 and also leave out the broken cones").claims == ()


def test_what_gave_a_value_is_not_quoted_again() -> None:
    assert play("human: We always run it so: the kiln API runs on port 8080.\nwrites: a.py\nagent: ok").texts == [
        "The kiln API runs on port 8080."
    ]


@pytest.mark.parametrize(
    ("words", "name", "type_"),
    [
        ("I always use tabs in counter.py.", "counter.py", "topic"),
        ("My sister Hanne moved to Ghent and always visits us in March 2025.", "Hanne", "person"),
        ("We looked at Kafka for the kiln queue and decided against it in March 2025.", "Kafka", "topic"),
    ],
)
def test_one_sentence_gives_one_claim_whatever_rules_it_fits(words: str, name: str, type_: str) -> None:
    (claim,) = play(f"human: {words}\nagent: ok").claims
    assert (claim.mention.name, claim.mention.type) == (name, type_)


def test_a_person_of_a_session_is_a_person_in_all_its_claims() -> None:
    script = (
        "human: Ilka is the release captain.\nagent: ok\nhuman: The review must always be done by Ilka, never by anybody else."
    )
    mentions = {(claim.mention.type, claim.mention.name, claim.mention.scope) for claim in play(script).claims}
    assert ("person", "Ilka", "") in mentions
    assert not [name for type_, name, _ in mentions if name == "Ilka" and type_ != "person"]


def test_who_does_what_is_told_while_an_agent_works() -> None:
    (claim,) = play("agent: Done.\nwrites: src/kiln.py\nhuman: Ilka is the release captain.").claims
    assert (claim.mention.type, claim.mention.name, claim.text) == ("person", "Ilka", "The user: “Ilka is the release captain.”")


_WORDS = st.one_of(
    st.text(max_size=120),
    st.lists(
        st.sampled_from(
            ["we", "never", "always", "use", "`ramps.py`", "not", "port", "8080", "yesterday", "since", "March", "no,", "Odile",
             "I", "bought", "kiln", ".", "?", "\n", "- ", "```", "“", "”", "option", "B", "decided", "don't", "[said]", "\u202e",
             "my", "her", "brother", "if", "unless", "will", "against", "it", "Kafka", "looked at", "where", "did", "you"]
        ),
        max_size=40,
    ).map(" ".join),
)  # fmt: skip
_TURN = st.builds(
    Turn,
    at=st.integers(1, 60).map("L{}".format),
    speaker=st.sampled_from(Speaker),
    form=st.sampled_from(Form),
    text=_WORDS,
    name=st.sampled_from(["", "Odile", "Bram", "Ilse", "Bash", "Write"]),
    said=st.sampled_from(["", "2026", "2026-05-08", "2026-05-08T09:00:00Z", "0001-01-01", "9999-12-31"]),
    call=st.sampled_from(["", "c1", "c2"]),
    error=st.booleans(),
    mark=st.sampled_from(["", "answer", "approval", "rejection", "queued"]),
    about=_WORDS,
)


@settings(max_examples=400, deadline=None)
@given(st.lists(_TURN, max_size=12, unique_by=lambda turn: turn.at), st.sampled_from(["", SCOPE]), st.sampled_from(["", "Odile"]))
def test_whatever_was_said_the_reply_is_read_and_its_quotes_stand(turns: list[Turn], scope: str, me: str) -> None:
    played = judge(tuple(turns), scope, me)
    assert played.reply == judge(tuple(turns), scope, me).reply
    extraction.read(played.reply, scope, me)
    broken = {"schema", "turn", "quote", "speaker", "acceptance", "form", "date"}
    assert [refusal for refusal in played.refused if refusal.rule in broken] == []
