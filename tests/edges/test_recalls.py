"""The log of recalls on disk: bounded, shared by processes, harmless where it cannot be written, and purged of what must go."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from wikimem.edges import recalls

TIME = "2026-07-01T09:00:00Z"


def files(root: Path) -> list[str]:
    return sorted(path.name for path in recalls.folder(root).iterdir())


def kept(root: Path) -> list[bytes]:
    return [line for line in recalls.lines(root) if line]


def test_a_line_goes_to_the_file_of_its_month(tmp_path: Path) -> None:
    recalls.append(tmp_path, TIME, b"\none\n")
    recalls.append(tmp_path, "2026-08-01T00:00:00Z", b"\ntwo\n")
    recalls.append(tmp_path, TIME, b"\nthree\n")
    assert files(tmp_path) == ["2026-07.jsonl", "2026-08.jsonl"]
    assert kept(tmp_path) == [b"one", b"three", b"two"]


def test_a_full_file_gets_a_successor_and_the_oldest_go(tmp_path: Path) -> None:
    big = b"\n" + b"x" * recalls.LARGEST + b"\n"
    for month in range(1, 8):
        recalls.append(tmp_path, f"2026-{month:02}-01T00:00:00Z", big)
        recalls.append(tmp_path, f"2026-{month:02}-02T00:00:00Z", big)
    names = files(tmp_path)
    assert len(names) == recalls.FILES
    assert {"2026-07.jsonl", "2026-07-2.jsonl"} <= set(names)
    assert not {"2026-01.jsonl", "2026-01-2.jsonl"} & set(names)


def test_there_may_be_fewer_files_than_are_kept(tmp_path: Path) -> None:
    for month in range(1, recalls.FILES):
        recalls.append(tmp_path, f"2026-{month:02}-01T00:00:00Z", b"\nx\n")
    assert len(files(tmp_path)) == recalls.FILES - 1


def test_several_processes_write_at_once_and_no_line_is_lost_or_mixed(tmp_path: Path) -> None:
    writer = (
        "import sys; from pathlib import Path; from wikimem.edges import recalls\n"
        "for n in range(200): recalls.append(Path(sys.argv[1]), '2026-07-01T09:00:00Z', "
        "b'\\n' + sys.argv[2].encode() * 400 + b' %d\\n' % n)\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", writer, str(tmp_path), letter]) for letter in "abcd"]
    assert [one.wait() for one in running] == [0, 0, 0, 0]
    assert sorted(kept(tmp_path)) == sorted(
        b"%s %d" % (letter * 400, n) for letter in (b"a", b"b", b"c", b"d") for n in range(200)
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
def test_a_full_disk_is_told(tmp_path: Path) -> None:
    recalls.folder(tmp_path).mkdir(parents=True)
    (recalls.folder(tmp_path) / "2026-07.jsonl").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space"):
        recalls.append(tmp_path, TIME, b"\none\n")


def test_lines_that_hold_what_must_go_are_removed_and_no_byte_of_them_stays(tmp_path: Path) -> None:
    recalls.append(tmp_path, TIME, b'\n{"question":"who owns \\"berth 4\\"?"}\n')
    recalls.append(tmp_path, TIME, b'\n{"ids":["20260701-note-0a0b0c0d:L4"]}\n')
    recalls.append(tmp_path, "2026-08-01T00:00:00Z", b'\n{"question":"tide tables"}\n')
    before = (recalls.folder(tmp_path) / "2026-08.jsonl").stat().st_mtime_ns
    assert recalls.purge(tmp_path, lambda line: '"berth 4"' in line or "0a0b0c0d" in line) == 2
    assert kept(tmp_path) == [b'{"question":"tide tables"}']
    everything = b"".join(path.read_bytes() for path in recalls.folder(tmp_path).iterdir())
    assert b"berth" not in everything and b"0a0b0c0d" not in everything
    assert (recalls.folder(tmp_path) / "2026-08.jsonl").stat().st_mtime_ns == before  # what holds nothing of it is left alone


def test_nothing_to_purge_without_a_log(tmp_path: Path) -> None:
    assert recalls.purge(tmp_path, lambda line: True) == 0
    assert list(recalls.lines(tmp_path)) == []


def test_the_key_is_made_once_and_tells_equal_texts_only_here(tmp_path: Path) -> None:
    here, there = tmp_path / "a", tmp_path / "b"
    assert recalls.keyed(here, "which port") == recalls.keyed(here, "which port") != recalls.keyed(here, "which berth")
    assert recalls.keyed(here, "which port") != recalls.keyed(there, "which port")
    assert files(here) == ["key"]
    assert (recalls.folder(here) / "key").stat().st_size == 32


def test_the_session_is_what_the_agents_tool_tells() -> None:
    assert recalls.session({}) == ""
    assert recalls.session({"CODEX_THREAD_ID": "t-1", "CLAUDE_CODE_SESSION_ID": "c-1"}) == "c-1"
    assert recalls.session({"WIKIMEM_SESSION": "w-1", "CLAUDE_CODE_SESSION_ID": "c-1"}) == "w-1"
