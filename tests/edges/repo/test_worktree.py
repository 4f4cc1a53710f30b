"""A vault inside somebody's code: a linked worktree on a branch of its own, and not a byte of the code touched."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from wikimem.edges.repo import Message, Repo
from wikimem.edges.repo.place import locate
from wikimem.errors import GitBusy, NotAVault, UsageError


def state(person: Any) -> tuple[str, str, bytes, list[str]]:
    git = person.top / ".git"
    index = (git / "index").read_bytes() if (git / "index").exists() else b""
    return (git / "HEAD").read_text(), person.git("for-each-ref", "refs/heads/main"), index, person.status()


def commit(repo: Repo, path: str) -> str:
    from wikimem.edges.repo import Change

    return repo.commit(Change({path: path.encode()}), Message("add"), report=lambda problem: pytest.fail(str(problem)))


def test_the_code_is_not_touched_and_does_not_sweep_the_vault_in(person: Any) -> None:
    person.write("staged.py", "1\n")
    person.git("add", "staged.py")
    person.write("dirty.py", "1\n")
    person.hook("post-checkout", "echo ran > hook-ran")
    before = state(person)
    repo = Repo.worktree(person.top / "agent memory")
    assert repo.head == ""
    made = commit(repo, "wiki/a.md")
    assert state(person) == before
    person.git("add", "-A")
    assert sorted(person.index()) == [".gitignore", "dirty.py", "staged.py"]
    assert person.git("rev-parse", "wikimem").strip() == made
    assert person.git("log", "--format=%H", "wikimem").split() == [made]
    assert (person.top / ".git/info/exclude").read_text().splitlines()[-1] == "/agent memory/"


def test_the_vault_is_a_repository_like_any_other(person: Any) -> None:
    repo = Repo.worktree(person.top / "memory")
    commit(repo, "sources/a.jsonl")
    vault = type(person)(person.top / "memory")
    assert vault.git("symbolic-ref", "HEAD") == "refs/heads/wikimem\n"
    assert vault.status() == []
    assert repo.immutable()[0] == []
    vault.write("wiki/mine.md", "mine\n")
    assert vault.status() == ["?? wiki/mine.md"]
    person.write(".git/MERGE_HEAD", person.git("rev-parse", "HEAD"))
    commit(repo, "wiki/while-the-code-merges.md")
    (repo.place.git / "MERGE_HEAD").write_text(repo.head)
    with pytest.raises(GitBusy):
        commit(repo, "wiki/b.md")
    assert repo.place.common == person.top / ".git"
    assert Repo.open(vault.top / "wiki").place.prefix == "wiki/"


def test_code_without_a_commit_can_have_a_vault(person: Any, tmp_path: Path) -> None:
    code = type(person)(tmp_path / "young")
    code.top.mkdir()
    code.git("init", "-q", "-b", "main")
    code.write("a.py", "1\n")
    code.git("add", "a.py")
    before = state(code)
    commit(Repo.worktree(code.top / "memory"), "wiki/a.md")
    assert state(code) == before
    code.git("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qam", "first")
    assert code.git("ls-tree", "--name-only", "HEAD") == "a.py\n"


def test_a_vault_that_exists_as_a_branch_is_checked_out_again(person: Any) -> None:
    made = commit(Repo.worktree(person.top / "memory"), "wiki/a.md")
    person.git("worktree", "remove", "--force", "memory")
    person.write("staged.py", "1\n")
    person.git("add", "staged.py")
    before = state(person)
    repo = Repo.worktree(person.top / "memory")
    assert state(person) == before
    assert repo.head == made
    assert (person.top / "memory/wiki/a.md").exists()
    exclude = (person.top / ".git/info/exclude").read_text().splitlines()
    assert exclude.count("/memory/") == 1


def test_a_vault_beside_the_code_needs_no_line(person: Any, tmp_path: Path) -> None:
    exclude = person.top / ".git/info/exclude"
    before = exclude.read_bytes()
    (person.top / "docs").mkdir()
    repo = Repo.worktree(person.top / "docs" / "[draft]*")
    commit(repo, "wiki/a.md")
    assert exclude.read_bytes() == before + b"/docs/\\[draft]\\*/\n"
    person.write("docs/draft/x", "seen")
    assert person.status() == ["?? docs/draft/x"]


def test_lines_of_others_stay_as_they_are(person: Any) -> None:
    exclude = person.top / ".git/info/exclude"
    exclude.write_bytes(b"*.tmp\r\nlast without end")
    Repo.worktree(person.top / "memory")
    assert exclude.read_bytes() == b"*.tmp\r\nlast without end\n/memory/\n"
    exclude.unlink()
    exclude.parent.rmdir()
    Repo.worktree(person.top / "memory2", branch="second")
    assert exclude.read_bytes() == b"/memory2/\n"


@pytest.mark.parametrize("name", ["wiki", "sources"])
def test_a_name_that_would_hide_the_vault_s_own_folder_is_refused(person: Any, name: str) -> None:
    with pytest.raises(UsageError, match="Name another one"):
        Repo.worktree(person.top / name)
    assert not (person.top / name).exists()


def test_a_folder_in_use_is_refused(person: Any, tmp_path: Path) -> None:
    person.write("memory/x", "mine")
    with pytest.raises(UsageError, match="not empty"):
        Repo.worktree(person.top / "memory")
    with pytest.raises(NotAVault, match="no git repository around it"):
        Repo.worktree(tmp_path / "memory")


def test_init_takes_the_repository_that_is_there(person: Any, tmp_path: Path) -> None:
    (person.top / "sub").mkdir()
    assert Repo.init(person.top / "sub").place.top == person.top
    assert Repo.init(tmp_path / "new" / "vault").place.prefix == ""
    assert subprocess.run(["git", "config", "core.worktree"], cwd=tmp_path / "new/vault").returncode == 1


def test_a_broken_pointer_is_no_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /nowhere\n")
    assert locate(tmp_path) is None
    (tmp_path / ".git").write_text("rubbish")
    assert locate(tmp_path) is None


def test_a_submodule_is_its_own_repository(person: Any, tmp_path: Path) -> None:
    other = type(person)(tmp_path / "other")
    other.top.mkdir()
    other.git("init", "-q")
    other.git("-c", "user.name=x", "-c", "user.email=x@e.org", "commit", "-q", "--allow-empty", "-m", "x")
    person.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other.top), "sub")
    repo = Repo.open(person.top / "sub")
    assert repo.place.top == person.top / "sub"
    commit(repo, "wiki/a.md")
    assert person.git("-C", "sub", "status", "--porcelain") == ""
