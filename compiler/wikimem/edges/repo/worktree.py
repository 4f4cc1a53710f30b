"""Making the place for a vault: a repository of its own, or a linked worktree beside somebody's code.

In a code repository the vault gets its own branch with its own history. The code's branch, index and files stay as
they are; one line in `info/exclude` keeps `git add -A` from taking the vault for a part of the code.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wikimem.edges.repo import identity
from wikimem.edges.repo.place import Place, locate
from wikimem.edges.repo.plumbing import Plumbing, text
from wikimem.errors import GitFailed, UsageError

_OWN_FOLDERS = frozenset({"wiki", "sources", "prompts", "site"})


def make(path: Path, branch: str) -> None:
    """`git init` in a folder that is in no repository, and is made if need be.

    Raises:
        GitFailed, OSError: it cannot be made.
    """
    path.mkdir(parents=True, exist_ok=True)
    folder = path.resolve()
    git = Plumbing(Place(folder, folder, folder / ".git", folder / ".git"))
    git.run("init", "-q", f"--initial-branch={branch}")


def link(folder: Path, branch: str, git: Plumbing) -> None:
    """Make a folder a linked worktree of the repository around it, on a branch of its own.

    If the branch exists, as in a clone of a repository that has such a vault, it is checked out; else it begins empty.

    Args:
        folder: the folder to make; it does not exist, or is empty.
        git: the repository around it.

    Raises:
        UsageError: the folder cannot become a vault, or the repository has one.
        GitFailed, OSError: it cannot be made.
    """
    inside = _inside(folder, git.place)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not empty, so it cannot become a worktree. Name another folder, or move it away.")
    no_hooks = (f"core.hooksPath={os.devnull}",)
    if git.ask("rev-parse", "--verify", "-q", f"refs/heads/{branch}").status == 0:
        if taken := _checked_out(branch, git):
            raise UsageError(
                f"The repository {git.place.top} has a vault already, in {taken}. Use that one, or name a folder outside of it."
            )
        git.run("worktree", "add", "-q", "--no-checkout", str(folder), branch, config=no_hooks)
        _fill(folder, git, no_hooks)
    else:
        _begin(folder, branch, git, no_hooks)
    if inside:
        _exclude(git.place.common / "info" / "exclude", f"/{_literal(inside)}/")


def _checked_out(branch: str, git: Plumbing) -> str:
    """The folder in which a branch is checked out; empty if in none, or in one that is gone."""
    folder = ""
    for line in text(git.run("worktree", "list", "--porcelain", "-z").out).split("\0"):
        name, _, value = line.partition(" ")
        if name == "worktree":
            folder = value
        elif name == "branch" and value == f"refs/heads/{branch}" and Path(folder).is_dir():
            return folder
    return ""


@contextmanager
def aside(folder: Path, git: Plumbing) -> Iterator[Path]:
    """A second working tree of the current commit, on no branch, gone afterwards; what a crash left of one goes first.

    Args:
        folder: where; it is not, or is left over.

    Returns:
        What the vault's folder is in it.

    Raises:
        GitFailed, OSError: it cannot be made.
    """
    _drop(folder, git)
    no_hooks = (f"core.hooksPath={os.devnull}",)
    # Forced, since a folder that somebody removed by hand is still in git's list.
    git.run("worktree", "add", "-q", "-f", "--detach", "--no-checkout", str(folder), "HEAD", config=no_hooks)
    try:
        _fill(folder, git, no_hooks)
        yield folder / git.place.prefix
    finally:
        _drop(folder, git)


def _fill(folder: Path, git: Plumbing, config: tuple[str, ...]) -> None:
    """Write the files of a new working tree; by a call of its own, because the one that makes it is told of another index."""
    made = locate(folder)
    if made is None:
        raise GitFailed("worktree", f"{folder} was not made")
    own = Plumbing(made, git.seconds, git.algorithm)
    own.run("read-tree", "-u", "--reset", "HEAD", config=config, seconds=3600.0)


def _drop(folder: Path, git: Plumbing) -> None:
    if folder.exists():
        git.ask("worktree", "remove", "--force", "--force", str(folder))
        shutil.rmtree(folder, ignore_errors=True)


def branch(name: str, commit: str, git: Plumbing) -> None:
    """Make a branch of a commit.

    Raises:
        UsageError: it is no name of a branch, or there is such a branch.
        GitFailed: git said no for another reason.
    """
    check_branch(name, git)
    git.run("update-ref", "-m", "wikimem recompile", f"refs/heads/{name}", commit, git.nothing)


def check_branch(name: str, git: Plumbing) -> None:
    """Refuse a branch that cannot be made.

    Raises:
        UsageError: it is no name of a branch, or there is such a branch.
    """
    if name.startswith("-") or git.ask("check-ref-format", f"refs/heads/{name}").status != 0:
        raise UsageError(f"{name!r} is no name of a branch.")
    if git.ask("rev-parse", "--verify", "-q", f"refs/heads/{name}").status == 0:
        raise UsageError(f"There is a branch {name} already. Name another one, or remove it: git branch -D {name}")


def _inside(folder: Path, place: Place) -> str:
    """Where the folder is in the code's working tree; empty if it is beside it."""
    if not folder.is_relative_to(place.top):
        return ""
    inside = folder.relative_to(place.top).as_posix()
    if inside in _OWN_FOLDERS or inside == ".":
        raise UsageError(
            f"{folder} cannot be the vault: the line that keeps it out of the code's commits would also hide the "
            f"vault's own folder of that name. Name another one, such as {place.top / 'memory'}."
        )
    if any(char in inside for char in "\r\n"):
        raise UsageError(f"{folder} cannot be the vault: its name has a line break. Name another folder.")
    return inside


def _begin(folder: Path, branch: str, git: Plumbing, config: tuple[str, ...]) -> None:
    # `worktree add` wants a commit, and the code may have none. It gets one of nothing, which no branch keeps.
    tree = git.run("hash-object", "-t", "tree", "-w", "--stdin").line
    env = identity.variables(identity.settings_of(git))
    commit = git.run("commit-tree", tree, "-m", "nothing yet", env=env).line
    git.run("worktree", "add", "-q", "--detach", "--no-checkout", str(folder), commit, config=config)
    made = locate(folder)
    if made is None:
        raise GitFailed("worktree", f"{folder} was not made")
    Plumbing(made, git.seconds, git.algorithm).run("symbolic-ref", "HEAD", f"refs/heads/{branch}")


def _exclude(file: Path, line: str) -> None:
    """Add a line to a file of patterns unless it is there; whatever else is in it stays."""
    before = file.read_bytes() if file.exists() else b""
    wanted = os.fsencode(line)
    if wanted in before.splitlines():
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    gap = b"\n" if before and not before.endswith(b"\n") else b""
    with file.open("ab") as opened:
        opened.write(gap + wanted + b"\n")


def _literal(path: str) -> str:
    """A path as a pattern that matches nothing else."""
    return "".join(f"\\{char}" if char in "\\*?[" else char for char in path)
