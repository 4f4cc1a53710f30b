"""Doctor: what is well is told as well, and whatever would stand in the way is found before anything is written."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from filelock import FileLock

from conftest import claude, jsonl
from dictated import git
from wikimem.core.checkups import Checkup, State, broken, gravest, look, ok
from wikimem.doctor import Examined, examine
from wikimem.faces import health
from wikimem.faces.api import Vault
from wikimem.faces.cli import main
from wikimem.install import install
from wikimem.lookup import user_config
from wikimem.vault import open_at


@pytest.fixture
def used(vault: Vault, tmp_path: Path) -> Vault:
    """A vault with one session, whose owner git knows."""
    git(vault.root, "config", "user.name", "Nora")
    git(vault.root, "config", "user.email", "nora@example.org")
    (tmp_path / "s.jsonl").write_bytes(jsonl(claude(1, "user", "Moor at berth 4.")))
    vault.ingest([tmp_path / "s.jsonl"])
    return vault


def of(vault: Vault | Path, name: str) -> Checkup:
    """The gravest of the checkups of a name."""
    root = vault if isinstance(vault, Path) else vault.root
    found = [each for each in examine(str(root)).checkups if each.name == name]
    return max(found, key=lambda each: list(State).index(each.state))


def test_a_vault_that_is_well_has_nothing_to_look_at(used: Vault) -> None:
    found = examine(str(used.root))
    assert [each for each in found.checkups if each.state is not State.OK] == []
    assert found.code == 0
    assert {"python", "git", "vault", "settings", "branch", "index lock", "journal", "index", "remote"} <= {
        each.name for each in found.checkups
    }


def test_looking_changes_nothing(used: Vault) -> None:
    shutil.rmtree(used.root / ".wikimem" / "index")
    before = sorted(path for path in used.root.rglob("*"))
    assert of(used, "index").told == "there is no index yet"
    assert sorted(path for path in used.root.rglob("*")) == before


def test_the_command_prints_lines_or_json_and_ends_with_1_if_something_is_broken(used: Vault) -> None:
    fine = CliRunner().invoke(main, ["--vault", str(used.root), "doctor"])
    assert (fine.exit_code, "ok      branch" in fine.output) == (0, True)
    (used.root / "wikimem.toml").write_text("[vault\n")
    done = CliRunner().invoke(main, ["--vault", str(used.root), "doctor", "--json"])
    told = json.loads(done.output)
    assert (done.exit_code, told["state"]) == (1, "broken")
    assert {"name", "state", "told", "advice"} == set(told["checkups"][0])
    (settings,) = [each for each in told["checkups"] if each["name"] == "settings"]
    assert "not valid TOML" in settings["told"]


def test_advice_stands_below_what_it_is_about() -> None:
    shown = health.examined(Examined((ok("git", "2.39"), look("index", "behind", "wait"), broken("hook", "gone", "mend"))))
    assert shown.splitlines() == [
        "ok      git    2.39",
        "look    index  behind",
        "               -> wait",
        "broken  hook   gone",
        "               -> mend",
    ]
    assert gravest([ok("a", "b"), look("a", "b", "c")]) is State.LOOK
    assert gravest([]) is State.OK


@pytest.mark.parametrize(
    ("named", "environ", "how"),
    [
        (True, {}, "it was named by --vault"),
        (False, {"WIKIMEM_VAULT": "{root}"}, "WIKIMEM_VAULT names it"),
        (False, {}, "nearest"),
    ],
)
def test_how_the_vault_was_found_is_told(vault: Vault, named: bool, environ: dict[str, str], how: str) -> None:
    told = {name: value.format(root=vault.root) for name, value in environ.items()}
    found = examine(str(vault.root) if named else None, vault.root / "wiki", told)
    assert how in next(each.told for each in found.checkups if each.name == "vault")


def test_no_vault_is_worth_a_look_and_a_wrong_one_is_broken(tmp_path: Path) -> None:
    assert next(each for each in examine(None, tmp_path, {}).checkups if each.name == "vault").state is State.LOOK
    assert of(tmp_path / "nowhere", "vault").state is State.BROKEN


def test_a_bare_clone_is_refused_as_that(vault: Vault, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(vault.root), str(tmp_path / "bare"))
    assert "bare repository" in of(tmp_path / "bare", "vault").told


def test_a_shallow_clone_and_a_detached_head_are_told(used: Vault, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{used.root}", str(tmp_path / "clone"))
    assert of(tmp_path / "clone", "history").state is State.LOOK
    git(used.root, "checkout", "-q", "--detach")
    assert "detached" in of(used, "branch").told


def test_a_linked_worktree_a_submodule_and_a_folder_are_named(vault: Vault, tmp_path: Path) -> None:
    code = tmp_path / "code"
    code.mkdir()
    git(code, "init", "-q", "-b", "main")
    git(code, "-c", "user.name=N", "-c", "user.email=n@example.org", "commit", "-q", "--allow-empty", "-m", "begin")
    beside = Vault.init(code / "memory")
    assert "linked worktree" in of(beside, "repository").told
    assert of(beside, "branch").told == "wikimem"
    inside = Vault.init(code / "notes", here=True)
    assert "a folder of the repository" in of(inside, "repository").told
    git(code, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(vault.root), "shared")
    assert "a submodule" in of(code / "shared", "repository").told


def test_a_merge_that_is_under_way_is_broken_and_says_how_to_end_it(used: Vault) -> None:
    head = git(used.root, "rev-parse", "HEAD").strip()
    (used.root / ".git" / "MERGE_HEAD").write_text(head + "\n")
    found = of(used, "git operation")
    assert (found.state, found.told) == (State.BROKEN, "a merge is in progress")
    assert "git merge --abort" in found.advice


def test_an_index_lock_is_told_with_its_age(used: Vault) -> None:
    lock = used.root / ".git" / "index.lock"
    lock.touch()
    assert "seconds old" in of(used, "index lock").told
    old = lock.stat().st_mtime - 7200
    os.utime(lock, (old, old))
    assert "120 minutes old" in of(used, "index lock").told
    assert lock.exists()


def test_a_vault_lock_is_told_while_it_is_held(used: Vault) -> None:
    with FileLock(used.root / ".wikimem" / "compile.lock"):
        assert of(used, "vault lock").told == "another process compiles now"
    assert of(used, "vault lock").state is State.OK


def test_a_run_that_was_cut_short_is_told(used: Vault) -> None:
    journal = used.root / ".wikimem" / "journal"
    journal.write_text('{"version":1,"head":"","branch":"ref: refs/heads/main","commit":"","moves":[]}')
    assert "undoes its commit" in of(used, "journal").advice
    journal.write_text("{")
    assert "damaged" in of(used, "journal").told


def test_line_endings_are_broken_where_git_would_change_sources(used: Vault) -> None:
    git(used.root, "config", "core.autocrlf", "true")
    assert of(used, "line endings").state is State.OK
    git(used.root, "rm", "-q", ".gitattributes")
    assert of(used, "line endings").state is State.BROKEN
    git(used.root, "config", "core.autocrlf", "false")
    assert of(used, "line endings").state is State.LOOK


def test_signing_by_a_program_that_is_not_there_is_broken_unless_the_vault_never_signs(used: Vault) -> None:
    git(used.root, "config", "commit.gpgsign", "true")
    git(used.root, "config", "gpg.program", "/nowhere/gpg")
    assert "/nowhere/gpg" in of(used, "signing").told
    assert of(used, "signing").state is State.BROKEN
    (used.root / "wikimem.toml").write_text('[git]\nsign = "never"\n')
    assert of(used, "signing").state is State.OK


@pytest.mark.parametrize(
    ("first", "state", "told"),
    [
        ("#!/bin/sh", State.OK, "runs"),
        ("#!/usr/bin/env no-such-program", State.BROKEN, "no-such-program"),
        ("#!/nowhere/python", State.BROKEN, "/nowhere/python"),
    ],
)
def test_a_hook_that_cannot_run_is_broken(used: Vault, first: str, state: State, told: str) -> None:
    hook = used.root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"{first}\nexit 0\n")
    hook.chmod(hook.stat().st_mode | stat.S_IXUSR)
    found = of(used, "git hook pre-commit")
    assert found.state is state
    assert told in found.told
    hook.chmod(0o644)
    assert of(used, "git hook pre-commit").state is State.LOOK


def test_a_work_folder_that_git_does_not_ignore_is_broken(used: Vault) -> None:
    (used.root / ".gitignore").write_text("")
    assert of(used, "ignored").state is State.BROKEN


def test_a_remote_without_a_route_is_worth_a_look(used: Vault) -> None:
    git(used.root, "remote", "add", "origin", "https://nora:secret@git.example.org/nora/memory.git")
    assert "secret" not in of(used, "remote").told
    assert of(used, "sessions").state is State.LOOK
    user_config().parent.mkdir(parents=True)
    user_config().write_text(f'[[routes]]\nmatch = ["/home/nora"]\nvault = "{used.root}"\n')
    assert of(used, "sessions").state is State.OK


def test_a_config_that_cannot_be_read_and_a_route_to_nowhere_are_broken(used: Vault, tmp_path: Path) -> None:
    user_config().parent.mkdir(parents=True)
    user_config().write_text("routes = 3\n")
    assert of(used, "config").state is State.BROKEN
    user_config().write_text(f'[[routes]]\nmatch = ["/home/nora"]\nvault = "{tmp_path / "gone"}"\n')
    assert of(used, "route").state is State.BROKEN


def test_a_remote_history_that_was_replaced_is_told_with_both_heads_and_what_it_lacks(used: Vault, tmp_path: Path) -> None:
    """Case 078: nothing is reset, and the report says what a reset would cost."""
    git(tmp_path, "clone", "-q", "--bare", str(used.root), "remote.git")
    other = Vault.init(tmp_path / "other")
    # Made within one second, both would begin with the very same commit.
    git(other.root, "commit", "-q", "--amend", "-m", "another beginning")
    git(other.root, "push", "-q", "--force", str(tmp_path / "remote.git"), "main")
    git(used.root, "remote", "add", "origin", str(tmp_path / "remote.git"))
    git(used.root, "fetch", "-q", "origin")
    git(used.root, "branch", "-q", "--set-upstream-to=origin/main")
    found = of(used, "upstream")
    heads = [git(used.root, "rev-parse", ref).strip()[:12] for ref in ("HEAD", "origin/main")]
    assert found.state is State.BROKEN
    assert all(head in found.told for head in heads)
    assert "it lacks 1 sources and" in found.told


def test_a_source_that_a_reset_took_is_told_with_the_commit_that_has_it(used: Vault) -> None:
    """Case 078: after a hard reset of somebody's own, the reflog still knows."""
    had = git(used.root, "rev-parse", "HEAD").strip()
    git(used.root, "reset", "-q", "--hard", "HEAD~1")
    found = of(used, "lost source")
    assert found.state is State.BROKEN
    assert had[:12] in found.told


