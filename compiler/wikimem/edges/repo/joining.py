"""Joining: a vault's repository and the branch of a remote that it is synchronised with, as one object for the verb.

What belongs in the joined tree is decided by whoever calls; the functions themselves stand in `exchange` and `merging`.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from wikimem.edges.repo import commit as protocol
from wikimem.edges.repo import exchange, history, locks, merging, proof, recovery, scratch
from wikimem.edges.repo.commit import Change, Merge
from wikimem.edges.repo.landing import Report
from wikimem.edges.repo.merging import Relation
from wikimem.edges.repo.message import Message
from wikimem.edges.repo.plumbing import Plumbing
from wikimem.edges.repo.settings import GitSettings
from wikimem.errors import CannotSync, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wikimem.core.tombstones import Tombstones
    from wikimem.edges.repo.exchange import Upstream

_NAMED = 3


class Joining:
    """A repository on its way to be one with a remote's branch.

    Args:
        git: the repository.
        settings: its patience.
        named: the remote's name; '' for the one that the branch follows.

    Raises:
        CannotSync, NoRemote: see `exchange.upstream`.
    """

    def __init__(self, git: Plumbing, settings: GitSettings, named: str = "") -> None:
        self._git, self._settings = git, settings
        self.up: Upstream = exchange.upstream(git, named)

    def check(self) -> None:
        """Refuse in the middle of a merge or the like, and where something is staged.

        Raises:
            GitBusy: an operation is in progress.
            CannotSync: something is staged.
        """
        locks.check_idle(self._git.place)
        staged = merging.staged(self._git)
        if staged:
            more = f" and {len(staged) - _NAMED} more" if len(staged) > _NAMED else ""
            raise CannotSync(
                f"changes to {', '.join(staged[:_NAMED])}{more} are staged", "Commit or unstage them, and run again."
            )

    @property
    def branch(self) -> str:
        """What `HEAD` says: a merge is made on the branch that it was computed for."""
        return protocol.branch_of(self._git)

    def fetch(self) -> str:
        """See `exchange.fetch`."""
        return exchange.fetch(self._git, self.up)

    def push(self, made: str) -> bool:
        """See `exchange.push`."""
        return exchange.push(self._git, self.up, made)

    def last(self) -> str:
        """See `exchange.last`."""
        return exchange.last(self._git, self.up)

    def remember(self, made: str) -> None:
        """See `exchange.remember`."""
        exchange.remember(self._git, self.up, made)

    def relation(self, ours: str, theirs: str) -> Relation:
        """See `merging.relation`."""
        return merging.relation(self._git, ours, theirs)

    def precedes(self, one: str, other: str) -> bool:
        """See `merging.precedes`."""
        return merging.precedes(self._git, one, other)

    @property
    def shallow(self) -> bool:
        """Whether the history was cut when it was cloned."""
        return merging.shallow(self._git)

    def entries(self, ref: str) -> dict[str, str]:
        """All entries of a commit, `100644 <blob>`, by path seen from the vault; empty for no commit."""
        return {self._git.place.within(path): entry for path, entry in merging.entries(self._git, ref).items()}

    def merged(self, ours: str, theirs: str) -> tuple[dict[str, str], frozenset[str]]:
        """git's own merge of two commits, by path seen from the vault, and the paths in conflict; see `merging.merged`."""
        within = self._git.place.within
        found, conflicts = merging.merged(self._git, ours, theirs)
        return {within(path): entry for path, entry in found.items()}, frozenset(within(path) for path in conflicts)

    def tombstones(self, ref: str) -> Tombstones:
        """See `proof.stones`."""
        return proof.stones(self._git, ref)

    def contents(self, blobs: Iterable[str]) -> dict[str, bytes]:
        """See `history.contents`."""
        return history.contents(self._git, blobs)

    def texts(self, folder: Path, base: bytes, one: bytes, other: bytes) -> tuple[bytes, bool]:
        """See `merging.texts`."""
        return merging.texts(self._git, folder, base, one, other)

    def stage(self, blobs: Mapping[Path, str]) -> None:
        """See `merging.stage`."""
        merging.stage(self._git, blobs)

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """A folder for what is staged on the way, removed afterwards; what a crash leaves is swept up by the next start."""
        import shutil
        import tempfile

        top = scratch.staging(self._git.place)
        top.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix="sync-", dir=top))
        try:
            yield made
        finally:
            shutil.rmtree(made, ignore_errors=True)

    def land(
        self,
        ours: str,
        theirs: str,
        wanted: Mapping[str, str],
        made: Mapping[str, bytes],
        folder: Path,
        said: Message | None,
        report: Report,
    ) -> str:
        """Commit a joined tree with both as its parents, move the branch to it and put its files in place.

        Args:
            ours: the current commit, that all was computed on.
            theirs: the remote's.
            wanted: the tree's entries by path seen from the vault.
            made: contents, by path seen from the vault, that are in no tree yet.
            folder: where files are staged.
            said: the commit's message; None to move the branch to theirs, whose tree `wanted` is.
            report: told what else the user should know.

        Returns:
            The commit; empty if the branch moved meanwhile.

        Raises:
            InTheWay: files on disk are not as the commit has them; nothing was done.
            CannotSync: a file of the user's cannot be put in place by us; nothing was done.
            GitBusy, HookRefused, SigningTimedOut, GitFailed, OSError: nothing is committed.
        """
        full = self._git.place.full
        before = merging.entries(self._git, ours)
        after = {full(path): entry for path, entry in wanted.items()}
        new = {full(path): data for path, data in made.items()}
        why = merging.unfit(self._git, before, {**after, **dict.fromkeys(new, "100644 new")})
        if why:
            advice = f"Merge it with git (`git merge {self.up.name}`; of pages in conflict take either side), and run again."
            raise CannotSync(f"{why}, which only git itself puts in place", advice)
        change: Change = merging.change(self._git, before, after, new, folder)
        done = recovery.replay(self._git, self._settings)
        for problem in (*(Problem(str(self._git.place.folder), "recovered", told) for told in done.sentences), *done.left):
            report(problem)
        recovery.insist_finished(self._git, done)
        merge = Merge(ours, theirs, said is None)
        return protocol.commit(self._git, self._settings, change, said or Message("sync"), report, merge)
