"""Landing a commit: its files into their places, the user's index refreshed for them. Done by a commit and by recovery.

A file that somebody changed meanwhile stays as it is; git then shows it as changed against the new commit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from wikimem.edges.repo import files, index
from wikimem.edges.repo.journal import Move
from wikimem.edges.repo.plumbing import Plumbing
from wikimem.errors import GitFailed, Problem

Report = Callable[[Problem], None]
"""Where a commit says what it had to leave alone, or did besides."""


def entry_of(move: Move) -> str:
    """The index entry that a move leads to; empty for a deletion."""
    return f"{move.mode or index.mode(move.entry)} {move.blob}" if move.blob else ""


def prepare(git: Plumbing, moves: Sequence[Move], refreshed: Path, skip: Collection[str] = ()) -> None:
    """Refresh a copy of the user's index; its lock is held.

    Args:
        refreshed: the file for the copy.
        skip: paths whose entries are to stay.

    Raises:
        GitFailed, OSError: it cannot be made.
    """
    index.copy(git, refreshed)
    index.change(git, refreshed, {git.place.full(move.path): entry_of(move) for move in moves if move.path not in skip})


def land(git: Plumbing, moves: Sequence[Move], refreshed: Path, report: Report) -> bool:
    """Put the files of a commit in place, deletions first, then let the refreshed index take its place.

    Returns:
        Whether all is done; if not, what is left was reported and the journal must stay.
    """
    vault = git.place.folder
    landed: list[str] = []
    complete = True
    for move in sorted(moves, key=lambda move: move.blob is not None):
        try:
            if _place(vault, move, report) and move.blob:
                landed.append(move.path)
        except OSError as error:
            complete = False
            report(Problem(move.path, "not-in-place", f"it is committed, but could not be written to disk ({error})"))
    files.settle_folders({(vault / path).parent for path in landed})
    try:
        index.note_files(git, refreshed, [git.place.full(path) for path in landed])
        index.publish(git, refreshed)
    except (OSError, GitFailed) as error:
        complete = False
        report(Problem(str(git.place.git / "index"), "index-behind", f"the commit is made, but the index is not ({error})"))
    return complete


def _place(vault: Path, move: Move, report: Report) -> bool:
    """Put one file in place; false where somebody else's stands there.

    Raises:
        OSError: it cannot be put there.
    """
    target = vault / move.path
    why = files.blocked(vault, move.path)
    if not why and files.holds(target, move.blob):
        _mark(target, move)
        return True
    if not why and not files.holds(target, move.before):
        why = "it was changed while the commit was made"
    if why:
        report(Problem(move.path, "left-alone", f"{why}; the file on disk is as it was, the commit has the new one"))
        return False
    if move.blob is None:
        files.remove(vault, target)
    else:
        files.put(vault / move.staged, target)
        _mark(target, move)
    return True


def _mark(target: Path, move: Move) -> None:
    """Make a file one that can be run, or no longer, where the commit says so."""
    if move.mode:
        files.mark(target, move.mode == "100755")
