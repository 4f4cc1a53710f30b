"""The till: replies that were paid for, and what they cost; one SQLite file, `.wikimem/replies/till.db`.

Replies are filed by what was asked, so another model, task, schema or prompt never finds them; any of them, or the file,
can be deleted at any time. Replies that could not be used are kept apart, for whoever wants to see what a model did.
"""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

import orjson

from wikimem.core.spending import Spent
from wikimem.edges.models.port import Call, Said
from wikimem.errors import WorldError

_TABLES = """
create table if not exists replies (
    key text primary key, model text not null, task text not null, about text not null,
    text text not null, finish text not null, read integer not null, wrote integer not null
) without rowid;
create table if not exists refused (
    at text not null, model text not null, task text not null, about text not null, problems text not null, text text not null
);
create table if not exists spending (
    at text not null, model text not null, task text not null, background integer not null,
    read integer not null, wrote integer not null, cached integer not null, micros integer not null, unpriced integer not null
);
create index if not exists spending_at on spending (at);
"""
_REFUSED = 1000


class Till:
    """The replies and the spending of one vault on this machine; used from several threads.

    Args:
        folder: where the file lies; made if it is not there.
    """

    def __init__(self, folder: Path) -> None:
        self._path, self._lock = folder / "till.db", Lock()
        self._opened: sqlite3.Connection | None = None

    @contextmanager
    def _file(self) -> Iterator[sqlite3.Connection]:
        """The file, for one thread at a time."""
        with self._lock:
            try:
                if self._opened is None:
                    self._path.parent.mkdir(parents=True, exist_ok=True)
                    opened = sqlite3.connect(self._path, timeout=30, check_same_thread=False, isolation_level=None)
                    weakref.finalize(self, opened.close)
                    opened.execute("pragma journal_mode=wal")
                    opened.executescript(_TABLES)
                    self._opened = opened
                yield self._opened
            except (OSError, sqlite3.DatabaseError) as error:
                raise WorldError(
                    f"{self._path} cannot be used: {error}. It only holds replies that are kept to be paid for once; move it "
                    "away and run again."
                ) from None

    def _rows(self, asked: str, *values: object) -> list[tuple[Any, ...]]:
        with self._file() as file, closing(file.execute(asked, values)) as rows:
            return rows.fetchall()

    def close(self) -> None:
        """Close the file; it opens again when used."""
        with self._lock:
            if self._opened is not None:
                self._opened.close()
                self._opened = None

    def find(self, key: str) -> Said | None:
        """The reply filed under a key, with the tokens that it once cost; None if there is none."""
        found = self._rows("select text, finish, read, wrote from replies where key = ?", key)
        return Said(found[0][0], found[0][1], Spent(0, found[0][2], found[0][3])) if found else None

    def pay(self, key: str, call: Call, model: str, said: Said, at: str, background: bool) -> None:
        """File a reply and what it cost, both or neither.

        Args:
            key: see `key`.
            call: what was asked.
            model: of whom.
            said: the reply.
            at: the time, UTC, `2026-08-14T10:11:03Z`.
            background: whether it was background work.
        """
        spent = said.spent
        reply = (key, model, call.task.value, call.about, said.text, said.finish, spent.read, spent.wrote)
        cost = (at, model, call.task.value, background, spent.read, spent.wrote, spent.cached, spent.micros, spent.unpriced)
        with self._file() as file:
            file.execute("begin immediate")
            file.execute("insert or replace into replies values (?, ?, ?, ?, ?, ?, ?, ?)", reply)
            file.execute("insert into spending values (?, ?, ?, ?, ?, ?, ?, ?, ?)", cost)
            file.execute("commit")

    def file(self, key: str, model: str, task: str, text: str, read: int, wrote: int) -> None:
        """File a part of a reply that was paid for as a whole, with its part of the tokens."""
        with self._file() as file:
            row = (key, model, task, "", text, "stop", read, wrote)
            file.execute("insert or replace into replies values (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def refuse(self, keys: list[str], call: Call, model: str, problems: str, text: str, at: str) -> None:
        """Take replies out, so that the question is asked again another time, and keep the last one apart."""
        with self._file() as file:
            file.executemany("delete from replies where key = ?", [(key,) for key in keys])
            row = (at, model, call.task.value, call.about, problems, text)
            file.execute("insert into refused values (?, ?, ?, ?, ?, ?)", row)
            file.execute("delete from refused where rowid <= (select max(rowid) from refused) - ?", (_REFUSED,))

    def refused(self) -> list[tuple[str, str, str]]:
        """Replies that could not be used, oldest first: what they were about, what was wrong, and their text."""
        rows = self._rows("select about, problems, text from refused order by rowid")
        return [(about, problems, text) for about, problems, text in rows]

    def spent(self, day: str = "", background: bool = False) -> Spent:
        """What was spent, on one day (`2026-08-14`) or ever; by background work alone, or by all."""
        asked = (
            "select count(*), sum(read), sum(wrote), sum(cached), sum(micros), sum(unpriced) from spending "
            "where at >= ? and at < ? and background >= ?"
        )
        (sums,) = self._rows(asked, day, day + "~", int(background))
        return Spent(*(value or 0 for value in sums))

    def purge(self, about: frozenset[str], holds: Callable[[bytes], bool], dry_run: bool = False) -> int:
        """Take out the replies about some sources, and those whose text holds something; no copy stays in the file.

        What was spent on them stays on the books.

        Returns:
            How many there are.
        """
        if not self._path.exists():
            return 0
        count = 0
        with self._file() as file:
            for table, id in (("replies", "key"), ("refused", "rowid")):
                with closing(file.execute(f"select {id}, about, text from {table}")) as rows:
                    # Replies about pairs name no source; what they led to is kept as judgements.
                    gone = [
                        (row[0],) for row in rows if not row[1] or row[1] in about or holds(row[2].encode("utf-8", "replace"))
                    ]
                count += len(gone)
                if gone and not dry_run:
                    file.execute("pragma secure_delete = on")
                    file.executemany(f"delete from {table} where {id} = ?", gone)
            if count and not dry_run:
                file.execute("vacuum")
                file.execute("pragma wal_checkpoint(truncate)")
        return count

    def starts(self, key: str, model: str) -> bool:
        """Whether a reply of a model is filed under a key that begins so."""
        asked = "select 1 from replies where key >= ? and key < ? and model = ? limit 1"
        return bool(self._rows(asked, key, key + "~", model))

    def usual(self, model: str, task: str, read: int) -> int | None:
        """How many tokens a model writes where it reads so many, by what it wrote before; None before it wrote often."""
        asked = "select count(*), sum(read), sum(wrote) from spending where model = ? and task = ?"
        ((calls, every, wrote),) = self._rows(asked, model, task)
        return round(read * wrote / every) if calls >= 5 and every else None


def key(call: Call, model: str) -> str:
    """What a reply is filed under: a hash over model, task, schema, prompt, and what is to be repaired."""
    schema = orjson.dumps(call.schema, option=orjson.OPT_SORT_KEYS)
    told = [text.encode("utf-8", "replace") for text in (model, call.task.value, call.prompt, call.bad, call.wrong)]
    return sha256(b"\x00".join([*told, schema])).hexdigest()[:32]
