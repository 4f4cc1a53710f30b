"""The spool: copies of live sessions that only grow, are masked, and can be read like sources."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from conftest import claude, jsonl
from wikimem.edges import spool
from wikimem.edges.ledger import Joined, Ledger
from wikimem.edges.spool import Told

SECRET = "ghp_" + "a1B2c3D4e5" * 4


@pytest.fixture
def told(tmp_path: Path) -> Told:
    path = tmp_path / "agent" / "s.jsonl"
    path.parent.mkdir()
    path.write_bytes(jsonl(claude(1, "user", "Paint the hull.")))
    return Told(path, "claude-code", "sess-1", "/home/sam/harbour", "", "2026-07-01T09:00:00Z")


def turns(root: Path, id: str) -> list[str]:
    return [turn.text for turn in spool.joined(root, Ledger(root)).read(id).turns]


def test_a_copy_grows_by_full_lines(tmp_path: Path, told: Told) -> None:
    copy = spool.keep(tmp_path, told)
    assert copy is not None
    with told.path.open("ab") as file:
        file.write(jsonl(claude(2, "assistant", [{"type": "text", "text": "Done."}], 1)) + b'{"type":"user","half')
    grown = spool.keep(tmp_path, told)
    assert grown is not None
    assert grown.id == copy.id
    assert grown.sha256 != copy.sha256
    assert turns(tmp_path, copy.id) == ["Paint the hull.", "Done."]
    assert spool.keep(tmp_path, told) == grown


def test_secrets_are_masked_in_the_copy(tmp_path: Path, told: Told) -> None:
    with told.path.open("ab") as file:
        file.write(jsonl(claude(2, "user", f"The token is {SECRET}.", 1)))
    spool.keep(tmp_path, told)
    held = b"".join(path.read_bytes() for path in spool.folder(tmp_path).rglob("*") if path.is_file())
    assert SECRET.encode() not in held
    assert b"[masked:" in held


def test_the_end_is_remembered_and_forgotten_when_it_goes_on(tmp_path: Path, told: Told) -> None:
    ended = spool.keep(tmp_path, replace(told, ended=True))
    assert ended is not None
    assert ended.hint[spool.ENDED] == told.now
    with told.path.open("ab") as file:
        file.write(jsonl(claude(2, "user", "And the mast.", 1)))
    resumed = spool.keep(tmp_path, told)
    assert resumed is not None
    assert spool.ENDED not in resumed.hint


def test_a_file_that_begins_otherwise_is_copied_anew(tmp_path: Path, told: Told) -> None:
    spool.keep(tmp_path, told)
    told.path.write_bytes(jsonl(claude(7, "user", "Something else altogether, and longer than before.")))
    copy = spool.keep(tmp_path, told)
    assert copy is not None
    assert turns(tmp_path, copy.id) == ["Something else altogether, and longer than before."]
    assert len(list(spool.every(tmp_path))) == 1


def test_a_copy_that_was_cut_off_while_it_was_written_is_mended(tmp_path: Path, told: Told) -> None:
    copy = spool.keep(tmp_path, told)
    assert copy is not None
    with (spool.folder(tmp_path) / copy.path).open("ab") as file:
        file.write(b'{"torn":')
    with told.path.open("ab") as file:
        file.write(jsonl(claude(2, "user", "And the mast.", 1)))
    spool.keep(tmp_path, told)
    assert turns(tmp_path, copy.id) == ["Paint the hull.", "And the mast."]


@pytest.mark.parametrize("data", [b"", b"no line end", b"plain text\nof a note\n", b"\x00\x01\n"])
def test_what_is_no_session_in_lines_is_not_copied(tmp_path: Path, told: Told, data: bytes) -> None:
    told.path.write_bytes(data)
    assert spool.keep(tmp_path, told) is None
    assert list(spool.every(tmp_path)) == []


def test_no_file_no_copy(tmp_path: Path, told: Told) -> None:
    told.path.unlink()
    assert spool.keep(tmp_path, told) is None


def test_dropping_leaves_nothing(tmp_path: Path, told: Told) -> None:
    copy = spool.keep(tmp_path, told)
    assert copy is not None
    spool.drop(tmp_path, copy)
    assert [path.name for path in spool.folder(tmp_path).rglob("*")] == ["lock"]
    assert not isinstance(spool.joined(tmp_path, Ledger(tmp_path)), Joined)
