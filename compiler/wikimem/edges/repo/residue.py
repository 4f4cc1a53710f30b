"""Residue: where git still keeps what was taken out of the current tree: commits, references, loose objects. Reads only.

Taking history apart and putting it together anew is told in `rewriting`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from wikimem.edges.repo.plumbing import Plumbing, text
from wikimem.errors import GitFailed

_REFLOG = 200


@dataclass(frozen=True, slots=True)
class Tracked:
    """A branch of a remote, as it was last seen: the remote's name, the branch's, and its commit."""

    remote: str
    branch: str
    tip: str


@dataclass(frozen=True, slots=True)
class Residue:
    """What of a repository holds some files, or did.

    Args:
        commits: the commits that touched them, on any reference, the oldest first.
        branches: local branches that have one of them in their history, without the current one; proposals among them.
        tags: likewise.
        remotes: branches of remotes that had it when they were last seen, `origin/main`.
        tracked: the same, each with what to ask its remote for.
        stashes: the entries of the stash that have it, `stash@{1}`.
        reflogs: references whose log still names a commit that has it, `HEAD` among them.
        notes: whether there are notes of git at all; what they say is only told by searching.
        worktrees: other working trees of this repository whose commit has it.
    """

    commits: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    remotes: tuple[str, ...] = ()
    tracked: tuple[Tracked, ...] = ()
    stashes: tuple[str, ...] = ()
    reflogs: tuple[str, ...] = ()
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
    commits = touching(git, paths)
    told = text(git.run("for-each-ref", "--format=%(objectname) %(*objectname) %(refname)").out).splitlines()
    tips = {line.rpartition(" ")[2]: line.split(" ")[:2] for line in told}
    names = [name for name in tips if not name.startswith("refs/wikimem/")]
    held = _descendants(git, commits) if commits else frozenset[str]()
    holding = [name for name in names if not held.isdisjoint(tips[name])]
    stash = text(git.ask("rev-list", "-g", "refs/stash", "--").out).split() if "refs/stash" in tips else []
    remotes = sorted(text(git.run("remote").out).split(), key=len, reverse=True)
    return Residue(
        commits,
        _short(holding, "refs/heads/", current),
        _short(holding, "refs/tags/"),
        _short(holding, "refs/remotes/"),
        tuple(one for name in holding if (one := _tracked(name, remotes, tips[name][0])) is not None),
        tuple(f"stash@{{{number}}}" for number, each in enumerate(stash) if each in held),
        _logged(git, held),
        any(name.startswith("refs/notes/") for name in names),
        _trees(git, held),
    )


def _descendants(git: Plumbing, commits: Sequence[str]) -> frozenset[str]:
    """Some commits and all that have one of them in their history, as far as a reference or a log of one leads there."""
    out = text(git.run("rev-list", "--all", "--reflog", "--parents", "--topo-order", "--reverse", seconds=git.seconds * 5).out)
    found = set(commits)
    for line in out.splitlines():
        commit, *parents = line.split(" ")
        if not found.isdisjoint(parents):
            found.add(commit)
    return frozenset(found)


def _logged(git: Plumbing, held: Container[str]) -> tuple[str, ...]:
    """The references whose log names one of some commits, by name; that of the stash is told by its entries."""
    out = text(git.ask("log", "-g", "--all", "--format=%H %gD", "--date=raw").out)
    names = {name.partition("@{")[0] for commit, _, name in (line.partition(" ") for line in out.splitlines()) if commit in held}
    return tuple(sorted(names - {"refs/stash", ""}))


def _tracked(name: str, remotes: Sequence[str], tip: str) -> Tracked | None:
    """What a reference tells of a remote; None if it is of none, or only points to another one."""
    there = name.removeprefix("refs/remotes/")
    remote = next((each for each in remotes if there != name and there.startswith(f"{each}/")), "")
    branch = there.removeprefix(f"{remote}/")
    return Tracked(remote, branch, tip) if remote and branch != "HEAD" else None


def _trees(git: Plumbing, held: Container[str]) -> tuple[str, ...]:
    """The other working trees whose commit is one of some."""
    found = []
    for block in text(git.run("worktree", "list", "--porcelain").out).split("\n\n"):
        told = dict(line.partition(" ")[::2] for line in block.splitlines())
        if told.get("HEAD", "") in held and told.get("worktree", "") not in ("", str(git.place.top)):
            found.append(told["worktree"])
    return tuple(found)


def touching(git: Plumbing, paths: Sequence[str], *refs: str) -> tuple[str, ...]:
    """The commits that touched some files, the oldest first; on any reference where none is named."""
    found: dict[str, None] = {}
    for start in range(0, len(paths), 200):
        options = ("log", "--format=%H", "--full-history", "--topo-order", "--reverse")
        out = git.run(*options, *(refs or ("--all", "--reflog")), "--", *paths[start : start + 200], seconds=git.seconds * 5).out
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
