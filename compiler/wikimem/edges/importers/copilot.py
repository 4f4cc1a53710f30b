"""Copilot CLI's event logs (`events.jsonl`): sessions, messages and tool executions, one event a line.

What a person typed is `content`; `transformedContent` is what the harness made of it for the model.
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
from wikimem.edges.importers.places import Facts, Place, Taken, encoded, listed, mapping, string
from wikimem.edges.importers.seen import Seen

_HEAD = re.compile(
    rb'"type"\s*:\s*"(?:session\.(?:start|resume|info|model_change|shutdown)|user\.message|assistant\.(?:message|turn_start)'
    rb'|tool\.execution_(?:start|complete))"'
)
_QUIET = frozenset(
    [
        "session.start",
        "session.resume",
        "session.info",
        "session.model_change",
        "session.error",
        "session.warning",
        "session.shutdown",
        "session.truncation",
        "session.auto_mode_resolved",
        "session.usage_checkpoint",
        "session.usage_info",
        "session.idle",
        "session.handoff",
        "session.compaction_start",
        "session.mode_changed",
        "session.plan_changed",
        "session.snapshot_rewind",
        "session.import_legacy",
        "session.workspace_file_changed",
        "session.context_changed",
        "session.task_complete",
        "session.title_changed",
        "session.permissions_changed",
        "session.background_tasks_changed",
        "session.schedule_created",
        "session.remote_steerable_changed",
        "assistant.turn_start",
        "assistant.turn_end",
        "assistant.intent",
        "assistant.usage",
        "assistant.message_delta",
        "assistant.reasoning_delta",
        "assistant.streaming_delta",
        "tool.execution_progress",
        "tool.execution_partial_result",
        "tool.user_requested",
        "subagent.started",
        "subagent.completed",
        "subagent.failed",
        "subagent.selected",
        "subagent.deselected",
        "hook.start",
        "hook.end",
        "skill.invoked",
        "abort",
        "permission.requested",
        "permission.completed",
        "pending_messages.modified",
        "external_tool.requested",
        "external_tool.completed",
        "user_input.requested",
        "elicitation.requested",
    ]
)
_ANSWER = re.compile(r"\A\s*User (?:selected|responded|answered|chose)[^:\n]{0,40}:\s*(?P<answer>.+)\Z", re.DOTALL)


def read(lines: Iterable[Line]) -> Iterator[Record]:
    """Records of an event log; see `LineFormat.read`."""
    yield from places.records(lines, _Reader().take, lambda value: "type" in value and "data" in value)


class _Reader:
    def __init__(self) -> None:
        self.facts = Facts()
        self.calls = Seen()
        self.names: dict[str, tuple[str, Mapping[str, Any]]] = {}
        self.path: list[str] = []
        self.number: dict[str, int] = {}

    def take(self, line: Line, value: dict[str, Any]) -> Iterator[Record]:
        kind = string(value.get("type"))
        data = mapping(value.get("data"))
        said = times.utc(value.get("timestamp"))
        own = string(value.get("id"))
        place = Place(line, said, places.scoped(own, self.facts.told.get("session", "")), string(data.get("messageId")))
        gave, facts = self._gave(place, kind, data), self._learned(kind, data, said)
        retracts = self._rewound(data) if kind == "session.snapshot_rewind" else ()
        if own and own not in self.number:
            self.number[own] = len(self.path)
            self.path.append(own)
        place_in_path = self.number.get(own, len(self.path))
        above = self.path[place_in_path - 1] if place_in_path else ""
        yield Record(line.number, line.offset, gave, uuid=own, parent=above, facts=facts, retracts=retracts)

    def _rewound(self, data: Mapping[str, Any]) -> tuple[str, ...]:
        """The event that a person went back to: it and all after it are gone."""
        target = string(data.get("upToEventId"))
        number = self.number.get(target)
        if number is None:
            return ()
        for gone in self.path[number:]:
            self.number.pop(gone, None)
        del self.path[number:]
        return (target,)

    def _learned(self, kind: str, data: Mapping[str, Any], said: str) -> Mapping[str, str]:
        if not kind.startswith("session."):
            return self.facts.new(said)
        context = mapping(data.get("context"))
        repository = string(context.get("repository"))
        host = string(context.get("repositoryHost")) or "github.com"
        return self.facts.new(
            said,
            session=string(data.get("sessionId")),
            version=string(data.get("copilotVersion")),
            cwd=string(context.get("cwd")) or string(data.get("cwd")),
            branch=string(context.get("branch")),
            remote=f"https://{host}/{repository}" if "/" in repository else "",
            title=string(data.get("title")) if kind == "session.title_changed" else "",
        )

    def _gave(self, place: Place, kind: str, data: Mapping[str, Any]) -> Taken:
        text = places.words(data.get("content")).strip()
        match kind:
            case "user.message":
                return _user(place, data, text)
            case "assistant.message" | "assistant.reasoning":
                return self._assistant(place, kind, data, text)
            case "tool.execution_start":
                return self._call(place, data.get("toolCallId"), data.get("toolName"), data.get("arguments"))
            case "tool.execution_complete":
                return self._result(place, data)
            case "system.message" | "system.notification":
                mark = "notification" if kind.endswith("notification") else "instructions"
                return (place.turn(Speaker.HARNESS, Form.PROSE, text, mark=mark),) if text else Noise(kind)
            case "session.compaction_complete":
                told = string(data.get("summaryContent")) or string(data.get("summary"))
                return (place.turn(Speaker.SUMMARY, Form.PROSE, told.strip()),) if told.strip() else Noise(kind)
            case "user_input.completed" | "elicitation.completed":
                answer = string(data.get("answer")).strip() or text
                return (place.turn(Speaker.HUMAN, Form.PROSE, answer, mark="answer"),) if answer else Noise(kind)
            case _:
                return Noise(kind or "record without a type", known=kind in _QUIET)

    def _assistant(self, place: Place, kind: str, data: Mapping[str, Any], text: str) -> Taken:
        model = string(data.get("model"))
        if kind == "assistant.reasoning":
            return (place.turn(Speaker.ASSISTANT, Form.THINKING, text, name=model),) if text else Noise(f"{kind}:blank")
        turns: list[Turn] = []
        thought = string(data.get("reasoningText")).strip()
        if thought:
            turns.append(place.turn(Speaker.ASSISTANT, Form.THINKING, thought, name=model))
        if text:
            turns.append(place.turn(Speaker.ASSISTANT, Form.PROSE, text, name=model))
        for one in listed(data.get("toolRequests")):
            asked = mapping(one)
            gave = self._call(place, asked.get("toolCallId"), asked.get("name"), asked.get("arguments"))
            turns += gave if isinstance(gave, tuple) else ()
        return tuple(turns) or Noise(f"{kind}:blank")

    def _call(self, place: Place, call: object, name: object, arguments: object) -> Taken:
        own, told, text = string(call), string(name), encoded(arguments)
        # A call is told when it is asked for and again when it begins.
        if own and not self.calls.add(own):
            return Noise("tool.execution_start")
        if own and len(self.names) < 4096:
            self.names[own] = (told, places.decoded(arguments))
        return (place.call(told, text, own),)

    def _result(self, place: Place, data: Mapping[str, Any]) -> Taken:
        call = string(data.get("toolCallId"))
        name, asked = self.names.pop(call, ("", {}))
        outcome = data.get("result") if data.get("result") is not None else data.get("error")
        text, failed = codex_items.outcome(outcome)
        place.reply = ""
        turns = [place.result(name, text, call, failed or data.get("success") is False)]
        if not turns[0].error:
            turns += places.approved(place, name, asked, text, call)
        answer = _ANSWER.match(text) if name == "ask_user" else None
        if answer is not None:
            question = string(asked.get("question"))
            turns.append(
                place.turn(Speaker.HUMAN, Form.PROSE, answer["answer"].strip(), call=call, mark="answer", about=question)
            )
        return tuple(turns)


def _user(place: Place, data: Mapping[str, Any], text: str) -> Taken:
    if not text:
        return Noise("user.message:blank")
    if data.get("parentAgentTaskId") or data.get("parentToolCallId") or data.get("agentId"):
        return (place.turn(Speaker.ASSISTANT, Form.PROSE, text, mark="prompt"),)
    source = string(data.get("source"))
    if source not in {"", "user"} and source.startswith(("skill", "system", "hook", "schedule", "agent", "command")):
        return (place.turn(Speaker.HARNESS, Form.PROSE, text, mark=source),)
    mark = "queued" if string(data.get("delivery")) in {"steering", "queued"} else ""
    return tuple(place.typed(text, mark)) or Noise("user.message:blank")


def _recognise(head: Head) -> bool:
    start = head.data.lstrip(b"\xef\xbb\xbf\x00 \r\n")
    return start.startswith(b"{") and b'"data"' in start and _HEAD.search(start[:16384]) is not None


def _hint(path: Path) -> Mapping[str, str]:
    return {"session": path.parent.name if path.name == "events.jsonl" else path.stem}


FORMAT = LineFormat("copilot", _recognise, read, ".jsonl", json=True, hint=_hint)
