"""Codex's session files, called rollouts (before 0.32 to 0.148): one JSON record a line.

A rollout tells most things twice: as the items that the model saw (`response_item`) and as the events that the interface
showed (`event_msg`); which of the two exists changed from version to version, also within a file. The first telling gives
the turn, the second is noise. A fork begins with a copy of its parent's records, newly dated: those are its parent's.
What single items say is read in `codex_items`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from wikimem.core import times
from wikimem.core.turns import Form, Line, Noise, Record, Speaker
from wikimem.edges.importers import codex_events, codex_items, places
from wikimem.edges.importers.codex_items import Told
from wikimem.edges.importers.format import Head, LineFormat
from wikimem.edges.importers.places import Facts, Place, Taken, mapping, string

_TYPES = frozenset({"session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state"})
_QUIET = frozenset({"turn_context", "world_state", "inter_agent_communication_metadata"})
_HEAD = re.compile(rb'"type"\s*:\s*"(?:session_meta|turn_context|response_item|event_msg|compacted|world_state)"')
_OLD_HEAD = re.compile(rb'\A\{"id"\s*:\s*"[^"]+"\s*,\s*"timestamp"\s*:\s*"[^"]+"\s*,\s*"(?:instructions|git)"\s*:')
_CALLS = re.compile(rb'"type"\s*:\s*"(?:tool_call|function_call)"\s*,\s*"function"\s*:\s*\{\s*"name"')
_NAME = re.compile(r"rollout-.*?([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.jsonl")
_VERSION_7 = re.compile(r"([0-9a-f]{8})-([0-9a-f]{4})-7")
# Between two records of a copy written in one go there is no second.
_BURST = 1.0
_PROMPTS = 4096


def read(lines: Iterable[Line]) -> Iterator[Record]:
    """Records of a rollout; see `LineFormat.read`."""
    yield from places.records(lines, _Reader().take, _is_record)


def _is_record(value: dict[str, Any]) -> bool:
    return string(value.get("type")) in _TYPES and "payload" in value


class _Reader:
    """What must be remembered between records."""

    def __init__(self) -> None:
        self.facts = Facts()
        self.told = Told()
        self.session = ""
        self.born = 0.0
        self.copying = False
        self.spoken = False
        self.last = 0.0
        # A person's prompts, each with what stood before it: a rollback takes the last ones back.
        self.prompts: list[tuple[str, str]] = []
        self.leaf = ""

    def take(self, line: Line, value: dict[str, Any]) -> Iterator[Record]:
        said = times.utc(value.get("timestamp"))
        kind, payload = _parts(value)
        if kind == "session_meta":
            yield self._meta(line, value, payload, said)
            return
        if self.copying and self._is_copy(value, payload):
            yield Record(line.number, line.offset, Noise("copied from the parent session"))
            return
        gave = self._gave(Place(line, said), kind, payload)
        self.spoken = self.spoken or not isinstance(gave, Noise)
        facts = self.facts.new(said, **self._learned(kind, payload))
        retracts = self._rolled_back(payload) if payload.get("type") == "thread_rolled_back" else ()
        own, above = self._grown(line, gave)
        yield Record(line.number, line.offset, gave, uuid=own, parent=above, facts=facts, retracts=retracts)

    def _grown(self, line: Line, gave: Taken) -> tuple[str, str]:
        """The place of a record in the session: its own name, and that of the record before it."""
        if isinstance(gave, Noise):
            return "", ""
        own, above = f"L{line.number}@{line.offset}", self.leaf
        if any(turn.speaker is Speaker.HUMAN and not turn.mark for turn in gave):
            self.prompts.append((own, above))
            del self.prompts[:-_PROMPTS]
        self.leaf = own
        return own, above

    def _rolled_back(self, payload: Mapping[str, Any]) -> tuple[str, ...]:
        """The prompt from which on a person took everything back."""
        number = payload.get("num_turns")
        gone = self.prompts[-number:] if isinstance(number, int) and number > 0 else []
        if not gone:
            return ()
        del self.prompts[-len(gone) :]
        self.leaf = gone[0][1]
        return (gone[0][0],)

    def _gave(self, place: Place, kind: str, payload: Mapping[str, Any]) -> Taken:
        match kind:
            case "response_item":
                return codex_items.read(place, payload, self.told)
            case "event_msg":
                return codex_events.read(place, payload, self.told)
            case "compacted":
                text = string(payload.get("message")).strip()
                if text and self.told.once.add(f"summary:{places.short(text)}"):
                    return (place.turn(Speaker.SUMMARY, Form.PROSE, text),)
                return Noise("compacted:repeated" if text else "compacted")
            case "turn_context":
                self.told.model = string(payload.get("model")) or self.told.model
                return Noise(kind)
            case _:
                return Noise(kind or "record without a type", known=kind in _QUIET or kind == "record_type:state")

    def _meta(self, line: Line, value: Mapping[str, Any], payload: Mapping[str, Any], said: str) -> Record:
        session = string(payload.get("id")) or string(payload.get("session_id"))
        if self.session and session != self.session:
            # The parent's own header, which heads the copy of its records.
            parent = session if not self.facts.told.get("parent") else ""
            # A copy stands before everything else.
            self.copying = not self.spoken
            self.last = _seconds(value.get("timestamp"))
            return Record(
                line.number, line.offset, Noise("session_meta:of the parent"), facts=self.facts.new(said, parent=parent)
            )
        if self.session:
            return Record(line.number, line.offset, Noise("session_meta:repeated"), facts=self.facts.new(said))
        self.session = session
        self.born = _born(session) or _seconds(payload.get("timestamp")) or _seconds(value.get("timestamp"))
        source = mapping(mapping(payload.get("source")).get("subagent"))
        spawned = mapping(source.get("thread_spawn"))
        self.told.delegated = bool(source)
        git = mapping(payload.get("git"))
        facts = self.facts.new(
            said,
            session=session,
            cwd=string(payload.get("cwd")),
            branch=string(git.get("branch")),
            remote=string(git.get("repository_url")),
            version=string(payload.get("cli_version")),
            agent=string(payload.get("agent_nickname")) or string(spawned.get("agent_nickname")),
            parent=string(payload.get("forked_from_id"))
            or string(payload.get("parent_thread_id"))
            or string(spawned.get("parent_thread_id")),
        )
        return Record(line.number, line.offset, Noise("session_meta"), facts=facts)

    def _is_copy(self, value: Mapping[str, Any], payload: Mapping[str, Any]) -> bool:
        """Whether the copy of the parent's records still goes on."""
        now = _seconds(value.get("timestamp"))
        gap, self.last = now - self.last, now or self.last
        turn = _born(_turn_id(payload))
        if turn:
            self.copying = turn < self.born
        elif not now or (now >= self.born and gap >= _BURST):
            self.copying = False
        return self.copying

    def _learned(self, kind: str, payload: Mapping[str, Any]) -> dict[str, str]:
        if kind == "turn_context":
            return {"cwd": string(payload.get("cwd"))}
        if kind == "event_msg" and payload.get("type") == "thread_name_updated":
            return {"title": string(payload.get("thread_name")) or string(payload.get("name"))}
        return {}


