"""Confined: files below one folder, opened so that no link, pipe or race leads out of it. Knows nothing of vaults.

Where the system can, each folder on the way is opened by its handle and without following links, so that what was
checked is what is read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LARGEST = 64 << 20
"""Bytes of the largest file that is read; parts of sources are at most half as large."""

_HANDLES = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW") and os.scandir in os.supports_fd
_PLAIN = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Astray(Exception):
    """A path leads to no regular file below the folder; the text is one clause."""


class Confined:
    """The files below a folder.

    Args:
        root: the folder; it may itself be reached through links.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self, parts: tuple[str, ...]) -> bytes:
        """The bytes of a file.

        Args:
            parts: the names on the way to it, each one name (`shelving.parts`).

        Raises:
            Astray: it is not there, a link is on the way, or it is no regular file.
        """
        with self._opened(parts) as handle:
            seen = os.fstat(handle)
            if not stat.S_ISREG(seen.st_mode):
                raise Astray("it is no regular file")
            if seen.st_size > LARGEST:
                raise Astray(f"it is larger than {LARGEST >> 20} MB")
            with os.fdopen(os.dup(handle), "rb") as file:
                return file.read(LARGEST)

    def check(self, parts: tuple[str, ...]) -> None:
        """Raise `Astray` unless `read` would read it."""
        with self._opened(parts) as handle:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise Astray("it is no regular file")

    def entries(self, parts: tuple[str, ...]) -> list[tuple[str, int]]:
        """The names in a folder with the size of each file, and -1 for folders; links and hidden names left out.

        They are in order of path, a folder's ending in `/`.

        Raises:
            Astray: it is no folder, or a link is on the way.
        """
        with self._opened(parts, folder=True) as handle:
            place: int | Path = handle if _HANDLES else self._root.joinpath(*parts)
            found = []
            with os.scandir(place) as held:
                for entry in held:
                    if entry.name.startswith(".") or entry.is_symlink():
                        continue
                    seen = entry.stat(follow_symlinks=False)
                    if stat.S_ISDIR(seen.st_mode):
                        found.append((entry.name, -1))
                    elif stat.S_ISREG(seen.st_mode):
                        found.append((entry.name, seen.st_size))
        return sorted(found, key=lambda one: f"{one[0]}/" if one[1] < 0 else one[0])

    def walk(self, parts: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        """All files below a folder, or the file itself, in order of path."""
        try:
            names = self.entries(parts)
        except Astray:
            self.check(parts)
            yield parts
            return
        for name, size in names:
            if size < 0:
                yield from self.walk((*parts, name))
            else:
                yield (*parts, name)

    @contextmanager
    def _opened(self, parts: tuple[str, ...], folder: bool = False) -> Iterator[int]:
        opened = self._by_handles(parts, folder) if _HANDLES else self._by_path(parts)
        try:
            yield opened
        finally:
            if opened >= 0:
                os.close(opened)

    def _by_handles(self, parts: tuple[str, ...], folder: bool) -> int:
        handle = os.open(self._root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for place, name in enumerate(parts, 1):
                last = place == len(parts)
                flags = _PLAIN | os.O_NOFOLLOW | (os.O_DIRECTORY if folder or not last else 0)
                deeper = os.open(name, flags, dir_fd=handle)
                os.close(handle)
                handle = deeper
        except (OSError, ValueError):
            os.close(handle)
            # A link, a missing file and a file where a folder should be are told alike: nothing is learned from it.
            raise Astray("there is no such file on the shelf") from None
        return handle

    def _by_path(self, parts: tuple[str, ...]) -> int:
        place = self._root.resolve()
        try:
            for name in parts:
                place = place / name
                if place.is_symlink() or place.resolve() != place:
                    raise Astray("there is no such file on the shelf")
            if place.is_dir():
                return -1
            return os.open(place, _PLAIN)
        except (OSError, ValueError):
            raise Astray("there is no such file on the shelf") from None
