"""Conversations in containers that grow: a continuation with what is new, never the same words twice."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import orjson
import pytest

from agents import dumped, opencode, said
from conftest import NOW, jsonl
from wikimem.faces.api import Vault


def texts(vault: Vault) -> list[str]:
    ledger = vault._opened.ledger
    ledger.forget_cache()
    return [turn.text for source in ledger.all() for turn in ledger.read(source).turns]


def words(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def test_a_session_in_a_database_goes_on_as_a_continuation(vault: Vault, tmp_path: Path) -> None:
    base = opencode(tmp_path / "opencode.db")
    said(base, 1, "user", words("Light the buoy."))
    said(base, 2, "assistant", words("Lit."))
    (first,) = vault.ingest([tmp_path]).added
    assert vault.ingest([tmp_path]).added == []
    said(base, 3, "user", words("Now dim it. The code is AKIAIOSFODNN7EXAMPLE."))
    # A new title changes nothing that was said.
    base.execute("UPDATE session SET title = 'Dimmed', time_updated = time_updated + 1")
    base.commit()
    (second,) = vault.ingest([tmp_path]).added
    assert (second.continues, second.session) == (first.id, first.session)
    again = vault.ingest([tmp_path])
    assert (again.added, again.unchanged) == ([], 1)
    base.execute("UPDATE session SET title = 'Brighter', time_updated = time_updated + 1")
    said(base, 4, "user", words("Brighter."))
    (third,) = vault.ingest([tmp_path]).added
    assert third.continues == second.id
    assert sorted(texts(vault)) == ["Brighter.", "Light the buoy.", "Lit.", "Now dim it. The code is [masked:aws-access-key]."]
    assert vault.verify().problems == ()
    base.close()


def test_a_session_that_still_goes_on_is_left_and_looked_at_again(vault: Vault, tmp_path: Path) -> None:
    now = int(NOW.timestamp() * 1000)
    base = opencode(tmp_path / "opencode.db", updated=now)
    said(base, 1, "user", words("Old words."))
    base.execute("INSERT INTO session VALUES('ses_live','prj',NULL,'/h','Live','1.3.0',NULL,?,?)", (now, now))
    base.execute("INSERT INTO message VALUES('msg_live','ses_live',?,'{\"role\":\"user\"}')", (now - 60_000,))
    base.execute(
        "INSERT INTO part VALUES('prt_live_abcdefghij','msg_live','ses_live','{\"type\":\"text\",\"text\":\"New words.\"}')"
    )
    base.commit()
    report = vault.ingest([tmp_path])
    assert [each.session for each in report.added] == ["ses_harbour"]
    assert [where.rpartition("#")[2] for where in report.open] == ["ses_live"]
    # Nothing of the file changed, but time went by.
    later = Vault.open(vault.root, clock=lambda: NOW.replace(hour=12))
    assert [each.session for each in later.ingest([tmp_path]).added] == ["ses_live"]
    base.close()


def document(*texts: str, title: str = "") -> bytes:
    messages = [
        {"id": f"m{n}", "timestamp": f"2026-05-04T08:{n:02}:00Z", "type": "user", "content": text} for n, text in enumerate(texts)
    ]
    return orjson.dumps(
        {"sessionId": "8f0c2c1e-0000-4000-8000-00000000a001", "projectHash": "ab", "summary": title, "messages": messages}
    )


def test_a_document_that_is_written_anew_adds_only_what_is_new(vault: Vault, tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    path.write_bytes(document("Go on.", "Go on."))
    (first,) = vault.ingest([path]).added
    path.write_bytes(document("Go on.", "Go on.", "Go on.", title="Going on"))
    (second,) = vault.ingest([path]).added
    assert second.continues == first.id
    # A copy under another name, shorter or equal, adds nothing.
    (tmp_path / "copy.json").write_bytes(document("Go on.", "Go on."))
    assert vault.ingest([tmp_path / "copy.json"]).added == []
    assert texts(vault) == ["Go on."] * 3


def test_a_message_that_changed_is_another_version_and_no_copy(vault: Vault, tmp_path: Path) -> None:
    path = tmp_path / "chat.json"

    def write(*texts: str) -> None:
        messages = [{"role": "user", "content": text, "id": f"m{n}"} for n, text in enumerate(texts)]
        path.write_bytes(orjson.dumps({"session_id": "chat-1", "messages": messages}))

    write("Use oil.")
    vault.ingest([path])
    write("Use gas.")
    (second,) = vault.ingest([path]).added
    write("Use gas.")
    assert vault.ingest([path]).added == []
    ledger = vault._opened.ledger
    ledger.forget_cache()
    (turn,) = ledger.read(second.id).turns
    assert turn.text == "Use gas." and turn.identity.startswith("m0~")


def test_two_exports_in_one_run_add_each_turn_once(vault: Vault, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(document("One.", "Two."))
    (tmp_path / "b.json").write_bytes(document("One.", "Two.", "Three."))
    report = vault.ingest([tmp_path])
    assert sorted(texts(vault)) == ["One.", "Three.", "Two."]
    assert len({each.session for each in report.added}) == 1


@pytest.mark.parametrize("extra", [0, 1])
def test_a_forgotten_look_changes_nothing(vault: Vault, tmp_path: Path, extra: int) -> None:
    path = tmp_path / "session.json"
    path.write_bytes(document("One.", "Two."))
    vault.ingest([path])
    (vault.root / ".wikimem" / "seen.json").unlink()
    path.write_bytes(document("One.", "Two.", *["Three."] * extra))
    assert len(vault.ingest([path]).added) == extra


def test_of_two_stores_of_one_session_the_fuller_one_counts(vault: Vault, tmp_path: Path) -> None:
    own = "10a3d6b2-aa05-411a-b271-5945795e8229"
    base = sqlite3.connect(tmp_path / "state.vscdb")
    base.execute("CREATE TABLE cursorDiskKV(key TEXT UNIQUE, value BLOB)")
    composer = {"createdAt": 1, "fullConversationHeadersOnly": [{"bubbleId": "b-1", "type": 1}]}
    base.execute("INSERT INTO cursorDiskKV VALUES(?,?)", (f"composerData:{own}", dumped(composer)))
    base.execute("INSERT INTO cursorDiskKV VALUES(?,?)", (f"bubbleId:{own}:b-1", dumped({"type": 1, "text": "Splice the rope."})))
    base.commit()
    base.close()
    lines = tmp_path / "agent-transcripts" / own / f"{own}.jsonl"
    lines.parent.mkdir(parents=True)
    lines.write_bytes(jsonl({"role": "user", "message": {"content": [words("Splice the rope.")]}}))
    for path in (tmp_path / "state.vscdb", lines):
        os.utime(path, (NOW.timestamp() - 86400, NOW.timestamp() - 86400 + (path == lines)))
    report = vault.ingest([tmp_path])
    assert [each.format for each in report.added] == ["cursor-database"]
    assert "has the same session" in report.left_out[str(lines)]
    assert vault.ingest([tmp_path]).added == []
    assert texts(vault) == ["Splice the rope."]


def test_what_was_captured_before_offsets_were_kept_is_not_captured_again(vault: Vault, tmp_path: Path) -> None:
    def exported(*messages: dict[str, object]) -> None:
        chat = {
            "name": "Quay",
            "type": "private_group",
            "id": 7,
            "messages": [{"from": "Ada", "from_id": "user7", **m} for m in messages],
        }
        (tmp_path / "result.json").write_bytes(orjson.dumps(chat))

    # Of old the stored line had the time in UTC alone, which is what a message without a local time still gives.
    old = {"id": 1, "date_unixtime": "1786700000", "text": "Light the buoy."}
    exported(old)
    (first,) = vault.ingest([tmp_path / "result.json"]).added
    with_clock = {**old, "date": "2026-08-14T11:33:20"}
    exported(with_clock)
    assert vault.ingest([tmp_path / "result.json"]).added == []
    exported(
        with_clock, {"id": 2, "type": "message", "date_unixtime": "1786700060", "date": "2026-08-14T11:34:20", "text": "Dim it."}
    )
    (second,) = vault.ingest([tmp_path / "result.json"]).added
    assert (second.continues, sorted(texts(vault))) == (first.id, ["Dim it.", "Light the buoy."])
    turn = vault._opened.ledger.read(second.id).turns[0]
    assert (turn.said, turn.offset, turn.clock) == ("2026-08-14T09:34:20Z", "+02:00", "2026-08-14T11:34:20")
