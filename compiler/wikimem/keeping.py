"""Keeping the indexes open between the recalls of one process: a script or a server opens them once.

Before each answer it is looked whether they still show what is there. They are closed when the vault is gone, or when they
do not: sources or lines of live sessions that were not there then, another commit of an index, damage, files of the wiki that
changed. One call at a time has them; another one meanwhile opens its own.

Who takes the indexes as they are, in step or not, has them open too: each looks itself, by one stat, whether another process
wrote to it, and they are opened anew when one came or went.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Any

from wikimem import indexing, reflecting
from wikimem.edges import spool
from wikimem.indexing import Shelves
from wikimem.vault import Vault

_NAME = "shelves"
_AS_THEY_ARE = "shelves as they are"


@dataclass(slots=True)
class _Kept:
    """Open indexes, and what they were held against.

    Args:
        shelves: them.
        sources: the very mapping of sources that the ledger gave.
        live: the copies of live sessions, each with its content key.
        commits: what told the commits of both.
        mark: of the wiki's files, as `reflecting.Look.mark`.
        looked: when the files were looked at, by the process's own clock.
        close: closes them, once.
        busy: held by the call that has them.
    """

    shelves: Shelves
    sources: Mapping[str, Any]
    live: tuple[tuple[str, str], ...]
    commits: tuple[object, ...]
    mark: str
    looked: float
    close: weakref.finalize[Any, Vault]
    busy: Lock = field(default_factory=Lock)


def take(vault: Vault) -> Shelves | None:
    """The indexes as they were left, if they still show what is there; the end of a `with` gives them back."""
    kept = vault.kept.get(_NAME)
    if not isinstance(kept, _Kept) or not kept.busy.acquire(blocking=False):
        return None
    try:
        fresh = _is_fresh(vault, kept)
    except BaseException:
        kept.busy.release()
        raise
    if fresh:
        return replace(kept.shelves, done=kept.busy.release)
    vault.kept.pop(_NAME, None)
    kept.busy.release()
    kept.close()
    return None


def keep(vault: Vault, shelves: Shelves, mark: str) -> Shelves:
    """Leave indexes open that show all that is there.

    Args:
        vault: the vault.
        shelves: just opened, and in step.
        mark: of the wiki's files that they show.

    Returns:
        The same, which the end of a `with` leaves open.
    """
    if _NAME in vault.kept:  # another call has them
        return shelves
    close = weakref.finalize(vault, shelves.close)
    kept = _Kept(shelves, vault.ledger.all(), _live(vault), _commits(vault), mark, time.monotonic(), close)
    kept.busy.acquire()
    vault.kept[_NAME] = kept
    return replace(shelves, done=kept.busy.release)


@dataclass(slots=True)
class _Standing:
    """Open indexes that may be behind. Arguments as for `_Kept`."""

    shelves: Shelves
    close: weakref.finalize[Any, Vault]
    busy: Lock = field(default_factory=Lock)


def take_as_they_are(vault: Vault) -> Shelves | None:
    """The indexes as an earlier call left them open, if they still are those that lie there; else None."""
    kept = vault.kept.get(_AS_THEY_ARE)
    if not isinstance(kept, _Standing) or not kept.busy.acquire(blocking=False):
        return None
    shelves = kept.shelves
    try:
        there = tuple(mark is not None for mark in _commits(vault)) == (True, shelves.wiki is not None)
        fresh = there and not shelves.turns.problems and not (shelves.wiki is not None and shelves.wiki.problems)
    except BaseException:
        kept.busy.release()
        raise
    if fresh:
        return replace(shelves, done=kept.busy.release)
    vault.kept.pop(_AS_THEY_ARE, None)
    kept.busy.release()
    kept.close()
    return None


def keep_as_they_are(vault: Vault, shelves: Shelves) -> Shelves:
    """Leave indexes open, whether they are in step or not; the same, which the end of a `with` leaves open."""
    if _AS_THEY_ARE in vault.kept:  # another call has them
        return shelves
    kept = _Standing(shelves, weakref.finalize(vault, shelves.close))
    kept.busy.acquire()
    vault.kept[_AS_THEY_ARE] = kept
    return replace(shelves, done=kept.busy.release)


def _is_fresh(vault: Vault, kept: _Kept) -> bool:
    shelves = kept.shelves
    if vault.ledger.all() is not kept.sources or _commits(vault) != kept.commits or _live(vault) != kept.live:
        return False
    if shelves.turns.problems or (shelves.wiki is not None and shelves.wiki.problems):
        return False
    if time.monotonic() - kept.looked < vault.glance:
        return True
    if reflecting.look(vault.root, vault.ledger, vault.settings.vocabulary).mark != kept.mark:
        return False
    kept.looked = time.monotonic()
    return True


def _live(vault: Vault) -> tuple[tuple[str, str], ...]:
    return tuple((each.id, indexing.key(each, vault.zone)) for each in spool.every(vault.root))


def _commits(vault: Vault) -> tuple[object, ...]:
    place = indexing.folder(vault.root)
    return tuple(_stat(place / name) for name in ("current", "wiki/current"))


def _stat(path: Path) -> tuple[int, ...] | None:
    try:
        stat = path.stat()
    except OSError:
        return None
    return (stat.st_ino, stat.st_mtime_ns, stat.st_size)
