"""The commit protocol: journal, blobs, tree, hooks, commit, branch, files, index. Not what is worth committing.

Nothing of the user's is touched: the tree is built in a private index from the current commit and our paths alone, the
branch moves only if it is still where it was, and a file or staged entry that is no longer what was read stays.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from wikimem.edges.repo import files, hooks, identity, index, journal, locks, message, scratch
from wikimem.edges.repo.journal import Move
from wikimem.edges.repo.landing import Report, entry_of, land, prepare
from wikimem.edges.repo.message import Message
from wikimem.edges.repo.plumbing import Plumbing, text
from wikimem.edges.repo.scratch import Scratch
from wikimem.edges.repo.settings import GitSettings
from wikimem.errors import GitBusy, GitFailed, HookRefused, InTheWay, Problem, SigningTimedOut

_SLOWEST_BYTES_PER_SECOND = 2_000_000


@dataclass(frozen=True, slots=True)
class Change:
    """What a commit changes. Paths are relative to the vault, POSIX.

    Args:
        writes: path to new content: bytes, or a staged file under `.wikimem/staging/`, which is moved into place.
        deletes: paths to delete.
        expected: path to what the caller read there: None for no file, else a blob id, or the SHA-256 of the bytes. A
            path that is not in it is expected to be as the current commit has it.
        modes: path to `100644` or `100755`, of files whose mode changes.
    """

    writes: Mapping[str, Path | bytes]
    deletes: frozenset[str] = frozenset()
    expected: Mapping[str, str | None] = field(default_factory=dict)
    modes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Merge:
    """What makes a commit a merge: it holds all of its change, or is not made.

    Args:
        ours: the current commit that the change was computed on.
        theirs: the commit that is merged.
        forward: whether theirs has ours in its history, so that no commit is made and the branch moves to theirs.
    """

    ours: str
    theirs: str
    forward: bool = False


@dataclass(frozen=True, slots=True)
class _Making:
    """A commit being made: what does not change when it must be built again.

    Args:
        staged: path to the staged file.
        blobs: path to blob id, of each write.
        left: paths that are left out, in growing number, each with why.
        merge: what makes it a merge; None for an ordinary commit.
    """

    git: Plumbing
    settings: GitSettings
    change: Change
    text: str
    config: Mapping[str, str]
    own: Scratch
    staged: Mapping[str, Path]
    blobs: Mapping[str, str]
    report: Report
    left: dict[str, str] = field(default_factory=dict)
    merge: Merge | None = None


def commit(
    git: Plumbing, settings: GitSettings, change: Change, said: Message, report: Report, merge: Merge | None = None
) -> str:
    """Make one commit of a change.

    Args:
        said: its message.
        report: called with what was left alone, and with what else the user should know.
        merge: what makes it a merge.

    Returns:
        The new commit's id; empty when the tree would not change, and of a merge when the branch moved meanwhile.

    Raises:
        InTheWay: files that a merge changes are not as the current commit has them.
        GitBusy: an operation is in progress, the index is held, or the branch moves faster than we do.
        HookRefused: a hook of the user's said no or changed what was to be committed.
        SigningTimedOut: the signer did not answer.
        GitFailed, OSError: git or the disk failed. After any of these, nothing is committed.
        ValueError: a path or trailer name that is none.
    """
    words = message.render(said)
    for path in (*change.writes, *change.deletes):
        files.checked(path, outward=merge is not None)
    locks.check_idle(git.place)
    for note in locks.wait(git.place, settings):
        report(Problem(str(git.place.top), "stale-lock", note))
    own = scratch.fresh(git.place)
    log = scratch.journal(git.place)
    try:
        journal.write(log, journal.Entry(head_of(git), branch_of(git)))
        staged = stage(change.writes, own)
        config, stored = identity.settings_of(git), blobs(git, staged)
        making = _Making(git, settings, change, words, config, own, staged, stored, report, merge=merge)
        for _ in range(settings.attempts if merge is None else 1):
            made = _attempt(making)
            if made is not None:
                return made
        if merge is not None:
            _done(git, own)
            return ""
        raise GitBusy(str(git.place.top), "the branch keeps moving, so nothing was committed", "Run again in a moment.")
    except BaseException:
        told = journal.read(log)
        # Once the branch has moved, what is left to do stands in the journal, and the next start does it.
        if not isinstance(told, journal.Entry) or not told.commit or head_of(git) == told.head:
            _done(git, own)
        raise


def head_of(git: Plumbing) -> str:
    """The id of the current commit; empty on a branch that has none."""
    answer = git.ask("rev-parse", "--verify", "-q", "HEAD")
    if answer.status not in (0, 1):
        raise GitFailed("rev-parse", answer.err or "it did not answer")
    return answer.line if answer.status == 0 else ""


def branch_of(git: Plumbing) -> str:
    """What `HEAD` says: `ref: refs/heads/main`, or a commit's id where it is detached."""
    return (git.place.git / "HEAD").read_text("utf-8", "surrogateescape").strip()


