"""The index is a cache: damage narrows it and is told, a rebuild mends it, writers wait for each other."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from wikimem.core.turns import Form, Speaker, Turn
from wikimem.edges.index import Batch, Index, Unusable

_OPENED: list[Index] = []


@pytest.fixture(autouse=True)
def _close() -> Iterator[None]:
    yield
    while _OPENED:
        _OPENED.pop().close()


def batch(source: str, *texts: str) -> Batch:
    return Batch(source, "k", "", [Turn(f"L{n}", Speaker.HUMAN, Form.PROSE, text) for n, text in enumerate(texts, 1)])


def opened(root: Path) -> Index:
    index = Index.open(root)
    assert isinstance(index, Index)
    return kept(index)


def kept(index: Index) -> Index:
    _OPENED.append(index)
    return index


def sources(index: Index, question: str) -> set[str]:
    return {hit.passage.source for hit in index.search(question, None).hits}


WRITER = """
import sys
from pathlib import Path
from wikimem.core.turns import Form, Speaker, Turn
from wikimem.edges.index import Batch, Index
root, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
index = Index.open(root)
for number in range(count):
    text = f"common {name}{number} words"
    index.add([Batch(f"{name}{number}", "k", "", [Turn("L1", Speaker.HUMAN, Form.PROSE, text)])])
    print(number, flush=True)
