"""The book: what the last build knew, so that the next one does only what is new. A cache: losing it costs time alone.

Every entry stands beside the hash or the size and time of what it was made from, and an edition over what makes it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import orjson

TABLES = ("files", "words", "briefs", "commits", "outputs")


class Book:
    """Kept values by table and name."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    @contextmanager
    def open(cls, path: Path, edition: str) -> Iterator[Book]:
        """The book in a file; empty if it is damaged or of another edition. Written when the block ends well."""
        try:
            connection = _open(path, edition)
        except sqlite3.DatabaseError:
            path.unlink(missing_ok=True)
            connection = _open(path, edition)
        with closing(connection):
            yield cls(connection)
            connection.commit()

    def all(self, table: str) -> dict[str, bytes]:
        """Everything in a table, as it was kept."""
        return dict(self._connection.execute(f"select name, value from {_known(table)}"))

    def some(self, table: str, names: Iterable[str]) -> dict[str, Any]:
        """The values of some names; names without one are left out."""
        ask = f"select value from {_known(table)} where name = ?"
        found = ((name, self._connection.execute(ask, (name,)).fetchone()) for name in names)
        return {name: orjson.loads(row[0]) for name, row in found if row is not None}

    def keep(self, table: str, values: Mapping[str, Any]) -> None:
        """Keep values under their names."""
        rows = ((name, value if isinstance(value, bytes) else orjson.dumps(value)) for name, value in values.items())
        self._connection.executemany(f"insert or replace into {_known(table)} values (?, ?)", rows)

    def drop(self, table: str, names: Iterable[str]) -> None:
        """Forget some names."""
        self._connection.executemany(f"delete from {_known(table)} where name = ?", ((name,) for name in names))


def _known(table: str) -> str:
    assert table in TABLES
    return table


def _open(path: Path, edition: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=30)
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = normal")
    connection.execute("create table if not exists edition (value text)")
    known = connection.execute("select value from edition").fetchone()
    if known != (edition,):
        for table in TABLES:
            connection.execute(f"drop table if exists {table}")
        connection.execute("delete from edition")
        connection.execute("insert into edition values (?)", (edition,))
    for table in TABLES:
        connection.execute(f"create table if not exists {table} (name text primary key, value blob) without rowid")
    connection.commit()
    return connection
