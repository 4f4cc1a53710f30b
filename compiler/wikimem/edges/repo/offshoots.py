"""Offshoots: which branches of a code repository are not in its default branch. Reads only; what is not sure is left out.

A branch counts as merged when its commits are in a default branch, or the same changes are: one by one (a rebase), or all as one
commit (a squash). A branch whose remote is gone counts as merged too, for that is what hosts do with merged ones. In a shallow
clone nothing is sure.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from wikimem.core.unmerged import PLAIN
from wikimem.edges.repo.place import Place, locate
from wikimem.edges.repo.plumbing import Plumbing, check_owner, text
from wikimem.errors import GitFailed

SECONDS = 10.0
"""How long a repository is asked at most; what is not answered by then is not known."""
_CALL = 4.0
_COMMITS = 400
_FILES = 300
_HEADS, _REMOTES = "refs/heads/", "refs/remotes/"


@dataclass(frozen=True, slots=True)
class Judged:
    """What a repository was asked.

    Args:
        defaults: the commit of each reference to its default branch.
        open: of each branch that is not merged, the commit of each reference to it.
    """

    defaults: Mapping[str, str]
    open: Mapping[str, Mapping[str, str]]


def judged(place: Place, branches: Iterable[str], seconds: float = SECONDS) -> Judged:
    """Which of some branches are known not to be merged.

    Args:
        place: the repository.
        branches: their names, as sessions tell them.
        seconds: time for all of it.
    """
    nothing = Judged({}, {})
    wanted = sorted(set(branches) - PLAIN)
    if not wanted or (place.common / "shallow").exists():
        return nothing
    try:
        check_owner(place)
        return _Asking(Plumbing(place, _CALL), time.monotonic() + seconds).judged(wanted)
    except (GitFailed, OSError):
        return nothing


def tips(common: Path, names: Iterable[str]) -> dict[str, str]:
    """The commits of some references, read from their files without starting git; '' of one that is not found so."""
    found = {}
    packed: str | None = None
    for name in names:
        try:
            found[name] = (common / name).read_text("ascii").strip()
        except (OSError, ValueError):
            packed = _packed(common) if packed is None else packed
            end = packed.find(f" {name}\n")
            found[name] = packed[packed.rfind("\n", 0, end) + 1 : end] if end >= 0 else ""
    return found


def current(folder: str) -> str:
    """The branch that is checked out where a folder is, read without starting git; '' for none or if it is not known."""
    try:
        place = locate(Path(folder)) if folder and Path(folder).is_dir() else None
        head = (place.git / "HEAD").read_text("utf-8").strip() if place is not None else ""
    except (OSError, ValueError):
        return ""
    return head.removeprefix(f"ref: {_HEADS}") if head.startswith(f"ref: {_HEADS}") else ""


def _packed(common: Path) -> str:
    try:
        return f"{(common / 'packed-refs').read_text('utf-8', 'replace')}\n"
    except OSError:
        return ""


class _Asking:
    """A repository that is asked, until a time."""

    def __init__(self, git: Plumbing, until: float) -> None:
        self._git, self._until = git, until
        self._refs: dict[str, str] = {}
        self._gone: set[str] = set()
        self._remotes: list[str] = []

    def judged(self, wanted: Iterable[str]) -> Judged:
        form = "%(refname)%00%(objectname)%00%(upstream:track)"
        for line in self._lines("for-each-ref", f"--format={form}", _HEADS, _REMOTES):
            name, commit, track = line.split("\0")
            self._refs[name] = commit
            if track == "[gone]":
                self._gone.add(name)
        self._remotes = self._lines("remote")
        names = self._default_names()
        defaults = {ref: self._refs[ref] for name in sorted(names) for ref in self._of(name)}
        if not defaults:
            return Judged({}, {})
        apart = set(self._refs)
        for commit in set(defaults.values()):
            apart &= set(self._lines("for-each-ref", "--format=%(refname)", f"--no-merged={commit}", _HEADS, _REMOTES))
        found = {}
        for branch in wanted:
            refs = self._of(branch)
            if branch in names or not refs or not apart.issuperset(refs) or not self._gone.isdisjoint(refs):
                continue
            if not any(self._may_be_in(self._refs[refs[0]], commit) for commit in set(defaults.values())):
                found[branch] = {ref: self._refs[ref] for ref in refs}
        return Judged(defaults, found)

    def _default_names(self) -> set[str]:
        """The names of the default branch: what a remote says, else those that it always has."""
        told = set()
        for remote in self._remotes:
            answer = self._git.ask("symbolic-ref", "-q", f"{_REMOTES}{remote}/HEAD")
            if answer.status == 0:
                told.add(answer.line.removeprefix(f"{_REMOTES}{remote}/"))
        return told or {name for name in PLAIN if name and self._of(name)}

    def _of(self, branch: str) -> list[str]:
        """The references to a branch, this repository's own first."""
        every = [f"{_HEADS}{branch}", *(f"{_REMOTES}{remote}/{branch}" for remote in self._remotes)]
        return [ref for ref in every if ref in self._refs]

    def _may_be_in(self, tip: str, default: str) -> bool:
        """Whether the changes of a branch are in another one, or nobody can tell."""
        if time.monotonic() > self._until:
            return True
        base = self._git.ask("merge-base", default, tip)
        if base.status != 0:
            return True
        plain = ("--no-ext-diff", "--no-textconv", "--no-color", "--no-renames")
        changed = self._git.ask("diff", *plain, "--name-only", "-z", base.line, tip)
        files = [name for name in text(changed.out).split("\0") if name]
        if changed.status != 0 or not files or len(files) > _FILES:
            return True
        cherries = self._git.ask("cherry", default, tip)
        if cherries.status != 0 or all(line.startswith("-") for line in text(cherries.out).splitlines()):
            return True
        whole = self._git.ask("diff", *plain, base.line, tip)
        since = self._git.ask(
            "log", *plain, "-p", "--no-merges", f"--max-count={_COMMITS}", f"{base.line}..{default}", "--", *files
        )
        if whole.status != 0 or since.status != 0:
            return True
        return not self._patches(whole.out).isdisjoint(self._patches(since.out))

    def _patches(self, diff: bytes) -> set[str]:
        """The ids of the patches in a text."""
        out = self._git.ask("patch-id", "--stable", data=diff) if diff else None
        return {line.split(" ", 1)[0] for line in text(out.out).splitlines()} if out is not None else set()

    def _lines(self, *args: str) -> list[str]:
        return text(self._git.run(*args).out).splitlines()
