"""Residue: where git still keeps what was taken out of the current tree: commits, references, loose objects. Reads only.

Taking history apart and putting it together anew is told in `rewriting`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from wikimem.edges.repo.plumbing import Plumbing, text
from wikimem.errors import GitFailed

_REFLOG = 200


@dataclass(frozen=True, slots=True)
class Residue:
    """What of a repository holds some files, or did.

    Args:
        commits: the commits that touched them, on any reference, the oldest first.
        branches: local branches that have the oldest one, without the current one.
        tags: likewise.
        remotes: branches of remotes that had it when they were last seen.
        stashes: how many entries of the stash have it.
        notes: whether there are notes of git at all; what they say is only told by searching.
        worktrees: other working trees of this repository.
    """

    commits: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    remotes: tuple[str, ...] = ()
    stashes: int = 0
    notes: bool = False
    worktrees: tuple[str, ...] = ()


def residue(git: Plumbing, paths: Sequence[str], current: str) -> Residue:
    """What of the repository holds some files.

    Args:
        paths: from the top of the working tree.
        current: the name of the current branch's reference.

    Raises:
        GitFailed: git said no.
    """
    told = text(git.run("for-each-ref", "--format=%(refname)").out).split()
    names = [name for name in told if not name.startswith("refs/wikimem/")]
    commits = touching(git, paths)
    holding = [name for name in names if commits and _holds(git, name, commits)]
    stash = text(git.ask("rev-list", "-g", "refs/stash", "--").out).split() if "refs/stash" in names else []
    listed = text(git.run("worktree", "list", "--porcelain").out).splitlines()
    trees = tuple(line.removeprefix("worktree ") for line in listed if line.startswith("worktree "))
    return Residue(
        commits,
        _short(holding, "refs/heads/", current),
        _short(holding, "refs/tags/"),
        _short(holding, "refs/remotes/"),
        sum(_holds(git, each, commits) for each in stash) if commits else 0,
        any(name.startswith("refs/notes/") for name in names),
        tuple(tree for tree in trees if tree != str(git.place.top)),
    )


def touching(git: Plumbing, paths: Sequence[str], *refs: str) -> tuple[str, ...]:
    """The commits that touched some files, the oldest first; on any reference where none is named."""
    found: dict[str, None] = {}
    for start in range(0, len(paths), 200):
        options = ("log", "--format=%H", "--full-history", "--topo-order", "--reverse")
        out = git.run(*options, *(refs or ("--all",)), "--", *paths[start : start + 200], seconds=git.seconds * 5).out
        found |= dict.fromkeys(text(out).split())
    return tuple(found)


def last_with(git: Plumbing, paths: Sequence[str]) -> list[str]:
    """For each of some files the latest commit of the head's reflog that has it; '' where none has."""
    if not paths:
        return []
    heads = text(git.ask("rev-list", "-g", "HEAD", "--").out).split()[:_REFLOG]
    found = []
    for path in paths:
        asked = "".join(f"{head}:{path}\n" for head in heads)
        told = text(git.run("cat-file", "--batch-check", data=asked.encode()).out).splitlines() if heads else []
        found.append(next((head for head, line in zip(heads, told, strict=True) if not line.endswith(" missing")), ""))
    return found


def _holds(git: Plumbing, ref: str, commits: Sequence[str]) -> bool:
    return any(git.ask("merge-base", "--is-ancestor", commit, ref).status == 0 for commit in (commits[0], commits[-1]))


def _short(names: Iterable[str], under: str, without: str = "") -> tuple[str, ...]:
    return tuple(name.removeprefix(under) for name in names if name.startswith(under) and name != without)


def objects(git: Plumbing) -> Iterator[tuple[str, str, bytes]]:
    """Every object of the repository, also those that nothing refers to any more: id, kind and content. No trees.

    Raises:
        GitFailed: git said no.
    """
    listed = git.run("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype) %(objectsize)").out
    wanted = [line.split(" ") for line in text(listed).splitlines()]
    group: list[str] = []
    size = 0
    for name, kind, length in wanted:
        if kind == "tree":
            continue
        if group and size + int(length) > 1 << 26:
            yield from _contents(git, group)
            group, size = [], 0
        group.append(name)
        size += int(length)
    yield from _contents(git, group)


def _contents(git: Plumbing, names: Sequence[str]) -> Iterator[tuple[str, str, bytes]]:
    if not names:
        return
    out = git.run("cat-file", "--batch", data="".join(f"{name}\n" for name in names).encode(), seconds=git.seconds * 5).out
    position = 0
    for name in names:
        end = out.index(b"\n", position)
        head = out[position:end].split()
        if len(head) != 3:
            raise GitFailed("cat-file", f"{name} is missing from the repository")
        size = int(head[2])
        yield name, head[1].decode(), out[end + 1 : end + 1 + size]
        position = end + size + 2


def holding(git: Plumbing, holds: Callable[[bytes], bool]) -> dict[str, str]:
    """The objects whose content holds something: kind by id.

    Raises:
        GitFailed: git said no.
    """
    return {name: kind for name, kind, data in objects(git) if holds(data)}


def blobs_of(git: Plumbing, paths: Sequence[str], *refs: str) -> frozenset[str]:
    """The blobs that some files ever were, on some references, or on any."""
    found: set[str] = set()
    for start in range(0, len(paths), 200):
        options = ("log", "--format=", "--raw", "--no-abbrev", "-z", "-m", "--full-history", "--no-renames")
        out = git.run(*options, *(refs or ("--all",)), "--", *paths[start : start + 200], seconds=git.seconds * 5).out
        for token in text(out).split("\0"):
            if token.lstrip("\n").startswith(":"):
                found |= {blob for blob in token.split(" ")[2:4] if blob.strip("0")}
    return frozenset(found)
