"""The log of recalls on disk: `.wikimem/recalls/2026-11.jsonl`, outside the wiki, never committed, bounded, and without a lock.

Whoever adds a line opens a file to append, writes the line at once and closes it: processes do not wait for each other, and
a line that one of them left half written ends where the next one begins. A month has a file; a full one gets a successor
(`2026-11-2.jsonl`), and the oldest are removed.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

LARGEST = 4_000_000
"""Bytes from which on a file gets a successor."""
FILES = 12
"""How many files are kept, so that the log never takes more than about 50 MB."""

_NAME = re.compile(r"(\d{4}-\d\d)(?:-(\d{1,4}))?\.jsonl")
_SESSIONS = ("WIKIMEM_SESSION", "CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID", "OPENCODE_SESSION_ID")


def folder(root: Path) -> Path:
    """Where the log of a vault lies."""
    return root / ".wikimem" / "recalls"


def append(root: Path, time: str, line: bytes) -> None:
    """Add a line.

    Args:
        root: the vault's folder.
        time: when, `2026-11-30T10:11:03Z`; its month names the file.
        line: as `core.recalls.write` gives it.

    Raises:
        OSError: the disk is full, or nothing may be written here.
    """
    place = folder(root)
    month = time[:7]
    known = _files(place)
    last = max((number for name, number in known if name == month), default=0)
    path = place / _name(month, last or 1)
    if last and path.stat().st_size >= LARGEST:
        path, last = place / _name(month, last + 1), 0
    if not last:
        place.mkdir(parents=True, exist_ok=True)
        for name, number in known[: max(len(known) - FILES + 1, 0)]:
            (place / _name(name, number)).unlink(missing_ok=True)
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
    try:
        os.write(file, line)
    finally:
        os.close(file)


def lines(root: Path) -> Iterator[bytes]:
    """All lines of the log, file by file, oldest first; a file that cannot be read gives none."""
    place = folder(root)
    for name, number in _files(place):
        with suppress(OSError):
            yield from (place / _name(name, number)).read_bytes().split(b"\n")


def purge(root: Path, holds: Callable[[str], bool]) -> int:
    """Take lines out of the log, so that none of their text stays in it.

    A line that another process adds to a file in the moment in which it is replaced is lost; it is a line of a log.

    Args:
        root: the vault's folder.
        holds: whether a line, as JSON text, holds what is to go. It is asked with escapes resolved and as it stands, so that
            a citation, a claim's id or a word is found either way.

    Returns:
        How many lines went.

    Raises:
        OSError: the log cannot be read or written.
    """
    place = folder(root)
    gone = 0
    for name, number in _files(place):
        path = place / _name(name, number)
        kept = []
        before = gone
        for line in path.read_bytes().split(b"\n"):
            text = line.decode("utf-8", "replace")
            if line.strip() and (holds(text) or holds(_resolved(text))):
                gone += 1
            else:
                kept.append(line)
        if gone > before:
            new = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
            new.write_bytes(b"\n".join(kept))
            new.replace(path)
    return gone


def keyed(root: Path, text: str) -> str:
    """A hash of a text by the vault's own key: it tells equal texts, and nobody without the key can guess them.

    Raises:
        OSError: the key can be neither read nor written.
    """
    place = folder(root)
    path = place / "key"
    place.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        # Written aside and linked into place: of two processes one wins, and no reader meets half a key.
        new = path.with_name(f"key.{secrets.token_hex(4)}")
        new.write_bytes(secrets.token_bytes(32))
        try:
            os.link(new, path)
        except FileExistsError:
            pass
        finally:
            new.unlink()
    return blake2b(text.encode("utf-8", "replace"), digest_size=10, key=path.read_bytes()).hexdigest()


def session(environ: Mapping[str, str] = os.environ) -> str:
    """The session of the agent that runs us, as its tool tells its commands; empty if it does not."""
    return next((told for name in _SESSIONS if (told := environ.get(name, "").strip())), "")


def _files(place: Path) -> list[tuple[str, int]]:
    """Month and number of each file, oldest first."""
    try:
        names = [path.name for path in place.iterdir()]
    except OSError:
        return []
    found = (match for name in names if (match := _NAME.fullmatch(name)))
    return sorted((match[1], int(match[2] or 1)) for match in found)


def _name(month: str, number: int) -> str:
    return f"{month}.jsonl" if number == 1 else f"{month}-{number}.jsonl"


def _resolved(text: str) -> str:
    """The text with JSON's escapes of quotes, slashes and line ends resolved."""
    return re.sub(r'\\(["\\/])', r"\1", text.replace("\\n", "\n").replace("\\t", "\t"))