def test_an_index_of_another_version_and_a_damaged_one_are_told(used: Vault) -> None:
    current = used.root / ".wikimem" / "index" / "current"
    told = json.loads(current.read_text())
    current.write_text(json.dumps({**told, "version": 1}))
    assert "version 1" in of(used, "index").told
    current.write_text("{")
    assert "damaged" in of(used, "index").told


def test_a_session_that_is_not_indexed_yet_is_told(used: Vault, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    shutil.copytree(used.root / ".wikimem" / "index", kept)
    (tmp_path / "t.jsonl").write_bytes(jsonl(claude(1, "user", "Cast off from berth 9.", sessionId="sess-2")))
    used.ingest([tmp_path / "t.jsonl"])
    shutil.rmtree(used.root / ".wikimem" / "index")
    shutil.copytree(kept, used.root / ".wikimem" / "index")
    assert of(used, "index").told == "of the sessions it lacks 1, and holds 0 that are gone"


@pytest.mark.parametrize("agent", ["claude-code", "codex", "cursor"])
def test_hooks_whose_interpreter_is_gone_are_broken(used: Vault, agent: str, tmp_path: Path) -> None:
    files = install(agent, open_at(used.root)).files
    assert of(used, f"agent {agent}").state is State.OK
    for each in files:
        text = each.path.read_text()
        gone = str(tmp_path / "gone" / "python")
        each.path.write_text(text.replace(sys.executable, gone))
    found = of(used, f"agent {agent}")
    assert (found.state, str(tmp_path / "gone") in found.told) == (State.BROKEN, True)


def test_hooks_that_somebody_took_out_are_worth_a_look(used: Vault) -> None:
    (first, *_) = install("claude-code", open_at(used.root)).files
    first.path.write_text("{}")
    assert "nothing of wikimem" in of(used, "agent claude-code").told
    first.path.unlink()
    assert "not there any more" in of(used, "agent claude-code").told


def test_a_machine_without_git_is_told_and_the_rest_is_looked_at(
    used: Vault, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = of(used, "git")
    assert (found.state, "Install git" in found.advice) == (State.BROKEN, True)
    assert of(used, "index").state is State.OK
