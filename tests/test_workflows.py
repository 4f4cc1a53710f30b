"""The ready workflows: their own steps, run by a shell in a real checkout, and the rights that they ask for."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from dictated import Dictated, as_model, git, session, tell
from syncing import publish
from wikimem.faces.api import Vault

TOP = Path(__file__).parents[1] / "workflows"
PIER = "topic | pier | | The pier is {}."
ZEROS = "0" * 40


def workflow(name: str) -> dict[str, Any]:
    found = yaml.safe_load((TOP / f"{name}.yml").read_text())
    assert isinstance(found, dict)
    return found


@pytest.fixture
def request_of(vault: Vault, tmp_path: Path) -> tuple[Path, str]:
    """A checkout of a branch with one new claim, from which the main branch moved on; and the commit of the main branch."""
    tell(vault, session("one", "2026-03-02", PIER.format("long")))
    vault.compile(model=as_model(Dictated()))
    remote = publish(vault)
    git(vault.root, "switch", "-qc", "request")
    tell(vault, session("two", "2026-03-04", PIER.format("red")))
    vault.compile(model=as_model(Dictated()))
    git(vault.root, "push", "-q", "origin", "request")
    git(vault.root, "switch", "-q", "main")
    tell(vault, session("three", "2026-03-06", PIER.format("wet")))
    vault.compile(model=as_model(Dictated()))
    git(vault.root, "push", "-q", "origin", "main")
    git(tmp_path, "clone", "-q", "-b", "request", str(remote), "checkout")
    return tmp_path / "checkout", git(vault.root, "rev-parse", "main").strip()


def shell(folder: Path, script: str, tmp_path: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a script as the host does, with our program, but without installing it."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    script = re.sub(r"(?m)^.*pip install .*wikimem.*$", "", script)
    told = {**kept, "PATH": path, "RUNNER_TEMP": str(tmp_path), "CI_BUILDS_DIR": str(tmp_path), **env}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return subprocess.run(command, cwd=folder, env=told, capture_output=True, text=True)


def github(folder: Path, tmp_path: Path, before: str) -> tuple[list[int], str]:
    """Run the steps of the check one by one; their exit codes, and the summary."""
    names = {name: tmp_path / name.lower() for name in ("GITHUB_ENV", "GITHUB_STEP_SUMMARY")}
    for path in names.values():
        path.touch()
    codes = []
    for step in workflow("github")["jobs"]["check"]["steps"]:
        if "run" not in step or "hashFiles" in step.get("if", ""):
            continue
        known = dict(line.split("=", 1) for line in names["GITHUB_ENV"].read_text().splitlines())
        done = shell(folder, step["run"], tmp_path, BEFORE=before, **known, **{name: str(path) for name, path in names.items()})
        codes.append(done.returncode)
    return codes, names["GITHUB_STEP_SUMMARY"].read_text()


def gitlab(folder: Path, tmp_path: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return shell(folder, "\n".join(workflow("gitlab")["memory"]["script"]), tmp_path, **env)


def test_github_tells_what_the_request_brings_and_not_what_the_branch_got_meanwhile(
    request_of: tuple[Path, str], tmp_path: Path
) -> None:
    folder, main = request_of
    codes, summary = github(folder, tmp_path, main)
    assert set(codes) == {0}
    assert "    " + "  + The pier is red." in summary
    assert "wet" not in summary


def test_github_without_anything_to_hold_it_against(request_of: tuple[Path, str], tmp_path: Path) -> None:
    codes, summary = github(request_of[0], tmp_path, ZEROS)
    assert set(codes) == {0}
    assert "nothing to hold it against" in summary


def test_github_fails_where_a_source_was_changed(request_of: tuple[Path, str], tmp_path: Path) -> None:
    folder, main = request_of
    source = next(path for path in (folder / "sources").rglob("*.jsonl") if "long" in path.read_text())
    source.write_text(source.read_text().replace("long", "short"))
    git(folder, "commit", "-qam", "quietly")
    codes, _ = github(folder, tmp_path, main)
    assert 1 in codes


def test_gitlab_tells_the_same(request_of: tuple[Path, str], tmp_path: Path) -> None:
    folder, main = request_of
    done = gitlab(folder, tmp_path, CI_MERGE_REQUEST_DIFF_BASE_SHA=main, CI_COMMIT_BEFORE_SHA=ZEROS)
    assert done.returncode == 0, done.stderr
    told = (folder / "memory-diff.txt").read_text()
    assert "+ The pier is red." in told and "wet" not in told
    assert gitlab(folder, tmp_path, CI_COMMIT_BEFORE_SHA=ZEROS).returncode == 0
    assert "nothing to hold it against" in (folder / "memory-diff.txt").read_text()


def test_nobody_gets_more_rights_than_the_job_needs_and_every_action_is_pinned() -> None:
    told = workflow("github")
    assert told["permissions"] == {}
    assert {name: job["permissions"] for name, job in told["jobs"].items()} == {
        "check": {"contents": "read"},
        "comment": {"pull-requests": "write"},
    }
    steps = [step for job in told["jobs"].values() for step in job["steps"]]
    assert all(re.search(r"@[0-9a-f]{40}\Z", step["uses"]) for step in steps if "uses" in step)
    # Nothing of an event stands in a script, where it would be run.
    assert not any("${{" in step.get("run", "") for step in steps)
    # The job that may write has none of the request's files.
    assert not any("checkout" in step.get("uses", "") for step in told["jobs"]["comment"]["steps"])
