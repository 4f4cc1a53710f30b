"""Where a repository is: found by reading `.git`, without starting git. Not what the repository holds.

Found by ourselves and not by git, because a hook that calls us has `GIT_DIR` set to its own repository, and git would
believe that instead of the folder we were given.
"""

from __future__ import annotations

import os
import posixpath
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Place:
    """A folder in a repository, all paths absolute.

    Args:
        folder: the folder itself: of a vault, the one with `wikimem.toml`.
        top: the top of the working tree that it is in.
        git: the git folder of that working tree; `HEAD` and `index` are here.
        common: the git folder that all working trees of the repository share; `objects` and `refs` are here.
    """

    folder: Path
    top: Path
    git: Path
    common: Path

    @property
    def prefix(self) -> str:
        """What to put before a path in the folder to have it from the top: `""` or `notes/memory/`."""
        inside = self.folder.relative_to(self.top).as_posix()
        return "" if inside == "." else f"{inside}/"

    def full(self, path: str) -> str:
        """A path in the folder, seen from the top; one that begins with `..` may leave the folder, not the working tree."""
        return posixpath.normpath(self.prefix + path) if path.startswith("../") else self.prefix + path

    def within(self, path: str) -> str:
        """The inverse of `full`: a path from the top, seen from the folder."""
        return (
            posixpath.relpath(path, self.prefix) if self.prefix and not path.startswith(self.prefix) else path[len(self.prefix) :]
        )

    @property
    def private(self) -> Path:
        """Where the vault keeps what is not committed."""
        return self.folder / ".wikimem"


def locate(path: Path) -> Place | None:
    """The repository that a folder is in; None where there is none, or only a bare one.

    Raises:
        OSError: a folder on the way cannot be read.
    """
    folder = path.resolve()
    for top in (folder, *folder.parents):
        mark = top / ".git"
        if mark.is_dir() and (mark / "HEAD").exists():
            return Place(folder, top, mark, _common(mark))
        if mark.is_file():
            git = _pointed(mark)
            if git is not None:
                return Place(folder, top, git, _common(git))
    return None


def foreign(place: Place) -> bool:
    """Whether the repository may belong to another user, so that git is to say if it is safe to use."""
    mine = getattr(os, "geteuid", None)
    if mine is None:
        return True
    return any(each.stat().st_uid != mine() for each in (place.top, place.git, place.common))


def _pointed(mark: Path) -> Path | None:
    """The git folder that a `.git` file of a linked worktree or submodule points to."""
    text = mark.read_text("utf-8", "surrogateescape")
    if not text.startswith("gitdir:"):
        return None
    git = Path(os.path.normpath(mark.parent / text.removeprefix("gitdir:").strip()))
    return git if (git / "HEAD").exists() else None


def _common(git: Path) -> Path:
    pointer = git / "commondir"
    if not pointer.is_file():
        return git
    return Path(os.path.normpath(git / pointer.read_text("utf-8", "surrogateescape").strip()))
