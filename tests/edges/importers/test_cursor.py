"""Cursor: transcripts in lines, the markdown export, and its databases, which are only read."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from agents import conversations, dumped, named, noise, read, recognised, spoken, told
from conftest import jsonl, turns_of
from wikimem.core import sessions
from wikimem.core.turns import Speaker


def line(role: str, *blocks: object) -> dict[str, object]:
    return {"role": role, "message": {"content": list(blocks)}}


def text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}


def test_only_the_query_is_a_persons() -> None:
    wrapped = "<open_files>\nI like knots\n</open_files>\n<user_query>\nSplice the rope.\n</user_query>"
    data = jsonl(
        line("user", text(wrapped)),
        line("assistant", text("[REDACTED]"), {"type": "tool_use", "name": "Shell", "input": {"command": "splice"}}),
        line("user", {"type": "tool_result", "tool_use_id": "t1", "content": [text("done")]}),
        line("user", text("Thanks.")),
        line("assistant", {"type": "hologram", "text": "seen"}, {"type": "scent"}),
        {"type": "turn_ended"},
        {"type": "tide"},
    )
    assert recognised("x.jsonl", data) == "cursor"
    records = read("cursor", data)
    assert spoken(records) == [("", "Splice the rope."), ("", "Thanks.")]
    assert spoken(records, Speaker.ASSISTANT) == [("", '{"command":"splice"}'), ("", "seen")]
    assert noise(records) == ["turn_ended", "tide"]
    assert [record.unknown for record in records if record.unknown] == [("block:hologram", "block:scent")]


def test_a_tag_that_is_never_closed_takes_no_words() -> None:
    records = read("cursor", jsonl(line("user", text("<user_id> is never filled in."))))
    assert spoken(records) == [("", "<user_id> is never filled in.")]


def test_a_sub_agents_prompt_is_known_by_its_place() -> None:
    hint = named("cursor").hint(Path("/c/agent-transcripts/rope-1/subagents/child-1.jsonl"))
    assert hint == {"session": "child-1", "parent": "rope-1", "agent": "child-1"}
    records = list(
        sessions.hinted(read("cursor", jsonl(line("user", text("List knots.")), line("assistant", text("Two.")))), hint)
    )
    assert [(turn.speaker.value, turn.mark) for turn in turns_of(records)] == [("assistant", "prompt"), ("assistant", "")]


def test_a_rule_inside_an_answer_ends_nothing_in_the_export() -> None:
    data = b"""# Rope
_Exported on 4/5/2026 at 12:55:28 GMT+3 from Cursor (1.0.0)_

---

**User**

Splice it.

---

**Cursor**

Like this:

---

Not a new message, and neither is **User** here.

---

**User**

