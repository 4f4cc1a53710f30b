"""Index entries: of a commit, of the user's index, and refreshing the user's for our paths only.

An entry is the text `100644 <blob>`. The user's index is never opened for writing: a copy is refreshed, and takes its
place in one step while we hold its lock, so what is staged in it stays bit for bit.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from wikimem.edges.repo.plumbing import Plumbing, raw_name, text

NEW_FILE = "100644"
UNMERGED = "unmerged"
_ARGUMENTS_AT_MOST = 12_000


def of_commit(git: Plumbing, commit: str, paths: Iterable[str]) -> dict[str, str]:
    """The entries of paths in a commit; paths that are not in it are left out.

    Args:
        commit: its id; empty for none.
        paths: from the top of the working tree.

    Raises:
        GitFailed: git said no.
    """
    found: dict[str, str] = {}
    wanted = sorted(set(paths)) if commit else []
    for some in _portions(wanted):
        for line in text(git.run("ls-tree", "-z", "--full-tree", commit, "--", *some).out).split("\0"):
            about, _, path = line.partition("\t")
            if path in some:
                mode, _, blob = about.split(" ", 2)
                found[path] = f"{mode} {blob}"
    return found


def of_user(git: Plumbing, paths: Iterable[str]) -> dict[str, str]:
    """The entries of paths in the user's index; `unmerged` for one in conflict; others left out.

    Raises:
        GitFailed: git said no.
    """
    found: dict[str, str] = {}
    for some in _portions(sorted(set(paths))):
        for line in text(git.run("ls-files", "-s", "-z", "--", *some).out).split("\0"):
            about, _, path = line.partition("\t")
            if path in some:
                mode, blob, stage = about.split(" ")
                found[path] = f"{mode} {blob}" if stage == "0" else UNMERGED
    return found


def build(git: Plumbing, index: Path, commit: str, entries: Mapping[str, str]) -> str:
    """Build a tree from a commit and some entries, in an index of its own.

    Args:
        index: the file for it.
        commit: what to start from; empty for nothing.
        entries: path to entry; an empty entry takes the path out.

    Returns:
        The tree's id.

    Raises:
        GitFailed: git said no.
    """
    env = {"GIT_INDEX_FILE": str(index)}
    git.run("read-tree", commit or "--empty", env=env)
    change(git, index, entries)
    return git.run("write-tree", env=env).line


def change(git: Plumbing, index: Path, entries: Mapping[str, str]) -> None:
    """Set entries in an index file; removals first, so that a folder may take a file's place.

    Raises:
        GitFailed: git said no.
    """
    removed = [f"0 {git.nothing}\t".encode() + raw_name(path) for path, entry in entries.items() if not entry]
    added = [f"{entry}\t".encode() + raw_name(path) for path, entry in entries.items() if entry]
    if removed or added:
        data = b"\0".join([*removed, *added]) + b"\0"
        git.run("update-index", "-z", "--index-info", data=data, env={"GIT_INDEX_FILE": str(index)})


def copy(git: Plumbing, to: Path) -> None:
    """Copy the user's index; where there is none, none is made.

    Raises:
        OSError: it cannot be copied.
    """
    with suppress(FileNotFoundError):
        shutil.copy2(git.place.git / "index", to)


def note_files(git: Plumbing, index: Path, paths: Sequence[str]) -> None:
    """Tell an index the size and time of files that stand as it has them, so that the next `git status` is quick.

    Only a service: where it fails, git finds out by reading the files.

    Raises:
        GitFailed: git cannot be started.
    """
    data = b"\0".join(raw_name(path) for path in paths) + b"\0"
    options = ("--pathspec-from-file=-", "--pathspec-file-nul")
    if paths:
        git.ask("add", "--refresh", *options, data=data, env={"GIT_INDEX_FILE": str(index)})


def publish(git: Plumbing, refreshed: Path) -> None:
    """Let a refreshed copy take the place of the user's index, whose lock we hold.

    Raises:
        OSError: it cannot.
    """
    refreshed.replace(git.place.git / "index")


def mode(entry: str) -> str:
    """The mode for new contents at a path: an executable file stays one, anything else is a plain file."""
    return "100755" if entry.startswith("100755 ") else NEW_FILE


def _portions(paths: Sequence[str]) -> Iterator[list[str]]:
    """Paths in groups that fit on a command line (Windows takes 32,000 characters)."""
    group: list[str] = []
    length = 0
    for path in paths:
        if group and length + len(path) > _ARGUMENTS_AT_MOST:
            yield group
            group, length = [], 0
        group.append(path)
        length += len(path) + 3
    if group:
        yield group
