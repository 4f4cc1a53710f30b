"""The spool: copies of sessions that still go on, so that they are found at once and not lost if their tool drops them.

    .wikimem/spool/sources/2026/11/20261130-claude-code-9f3a1c2b.jsonl    the session so far, secrets masked
    .wikimem/spool/sources/2026/11/20261130-claude-code-9f3a1c2b.yaml     what is known of it, in the shape of a sidecar

It has the layout of `sources/`, so whatever reads those reads it; nothing of it is ever committed. A copy only grows:
each call takes the full lines that were written since the last one. Sessions that lie in databases are not copied.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import orjson

from wikimem.core import sources
from wikimem.core.sources import Raw, Sidecar
from wikimem.edges import lines
from wikimem.edges.ledger import Joined, Ledger

_HEAD = 1 << 16
_PIECE = 8 << 20
"""Bytes that one call copies at most: an agent waits for it. The rest comes with the next."""
PATH, TOOL, ENDED, SIZE = "copy-of", "copy-by", "copy-ended", "copy-size"
"""Facts of a copy, kept as hints: the file it is of, the agent that writes it, when it ended, and bytes of the copy."""


Clean = Callable[[str, bytes], bytes]


@dataclass(frozen=True, slots=True)
class Told:
    """What an agent tells of a session at one of its events.

    Args:
        path: the file in which the agent keeps it.
        agent: the agent's name.
        session: its id; empty if the agent does not tell.
        cwd: the folder it is held in; may be empty.
        remote: of that folder's repository; may be empty.
        now: the time, `2026-08-14T10:11:03Z`.
        ended: whether nothing more will come.
    """

    path: Path
    agent: str
    session: str
    cwd: str
    remote: str
    now: str
    ended: bool = False


def folder(root: Path) -> Path:
    """The vault's spool."""
    return root / ".wikimem" / "spool"


def joined(root: Path, ledger: Ledger) -> Ledger:
    """The vault's sources together with the copies; the vault's alone if there are none."""
    if isinstance(ledger, Joined) or not (folder(root) / "sources").is_dir():
        return ledger
    return Joined(ledger, Ledger(folder(root), ledger.zone, ledger.packages), frozenset())


def keep(root: Path, told: Told, clean: Clean = lambda format, data: data) -> Sidecar | None:
    """Copy what a session has gained.

    Args:
        root: the vault's folder.
        told: of the session.
        clean: what is left of some full lines of a format, with as many newlines: without what was forgotten.

    Returns:
        The copy; None if there is nothing to copy: no such file, not a session in lines, not one full line yet, or
        another process is just copying.

    Raises:
        OSError: it cannot be read or written.
    """
    from filelock import FileLock, Timeout

    folder(root).mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(folder(root) / "lock", timeout=0.5):
            return _keep(root, told, clean)
    except Timeout:
        return None


def _keep(root: Path, told: Told, clean: Clean) -> Sidecar | None:
    known = find(root, told.path)
    try:
        size = told.path.stat().st_size
    except FileNotFoundError:
        return None
    if known is not None and not _is_the_same(told.path, known, size):
        drop(root, known)
        known = None
    if known is None:
        known = _begun(told)
    if known is None:
        return None
    grown = _grown(root, told, known, clean)
    if told.session:
        grown = replace(grown, session=told.session)
    if told.ended or grown != known:
        hint = {name: value for name, value in grown.hint.items() if name != ENDED}
        grown = replace(grown, hint={**hint, ENDED: told.now} if told.ended else hint)
        _write(root, grown)
    return grown


def find(root: Path, path: Path) -> Sidecar | None:
    """The copy of a file; None if there is none."""
    return next((each for each in every(root) if each.hint.get(PATH) == str(path)), None)


def every(root: Path) -> Iterator[Sidecar]:
    """All copies, in the order of their ids."""
    top = folder(root) / "sources"
    for path in sorted(top.glob("*/*.yaml")) + sorted(top.glob("*/*/*.yaml")):
        with suppress(OSError, ValueError, KeyError, TypeError):
            yield sources.from_mapping(orjson.loads(path.read_bytes()))


def drop(root: Path, copy: Sidecar) -> None:
    """Remove a copy: the session is a source now, or its file begins otherwise."""
    for path in copy.paths():
        (folder(root) / path).unlink(missing_ok=True)
    for parent in (copy.folder, copy.folder.rpartition("/")[0], "sources"):
        with suppress(OSError):
            (folder(root) / parent).rmdir()


def _begun(told: Told) -> Sidecar | None:
    from wikimem.edges import importers
    from wikimem.edges.importers import Head, LineFormat

    with told.path.open("rb") as file:
        data = file.read(_HEAD)
    if b"\n" not in data:
        return None
    format = importers.recognise(Head(told.path.name, data, False))
    if not isinstance(format, LineFormat) or not format.json:
        return None
    digest = sha256(f"{told.agent}\n{told.path}".encode("utf-8", "surrogateescape")).hexdigest()
    day = told.now[:10]
    beginning = sha256(data[: data.index(b"\n")]).hexdigest()
    return Sidecar(
        id=sources.identify(day, format.name, digest, {}),
        format=format.name,
        suffix=format.suffix,
        sha256=beginning,
        raw=Raw(0, beginning),
        recorded=told.now,
        started=told.now,
        session=told.session,
        cwd=told.cwd,
        remote=told.remote,
        hint={PATH: str(told.path), TOOL: told.agent},
    )


def _is_the_same(path: Path, known: Sidecar, size: int) -> bool:
    """Whether a file still begins with what was copied of it, as far as its size and its first line tell."""
    if size < known.raw.bytes:
        return False
    with path.open("rb") as file:
        return sha256(file.readline(_PIECE).rstrip(b"\n")).hexdigest() == known.raw.sha256


def _grown(root: Path, told: Told, known: Sidecar, clean: Clean) -> Sidecar:
    """The copy with the full lines that came since; the same if none did."""
    from wikimem.core import masking

    target = folder(root) / known.path
    with told.path.open("rb") as file:
        file.seek(known.raw.bytes)
        fresh = file.read(_PIECE)
    whole = fresh[: fresh.rfind(b"\n") + 1]
    if not whole:
        return known
    out = []
    for line in lines.split((whole,)):
        masked, _ = masking.json_line(line.rstrip(b"\n"))
        out.append(masked + b"\n")
    data = clean(known.format, b"".join(out))
    if masking.left(data, True):
        # What cannot be masked is not copied; capture will say what is the matter.
        return known
    target.parent.mkdir(parents=True, exist_ok=True)
    stood = target.stat().st_size if target.exists() and known.raw.bytes else 0
    with target.open("r+b" if stood else "wb") as copy:
        # A copy that was being written when its process ended is longer than its sidecar tells.
        copy.truncate(min(stood, int(known.hint.get(SIZE, stood))))
        copy.seek(0, os.SEEK_END)
        copy.write(data)
        end = copy.tell()
    chained = sha256(known.sha256.encode() + data).hexdigest()
    grown = Raw(known.raw.bytes + len(whole), known.raw.sha256)
    return replace(known, sha256=chained, raw=grown, ended=told.now, hint={**known.hint, SIZE: str(end)})


def _write(root: Path, copy: Sidecar) -> None:
    # JSON is YAML, and takes a tenth of the time to write.
    path = folder(root) / copy.paths()[0]
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    told: Mapping[str, object] = sources.to_mapping(copy)
    temporary.write_bytes(orjson.dumps(told))
    temporary.replace(path)