---
"""
    assert recognised("rope.md", data) == "cursor-export"
    records = read("cursor-export", data)
    told_ = [(turn.speaker.value, turn.text) for turn in turns_of(records)]
    assert told_[0] == ("human", "Splice it.")
    assert told_[1] == ("assistant", "Like this:\n\n---\n\nNot a new message, and neither is **User** here.")
    assert len(told_) == 2 and noise(records) == ["head", "head", "message:blank"]


COMPOSER = "10a3d6b2-aa05-411a-b271-5945795e8229"
BUBBLES = [f"4f426dcb-b394-4b36-bb2d-420f0f8808{n:02}" for n in range(4)]


def editor(path: Path) -> sqlite3.Connection:
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE cursorDiskKV(key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
    base.execute("CREATE TABLE ItemTable(key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
    base.execute("INSERT INTO ItemTable VALUES('cursorAuth/accessToken', 'not for us')")
    headers = [{"bubbleId": own, "type": 1 if n == 0 else 2} for n, own in enumerate(BUBBLES[:3])]
    composer = {
        "composerId": COMPOSER,
        "name": "Rope",
        "createdAt": 1_777_881_600_000,
        "lastUpdatedAt": 1_777_881_700_000,
        "fullConversationHeadersOnly": headers,
        "workspaceIdentifier": {"uri": {"fsPath": "/home/sam/rope"}},
    }
    bubbles = [
        {"type": 1, "text": "Splice the rope.", "createdAt": "2026-05-04T08:00:00.000Z"},
        {
            "type": 2,
            "text": "",
            "thinking": {"text": "which"},
            "toolFormerData": {
                "name": "run_terminal_cmd",
                "status": "error",
                "rawArgs": '{"command":"splice"}',
                "result": '{"output":"torn"}',
                "toolCallId": "toolu_0123456789abcdef",
            },
        },
        {"type": 2, "text": "Spliced.", "createdAt": "2026-05-04T08:00:09.000Z"},
        {"type": 1, "text": "Taken back."},
    ]
    base.execute("INSERT INTO cursorDiskKV VALUES(?,?)", (f"composerData:{COMPOSER}", dumped(composer)))
    for own, bubble in zip(BUBBLES, bubbles, strict=True):
        base.execute("INSERT INTO cursorDiskKV VALUES(?,?)", (f"bubbleId:{COMPOSER}:{own}", dumped({**bubble, "bubbleId": own})))
    base.execute("INSERT INTO cursorDiskKV VALUES('composerData:broken', '{')")
    base.commit()
    return base


def test_the_editors_database(tmp_path: Path) -> None:
    path = tmp_path / "state.vscdb"
    base = editor(path)
    base.execute("DELETE FROM cursorDiskKV WHERE key = 'composerData:broken'")
    base.commit()
    base.close()
    (found,) = conversations(path)
    assert (found.session, found.title, found.cwd, found.stamp) == (COMPOSER, "Rope", "/home/sam/rope", "1777881700000")
    assert [(turn.speaker.value, turn.form.value, turn.error) for turn in found.turns] == [
        ("human", "prose", False),
        ("assistant", "thinking", False),
        ("assistant", "call", False),
        ("tool", "result", True),
        ("assistant", "prose", False),
    ]
    assert dict(found.noise) == {"bubble taken back": 1}
    assert told(found.turns) == [("", "Splice the rope.")]


def test_a_broken_composer_costs_only_itself(tmp_path: Path) -> None:
    from wikimem.edges.importers import cursor_database

    path = tmp_path / "state.vscdb"
    editor(path).close()
    found = list(cursor_database.conversations(path))
    assert [told for told in found if isinstance(told, str)] == ["composer broken: its data is no JSON"]
    assert len(found) == 2


def test_the_chat_tabs_of_old_versions(tmp_path: Path) -> None:
    path = tmp_path / "state.vscdb"
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE ItemTable(key TEXT UNIQUE, value BLOB)")
    tabs = {
        "tabs": [
            {
                "tabId": "tab-1",
                "chatTitle": "Knots",
                "bubbles": [{"type": "user", "text": "Which knot?"}, {"type": "ai", "rawText": "A bowline."}],
            }
        ]
    }
    base.execute("INSERT INTO ItemTable VALUES('workbench.panel.aichat.view.aichat.chatdata', ?)", (dumped(tabs),))
    base.commit()
    base.close()
    (found,) = conversations(path)
    assert [turn.text for turn in found.turns] == ["Which knot?", "A bowline."]


def test_the_agents_store_lists_its_messages_in_the_newest_root(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)")
    base.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)")
    messages = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": [text("<user_query>\nMend it.\n</user_query>")]},
        {
            "role": "assistant",
            "content": [text("Mended."), {"type": "tool-call", "toolCallId": "c1", "toolName": "Edit", "args": {}}],
        },
    ]
    ids = [bytes([n]) * 32 for n in range(1, 4)]
    for own, message in zip(ids, messages, strict=True):
        base.execute("INSERT INTO blobs VALUES(?,?)", (own.hex(), dumped(message).encode()))
    base.execute("INSERT INTO blobs VALUES('root', ?)", (b"".join(b"\x0a\x20" + own for own in (ids[1], ids[2], b"\x09" * 32)),))
    meta = {
        "agentId": "a1b2c3d4-0000-4000-8000-000000000001",
        "name": "Sail",
        "latestRootBlobId": "root",
        "createdAt": 1_777_881_600_000,
    }
    base.execute("INSERT INTO meta VALUES('0', ?)", (dumped(meta).encode().hex(),))
    base.commit()
    base.close()
    (found,) = conversations(path)
    assert (found.title, told(found.turns)) == ("Sail", [("", "Mend it.")])
    assert [turn.text for turn in found.turns][1:] == ["Mended.", "{}"]
    assert dict(found.noise) == {"blob without a message": 1}
