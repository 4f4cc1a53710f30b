"""Offshoots: a branch is told apart only where it is sure that its changes are not in the default branch."""

from __future__ import annotations

from pathlib import Path

import pytest

from dictated import git
from wikimem.edges.repo import offshoots
from wikimem.edges.repo.place import locate


def commit(code: Path, name: str, text: str) -> None:
    (code / name).write_text(text)
    git(code, "add", name)
    git(code, "commit", "-qm", f"{name}: {text[:20].strip()}")


def branch(code: Path, name: str, *files: str) -> None:
    """A branch off the default one, with a commit a file; and back."""
    git(code, "checkout", "-q", "-b", name, "main")
    for file in files:
        commit(code, file, f"tides of {name} in {file}\n")
    git(code, "checkout", "-q", "main")


def asked(code: Path, *branches: str) -> set[str]:
    place = locate(code)
    assert place is not None
    return set(offshoots.judged(place, branches).open)


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A repository with a commit on `main`, a branch with one commit and one with two."""
    path = tmp_path / "harbour"
    path.mkdir()
    git(path, "init", "-q", "-b", "main")
    commit(path, "main.py", "print('tide')\n")
    branch(path, "one", "one.py")
    branch(path, "two", "two.py", "three.py")
    return path


def test_a_branch_with_commits_of_its_own_is_open_and_others_are_not(code: Path) -> None:
    git(code, "branch", "same")
    assert asked(code, "one", "two", "same", "main", "never-was", "HEAD", "") == {"one", "two"}


@pytest.mark.parametrize("how", ["merge", "forward", "squash", "squash-later", "rebase", "cherry-pick"])
def test_a_branch_is_merged_however_its_changes_came_in(code: Path, how: str) -> None:
    match how:
        case "merge":
            git(code, "merge", "-q", "--no-ff", "-m", "merge", "two")
        case "forward":
            git(code, "merge", "-q", "--ff-only", "two")
        case "squash":
            git(code, "merge", "-q", "--squash", "two")
            git(code, "commit", "-qm", "Tides (#7)")
        case "squash-later":
            commit(code, "main.py", "print('ebb')\n")
            git(code, "merge", "-q", "--squash", "two")
            git(code, "commit", "-qm", "Tides (#7)")
            commit(code, "two.py", "and then it went on\n")
        case "rebase":
            commit(code, "main.py", "print('ebb')\n")
            git(code, "checkout", "-q", "-b", "copy", "two")
            git(code, "rebase", "-q", "main")
            git(code, "checkout", "-q", "main")
            git(code, "merge", "-q", "--ff-only", "copy")
        case "cherry-pick":
            commit(code, "main.py", "print('ebb')\n")
            git(code, "cherry-pick", "main..two")
    assert asked(code, "one", "two") == {"one"}


def test_half_of_a_branch_is_not_the_branch(code: Path) -> None:
    commit(code, "main.py", "print('ebb')\n")
    git(code, "cherry-pick", "two~1")
    assert asked(code, "two") == {"two"}


def test_a_branch_that_is_deleted_is_not_known(code: Path) -> None:
    git(code, "branch", "-D", "one")
    assert asked(code, "one", "two") == {"two"}


def test_the_default_branch_is_what_the_remote_says(code: Path, tmp_path: Path) -> None:
    git(code, "branch", "develop", "two")
    git(code, "symbolic-ref", "HEAD", "refs/heads/develop")
    git(tmp_path, "clone", "-q", str(code), "clone")
    clone = tmp_path / "clone"
    git(clone, "fetch", "-q")
    assert asked(clone, "one", "two", "develop", "main") == {"one"}


def test_a_branch_whose_remote_is_gone_counts_as_merged(code: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(code), "clone")
    clone = tmp_path / "clone"
    git(clone, "checkout", "-q", "one")
    git(clone, "checkout", "-q", "main")
    assert asked(clone, "one") == {"one"}
    git(code, "branch", "-D", "one")
    git(clone, "fetch", "-q", "--prune")
    assert asked(clone, "one", "two") == {"two"}


def test_nothing_is_sure_in_a_shallow_clone_or_without_a_default_branch(code: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth=1", "--no-single-branch", f"file://{code}", "shallow")
    assert asked(tmp_path / "shallow", "one", "two") == set()
    git(code, "branch", "-m", "main", "odd")
    assert asked(code, "one", "two") == set()


def test_a_linked_worktree_and_a_detached_head_are_asked_like_any(code: Path, tmp_path: Path) -> None:
    git(code, "worktree", "add", "-q", str(tmp_path / "tree"), "one")
    git(code, "checkout", "-q", "--detach")
    assert asked(tmp_path / "tree", "one", "two") == {"one", "two"}
    assert offshoots.current(str(tmp_path / "tree")) == "one"
    assert offshoots.current(str(code)) == ""
    assert offshoots.current("/nowhere/at/all") == ""


def test_commits_of_references_are_read_without_git_loose_and_packed(code: Path) -> None:
    wanted = {f"refs/heads/{name}": git(code, "rev-parse", name).strip() for name in ("main", "one", "two")}
    assert offshoots.tips(code / ".git", wanted) == wanted
    git(code, "pack-refs", "--all")
    commit(code, "main.py", "print('ebb')\n")
    wanted["refs/heads/main"] = git(code, "rev-parse", "main").strip()
    assert offshoots.tips(code / ".git", wanted) == wanted
    assert offshoots.tips(code / ".git", ["refs/heads/on", "refs/heads/wo"]) == {"refs/heads/on": "", "refs/heads/wo": ""}


def test_time_that_is_up_leaves_it_open_to_nobody(code: Path) -> None:
    place = locate(code)
    assert place is not None
    assert offshoots.judged(place, ["one", "two"], seconds=-1.0).open == {}


def test_what_was_answered_is_not_asked_again_until_something_moves(code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(code, "merge", "-q", "--squash", "one")
    git(code, "commit", "-qm", "One (#7)")
    place = locate(code)
    assert place is not None
    known = offshoots.judged(place, ["one", "two"])
    assert (set(known.open), set(known.merged)) == ({"two"}, {"one"})
    # Without any time only what is known already can be told.
    assert offshoots.judged(place, ["one", "two"], -1.0, known) == known
    commit(code, "main.py", "print('ebb')\n")
    assert offshoots.judged(place, ["one", "two"], -1.0, known).open == {}
    assert set(offshoots.judged(place, ["one", "two"], known=known).open) == {"two"}


def test_asking_writes_nothing(code: Path) -> None:
    before = {path: path.read_bytes() for path in code.rglob("*") if path.is_file()}
    asked(code, "one", "two")
    assert {path: path.read_bytes() for path in code.rglob("*") if path.is_file()} == before
