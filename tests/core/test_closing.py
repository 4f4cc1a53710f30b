"""Opening and closing: which words say what was asked and how it ended, and which only come first or last."""

from __future__ import annotations

import pytest

from wikimem.core import closing
from wikimem.core.turns import Form, Speaker, Turn


def said(text: str, at: str = "L1", form: Form = Form.PROSE) -> tuple[Turn, str]:
    return Turn(at, Speaker.ASSISTANT, form, text), text


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (("8", "yes", "Move the tide tables to port 9300."), "Move the tide tables to port 9300."),
        (("yes", "8"), "yes"),
        (("# Berths\n\nWho paints **berth** 4?",), "Berths Who paints berth 4?"),
        (("Implement the following plan:\n\n# Plan: Paint the hull\n\n1. Sand.",), "Implement the plan “Paint the hull”"),
        ((), ""),
    ],
)
def test_what_was_asked_is_the_first_that_says_something(words: tuple[str, ...], asked: str) -> None:
    assert closing.asked(words) == asked


def test_what_only_announces_or_is_of_a_helper_is_no_end() -> None:
    done = said("All nine tests pass and the pump is quiet.", "L5")
    turns = [
        said("Perfect! Here is the report you asked for.", "agent-a1/L9"),
        done,
        said("call", "L6", Form.CALL),
        said("Same problem. Let me check the valve.", "L7"),
        said("Now I have it all. I'll write the plan.", "L8"),
        said("The steps are:", "L9"),
        said("## Findings\n\nThe berth report.", "agent-a2/L3"),
    ]
    assert closing.ended(turns) == done
    assert closing.ended(turns[3:5]) is None
    marked, words = said("## Done\n\n```\nThe **hull** is dry.")
    assert closing.ended([(marked, words)]) == (marked, "Done The hull is dry.")
