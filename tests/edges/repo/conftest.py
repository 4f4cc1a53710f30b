"""A person with git and an editor, working in the repository that wikimem commits to."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from wikimem.edges.repo import Change, GitSettings, Message, Repo
from wikimem.errors import Problem

SETTINGS = GitSettings(lock_waits=(0.01, 0.01), hook_seconds=20.0, signing_seconds=20.0)


@dataclass
class Person:
    """Someone at the top of a working tree, with the git of this machine."""

    top: Path

    def git(self, *args: str, data: bytes = b"", fails: bool = False) -> str:
        """Run git as a person would, and give back what it printed."""
        done = subprocess.run(["git", *args], cwd=self.top, input=data, capture_output=True)
        assert fails or done.returncode == 0, done.stderr
        return done.stdout.decode("utf-8", "surrogateescape")

    def write(self, path: str, text: str | bytes) -> Path:
        file = self.top / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return file

    def commits(self, path: str, text: str | bytes) -> str:
        """Write a file, commit it, and give back the commit."""
        self.write(path, text)
        self.git("add", "--", path)
        self.git("commit", "-q", "--no-verify", "-m", f"write {path}", "--", path)
        return self.git("rev-parse", "HEAD").strip()

    def index(self) -> dict[str, str]:
        """Path to mode, blob and stage, as the index has them."""
        lines = self.git("ls-files", "-s", "-z").split("\0")
        return {path: about for about, _, path in (line.partition("\t") for line in lines) if path}

    def status(self) -> list[str]:
        return [line for line in self.git("status", "--porcelain", "-z", "-uall").split("\0") if line]

    def hook(self, name: str, script: str) -> Path:
        file = self.write(f".git/hooks/{name}", f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)
        return file


@dataclass
class Writer:
    """wikimem, committing to a repository, with all that it reported."""

    repo: Repo
    reports: list[Problem] = field(default_factory=list)

    def commit(
        self,
        writes: dict[str, Path | bytes],
        deletes: frozenset[str] = frozenset(),
        expected: dict[str, str | None] | None = None,
        message: Message | None = None,
    ) -> str:
        change = Change(writes, deletes, expected or {})
        return self.repo.commit(change, message or Message("pages"), report=self.reports.append)

    def rules(self) -> list[tuple[str, str]]:
        return [(problem.where, problem.rule) for problem in self.reports]


@pytest.fixture(autouse=True)
def _nobody_s_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(("GIT_AUTHOR", "GIT_COMMITTER", "EMAIL"))]:
        monkeypatch.delenv(name)


@pytest.fixture
def person(tmp_path: Path) -> Person:
    """Someone in a repository with one commit, `.wikimem/` ignored."""
    someone = Person(tmp_path / "notes and memory")
    someone.top.mkdir()
    someone.git("init", "-q", "-b", "main")
    someone.git("config", "user.name", "Nora")
    someone.git("config", "user.email", "nora@example.org")
    someone.commits(".gitignore", ".wikimem/\n")
    return someone


@pytest.fixture
def writer(person: Person) -> Writer:
    return Writer(Repo.open(person.top, SETTINGS))


@pytest.fixture
def writer_in() -> Callable[..., Writer]:
    def open_writer(path: Path, settings: GitSettings = SETTINGS) -> Writer:
        return Writer(Repo.open(path, settings))

    return open_writer
