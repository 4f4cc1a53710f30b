"""Hermes' sessions: its database (`state.db`), its JSON files of one session, and its JSON lines.

Messages are those of chat interfaces (`openai_blocks`); what Hermes adds is the session around them.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from wikimem.core import times
from wikimem.core.turns import Line, Noise, Record, Turn
from wikimem.edges.importers import databases, openai_blocks, openai_messages, places
from wikimem.edges.importers.format import Container, Conversation, Head, LineFormat
from wikimem.edges.importers.places import Facts, mapping, string

_LINES = re.compile(rb'\A\{[^\n]*"role"\s*:\s*"session_meta"')
_DOCUMENT = (b'"session_id"', b'"messages"')


def conversations(path: Path) -> Iterator[Conversation | str]:
    """The sessions of a database or of a JSON file; see `Container.conversations`."""
    yield from changed(path, {})


def changed(path: Path, known: Mapping[str, str]) -> Iterator[Conversation | str]:
    """The sessions that are not known by their stamp; see `Container.changed`."""
    with path.open("rb") as file:
        is_database = file.read(16) == databases.MAGIC
    if not is_database:
        yield from openai_messages.conversations(path)
        return
    try:
        with databases.reading(path) as connection:
            yield from _sessions(connection, known)
    except sqlite3.DatabaseError as error:
        yield f"the database cannot be read: {error}"


def _sessions(connection: sqlite3.Connection, known: Mapping[str, str]) -> Iterator[Conversation | str]:
    if not databases.columns(connection, "sessions") or "role" not in databases.columns(connection, "messages"):
        yield "the database has no sessions"
        return
    stamps = {
        string(row[0]): f"{row[1]}-{row[2]}"
        for row in connection.execute("SELECT session_id, COUNT(*), MAX(id) FROM messages GROUP BY session_id")
    }
    for row in connection.execute("SELECT * FROM sessions").fetchall():
        session = databases.values(row)
        own = string(session.get("id"))
        if own in stamps and known.get(own) != stamps[own]:
            messages = connection.execute("SELECT * FROM messages WHERE session_id = ? ORDER BY id", (own,))
            yield _conversation(session, own, [databases.values(one) for one in messages], stamps[own])


def _conversation(session: Mapping[str, Any], own: str, messages: list[Mapping[str, Any]], stamp: str) -> Conversation:
    noise: Counter[str] = Counter()
    turns: list[Turn] = []
    for message in messages:
        if message.get("active") == 0 and "active" in message:
            noise["taken back"] += 1
            continue
        told = {**message, "id": f"{own}:{message.get('id')}", "model": session.get("model")}
        told |= {key: _decoded(message[key]) for key in ("tool_calls", "content") if isinstance(message.get(key), str)}
        found = openai_blocks.turns(openai_blocks.Place(1), told, False) if openai_blocks.is_message(told) else []
        noise["no message" if not openai_blocks.is_message(told) else "empty message"] += not found
        turns += found
    config = places.decoded(session.get("model_config"))
    facts = {"parent": string(session.get("parent_session_id"))}
    return Conversation(
        own,
        string(session.get("title")),
        times.utc(session.get("started_at")),
        tuple(turns),
        +noise,
        string(session.get("cwd")) or string(config.get("cwd")),
        {name: value for name, value in facts.items() if value},
        stamp,
    )


def _decoded(value: str) -> object:
    """A list that the database keeps as JSON; any other text as it is."""
    if value.startswith("["):
        try:
            told = orjson.loads(value)
        except ValueError:
            return value
        if isinstance(told, list) and all(isinstance(one, dict) for one in told):
            return told
    return value


def read(lines: Iterable[Line]) -> Iterator[Record]:
    """Records of a session in lines; see `LineFormat.read`."""
    facts = Facts()
    yield from places.records(lines, lambda line, value: _take(line, value, facts), openai_blocks.is_message)


def _take(line: Line, value: dict[str, Any], facts: Facts) -> Iterator[Record]:
    said = openai_blocks.said(value)
    if value.get("role") == "session_meta":
        told = facts.new(said, session=string(value.get("session_id")), cwd=string(mapping(value.get("model_config")).get("cwd")))
        yield Record(line.number, line.offset, Noise("session_meta"), facts=told)
        return
    if not openai_blocks.is_message(value):
        yield Record(line.number, line.offset, Noise(string(value.get("role")) or "no message", known=False))
        return
    found = openai_blocks.turns(openai_blocks.Place(line.number), value, False)
    yield Record(line.number, line.offset, tuple(found) or Noise("empty message"), facts=facts.new(said))


def _recognise_lines(head: Head) -> bool:
    return _LINES.match(head.data.lstrip(b"\xef\xbb\xbf\x00 \r\n")) is not None


def _recognise(head: Head) -> bool:
    if head.data.startswith(databases.MAGIC):
        return b"parent_session_id" in head.data and b"tool_calls" in head.data and b"sessions" in head.data
    start = head.data.lstrip(b"\xef\xbb\xbf\x00 \r\n")
    kept = all(name in start for name in _DOCUMENT) and b'"platform"' in start and b'"session_start"' in start
    return start.startswith(b"{") and kept and b'"projectHash"' not in start


def _hint(path: Path) -> Mapping[str, str]:
    return {"session": path.stem}


FORMAT = Container("hermes", _recognise, conversations, changed)
LINES = LineFormat("hermes-lines", _recognise_lines, read, ".jsonl", json=True, hint=_hint)
