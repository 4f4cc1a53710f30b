"""Merging, as far as git does it: common history, the trees of two sides, git's own merge of two trees or three texts.

Nothing here moves a branch or touches a file of the user's; what becomes of the vault's own files is decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from wikimem.edges.repo import files, history
from wikimem.edges.repo.commit import Change
from wikimem.edges.repo.plumbing import Plumbing, raw_name, text
from wikimem.errors import CannotSync, GitFailed

_PLAIN = ("100644", "100755")
_GROUP = 1 << 26
_MERGE_TREE_SINCE = (2, 38)


@dataclass(frozen=True, slots=True)
class Relation:
    """How two commits stand to each other.

    Args:
        base: their best common ancestor, of several the smallest id; empty if they have no common history.
        ahead: how many commits only the first has.
        behind: how many only the second has.
    """

    base: str
    ahead: int
    behind: int


def relation(git: Plumbing, ours: str, theirs: str) -> Relation:
    """How two commits stand to each other.

    Raises:
        GitFailed: one of them is not there.
    """
    answer = git.ask("merge-base", "--all", ours, theirs)
    if answer.status not in (0, 1):
        raise GitFailed("merge-base", answer.err)
    ahead, behind = git.run("rev-list", "--left-right", "--count", f"{ours}...{theirs}").line.split()
    return Relation(min(text(answer.out).split(), default=""), int(ahead), int(behind))


def precedes(git: Plumbing, one: str, other: str) -> bool:
    """Whether the one commit is in the history of the other."""
    return git.ask("merge-base", "--is-ancestor", one, other).status == 0


def shallow(git: Plumbing) -> bool:
    """Whether the history was cut when it was cloned."""
    return (git.place.common / "shallow").exists()


def entries(git: Plumbing, tree: str) -> dict[str, str]:
    """All entries of a commit or tree, by path from the top; empty for no commit.

    Raises:
        GitFailed: there is no such tree.
    """
    if not tree:
        return {}
    out = text(git.run("ls-tree", "-r", "-z", "--full-tree", tree).out)
    found = {}
    for line in out.split("\0"):
        about, tab, path = line.partition("\t")
        if tab:
            mode, _, blob = about.split(" ", 2)
            found[path] = f"{mode} {blob}"
    return found


def merged(git: Plumbing, ours: str, theirs: str) -> tuple[dict[str, str], frozenset[str]]:
    """git's own merge of two commits: its entries by path from the top, and the paths in conflict.

    Raises:
        CannotSync: this git is too old.
        GitFailed: git said no.
    """
    found = re.search(r"(\d+)\.(\d+)", git.run("version").line)
    if found is None or (int(found[1]), int(found[2])) < _MERGE_TREE_SINCE:
        raise CannotSync("this git cannot merge without touching files", "Install git 2.38 or newer, and run again.")
    options = ("--write-tree", "-z", "--name-only", "--no-messages", "--allow-unrelated-histories")
    answer = git.ask("merge-tree", *options, ours, theirs, seconds=git.seconds * 5)
    if answer.status not in (0, 1):
        raise GitFailed("merge-tree", answer.err or "it did not answer")
    tree, *conflicts = [part for part in text(answer.out).split("\0") if part]
    return entries(git, tree), frozenset(conflicts)


def texts(git: Plumbing, folder: Path, base: bytes, one: bytes, other: bytes) -> tuple[bytes, bool]:
    """git's three-way merge of a text; where both changed the same lines, the lines of both, the one's first.

    Args:
        folder: where three files may be written for it.

    Returns:
        The text, and whether both had changed the same lines.

    Raises:
        GitFailed: the texts cannot be merged.
    """
    names = [folder / f"merge-{name}" for name in ("one", "base", "other")]
    for name, data in zip(names, (one, base, other), strict=True):
        name.write_bytes(data)
    try:
        clean = git.ask("merge-file", "-p", "-q", *map(str, names))
        if clean.status == 0:
            return clean.out, False
        both = git.ask("merge-file", "-p", "-q", "--union", *map(str, names))
        if both.status != 0:
            raise GitFailed("merge-file", both.err)
        return both.out, True
    finally:
        for name in names:
            name.unlink(missing_ok=True)


def unfit(git: Plumbing, ours: Mapping[str, str], wanted: Mapping[str, str]) -> str:
    """Why files that a merge changes cannot be put in place by us, as a clause; empty if they can.

    Args:
        ours, wanted: entries by path from the top.
    """
    changed = [path for path in sorted({*ours, *wanted}) if ours.get(path) != wanted.get(path)]
    for path in changed:
        for entry in (ours.get(path), wanted.get(path)):
            if entry is not None and entry.split(" ")[0] not in _PLAIN:
                return f"{path} is a link or another repository"
        try:
            files.checked(path)
        except ValueError:
            return f"{path!r} is no name that can be written here"
    data = b"".join(raw_name(path) + b"\0" for path in changed)
    parts = text(git.run("check-attr", "-z", "--stdin", "filter", data=data).out).split("\0") if changed else []
    for path, value in zip(parts[0::3], parts[2::3], strict=False):
        if value not in ("unspecified", "unset"):
            return f"{path} goes through git's filter {value!r}"
    return ""


def stage(git: Plumbing, blobs: Mapping[Path, str]) -> None:
    """Write blobs to files, a group at a time, so that memory holds little.

    Raises:
        GitFailed: one is missing.
        OSError: a file cannot be written.
    """
    if not blobs:
        return
    wanted = list(dict.fromkeys(blobs.values()))
    told = text(git.run("cat-file", "--batch-check=%(objectname) %(objectsize)", data="\n".join(wanted).encode() + b"\n").out)
    sizes = {line.split(" ")[0]: int(line.split(" ")[1]) for line in told.splitlines() if line.split(" ")[1].isdigit()}
    group: dict[Path, str] = {}
    total = 0
    for file, blob in blobs.items():
        if group and total + sizes.get(blob, 0) > _GROUP:
            _write(git, group)
            group, total = {}, 0
        group[file] = blob
        total += sizes.get(blob, 0)
    _write(git, group)


def _write(git: Plumbing, group: Mapping[Path, str]) -> None:
    held = history.contents(git, group.values())
    for file, blob in group.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(held[blob])


def change(git: Plumbing, ours: Mapping[str, str], wanted: Mapping[str, str], made: Mapping[str, bytes], folder: Path) -> Change:
    """What leads from one tree to another.

    Args:
        ours, wanted: entries by path from the top; those of `made` need not be in `wanted`.
        made: contents by path from the top that are in no tree yet.
        folder: where files are staged.

    Raises:
        GitFailed, OSError: a file cannot be staged.
    """
    writes: dict[str, Path | bytes] = {}
    modes: dict[str, str] = {}
    blobs: dict[Path, str] = {}
    for path, data in made.items():
        if ours.get(path, "").partition(" ")[2] != files.blob_id(data, git.algorithm):
            writes[git.place.within(path)] = data
    for number, (path, entry) in enumerate(sorted(wanted.items())):
        if path in made or ours.get(path) == entry:
            continue
        mode, _, blob = entry.partition(" ")
        staged = folder / "files" / f"{number}"
        blobs[staged] = blob
        writes[git.place.within(path)] = staged
        if mode != ours.get(path, "100644 ").partition(" ")[0]:
            modes[git.place.within(path)] = mode
    stage(git, blobs)
    gone = frozenset(git.place.within(path) for path in ours if path not in wanted and path not in made)
    return Change(writes, gone, modes=modes)


def staged(git: Plumbing) -> tuple[str, ...]:
    """The paths, from the top, of which something is staged."""
    out = git.run("diff-index", "--cached", "--name-only", "-z", "--no-renames", "HEAD").out
    return tuple(path for path in text(out).split("\0") if path)
