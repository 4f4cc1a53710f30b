"""When to keep away: operations in progress, and an index that somebody holds."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from wikimem.edges.repo import GitSettings
from wikimem.errors import GitBusy

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the people in these tests use a Unix shell")


@pytest.fixture
def torn(person: Any) -> Any:
    """A repository with a branch `other` that conflicts with `main`."""
    person.commits("page", "base\n")
    person.git("checkout", "-q", "-b", "other")
    person.commits("page", "other\n")
    person.git("checkout", "-q", "main")
    person.commits("page", "main\n")
    return person


@pytest.mark.parametrize(
    ("begin", "name"),
    [
        (("merge", "other"), "a merge is in progress"),
        (("rebase", "other"), "a rebase is in progress"),
        (("rebase", "--apply", "other"), "a rebase is in progress"),
        (("cherry-pick", "other"), "a cherry-pick is in progress"),
        (("revert", "HEAD~"), "a revert is in progress"),
        (("bisect", "start"), "a bisect is in progress"),
    ],
)
def test_nothing_is_committed_while_git_is_busy(torn: Any, writer: Any, begin: tuple[str, ...], name: str) -> None:
    writer.repo.check_idle()
    torn.git(*begin, fails=True)
    before = (writer.repo.head, torn.index(), torn.status())
    with pytest.raises(GitBusy, match=name):
        writer.repo.check_idle()
    with pytest.raises(GitBusy, match=name):
        writer.commit({"wiki/a.md": b"a\n"})
    assert (writer.repo.head, torn.index(), torn.status()) == before


def test_patches_that_are_being_applied_are_named(torn: Any, writer: Any) -> None:
    torn.git("am", data=torn.git("format-patch", "--stdout", "HEAD..other").encode(), fails=True)
    with pytest.raises(GitBusy, match=r"applying patches is in progress\. Finish it with `git am --continue`"):
        writer.repo.check_idle()


def test_a_conflict_without_a_merge_is_left_out(torn: Any, writer: Any) -> None:
    """As `git stash pop` leaves it."""
    torn.git("merge", "other", fails=True)
    (torn.top / ".git/MERGE_HEAD").unlink()
    before = torn.index()
    assert writer.commit({"page": b"ours\n"}) == ""
    assert writer.rules() == [("page", "left-out")]
    assert torn.index() == before


def test_a_fresh_lock_is_waited_for_and_then_nothing_is_committed(person: Any, writer: Any) -> None:
    lock = person.write(".git/index.lock", "")
    head = writer.repo.head
    with pytest.raises(GitBusy, match=r"holds index\.lock, so nothing was committed.*delete .*index\.lock"):
        writer.commit({"wiki/a.md": b"a\n"})
    assert lock.exists()
    assert (writer.repo.head, (person.top / "wiki").exists()) == (head, False)
    lock.unlink()
    assert writer.commit({"wiki/a.md": b"a\n"})


def test_a_lock_that_is_let_go_in_time_does_no_harm(person: Any, writer_in: Any) -> None:
    lock = person.write(".git/index.lock", "")
    let_go = subprocess.Popen(["sh", "-c", 'sleep 0.3; rm "$0"', str(lock)])
    assert writer_in(person.top, GitSettings(lock_waits=(0.1,) * 50)).commit({"wiki/a.md": b"a\n"})
    let_go.wait()


def _aged(lock: Path) -> Path:
    then = time.time() - 7200
    os.utime(lock, (then, then))
    return lock


def test_an_old_lock_that_nobody_holds_is_removed_and_told(person: Any, writer: Any) -> None:
    lock = _aged(person.write(".git/index.lock", ""))
    assert writer.commit({"wiki/a.md": b"a\n"})
    assert writer.rules() == [(str(person.top), "stale-lock")]
    assert "120 minutes old and no git was running here" in writer.reports[0].message
    assert not lock.exists()


def test_an_old_lock_stays_while_a_git_runs_here(person: Any, writer: Any) -> None:
    """Such as a `git commit` that waits for its message; it may hold the lock for hours."""
    lock = _aged(person.write(".git/index.lock", ""))
    waiting = subprocess.Popen(
        ["git", "hash-object", "--stdin"], cwd=person.top, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    _wait_for_name(waiting.pid)
    try:
        with pytest.raises(GitBusy):
            writer.commit({"wiki/a.md": b"a\n"})
        assert lock.exists()
    finally:
        waiting.communicate()


def _wait_for_name(pid: int) -> None:
    """On Linux a process has its old name for a moment after it was started."""
    name = Path(f"/proc/{pid}/comm")
    while name.exists() and not name.read_bytes().startswith(b"git"):
        time.sleep(0.01)


def test_a_lock_taken_while_a_hook_runs_ends_the_commit(person: Any, writer: Any) -> None:
    person.hook("commit-msg", "touch .git/index.lock")
    head = writer.repo.head
    with pytest.raises(GitBusy, match="nothing was committed"):
        writer.commit({"wiki/a.md": b"a\n"})
    assert writer.repo.head == head
    assert not (person.top / ".wikimem/journal").exists()
    assert (person.top / ".git/index.lock").exists()


def test_the_index_is_held_while_the_branch_moves(person: Any, writer: Any) -> None:
    """A commit of the user's in that moment would be made without our files; so git refuses it."""
    person.hook("reference-transaction", 'unset GIT_DIR GIT_INDEX_FILE; [ "$1" = committed ] && git add . 2> .git/said; exit 0')
    writer.commit({"wiki/a.md": b"a\n"})
    assert "index.lock" in (person.top / ".git/said").read_text()
    assert person.status() == []
