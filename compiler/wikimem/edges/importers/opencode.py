"""OpenCode's sessions: its database (from 1.2), its folder of JSON files (before), and `opencode export`.

All three hold messages of parts; a part that is a tool holds its call and its result. What a person took back with
`/undo` is still there, after the message that the session names as reverted.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from wikimem.core import times
from wikimem.core.turns import Form, Line, Speaker, Turn
from wikimem.edges.importers import databases, jsonl, places
from wikimem.edges.importers.format import Container, Conversation, Head
from wikimem.edges.importers.places import Place, encoded, listed, mapping, string

_QUIET = frozenset({"step-start", "step-finish", "snapshot", "patch", "file", "agent", "compaction", "retry", "subtask"})
_REJECTED = re.compile(
    r"The user rejected permission to use this specific tool call(?:\s+with the following feedback:\s*(?P<words>.+))?", re.DOTALL
)
_SESSION = re.compile(rb'"projectID"\s*:\s*"')
_TABLES = tuple(
    re.compile(rb"CREATE TABLE\s+[`\"]?" + name + rb"[`\"]?\s*\(", re.IGNORECASE) for name in (b"session", b"message", b"part")
)
_NOWHERE = Line(0, 0, b"")


_Message = tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class _Told:
    """A session as any of the three stores has it; messages with their parts, in order."""

    info: Mapping[str, Any]
    messages: Iterable[_Message]


def conversations(path: Path) -> Iterator[Conversation | str]:
    """The sessions of a store; see `Container.conversations`."""
    yield from changed(path, {})


def changed(path: Path, known: Mapping[str, str]) -> Iterator[Conversation | str]:
    """The sessions of a store that are not known by their stamp; see `Container.changed`."""
    with path.open("rb") as file:
        is_database = file.read(16) == databases.MAGIC
    if is_database:
        try:
            yield from _database(path, known)
        except sqlite3.DatabaseError as error:
            yield f"the database cannot be read: {error}"
        return
    value = _json(path)
    if value is None:
        yield "the file is not whole JSON: cut short or mangled"
    elif "messages" in value:
        pairs = [(mapping(mapping(one).get("info")), _mappings(mapping(one).get("parts"))) for one in listed(value["messages"])]
        yield _conversation(_Told(mapping(value.get("info")), pairs))
    else:
        yield _conversation(_Told(value, list(_files(path, string(value.get("id"))))))


def _database(path: Path, known: Mapping[str, str]) -> Iterator[Conversation | str]:
    with databases.reading(path) as connection:
        has = databases.columns(connection, "session")
        if not has or not databases.columns(connection, "message"):
            yield "the database has no sessions"
            return
        order = "time_created, id" if "time_created" in has else "id"
        for row in connection.execute(f"SELECT * FROM session ORDER BY {order}").fetchall():
            session = databases.values(row)
            own = string(session.get("id"))
            if not own or known.get(own) == _stamp(session):
                continue
            try:
                found = _conversation(_Told(_info(session), list(_rows(connection, own))))
                if found.turns or found.noise:
                    yield found
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise
                yield f"session {own}: {error}"


def _rows(connection: sqlite3.Connection, session: str) -> Iterator[_Message]:
    parts: dict[str, list[Mapping[str, Any]]] = {}
    if databases.columns(connection, "part"):
        for row in connection.execute("SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY id", (session,)):
            parts.setdefault(string(row["message_id"]), []).append({**places.decoded(row["data"]), "id": row["id"]})
    asked = "SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY time_created, id"
    for row in connection.execute(asked, (session,)).fetchall():
        info = {"time": {"created": row["time_created"]}, **places.decoded(row["data"]), "id": row["id"]}
        yield info, parts.get(string(row["id"]), [])


def _info(session: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of sessions in the words of the other stores."""
    return {
        "id": session.get("id"),
        "parentID": session.get("parent_id"),
        "directory": session.get("directory"),
        "title": session.get("title"),
        "version": session.get("version"),
        "revert": places.decoded(session.get("revert")),
        "time": {"created": session.get("time_created"), "updated": session.get("time_updated")},
    }


def _stamp(session: Mapping[str, Any]) -> str:
    return f"{session.get('time_updated') or ''}"


def _files(path: Path, session: str) -> Iterator[_Message]:
    """The messages of a session of the folder of files, with their parts."""
    root = path.parent.parent.parent
    found = [value for each in sorted((root / "message" / session).glob("*.json")) if (value := _json(each)) is not None]
    found.sort(key=lambda value: (_created(value), string(value.get("id"))))
    loose = [value for each in sorted((root / "part").glob("*.json")) if (value := _json(each)) is not None]
    for message in found:
        own = string(message.get("id"))
        parts = [value for each in sorted((root / "part" / own).glob("*.json")) if (value := _json(each)) is not None]
        yield message, parts or [one for one in loose if one.get("messageID") == own]


def _json(path: Path) -> dict[str, Any] | None:
    try:
        value = orjson.loads(path.read_bytes().removeprefix(jsonl.BOM))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _mappings(value: object) -> list[Mapping[str, Any]]:
    return [one for one in listed(value) if isinstance(one, dict)]


