"""The journal of a commit: enough to finish it or undo it after `kill -9`. A small JSON file, written whole or not at all.

It exists from before the first change on disk until after the last. `moves` are there once the commit exists and its
branch is about to move to it: from then on a crash is finished, before then it is undone.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from wikimem.edges.repo import files

_VERSION = 1


@dataclass(frozen=True, slots=True)
class Move:
    """One file of a commit on its way to its place.

    Args:
        path: in the vault.
        blob: what it will hold; None where it is deleted.
        before: what it held, as `files.holds` takes it.
        entry: the entry of the path in the parent commit, `100644 <blob>`; empty if there was none.
        staged: the file to move there, relative to the vault; empty for a deletion.
        mode: `100644` or `100755` where it is not the one it had; empty for that.
    """

    path: str
    blob: str | None
    before: str | None
    entry: str
    staged: str
    mode: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """What the journal says.

    Args:
        head: the commit that the branch was at; empty for a branch without one.
        branch: what `HEAD` said, so that a commit is not finished on a branch that it was not made for.
        commit: the commit to move it to; empty as long as there is none.
        moves: the files to put in place.
    """

    head: str
    branch: str
    commit: str = ""
    moves: tuple[Move, ...] = ()


def write(file: Path, entry: Entry) -> None:
    """Write the journal, replacing what it said before.

    Raises:
        OSError: it cannot be written.
    """
    fresh = file.with_name(f"{file.name}.new")
    with fresh.open("w", encoding="ascii") as opened:
        json.dump({"version": _VERSION, **asdict(entry)}, opened)
        opened.flush()
        os.fsync(opened.fileno())
    fresh.replace(file)
    files.settle_folders([file.parent])


def read(file: Path) -> Entry | str | None:
    """What the journal says; None if there is none; a clause on what is wrong with it if it cannot be read."""
    try:
        told = json.loads(file.read_bytes())
        if told["version"] != _VERSION:
            return "another version of wikimem wrote it"
        return Entry(told["head"], told["branch"], told["commit"], tuple(Move(**move) for move in told["moves"]))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        return f"it is damaged ({type(error).__name__})"


def clear(file: Path) -> None:
    """Remove the journal: all it spoke of is done."""
    file.unlink(missing_ok=True)
    files.settle_folders([file.parent])
