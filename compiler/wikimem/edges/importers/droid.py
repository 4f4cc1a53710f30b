"""Droid's sessions: the files it keeps (a header, then messages as Claude has them), and the stream that it prints.

The stream has flat messages, tool calls and results, and a last record that repeats the final answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from wikimem.core import times
from wikimem.core.turns import Form, Line, Noise, Record, Speaker, Turn
from wikimem.edges.importers import codex_items, places
from wikimem.edges.importers.format import Head, LineFormat
from wikimem.edges.importers.places import Facts, Place, Taken, Twins, encoded, mapping, string

_KEPT = re.compile(rb'\A\{[^\n]{0,60}?"type"\s*:\s*"session_start"')
_STREAM = re.compile(rb'"(?:session_id|sessionId)"\s*:')
_STREAMED = re.compile(
    rb'"type"\s*:\s*"message"[^\n]*"role"\s*:\s*"(?:user|assistant)"[^\n]*"text"\s*:'
    rb'|"type"\s*:\s*"(?:tool_call|completion)"[^\n]*"(?:toolName|finalText)"\s*:'
)
_QUIET = frozenset({"session_start", "system", "error", "todo_state", "session_end", "session_settings", "reasoning"})


def read(lines: Iterable[Line]) -> Iterator[Record]:
    """Records of a kept session or a stream; see `LineFormat.read`."""
    yield from places.records(lines, _Reader().take, _is_record)


def _is_record(value: dict[str, Any]) -> bool:
    kind = string(value.get("type"))
    return kind in {"session_start", "message", "tool_call", "tool_result", "completion"} and len(value) > 3


class _Reader:
    def __init__(self) -> None:
        self.facts = Facts()
        self.twins = Twins()
        self.model = ""

    def take(self, line: Line, value: dict[str, Any]) -> Iterator[Record]:
        kind = string(value.get("type"))
        said = times.utc(value.get("timestamp"))
        session = string(value.get("id")) if kind == "session_start" else ""
        session = session or string(value.get("session_id")) or string(value.get("sessionId"))
        self.model = string(value.get("model")) or self.model
        facts = self.facts.new(
            said,
            session=session,
            cwd=string(value.get("cwd")),
            title=string(value.get("sessionTitle")) or string(value.get("title")) if kind == "session_start" else "",
            version=str(value.get("version", "")) if kind == "session_start" else "",
            parent=string(value.get("parentSessionId")) or string(value.get("parent")) if kind == "session_start" else "",
        )
        place = Place(line, said, places.scoped(string(value.get("id")), self.facts.told.get("session", "")))
        yield place.record(self._gave(place, kind, value), facts=facts)

    def _gave(self, place: Place, kind: str, value: Mapping[str, Any]) -> Taken:
        match kind:
            case "message":
                inner = value.get("message")
                return self._message(place, mapping(inner)) if isinstance(inner, dict) else self._flat(place, value)
            case "tool_call":
                call = string(value.get("toolCallId")) or string(value.get("id"))
                name = string(value.get("toolName")) or string(value.get("toolId"))
                return (place.call(name, encoded(value.get("parameters")), call),)
            case "tool_result":
                call = string(value.get("toolCallId")) or string(value.get("id"))
                told = next((value[key] for key in ("value", "result", "error") if value.get(key) is not None), None)
                return (self._result(place, string(value.get("toolName")), told, call, value.get("isError") is True),)
            case "completion":
                text = string(value.get("finalText")).strip()
                if not text or self.twins.repeats("completion", "assistant", text):
                    return Noise(kind)
                return (place.turn(Speaker.ASSISTANT, Form.PROSE, text, name=self.model),)
            case "compaction_state":
                told = (string(value.get("summaryText")) or string(value.get("summary"))).strip()
                return (place.turn(Speaker.SUMMARY, Form.PROSE, told),) if told else Noise(kind)
            case _:
                return Noise(kind or "record without a type", known=kind in _QUIET)

    def _flat(self, place: Place, value: Mapping[str, Any]) -> Taken:
        role = string(value.get("role"))
        text = (string(value.get("text")) or places.words(value.get("content"))).strip()
        if role == "user":
            return tuple(place.typed(text)) or Noise("message:blank")
        return self._said(place, text) if role == "assistant" else _unspoken(place, role, text)

    def _said(self, place: Place, text: str) -> Taken:
        if not text or self.twins.repeats("message", "assistant", text):
            return Noise("told already" if text else "message:blank")
        return (place.turn(Speaker.ASSISTANT, Form.PROSE, text, name=self.model),)

    def _message(self, place: Place, message: Mapping[str, Any]) -> Taken:
        role = string(message.get("role"))
        content = message.get("content")
        turns: list[Turn] = []
        for part in content if isinstance(content, list) else [content]:
            one = mapping(part)
            kind = string(one.get("type")) or "text"
            text = (string(part) or string(one.get("text")) or string(one.get("thinking"))).strip()
            if kind == "tool_use":
                turns.append(place.call(string(one.get("name")), encoded(one.get("input")), string(one.get("id"))))
            elif kind == "tool_result":
                call = string(one.get("tool_use_id"))
                turns.append(self._result(place, "", one.get("content"), call, one.get("is_error") is True))
            elif text and role == "user":
                turns += place.typed(text)
            elif text and role == "assistant":
                form = Form.THINKING if kind == "thinking" else Form.PROSE
                turns.append(place.turn(Speaker.ASSISTANT, form, text, name=string(message.get("model")) or self.model))
            elif text:
                turns += _spoken(place, role, text)
            elif kind not in {"text", "thinking", "redacted_thinking", "image", "document"}:
                place.strange.add(f"block:{kind}")
        return tuple(turns) or Noise(f"message:{'+'.join(sorted(place.strange)) or 'blank'}", known=not place.strange)

    def _result(self, place: Place, name: str, told: object, call: str, failed: bool) -> Turn:
        text, error = codex_items.outcome(told)
        return place.result(name, text, call, failed or error or text.startswith("Error: Command failed"))


def _spoken(place: Place, role: str, text: str) -> list[Turn]:
    return [place.turn(Speaker.HARNESS, Form.PROSE, text, mark=role or "message")] if text else []


def _unspoken(place: Place, role: str, text: str) -> Taken:
    return tuple(_spoken(place, role, text)) or Noise(f"message:{role or '?'}", known=role == "system")


def _recognise(head: Head) -> bool:
    start = head.data.lstrip(b"\xef\xbb\xbf\x00 \r\n")
    if not start.startswith(b"{") or b'"parentUuid"' in start[:8192]:
        return False
    if _KEPT.match(start):
        return True
    return _STREAM.search(start[:8192]) is not None and _STREAMED.search(start[:16384]) is not None


def _hint(path: Path) -> Mapping[str, str]:
    return {"session": path.stem}


FORMAT = LineFormat("droid", _recognise, read, ".jsonl", json=True, hint=_hint)
