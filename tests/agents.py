"""Sessions of coding agents as their tools write them, invented: small builders that the importers' tests share."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import orjson

from conftest import as_lines, turns_of
from wikimem.core import branches
from wikimem.core.sessions import Account
from wikimem.core.turns import Noise, Record, Speaker, Turn
from wikimem.edges import importers
from wikimem.edges.importers import Container, Head, LineFormat

DAY = "2026-05-04"


def at(minute: int) -> str:
    """A time as most tools write it."""
    return f"{DAY}T08:{minute:02}:00.000Z"


def named(format: str) -> LineFormat:
    """A line format by name."""
    found = importers.named(format)
    assert isinstance(found, LineFormat)
    return found


def read(format: str, data: bytes) -> list[Record]:
    """The records of a file; each turn has a place of its own and the account balances."""
    records = list(named(format).read(as_lines(data)))
    account = Account()
    for record in records:
        account.add(record)
    assert account.balanced()
    places = [turn.at for turn in turns_of(records)]
    assert len(places) == len(set(places))
    return records


def spoken(records: list[Record], speaker: Speaker = Speaker.HUMAN) -> list[tuple[str, str]]:
    """What somebody said: mark and text, in order of place."""
    return [(turn.mark, turn.text) for turn in turns_of(records) if turn.speaker is speaker]


def alive(records: list[Record]) -> list[str]:
    """The texts of turns that no rewind took back."""
    dead = branches.dead(records)
    return [turn.text for turn in turns_of([record for record in records if record.uuid not in dead or not record.uuid])]


def noise(records: list[Record]) -> list[str]:
    """The kinds of noise, in order of place."""
    placed = sorted(records, key=lambda record: (record.line, record.offset))
    return [record.gave.kind for record in placed if isinstance(record.gave, Noise)]


def facts(records: list[Record]) -> dict[str, str]:
    """What all records tell, the first of each, without times."""
    found: dict[str, str] = {}
    for record in records:
        for name, value in record.facts.items():
            found.setdefault(name, value)
    found.pop("time", None)
    return found


def recognised(name: str, data: bytes) -> str:
    """The format that a file of this name and content is taken for; '' for none."""
    found = importers.recognise(Head(name, data[: 1 << 16], len(data) <= 1 << 16))
    return found.name if found else ""


def conversations(path: Path) -> list[importers.Conversation]:
    """The conversations of a container, none of them unreadable."""
    with path.open("rb") as file:
        head = Head(path.name, file.read(1 << 16), path.stat().st_size <= 1 << 16)
    format = importers.recognise(head)
    assert isinstance(format, Container)
    found = list(format.conversations(path))
    assert not [told for told in found if isinstance(told, str)]
    return [told for told in found if not isinstance(told, str)]


def told(turns: tuple[Turn, ...], speaker: Speaker = Speaker.HUMAN) -> list[tuple[str, str]]:
    """Mark and text of one speaker's turns."""
    return [(turn.mark, turn.text) for turn in turns if turn.speaker is speaker]


def dumped(value: object) -> str:
    """JSON as a database holds it."""
    return orjson.dumps(value).decode()


def codex(minute: int, kind: str, payload: dict[str, Any]) -> dict[str, Any]:
    """A line of a rollout."""
    return {"timestamp": at(minute), "type": kind, "payload": payload}


def item(minute: int, role: str, *texts: str, **more: Any) -> dict[str, Any]:
    """A message as the model saw it."""
    block = "output_text" if role == "assistant" else "input_text"
    content = [{"type": block, "text": text} for text in texts]
    return codex(minute, "response_item", {"type": "message", "role": role, "content": content, **more})


def event(minute: int, kind: str, **payload: Any) -> dict[str, Any]:
    """An event as the interface showed it."""
    return codex(minute, "event_msg", {"type": kind, **payload})


def opencode(path: Path, updated: int = 1_777_880_000_000) -> sqlite3.Connection:
    """An OpenCode database with one session; the connection stays open and in WAL mode."""
    base = sqlite3.connect(path)
    base.execute("PRAGMA journal_mode=WAL")
    base.execute(
        "CREATE TABLE session(id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, directory TEXT, title TEXT,"
        " version TEXT, revert TEXT, time_created INTEGER, time_updated INTEGER)"
    )
    base.execute("CREATE TABLE message(id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT)")
    base.execute("CREATE TABLE part(id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT)")
    base.execute(
        "INSERT INTO session VALUES('ses_harbour','prj',NULL,'/home/sam/harbour','Buoy lights','1.3.0',NULL,?,?)",
        (1_777_870_000_000, updated),
    )
    base.commit()
    return base


def said(
    base: sqlite3.Connection, number: int, role: str, *parts: dict[str, Any], session: str = "ses_harbour", **more: Any
) -> None:
    """A message of an OpenCode session."""
    own = f"msg_{number:03}"
    created = 1_777_870_000_000 + number * 60_000
    base.execute("INSERT INTO message VALUES(?,?,?,?)", (own, session, created, dumped({"role": role, **more})))
    for place, part in enumerate(parts):
        base.execute("INSERT INTO part VALUES(?,?,?,?)", (f"prt_{number:03}_{place}_abcdefghij", own, session, dumped(part)))
    base.commit()
