"""The git edge of a vault: commits of our paths alone, recovery after a crash, and proof that sources only grow.

Nothing here knows what a page or a claim is. Nothing of the user's is committed, lost or unstaged; what somebody edits
or stages meanwhile is left alone and reported. git is started by `plumbing` only, and imported when it is first used.

    place       where a repository is             journal, landing, recovery   a commit survives `kill -9`
    plumbing    running git                       locks                        when to keep away
    commit      the protocol                      proof                        sources are append-only
    message     what a commit says                worktree, remote             making a vault's place; whose code this is
    history     reading trees, blobs and logs     blame                        who wrote a line
    exchange    fetching and pushing              merging, joining             one tree of two clones
    residue     what history still keeps          rewriting                    history made anew without it
    proposals   branches beside the current one       health     what would stand in a commit's way
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Self

from wikimem.core.checkups import Checkup
from wikimem.core.tombstones import Tombstones
from wikimem.edges.repo import commit as protocol
from wikimem.edges.repo import (
    health,
    history,
    identity,
    locks,
    proof,
    proposals,
    recovery,
    residue,
    rewriting,
    scratch,
    worktree,
)
from wikimem.edges.repo.blame import Written, blame
from wikimem.edges.repo.commit import Change
from wikimem.edges.repo.files import blob_id
from wikimem.edges.repo.history import Commit
from wikimem.edges.repo.joining import Joining
from wikimem.edges.repo.landing import Report
from wikimem.edges.repo.message import Message
from wikimem.edges.repo.place import Place, locate
from wikimem.edges.repo.plumbing import Plumbing, check_owner, text
from wikimem.edges.repo.recovery import Recovered
from wikimem.edges.repo.remote import remote_of
from wikimem.edges.repo.residue import Residue, Tracked
from wikimem.edges.repo.rewriting import Rewritten, Unwanted
from wikimem.edges.repo.settings import GitSettings
from wikimem.errors import NotAVault, Problem

__all__ = [
    "Change",
    "Commit",
    "GitSettings",
    "Joining",
    "Message",
    "Recovered",
    "Repo",
    "Report",
    "Residue",
    "Rewritten",
    "Tracked",
    "Unwanted",
    "Written",
    "blame",
    "blob_id",
    "locate",
    "remote_of",
]

_SHA256 = re.compile(rb"(?im)^\s*objectformat\s*=\s*sha256\s*$")


class Repo:
    """A vault's repository, opened on the vault's folder: the top of a working tree, a folder in it, or a linked one.

    Writers hold the vault's lock, call `recover` first, and then `commit` as often as they like.
    """

    def __init__(self, place: Place, settings: GitSettings) -> None:
        self._settings = settings
        self._git = _plumbing(place, settings)

    @classmethod
    def open(cls, path: Path, settings: GitSettings | None = None) -> Self:
        """The repository that a vault's folder is in.

        Raises:
            NotAVault: it is in none.
            GitFailed: it belongs to somebody else, and git does not take it for safe.
        """
        place = locate(path)
        if place is None:
            raise NotAVault(str(path), "it is in no git repository")
        check_owner(place)
        return cls(place, settings or GitSettings())

    @classmethod
    def init(cls, path: Path, branch: str = "main", settings: GitSettings | None = None) -> Self:
        """Like `open`, but a folder that is in no repository becomes one.

        Raises:
            GitFailed, OSError: it cannot be made.
        """
        if locate(path) is None:
            worktree.make(path, branch)
        return cls.open(path, settings)

    @classmethod
    def worktree(cls, path: Path, branch: str = "wikimem", settings: GitSettings | None = None) -> Self:
        """Make a folder in (or beside) a code repository a linked worktree on a branch of its own, and open it.

        Args:
            path: the folder to make; the repository is the one around its nearest existing parent.

        Raises:
            NotAVault: there is no repository around it.
            UsageError: the folder is not empty, or its name would hide a folder of the vault.
            GitFailed, OSError: it cannot be made.
        """
        folder = path.resolve()
        around = next(parent for parent in folder.parents if parent.is_dir())
        place = locate(around)
        if place is None:
            raise NotAVault(str(path), "there is no git repository around it")
        check_owner(place)
        worktree.link(folder, branch, _plumbing(place, settings or GitSettings()))
        return cls.open(folder, settings)

    @property
    def place(self) -> Place:
        """The vault's folder, the working tree's top and the git folders."""
        return self._git.place

    @property
    def staging(self) -> Path:
        """Where a caller writes the files that a `Change` moves into place; made if need be."""
        folder = scratch.staging(self.place)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    @property
    def head(self) -> str:
        """The id of the current commit; empty on a branch that has none yet."""
        return protocol.head_of(self._git)

    def commit(self, change: Change, message: Message, *, report: Report) -> str:
        """Commit a change and put its files in place. An earlier commit that a crash cut short is finished first.

        Args:
            report: called with what was left alone (a file or staged entry that is not what was read: `left-out` of the
                commit, or `left-alone` on disk only), and with what else the user should know.

        Returns:
            The new commit's id; empty when the tree would not change.

        Raises:
            GitBusy, HookRefused, SigningTimedOut, GitFailed, OSError: nothing is committed. Staged files that the
                caller made are still there.
            ValueError: a path or trailer name that is none.
        """
        locks.check_idle(self.place)
        done = recovery.replay(self._git, self._settings)
        for problem in (*(Problem(str(self.place.folder), "recovered", told) for told in done.sentences), *done.left):
            report(problem)
        recovery.insist_finished(self._git, done)
        return protocol.commit(self._git, self._settings, change, message, report)

    def recover(self) -> Recovered:
        """Finish or discard what a crash left, and sweep up staged files. The caller holds the vault's lock.

        Raises:
            GitBusy: a commit is to be finished, but an operation is in progress or somebody holds the index.
            GitFailed, OSError: git or the disk failed; nothing is lost, the next call tries again.
        """
        return recovery.recover(self._git, self._settings)

    def check_idle(self) -> None:
        """Refuse to go on during a merge, rebase, cherry-pick, revert, bisect or `git am`.

        Raises:
            GitBusy: one is in progress; it names it and how to end it.
        """
        locks.check_idle(self.place)

    def aside(self, folder: Path) -> AbstractContextManager[Path]:
        """A second working tree of the current commit, on no branch, for as long as it is used.

        Args:
            folder: where to put it.

        Returns:
            The vault's folder in it.

        Raises:
            GitFailed, OSError: it cannot be made.
        """
        return worktree.aside(folder, self._git)

    def check_branch(self, name: str) -> None:
        """Refuse a branch that cannot be made.

        Raises:
            UsageError: it is no name of a branch, or there is such a branch.
        """
        worktree.check_branch(name, self._git)

    def branch(self, name: str, commit: str) -> None:
        """Make a branch of a commit; the current one and what is checked out stay.

        Raises:
            UsageError: it is no name of a branch, or there is such a branch.
            GitFailed: git said no for another reason.
        """
        worktree.branch(name, commit, self._git)

    @property
    def branch_name(self) -> str:
        """What the current branch is called; `HEAD` where it is none."""
        return protocol.branch_of(self._git).removeprefix("ref: refs/heads/") if self._on_branch else "HEAD"

    @property
    def _on_branch(self) -> bool:
        return protocol.branch_of(self._git).startswith("ref: refs/heads/")

    def proposals(self, under: str) -> dict[str, list[str]]:
        """See `proposals.tips`."""
        return proposals.tips(self._git, under)

    def proposal(self, name: str) -> str:
        """See `proposals.local`."""
        return proposals.local(self._git, name)

    def base(self, one: str, other: str) -> str:
        """See `proposals.base`."""
        return proposals.base(self._git, one, other)

    def built_on(self, tip: str, head: str) -> str:
        """See `proposals.built_on`."""
        return proposals.built_on(self._git, tip, head)

    def propose(
        self, name: str, parents: Sequence[str], writes: Mapping[str, bytes], deletes: Sequence[str], said: Message
    ) -> str:
        """See `proposals.put`; the caller holds the vault's lock."""
        return proposals.put(self._git, self._settings, name, parents, writes, deletes, said)

    def drop(self, name: str) -> None:
        """See `proposals.drop`."""
        proposals.drop(self._git, name)

    def remote(self, named: str = "") -> tuple[str, str]:
        """See `proposals.remote`."""
        return proposals.remote(self._git, named)

    def fetch_proposals(self, remote: str, under: str) -> None:
        """See `proposals.fetch`."""
        proposals.fetch(self._git, remote, under)

    def push_proposal(self, remote: str, name: str) -> bool:
        """See `proposals.push`."""
        return proposals.push(self._git, remote, name)

    def blob(self, path: str, ref: str = "HEAD") -> bytes | None:
        """A file's bytes as a commit has them; None if it has none.

        Raises:
            GitFailed: there is no such commit.
        """
        found = self.paths(path, ref).get(path)
        return None if found is None else self._git.run("cat-file", "blob", found).out

    def paths(self, under: str = "", ref: str = "HEAD") -> dict[str, str]:
        """The files of a commit under a folder of the vault (or the file of that name): path to blob id, in git's order.

        Raises:
            GitFailed: there is no such commit.
        """
        if ref == "HEAD" and not self.head:
            return {}
        prefix = self.place.prefix
        where = (prefix + under).rstrip("/")
        out = self._git.run("ls-tree", "-r", "-z", "--full-tree", ref, "--", *([where] if where else [])).out
        entries = (line.partition("\t") for line in text(out).split("\0") if line)
        return {path.removeprefix(prefix): about.split(" ")[2] for about, _, path in entries if " blob " in about}

    def resolve(self, ref: str) -> str:
        """The id of the commit that a name (`HEAD~1`, a branch, an id) means; empty if it means none."""
        return history.resolve(self._git, ref)

    def tree(self, under: str, ref: str = "HEAD") -> str:
        """The id of the tree of a folder of the vault in a commit: equal ids mean equal content. Empty if there is none."""
        return history.tree(self._git, self.place.prefix + under, ref)

    def contents(self, blobs: Iterable[str]) -> dict[str, bytes]:
        """The bytes of many blobs, by id.

        Raises:
            GitFailed: one of them is not there.
        """
        return history.contents(self._git, blobs)

    @property
    def shallow(self) -> bool:
        """Whether older commits are missing here, as in a clone of some depth."""
        return history.is_shallow(self._git)

    @property
    def user(self) -> str:
        """What the person is called whose commits are made here, by git's settings; empty if they do not say."""
        return identity.settings_of(self._git).get("user.name", "")

    def log(self, paths: Iterable[str], ref: str = "HEAD", limit: int = 0, merges: bool = False) -> tuple[Commit, ...]:
        """The commits that touched any of some paths of the vault, newest first; at most `limit`, 0 for all.

        Args:
            paths: files or folders of the vault.
            ref: where the history ends.
            limit: see above.
            merges: also those that joined two histories.
        """
        if ref == "HEAD" and not self.head:
            return ()
        return history.log(self._git, [self.place.prefix + path for path in paths], ref, limit, merges)

    def ancestors(self, ref: str) -> frozenset[str]:
        """The ids of all commits that a commit has in its history, its own included."""
        return history.ancestors(self._git, ref)

    def graph(self, names: Iterable[str], ref: str = "HEAD") -> tuple[Commit, ...]:
        """The commits that touched a file of the vault whose path begins with one of some names, with merges, newest first.

        The parents of each are the nearest commits that are told as well.
        """
        if ref == "HEAD" and not self.head:
            return ()
        return history.graph(self._git, [self.place.prefix + name for name in names], ref)

    def changed(self, commits: Iterable[str], under: str) -> dict[str, list[tuple[str, str, str]]]:
        """What some commits changed below a folder of the vault: path and blob ids before and after, by commit.

        Raises:
            GitFailed: there is no such commit.
        """
        prefix = self.place.prefix
        found = history.changed(self._git, list(commits), prefix + under)
        return {
            commit: [(path.removeprefix(prefix), before, after) for path, before, after in files]
            for commit, files in found.items()
        }

    def blob_id(self, data: bytes) -> str:
        """The id that a file of these bytes has in this repository."""
        return blob_id(data, self._git.algorithm)

    def immutable(self, ref: str = "HEAD", against: str | None = None) -> tuple[list[Problem], str]:
        """Prove from the history that sources were only added, or forgotten by a commit that says so.

        Args:
            ref: where the history ends.
            against: another commit; whatever it has under `sources/` must be in `ref` unchanged, or forgotten.

        Returns:
            What speaks against it, and since which commit the history could be looked at, as a clause.

        Raises:
            GitFailed: there is no such commit.
        """
        if ref == "HEAD" and not self.head:
            problems, forgotten, since = list[Problem](), Tombstones(), "there is no commit yet"
        else:
            problems, forgotten = proof.violations(self._git, ref)
            since = proof.since(self._git, ref)
        if against is not None:
            before, now = self.paths("sources", against), self.paths("sources", ref)
            problems += proof.missing(before, now, forgotten, against)
        return problems, since

    def tombstones(self, ref: str = "HEAD") -> Tombstones:
        """What was forgotten by a commit.

        Raises:
            GitFailed: there is no such commit.
        """
        return proof.stones(self._git, ref if ref != "HEAD" or self.head else "")

    def last_with(self, paths: Iterable[str]) -> dict[str, str]:
        """The latest commit that the head ever was and that has a file of the vault, by path; '' for none in the reflog."""
        full = {path: self.place.full(path) for path in paths}
        return dict(zip(full, residue.last_with(self._git, list(full.values())), strict=True))

    def residue(self, paths: Iterable[str]) -> Residue:
        """Where git keeps files of the vault, or did: commits, branches, tags, remotes, stashes, other working trees.

        Raises:
            GitFailed: git said no.
        """
        current = protocol.branch_of(self._git).removeprefix("ref: ")
        return residue.residue(self._git, [self.place.full(path) for path in paths], current)

    def blobs_of(self, paths: Iterable[str]) -> frozenset[str]:
        """The blobs that files of the vault ever were, on any reference."""
        return residue.blobs_of(self._git, [self.place.full(path) for path in paths])

    def holding(self, holds: Callable[[bytes], bool]) -> dict[str, str]:
        """The objects whose content holds something, reachable or not: kind by id. Trees are not looked at.

        Raises:
            GitFailed: git said no.
        """
        return residue.holding(self._git, holds)

    def check_rewriting(self, bundle: Path | None) -> None:
        """Refuse a rewriting of history that could not be done, or not be undone.

        Raises:
            CannotForget: a sentence says what to do.
        """
        rewriting.check(self._git, bundle)

    def bundle(self, file: Path) -> None:
        """Write all history to a file; see `rewriting.bundle`."""
        rewriting.bundle(self._git, file)

    def rewrite(self, unwanted: Unwanted, folder: Path) -> Rewritten:
        """Make history anew without some blobs; see `rewriting.rewrite`."""
        return rewriting.rewrite(self._git, unwanted, folder)

    def joining(self, remote: str = "") -> Joining:
        """This repository and the branch of a remote that it is synchronised with; see `Joining`."""
        return Joining(self._git, self._settings, remote)

    def examine(self) -> tuple[Checkup, ...]:
        """What would stand in the way of a commit, and how the repository stands; see `health`. Changes nothing.

        Raises:
            GitFailed: git cannot answer.
        """
        return tuple(health.examine(self._git, self._settings))

    @property
    def remotes(self) -> tuple[str, ...]:
        """The names of its remotes."""
        return tuple(self._git.run("remote").line.split())

    def close(self) -> None:
        """Nothing is held between calls, neither a process nor a file; here so that a vault need not know that."""


def _plumbing(place: Place, settings: GitSettings) -> Plumbing:
    config = place.common / "config"
    sha256 = config.is_file() and _SHA256.search(config.read_bytes()) is not None
    return Plumbing(place, settings.seconds, "sha256" if sha256 else "sha1")
