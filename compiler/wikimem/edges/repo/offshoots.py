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
        merged: the same of each branch that is, where its changes had to be looked at for that.
    """

    defaults: Mapping[str, str]
    open: Mapping[str, Mapping[str, str]]
    merged: Mapping[str, Mapping[str, str]]


NOTHING = Judged({}, {}, {})


def judged(place: Place, branches: Iterable[str], seconds: float = SECONDS, known: Judged = NOTHING) -> Judged:
    """Which of some branches are known not to be merged.

    Args:
        place: the repository.
        branches: their names, as sessions tell them.
        seconds: time for all of it.
        known: what it said before: of branches that have not moved since, nor the default one, it is not asked again.
    """
    wanted = sorted(set(branches) - PLAIN)
    if not wanted or (place.common / "shallow").exists():
        return NOTHING
    try:
        check_owner(place)
        return _Asking(Plumbing(place, _CALL), time.monotonic() + seconds).judged(wanted, known)
    except (GitFailed, OSError):
        return NOTHING


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

    def judged(self, wanted: Iterable[str], known: Judged) -> Judged:
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
            return NOTHING
        before = known if known.defaults == defaults else NOTHING
        apart = set(self._refs)
        for commit in set(defaults.values()):
            apart &= set(self._lines("for-each-ref", "--format=%(refname)", f"--no-merged={commit}", _HEADS, _REMOTES))
        found: dict[bool, dict[str, Mapping[str, str]]] = {True: {}, False: {}}
        for branch in wanted:
            refs = {ref: self._refs[ref] for ref in self._of(branch)}
            if branch in names or not refs or not apart.issuperset(refs) or not self._gone.isdisjoint(refs):
                continue
            if refs in (before.open.get(branch), before.merged.get(branch)):
                is_in: bool | None = branch in before.merged
            else:
                is_in = self._is_in(next(iter(refs.values())), set(defaults.values()))
            if is_in is not None:
                found[is_in][branch] = refs
        return Judged(defaults, found[False], found[True])

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

    def _is_in(self, tip: str, defaults: Iterable[str]) -> bool | None:
        """Whether the changes of a branch are in one of some others; None if nobody can tell."""
        told = [self._is_in_one(tip, default) for default in defaults]
        return True if True in told else None if None in told else False

    def _is_in_one(self, tip: str, default: str) -> bool | None:
        if time.monotonic() > self._until:
            return None
        base = self._git.ask("merge-base", default, tip)
        if base.status != 0:
            return None
        plain = ("--no-ext-diff", "--no-textconv", "--no-color", "--no-renames")
        changed = self._git.ask("diff", *plain, "--name-only", "-z", base.line, tip)
        files = [name for name in text(changed.out).split("\0") if name]
        if changed.status != 0 or len(files) > _FILES:
            return None
        cherries = self._git.ask("cherry", default, tip)
        if cherries.status != 0:
            return None
        if not files or all(line.startswith("-") for line in text(cherries.out).splitlines()):
            return True
        whole = self._git.ask("diff", *plain, base.line, tip)
        since = self._git.ask(
            "log", *plain, "-p", "--no-merges", f"--max-count={_COMMITS}", f"{base.line}..{default}", "--", *files
        )
        if whole.status != 0 or since.status != 0:
            return None
        return not self._patches(whole.out).isdisjoint(self._patches(since.out))

    def _patches(self, diff: bytes) -> set[str]:
        """The ids of the patches in a text."""
        out = self._git.ask("patch-id", "--stable", data=diff) if diff else None
        return {line.split(" ", 1)[0] for line in text(out.out).splitlines()} if out is not None else set()

    def _lines(self, *args: str) -> list[str]:
        return text(self._git.run(*args).out).splitlines()
