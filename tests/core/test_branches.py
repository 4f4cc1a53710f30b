"""Rewound branches: two prompts under one turn kill the earlier; parallel results kill nothing."""

from __future__ import annotations

from conftest import as_lines, claude, jsonl
from wikimem.core import branches
from wikimem.core.sessions import assemble
from wikimem.edges.importers import claude_code


def words(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text}]


def result(call: str, content: str) -> list[dict[str, str]]:
    return [{"type": "tool_result", "tool_use_id": call, "content": content}]


SESSION = jsonl(
    claude(1, "user", "Where do we keep bookings?"),
    claude(2, "assistant", words("Files or a table."), 1),
    claude(3, "user", "Use files.", 2),
    claude(4, "assistant", words("Files it is."), 3),
    {"type": "system", "subtype": "turn_duration", "uuid": "u-009", "parentUuid": "u-002"},
    claude(5, "user", "Use a table, files get lost.", 9),
    claude(6, "assistant", [{"type": "tool_use", "id": "a", "name": "Read", "input": {}}], 5),
    claude(7, "user", result("a", "schema.sql"), 6),
    claude(8, "user", result("b", "pool of 12"), 6),
)


def test_the_earlier_of_two_prompts_under_one_turn_is_dead_with_all_that_follows() -> None:
    assert branches.dead(claude_code.read(as_lines(SESSION))) == {"u-003", "u-004"}


def test_parallel_tool_results_are_both_alive() -> None:
    session = assemble("s", [("", claude_code.read(as_lines(SESSION)))], {})
    alive = {turn.text for turn in session.turns if turn.at not in session.dead}
    assert {"schema.sql", "pool of 12"} <= alive
    assert "Use files." not in alive


def test_a_broken_link_begins_a_living_segment() -> None:
    data = jsonl(claude(1, "user", "One."), claude(2, "user", "Two.", 77), claude(3, "user", "Three.", 77))
    assert branches.dead(claude_code.read(as_lines(data))) == frozenset()


def test_what_a_later_record_takes_back_is_dead() -> None:
    data = jsonl(
        claude(1, "user", "Go."),
        claude(2, "assistant", words("Refused half way"), 1),
        claude(3, "assistant", words("The whole answer"), 1, supersedesUuids=["u-002"]),
    )
    assert branches.dead(claude_code.read(as_lines(data))) == {"u-002"}
