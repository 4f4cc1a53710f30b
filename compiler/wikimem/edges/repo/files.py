"""Files of the vault on disk: whether one is still what was read, and putting another in its place. Knows no git.

A file that somebody changed is never replaced, and nothing is written through a link that leads elsewhere.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path, PurePosixPath

_CHUNK = 1 << 20
_REPLACE_TRIES = 5


def checked(path: str, outward: bool = False) -> str:
    """A path of a change, if it is one: relative, POSIX, inside the vault and not in `.git` or `.wikimem`.

    Args:
        path: the path.
        outward: whether it may begin with steps upwards, for the other files of a repository that the vault is a folder of.

    Raises:
        ValueError: it is none (a mistake of the caller's: names from data become slugs before they become paths).
    """
    parts = PurePosixPath(path).parts
    while outward and parts and parts[0] == "..":
        parts = parts[1:]
    inside = bool(parts) and not path.startswith("/") and ".." not in parts and "\0" not in path
    if os.name == "nt":
        inside = inside and not set(path) & set("\\:")
    if not inside or str(PurePosixPath(path)) != path or any(part.lower() in {".git", ".wikimem"} for part in parts):
        raise ValueError(f"{path!r} is no path for a file of a vault")
    return path


def blob_id(data: bytes, algorithm: str = "sha1") -> str:
    """The id that git gives these bytes as a blob."""
    return hashlib.new(algorithm, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def holds(file: Path, wanted: str | None) -> bool:
    """Whether a file holds what it is expected to.

    Args:
        file: the file.
        wanted: None for "there is none"; else the blob id of its bytes, or of its bytes with LF line ends, or the
            SHA-256 of its bytes.

    Raises:
        OSError: it cannot be read.
    """
    if wanted is None or not file.exists():
        return wanted is None and not os.path.lexists(file)
    return file.is_file() and (wanted in _ids(file) or wanted in _ids_of_text(file))


def blocked(vault: Path, path: str) -> str:
    """Why a path cannot be written or deleted at all, as a clause; empty if it can."""
    steps = [vault.joinpath(*PurePosixPath(path).parts[:depth]) for depth in range(1, path.count("/") + 2)]
    for step in steps:
        if step.is_symlink():
            return f"{step.relative_to(vault).as_posix()} is a link that may lead out of the vault"
    for step in steps[:-1]:
        if os.path.lexists(step) and not step.is_dir():
            return f"{step.relative_to(vault).as_posix()} is no folder"
    return f"{path} is a folder" if steps[-1].is_dir() else ""


def put(staged: Path, target: Path) -> None:
    """Move a staged file into place. An existing file's mode is kept.

    Raises:
        OSError: it cannot be moved.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileNotFoundError):
        staged.chmod(target.stat().st_mode & 0o7777)
    for attempt in range(_REPLACE_TRIES):
        try:
            staged.replace(target)
            return
        except PermissionError:
            # On Windows an indexer or a virus scanner may have the file open for a moment.
            if attempt == _REPLACE_TRIES - 1:
                raise
            time.sleep(0.05)


def mark(target: Path, runs: bool) -> None:
    """Set whether a file can be run, by all who may read it."""
    mode = target.stat().st_mode
    readers = (mode & 0o444) >> 2
    target.chmod((mode | readers if runs else mode & ~0o111) & 0o7777)


def remove(vault: Path, target: Path) -> None:
    """Delete a file and the folders that it leaves empty, the vault and its top folders excepted.

    Raises:
        OSError: it cannot be deleted.
    """
    target.unlink(missing_ok=True)
    for folder in target.parents:
        if folder == vault or folder.parent == vault:
            return
        try:
            folder.rmdir()
        except OSError:
            return


def settle(file: Path) -> None:
    """Wait until a file's bytes are on the disk.

    Raises:
        OSError: they cannot be written.
    """
    with file.open("r+b") as opened:
        os.fsync(opened.fileno())


def settle_folders(folders: Iterable[Path]) -> None:
    """Wait until the names in folders are on the disk, on systems where a folder can be opened."""
    if os.name == "nt":
        return
    for folder in folders:
        with suppress(OSError):
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def _ids(file: Path) -> set[str]:
    header = b"blob %d\0" % file.stat().st_size
    hashes = [
        hashlib.sha1(header, usedforsecurity=False),
        hashlib.sha256(header, usedforsecurity=False),
        hashlib.sha256(usedforsecurity=False),
    ]
    with file.open("rb") as opened:
        while chunk := opened.read(_CHUNK):
            for each in hashes:
                each.update(chunk)
    return {each.hexdigest() for each in hashes}


def _ids_of_text(file: Path) -> set[str]:
    """Blob ids of a text that git or an editor gave CRLF line ends; empty for what is too large to be a page."""
    if file.stat().st_size > _CHUNK:
        return set()
    data = file.read_bytes()
    if b"\r\n" not in data:
        return set()
    data = data.replace(b"\r\n", b"\n")
    return {blob_id(data), blob_id(data, "sha256")}
