"""Cursor's databases: the editor's `state.vscdb` (composers and their bubbles) and its agent's `store.db` (blobs).

They also hold tokens and settings, and may be gigabytes: only the keys of conversations are asked for, one conversation
at a time, in place.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import orjson

from wikimem.core import times
from wikimem.core.turns import Form, Line, Noise, Speaker, Turn
from wikimem.edges.importers import codex_items, cursor, databases, places
from wikimem.edges.importers.format import Container, Conversation, Head
from wikimem.edges.importers.places import Place, encoded, listed, mapping, string

_NOWHERE = Line(0, 0, b"")
_CHILD = re.compile(rb"\x0a\x20(.{32})", re.DOTALL)
_FAILED = frozenset({"error", "cancelled", "rejected"})
_CHAT = "workbench.panel.aichat.view.aichat.chatdata"


def conversations(path: Path) -> Iterator[Conversation | str]:
    """The conversations of a database; see `Container.conversations`."""
    yield from changed(path, {})


def changed(path: Path, known: Mapping[str, str]) -> Iterator[Conversation | str]:
    """The conversations of a database that are not known by their stamp; see `Container.changed`."""
    try:
        with databases.reading(path) as connection:
            if databases.columns(connection, "blobs"):
                yield from _store(connection, path)
            if databases.columns(connection, "cursorDiskKV"):
                yield from _composers(connection, known)
            if databases.columns(connection, "ItemTable"):
                yield from _chats(connection)
    except sqlite3.DatabaseError as error:
        yield f"the database cannot be read: {error}"


def _composers(connection: sqlite3.Connection, known: Mapping[str, str]) -> Iterator[Conversation | str]:
    # A range of keys uses the table's index; a pattern would read every value.
    asked = "SELECT key FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;' ORDER BY key"
    for (key,) in connection.execute(asked).fetchall():
        own = key.partition(":")[2]
        row = connection.execute("SELECT value FROM cursorDiskKV WHERE key = ?", (key,)).fetchone()
        if row is None or row[0] is None:
            continue
        composer = _decoded(row[0])
        if not composer:
            yield f"composer {own}: its data is no JSON"
            continue
        stamp = str(composer.get("lastUpdatedAt") or composer.get("createdAt") or "")
        if not stamp or known.get(own) != stamp:
            found = _composer(connection, own, composer, stamp)
            if found.turns or found.noise:
                yield found


def _composer(connection: sqlite3.Connection, own: str, composer: Mapping[str, Any], stamp: str) -> Conversation:
    noise: Counter[str] = Counter()
    turns: list[Turn] = []
    begun = times.utc(composer.get("createdAt"))
    parent = string(mapping(composer.get("subagentInfo")).get("parentComposerId"))
    for bubble in _bubbles(connection, own, composer, noise):
        gave = _bubble(own, bubble, bool(parent))
        if isinstance(gave, str):
            noise[gave] += 1
        else:
            turns += gave
    facts = {"parent": parent} if parent else {}
    return Conversation(own, string(composer.get("name")), begun, tuple(turns), +noise, _folder(composer), facts, stamp)


def _bubbles(
    connection: sqlite3.Connection, own: str, composer: Mapping[str, Any], noise: Counter[str]
) -> Iterator[Mapping[str, Any]]:
    """The bubbles of a conversation in its order; those that it does not list any more were taken back."""
    inline = [one for one in listed(composer.get("conversation")) if isinstance(one, dict)]
    yield from inline
    headers = [mapping(one) for one in listed(composer.get("fullConversationHeadersOnly"))]
    shown = {string(one.get("bubbleId")) for one in (*headers, *inline)}
    asked = "SELECT value FROM cursorDiskKV WHERE key = ?"
    for header in headers:
        bubble = string(header.get("bubbleId"))
        row = connection.execute(asked, (f"bubbleId:{own}:{bubble}",)).fetchone()
        told = _decoded(row[0]) if row is not None and row[0] is not None else {}
        if told:
            yield {"type": header.get("type"), "bubbleId": bubble, **told}
        else:
            noise["bubble without data"] += 1
    stored = "SELECT key FROM cursorDiskKV WHERE key >= ? AND key < ?"
    for (key,) in connection.execute(stored, (f"bubbleId:{own}:", f"bubbleId:{own};")):
        noise["bubble taken back"] += key.rpartition(":")[2] not in shown


def _bubble(session: str, bubble: Mapping[str, Any], delegated: bool) -> list[Turn] | str:
    own = places.scoped(string(bubble.get("bubbleId")), session)
    timing = mapping(bubble.get("timingInfo"))
    when = bubble.get("createdAt") or bubble.get("timestamp") or timing.get("clientRpcSendTime") or timing.get("clientStartTime")
    place = Place(_NOWHERE, times.utc(when), own, own)
    text = (string(bubble.get("text")) or string(bubble.get("rawText"))).strip()
    if bubble.get("type") in (1, "user"):
        if not text:
            return "user:blank"
        if delegated:
            return [place.turn(Speaker.ASSISTANT, Form.PROSE, text, mark="prompt")]
        return place.pieces(cursor.pieces(text))
    found: list[Turn] = []
    model = string(mapping(bubble.get("modelInfo")).get("modelName")) or string(bubble.get("modelType"))
    thought = bubble.get("thinking")
    thinking = (string(thought) or string(mapping(thought).get("text"))).strip()
    if thinking:
        found.append(place.turn(Speaker.ASSISTANT, Form.THINKING, thinking, name=model))
    if text:
        found.append(place.turn(Speaker.ASSISTANT, Form.PROSE, text, name=model))
    return found + _tool(place, mapping(bubble.get("toolFormerData"))) or "assistant:blank"


def _tool(place: Place, tool: Mapping[str, Any]) -> list[Turn]:
    name, call = string(tool.get("name")), string(tool.get("toolCallId"))
    if not name:
        return []
    arguments = tool.get("rawArgs") or tool.get("params") or tool.get("args")
    found = [place.call(name, encoded(arguments), call)]
    status = string(tool.get("status"))
    rejected = tool.get("userDecision") == "rejected"
    told = tool.get("result") if tool.get("result") is not None else tool.get("error")
    if told is None and not rejected and status not in _FAILED:
        return found
    text = codex_items.outcome(told)[0]
    found.append(place.result(name, text, call, status in _FAILED or rejected, "rejected" if rejected else ""))
    if not rejected and "ask" in name and "question" in name:
        found += places.answered(place, places.decoded(arguments), told, call)
    return found


def _folder(composer: Mapping[str, Any]) -> str:
    """The folder that a conversation was held in, where it says so."""
    where = mapping(mapping(composer.get("workspaceIdentifier")).get("uri"))
    path = string(where.get("fsPath")) or string(where.get("path"))
    if path:
        return path
    for one in listed(composer.get("trackedGitRepos")):
        if string(mapping(one).get("repoPath")):
            return string(mapping(one).get("repoPath"))
    uri = urlsplit(string(composer.get("workspaceUri")))
    return unquote(uri.path) if uri.scheme == "file" else ""


def _chats(connection: sqlite3.Connection) -> Iterator[Conversation | str]:
    """The tabs of the chat panel that old versions had."""
    row = connection.execute("SELECT value FROM ItemTable WHERE key = ?", (_CHAT,)).fetchone()
    for tab in listed(_decoded(row[0]).get("tabs")) if row is not None else ():
        told = mapping(tab)
        own = string(told.get("tabId"))
        noise: Counter[str] = Counter()
        turns: list[Turn] = []
        for number, one in enumerate(listed(told.get("bubbles"))):
            gave = _bubble(own, {"bubbleId": str(number), **mapping(one)}, False)
            if isinstance(gave, str):
                noise[gave] += 1
            else:
                turns += gave
        if own and turns:
            yield Conversation(own, string(told.get("chatTitle")), times.utc(told.get("lastSendTime")), tuple(turns), +noise)


def _store(connection: sqlite3.Connection, path: Path) -> Iterator[Conversation | str]:
    """A session of the agent: messages are blobs by hash, and the newest root lists them in order."""
    row = connection.execute("SELECT value FROM meta WHERE key = '0'").fetchone()
    meta = _decoded(row[0]) if row is not None else {}
    root = connection.execute("SELECT data FROM blobs WHERE id = ?", (string(meta.get("latestRootBlobId")),)).fetchone()
    noise: Counter[str] = Counter()
    turns: list[Turn] = []
    session = string(meta.get("agentId")) or path.parent.name
    for child in _CHILD.findall(root[0]) if root is not None and isinstance(root[0], bytes) else ():
        blob = connection.execute("SELECT data FROM blobs WHERE id = ?", (child.hex(),)).fetchone()
        message = _decoded(blob[0]) if blob is not None else {}
        if not message:
            noise["blob without a message"] += 1
            continue
        place = Place(_NOWHERE, own=f"{session}:{child.hex()[:16]}")
        gave = cursor.message_turns(place, string(message.get("role")), message.get("content"), string(meta.get("lastUsedModel")))
        if isinstance(gave, Noise):
            noise[gave.kind] += 1
        else:
            turns += gave
    if turns or noise:
        yield Conversation(session, string(meta.get("name")), times.utc(meta.get("createdAt")), tuple(turns), +noise)


def _decoded(value: object) -> Mapping[str, Any]:
    """A JSON mapping that stands in a text, in bytes, or in the hexadecimal digits of bytes."""
    if isinstance(value, str) and value.startswith("7b"):
        try:
            value = bytes.fromhex(value)
        except ValueError:
            return {}
    if not isinstance(value, str | bytes):
        return {}
    try:
        return mapping(orjson.loads(value))
    except ValueError:
        return {}


def _recognise(head: Head) -> bool:
    if not head.data.startswith(databases.MAGIC):
        return False
    tables = (b"cursorDiskKV", b"ItemTable")
    return any(name in head.data for name in tables) or (b"CREATE TABLE blobs" in head.data and b"CREATE TABLE meta" in head.data)


FORMAT = Container("cursor-database", _recognise, conversations, changed)
