"""Cursor's transcripts in lines: those of its agent and command line (`agent-transcripts`), and the markdown export.

Neither has times. What a person typed stands in `<user_query>`, with whatever else was attached before it; the database
that Cursor itself reads is another importer's (`cursor_database`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from wikimem.core import times
from wikimem.core.turns import Form, Line, Noise, Record, Speaker, Turn
from wikimem.edges.importers import codex_items, places, wrappers
from wikimem.edges.importers.format import Head, LineFormat
from wikimem.edges.importers.places import Place, Taken, encoded, mapping, string
from wikimem.edges.importers.wrappers import Piece

_QUERY = re.compile(r"<user_query>\s*(?P<words>.*?)\s*(?:</user_query>|\Z)", re.DOTALL)
_TAGGED = re.compile(r"<(?P<tag>[a-z]+(?:_[a-z_]+)+)(?:\s[^<>]*)?>.*?</(?P=tag)>", re.DOTALL)
_HEAD = re.compile(rb'\A\{\s*"role"\s*:\s*"(?:user|assistant)"\s*,\s*"message"\s*:\s*\{|"type"\s*:\s*"turn_ended"')
_REDACTED = "[REDACTED]"
_QUIET = frozenset({"turn_ended", "turn_started", "status", "session_meta"})
_EXPORT = re.compile(rb"^_Exported on [^\n]* from Cursor\b", re.MULTILINE)
_SPEAKER = re.compile(r"\*\*(?P<who>User|Cursor)\*\*\s*\Z")


def read(lines: Iterable[Line]) -> Iterator[Record]:
    """Records of an agent's transcript; see `LineFormat.read`."""
    yield from places.records(lines, _take, lambda value: "role" in value and "message" in value)


def _take(line: Line, value: dict[str, Any]) -> Iterator[Record]:
    role, kind = string(value.get("role")), string(value.get("type"))
    place = Place(line, times.utc(value.get("timestamp") or value.get("createdAt")))
    facts = {"time": place.said} if place.said else {}
    message = mapping(value.get("message"))
    if not message:
        yield Record(line.number, line.offset, Noise(kind or "record without a message", known=kind in _QUIET), facts=facts)
        return
    yield place.record(message_turns(place, role, message.get("content")), facts=facts)


def message_turns(place: Place, role: str, content: object, model: str = "") -> Taken:
    """Turns of a message, whose content is a text or a list of blocks; those of unknown types give what text they have."""
    turns: list[Turn] = []
    for part in content if isinstance(content, list) else [content]:
        one = mapping(part)
        kind = string(one.get("type")).replace("-", "_") or "text"
        text = (string(part) or string(one.get("text")) or string(one.get("thinking"))).strip()
        if kind in {"tool_use", "tool_call"}:
            arguments = next((one[key] for key in ("input", "args", "arguments") if one.get(key) is not None), None)
            turns.append(place.call(string(one.get("name")) or string(one.get("toolName")), encoded(arguments), _call(one)))
        elif kind == "tool_result":
            told = next((one[key] for key in ("content", "result", "output") if one.get(key) is not None), None)
            words, failed = codex_items.outcome(told)
            name = string(one.get("name")) or string(one.get("toolName"))
            turns.append(place.result(name, words, _call(one), failed or one.get("is_error") is True))
        elif not text or text == _REDACTED:
            if kind not in _KNOWN:
                place.strange.add(f"block:{kind}")
        elif role == "user":
            turns += place.pieces(pieces(text))
        elif role == "assistant":
            form = Form.THINKING if kind in {"thinking", "reasoning"} else Form.PROSE
            if kind not in _KNOWN:
                place.strange.add(f"block:{kind}")
            turns.append(place.turn(Speaker.ASSISTANT, form, text.replace(_REDACTED, "").strip() or text, name=model))
        else:
            turns.append(place.turn(Speaker.HARNESS, Form.PROSE, text, mark="instructions"))
    return tuple(turns) or Noise(f"{role or '?'}:{'+'.join(sorted(place.strange)) or 'blank'}", known=not place.strange)


