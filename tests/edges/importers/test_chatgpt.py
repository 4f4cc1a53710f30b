"""ChatGPT's export: a tree with hidden nodes and gaps, in one file, in many, packed."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mangling import altered, document, mangled
from wikimem.core.turns import Form, Speaker
from wikimem.edges import importers
from wikimem.edges.importers import chatgpt
from wikimem.edges.importers.format import Conversation, Head

DAY = 1_786_700_000  # 2026-08-14T09:33:20Z


def node(key: str, parent: str | None, role: str = "", text: str = "", time: float | None = None, **more: Any) -> dict[str, Any]:
    message: dict[str, Any] | None = None
    if role:
        content = {"content_type": "text", "parts": [text]}
        message = {"id": key, "author": {"role": role}, "create_time": time, "content": content, **more}
    return {"id": key, "parent": parent, "children": [], "message": message}


def chat(*nodes: dict[str, Any], **more: Any) -> dict[str, Any]:
    mapping = {each["id"]: each for each in nodes}
    for each in nodes:
        if each["parent"] in mapping:
            mapping[each["parent"]]["children"].append(each["id"])
    told = {"title": "Bread", "create_time": DAY, "update_time": DAY + 900, "conversation_id": "c-7", "mapping": mapping}
    return {**told, "current_node": nodes[-1]["id"], **more}


def bread(**more: Any) -> dict[str, Any]:
    return chat(
        node("root", None),
        node("sys", "root", "system", ""),
        node("q1", "sys", "user", "Which flour?", DAY + 1),
        node("a1", "q1", "assistant", "Spelt.", DAY + 5),
        node("a2", "q1", "assistant", "Rye.", DAY + 20),
        node("q2", "a2", "user", "Rye it is.", None),
        node("a3", "q2", "assistant", "Noted.", DAY + 60),
        **more,
    )


def read(path: Path, data: bytes) -> list[Conversation | str]:
    path.write_bytes(data)
    return list(chatgpt.conversations(path))


def one(tmp_path: Path, value: object) -> Conversation:
    (found,) = read(tmp_path / "conversations.json", document([value]))
    assert isinstance(found, Conversation)
    return found


def left(found: Conversation) -> set[str]:
    return {turn.identity for turn in found.turns if turn.mark == "left"}


def recognised(data: bytes, name: str = "conversations.json") -> str:
    format = importers.recognise(Head(name, data[: 1 << 16], len(data) <= 1 << 16))
    return format.name if format else ""


def test_the_thread_from_the_current_node_counts_and_a_branch_that_was_left_is_dead(tmp_path: Path) -> None:
    found = one(tmp_path, bread())
    assert [(turn.speaker, turn.text, turn.said) for turn in found.turns] == [
        (Speaker.HUMAN, "Which flour?", "2026-08-14T09:33:21Z"),
        (Speaker.ASSISTANT, "Spelt.", "2026-08-14T09:33:25Z"),
        (Speaker.ASSISTANT, "Rye.", "2026-08-14T09:33:40Z"),
        (Speaker.HUMAN, "Rye it is.", "2026-08-14"),
        (Speaker.ASSISTANT, "Noted.", "2026-08-14T09:34:20Z"),
    ]
    assert left(found) == {"a1"}
    assert (found.session, found.title, found.started) == ("c-7", "Bread", "2026-08-14T09:33:20Z")
    assert found.noise == {"node without a message": 1, "empty message": 1}


def test_records_are_turns_and_noise(tmp_path: Path) -> None:
    value = bread()
    found = one(tmp_path, value)
    assert len({turn.identity for turn in found.turns}) + sum(found.noise.values()) == len(value["mapping"])


@pytest.mark.parametrize("current", [None, "gone", 7])
def test_without_a_current_node_the_newest_leaf_counts(tmp_path: Path, current: object) -> None:
    assert left(one(tmp_path, bread(current_node=current))) == {"a1"}


def test_a_cycle_does_not_hang_and_loses_nothing(tmp_path: Path) -> None:
    value = bread()
    value["mapping"]["root"]["parent"] = "a3"
    value["mapping"]["a1"]["parent"] = "a1"
    assert len(one(tmp_path, value).turns) == 5


def test_a_parent_that_was_never_written_begins_a_thread_that_is_alive(tmp_path: Path) -> None:
    value = bread()
    value["mapping"]["q2"]["parent"] = "gone"
    value["mapping"]["a2"]["children"] = []
    found = one(tmp_path, value)
    assert {turn.text for turn in found.turns} == {"Which flour?", "Spelt.", "Rye.", "Rye it is.", "Noted."}
    assert not left(found)


def test_children_alone_make_the_tree_and_parents_alone_too(tmp_path: Path) -> None:
    for key in ("children", "parent"):
        value = bread()
        for each in value["mapping"].values():
            del each[key]
        found = one(tmp_path, value)
        assert ([turn.identity for turn in found.turns], left(found)) == (["q1", "a1", "a2", "q2", "a3"], {"a1"})


def test_images_files_code_tools_and_thoughts(tmp_path: Path) -> None:
    parts = [{"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_1"}, "What is this?"]
    attached = {"attachments": [{"id": "file_1", "name": "crumb.png"}, {"id": "file_2", "name": "notes.pdf"}]}
    value = chat(
        node("q", None, "user", content={"content_type": "multimodal_text", "parts": parts}, metadata=attached),
        node("t", "q", "assistant", content={"content_type": "thoughts", "thoughts": [{"content": "A crumb."}]}),
        node("r", "t", "assistant", content={"content_type": "reasoning_recap", "content": "3 s"}),
        node("c", "r", "assistant", content={"content_type": "code", "text": '{"q":"crumb"}'}, recipient="web.run"),
        node("o", "c", "tool", content={"content_type": "execution_output", "text": "open crumb"}),
        node("a", "o", "assistant", content={"content_type": "code", "language": "python", "text": "bake()"}),
        default_model_slug="gpt-q",
    )
    found = one(tmp_path, value)
    assert [(turn.speaker, turn.form, turn.text, turn.name) for turn in found.turns] == [
        (Speaker.HUMAN, Form.PROSE, "[image: crumb.png]\nWhat is this?\n[file: notes.pdf]", ""),
        (Speaker.ASSISTANT, Form.THINKING, "A crumb.", "gpt-q"),
        (Speaker.ASSISTANT, Form.CALL, '{"q":"crumb"}', "web.run"),
        (Speaker.TOOL, Form.RESULT, "open crumb", ""),
        (Speaker.ASSISTANT, Form.PROSE, "```python\nbake()\n```", "gpt-q"),
    ]


def test_hidden_messages_are_noise_and_settings_are_kept_once(tmp_path: Path) -> None:
    settings_ = {"content_type": "user_editable_context", "user_profile": "I bake.", "user_instructions": "Be short."}
    hidden = {"is_visually_hidden_from_conversation": True}
    chats = []
    for number in range(3):
        nodes = (
            node("s", None, "user", content=settings_, metadata=hidden),
            node("h", "s", "user", "Injected.", metadata=hidden),
            node("q", "h", "user", f"Question {number}"),
        )
        chats.append(chat(*nodes, conversation_id=f"c-{number}", create_time=DAY + 86400 * number))
    *found, profile = read(tmp_path / "conversations.json", document(chats))
    assert [each.noise for each in found if isinstance(each, Conversation)] == [{"profile": 1, "hidden": 1}] * 3
    assert isinstance(profile, Conversation)
    assert [(turn.speaker, turn.text, turn.said) for turn in profile.turns] == [
        (Speaker.HUMAN, "I bake.\n\nBe short.", "2026-08-14")
    ]


def test_what_is_unknown_is_counted_and_what_is_understood_of_it_kept(tmp_path: Path) -> None:
    value = chat(
        node("q", None, "user", content={"content_type": "hologram", "text": "Look."}),
        node("x", "q", "narrator", "Once."),
        node("y", "x", "user", content={"content_type": "smell", "ppm": 3}),
    )
    found = one(tmp_path, value)
    assert [turn.text for turn in found.turns] == ["Look."]
    assert found.unknown == {"content:hologram": 1, "content:smell": 1, "role:narrator": 1}
    assert found.noise == {"content:smell": 1, "role:narrator": 1}


def test_what_is_not_to_be_remembered_is_counted_only(tmp_path: Path) -> None:
    secret = bread(conversation_id="c-8", is_do_not_remember=True)
    found = read(tmp_path / "conversations.json", document([secret, bread()]))
    assert [each.session for each in found if isinstance(each, Conversation)] == ["c-7"]
    assert isinstance(found[0], Conversation)
    assert found[0].noise["conversation marked as not to be remembered"] == 1


def test_an_archive_and_its_many_files(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("chat.html", "<html>" * 20)
        for number in range(3):
            archive.writestr(f"conversations-00{number}.json", document([bread(conversation_id=f"c-{number}")]))
        archive.writestr("shared_conversations.json", document([{"id": "x", "title": "Shared"}]))
        archive.writestr("../conversations.json", document([bread(conversation_id="c-odd")]))
    found = list(chatgpt.conversations(path))
    assert [each.session for each in found if isinstance(each, Conversation)] == ["c-odd", "c-0", "c-1", "c-2"]
    assert len(found) == 4
    assert recognised(path.read_bytes(), "export.zip") == "chatgpt"


def test_it_is_recognised_by_content() -> None:
    assert recognised(document([bread()], 1)) == "chatgpt"
    assert recognised(document([{"uuid": "c", "chat_messages": []}])) == "claude-ai"
    assert recognised(b'{"mapping": {}}', "map.json") == ""


def test_a_value_that_is_no_conversation_is_told_without_its_words(tmp_path: Path) -> None:
    reason, found = read(tmp_path / "c.json", document(["some words", bread()]))
    assert reason == "item 1: no conversation: it has no messages"
    assert isinstance(found, Conversation)


def test_a_conversation_without_id_has_the_same_one_when_it_grew(tmp_path: Path) -> None:
    short = bread(conversation_id=None)
    grown = chat(*[{**each, "children": []} for each in short["mapping"].values()], node("q9", "a3", "user", "And salt?"))
    grown["conversation_id"] = None
    assert one(tmp_path, short).session == one(tmp_path, grown).session != ""


def test_a_torn_export_keeps_what_is_whole(tmp_path: Path) -> None:
    whole = json.dumps([bread(), bread(conversation_id="c-9")])
    cut = whole[: whole.rindex('"a3"')].encode()
    reason, first, rescued = read(tmp_path / "c.json", cut)
    assert isinstance(first, Conversation) and first.session == "c-7"
    assert reason == "item 2: not JSON: cut short or mangled; 6 whole messages in it were kept"
    assert isinstance(rescued, Conversation)
    assert [turn.identity for turn in rescued.turns] == ["q1", "a1", "a2", "q2", "a3"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_mangled_and_altered_exports_never_raise(tmp_path: Path, data: st.DataObject) -> None:
    value = data.draw(altered([bread(), bread(conversation_id="c-9")]))
    raw = document(value)
    for piece in (raw, data.draw(mangled(raw))):
        for each in read(tmp_path / "conversations.json", piece):
            assert isinstance(each, str) or each.turns
        recognised(piece)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data(), st.integers(0, 2))
def test_a_damaged_conversation_never_takes_another_one_with_it(tmp_path: Path, data: st.DataObject, place: int) -> None:
    texts = [json.dumps(bread(conversation_id=f"c-{number}")) for number in range(3)]
    cut = data.draw(st.integers(1, len(texts[place]) - 1))
    texts[place] = texts[place][:cut]
    found = read(tmp_path / "conversations.json", f"[{','.join(texts)}]".encode())
    sessions = {each.session for each in found if isinstance(each, Conversation)}
    assert sessions >= {f"c-{number}" for number in range(3) if number != place}
    assert any(isinstance(each, str) for each in found)
