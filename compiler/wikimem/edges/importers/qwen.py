"""Qwen Code's session files: records as Claude Code has them (a tree by `parentUuid`), messages as Gemini has them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from wikimem.core import times
from wikimem.core.turns import Form, Line, Noise, Record, Speaker, Turn
from wikimem.edges.importers import gemini_parts, places
from wikimem.edges.importers.format import Head, LineFormat
from wikimem.edges.importers.places import Facts, Place, Taken, mapping, string

_QUIET = frozenset(
    [
        "ui_telemetry",
        "custom_title",
        "rewind",
        "session_artifact_snapshot",
        "session_artifact_event",
        "at_command",
        "file_history_snapshot",
        "attribution_snapshot",
        "agent_bootstrap",
        "agent_launch_prompt",
        "agent_retry",
        "agent_color",
        "mode",
    ]
)
_HEAD = re.compile(rb'"parentUuid"\s*:')
_MESSAGE = re.compile(rb'"parts"\s*:\s*\[|"systemPayload"\s*:')
_COMMAND = re.compile(r"(?P<command>/\S+)\s*(?P<arguments>.*)\Z", re.DOTALL)


def read(lines: Iterable[Line]) -> Iterator[Record]:
    """Records of a session; see `LineFormat.read`."""
    yield from places.records(lines, _Reader().take, lambda value: "uuid" in value and "type" in value)


class _Reader:
    def __init__(self) -> None:
        self.facts = Facts()
        self.path: list[str] = []
        self.number: dict[str, int] = {}

    def take(self, line: Line, value: dict[str, Any]) -> Iterator[Record]:
        own, parent = string(value.get("uuid")), string(value.get("parentUuid"))
        payload = mapping(value.get("systemPayload"))
        kind = string(value.get("type"))
        retracts = self._rewound(payload) if value.get("subtype") == "rewind" else ()
        self._step(own, parent)
        title = string(payload.get("customTitle")) if value.get("subtype") == "custom_title" else ""
        place = Place(line, times.utc(value.get("timestamp")), own, own)
        yield place.record(
            _gave(place, kind, value, payload),
            uuid=own,
            parent=parent,
            facts=self.facts.new(
                times.utc(value.get("timestamp")),
                session=string(value.get("sessionId")),
                cwd=string(value.get("cwd")),
                branch=string(value.get("gitBranch")),
                version=string(value.get("version")),
                agent=string(value.get("agentId")),
                title=title,
            ),
            retracts=retracts,
        )

    def _step(self, own: str, parent: str) -> None:
        if not own or own in self.number:
            return
        above = self.number.get(parent)
        if above is not None:
            for gone in self.path[above + 1 :]:
                self.number.pop(gone, None)
            del self.path[above + 1 :]
        self.number[own] = len(self.path)
        self.path.append(own)

    def _rewound(self, payload: Mapping[str, Any]) -> tuple[str, ...]:
        """The record that followed the one a person went back to; what hangs on it is gone with it."""
        target = self.number.get(string(payload.get("targetUuid")))
        if target is None or target + 1 >= len(self.path):
            return ()
        return (self.path[target + 1],)


def _gave(place: Place, kind: str, value: Mapping[str, Any], payload: Mapping[str, Any]) -> Taken:
    message = mapping(value.get("message"))
    parts = message.get("parts")
    match kind:
        case "user":
            return _user(place, value, payload, parts)
        case "assistant":
            turns = gemini_parts.model(place, parts, string(value.get("model")))
            return tuple(turns) or Noise(f"assistant:{'+'.join(sorted(place.strange)) or 'blank'}", known=not place.strange)
        case "tool_result":
            failed = string(mapping(value.get("toolCallResult")).get("status")) in {"error", "cancelled"}
            turns = [turn for part in gemini_parts.parts(parts) for turn in gemini_parts.response(place, part, failed)]
            return tuple(turns) or Noise("tool_result:blank")
        case "system":
            return _system(place, string(value.get("subtype")), payload)
        case _:
            return Noise(kind or "record without a type", known=False)


def _user(place: Place, value: Mapping[str, Any], payload: Mapping[str, Any], parts: object) -> Taken:
    subtype = string(value.get("subtype"))
    turns = gemini_parts.user(place, parts, string(payload.get("displayText")))
    for part in gemini_parts.parts(parts):
        turns += gemini_parts.response(place, part)
    if subtype == "notification" or value.get("isMeta") is True:
        turns = [_machine(turn, subtype or "meta") for turn in turns]
    elif value.get("isSidechain") is True or value.get("agentId"):
        turns = [gemini_parts.prompted(turn) for turn in turns]
    elif subtype == "mid_turn_user_message":
        turns = [replace(turn, mark=turn.mark or "queued") if turn.speaker is Speaker.HUMAN else turn for turn in turns]
    return tuple(turns) or Noise("user:blank")


def _machine(turn: Turn, mark: str) -> Turn:
    return replace(turn, speaker=Speaker.HARNESS, mark=mark) if turn.speaker is Speaker.HUMAN else turn


def _system(place: Place, subtype: str, payload: Mapping[str, Any]) -> Taken:
    if subtype == "slash_command" and payload.get("phase") != "result":
        match = _COMMAND.match(string(payload.get("rawCommand")).strip())
        if match is None:
            return Noise("slash_command")
        turns = [place.turn(Speaker.HARNESS, Form.PROSE, match["command"], mark="command")]
        if match["arguments"].strip():
            turns.append(place.turn(Speaker.HUMAN, Form.PROSE, match["arguments"].strip(), mark="argument"))
        return tuple(turns)
    if subtype == "chat_compression":
        info = mapping(payload.get("info")) or payload
        told = string(info.get("summary")) or string(payload.get("summary"))
        return (place.turn(Speaker.SUMMARY, Form.PROSE, told.strip()),) if told.strip() else Noise(f"system:{subtype}")
    known = subtype in _QUIET or subtype == "slash_command"
    return Noise(f"system:{subtype or '?'}", known)


def _recognise(head: Head) -> bool:
    start = head.data.lstrip(b"\xef\xbb\xbf\x00 \r\n")
    return start.startswith(b"{") and _HEAD.search(start[:8192]) is not None and _MESSAGE.search(start) is not None


def _hint(path: Path) -> Mapping[str, str]:
    return {"session": path.stem}


FORMAT = LineFormat("qwen", _recognise, read, ".jsonl", json=True, hint=_hint)
