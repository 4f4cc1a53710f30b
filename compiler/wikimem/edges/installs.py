"""Installs: files of other programs that we changed, each with what it was before, so that it can be that again.

    <data>/wikimem/installs/claude-code.json     for each file: its path, its bytes before, and a hash of what we wrote

A file that nobody touched since gets its bytes back; from one that somebody changed, only what is ours is taken.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from wikimem.core import configs
from wikimem.core.configs import Change


@dataclass(frozen=True, slots=True)
class Json:
    """Changes of a JSON file."""

    path: Path
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A block in a text file; `comment` as for `configs.begin`."""

    path: Path
    block: str
    comment: str


@dataclass(frozen=True, slots=True)
class Whole:
    """A file of our own."""

    path: Path
    text: str


Part = Json | Block | Whole


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a file: `made`, `changed`, `unchanged`, `restored`, `removed` or `left`, and why it was left."""

    path: Path
    what: str
    why: str = ""


class Installed:
    """What is installed for one agent.

    Args:
        place: the file that says so.
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        self._told = _read(place)

    def put(self, parts: Sequence[Part]) -> list[Written]:
        """Write the parts; doing it again changes nothing.

        Raises:
            OSError: a file cannot be read or written; those before it are written and known.
        """
        done = []
        for part in parts:
            written = self._put(part)
            done.append(written)
            self._save()
        return done

    def take(self, parts: Sequence[Part]) -> list[Written]:
        """Take the parts out again.

        Raises:
            OSError: as for `put`.
        """
        done = []
        for part in reversed(parts):
            done.append(self._take(part))
            self._save()
        with suppress(OSError):
            if not self._told:
                self._place.unlink()
        return done[::-1]

    def _put(self, part: Part) -> Written:
        path = Path(os.path.realpath(part.path))
        current = _bytes(path)
        entry = self._told.get(str(path))
        if entry is not None and current is not None and _hash(current) == entry["after"]:
            before = _decoded(entry["before"])
        elif entry is not None and current is not None:
            # Somebody changed it since: what it would be without us is what it was.
            before = _without(part, current, _decoded(entry["before"]))
        else:
            before = current
        try:
            after = _with(part, before)
        except configs.NotJson as error:
            return Written(part.path, "left", str(error))
        if after == current:
            return Written(part.path, "unchanged")
        made = [str(folder) for folder in (path.parent, *path.parent.parents) if not folder.exists()]
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, after)
        kept = entry["made"] if entry is not None else made
        self._told[str(path)] = {"before": _encoded(before), "after": _hash(after), "made": kept}
        return Written(part.path, "made" if current is None else "changed")

    def _take(self, part: Part) -> Written:
        path = Path(os.path.realpath(part.path))
        current = _bytes(path)
        entry = self._told.pop(str(path), None)
        if current is None:
            return Written(part.path, "unchanged")
        before = _decoded(entry["before"]) if entry is not None else None
        if entry is not None and _hash(current) == entry["after"]:
            wanted = before
        elif isinstance(part, Whole):
            if entry is None or current.decode("utf-8", "replace") != part.text:
                return Written(part.path, "left", "it was changed by hand")
            wanted = None
        else:
            try:
                wanted = _without(part, current, before)
            except configs.NotJson as error:
                return Written(part.path, "left", str(error))
            if wanted == current:
                return Written(part.path, "unchanged")
            if not wanted and before is None:
                wanted = None
        if wanted is None:
            path.unlink()
            for folder in entry["made"] if entry is not None else []:
                with suppress(OSError):
                    Path(folder).rmdir()
            return Written(part.path, "removed")
        _write(path, wanted)
        return Written(part.path, "restored")

    def _save(self) -> None:
        self._place.parent.mkdir(parents=True, exist_ok=True)
        # What others keep in their files is not for every eye of this machine.
        self._place.touch(mode=0o600)
        _write(self._place, json.dumps(self._told, indent=1).encode())


def listed(folder: Path) -> dict[str, tuple[Path, ...]]:
    """The files that were changed for each agent, by the name of the record, which begins with the agent's.

    Args:
        folder: of the records; it need not exist.
    """
    records = sorted(folder.glob("*.json")) if folder.is_dir() else []
    return {record.stem: tuple(Path(path) for path in _read(record)) for record in records}


def _with(part: Part, before: bytes | None) -> bytes:
    text = _text(before)
    if isinstance(part, Whole):
        return part.text.encode()
    if isinstance(part, Block):
        return configs.with_block(text, part.block, part.comment).encode("utf-8", "surrogateescape")
    return configs.added(text, part.changes).encode("utf-8", "surrogateescape")


def _without(part: Part, current: bytes, before: bytes | None) -> bytes:
    text = _text(current)
    if isinstance(part, Block):
        return configs.without_block(text, part.comment).encode("utf-8", "surrogateescape")
    if isinstance(part, Json):
        return configs.removed(text, part.changes, _text(before)).encode("utf-8", "surrogateescape")
    return current


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "surrogateescape")


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, with the permissions it has."""
    temporary = path.with_name(f".{path.name}.wikimem")
    mode = path.stat().st_mode & 0o777 if path.exists() else None
    temporary.write_bytes(data)
    if mode is not None:
        temporary.chmod(mode)
    temporary.replace(path)


def _hash(data: bytes) -> str:
    return sha256(data).hexdigest()


def _encoded(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode()


def _decoded(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)


def _read(place: Path) -> dict[str, Any]:
    try:
        told = json.loads(place.read_bytes())
    except (OSError, ValueError):
        return {}
    values = list(told.values()) if isinstance(told, dict) else [None]
    good = all(isinstance(one, Mapping) and {"before", "after", "made"} <= one.keys() for one in values)
    return told if good else {}
