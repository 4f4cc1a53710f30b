"""What people wrote down for their agents: which files below some paths, and of which kind. It only looks.

Kinds: `instructions` (CLAUDE.md, AGENTS.md, rules of Cursor and others), `claude-memory` (a folder with MEMORY.md, which
Claude itself writes), `basic-memory`, `okf` (Open Knowledge Format), `obsidian`, and `notes` for a file that was named.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_SKIPPED = frozenset((".git", "node_modules", ".venv", "__pycache__", ".wikimem", "_site", ".obsidian", ".trash"))
_CALLED = ("claude.md", "claude.local.md", "agents.md", "agents.override.md", "gemini.md")
_NAMES = frozenset((*_CALLED, ".cursorrules", ".windsurfrules", ".clinerules"))
_RULES = re.compile(r"(?:\.cursor/rules|\.claude/rules|\.windsurf/rules|\.clinerules)/(?:.+/)?[^/]+\.(?:mdc|md)\Z")
_MARKDOWN = frozenset({".md", ".mdc", ".markdown"})
_RESERVED = frozenset({"index.md", "log.md"})
_PERMALINK = re.compile(rb"\A(?:\xef\xbb\xbf)?---\r?\n(?:[^\n]*\n){0,40}?permalink:")
_OKF = re.compile(rb"\A(?:\xef\xbb\xbf)?---\r?\n(?:[^\n]*\n){0,10}?okf_version:")
_HEAD = 4096
LARGEST = 4 << 20
"""Bytes of the largest file that is taken for one that a person wrote."""


@dataclass(frozen=True, slots=True)
class File:
    """A file that may be adopted.

    Args:
        path: as it was found.
        kind: one of the kinds above.
        top: the folder that was looked through, or the file's own folder when it was named.
    """

    path: Path
    kind: str
    top: Path


def below(paths: list[Path], without: Path) -> Iterator[File]:
    """The files that `paths` name or hold, in order of path, each once; the vault's own folder is passed over."""
    seen: set[Path] = set()
    for path in paths:
        found = [_named(path)] if path.is_file() else sorted(_walk(path, without.resolve()), key=lambda file: file.path)
        for file in found:
            # AGENTS.md is often a link to CLAUDE.md: one file, adopted once.
            real = file.path.resolve()
            if real not in seen:
                seen.add(real)
                yield file


def _named(path: Path) -> File:
    kind = _kind(path, path.parent)
    if kind is None and (path.parent / "MEMORY.md").is_file():
        kind = "claude-memory"
    return File(path, kind or "notes", path.parent)


def _kind(path: Path, top: Path) -> str | None:
    """What the file is by its own name, place and beginning."""
    name = path.name.lower()
    relative = path.resolve().as_posix()
    if name in _NAMES or _RULES.search(relative) or relative.endswith(".github/copilot-instructions.md"):
        return "instructions"
    if path.suffix.lower() in _MARKDOWN and name not in _RESERVED and _PERMALINK.match(_begin(path)):
        return "basic-memory"
    return None


def _begin(path: Path) -> bytes:
    with suppress(OSError), path.open("rb") as file:
        return file.read(_HEAD)
    return b""


def _walk(top: Path, without: Path) -> Iterator[File]:
    inherited = "obsidian" if (top / ".obsidian").is_dir() else "okf" if _OKF.match(_begin(top / "index.md")) else ""
    for folder, folders, names in os.walk(top):
        here = Path(folder)
        folders[:] = sorted(each for each in folders if each not in _SKIPPED and (here / each).resolve() != without)
        if here.resolve() == without:
            folders.clear()
            continue
        memory = "MEMORY.md" in names
        for name in sorted(names):
            path = here / name
            if not path.is_file():
                continue
            kind = _kind(path, top)
            if kind is None and path.suffix.lower() in _MARKDOWN:
                kind = "claude-memory" if memory else inherited if name.lower() not in _RESERVED else ""
            if kind:
                yield File(path, kind, top)