def _parts(value: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The kind of a record and what it carries; before 0.32 items stood bare."""
    kind, payload = value.get("type"), value.get("payload")
    if isinstance(payload, dict):
        return string(kind), payload
    if kind is None and "record_type" in value:
        return f"record_type:{string(value['record_type'])}", {}
    if kind is None and isinstance(value.get("id"), str) and "timestamp" in value:
        return "session_meta", value
    if string(kind) in codex_items.KINDS:
        return "response_item", value
    if kind is None and "role" in value:
        return "response_item", {"type": "message", "content": value.get("message"), **value}
    return string(kind), {}


def _turn_id(payload: Mapping[str, Any]) -> str:
    inner = mapping(payload.get("internal_chat_message_metadata_passthrough") or payload.get("metadata"))
    return string(payload.get("turn_id")) or string(inner.get("turn_id"))


def _born(identity: str) -> float:
    """The second in which a UUID of version 7 was made; 0 for other ids."""
    match = _VERSION_7.match(identity)
    return int(match[1] + match[2], 16) / 1000 if match else 0.0


def _seconds(value: object) -> float:
    if not isinstance(value, str):
        return 0.0
    try:
        return datetime.fromisoformat(value).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def _recognise(head: Head) -> bool:
    start = head.data.lstrip(b"\xef\xbb\xbf\x00 \r\n")
    if not start.startswith(b"{"):
        return False
    if _OLD_HEAD.match(start):
        return True
    if b'"payload"' in start and _HEAD.search(start) is not None and b'"wikimem"' not in start[:64]:
        return True
    return b'"role"' in start[:4096] and _CALLS.search(start) is not None


def _hint(path: Path) -> Mapping[str, str]:
    match = _NAME.search(path.name)
    return {"session": match[1]} if match else {}


FORMAT = LineFormat("codex", _recognise, read, ".jsonl", json=True, hint=_hint)
