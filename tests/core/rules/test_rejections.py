"""What was looked at and turned down: a decision that says so, under the name of what was turned down."""

from __future__ import annotations

import pytest

from scripts import play

REJECTED = [
    ("we looked at Kafka and decided against it", "Kafka"),
    ("We considered RabbitMQ, but in the end we rejected it because of its size.", "RabbitMQ"),
    ("We decided against Pulsar for the queue.", "Pulsar"),
    ("I decided not to use `httpx` for the kiln client.", "httpx"),
    ("We ruled out MongoDB, it is too large for us.", "MongoDB"),
    ("We rejected the idea of a monorepo.", "monorepo"),
    ("Kafka looked good. We looked at the costs and decided against it.", "Kafka"),
]


@pytest.mark.parametrize(("words", "name"), REJECTED)
@pytest.mark.parametrize("script", ["human: {}\nagent: ok", "agent: Done.\nwrites: src/kiln.py\nhuman: {}"])
def test_what_was_turned_down_is_a_decision_that_says_so(script: str, words: str, name: str) -> None:
    (claim,) = play(script.format(words)).claims
    assert (claim.mention.name, claim.attribute) == (name, "decision")
    assert "which was considered and rejected: “" in claim.text
    assert claim.evidence[0].quote in words


@pytest.mark.parametrize(
    "words",
    [
        "We looked at three brokers and chose Kafka.",
        "we decided against it",
        "What if we decided against Kafka?",
        "If the price rises, we decided against Kafka.",
        "In my novel we looked at Kafka and decided against it.",
        "The pull request was rejected.",
    ],
)
def test_what_was_chosen_supposed_or_not_named_is_no_rejection(words: str) -> None:
    assert not [
        claim for claim in play(f"human: {words}\nagent: ok").claims if "rejected:" in claim.text or "against it" in claim.text
    ]


def test_a_call_that_turns_something_down_says_so() -> None:
    call = "2025-09-12:\nOdile: Hi.\nIlse: Hello.\nBram: We agreed to keep RFC-7 and we decided against RFC-9."
    (claim,) = play(call, scope="").claims
    assert claim.text.startswith("Bram on RFC-9, which was considered and rejected: “")
    assert claim.attribute == "decision"
