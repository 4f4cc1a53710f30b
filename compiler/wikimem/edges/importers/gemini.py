"""Gemini CLI's session files: one JSON document (to 0.39), or JSON lines that rewrite and rewind (from 0.40).

In lines, a message is written again under its id while it grows, `$set` changes the session or replaces all messages,
and `$rewindTo` takes back a message and all after it. Of a message that was written several times the last version
counts, as far as it follows soon enough; later ones add what is new in them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from wikimem.core import times
from wikimem.core.turns import Line, Noise, Record, Turn
from wikimem.edges.importers import gemini_parts, jsonl, places
from wikimem.edges.importers.format import Container, Conversation, Head, LineFormat
from wikimem.edges.importers.places import Facts, Place, listed, mapping, string
from wikimem.edges.importers.seen import Seen

_HEAD = re.compile(rb'\A\{\s*"(?:sessionId|projectHash)"\s*:\s*"[^"]*"[^\n]*"(?:projectHash|startTime)"\s*:')
_OPERATION = re.compile(rb'\{\s*"\$(?:set|rewindTo)"\s*:')
_DOCUMENT = re.compile(rb'"(?:projectHash|sessionId)"\s*:\s*"')
_HISTORY = re.compile(rb'(?:"history"\s*:\s*|\A)\[\s*\{\s*"role"\s*:\s*"[a-z]+"\s*,\s*"parts"\s*:')
# How many messages later a message may still be replaced by a longer version of itself.
_AHEAD = 64


def read(lines: Iterable[Line]) -> Iterator[Record]:
    """Records of a session in lines; see `LineFormat.read`. A `$set` of messages gives a record for each of them."""
    reader = _Reader()
    yield from places.records(lines, reader.take, _is_record, reader.rest)


def _is_record(value: dict[str, Any]) -> bool:
    return "$set" in value or "$rewindTo" in value or ("id" in value and string(value.get("type")) in {"user", "gemini"})


class _Reader:
    def __init__(self) -> None:
        self.facts = Facts()
        self.held: dict[str, Record] = {}
        self.path: list[str] = []
        self.number: dict[str, int] = {}
        self.given = Seen()
        self.delegated = False

    def take(self, line: Line, value: dict[str, Any]) -> Iterator[Record]:
        if "$set" in value:
            yield from self._set(line, mapping(value["$set"]))
        elif "$rewindTo" in value:
            yield self._rewind(line, string(value["$rewindTo"]))
        elif "sessionId" in value and "type" not in value:
            self.delegated = value.get("kind") == "subagent"
            yield Record(line.number, line.offset, Noise("metadata"), facts=self._learned(value))
        else:
            yield from self._message(line, value, Place(line))

    def rest(self) -> Iterator[Record]:
        yield from self.held.values()
        self.held.clear()

    def _learned(self, value: Mapping[str, Any]) -> Mapping[str, str]:
        return self.facts.new(
            "", session=string(value.get("sessionId")), title=string(value.get("summary")), cwd=string(value.get("cwd"))
        )

    def _message(self, line: Line, value: Mapping[str, Any], place: Place) -> Iterator[Record]:
        own = string(value.get("id"))
        place.said = times.utc(value.get("timestamp"))
        place.own = place.reply = places.scoped(own, self.facts.told.get("session", ""))
        gave = gemini_parts.message(place, value, self.delegated)
        if isinstance(gave, tuple) and own:
            gave = self._fresh(own, gave)
        record = place.record(gave, uuid=own, parent=self._above(own), facts=self.facts.new(place.said))
        if not own:
            yield record
            return
        earlier = self.held.pop(own, None)
        if earlier is not None and _same(earlier, record):
            self.held[own] = earlier
            yield replace(record, gave=Noise("repeated"), uuid="", parent="")
            return
        if earlier is not None:
            replaced = Noise("replaced by a longer version") if isinstance(earlier.gave, tuple) else earlier.gave
            yield Record(earlier.line, earlier.offset, replaced, facts=earlier.facts)
        self.held[own] = record
        if len(self.held) > _AHEAD:
            first = next(iter(self.held))
            yield self._release(self.held.pop(first))

    def _release(self, record: Record) -> Record:
        if isinstance(record.gave, tuple):
            for turn in record.gave:
                self.given.add(turn.identity)
        return record

    def _fresh(self, own: str, turns: tuple[Turn, ...]) -> tuple[Turn, ...] | Noise:
        """The turns that no version of this message gave that is out of reach."""
        if own in self.held or own not in self.number:
            return turns
        fresh = tuple(turn for turn in turns if turn.identity not in self.given)
        return fresh or Noise("repeated")

    def _above(self, own: str) -> str:
        """The message before this one, which takes its place at the end unless it has one."""
        if not own:
            return ""
        if own not in self.number:
            self.number[own] = len(self.path)
            self.path.append(own)
        number = self.number[own]
        return self.path[number - 1] if number else ""

    def _rewind(self, line: Line, target: str) -> Record:
        number = self.number.get(target)
        gone = tuple(self.path[number:]) if number is not None else ()
        self._forget(number if number is not None else len(self.path))
        return Record(line.number, line.offset, Noise("$rewindTo"), retracts=gone)

    def _forget(self, number: int) -> None:
        for own in self.path[number:]:
            self.number.pop(own, None)
        del self.path[number:]

    def _set(self, line: Line, value: Mapping[str, Any]) -> Iterator[Record]:
        messages = value.get("messages")
        gone: tuple[str, ...] = ()
        if isinstance(messages, list):
            ids = [string(mapping(one).get("id")) for one in messages]
            if 0 < len(ids) < len(self.path) and ids == self.path[: len(ids)]:
                # Nothing but a shorter list: a person went back.
                gone = tuple(self.path[len(ids) :])
                self._forget(len(ids))
        yield Record(line.number, line.offset, Noise("$set"), facts=self._learned(value), retracts=gone)
        for one in listed(messages):
            if isinstance(one, dict) and one:
                yield from self._message(line, one, Place(line))


def _same(one: Record, other: Record) -> bool:
    """Whether two versions of a message say the same."""
    if not isinstance(one.gave, tuple) or not isinstance(other.gave, tuple):
        return one.gave == other.gave
    return [turn.identity for turn in one.gave] == [turn.identity for turn in other.gave]


def conversations(path: Path) -> Iterator[Conversation | str]:
    """The conversation of a session document or a saved history; see `Container.conversations`."""
    data = path.read_bytes().removeprefix(jsonl.BOM)
    try:
        value = orjson.loads(data)
    except ValueError:
        value = _salvaged(data.decode("utf-8", "replace"))
        yield "the file is not whole JSON: cut short or mangled"
    document = value if isinstance(value, dict) else {"history": value}
    told = next((document[key] for key in ("messages", "history") if isinstance(document.get(key), list)), None)
    if told is None:
        yield "the file has no list of messages"
        return
    turns: list[Turn] = []
    noise: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    session = string(document.get("sessionId")) or f"history-{places.short(places.encoded(told[:1]))}"
    for number, one in enumerate(told, 1):
        message = mapping(one)
        own = places.scoped(string(message.get("id")), session)
        said = times.utc(message.get("timestamp") or message.get("ts"))
        place = Place(Line(number, 0, b""), said, own, own)
        gave = gemini_parts.message(place, message, document.get("kind") == "subagent")
        unknown.update(place.strange if isinstance(gave, tuple) else ())
        if isinstance(gave, Noise):
            noise[gave.kind] += 1
            unknown[gave.kind] += not gave.known
        else:
            turns += gave
    started = times.utc(document.get("startTime") or document.get("start_time")) or next((t.said for t in turns if t.said), "")
    yield Conversation(session, string(document.get("summary")), started, tuple(turns), noise, _cwd(path), unknown=+unknown)


def _salvaged(text: str) -> dict[str, Any]:
    """What can still be read of a document that is cut short: its first fields and its whole messages."""
    found: dict[str, Any] = {}
    for name in ("sessionId", "startTime", "summary", "kind"):
        match = re.search(rf'"{name}"\s*:\s*"([^"\\]*)"', text)
        if match:
            found[name] = match[1]
    start = re.search(r'"(?:messages|history)"\s*:\s*\[', text)
    if start:
        found["messages"] = list(jsonl.members(text, start.end()))
    return found


def _cwd(path: Path) -> str:
    """The folder of a session's project: its tool keeps it in a file beside the folder of chats."""
    for folder in path.parents[:3]:
        try:
            return (folder / ".project_root").read_text(encoding="utf-8").strip()
        except (OSError, ValueError):
            continue
    return ""


def _hint(path: Path) -> Mapping[str, str]:
    found = {"cwd": _cwd(path)}
    if path.parent.parent.name == "chats":
        found["parent"] = path.parent.name
    return {name: value for name, value in found.items() if value}


def _recognise(head: Head) -> bool:
    start = head.data.lstrip(b"\xef\xbb\xbf\x00 \r\n")
    if not start.startswith(b"{") or b'"parentUuid"' in start:
        return False
    first, newline, _ = start.partition(b"\n")
    if _HEAD.match(first) and b'"messages"' not in first and b'"type"' not in first[:200]:
        return bool(newline) or head.whole
    return _OPERATION.search(start) is not None


def _recognise_document(head: Head) -> bool:
    start = head.data.lstrip(b"\xef\xbb\xbf\x00 \r\n")
    if not start.startswith((b"{", b"[")):
        return False
    if _HISTORY.search(start):
        return True
    return b'"messages"' in start and b'"projectHash"' in start and _DOCUMENT.search(start) is not None


FORMAT = LineFormat("gemini", _recognise, read, ".jsonl", json=True, hint=_hint)
DOCUMENT = Container("gemini-document", _recognise_document, conversations)
