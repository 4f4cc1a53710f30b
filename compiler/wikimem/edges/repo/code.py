"""A code repository, asked what became of files, names and commands: now, at a base, and in its history. Reads only.

It is somebody's repository, not the vault's: whatever is asked, nothing in it is written, and none of its hooks runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from wikimem.edges.repo import history
from wikimem.edges.repo.place import locate
from wikimem.edges.repo.plumbing import Plumbing, check_owner, text
from wikimem.errors import BadRange, UsageError

_MAKE = ("Makefile", "*/Makefile", "makefile", "GNUmakefile", "*.mk", "justfile", "*/justfile")
_NPM = ("package.json", "*/package.json")
_AT_ONCE = 200
_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Code:
    """A code repository, as its working tree is, and a commit that it is compared with.

    Args:
        git: the repository.
        base: the commit; empty for the whole history.
        head: the current commit; empty if there is none.
    """

    git: Plumbing
    base: str
    head: str

    @property
    def top(self) -> Path:
        """The top of its working tree."""
        return self.git.place.top

    def files(self) -> frozenset[str]:
        """The tracked files that are there, and those that git does not ignore."""
        there = _split(self.git.run("ls-files", "-z", "--cached", "--others", "--exclude-standard").out)
        return frozenset(there) - frozenset(_split(self.git.run("ls-files", "-z", "--deleted").out))

    def gone(self) -> Mapping[str, str]:
        """Files that were tracked and are not there any more, each with the commit that took it, or '' for none yet.

        With a base, only those that it has.
        """
        there = self.files()
        if self.base:
            had = _split(self.git.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", self.base).out)
            return {path: "" for path in had if path not in there}
        if not self.head:
            return {}
        out = self.git.run("log", "-z", "--format=%x01%h", "--name-only", "--no-renames", "--diff-filter=D", self.head).out
        found: dict[str, str] = dict.fromkeys(_split(self.git.run("ls-files", "-z", "--deleted").out), "")
        commit = ""
        for entry in text(out).replace("\n", "\0").split("\0"):
            if entry.startswith("\x01"):
                commit = entry[1:]
            elif entry and entry not in there:
                found.setdefault(entry, commit)
        return found

    def diff(self) -> str:
        """What the working tree has otherwise than the base, or than the last commit: a unified diff without context."""
        if not self.head:
            return ""
        args = ("diff", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", self.base or self.head, "--")
        return self.git.run(*args).out.decode("utf-8", "replace")

    def lacks(self, names: Iterable[str]) -> frozenset[str]:
        """Which names stand as words in no tracked file of the working tree."""
        wanted = sorted(set(names))
        return frozenset(wanted) - self._words(wanted, ())

    def had(self, name: str) -> str | None:
        """The commit after which a name that stands nowhere now is gone; '' if the base has it; None if it never was there."""
        if self.base:
            return "" if name in self._words([name], (self.base,)) else None
        return self._last("-S", name, ())

    def commands(self, tool: str, target: str) -> str | None:
        """As `had`, of the target of a build tool; None also where it is there still."""
        pattern, places = _defined(tool, target)
        if self._greps(pattern, (), places):
            return None
        if self.base:
            return "" if self._greps(pattern, (self.base,), places) else None
        return self._last("-G", pattern, places)

    def _words(self, names: list[str], ref: tuple[str, ...]) -> frozenset[str]:
        found: set[str] = set()
        for begin in range(0, len(names), _AT_ONCE):
            patterns = [part for name in names[begin : begin + _AT_ONCE] for part in ("-e", name)]
            answer = self.git.ask("grep", "-h", "-o", "-w", "-F", "-I", *patterns, *ref, "--", seconds=_SECONDS)
            found.update(text(answer.out).split("\n"))
        return frozenset(found)

    def _greps(self, pattern: str, ref: tuple[str, ...], places: tuple[str, ...]) -> bool:
        env = {"GIT_LITERAL_PATHSPECS": "0"}
        return self.git.ask("grep", "-q", "-I", "-E", "-e", pattern, *ref, "--", *places, env=env, seconds=_SECONDS).status == 0

    def _last(self, how: str, what: str, places: tuple[str, ...]) -> str | None:
        if not self.head:
            return None
        env = {"GIT_LITERAL_PATHSPECS": "0"}
        answer = self.git.ask("log", "-1", "--format=%h", f"{how}{what}", self.head, "--", *places, env=env, seconds=_SECONDS)
        return answer.line if answer.status == 0 and answer.line else None


def open_code(path: Path, since: str = "") -> Code:
    """The code repository of a folder.

    Args:
        path: any folder in it.
        since: a commit to compare with, from where both parted; '' for all that ever was.

    Raises:
        UsageError: there is no repository.
        BadRange: there is no such commit.
        GitFailed: it belongs to somebody else, and git does not take it for safe.
    """
    place = locate(path) if path.is_dir() else None
    if place is None:
        raise UsageError(f"{path} is in no git repository. Name a folder of the code, such as `wikimem lint --code .`.")
    check_owner(place)
    git = Plumbing(place, _SECONDS)
    head = history.resolve(git, "HEAD")
    if not since:
        return Code(git, "", head)
    base = history.resolve(git, since)
    if not base:
        raise BadRange(since, f"there is no commit {since} in {place.top}")
    parted = git.ask("merge-base", base, head) if head else None
    return Code(git, parted.line if parted is not None and parted.status == 0 else base, head)


def _defined(tool: str, target: str) -> tuple[str, tuple[str, ...]]:
    """How the target of a build tool is defined, as a pattern of a line, and in which files."""
    name = re.escape(target)
    return (f"^{name}[^:=]*:([^=]|$)", _MAKE) if tool == "make" else (f'"{name}"[[:space:]]*:', _NPM)


def _split(out: bytes) -> list[str]:
    return [path for path in text(out).split("\0") if path]