def _created(value: Mapping[str, Any]) -> float:
    told = mapping(value.get("time")).get("created")
    return float(told) if isinstance(told, int | float) else 0.0


def _conversation(told: _Told) -> Conversation:
    info = told.info
    session, parent = string(info.get("id")), string(info.get("parentID"))
    noise: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    turns: list[Turn] = []
    cwd = string(info.get("directory"))
    reverted = string(mapping(info.get("revert")).get("messageID"))
    gone = False
    for message, parts in told.messages:
        gone = gone or (reverted != "" and message.get("id") == reverted)
        at = message.get("path")
        cwd = cwd or (string(at) if isinstance(at, str) else string(mapping(at).get("cwd")))
        if gone:
            noise["reverted"] += 1
            continue
        found: list[Turn] = []
        for part in parts:
            gave = _part(message, part, session, parent)
            if isinstance(gave, str):
                noise[gave] += 1
                unknown[gave] += gave.removeprefix("part:") not in _QUIET and gave.startswith("part:")
            found += gave if isinstance(gave, list) else []
        if not parts:
            noise[f"message without parts:{string(message.get('role')) or '?'}"] += 1
        turns += found
    when = mapping(info.get("time"))
    session = session or f"export-{places.short(''.join(turn.text for turn in turns[:4]))}"
    facts = {"parent": parent, "version": string(info.get("version"))}
    started = times.utc(when.get("created"))
    return Conversation(
        session,
        string(info.get("title")),
        started,
        tuple(turns),
        +noise,
        cwd,
        {name: told for name, told in facts.items() if told},
        stamp=f"{when.get('updated') or ''}",
        unknown=+unknown,
    )


def _part(message: Mapping[str, Any], part: Mapping[str, Any], session: str, parent: str) -> list[Turn] | str:
    """Turns of a part, or the name of what it is instead."""
    kind, role = string(part.get("type")), string(message.get("role"))
    when = mapping(part.get("time")).get("start") or mapping(message.get("time")).get("created")
    own = places.scoped(string(part.get("id")), session)
    place = Place(_NOWHERE, times.utc(when), own, places.scoped(string(message.get("id")), session))
    name = string(message.get("modelID")) or string(mapping(message.get("model")).get("modelID"))
    text = string(part.get("text")).strip()
    if kind == "tool":
        return _tool(place, part)
    if kind not in {"text", "reasoning"}:
        return f"part:{kind or '?'}"
    if not text:
        return "blank"
    if kind == "reasoning":
        return [place.turn(Speaker.ASSISTANT, Form.THINKING, text, name=name)]
    if role == "assistant":
        whose = Speaker.SUMMARY if message.get("summary") is True or message.get("mode") == "compaction" else Speaker.ASSISTANT
        return [place.turn(whose, Form.PROSE, text, name=name if whose is Speaker.ASSISTANT else "")]
    if part.get("synthetic") is True or part.get("ignored") is True or role != "user":
        return [place.turn(Speaker.HARNESS, Form.PROSE, text, mark="synthetic")]
    if parent:
        return [place.turn(Speaker.ASSISTANT, Form.PROSE, text, mark="prompt")]
    return place.typed(text)


def _tool(place: Place, part: Mapping[str, Any]) -> list[Turn]:
    name, call = string(part.get("tool")), string(part.get("callID"))
    state = mapping(part.get("state"))
    status = string(state.get("status"))
    found = [place.call(name, encoded(state.get("input")), call)]
    output, error = state.get("output"), string(state.get("error"))
    if output is None and not error:
        return found
    metadata = mapping(state.get("metadata"))
    code = metadata.get("exit")
    failed = status == "error" or bool(error) or (isinstance(code, int) and code != 0)
    rejected = _REJECTED.search(error)
    place.said = times.utc(mapping(state.get("time")).get("end")) or place.said
    found.append(place.result(name, error or encoded(output), call, failed, "rejected" if rejected else ""))
    words = (rejected["words"] or "").strip() if rejected else ""
    if words:
        found.append(place.turn(Speaker.HUMAN, Form.PROSE, words, call=call, mark="rejection"))
    if not failed:
        found += places.approved(place, name, mapping(state.get("input")), encoded(output), call)
    if name == "question" and not failed:
        found += places.answered(place, mapping(state.get("input")), metadata, call)
    return found


def _recognise(head: Head) -> bool:
    if head.data.startswith(databases.MAGIC):
        return head.name == "opencode.db" or all(table.search(head.data) for table in _TABLES)
    start = head.data.removeprefix(jsonl.BOM).lstrip()
    if not start.startswith(b"{") or (not _SESSION.search(start) and b'"info"' not in start[:64]):
        return False
    if re.match(rb'\{\s*"info"\s*:\s*\{', start):
        return b'"projectID"' in start or b'"messageID"' in start or b'"sessionID"' in start
    return head.whole and b'"sessionID"' not in start and b'"directory"' in start and b'"messages"' not in start


FORMAT = Container("opencode", _recognise, conversations, changed)
