"""Claude Code beyond its plain session files: saved web sessions, records without ids, and parts that nobody knows."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from agents import conversations, noise, read, recognised, spoken, told
from conftest import claude, jsonl, turns_of
from wikimem.core.sessions import Account
from wikimem.edges.importers import claude_web


def text(words: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": words}]


def bare(number: int, role: str, content: object) -> dict[str, object]:
    record = claude(number, role, content)
    return {name: record[name] for name in ("type", "timestamp", "message")}


def test_a_saved_web_session_is_one_conversation(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    lines = [bare(1, "user", "Caulk the deck."), bare(2, "assistant", text("Caulked.")), {"type": "tide", "timestamp": "x"}]
    path.write_bytes(orjson.dumps({"id": "web-77", "title": "Deck", "loglines": lines}))
    (found,) = conversations(path)
    assert (found.session, found.title, told(found.turns)) == ("web-77", "Deck", [("", "Caulk the deck.")])
    assert dict(found.noise) == {"tide": 1}
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.index(b"Caulked")])
    cut = [one for one in claude_web.conversations(path) if not isinstance(one, str)]
    assert told(cut[0].turns) == [("", "Caulk the deck.")]


@pytest.mark.parametrize(
    ("odd", "end", "heard"),
    [
        ("-9223372036854775809", "", ["Caulk the deck.", "And the hatch."]),
        ("-9223372036854775809", "]}", ["Caulk the deck.", "And the hatch."]),
        ("[" * 1_015 + "]" * 1_015, "]}", ["And the hatch."]),
    ],
    ids=["beyond 64 bits, the file cut short", "beyond 64 bits", "nested too deep"],
)
def test_one_odd_value_costs_no_other_record_of_a_web_session(tmp_path: Path, odd: str, end: str, heard: list[str]) -> None:
    first, second = (orjson.dumps(bare(1, "user", said)).decode() for said in ("Caulk the deck.", "And the hatch."))
    path = tmp_path / "session.json"
    path.write_text(f'{{"id": "web-78", "loglines": [{first[:-1]}, "depth": {odd}}}, {second}{end}')
    (found,) = [one for one in claude_web.conversations(path) if not isinstance(one, str)]
    assert [turn.text for turn in found.turns] == heard


def test_records_that_lost_their_ids_are_still_claude_codes() -> None:
    data = jsonl(bare(1, "user", "Caulk the deck."), bare(2, "assistant", text("Caulked.")))
    assert recognised("s.jsonl", data) == "claude-code"
    assert spoken(read("claude-code", data)) == [("", "Caulk the deck.")]


def test_unknown_parts_are_counted_and_the_known_ones_used() -> None:
    odd = claude(2, "assistant", [{"type": "hologram", "data": "?"}, *text("Docs are due on 18 March.")], 1)
    records = read(
        "claude-code",
        jsonl(
            claude(1, "user", "Freeze on 20 March."),
            odd,
            {"type": "future-latch", "sessionId": "s"},
            {"type": "attachment", "uuid": "u-9", "attachment": {"type": "mascot_intro"}},
            {"type": "attachment", "uuid": "u-10", "attachment": {"type": "hook_success"}},
        ),
    )
    account = Account()
    for record in records:
        account.add(record)
    assert dict(account.unknown) == {"block:hologram": 1, "future-latch": 1, "attachment:mascot_intro": 1}
    assert "Docs are due on 18 March." in [turn.text for turn in turns_of(records)]
    assert account.balanced() and "attachment:hook_success" in noise(records)


def test_two_records_on_one_line_have_places_of_their_own() -> None:
    glued = jsonl(claude(1, "user", "One.")).rstrip() + jsonl(claude(2, "user", "Two.", 1))
    assert [turn.at for turn in turns_of(read("claude-code", glued))] == ["L1", "L1-2"]
