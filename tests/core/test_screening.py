"""Screening: what a memory said comes back as no evidence; what a person answers to it does count."""

from dataclasses import replace

import pytest

from wikimem.core import gate, screening
from wikimem.core.claims import Kind, Mention, Stance
from wikimem.core.drafts import Draft, Gate, Quote
from wikimem.core.screening import Screened, screen
from wikimem.core.turns import Form, Speaker, Turn
from wikimem.core.vocabulary import SHIPPED

HUMAN, ASSISTANT, TOOL = Speaker.HUMAN, Speaker.ASSISTANT, Speaker.TOOL
ROTATES = "The harbour key rotates every 90 days."


def turn(number: int, speaker: Speaker, text: str, form: Form = Form.PROSE, name: str = "", call: str = "") -> Turn:
    return Turn(f"L{number}", speaker, form, text, name=name, call=call, identity=f"t{number}")


def rules(session: Screened) -> list[str]:
    return [heard.rule for heard in session.heard]


def fact(text: str, at: str, words: str, stance: Stance = Stance.FACT) -> Draft:
    return Draft(Mention("", "topic", "harbour key"), "", Kind.SEMANTIC, stance, text, (Quote(at, words),))


def admitted(session: Screened, *drafts: Draft) -> tuple[list[str], list[str]]:
    claims, refused = gate.admit(drafts, Gate(session, SHIPPED))
    return [claim.text for claim in claims], [one.rule for one in refused]


def test_recalled_memory_proves_nothing_and_the_answer_to_it_does() -> None:
    session = screen(
        [
            turn(1, HUMAN, f"<wikimem-memory source='x'>{ROTATES}</wikimem-memory>\nWhat do I have to do?"),
            turn(2, ASSISTANT, '{"query": "harbour key"}', Form.CALL, "mcp__wikimem__recall", "r1"),
            turn(3, TOOL, f"topics/harbour.md: {ROTATES}", Form.RESULT, call="r1"),
            turn(4, ASSISTANT, "By your notes the harbour key rotates every 90 days, so rotate it now."),
            turn(5, HUMAN, "Done, I rotated it."),
        ]
    )
    assert rules(session) == ["injected", "own-tool", "own-tool", "", ""]
    assert session.heard[0].words.strip() == "What do I have to do?"
    words = "harbour key rotates every 90 days"
    kept, refused = admitted(
        session,
        fact(ROTATES, "L1", words),
        fact(ROTATES, "L3", words, Stance.EVIDENCE),
        fact(ROTATES, "L4", words, Stance.INFERENCE),
        fact("The harbour key was rotated.", "L5", "I rotated it"),
    )
    assert kept == ["The harbour key was rotated."]
    assert sorted(refused) == ["evidence", "quote", "recalled"]


def test_a_sub_agent_that_only_retells_the_session_is_no_evidence() -> None:
    told = turn(1, ASSISTANT, "The harbour key rotates every 90 days.")
    every = [replace(told, at=f"{name}/L1") for name in ("agent-acompact-1f2e3d", "agent-1f2e3d")]
    assert rules(screen(every)) == ["summary", ""]


@pytest.mark.parametrize(
    ("name", "call", "result"),
    [
        ("Bash", '{"command": "cat ~/memory/wiki/topics/harbour.md"}', ROTATES),
        ("Read", '{"file_path": "C:\\\\m\\\\wiki\\\\people\\\\mira.md"}', ROTATES),
        ("Bash", '{"command": "cd x && wikimem recall \\"harbour key\\""}', ROTATES),
        ("Bash", '{"command": "uv run python -m wikimem search key"}', ROTATES),
        ("Bash", '{"command": "grep -rn rotates ."}', f"./t/h.md:9:- {ROTATES} [^abcdefghijkl]"),
        ("Bash", '{"command": "cat x"}', '{"claim":"abcdefghijkl","text":"' + ROTATES + '"}'),
        ("Grep", '{"pattern": "key", "path": "sources/2026/08/20260814-claude-code-9f3a1c2b.jsonl"}', ROTATES),
        ("Bash", '{"command": "./ask.sh"}', f"2026-08-14 human: {ROTATES} 20260814-claude-code-9f3a1c2b:L118"),
        ("Bash", '{"command": "./ask.sh"}', f"## 2026-08-14 10:11Z\n[9f3a1c2b:L118] human\n> {ROTATES}"),
        ("Bash", '{"command": "./ask.sh"}', f"[9f3a1c2b:agent-a1/L5-2] human\n> {ROTATES}"),
    ],
)
def test_whatever_reads_the_vault_is_no_evidence(name: str, call: str, result: str) -> None:
    session = screen(
        [
            turn(1, ASSISTANT, call, Form.CALL, name, "c1"),
            turn(2, TOOL, result, Form.RESULT, call="c1"),
            turn(3, HUMAN, "That is wrong, it is every 60 days since April."),
        ]
    )
    assert session.heard[1].words == ""
    kept, _ = admitted(
        session,
        fact(ROTATES, "L2", "rotates every 90 days", Stance.EVIDENCE),
        fact("The harbour key rotates every 60 days since April.", "L3", "every 60 days since April"),
    )
    assert kept == ["The harbour key rotates every 60 days since April."]


