"""Running git: limits, what it says when it cannot run, and whose repositories are used."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from wikimem.edges.repo import Repo
from wikimem.edges.repo.plumbing import Plumbing
from wikimem.errors import GitFailed

pytestmark = pytest.mark.skipif(os.name == "nt", reason="these tests use a Unix shell")


def test_a_command_that_does_not_end_is_ended_with_all_it_started(person: Any, writer: Any, tmp_path: Path) -> None:
    late = tmp_path / "late"
    git = Plumbing(writer.repo.place)
    with pytest.raises(GitFailed, match=r"git slow failed: it did not end within 0\.2 s"):
        git.run("slow", config=(f"alias.slow=!(sleep 1; touch '{late}') & sleep 60",), seconds=0.2)
    time.sleep(1.2)
    assert not late.exists()


def test_what_git_says_is_in_the_error(writer: Any) -> None:
    with pytest.raises(GitFailed, match="git cat-file failed: fatal: Not a valid object name nonsense"):
        Plumbing(writer.repo.place).run("cat-file", "blob", "nonsense")


def test_a_command_never_asks(person: Any, writer: Any) -> None:
    git = Plumbing(writer.repo.place)
    asked = git.ask("credential", "fill", data=b"protocol=https\nhost=git.example\n\n", seconds=20.0)
    assert (asked.status, asked.out) == (128, b"")
    assert "terminal prompts disabled" in asked.err


def test_a_machine_whose_git_went_away(writer: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitFailed, match="install git"):
        _ = writer.repo.head


def test_a_machine_without_git(person: Any, tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from wikimem.edges.repo import Repo, remote_of\n"
        "assert 'git' not in sys.modules\n"
        "assert remote_of(sys.argv[1]) == ''\n"
        "try: Repo.open(Path(sys.argv[1])).head\n"
        "except Exception as error: print(type(error).__name__, error)\n"
    )
    env = {**os.environ, "PATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script, str(person.top)], env=env, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.startswith("GitFailed") and "install git" in done.stdout


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away")
def test_a_repository_of_somebody_else_is_used_only_if_git_takes_it_for_safe(
    person: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its hooks would run as us."""
    os.chown(person.top / ".git", 12345, 12345)
    os.chown(person.top, 12345, 12345)
    with pytest.raises(GitFailed, match="dubious ownership"):
        Repo.open(person.top)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "safe.directory")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(person.top))
    assert Repo.open(person.top).head
