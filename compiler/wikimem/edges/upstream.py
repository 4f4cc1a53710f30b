"""Where transcripts lie before they are captured: files below the paths a user named, and what their tools will delete.

It only looks; it never changes, moves or locks anything of another tool's.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_SKIPPED = frozenset({".git", "node_modules", ".venv", "__pycache__", ".wikimem", "_site"})
_PIECES = frozenset({"message", "part", "session_diff", "todo", "share", "snapshot"})
CLAUDE_DAYS = 30


@dataclass(frozen=True, slots=True)
class Found:
    """A file that may be a transcript.

    Args:
        path: as it was found.
        size: in bytes.
        mtime: nanoseconds since 1970.
        named: whether the user named this very file; it then counts as settled, and plain text as a note.
        packed: where the file lies, if `path` is only what was unpacked from it.
    """

    path: Path
    size: int
    mtime: int
    named: bool
    packed: Path | None = None

    @property
    def place(self) -> Path:
        """Where its tool keeps it."""
        return self.packed or self.path

    @property
    def where(self) -> str:
        """The path as text that can be shown and written; a name that is not UTF-8 shows its odd bytes as `\\xff`."""
        return shown(self.place)

    @property
    def key(self) -> str:
        """What the file is remembered by, whatever folder the call was made from."""
        return shown(self.place.resolve())


def shown(path: Path) -> str:
    """A path as text without surrogates."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def below(paths: list[Path], without: Path, named: bool = True) -> Iterator[Found]:
    """The files that `paths` name or hold, newest first; the vault's own folder and tools' innards are passed over.

    `named` says whether a person named the paths.
    A session's own folder (sub-agents, spilled results) belongs to the session and is not listed by itself.
    """
    found: dict[str, Found] = {}
    for path in paths:
        if path.is_file():
            stat = path.stat()
            found[str(path.resolve())] = Found(path, stat.st_size, stat.st_mtime_ns, named)
        else:
            for each in _walk(path, without.resolve()):
                found.setdefault(str(each.path.resolve()), each)
    yield from sorted(found.values(), key=lambda each: (-each.mtime, str(each.path)))


def _walk(top: Path, without: Path) -> Iterator[Found]:
    pending = [top]
    while pending:
        folder = pending.pop()
        names: set[str] = set()
        folders: list[os.DirEntry[str]] = []
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry)
                elif entry.is_file(follow_symlinks=False):
                    names.add(entry.name)
                    stat = entry.stat()
                    yield Found(Path(entry.path), stat.st_size, stat.st_mtime_ns, False)
        # OpenCode keeps each message and each part in a file of its own; they belong to the session's file.
        stores = _PIECES if {"session", "message"} <= {entry.name for entry in folders} else frozenset()
        for entry in folders:
            owned = f"{entry.name}.jsonl" in names or entry.name in stores
            if entry.name not in _SKIPPED and not owned and Path(entry.path).resolve() != without:
                pending.append(Path(entry.path))


def beside(path: Path) -> list[Path]:
    """Files and folders that change with a file although it does not itself: a database's log, a session's messages."""
    return [Path(f"{path}-wal"), path.parent.parent.parent / "message" / path.stem]


def digest(path: Path) -> str:
    """SHA-256 over a file's bytes; empty where it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def members(session: Path) -> list[tuple[str, Path]]:
    """Files that belong to a session file, as `(name in the source, path)`, in order of name.

    Claude Code keeps them in a folder named like the session: sub-agents, spilled tool results, workflow journals.
    """
    folder = session.with_suffix("")
    if session.suffix != ".jsonl" or not folder.is_dir():
        return []
    found = []
    for top, folders, names in os.walk(folder):
        folders.sort()
        for name in names:
            path = Path(top) / name
            if path.is_file() and not path.is_symlink():
                found.append((_member_name(path.relative_to(folder)), path))
    return sorted(found)


def _member_name(relative: Path) -> str:
    parts = [part for part in relative.parts if part != "subagents"]
    return "/".join("".join(c if c.isalnum() or c in "-_." else "_" for c in part).lstrip(".") or "_" for part in parts)


def claude_home(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder in which Claude Code keeps its things."""
    return Path(environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")


def claude_days(home: Path) -> tuple[int, bool]:
    """After how many days Claude Code deletes a session, and whether that is only its default."""
    try:
        told = json.loads((home / "settings.json").read_bytes())
        days = told["cleanupPeriodDays"]
    except (OSError, ValueError, KeyError, TypeError):
        return CLAUDE_DAYS, True
    return (days, False) if isinstance(days, int) and not isinstance(days, bool) else (CLAUDE_DAYS, True)
