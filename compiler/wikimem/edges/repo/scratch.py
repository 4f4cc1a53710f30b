"""The files that a commit needs on its way, and how what a crash left of them is swept up.

Names carry a random part, because a git that outlives the process that started it may still be writing to the old one;
those in the repository also carry a mark of the vault, because two vaults may live in one repository.
"""

from __future__ import annotations

import hashlib
import secrets
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from wikimem.edges.repo.place import Place


@dataclass(frozen=True, slots=True)
class Scratch:
    """One commit's own files.

    Args:
        index: the private index that its tree is built in.
        message: the file that a commit-msg hook reads.
        refreshed: the user's index with our paths refreshed, until it takes the index's place; beside it, so that a
            rename is enough.
        staged: where contents given as bytes are written; the name's beginning.
    """

    index: Path
    message: Path
    refreshed: Path
    staged: Path

    def clear(self) -> None:
        """Remove them all."""
        for file in (self.index, self.message, self.refreshed):
            file.unlink(missing_ok=True)
            file.with_name(f"{file.name}.lock").unlink(missing_ok=True)
        for file in self.staged.parent.glob(f"{self.staged.name}-*"):
            file.unlink(missing_ok=True)


def fresh(place: Place) -> Scratch:
    """Names for one commit, none of which exists; the folders for them do.

    Raises:
        OSError: a folder cannot be made.
    """
    word = secrets.token_hex(6)
    staging(place).mkdir(parents=True, exist_ok=True)
    return Scratch(
        index=place.private / f"commit-{word}.index",
        message=place.private / f"commit-{word}.message",
        refreshed=place.git / f"wikimem-{mark(place)}-{word}.index",
        staged=staging(place) / f"commit-{word}",
    )


def staging(place: Place) -> Path:
    """Where files wait that are to be moved into place."""
    return place.private / "staging"


def journal(place: Place) -> Path:
    """The journal's file."""
    return place.private / "journal"


def mark(place: Place) -> str:
    """What tells this vault's files in a shared git folder from another vault's."""
    return hashlib.sha256(str(place.folder).encode("utf-8", "surrogateescape")).hexdigest()[:8]


def sweep(place: Place) -> int:
    """Remove all that commits of this vault left behind; only when none is running.

    Returns:
        How many staged files were among it.
    """
    count = 0
    for left in _staged(place):
        count += 1
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left, ignore_errors=True)
        else:
            with suppress(OSError):
                left.unlink()
    patterns = ((place.private, "commit-*"), (place.private, "journal.new"), (place.git, f"wikimem-{mark(place)}-*"))
    for folder, pattern in patterns:
        for left in folder.glob(pattern):
            with suppress(OSError):
                left.unlink()
    return count


def _staged(place: Place) -> Iterator[Path]:
    folder = staging(place)
    return folder.iterdir() if folder.is_dir() else iter(())
