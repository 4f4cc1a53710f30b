"""Claude.ai's export: branches, blocks, attachments, projects, and conversations that lack almost everything."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mangling import altered, document, mangled
from wikimem.core.turns import Form, Speaker
from wikimem.edges import importers
from wikimem.edges.importers import claude_ai
from wikimem.edges.importers.format import Conversation, Head

ROOT = "00000000-0000-4000-8000-000000000000"


def message(key: str, parent: str, sender: str, text: str, minute: int, **more: Any) -> dict[str, Any]:
    told = {"uuid": key, "text": text, "sender": sender, "created_at": f"2026-08-14T10:{minute:02}:00.000000Z"}
    blocks = [{"type": "text", "text": text, "citations": []}]
    return {**told, "content": blocks, "attachments": [], "files": [], "parent_message_uuid": parent, **more}


def bread(**more: Any) -> dict[str, Any]:
    messages = [
        message("m1", ROOT, "human", "Which flour?", 0),
        message("m2", "m1", "assistant", "Spelt.", 1),
        message("m3", "m1", "assistant", "Rye.", 2),
        message("m4", "m3", "human", "Rye it is.", 3),
        message("m5", "m4", "assistant", "Noted.", 4),
    ]
    told = {"uuid": "c-7", "name": "Bread", "created_at": "2026-08-14T10:00:00Z", "updated_at": "2026-08-14T10:05:00Z"}
    return {**told, "chat_messages": messages, **more}


def read(path: Path, data: bytes) -> list[Conversation | str]:
    path.write_bytes(data)
    return list(claude_ai.conversations(path))


def one(tmp_path: Path, value: object) -> Conversation:
    (found,) = read(tmp_path / "conversations.json", document([value]))
    assert isinstance(found, Conversation)
    return found


def left(found: Conversation) -> set[str]:
    return {turn.identity for turn in found.turns if turn.mark == "left"}


def recognised(data: bytes, name: str = "conversations.json") -> str:
    format = importers.recognise(Head(name, data[: 1 << 16], len(data) <= 1 << 16))
    return format.name if format else ""


def test_the_branch_of_the_newest_leaf_counts(tmp_path: Path) -> None:
    found = one(tmp_path, bread())
    assert [(turn.speaker, turn.text, turn.identity) for turn in found.turns] == [
        (Speaker.HUMAN, "Which flour?", "m1"),
        (Speaker.ASSISTANT, "Spelt.", "m2"),
        (Speaker.ASSISTANT, "Rye.", "m3"),
        (Speaker.HUMAN, "Rye it is.", "m4"),
        (Speaker.ASSISTANT, "Noted.", "m5"),
    ]
    assert left(found) == {"m2"}
    assert found.turns[3].said == "2026-08-14T10:03:00Z"


def test_a_first_question_that_was_put_otherwise_is_left_too(tmp_path: Path) -> None:
    value = bread()
    value["chat_messages"].insert(0, message("m0", ROOT, "human", "Which floor?", 0))
    assert left(one(tmp_path, value)) == {"m0", "m2"}


def test_without_parents_all_of_it_is_one_thread(tmp_path: Path) -> None:
    value = bread()
    for each in value["chat_messages"]:
        del each["parent_message_uuid"]
        del each["content"]
    found = one(tmp_path, value)
    assert [turn.text for turn in found.turns] == ["Which flour?", "Spelt.", "Rye.", "Rye it is.", "Noted."]
    assert not left(found)


def test_blocks_attachments_and_files(tmp_path: Path) -> None:
    attached = [{"file_name": "recipe.txt", "file_type": "txt", "extracted_content": "500 g rye"}]
    blocks = [
        {"type": "thinking", "thinking": "Bake."},
        {"type": "token_budget"},
        {"type": "tool_use", "id": "t1", "name": "artifacts", "input": {"content": "# Rye"}},
        {"type": "tool_result", "tool_use_id": "t1", "name": "artifacts", "content": [{"type": "text", "text": "OK"}]},
        {"type": "hologram", "text": "Shown."},
        {"type": "text", "text": "Done."},
    ]
    messages = [
        message("m1", ROOT, "human", "Read this.", 0, attachments=attached, files=[{"file_name": "loaf.png"}]),
        message("m2", "m1", "assistant", "This block is not supported on your current device yet.", 1, content=blocks),
    ]
    found = one(tmp_path, bread(chat_messages=messages))
    assert [(turn.speaker, turn.form, turn.text, turn.name) for turn in found.turns] == [
        (Speaker.HUMAN, Form.PROSE, "Read this.\n[file: recipe.txt]\n[file: loaf.png]", ""),
        (Speaker.TOOL, Form.RESULT, "500 g rye", "recipe.txt"),
        (Speaker.ASSISTANT, Form.THINKING, "Bake.", ""),
        (Speaker.ASSISTANT, Form.CALL, '{"content":"# Rye"}', "artifacts"),
        (Speaker.TOOL, Form.RESULT, "OK", "artifacts"),
        (Speaker.ASSISTANT, Form.PROSE, "Shown.", ""),
        (Speaker.ASSISTANT, Form.PROSE, "Done.", ""),
    ]
    assert found.unknown == {"block:hologram": 1}
    assert {turn.reply for turn in found.turns[2:]} == {"m2"}


def test_no_id_no_dates_no_content(tmp_path: Path) -> None:
    bare = {"name": None, "chat_messages": [{"sender": "human", "text": "Just this."}, {"sender": "assistant", "text": "Yes."}]}
    found = one(tmp_path, bare)
    assert [(turn.text, turn.said) for turn in found.turns] == [("Just this.", ""), ("Yes.", "")]
    assert found.session == one(tmp_path, bare).session != ""
    dated = one(tmp_path, {**bare, "created_at": "2026-08-14T10:00:00Z"})
    assert {turn.said for turn in dated.turns} == {"2026-08-14"}


def test_empty_conversations_are_counted_and_are_no_sources(tmp_path: Path) -> None:
    empty = bread(uuid="c-0", chat_messages=[])
    (found,) = read(tmp_path / "c.json", document([empty, bread(), empty]))
    assert isinstance(found, Conversation)
    assert found.noise == {"conversation without turns": 2}
    assert read(tmp_path / "c.json", document([empty])) == ["not one turn; conversation without turns 1"]


def test_an_archive_with_projects_and_memories(tmp_path: Path) -> None:
    project = {"uuid": "p-1", "name": "Bakery", "description": "", "prompt_template": "Answer in grams.", "docs": []}
    project["docs"] = [{"uuid": "d-1", "filename": "oven.md", "content": "# Oven"}]
    memories = [{"conversations_memory": "They bake rye.", "project_memories": {"p-1": "Grams."}, "account_uuid": "a-1"}]
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("users.json", document([{"uuid": "u", "email_address": "someone@example.org"}]))
        archive.writestr("conversations.json", document([bread()]))
        archive.writestr("projects.json", document([project]))
        archive.writestr("memories.json", document(memories))
    found = {each.session: each for each in claude_ai.conversations(path) if isinstance(each, Conversation)}
    assert list(found) == ["c-7", "memory-a-1", "p-1"]
    assert [(turn.speaker, turn.text) for turn in found["p-1"].turns] == [
        (Speaker.HUMAN, "Answer in grams."),
        (Speaker.TOOL, "# Oven"),
    ]
    assert {turn.speaker for turn in found["memory-a-1"].turns} == {Speaker.SUMMARY}
    assert recognised(path.read_bytes(), "data.zip") == "claude-ai"


def test_it_is_recognised_by_content() -> None:
    assert recognised(document([bread()], 1)) == "claude-ai"
    assert recognised(document([{"conversations_memory": "x"}]), "memories.json") == "claude-ai"
    assert recognised(document([{"uuid": "p", "name": "x", "prompt_template": "", "docs": []}]), "projects.json") == "claude-ai"
    assert recognised(document({"type": "config", "tools": {"prompt_template": "x"}}), "wire.jsonl") == ""


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_mangled_and_altered_exports_never_raise(tmp_path: Path, data: st.DataObject) -> None:
    raw = document(data.draw(altered([bread(), bread(uuid="c-9")])))
    for piece in (raw, data.draw(mangled(raw))):
        for each in read(tmp_path / "conversations.json", piece):
            assert isinstance(each, str) or each.turns
        recognised(piece)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data(), st.integers(0, 2))
def test_whole_messages_of_a_torn_conversation_are_kept(tmp_path: Path, data: st.DataObject, place: int) -> None:
    texts = [json.dumps(bread(uuid=f"c-{number}")) for number in range(3)]
    cut = data.draw(st.integers(1, len(texts[place]) - 1))
    whole = [key for key in ("m1", "m2", "m3", "m4", "m5") if f'"{key}"' in texts[place][:cut]]
    texts[place] = texts[place][:cut]
    found = read(tmp_path / "conversations.json", f"[{','.join(texts)}]".encode())
    kept = [each for each in found if isinstance(each, Conversation)]
    assert {each.session for each in kept} >= {f"c-{number}" for number in range(3) if number != place}
    rescued = {turn.identity for each in kept if each.session not in ("c-0", "c-1", "c-2") for turn in each.turns}
    assert rescued >= set(whole[:-2])
