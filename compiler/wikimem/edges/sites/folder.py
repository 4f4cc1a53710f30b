"""The built folder: only what changed is written, whole or not at all; what no page gives any more disappears.

Files that the site did not make are never touched, nor is anything outside the folder: a marker in it lists ours.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from wikimem.errors import NotASite

MARKER = ".wikimem-site"


_HEAD = b"Built by wikimem, which writes these files anew and removes those that it no longer needs:\n"
_TEMPORARY = re.compile(r"\..+\.\d+\.tmp")


def is_inside(name: str) -> bool:
    """Whether a name from the marker, which anybody may have written, stays in the folder."""
    return (
        bool(name)
        and not name.startswith("/")
        and "\\" not in name
        and all(part not in ("", ".", "..") for part in name.split("/"))
    )


class Folder:
    """The folder that a site is built in.

    Args:
        root: made if it is not there.

    Raises:
        NotASite: it is a link, or holds files of somebody else and was never built by us.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        if root.is_symlink():
            raise NotASite(str(root), "it is a link")
        if root.is_dir() and not (root / MARKER).is_file() and any(root.iterdir()):
            raise NotASite(str(root), "it holds files that no build of a site made")
        root.mkdir(parents=True, exist_ok=True)
        if not (root / MARKER).is_file():
            (root / MARKER).write_bytes(_HEAD)
        self._made: set[Path] = set()

    def write(self, name: str, data: bytes) -> bool:
        """Write a file, unless it has these bytes already; whether it was written."""
        path = self.root / name
        if path.parent not in self._made:
            self._make(path.parent)
        try:
            if not path.is_symlink() and path.stat().st_size == len(data) and path.read_bytes() == data:
                return False
        except FileNotFoundError:
            pass
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        temporary.write_bytes(data)
        temporary.replace(path)
        return True

    def read(self, name: str) -> bytes | None:
        """A file's bytes; None for no file."""
        path = self.root / name
        return path.read_bytes() if path.is_file() and not path.is_symlink() else None

    def stamps(self) -> dict[str, tuple[int, int]]:
        """Size and time of every file, by name."""
        found: dict[str, tuple[int, int]] = {}
        pending = [(str(self.root), "")]
        while pending:
            folder, prefix = pending.pop()
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
                        pending.append((entry.path, f"{prefix}{entry.name}/"))
                    elif entry.is_file(follow_symlinks=False):
                        stat = entry.stat(follow_symlinks=False)
                        found[prefix + entry.name] = (stat.st_size, stat.st_mtime_ns)
        return found

    def stamp(self, name: str) -> tuple[int, int] | None:
        """Size and time of a file; None for no file."""
        try:
            stat = (self.root / name).stat()
        except FileNotFoundError:
            return None
        return stat.st_size, stat.st_mtime_ns

    def sweep(self, wanted: Iterable[str], seen: Iterable[str] = ()) -> int:
        """Remove the files of earlier builds that are not wanted any more; how many there were.

        Args:
            wanted: the names of all files of this build.
            seen: what was in the folder before: half-written files of a build that was killed are removed.
        """
        kept = "\n".join(sorted(set(wanted)))
        data = _HEAD + kept.encode() + b"\n"
        before = (self.root / MARKER).read_bytes()
        self._remove(name for name in seen if _TEMPORARY.fullmatch(name.rpartition("/")[2]))
        if before == data:
            return 0
        gone = sorted(set(before.decode("utf-8", "replace").split("\n")[1:]) - set(kept.split("\n")))
        gone = [name for name in gone if is_inside(name)]
        self._remove(gone)
        self.write(MARKER, data)
        return len(gone)

    def _remove(self, names: Iterable[str]) -> None:
        for name in names:
            path = self.root / name
            path.unlink(missing_ok=True)
            for parent in path.parents:
                if parent == self.root:
                    break
                try:
                    parent.rmdir()
                except OSError:
                    break
                self._made.discard(parent)

    def _make(self, folder: Path) -> None:
        for parent in (folder, *folder.parents):
            if parent == self.root:
                break
            if parent.is_symlink():
                raise NotASite(str(parent), "it is a link")
        folder.mkdir(parents=True, exist_ok=True)
        self._made.add(folder)
