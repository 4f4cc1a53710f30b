"""Branching: what was only said on a branch that is not merged ranks lower and says so; what nobody knows says nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dictated import git, joined, records, tell, wiki
from reviewing import compiled
from wikimem import attend, branching, brief
from wikimem.core.events import Event
from wikimem.faces.api import Vault
from wikimem.vault import open_at

ASKED = "How many minutes do the tide buffers keep?"
MAIN = "topic | tide buffers | | The tide buffers keep 3 minutes by the old table."
SIDE = "topic | gull buffers | | The tide buffers keep 9 minutes by the new table. | kind=procedural"
MARK = "branch feature-x, not merged"


def session(name: str, said: str, code: Path, branch: str, *more: object, day: str = "2026-03-02") -> bytes:
    told = records(name, day, said, cwd=str(code))
    return joined([*({**one, "gitBranch": branch} for one in told), *more])


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """Somebody's code, with a branch that has a commit of its own."""
    path = tmp_path / "harbour"
    path.mkdir()
    git(path, "init", "-q", "-b", "main")
    git(path, "commit", "-q", "--allow-empty", "-m", "first")
    git(path, "checkout", "-q", "-b", "feature-x")
    (path / "buffers.py").write_text("MINUTES = 9\n")
    git(path, "add", ".")
    git(path, "commit", "-qm", "buffers")
    git(path, "checkout", "-q", "main")
    return path


@pytest.fixture
def told(vault: Vault, code: Path) -> Vault:
    """A session on the default branch, and a later one on the other."""
    tell(vault, session("one", MAIN, code, "main"), session("two", SIDE, code, "feature-x", day="2026-03-05"))
    compiled(vault)
    return vault


def text(vault: Vault, folder: Path | str = "") -> str:
    return vault.recall(ASKED, "project:harbour", folder=str(folder)).bundle.text


def merge(code: Path) -> None:
    git(code, "merge", "-q", "--no-ff", "-m", "merge", "feature-x")


def test_what_only_an_unmerged_branch_says_comes_behind_and_says_so(told: Vault) -> None:
    found = text(told)
    assert found.count(MARK) == 1
    assert found.index("3 minutes") < found.index("9 minutes")
    assert MARK in found[found.index("9 minutes") - 200 :]
    entries = told.recall(ASKED, "project:harbour").as_json()["entries"]
    assert {entry["unmerged"] for entry in entries if "9 minutes" in entry["text"]} == {"feature-x"}
    assert {entry["unmerged"] for entry in entries if "3 minutes" in entry["text"]} == {""}


def test_for_who_is_on_that_branch_it_ranks_as_ever_and_still_says_so(told: Vault, code: Path) -> None:
    git(code, "checkout", "-q", "feature-x")
    plain, lower = (told.recall(ASKED, "project:harbour", folder=folder).bundle.entries for folder in (str(code), ""))
    scores = [{one.score for one in entries if "9 minutes" in one.text} for entries in (plain, lower)]
    assert max(scores[0]) == pytest.approx(2 * max(scores[1]))
    assert MARK in text(told, code)


def test_once_it_is_merged_nothing_is_said_and_nothing_is_lower(told: Vault, code: Path) -> None:
    merge(code)
    # Before anybody asked again, it is not known: so nothing is said.
    assert MARK not in text(told)
    branching.refresh(told._opened)
    assert MARK not in text(told)
    entries = told.recall(ASKED, "project:harbour").bundle.entries
    git(code, "branch", "-D", "feature-x")
    branching.refresh(told._opened)
    assert [one.score for one in told.recall(ASKED, "project:harbour").bundle.entries] == [one.score for one in entries]


def test_the_next_run_knows_what_moved(told: Vault, code: Path) -> None:
    git(code, "commit", "-q", "--allow-empty", "-m", "more")
    assert MARK not in text(told)
    assert branching.refresh(told._opened) == 1
    assert MARK in text(told)


def test_a_statement_that_another_session_said_elsewhere_is_not_marked(told: Vault, code: Path) -> None:
    tell(told, session("three", SIDE, code, "main", day="2026-03-06"))
    compiled(told)
    found = text(told)
    assert "9 minutes" in found
    claims = [one for one in told.recall(ASKED, "project:harbour").as_json()["entries"] if one["kind"] == "claim"]
    assert {one["unmerged"] for one in claims} == {""}


@pytest.mark.parametrize("branch", ["main", "HEAD", "", "never-was"])
def test_default_branches_detached_heads_and_branches_that_are_gone_are_not_marked(vault: Vault, code: Path, branch: str) -> None:
    tell(vault, session("two", SIDE, code, branch))
    compiled(vault)
    assert "not merged" not in text(vault)


def test_a_session_that_changed_its_branch_is_not_marked(vault: Vault, code: Path) -> None:
    later = {**records("two", "2026-03-02T10:00", "Thanks.", cwd=str(code))[0], "uuid": "two-900", "gitBranch": "main"}
    tell(vault, session("two", SIDE, code, "feature-x", later))
    compiled(vault)
    assert "9 minutes" in text(vault)
    assert MARK not in text(vault)


