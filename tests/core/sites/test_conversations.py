"""A session in parts: everything is there, cited words are marked, and long outputs are cut where nothing was cited."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wikimem.core.claimfiles import ClaimFile, Stamp
from wikimem.core.claims import Claim, Evidence, Kind, Mention, Stance
from wikimem.core.sessions import Account, Session
from wikimem.core.sites import conversations
from wikimem.core.turns import Form, Speaker, Turn


def session(*turns: Turn, dead: frozenset[str] = frozenset()) -> Session:
    return Session("20260302-wikimem-af9661dd", turns, dead, {}, Account())


def cites(at: str, quote: str) -> ClaimFile:
    mention = Mention("", "topic", "gates")
    claim = Claim(mention, "", Kind.SEMANTIC, Stance.FACT, "Gates stop.", (Evidence(at, "", quote, "human", source="s"),))
    return ClaimFile(Stamp("20260302-wikimem-af9661dd", "0", "1", "m", "1"), (claim,))


def test_cited_words_are_marked_and_the_claim_is_named() -> None:
    turn = Turn("L2", Speaker.HUMAN, Form.PROSE, "Well, the gates  stop now.")
    (part,) = conversations.of(session(turn), cites("L2", "the gates stop"), lambda id: "topics/gates.md")
    (said,) = part.turns
    assert [(one.kind, one.text) for one in said.stretches] == [
        ("plain", "Well, "),
        ("quote", "the gates  stop"),
        ("plain", " now."),
    ]
    assert said.cited[0].href.startswith("../../../topics/gates.html#c-")


def test_a_claim_that_no_page_shows_has_no_link() -> None:
    turn = Turn("L2", Speaker.HUMAN, Form.PROSE, "the gates stop")
    (part,) = conversations.of(session(turn), cites("L2", "the gates stop"), lambda id: "")
    assert part.turns[0].cited[0].href == ""


def test_a_long_output_is_cut_but_not_where_it_is_cited() -> None:
    text = "a" * 9_000 + " the gates stop " + "b" * 9_000
    turn = Turn("L2", Speaker.TOOL, Form.RESULT, text)
    (part,) = conversations.of(session(turn), cites("L2", "the gates stop"), lambda id: "")
    kinds = [one.kind for one in part.turns[0].stretches]
    assert kinds == ["plain", "gap", "plain", "quote", "plain", "gap", "plain"]
    left = sum(int(one.text) if one.kind == "gap" else len(one.text) for one in part.turns[0].stretches)
    assert left == len(text)


def test_a_long_session_has_parts_and_cited_turns_know_theirs() -> None:
    turns = [Turn(f"L{n}", Speaker.ASSISTANT, Form.PROSE, "word " * 4_000) for n in range(2, 32)]
    parts = conversations.of(session(*turns), cites("L31", "word word"), lambda id: "")
    assert len(parts) > 2
    assert [said.at for part in parts for said in part.turns] == [turn.at for turn in turns]
    assert conversations.cited_parts(parts) == {"L31": len(parts)}


def test_rewound_turns_and_members_are_told() -> None:
    turns = (Turn("L2", Speaker.HUMAN, Form.PROSE, "no"), Turn("agent-a1/L1", Speaker.ASSISTANT, Form.PROSE, "yes"))
    (part,) = conversations.of(session(*turns, dead=frozenset({"L2"})), None, lambda id: "")
    assert [(said.rewound, said.member) for said in part.turns] == [(True, ""), (False, "agent-a1")]


def test_a_call_is_known_by_what_it_does() -> None:
    turn = Turn("L2", Speaker.TOOL, Form.CALL, '{"command": "make  test"}', name="Bash")
    (part,) = conversations.of(session(turn), None, lambda id: "")
    assert part.turns[0].label == "make test"


@given(st.text(alphabet="ab \n", max_size=80), st.text(alphabet="ab ", min_size=1, max_size=6))
def test_a_marked_text_is_the_text(text: str, quote: str) -> None:
    turn = Turn("L2", Speaker.HUMAN, Form.PROSE, text)
    (part,) = conversations.of(session(turn), cites("L2", quote), lambda id: "")
    assert "".join(one.text for one in part.turns[0].stretches) == text
