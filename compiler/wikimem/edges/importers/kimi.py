"""Kimi Code's wire logs (`wire.jsonl`): what went between the person, the harness and the model, one event a line.

A prompt is told when it is typed (`turn.prompt`, `turn.steer`) and again when it enters the model's context
(`context.append_message`); the second telling is noise. The log does not name its session: its folder does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from wikimem.core import times
from wikimem.core.turns import Form, Line, Noise, Record, Speaker, Turn
from wikimem.edges.importers import codex_items, places, wrappers
from wikimem.edges.importers.format import Head, LineFormat
from wikimem.edges.importers.places import Facts, Place, Taken, Twins, encoded, mapping, string

_HEAD = re.compile(
    rb'"type"\s*:\s*"(?:metadata"\s*,\s*"protocol_version|turn\.prompt|context\.append_(?:message|loop_event)|config\.update|llm\.request)"'
)
_QUIET = frozenset(
    [
        "metadata",
        "config.update",
        "tools.set_active_tools",
        "tools.update",
        "llm.tools_snapshot",
        "llm.request",
        "usage.record",
        "turn.cancel",
        "turn.ended",
        "turn.begin",
        "plan_mode.enter",
        "plan_mode.exit",
        "plan_mode.cancel",
        "full_compaction.begin",
        "full_compaction.complete",
        "full_compaction.cancel",
        "micro_compaction.apply",
        "permission.set_mode",
        "permission.update_rules",
        "profile.bind",
        "plugin.session_start",
        "runtime.set_binding",
        "token_counting.measured",
        "token_counting.turn_recorded",
        "context.clear",
        "goal.create",
        "goal.update",
        "goal.clear",
        "todo.update",
    ]
)
_QUIET_EVENTS = frozenset({"step.begin", "step.end", "step.interrupted", "step.retrying"})
_ASKS = frozenset({"AskUserQuestion", "ask_user"})


def read(lines: Iterable[Line]) -> Iterator[Record]:
    """Records of a wire log; see `LineFormat.read`."""
    yield from places.records(lines, _Reader().take, lambda value: "type" in value and "time" in value)


class _Reader:
    def __init__(self) -> None:
        self.facts = Facts()
        self.twins = Twins()
        self.model = ""
        self.asked: dict[str, Mapping[str, Any]] = {}
        self.plans: dict[str, str] = {}
        self.approved: dict[str, str] = {}

    def take(self, line: Line, value: dict[str, Any]) -> Iterator[Record]:
        kind = string(value.get("type"))
        said = times.utc(value.get("time") or value.get("created_at"))
        self.model = string(value.get("model")) or self.model
        disclosed = mapping(value.get("environmentDisclosure"))
        facts = self.facts.new(said, cwd=string(value.get("cwd")) or string(disclosed.get("cwd")))
        yield Record(line.number, line.offset, self._gave(Place(line, said), kind, value), facts=facts)

    def _gave(self, place: Place, kind: str, value: Mapping[str, Any]) -> Taken:
        match kind:
            case "turn.prompt" | "turn.steer":
                mark = "queued" if kind == "turn.steer" else ""
                return self._user(place, value.get("input"), mapping(value.get("origin")), "turn", mark)
            case "context.append_message":
                message = mapping(value.get("message"))
                if message.get("role") == "user":
                    return self._user(place, message.get("content"), mapping(message.get("origin")), "context", "")
                return self._other(place, message)
            case "context.append_loop_event":
                return self._event(place, mapping(value.get("event")))
            case "context.apply_compaction":
                text = string(value.get("summary")).strip()
                return (place.turn(Speaker.SUMMARY, Form.PROSE, text),) if text else Noise(kind)
            case "permission.record_approval_result":
                result = mapping(value.get("result"))
                if value.get("toolName") == "ExitPlanMode" and result.get("decision") == "approved":
                    self.approved[string(value.get("toolCallId"))] = string(result.get("selectedLabel")) or "Approved"
                return _decided(place, value)
            case _:
                return Noise(kind or "record without a type", known=kind in _QUIET)

    def _user(self, place: Place, content: object, origin: Mapping[str, Any], stream: str, mark: str) -> Taken:
        text = places.words(content).strip()
        if not text:
            return Noise(f"{stream}:blank")
        source = string(origin.get("kind")) or "user"
        if self.twins.repeats(stream, source, text):
            return Noise("told already")
        if source in {"user", "slash_command", "steer"}:
            return tuple(place.typed(text, mark)) or Noise(f"{stream}:blank")
        if source == "system_trigger" and origin.get("name") == "subagent":
            return (place.turn(Speaker.ASSISTANT, Form.PROSE, text, mark="prompt"),)
        if source == "compaction_summary":
            return (place.turn(Speaker.SUMMARY, Form.PROSE, text),)
        return (place.turn(Speaker.HARNESS, Form.PROSE, text, mark=string(origin.get("name")) or source),)

    def _other(self, place: Place, message: Mapping[str, Any]) -> Taken:
        role, text = string(message.get("role")), places.words(message.get("content")).strip()
        if not text:
            return Noise(f"context.append_message:{role or '?'}")
        if role == "assistant":
            return (place.turn(Speaker.ASSISTANT, Form.PROSE, text, name=self.model),)
        if role == "tool":
            return (place.result("", text, string(message.get("toolCallId"))),)
        return (place.turn(Speaker.HARNESS, Form.PROSE, text, mark=role),)

    def _event(self, place: Place, event: Mapping[str, Any]) -> Taken:
        kind = string(event.get("type"))
        place.reply = string(event.get("stepUuid"))
        call = string(event.get("toolCallId"))
        match kind:
            case "content.part":
                place.own = string(event.get("uuid"))
                return self._part(place, mapping(event.get("part")))
            case "tool.call":
                name = string(event.get("name"))
                if name in _ASKS and len(self.asked) < 64:
                    self.asked[call] = mapping(event.get("args"))
                if call in self.approved:
                    self.plans[call] = string(mapping(event.get("display")).get("plan"))
                return (place.call(name, encoded(event.get("args")), call),)
            case "tool.result":
                place.reply = ""
                outcome = mapping(event.get("result"))
                text, failed = codex_items.outcome(outcome if outcome else event.get("result"))
                failed = failed or outcome.get("isError") is True or outcome.get("is_error") is True
                turns = [place.result("", text, call, failed)]
                if asked := self.asked.pop(call, None):
                    turns += places.answered(place, asked, text, call)
                label, plan = self.approved.pop(call, ""), self.plans.pop(call, "")
                if label and not failed:
                    turns.append(place.turn(Speaker.HUMAN, Form.PROSE, label, call=call, mark="approval", about=plan))
                return tuple(turns)
            case _:
                return Noise(f"loop:{kind or '?'}", known=kind in _QUIET_EVENTS)

    def _part(self, place: Place, part: Mapping[str, Any]) -> Taken:
        kind = string(part.get("type"))
        text = (string(part.get("text")) or string(part.get("think"))).strip()
        if not text:
            return Noise(f"part:{kind or '?'}", known=kind in {"text", "think", "image_url", "image"})
        form = Form.THINKING if kind == "think" else Form.PROSE
        return (place.turn(Speaker.ASSISTANT, form, text, name=self.model),)


def _decided(place: Place, value: Mapping[str, Any]) -> Taken:
    """What a person said when a tool asked for leave; a mere yes or no is no speech."""
    result = mapping(value.get("result"))
    words = next((told for key in ("feedback", "reason", "message") if (told := string(result.get(key)).strip())), "")
    decision = string(result.get("decision"))
    if not words:
        return Noise(f"approval:{decision or '?'}")
    call = string(value.get("toolCallId"))
    about = string(value.get("action"))
    mark = "approval" if decision == "approved" else "rejection"
    found: list[Turn] = [
        place.turn(piece.speaker, Form.PROSE, piece.text, call=call, mark=mark, about=about) for piece in wrappers.pieces(words)
    ]
    return tuple(found) or Noise(f"approval:{decision or '?'}")


def _recognise(head: Head) -> bool:
    start = head.data.lstrip(b"\xef\xbb\xbf\x00 \r\n")
    return start.startswith(b"{") and _HEAD.search(start[:16384]) is not None and b'"payload"' not in start[:512]


def _hint(path: Path) -> Mapping[str, str]:
    """Session, title and folder, from where the log lies: `<session>/agents/<agent>/wire.jsonl`, with `state.json` above."""
    if path.name != "wire.jsonl" or path.parent.parent.name != "agents":
        return {}
    folder, agent = path.parent.parent.parent, path.parent.name
    found = {"session": folder.name.removeprefix("session_")}
    try:
        state = orjson.loads((folder / "state.json").read_bytes())
    except (OSError, ValueError):
        state = {}
    if isinstance(state, dict):
        found |= {"cwd": string(state.get("workDir")), "title": string(state.get("title"))}
    if agent != "main":
        found |= {"parent": found["session"], "session": f"{found['session']}/{agent}", "agent": agent}
    return {name: value for name, value in found.items() if value}


FORMAT = LineFormat("kimi", _recognise, read, ".jsonl", json=True, hint=_hint)
