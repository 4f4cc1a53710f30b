"""OpenCode's three stores, Hermes' database, and that another tool's database is left exactly as it was."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import orjson
import pytest

from agents import conversations, dumped, named, noise, opencode, read, recognised, said, spoken, told
from conftest import jsonl
from wikimem.core.turns import Speaker
from wikimem.edges.importers import databases
from wikimem.edges.importers import opencode as importer

ASK = {
    "type": "tool",
    "callID": "call_q",
    "tool": "question",
    "state": {
        "status": "completed",
        "output": "User has answered",
        "input": {"questions": [{"question": "Which lamp?"}]},
        "metadata": {"answers": [["the green one"]]},
    },
}
REFUSED = {
    "type": "tool",
    "callID": "call_r",
    "tool": "bash",
    "state": {
        "status": "error",
        "input": {"command": "rm lamp"},
        "error": "The user rejected permission to use this specific tool call with the following feedback: Never remove lamps.",
    },
}


def conversation(base: sqlite3.Connection) -> None:
    said(
        base, 1, "user", {"type": "text", "text": "Light the buoy."}, {"type": "text", "text": "Called Read.", "synthetic": True}
    )
    said(
        base,
        2,
        "assistant",
        {"type": "step-start"},
        {"type": "reasoning", "text": "green"},
        {"type": "text", "text": "Lit."},
        ASK,
        REFUSED,
        {"type": "tide"},
        modelID="m",
    )
    said(base, 3, "user", {"type": "compaction", "auto": True})
    said(base, 4, "assistant", {"type": "text", "text": "Goal: light."}, summary=True)


def test_the_database(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    base = opencode(path)
    conversation(base)
    base.execute(
        "INSERT INTO session VALUES('ses_child','prj','ses_harbour','/home/sam/harbour','Child','1.3.0',NULL,1777870000000,1)"
    )
    said(base, 5, "user", {"type": "text", "text": "Count the buoys."}, session="ses_child")
    (child, found) = sorted(conversations(path), key=lambda told: told.session)
    assert told(found.turns) == [("", "Light the buoy."), ("answer", "the green one"), ("rejection", "Never remove lamps.")]
    assert told(found.turns, Speaker.SUMMARY) == [("", "Goal: light.")]
    assert told(found.turns, Speaker.HARNESS) == [("synthetic", "Called Read.")]
    assert [(turn.call, turn.error) for turn in found.turns if turn.speaker is Speaker.TOOL] == [
        ("call_q", False),
        ("call_r", True),
    ]
    assert (dict(found.noise), dict(found.unknown)) == (
        {"part:step-start": 1, "part:compaction": 1, "part:tide": 1},
        {"part:tide": 1},
    )
    assert (child.facts["parent"], told(child.turns, Speaker.ASSISTANT)) == ("ses_harbour", [("prompt", "Count the buoys.")])
    assert found.started == "2026-05-04T04:46:40Z" and found.cwd == "/home/sam/harbour"
    base.close()


def test_what_was_undone_is_no_history(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    base = opencode(path)
    said(base, 1, "user", {"type": "text", "text": "Use oil."})
    said(base, 2, "user", {"type": "text", "text": "Use gas."})
    base.execute("UPDATE session SET revert = ?", (dumped({"messageID": "msg_002"}),))
    base.commit()
    (found,) = conversations(path)
    assert (told(found.turns), dict(found.noise)) == ([("", "Use oil.")], {"reverted": 1})
    base.close()


def test_files_and_exports_tell_what_the_database_tells(tmp_path: Path) -> None:
    root = tmp_path / "storage"
    info = {
        "id": "ses_harbour",
        "projectID": "prj",
        "directory": "/home/sam/harbour",
        "title": "Buoy lights",
        "version": "1.1",
        "time": {"created": 1_777_870_000_000, "updated": 1},
    }
    message = {"id": "msg_1", "sessionID": "ses_harbour", "role": "user", "time": {"created": 1_777_870_060_000}}
    part = {
        "id": "prt_001_0_abcdefghij",
        "messageID": "msg_1",
        "sessionID": "ses_harbour",
        "type": "text",
        "text": "Light the buoy.",
    }
    for place, value in (
        (root / "session" / "prj" / "ses_harbour.json", info),
        (root / "message" / "ses_harbour" / "msg_1.json", message),
        (root / "part" / "msg_1" / "prt_1.json", part),
    ):
        place.parent.mkdir(parents=True)
        place.write_bytes(orjson.dumps(value))
    export = tmp_path / "export.json"
    export.write_bytes(orjson.dumps({"info": info, "messages": [{"info": message, "parts": [part]}]}))
    for path in (root / "session" / "prj" / "ses_harbour.json", export):
        (found,) = conversations(path)
        assert (found.session, told(found.turns)) == ("ses_harbour", [("", "Light the buoy.")])
    assert recognised("msg_1.json", orjson.dumps(message)) == ""
    assert recognised("prt_1.json", orjson.dumps(part)) == ""


def listing(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if not path.name.endswith("-shm")}


def test_changes_that_only_the_log_holds_are_read_and_nothing_is_written(tmp_path: Path) -> None:
    live = tmp_path / "live"
    live.mkdir()
    base = opencode(live / "opencode.db")
    base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    conversation(base)
    assert (live / "opencode.db-wal").stat().st_size > 0
    # The tool runs: its own index is there.
    before = listing(live)
    assert len(conversations(live / "opencode.db")[0].turns) > 5
    assert listing(live) == before
    # The tool died, or somebody copied the two files.
    dead = tmp_path / "dead"
    dead.mkdir()
    for name in ("opencode.db", "opencode.db-wal"):
        shutil.copy(live / name, dead / name)
    before = listing(dead)
    assert len(conversations(dead / "opencode.db")[0].turns) > 5
    assert (listing(dead), sorted(path.name for path in dead.iterdir())) == (before, ["opencode.db", "opencode.db-wal"])
    # The tool ended properly: there is no log, and reading makes none.
    base.close()
    assert [path.name for path in live.iterdir()] == ["opencode.db"]
    assert len(conversations(live / "opencode.db")[0].turns) > 5
    assert [path.name for path in live.iterdir()] == ["opencode.db"]


def test_the_database_of_another_tool_is_not_taken(tmp_path: Path) -> None:
    base = sqlite3.connect(tmp_path / "chat.db")
    base.execute("CREATE TABLE message(id INTEGER, message_id TEXT, text TEXT)")
    base.commit()
    base.close()
    assert recognised("chat.db", (tmp_path / "chat.db").read_bytes()) == ""


def test_a_busy_database_is_an_error_of_the_world(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    base = sqlite3.connect(path, isolation_level=None)
    base.execute("CREATE TABLE t(x)")
    base.execute("BEGIN EXCLUSIVE")
    with pytest.raises(OSError, match="its tool is writing to it"), databases.reading(path, wait=0.05) as connection:
        connection.execute("SELECT * FROM t").fetchall()
    base.close()


def test_no_bytes_make_a_database_importer_raise(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    base = opencode(path)
    conversation(base)
    base.execute("PRAGMA journal_mode=DELETE")
    base.close()
    data = path.read_bytes()
    for start in range(0, len(data), 997):
        path.write_bytes(data[:start] + b"\xff" * 300 + data[start + 300 :])
        for found in importer.conversations(path):
            assert isinstance(found, str) or found.session
    path.write_bytes(data[:5000])
    assert any(isinstance(found, str) for found in importer.conversations(path))


def hermes(path: Path) -> sqlite3.Connection:
    base = sqlite3.connect(path)
    base.execute(
        "CREATE TABLE sessions(id TEXT PRIMARY KEY, source TEXT, model TEXT, parent_session_id TEXT, started_at REAL, title TEXT)"
    )
    base.execute(
        "CREATE TABLE messages(id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT,"
        " tool_calls TEXT, tool_name TEXT, timestamp REAL, reasoning TEXT)"
    )
    base.execute("INSERT INTO sessions VALUES('h-1', 'telegram', 'm', NULL, 1777881600.5, 'Sails')")
    call = dumped([{"id": "call_1", "function": {"name": "shell", "arguments": "{}"}}])
    rows = [
        ("user", "Hoist it.", None, None, None, 1777881601.0, None),
        ("assistant", "Hoisting.", None, call, None, 1777881602.0, "how"),
        ("tool", "ok", "call_1", None, "shell", 1777881603.0, None),
        ("session_meta", None, None, None, None, 1777881604.0, None),
    ]
    base.executemany(
        "INSERT INTO messages(session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp, reasoning)"
        " VALUES('h-1',?,?,?,?,?,?,?)",
        rows,
    )
    base.commit()
    return base


def test_hermes_in_a_database_in_a_document_and_in_lines(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    hermes(path).close()
    (found,) = conversations(path)
    assert (found.session, found.title, found.started) == ("h-1", "Sails", "2026-05-04T08:00:00Z")
    assert [(turn.speaker.value, turn.form.value) for turn in found.turns] == [
        ("human", "prose"),
        ("assistant", "thinking"),
        ("assistant", "prose"),
        ("assistant", "call"),
        ("tool", "result"),
    ]
    assert dict(found.noise) == {"no message": 1}
    document = {
        "session_id": "h-2",
        "platform": "cli",
        "session_start": "2026-05-04T08:00:00Z",
        "cwd": "/s",
        "messages": [{"role": "user", "content": "Lower it."}],
    }
    (tmp_path / "h-2.json").write_bytes(orjson.dumps(document))
    (one,) = conversations(tmp_path / "h-2.json")
    assert recognised("h-2.json", orjson.dumps(document)) == "hermes"
    assert (one.session, one.cwd, told(one.turns)) == ("h-2", "/s", [("", "Lower it.")])
    data = jsonl(
        {"role": "session_meta", "session_id": "h-3"},
        {"role": "user", "content": "Furl it.", "timestamp": "2026-05-04T08:00:00Z"},
    )
    assert recognised("h-3.jsonl", data) == "hermes-lines"
    records = read("hermes-lines", data)
    assert (spoken(records), noise(records)) == ([("", "Furl it.")], ["session_meta"])
    assert named("hermes-lines").hint(Path("h-3.jsonl")) == {"session": "h-3"}