def advance(git: Plumbing, old: str, new: str, config: Mapping[str, str]) -> bool:
    """Move the current branch from one commit to another; false if it was not there any more.

    Args:
        config: the repository's settings.

    Raises:
        GitFailed: git said no for another reason.
    """
    env = identity.variables(config)
    answer = git.ask("update-ref", "-m", "wikimem", "HEAD", new, old or git.nothing, env=env)
    if answer.status == 0:
        return True
    now = head_of(git)
    if now == old:
        raise GitFailed("update-ref", answer.err or "it did not answer")
    return now == new


def _attempt(making: _Making) -> str | None:
    """Build the commit on what is the current one now and move the branch to it; None if it must be built again."""
    git, own = making.git, making.own
    head = head_of(git)
    if making.merge is not None and head != making.merge.ours:
        return None
    moves = _moves(making, head)
    tree = index.build(git, own.index, head, {git.place.full(move.path): entry_of(move) for move in moves})
    if making.merge is not None:
        return _merged(making, making.merge, tree, moves)
    before = git.run("rev-parse", "--verify", "-q", f"{head}^{{tree}}").line if head else ""
    if tree == before or not moves:
        if head and not all(files.holds(git.place.folder / move.path, move.blob) for move in moves):
            _publish(making, head, head, moves)
        _done(git, own)
        return ""
    _ask_hooks(making, tree)
    made = _commit_tree(making, tree, head)
    return made if _publish(making, head, made, moves) else None


def _merged(making: _Making, merge: Merge, tree: str, moves: list[Move]) -> str | None:
    """Make the merge, or take theirs as it is, and move the branch to it; None if the branch has moved."""
    if making.left:
        raise InTheWay(making.left)
    if merge.forward:
        if tree != making.git.run("rev-parse", "--verify", "-q", f"{merge.theirs}^{{tree}}").line:
            raise GitFailed("write-tree", f"it did not give the tree of {merge.theirs}")
        made = merge.theirs
    else:
        _ask_hooks(making, tree)
        made = _commit_tree(making, tree, merge.ours)
    return made if _publish(making, merge.ours, made, moves) else None


def _publish(making: _Making, head: str, made: str, moves: list[Move]) -> bool:
    """Move the branch to a commit, then land it; false if the branch or the index has moved since the tree was built."""
    git, own, log = making.git, making.own, scratch.journal(making.git.place)
    branch = branch_of(git)
    with locks.held(git.place, making.settings) as notes:
        for note in notes:
            making.report(Problem(str(git.place.top), "stale-lock", note))
        if _entries_moved(git, moves):
            return False
        prepare(git, moves, own.refreshed)
        journal.write(log, journal.Entry(head, branch, made, tuple(moves)))
        if not advance(git, head, made, making.config):
            journal.write(log, journal.Entry(head, branch))
            return False
        if land(git, moves, own.refreshed, making.report):
            _done(git, own)
        else:
            making.report(Problem(made, "unfinished", "the commit is made; the next run of wikimem finishes the rest"))
    if not branch.startswith("ref:"):
        making.report(Problem(made, "detached-head", "the commit is on no branch; `git switch -c NAME` gives it one"))
    return True


def _done(git: Plumbing, own: Scratch) -> None:
    """Remove what a commit needed on its way, the journal last."""
    own.clear()
    journal.clear(scratch.journal(git.place))


def stage(writes: Mapping[str, Path | bytes], own: Scratch) -> dict[str, Path]:
    """Every write as a staged file whose bytes are on the disk."""
    staged: dict[str, Path] = {}
    for number, (path, content) in enumerate(writes.items()):
        if isinstance(content, Path):
            staged[path] = content
        else:
            staged[path] = own.staged.with_name(f"{own.staged.name}-{number}")
            staged[path].write_bytes(content)
        files.settle(staged[path])
    return staged


