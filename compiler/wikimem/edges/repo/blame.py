"""Who wrote each line of a file, and when, as git knows it. Reads only; the repository is the file's own, not the vault's."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wikimem.core import times
from wikimem.edges.repo.place import locate
from wikimem.edges.repo.plumbing import Plumbing, check_owner, text
from wikimem.errors import GitFailed


@dataclass(frozen=True, slots=True)
class Written:
    """Who wrote a line.

    Args:
        name: the author's; empty for a line that is not committed.
        said: when, as `Turn.said`; empty as `name`.
    """

    name: str
    said: str


_NOBODY = Written("", "")


def blame(path: Path) -> tuple[Written, ...]:
    """Who wrote each line; no entry at all where git does not know the file. Never raises."""
    try:
        place = locate(path.parent)
        if place is None:
            return ()
        check_owner(place)
        relative = path.resolve().relative_to(place.top).as_posix()
        told = Plumbing(place, seconds=60.0).ask("blame", "--porcelain", "-w", "--", relative)
    except (OSError, ValueError, GitFailed):
        return ()
    return _read(text(told.out)) if told.status == 0 else ()


def _read(porcelain: str) -> tuple[Written, ...]:
    authors: dict[str, dict[str, str]] = {}
    lines: list[Written] = []
    commit = ""
    for row in porcelain.split("\n"):
        if row.startswith("\t"):
            lines.append(_written(commit, authors.get(commit, {})))
            commit = ""
            continue
        key, _, value = row.partition(" ")
        if not commit:
            commit = key
            authors.setdefault(commit, {})
        elif key in ("author", "author-time"):
            authors[commit][key] = value
    return tuple(lines)


def _written(commit: str, told: dict[str, str]) -> Written:
    if not commit.strip("0"):
        return _NOBODY
    seconds = told.get("author-time", "")
    name = told.get("author", "").encode("utf-8", "replace").decode()
    return Written(name, times.utc(int(seconds)) if seconds.isdigit() else "")
