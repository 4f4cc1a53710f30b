"""SQLite databases of other tools, opened so that nothing of them changes: no lock that hinders, no file beside them.

A database in WAL mode has its newest changes in a second file. Opening it even for reading makes SQLite write a third
one beside it, unless its tool is running and has made it, or it is told to keep its index to itself.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

MAGIC = b"SQLite format 3\x00"
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_LOCKLESS = "win32-none" if os.name == "nt" else "unix-none"


@contextmanager
def reading(path: Path, wait: float = 2.0) -> Iterator[sqlite3.Connection]:
    """A connection that only reads, rows by column name.

    Raises:
        OSError: the database is busy, or is not there.
        sqlite3.DatabaseError: it is no database, or damaged.
    """
    try:
        with closing(_opened(path, wait)) as connection:
            connection.row_factory = sqlite3.Row
            # Text that is no UTF-8 is shown with marks instead of ending the whole reading.
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            yield connection
    except sqlite3.OperationalError as error:
        if (error.sqlite_errorcode & 0xFF) in _BUSY:
            told = "its tool is writing to it and did not let go; it is taken by the next run"
            raise OSError(errno.EBUSY, told, str(path)) from None
        raise


def _opened(path: Path, wait: float) -> sqlite3.Connection:
    with path.open("rb") as file:
        head = file.read(20)
    is_wal = head[18:20] == b"\x02\x02"
    wal, shared = Path(f"{path}-wal"), Path(f"{path}-shm")
    name = f"file:{quote(str(path.resolve()))}?mode=ro"
    if not is_wal or (shared.exists() and wal.exists()):
        # Its tool runs, or the file needs no index: the common way, which takes turns with it.
        return sqlite3.connect(name, uri=True, timeout=wait)
    if not wal.exists() or wal.stat().st_size == 0:
        return sqlite3.connect(f"{name}&immutable=1", uri=True, timeout=wait)
    # Nobody has it open, but there are changes that were not merged: read both, keeping the index in memory.
    connection = sqlite3.connect(f"{name}&vfs={_LOCKLESS}", uri=True, timeout=wait)
    connection.execute("PRAGMA locking_mode=EXCLUSIVE")
    return connection


def columns(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    """The columns of a table; none if there is no such table."""
    # A table's name cannot be bound; those asked for are literals of ours.
    return frozenset(row[1] for row in connection.execute(f"PRAGMA table_info({table})"))


def values(row: sqlite3.Row) -> Mapping[str, Any]:
    """A row as a mapping."""
    return {key: row[key] for key in row.keys()}  # noqa: SIM118 - iterating a Row gives its values