def blobs(git: Plumbing, staged: Mapping[str, Path]) -> dict[str, str]:
    """Store every staged file as a blob, by one git for all of them."""
    if not staged:
        return {}
    seconds = git.seconds + sum(file.stat().st_size for file in staged.values()) / _SLOWEST_BYTES_PER_SECOND
    names = "".join(f"{_quoted(file.absolute())}\n" for file in staged.values())
    options = ("-w", "--no-filters", "--stdin-paths")
    # Level 1: zlib at its default would be slower than everything else together; packing compresses again anyway.
    answer = git.run("hash-object", *options, data=os.fsencode(names), seconds=seconds, config=("core.looseCompression=1",))
    return dict(zip(staged, text(answer.out).split(), strict=True))


def _quoted(file: Path) -> str:
    """A file's name as git reads it from a list: in quotes, since a folder's name may hold anything."""
    name = file.as_posix()
    for char, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r")):
        name = name.replace(char, escaped)
    return f'"{name}"'


def _moves(making: _Making, head: str) -> list[Move]:
    """The files that can change now: on disk and staged as they were read. The others are left out, and reported."""
    git, change = making.git, making.change
    paths = [*sorted(change.deletes), *sorted(making.blobs)]
    full = [git.place.full(path) for path in paths]
    committed, staged = index.of_commit(git, head, full), index.of_user(git, full)
    moves = []
    for path in paths:
        entry = committed.get(git.place.full(path), "")
        before = change.expected[path] if path in change.expected else (entry.partition(" ")[2] or None)
        file = making.staged.get(path)
        place = "" if file is None else Path(os.path.relpath(file, git.place.folder)).as_posix()
        move = Move(path, making.blobs.get(path), before, entry, place, change.modes.get(path, ""))
        why = _obstacle(git.place.folder, move, staged.get(git.place.full(path), ""))
        if not why:
            moves.append(move)
        elif path not in making.left:
            making.left[path] = why
            if making.merge is None:
                making.report(Problem(path, "left-out", f"{why}, so the commit leaves it as it is"))
    return [move for move in moves if move.path not in making.left]


def _obstacle(vault: Path, move: Move, staged: str) -> str:
    """Why a file is left out, as a clause; empty if it is not."""
    if why := files.blocked(vault, move.path):
        return why
    if move.entry and not move.entry.startswith("100"):
        return "the repository has a link or another repository there"
    if not _is_expected(move, staged):
        return "somebody has staged changes to it"
    target = vault / move.path
    if files.holds(target, move.before) or files.holds(target, move.blob):
        return ""
    return "the file on disk is not what was read"


def _is_expected(move: Move, staged: str) -> bool:
    """Whether what is staged is what the commit has or will have, or just what was read from the disk."""
    return staged in (move.entry, entry_of(move)) or (bool(move.before) and staged.partition(" ")[2] == move.before)


def _entries_moved(git: Plumbing, moves: list[Move]) -> bool:
    """Whether something was staged at our paths since the tree was built."""
    staged = index.of_user(git, [git.place.full(move.path) for move in moves])
    return any(not _is_expected(move, staged.get(git.place.full(move.path), "")) for move in moves)


def _ask_hooks(making: _Making, tree: str) -> None:
    """Let the user's hooks judge the commit, on the private index."""
    git, own, seconds = making.git, making.own, making.settings.hook_seconds
    if hooks.present(git, making.config, "pre-commit"):
        said = hooks.run(git, "pre-commit", (), index=own.index, seconds=seconds)
        answer = git.ask("write-tree", env={"GIT_INDEX_FILE": str(own.index)})
        if answer.status != 0 or answer.line != tree:
            raise HookRefused("pre-commit", said, "changed what was to be committed")
    if hooks.present(git, making.config, "commit-msg"):
        wanted = making.text.encode()
        own.message.write_bytes(wanted)
        said = hooks.run(git, "commit-msg", (own.message.as_posix(),), index=own.index, seconds=seconds)
        if own.message.read_bytes() != wanted:
            raise HookRefused("commit-msg", said, "changed the message")


def _commit_tree(making: _Making, tree: str, head: str) -> str:
    """Make the commit, signed where that is wanted; no branch knows of it yet."""
    git, settings = making.git, making.settings
    signed = settings.sign == "auto" and identity.on(making.config.get("commit.gpgsign", "false"))
    seconds = settings.signing_seconds if signed else settings.seconds
    parents = [head] if head else []
    parents += [making.merge.theirs] if making.merge else []
    parent = [word for each in parents for word in ("-p", each)]
    sign = ("-S",) if signed else ()
    env = identity.variables(making.config)
    answer = git.ask("commit-tree", tree, *parent, *sign, "-F", "-", data=making.text.encode(), env=env, seconds=seconds)
    if answer.status is None and signed:
        raise SigningTimedOut(seconds)
    if answer.status != 0:
        raise GitFailed("commit-tree", answer.err or "it did not answer")
    return answer.line
