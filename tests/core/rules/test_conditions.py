"""What is said for a case only: kept with its condition, without a date, and never as a plain fact or a decision."""

from __future__ import annotations

import pytest

from scripts import play
from wikimem.core.rules import conditions

PLANS = [
    "If the audit passes, then we will drop Node 18.",
    "We'd move to Ghent if rents fall.",
    "We will drop Node 18 once the audit passes.",
    "We will ship the tiles unless Hanne objects.",
    "We agreed to sell the kiln, provided that the roof holds.",
]


@pytest.mark.parametrize("text", PLANS)
def test_what_is_planned_for_a_case_is_a_condition(text: str) -> None:
    assert conditions.planned(text)


@pytest.mark.parametrize(
    "text",
    [
        "Let me see if it works, and then we will ship.",
        "Let's not fire the kiln if only the labels changed.",
        "I won't stop, even if it rains.",
        "I call my sister when I am sad.",
        "We will drop Node 18 on 3 June.",
        "It fires only if the door is shut.",
    ],
)
def test_a_rule_a_habit_and_a_plain_plan_are_no_planned_condition(text: str) -> None:
    assert not conditions.planned(text)


CHAT = "2025-09-12:\nOdile: Hello.\nBram: {}"


@pytest.mark.parametrize(
    "words",
    ["If the audit passes, we will drop the old glaze by 3 June 2026.", "I'll move to Ghent in May 2026 if my lease ends."],
)
def test_a_plan_on_a_condition_keeps_it_and_has_no_date(words: str) -> None:
    (claim,) = play(CHAT.format(words), scope="").claims
    assert claim.text.startswith("Bram, on a condition: “")
    assert words.split()[-1].rstrip(".") in claim.text
    assert " if " in claim.text or "“If " in claim.text
    assert (claim.attribute, claim.evidence[0].holds.start.moment) == ("", "")


@pytest.mark.parametrize(
    "words",
    [
        "If the audit passes, the kiln API runs on port 9090.",
        "The kiln API runs on port 9090 unless the gallery is shut.",
        "Unless Hanne objects, Odile is the release manager.",
    ],
)
def test_a_value_on_a_condition_is_no_value(words: str) -> None:
    claims = play(f"human: {words}\nagent: ok").claims
    assert not [claim for claim in claims if claim.attribute]
    assert all(words in claim.text for claim in claims)


def test_what_stands_behind_a_colon_is_so_whatever_comes() -> None:
    script = "human: if they are fired, send the tiles to staging: host kiln-db.example, port 5432.\nagent: ok"
    assert [claim.text for claim in play(script).claims if claim.attribute] == ["Staging runs on port 5432."]
    bare = "human: if they are fired, send the tiles to staging on port 5432.\nagent: ok"
    assert not [claim for claim in play(bare).claims if claim.attribute]


def test_a_decision_on_a_condition_is_none_yet() -> None:
    call = (
        "2025-09-12:\nOdile: Hi.\nIlse: Hello.\nHanne: Hi all.\nBram: We decided to ship GLZ-2 on 6 October 2025 if RFC-7 passes."
    )
    (claim,) = play(call, scope="").claims
    assert "on a condition" in claim.text
    assert (claim.attribute, claim.evidence[0].holds.start.moment) == ("", "")
    plain = play(call.replace(" if RFC-7 passes", " with RFC-7"), scope="").claims
    assert [(claim.attribute, "condition" in claim.text) for claim in plain] == [("decision", False)]
