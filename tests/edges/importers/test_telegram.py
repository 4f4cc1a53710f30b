"""Telegram's export: one chat or all of them, text in pieces, who forwards has not said it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mangling import altered, document, mangled
from wikimem.core.turns import Speaker
from wikimem.edges import importers
from wikimem.edges.importers import telegram
from wikimem.edges.importers.format import Conversation, Head


def message(number: int, text: object, **more: Any) -> dict[str, Any]:
    times = {"date": "2026-08-14T12:13:20", "date_unixtime": str(1_786_700_000 + number)}
    return {"id": number, "type": "message", **times, "from": "Ada", "from_id": "user7", "text": text, **more}


def chat(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": "Bakery", "type": "private_group", "id": 77, "messages": list(messages), **more}


def read(path: Path, data: bytes) -> list[Conversation | str]:
    path.write_bytes(data)
    return list(telegram.conversations(path))


def test_turns_and_noise(tmp_path: Path) -> None:
    value = chat(
        message(1, ["Rye ", {"type": "bold", "text": "now"}, "."]),
        message(2, "", action="join", type="service"),
        message(3, "", photo="photo.jpg"),
        message(4, "Look.", file_name="list.pdf", **{"from": None}),
        message(5, "Bread is dear.", forwarded_from="Bo"),
        message(6, "", poll={"question": "Which?", "answers": [{"text": "Rye"}, {"text": "Spelt"}]}),
        message(7, "?", type="hologram"),
        message(8, "Undated.", date_unixtime=None),
    )
    (found,) = read(tmp_path / "result.json", document(value))
    assert isinstance(found, Conversation)
    assert [(turn.name, turn.text) for turn in found.turns] == [
        ("Ada", "Rye now."),
        ("user7", "[file: list.pdf]\nLook."),
        ("Bo", "Bread is dear."),
        ("Ada", "Which?\n- Rye\n- Spelt"),
        ("Ada", "Undated."),
    ]
    assert found.turns[0].said == "2026-08-14T09:33:21Z"
    # Telegram's other time is local to whoever made the export, who does not say where that was.
    assert found.turns[4].said == "2026-08-14T12:13:20"
    assert found.noise == {"service message": 1, "message without words": 1, "type:hologram": 1}
    assert found.unknown == {"type:hologram": 1}
    assert (found.session, found.title, found.turns[0].identity) == ("telegram-77", "Bakery", "telegram-77-1")


def test_all_chats_of_an_account(tmp_path: Path) -> None:
    bot = chat(message(1, "I am a bot.", **{"from": "Helper"}), name="Helper", type="bot_chat", id=78)
    value = {"chats": {"list": [chat(message(1, "Rye.")), bot]}, "left_chats": {"list": [chat(message(1, "Bye."), id=79)]}}
    found = read(tmp_path / "result.json", document(value))
    assert [each.session for each in found if isinstance(each, Conversation)] == ["telegram-77", "telegram-78", "telegram-79"]
    assert isinstance(found[1], Conversation)
    assert found[1].turns[0].speaker is Speaker.HARNESS


def test_a_torn_export_keeps_its_whole_messages(tmp_path: Path) -> None:
    raw = json.dumps(chat(*(message(number, f"number {number}") for number in range(5))))
    reason, found = read(tmp_path / "result.json", raw[: raw.index('"number 4"')].encode())
    assert reason == "item 1: not JSON: cut short or mangled; 4 whole messages in it were kept"
    assert isinstance(found, Conversation)
    assert [turn.text for turn in found.turns] == [f"number {number}" for number in range(4)]


def test_it_is_recognised_by_content() -> None:
    format = importers.recognise(Head("result.json", document(chat(message(1, "Rye.")), 1), True))
    assert format is not None and format.name == "telegram"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_mangled_and_altered_exports_never_raise(tmp_path: Path, data: st.DataObject) -> None:
    value = {"chats": {"list": [chat(message(1, ["Rye", {"text": "."}]), message(2, "Yes."))]}}
    raw = document(data.draw(altered(value)))
    for piece in (raw, data.draw(mangled(raw))):
        assert all(isinstance(each, str) or each.turns for each in read(tmp_path / "result.json", piece))
        importers.recognise(Head("result.json", piece, True))


def test_the_two_times_of_a_message_tell_the_offset_of_the_clock(tmp_path: Path) -> None:
    value = chat(message(1, "Now.", date="2026-08-14T11:33:21"), message(2, "Then.", date="2026-08-14T09:33:22"))
    (found,) = read(tmp_path / "result.json", document(value))
    assert isinstance(found, Conversation)
    assert [(turn.said, turn.offset) for turn in found.turns] == [
        ("2026-08-14T09:33:21Z", "+02:00"),
        ("2026-08-14T09:33:22Z", ""),
    ]
    assert found.started == "2026-08-14T09:33:21Z"