@pytest.mark.parametrize(
    ("call", "result"),
    [
        ('{"command": "cat docs/wiki/Home.md"}', "The harbour key rotates every 90 days."),
        ('{"command": "pip install wikimem"}', "ok"),
        ('{"command": "ls"}', "topics people"),
    ],
)
def test_other_results_may_be_evidence(call: str, result: str) -> None:
    session = screen([turn(1, ASSISTANT, call, Form.CALL, "Bash", "c1"), turn(2, TOOL, result, Form.RESULT, call="c1")])
    assert session.heard[1].words == result


def test_who_is_no_witness() -> None:
    session = screen(
        [
            turn(1, Speaker.HARNESS, "The user is called Build Bot."),
            turn(2, Speaker.SUMMARY, "The user prefers haiku."),
            turn(3, ASSISTANT, "They seem to like haiku.", Form.THINKING),
            turn(4, HUMAN, "Use Kafka then."),
            turn(5, HUMAN, "Use NATS then."),
        ],
        dead={"L4"},
    )
    assert rules(session) == ["harness", "summary", "thinking", "rewound", ""]
    assert len(session.heard) == 5


def test_of_a_pasted_plan_or_review_only_the_persons_own_words_count() -> None:
    plan = screen([turn(1, HUMAN, "Implement the following plan:\n\n# Plan\n\nSwitch to Postgres.")])
    assert plan.heard[0].words == "Implement the following plan:"
    inline = screen([turn(1, HUMAN, "Implement this plan: " + "switch everything to Postgres. " * 9)])
    assert inline.heard[0].words == "Implement this plan"
    alone = screen([turn(1, HUMAN, "Implement the following plan:")])
    assert (alone.heard[0].words, alone.heard[0].rule) == ("Implement the following plan:", "")
    review = screen([turn(1, HUMAN, "address this\n\n## Review\nBad.\n### Issues\nMany.\n### Verdict\nNo.")])
    assert review.heard[0].words.strip() == "address this"
    own = screen([turn(1, HUMAN, "# Rule\nAlways use tabs.")])
    assert own.heard[0].words == "# Rule\nAlways use tabs."


def test_sessions_of_our_own_compiler_are_none_and_those_that_quote_its_prompt_are() -> None:
    ours = screen([turn(1, HUMAN, "<wikimem-task name='extract'>…"), turn(2, ASSISTANT, "{}")])
    assert rules(ours) == ["own-session", "own-session"]
    words = "Change the prompt that begins with <wikimem-task name='extract'>, it is too long."
    assert screen([turn(1, HUMAN, words)]).heard[0].words == words


def test_memory_without_an_end_hides_the_rest() -> None:
    session = screen([turn(1, HUMAN, f"Look: <wikimem-memory>{ROTATES} and more")])
    assert session.heard[0].words.strip() == "Look:"
    assert session.recalled[0][0] == 0


def test_what_a_person_pasted_from_a_recall_is_not_their_word() -> None:
    pasted = f"This is what you told me:\n[9f3a1c2b:L118] human Ann\n> {ROTATES}\n> And more.\nThat is wrong.\n> quoted by me"
    (heard,) = screen([turn(1, HUMAN, pasted)]).heard
    assert heard.words == "This is what you told me:\nThat is wrong.\n> quoted by me"


@pytest.mark.parametrize(
    "cited",
    [
        "[^k7f3q2a6xw4m]",
        '"claim": "k7f3q2a6xw4m"',
        '"claim":"k7f3q2a6xw4m"',
        "20260302-claude-code-0f3a1c2b:L120",
        "[0f3a1c2b:L12-2]",
        "[0f3a1c2b:agent-a1/L3]",
    ],
)
def test_every_form_of_a_citation_is_known(cited: str) -> None:
    assert screening._CITED.search(cited)
    assert screening._cites(f"as {cited} says")
    assert not screening._cites("as nobody says")