"""


def writer(root: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", WRITER, str(root), name, str(count)], stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("suffix", [".trm", ".pst", ".size.col", ".place.col", "._stored.col"])
@pytest.mark.parametrize("how", ["cut", "empty", "gone", "noise"])
def test_a_broken_segment_narrows_and_is_told(tmp_path: Path, suffix: str, how: str) -> None:
    index = opened(tmp_path)
    index.add([batch(f"a{number}", "common words", "something else") for number in range(100)])
    index.add([batch("b", "common words")])
    victim = max(index.folder.glob(f"*{suffix}"), key=lambda path: path.stat().st_size)
    data = victim.read_bytes()
    match how:
        case "cut":
            victim.write_bytes(data[: len(data) // 3])
        case "empty":
            victim.write_bytes(b"")
        case "gone":
            victim.unlink()
        case _:
            victim.write_bytes(bytes(255 - byte for byte in data))
    again = opened(tmp_path)
    found = again.search("common", None, listing=True)
    assert "b" in {hit.passage.source for hit in found.hits}
    assert again.known().get("b") == "k"
    if how != "noise" or suffix not in (".size.col", ".place.col"):  # numbers of which none is impossible
        assert [problem.rule for problem in again.problems] == ["index"]


@pytest.mark.parametrize("how", ["cut", "empty", "noise", "gone"])
def test_a_broken_table_is_unusable_and_a_rebuild_mends_it(tmp_path: Path, how: str) -> None:
    index = opened(tmp_path)
    index.add([batch("a", "common words")])
    (table,) = index.folder.glob("*.toc")
    data = table.read_bytes()
    {"cut": lambda: table.write_bytes(data[:40]), "empty": lambda: table.write_bytes(b""), "gone": table.unlink}.get(
        how, lambda: table.write_bytes(bytes(255 - byte for byte in data))
    )()
    assert isinstance(Index.open(tmp_path), Unusable)
    rebuilt = kept(Index.rebuild(tmp_path))
    rebuilt.add([batch("a", "common words")])
    assert isinstance(Index.open(tmp_path), Unusable)
    rebuilt.publish()
    assert sources(opened(tmp_path), "common") == {"a"}
    assert [path for path in tmp_path.iterdir() if path.is_dir()] == [rebuilt.folder]


def test_a_running_reader_tells_of_a_table_that_broke(tmp_path: Path) -> None:
    index = opened(tmp_path)
    index.add([batch("a", "common words")])
    opened(tmp_path).add([batch("b", "common words")])
    for table in index.folder.glob("*.toc"):
        table.write_bytes(b"")
    found = index.search("common")
    assert found.hits == ()
    assert found.problems


@pytest.mark.parametrize("told", [b"", b"{", b"[]", b'{"version": 0, "folder": "x"}', b'{"version": 999, "folder": "x"}'])
def test_another_version_or_a_damaged_stamp_is_not_read(tmp_path: Path, told: bytes) -> None:
    opened(tmp_path).add([batch("a", "common words")])
    (tmp_path / "current").write_bytes(told)
    assert isinstance(Index.open(tmp_path), Unusable)
    assert sources(kept(Index.rebuild(tmp_path).publish()), "common") == set()


def test_a_rebuild_is_not_seen_before_it_is_published_and_then_by_running_readers_and_writers(tmp_path: Path) -> None:
    running = opened(tmp_path)
    running.add([batch("a", "common words")])
    rebuilt = kept(Index.rebuild(tmp_path))
    rebuilt.add([batch("b", "common words")])
    assert sources(rebuilt, "common") == {"b"}
    assert sources(running, "common") == {"a"}
    rebuilt.publish()
    assert sources(running, "common") == {"b"}
    running.add([batch("c", "common words")])
    assert sources(rebuilt, "common") == {"b", "c"}


def test_deleting_it_all_is_harmless(tmp_path: Path) -> None:
    index = opened(tmp_path / "index")
    index.add([batch("a", "common words")])
    for path in sorted((tmp_path / "index").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    assert index.search("common").hits == ()
    index.add([batch("b", "common words")])
    assert sources(opened(tmp_path / "index"), "common") == {"b"}


def test_two_writers_wait_for_each_other_and_a_reader_for_nobody(tmp_path: Path) -> None:
    reader = opened(tmp_path)
    writers = [writer(tmp_path, name, 15) for name in ("left", "right")]
    seen = 0
    while any(one.poll() is None for one in writers):
        found = reader.search("common", None)
        assert not found.problems
        assert len(found.hits) >= seen
        seen = len(found.hits)
        time.sleep(0.01)
    assert [one.wait() for one in writers] == [0, 0]
    for one in writers:
        assert one.stdout is not None
        one.stdout.close()
    assert len(sources(reader, "common")) == 30


def test_a_killed_writer_leaves_the_last_commit_and_no_lock(tmp_path: Path) -> None:
    opened(tmp_path).add([batch("before", "common words")])
    for attempt in range(8):
        with writer(tmp_path, f"run{attempt}x", 1000) as process:
            assert process.stdout is not None
            done = int(process.stdout.readline())
            time.sleep(0.004 * attempt)
            os.kill(process.pid, signal.SIGKILL)
            done = max([done, *(int(line) for line in process.stdout.read().split())])
        index = opened(tmp_path)
        assert not index.problems
        found = sources(index, "common")
        assert "before" in found
        assert {f"run{attempt}x{number}" for number in range(done + 1)} <= found
        assert set(index.known()) == found
        index.add([batch(f"after{attempt}", "common words")])
        assert f"after{attempt}" in sources(index, "common")


def test_a_note_of_what_is_in_is_never_believed_of_another_commit(tmp_path: Path) -> None:
    index = opened(tmp_path)
    index.add([batch("one", "common words")])
    assert set(index.known()) == {"one"}
    old = (tmp_path / "known").read_bytes()
    index.add([batch("two", "common words")])
    index.remove(["one"])
    (tmp_path / "known").write_bytes(old)
    assert set(opened(tmp_path).known()) == {"two"}
    for torn in (b"", b"{", b"[]", b'{"commit": 3}', old[:-4]):
        (tmp_path / "known").write_bytes(torn)
        assert set(opened(tmp_path).known()) == {"two"}


def test_what_is_in_follows_each_commit_without_being_read_again(tmp_path: Path) -> None:
    index = opened(tmp_path)
    index.add([batch("one", "common words")])
    index.known()
    index.add([batch("two", "common words"), batch("one", "other words")])
    index.remove(["two"])
    noted = dict(opened(tmp_path).known())
    opened(tmp_path).doubt()
    assert noted == opened(tmp_path).known() and set(noted) == {"one"}
