"""Running git: the one place that starts it. Not what is asked of it.

Every call has a time limit, a closed standard input (or the bytes it was given), no terminal, no prompt, plain English
output, and a repository that is named rather than looked for.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from wikimem.edges.repo.place import Place, foreign
from wikimem.errors import GitFailed

if TYPE_CHECKING:
    from git.cmd import Git

NO_PROMPT = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
    "GCM_INTERACTIVE": "never",
    "GIT_EDITOR": ":",
}
QUIET = {**NO_PROMPT, "GIT_OPTIONAL_LOCKS": "0", "GIT_LITERAL_PATHSPECS": "1", "GIT_NO_REPLACE_OBJECTS": "1"}
"""Pathspecs are names here, never patterns, and `git replace` must not show us another history than the stored one."""

STEADY = (
    "core.fsmonitor=false",
    "core.splitIndex=false",
    "core.fsync=committed",
    "i18n.commitEncoding=UTF-8",
    "i18n.logOutputEncoding=UTF-8",
)
"""Over the user's settings: what would change what plumbing does, and what a power cut must not take from a commit."""

_NO_GIT = "there is no git on this machine's PATH; install git 2.30 or newer"


@dataclass(frozen=True, slots=True)
class Answer:
    """What git said.

    Args:
        status: its exit code; None if it was stopped because its time was up.
        out: what it wrote, as bytes.
        err: what it complained of, as text.
    """

    status: int | None
    out: bytes
    err: str

    @property
    def line(self) -> str:
        """The output as one line of text."""
        return text(self.out).rstrip("\r\n")


def text(raw: bytes) -> str:
    """Bytes of git as text, without loss: names that are not UTF-8 come back by `raw_name`."""
    return raw.decode("utf-8", "surrogateescape")


def raw_name(name: str) -> bytes:
    """The bytes of a name, the inverse of `text`."""
    return name.encode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True)
class Plumbing:
    """git, told which repository it works on.

    Args:
        place: the repository.
        seconds: time limit of a call that names none.
        algorithm: the hash that ids are made with, `sha1` or `sha256`.
    """

    place: Place
    seconds: float = 120.0
    algorithm: str = "sha1"

    @property
    def nothing(self) -> str:
        """The id of no object, all zeros."""
        return "0" * (64 if self.algorithm == "sha256" else 40)

    def ask(
        self,
        *args: str,
        data: bytes = b"",
        env: Mapping[str, str] | None = None,
        seconds: float | None = None,
        config: tuple[str, ...] = (),
    ) -> Answer:
        """Run one git command and return what it said, whatever its exit code.

        Args:
            args: the command and its arguments.
            data: what it reads.
            env: variables on top of ours, such as `GIT_INDEX_FILE`.
            seconds: time limit.
            config: further settings for this call, `name=value`.

        Raises:
            GitFailed: git cannot be started.
        """
        options = [part for setting in (*STEADY, *config) for part in ("-c", setting)]
        return start(self.place.top, [*options, *args], {**self._named(), **(env or {})}, data, seconds or self.seconds)

    def run(
        self,
        *args: str,
        data: bytes = b"",
        env: Mapping[str, str] | None = None,
        seconds: float | None = None,
        config: tuple[str, ...] = (),
    ) -> Answer:
        """Like `ask`, for commands that must succeed.

        Raises:
            GitFailed: it failed, or its time was up.
        """
        answer = self.ask(*args, data=data, env=env, seconds=seconds, config=config)
        if answer.status is None:
            raise GitFailed(args[0], f"it did not end within {seconds or self.seconds:g} s")
        if answer.status != 0:
            raise GitFailed(args[0], answer.err or text(answer.out))
        return answer

    def hook_env(self) -> dict[str, str]:
        """The variables for a hook: what `git commit` would give it, so a hook may still look into other repositories.

        Only where a calling hook has named a repository already, ours must be named over it.
        """
        polluted = any(name in os.environ for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR"))
        ours = self._named() if polluted else {}
        user = {name: os.environ.get(name, "") for name in ("LC_ALL", "LANGUAGE")}
        return {**ours, **NO_PROMPT, **user}

    def hook(self, *args: str, env: Mapping[str, str], seconds: float, config: tuple[str, ...] = ()) -> Answer:
        """Run a git command that runs a hook, with `hook_env`."""
        options = [part for setting in config for part in ("-c", setting)]
        return start(self.place.top, [*options, *args], {**self.hook_env(), **env}, b"", seconds)

    def _named(self) -> dict[str, str]:
        place = self.place
        names = {
            **QUIET,
            "GIT_DIR": str(place.git),
            "GIT_WORK_TREE": str(place.top),
            "GIT_INDEX_FILE": str(place.git / "index"),
        }
        # These may only be overridden where they are set: git takes some of them seriously even when they are empty.
        inherited = {
            "GIT_COMMON_DIR": str(place.common),
            "GIT_OBJECT_DIRECTORY": str(place.common / "objects"),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": "",
            "GIT_NAMESPACE": "",
            "GIT_PREFIX": "",
            "GIT_GLOB_PATHSPECS": "0",
            "GIT_NOGLOB_PATHSPECS": "0",
            "GIT_ICASE_PATHSPECS": "0",
        }
        return names | {name: value for name, value in inherited.items() if name in os.environ}


def check_owner(place: Place) -> None:
    """Let git judge a repository of another user, as its `safe.directory` setting has it.

    Naming a repository, as we do, would otherwise pass over that protection, and its hooks would run.

    Raises:
        GitFailed: git finds the ownership dubious; its advice is in the message.
    """
    if not foreign(place) or "GIT_DIR" in os.environ:
        return
    answer = start(place.top, ["rev-parse", "--git-dir"], QUIET, b"", 30.0)
    if answer.status != 0:
        raise GitFailed("rev-parse", answer.err)


def start(folder: Path, args: list[str], env: Mapping[str, str], data: bytes, seconds: float) -> Answer:
    """Run `git ARGS` in a folder.

    Raises:
        GitFailed: git cannot be started.
    """
    git = _git(folder)
    from git.exc import GitCommandNotFound

    command = [type(git).GIT_PYTHON_GIT_EXECUTABLE or "git", *args]
    stdin = subprocess.PIPE if data else None
    # A session of its own: no terminal to prompt on, and one signal reaches whatever a hook or signer started.
    try:
        process = git.execute(command, istream=stdin, as_process=True, env=env, start_new_session=True)
    except GitCommandNotFound as error:
        raise GitFailed("version", _NO_GIT) from error
    except OSError as error:
        raise GitFailed("version", f"it could not be started in {folder} ({error})") from error
    try:
        out, err = process.communicate(data or None, timeout=seconds)
    except subprocess.TimeoutExpired:
        out, err = _stop(process.proc)
        return Answer(None, out, err.decode("utf-8", "replace"))
    return Answer(process.returncode, out, err.decode("utf-8", "replace"))


def _git(folder: Path) -> Git:
    try:
        from git.cmd import Git
    except ImportError as error:
        raise GitFailed("version", _NO_GIT) from error
    return Git(str(folder))


def _stop(process: subprocess.Popen[bytes] | None) -> tuple[bytes, bytes]:
    """End a process and what it started, and return what they had said."""
    if process is None:
        return b"", b""
    if sys.platform == "win32":
        process.kill()
    else:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            process.kill()
    try:
        out, err = process.communicate(timeout=10.0)
    except subprocess.TimeoutExpired:
        return b"", b"it could not be stopped"
    return out, err
