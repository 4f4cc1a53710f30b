"""Clearing: copies of what was forgotten that lie in the vault's folder beside git: index, replies, packets, logs, the site.

An index is built again by the next search, the site by the next build: both go as a whole where they may hold a word of it.
Other files are caches and notes of this machine: a line of JSON that holds it goes, else the file.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from wikimem import indexing, proving
from wikimem.core.needles import Needles
from wikimem.core.tombstones import FORGOTTEN
from wikimem.edges.models.till import Till
from wikimem.edges.sites.folder import MARKER
from wikimem.vault import Vault

_KEPT = frozenset({"lock", "compile.lock", "site.lock", "forgetting.json"})
_SITE = "_site"


@dataclass(slots=True)
class Cleared:
    """What was found, or cleared, beside git.

    Args:
        index: whether there was an index.
        replies: replies of models that were kept.
        packets: work packets and their replies.
        spool: files of the spool and of the staging area.
        logs: files of which lines were taken out.
        caches: other files that were deleted.
        site: files of the built site that hold it; the site goes as a whole.
    """

    index: bool = False
    replies: int = 0
    packets: int = 0
    spool: int = 0
    logs: int = 0
    caches: int = 0
    site: int = 0

    def as_json(self) -> dict[str, int | bool]:
        """As plain values."""
        return asdict(self)


def clear(
    vault: Vault, needles: Needles, sources: frozenset[str], whole: frozenset[str] = frozenset(), dry_run: bool = False
) -> Cleared:
    """Clear all copies beside git, or count them.

    Args:
        vault: the vault; the caller holds its locks.
        needles: what gives a copy away.
        sources: ids of the sources that went or changed: what names one of them is a copy as well.
        whole: those that went as a whole.
        dry_run: only count.

    Raises:
        OSError: a file cannot be read or deleted.
    """
    out = Cleared()
    index = indexing.folder(vault.root)
    out.index = index.is_dir()
    out.replies = _replies(vault, needles, sources, dry_run)
    for path in _files(vault.work):
        name = path.relative_to(vault.work).as_posix()
        if name.startswith(("index/", "replies/till.db")) or name in _KEPT:
            continue
        if dry_run and name.startswith("staging/forget/"):
            # What is made only to tell what would be left is gone when that is told.
            continue
        data = path.read_bytes()
        if name == "seen.json":
            _seen(path, data, whole, dry_run)
            continue
        if name == proving.KEPT:
            # It holds no word, but the ids of claims are made of their words.
            path.unlink() if not dry_run else None
        elif name == "held.json":
            _held(path, data, sources, dry_run)
        elif needles.stand_in(data) or any(source.encode() in data or source in name for source in sources):
            _take(path, data, name, needles, sources, out, dry_run)
    site = vault.root / _SITE
    if (site / MARKER).is_file():
        ids = tuple(source.encode() for source in sources)
        out.site = sum(_is_copy(path, needles, ids) for path in _files(site))
    if not dry_run:
        shutil.rmtree(index, ignore_errors=False) if out.index else None
        if out.site:
            shutil.rmtree(site)
    return out


def _is_copy(path: Path, needles: Needles, ids: tuple[bytes, ...]) -> bool:
    data = path.read_bytes()
    return any(each in data for each in ids) or any(each.decode() in path.name for each in ids) or needles.stand_in(data)


def _replies(vault: Vault, needles: Needles, sources: frozenset[str], dry_run: bool) -> int:
    till = Till(vault.work / "replies")
    try:
        return till.purge(sources, needles.stand_in, dry_run)
    finally:
        till.close()


def _seen(path: Path, data: bytes, whole: frozenset[str], dry_run: bool) -> None:
    """What was seen of the tools' files: those that gave what went are left out from now on, without being read again."""
    with suppress(ValueError, AttributeError, KeyError, TypeError):
        told = orjson.loads(data)
        files = {
            where: {**entry, "sources": [each for each in entry["sources"] if each not in whole]}
            for where, entry in told["files"].items()
        }
        for where, entry in files.items():
            if not entry["sources"] and told["files"][where]["sources"]:
                entry["left"] = FORGOTTEN
        if files != told["files"] and not dry_run:
            _write(path, orjson.dumps({**told, "files": files}))


def _held(path: Path, data: bytes, sources: frozenset[str], dry_run: bool) -> None:
    """Notes on sources that were held back: those on what went go."""
    with suppress(ValueError, AttributeError):
        told = orjson.loads(data)
        kept = {source: note for source, note in told.items() if source not in sources}
        if len(kept) < len(told) and not dry_run:
            _write(path, orjson.dumps(kept))


def _take(path: Path, data: bytes, name: str, needles: Needles, sources: frozenset[str], out: Cleared, dry_run: bool) -> None:
    # What is named after a source, such as claims that wait for review, is void as a whole.
    of_source = any(source in name for source in sources)
    if name.endswith((".jsonl", ".log", ".txt")) and not name.startswith("spool/") and not of_source:
        ids = tuple(source.encode() for source in sources)
        lines = data.splitlines(keepends=True)
        kept = [line for line in lines if not needles.stand_in(line) and not any(each in line for each in ids)]
        out.logs += 1
        if not dry_run:
            _write(path, b"".join(kept))
        return
    if name.startswith("outbox/"):
        out.packets += 1
    elif name.startswith(("spool/", "staging/", "aside/")):
        # A copy of a live session that goes is begun again by the next event, without what was forgotten.
        out.spool += 1
    elif name != "ledger.json":
        # The ledger's cache is made again from the sidecars that are left.
        out.caches += 1
    if not dry_run:
        path.unlink(missing_ok=True)
        if name.startswith("outbox/") and not name.endswith(".reply.json"):
            path.with_name(f"{path.stem}.reply.json").unlink(missing_ok=True)


def _write(path: Path, data: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.write_bytes(data)
    temporary.replace(path)


def _files(top: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(top):
        folders[:] = [each for each in folders if each != ".git"]
        for name in names:
            path = Path(folder, name)
            if not path.is_symlink() and path.is_file():
                yield path


def search(top: Path, needles: Needles) -> tuple[str, ...]:
    """The files below a folder, without git's own, whose bytes hold a needle: paths below it, sorted.

    Raises:
        OSError: a file cannot be read.
    """
    skipped = {f".wikimem/{name}" for name in _KEPT}
    found = []
    for path in _files(top):
        name = path.relative_to(top).as_posix()
        if name not in skipped and needles.stand_in(path.read_bytes()):
            found.append(name)
    return tuple(sorted(found))
