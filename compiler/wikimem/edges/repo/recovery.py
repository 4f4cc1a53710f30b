"""What a writer does first: finish or discard what a crash left. Needs nothing but the journal and the repository.

A commit that exists is finished: its branch moved if it has not, its files put where there is none or still the old
one, the index refreshed. A commit that was still being made is discarded; nothing of it had happened.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from wikimem.edges.repo import commit, files, identity, index, journal, landing, locks, scratch
from wikimem.edges.repo.journal import Entry, Move
from wikimem.edges.repo.plumbing import Plumbing
from wikimem.edges.repo.settings import GitSettings
from wikimem.errors import GitBusy, Problem


@dataclass(frozen=True, slots=True)
class Recovered:
    """What recovery did.

    Args:
        sentences: what was done, for people; empty after a clean end.
        left: what was left alone, and why.
        finished: the commit that was finished; empty if none was.
    """

    sentences: tuple[str, ...]
    left: tuple[Problem, ...]
    finished: str = ""


def recover(git: Plumbing, settings: GitSettings) -> Recovered:
    """Replay the journal and sweep up. The caller holds the vault's lock, so no commit of the vault is running.

    Raises:
        GitBusy: the commit cannot be finished while somebody holds the index, or in the middle of a merge or the like.
        GitFailed, OSError: git or the disk failed; the journal stays.
    """
    done = replay(git, settings)
    if scratch.journal(git.place).exists():
        return done
    count = scratch.sweep(git.place)
    swept = (f"Removed {count} staged file{'s' * (count != 1)} of a run that was cut short.",) if count else ()
    return replace(done, sentences=(*done.sentences, *swept))


def replay(git: Plumbing, settings: GitSettings) -> Recovered:
    """Like `recover`, but staged files stay: a commit about to be made has its own among them.

    Raises:
        as `recover`.
    """
    place, log = git.place, scratch.journal(git.place)
    sentences = ["Removed the index lock of a run that was cut short."] if locks.release(place) else []
    told = journal.read(log)
    if told is None:
        return Recovered(tuple(sentences), ())
    sentences += locks.release_refs(place, settings)
    if isinstance(told, str):
        aside = log.with_name("journal.damaged")
        log.replace(aside)
        sentences.append(f"Put the journal aside as {aside}: {told}. `git status` shows what it may have left undone.")
        return Recovered(tuple(sentences), ())
    if not told.commit:
        journal.clear(log)
        return Recovered((*sentences, "Discarded a commit that was being made; nothing of it had happened."), ())
    return _finish(git, settings, told, sentences)


def _finish(git: Plumbing, settings: GitSettings, told: Entry, sentences: list[str]) -> Recovered:
    log, left = scratch.journal(git.place), list[Problem]()
    locks.check_idle(git.place)
    if commit.head_of(git) == told.head and commit.branch_of(git) == told.branch:
        commit.advance(git, told.head, told.commit, identity.settings_of(git))
    head = commit.head_of(git)
    if not head or git.ask("merge-base", "--is-ancestor", told.commit, head).status != 0:
        journal.clear(log)
        sentences.append(f"Discarded commit {told.commit}, which was cut short: the branch has gone elsewhere.")
        return Recovered(tuple(sentences), ())
    moves = [_restorable(git, move) for move in _standing(git, told, head, left)]
    own = scratch.fresh(git.place)
    with locks.held(git.place, settings) as notes:
        sentences += notes
        landing.prepare(git, moves, own.refreshed, skip=_staged_by_others(git, moves, left))
        complete = landing.land(git, moves, own.refreshed, left.append)
    own.clear()
    if not complete:
        return Recovered(tuple(sentences), tuple(left))
    journal.clear(log)
    sentences.append(f"Finished commit {told.commit}, which was cut short: {len(moves)} paths are as it has them.")
    return Recovered(tuple(sentences), tuple(left), told.commit)


def insist_finished(git: Plumbing, done: Recovered) -> None:
    """Refuse to begin another commit over one that could not be finished: its files would look like people's edits.

    Raises:
        GitBusy: the journal is still there.
    """
    if scratch.journal(git.place).exists():
        why = "; ".join(str(problem) for problem in done.left) or "its journal is still there"
        raise GitBusy(str(git.place.folder), f"an earlier commit is not finished ({why})", "Mend that, and run again.")


def _standing(git: Plumbing, told: Entry, head: str, left: list[Problem]) -> list[Move]:
    """The moves that the current commit still has; what a later one changed is reported."""
    place = git.place
    now = index.of_commit(git, head, [place.full(move.path) for move in told.moves])
    standing = []
    for move in told.moves:
        if now.get(place.full(move.path), "") == landing.entry_of(move):
            standing.append(move)
        else:
            why = f"a later commit changed it; `git show {told.commit}:{place.full(move.path)}` has what wikimem wrote"
            left.append(Problem(move.path, "changed-since", why))
    return standing


def _restorable(git: Plumbing, move: Move) -> Move:
    """A move with its staged file there again, and content to a file that is gone."""
    vault = git.place.folder
    target = vault / move.path
    if not target.exists():
        move = replace(move, before=None)
    if move.blob and not files.holds(target, move.blob):
        staged = vault / move.staged
        if not files.holds(staged, move.blob):
            staged.parent.mkdir(parents=True, exist_ok=True)
            staged.write_bytes(git.run("cat-file", "blob", move.blob).out)
            files.settle(staged)
    return move


def _staged_by_others(git: Plumbing, moves: list[Move], left: list[Problem]) -> set[str]:
    staged = index.of_user(git, [git.place.full(move.path) for move in moves])
    skip = set()
    for move in moves:
        if staged.get(git.place.full(move.path), "") not in (move.entry, landing.entry_of(move)):
            skip.add(move.path)
            left.append(Problem(move.path, "left-staged", "changes to it are staged; the index keeps them"))
    return skip