_KNOWN = frozenset({"text", "thinking", "reasoning", "redacted_reasoning", "redacted_thinking", "image", "file"})


def _call(one: Mapping[str, Any]) -> str:
    return string(one.get("tool_use_id")) or string(one.get("toolCallId")) or string(one.get("id"))


def pieces(text: str) -> list[Piece]:
    """The stretches of a user's message: where there is a `<user_query>`, that is theirs and the rest is attached."""
    queries = list(_QUERY.finditer(text))
    if not queries:
        return _untagged(text)
    found: list[Piece] = []
    position = 0
    for match in queries:
        found += [Piece(Speaker.HARNESS, before, "context")] if (before := text[position : match.start()].strip()) else []
        found += wrappers.pieces(match["words"])
        position = match.end()
    return found + ([Piece(Speaker.HARNESS, after, "context")] if (after := text[position:].strip()) else [])


def _untagged(text: str) -> list[Piece]:
    found: list[Piece] = []
    position = 0
    for match in _TAGGED.finditer(text):
        found += wrappers.pieces(text[position : match.start()])
        found.append(Piece(Speaker.HARNESS, match[0].strip(), match["tag"]))
        position = match.end()
    return found + wrappers.pieces(text[position:])


def read_export(lines: Iterable[Line]) -> Iterator[Record]:
    """Records of a markdown export: its head, then one for each message; see `LineFormat.read`."""
    reader = _Export()
    for line in lines:
        yield from reader.take(line)
    yield from reader.flush()


class _Export:
    """A `---` ends a message only where a bare speaker follows: answers have such lines too."""

    def __init__(self) -> None:
        self.who = ""
        self.first: Line | None = None
        self.block: list[str] = []
        self.rule: list[str] = []

    def take(self, line: Line) -> Iterator[Record]:
        text = line.data.decode("utf-8", "replace").replace("\x00", "\ufffd")
        match = _SPEAKER.match(text)
        if match is not None and self.rule:
            self.rule = []
            yield from self.flush()
            self.who, self.first = match["who"], line
        elif text.strip() == "---":
            self._kept()
            self.rule = [text]
        elif self.rule and not text.strip():
            self.rule.append(text)
        elif self.who:
            self._kept()
            self.block.append(text)
        elif text.strip():
            self.rule = []
            title = text[2:].strip() if text.startswith("# ") else ""
            yield Record(line.number, line.offset, Noise("head"), facts={"title": title} if title else {})

    def _kept(self) -> None:
        if self.who:
            self.block += self.rule
        self.rule = []

    def flush(self) -> Iterator[Record]:
        """The record of the message that ends here."""
        if self.first is None:
            return
        place = Place(self.first)
        text = "\n".join(line.rstrip() for line in self.block).strip()
        if self.who == "User":
            turns = place.pieces(pieces(text))
        else:
            turns = [place.turn(Speaker.ASSISTANT, Form.PROSE, text)] if text else []
        yield Record(self.first.number, self.first.offset, tuple(turns) or Noise("message:blank"))
        self.first, self.block = None, []


def _recognise(head: Head) -> bool:
    start = head.data.lstrip(b"\xef\xbb\xbf\x00 \r\n")
    first = next((row for row in start.split(b"\n") if row.startswith(b'{"') and b'"message"' in row), start)
    return start.startswith(b"{") and _HEAD.match(first) is not None and b'"uuid"' not in first[:2048]


def _recognise_export(head: Head) -> bool:
    return _EXPORT.search(head.data[:4096]) is not None


def _hint(path: Path) -> Mapping[str, str]:
    """Session and parent: `agent-transcripts/<id>/<id>.jsonl`, and `subagents/<id>.jsonl` beside it."""
    if path.parent.name == "subagents":
        return {"session": path.stem, "parent": path.parent.parent.name, "agent": path.stem}
    return {"session": path.stem}


FORMAT = LineFormat("cursor", _recognise, read, ".jsonl", json=True, hint=_hint, yields="cursor-database")
EXPORT = LineFormat("cursor-export", _recognise_export, read_export, ".md", json=False)