def test_a_pull_request_that_a_session_merged_counts_until_work_goes_on(vault: Vault, code: Path) -> None:
    call = {"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "gh pr merge --squash --delete-branch"}}
    result = {"type": "tool_result", "tool_use_id": "c1", "content": "Squashed and merged pull request #7 (Buffers)"}
    base = {**records("two", "2026-03-02T10:00", "x", cwd=str(code))[0], "gitBranch": "feature-x"}
    merged = [
        {**base, "type": "assistant", "uuid": "two-901", "message": {"role": "assistant", "id": "m", "content": [call]}},
        {**base, "uuid": "two-902", "message": {"role": "user", "content": [result]}},
    ]
    tell(vault, session("two", SIDE, code, "feature-x", *merged))
    compiled(vault)
    assert "9 minutes" in text(vault)
    assert MARK not in text(vault)
    tell(
        vault,
        session("four", "topic | skuas | | The tide buffers of skuas keep 11 minutes.", code, "feature-x", day="2026-03-09"),
    )
    compiled(vault)
    found = text(vault)
    assert found.count(MARK) == 1
    assert MARK in found[found.index("11 minutes") - 200 : found.index("11 minutes") + 200]


def test_a_repository_that_is_not_here_any_more_is_not_known(told: Vault, code: Path) -> None:
    code.rename(code.with_name("moved"))
    assert MARK not in text(told)
    branching.refresh(told._opened)
    assert MARK not in text(told)


def test_another_repository_in_the_same_folder_says_nothing(vault: Vault, code: Path) -> None:
    git(code, "remote", "add", "origin", "git@github.com:acme/harbour.git")
    tell(vault, session("two", SIDE, code, "feature-x"))
    compiled(vault)
    assert MARK in text(vault)
    git(code, "remote", "set-url", "origin", "git@github.com:other/thing.git")
    branching.refresh(vault._opened)
    assert MARK not in text(vault)


def test_a_worktree_that_is_gone_goes_by_the_remote_of_a_clone(vault: Vault, code: Path, tmp_path: Path) -> None:
    git(code, "remote", "add", "origin", "git@github.com:acme/harbour.git")
    git(code, "worktree", "add", "-q", str(tmp_path / "tree"), "feature-x")
    tell(vault, session("two", SIDE, tmp_path / "tree", "feature-x"), session("one", MAIN, code, "other"))
    git(code, "worktree", "remove", str(tmp_path / "tree"))
    compiled(vault)
    branching.refresh(vault._opened)
    assert MARK in text(vault)


def test_pages_say_nothing_of_it(told: Vault, code: Path) -> None:
    before = wiki(told)
    assert not any(b"not merged" in data for data in before.values())
    merge(code)
    branching.refresh(told._opened)
    told.compile()
    assert wiki(told) == before


def test_a_brief_puts_it_last_and_says_so(told: Vault, code: Path) -> None:
    opened = open_at(told.root)
    tell(
        told, session("five", "topic | terns | | Always count the terns twice. | kind=procedural", code, "main", day="2026-03-01")
    )
    compiled(told)
    opened.ledger.forget_cache()
    made = brief.brief(opened, "project:harbour").text
    lines = [line for line in made.splitlines() if "terns twice" in line or "9 minutes" in line]
    assert "terns twice" in lines[0]
    assert MARK in lines[1]
    assert brief.renew(opened)
    assert MARK in attend.start(opened, Event("claude-code", "new", str(code), "", ""))
    merge(code)
    branching.refresh(opened)
    assert brief.renew(opened)
    assert MARK not in attend.start(opened, Event("claude-code", "new", str(code), "", ""))
    assert brief.renew(opened) == ()


def test_a_hook_and_the_mcp_server_say_so(told: Vault, code: Path) -> None:
    from wikimem.faces.mcp.desk import Desk

    opened = open_at(told.root)
    assert MARK in attend.prompt(opened, Event("claude-code", "new", str(code), "", ASKED))
    said, value = Desk(opened, "project:harbour", str(code), ()).search(ASKED, "", "", "", 2000, "")
    assert MARK in said
    assert {one.unmerged for one in value.found if "9 minutes" in one.text} == {"feature-x"}


def test_a_recall_starts_no_git_and_survives_a_broken_file(told: Vault, code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_TRACE", str(code.parent / "trace"))
    assert MARK in text(told, code)
    assert not (code.parent / "trace").exists()
    branching.refresh(told._opened)
    assert (code.parent / "trace").exists()
    (told.root / ".wikimem/unmerged.json").write_text("{")
    assert "9 minutes" in text(told)
    for odd in ({"version": 99}, {"version": 1}, {"version": 1, "repositories": [{"common": "/x"}], "seen": {}}, []):
        (told.root / ".wikimem/unmerged.json").write_text(json.dumps(odd))
        assert "9 minutes" in text(told)
    assert branching.refresh(told._opened) == 1
    assert MARK in text(told)
    assert "9 minutes" in text(told)


def test_what_only_a_branch_has_replaced_is_told_so_in_the_brief(vault: Vault, code: Path) -> None:
    value = "topic | berth | port | The berth listens on port {}."
    tell(
        vault,
        session("one", value.format(4110), code, "main", day="2026-03-01"),
        session("two", value.format(4220), code, "feature-x", day="2026-03-05"),
    )
    compiled(vault)
    made = brief.brief(open_at(vault.root), "project:harbour").text
    (line,) = [line for line in made.splitlines() if "4110" in line]
    assert "no longer" in line
    assert MARK in line
    told = vault.recall("On which port does the berth listen?", "project:harbour").as_json()["entries"]
    assert {entry["unmerged"] for entry in told if "4220" in entry["text"]} == {"feature-x"}
