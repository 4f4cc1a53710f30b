"""Reading history: trees, many blobs at once, and the commits that touched some paths. Changes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wikimem.edges.repo.plumbing import Plumbing, text
from wikimem.errors import GitFailed


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit, as a log tells it.

    Args:
        id: its full id.
        parent: its first parent's; empty for the first commit.
        when: when it was made, ISO 8601 with its zone.
        subject: its first line.
        trailers: names and values of its trailers, in order.
        author: who made it.
        authored: when they made it first, ISO 8601 with its zone.
        parents: the ids of all its parents.
    """

    id: str
    parent: str
    when: str
    subject: str
    trailers: tuple[tuple[str, str], ...]
    author: str = ""
    authored: str = ""
    parents: tuple[str, ...] = ()

    def trailer(self, name: str) -> str:
        """The first value of a trailer; empty if there is none."""
        return next((value for key, value in self.trailers if key == name), "")


def resolve(git: Plumbing, ref: str) -> str:
    """The id of the commit that a name means; empty if it means none."""
    if ref.startswith("-") or not ref.strip():
        return ""
    answer = git.ask("rev-parse", "--verify", "-q", "--end-of-options", f"{ref}^{{commit}}")
    return answer.line if answer.status == 0 else ""


def tree(git: Plumbing, path: str, ref: str) -> str:
    """The id of a folder's tree in a commit; empty if there is none. `path` is relative to the repository's top."""
    answer = git.ask("rev-parse", "--verify", "-q", f"{ref}:{path}")
    return answer.line if answer.status == 0 else ""


def is_shallow(git: Plumbing) -> bool:
    """Whether the history was cut when it was fetched."""
    return git.ask("rev-parse", "--is-shallow-repository").line == "true"


def contents(git: Plumbing, blobs: Iterable[str]) -> dict[str, bytes]:
    """The bytes of many blobs, by id.

    Raises:
        GitFailed: one of them is not there.
    """
    wanted = list(dict.fromkeys(blobs))
    if not wanted:
        return {}
    out = git.run("cat-file", "--batch", data="".join(f"{blob}\n" for blob in wanted).encode()).out
    found: dict[str, bytes] = {}
    position = 0
    for blob in wanted:
        end = out.index(b"\n", position)
        head = out[position:end].split()
        if len(head) != 3:
            raise GitFailed("cat-file", f"{blob} is missing from the repository")
        size = int(head[2])
        found[blob] = out[end + 1 : end + 1 + size]
        position = end + size + 2
    return found


_SHAPE = "%H%x00%P%x00%cI%x00%s%x00%(trailers:only,unfold)%x00%an%x00%aI"
_MAGIC = re.compile(r"[\\*?\[\]]")


def log(git: Plumbing, paths: Sequence[str], ref: str, limit: int, merges: bool = False) -> tuple[Commit, ...]:
    """The commits that touched any of some paths, newest first; paths are relative to the repository's top.

    Args:
        limit: at most so many; 0 for all.
        merges: also those that joined two histories.
    """
    most = [f"--max-count={limit}"] if limit else []
    kinds = [] if merges else ["--no-merges"]
    args = ("log", "-z", f"--format={_SHAPE}", *most, "--full-history", *kinds, ref, "--", *paths)
    return _commits(git.run(*args).out)


def ancestors(git: Plumbing, ref: str) -> frozenset[str]:
    """The ids of all commits that a commit has in its history, its own included."""
    return frozenset(text(git.run("rev-list", ref, "--").out).split())


def graph(git: Plumbing, names: Iterable[str], ref: str) -> tuple[Commit, ...]:
    """The commits that touched any file whose path begins with one of some names, merges included, the newest first.

    The parents of each are the nearest commits that are told as well: those between touched none of these files.
    """
    wanted = [":(top)" + _MAGIC.sub(r"\\\g<0>", name) + "*" for name in names]
    args = ("log", "-z", f"--format={_SHAPE}", "--full-history", "--parents", "--topo-order", ref, "--", *wanted)
    return _commits(git.run(*args, env={"GIT_LITERAL_PATHSPECS": "0"}).out)


def _commits(out: bytes) -> tuple[Commit, ...]:
    # A message holds no NUL: git ends each entry with one, and its parts.
    parts = text(out).split("\0")
    found = []
    for id, parents, when, subject, trailers, author, authored in zip(*(parts[field:-1:7] for field in range(7)), strict=True):
        told = (line.partition(": ") for line in trailers.splitlines())
        pairs = tuple((key, value) for key, colon, value in told if colon)
        every = tuple(parents.split())
        found.append(Commit(id, every[0] if every else "", when, subject, pairs, author, authored, every))
    return tuple(found)


def changed(git: Plumbing, commits: Sequence[str], under: str) -> dict[str, list[tuple[str, str, str]]]:
    """The files that some commits changed: by commit, path and the blob ids before and after (empty for no file).

    Args:
        commits: full ids; a merge has none of its own.
        under: a folder, relative to the repository's top.
    """
    found: dict[str, list[tuple[str, str, str]]] = {commit: [] for commit in commits}
    if not commits:
        return found
    args = ("diff-tree", "--stdin", "-r", "--root", "-z", "--no-renames", "--raw", "--no-abbrev", "--", under)
    told = iter(text(git.run(*args, data="".join(f"{commit}\n" for commit in commits).encode()).out).split("\0"))
    commit = ""
    for entry in told:
        if entry.startswith(":"):
            before, after = (blob if blob.strip("0") else "" for blob in entry.split(" ")[2:4])
            found[commit].append((next(told), before, after))
        elif entry.strip():
            commit = entry.strip()
    return found
