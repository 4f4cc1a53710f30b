"""Runs of LangSmith, exported as JSON lines or a list: a trace is a tree of runs; what its model calls tell is the dialogue.

A trace without a model call that has messages is told by what went into its root and came out of it. The `session_id`
at the top of a run is a project of LangSmith and no conversation; the one in its metadata is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from wikimem.core import times
from wikimem.edges.importers import calls, chats, jsonl, openai_blocks
from wikimem.edges.importers.calls import Call
from wikimem.edges.importers.documents import Torn
from wikimem.edges.importers.format import Container, Conversation, Head

_SIGN = re.compile(rb'"run_type"\s*:\s*"')
_TREE = re.compile(rb'"(?:dotted_order|trace_id|parent_run_id)"\s*:')
_SESSIONS = ("session_id", "thread_id", "conversation_id")
_ASKED = ("input", "question", "query", "text", "prompt", "human_input")
_ANSWERED = ("output", "answer", "text", "result", "response", "content")
_ROLES = {"human": "user", "ai": "assistant", "chat": "user", "aimessagechunk": "assistant"}


def conversations(path: Path) -> Iterator[Conversation | str]:
    """The conversations of an export; see `Container.conversations`."""
    yield from chats.handed(_made(path))


def _made(path: Path) -> Iterator[Conversation | str]:
    groups: dict[str, list[dict[str, Any]]] = {}
    sessions: dict[str, str] = {}
    parts = chats.parts(path, lambda member: member.endswith((".json", ".jsonl")), _is_run)
    for number, (_, value) in enumerate(parts, 1):
        if isinstance(value, Torn):
            yield chats.told("", number, chats.reason(value, 0))
            continue
        runs = [value] if _is_run(value) else value.get("runs") if isinstance(value, dict) else None
        if not isinstance(runs, list):
            yield chats.told("", number, "no run")
            continue
        for run in runs:
            if _is_run(run):
                trace = jsonl.text(run.get("trace_id")) or jsonl.text(run.get("id"))
                groups.setdefault(trace, []).append(run)
                if own := _session(run):
                    sessions.setdefault(trace, own)
    threads: dict[str, list[dict[str, Any]]] = {}
    for trace, runs in groups.items():
        threads.setdefault(sessions.get(trace, trace), []).extend(runs)
    for session, runs in threads.items():
        runs.sort(key=_order)
        yield calls.conversation(session, _calls(runs))


def _is_run(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("run_type"), str)


def _session(run: Mapping[str, Any]) -> str:
    metadata = _dict(_dict(run.get("extra")).get("metadata"))
    return next((told for key in _SESSIONS if (told := jsonl.text(metadata.get(key)))), "")


def _order(run: Mapping[str, Any]) -> tuple[str, str]:
    return times.utc(run.get("start_time")), jsonl.text(run.get("dotted_order"))


def _calls(runs: list[dict[str, Any]]) -> Iterator[Call]:
    told = {id(run): _of_model(run) for run in runs if run.get("run_type") == "llm"}
    spoken = {jsonl.text(run.get("trace_id")) for run in runs if any(told.get(id(run), ()))}
    for run in runs:
        kind = jsonl.text(run.get("run_type"))
        sent: list[dict[str, Any]] = []
        got: list[dict[str, Any]] = []
        if id(run) in told:
            sent, got = told[id(run)]
        elif kind == "tool":
            got = _of_tool(run)
        elif not run.get("parent_run_id") and jsonl.text(run.get("trace_id")) not in spoken:
            sent, got = _of_root(run)
        title = jsonl.text(run.get("name")) if not run.get("parent_run_id") else ""
        started, ended = times.utc(run.get("start_time")), times.utc(run.get("end_time"))
        yield Call(jsonl.text(run.get("id")), f"run {kind}", started, ended, sent, got, _model(run), title)


def _model(run: Mapping[str, Any]) -> str:
    extra = _dict(run.get("extra"))
    for told in (_dict(extra.get("metadata")).get("ls_model_name"), _dict(extra.get("invocation_params")).get("model")):
        if name := jsonl.text(told):
            return name
    return ""


def _of_model(run: Mapping[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    inputs, outputs = _dict(run.get("inputs")), _dict(run.get("outputs"))
    sent = list(_messages(inputs.get("messages")))
    if not sent:
        told = inputs.get("prompts")
        prompts = told if isinstance(told, list) else []
        sent = [{"role": "user", "content": text} for text in prompts if isinstance(text, str)]
    got = list(_messages(outputs.get("messages") or outputs.get("message") or outputs.get("output")))
    if not got:
        got = list(_generated(outputs.get("generations")))
    if not got:
        choices = outputs.get("choices")
        got = [found for each in choices if (found := _message(_dict(each).get("message")))] if isinstance(choices, list) else []
    return sent, got


def _of_tool(run: Mapping[str, Any]) -> list[dict[str, Any]]:
    error = jsonl.text(run.get("error")).strip()
    outputs = run.get("outputs")
    told = _dict(outputs).get("output", outputs) if isinstance(outputs, dict) else outputs
    inner = _message(told)
    text = told if isinstance(told, str) else openai_blocks.words(inner) if inner else openai_blocks.encoded(told)
    if not error and not text:
        return []
    name, call = jsonl.text(run.get("name")), jsonl.text(_dict(inner).get("tool_call_id"))
    return [{"role": "tool", "content": error or text, "name": name, "tool_call_id": call, "is_error": bool(error)}]


def _of_root(run: Mapping[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    inputs, outputs = _dict(run.get("inputs")), _dict(run.get("outputs"))
    sent = list(_messages(inputs.get("messages") or inputs.get("input")))
    got = list(_messages(outputs.get("messages") or outputs.get("output")))
    if sent and got[: len(sent)] == sent:
        # A graph gives its whole state back, not only what is new in it.
        got = got[len(sent) :]
    sent = sent or [{"role": "user", "content": text} for key in _ASKED if isinstance(text := inputs.get(key), str)][:1]
    got = got or [{"role": "assistant", "content": text} for key in _ANSWERED if isinstance(text := outputs.get(key), str)][:1]
    if error := jsonl.text(run.get("error")).strip():
        got.append({"role": "system", "content": error})
    return sent, got


def _generated(told: object) -> Iterator[dict[str, Any]]:
    """The first of each list of generations; the others were never shown."""
    for each in told if isinstance(told, list) else ():
        first = each[0] if isinstance(each, list) and each else each
        if not isinstance(first, dict):
            continue
        if found := _message(first.get("message")):
            yield found
        elif text := jsonl.text(first.get("text")):
            yield {"role": "assistant", "content": text}


def _messages(told: object) -> Iterator[dict[str, Any]]:
    if isinstance(told, dict):
        told = [told]
    for each in told if isinstance(told, list) else ():
        if isinstance(each, list):
            yield from _messages(each)
        elif found := _message(each):
            yield found


def _message(told: object) -> dict[str, Any] | None:
    """A message in the form of `openai_blocks`: plain, or as LangChain writes its own."""
    if not isinstance(told, dict):
        return None
    if openai_blocks.is_message(told):
        return told
    kwargs = told.get("kwargs", told.get("data"))
    inner = kwargs if isinstance(kwargs, dict) else told
    kind = jsonl.text(told.get("type"))
    if kind == "constructor":
        path = told.get("id")
        kind = jsonl.text(path[-1]).removesuffix("Message") if isinstance(path, list) and path else ""
    role = _ROLES.get(kind.lower(), kind.lower())
    if role not in openai_blocks.ROLES or "content" not in inner:
        return None
    made = {key: inner[key] for key in ("content", "name", "tool_call_id", "id") if inner.get(key) is not None}
    listed = inner.get("tool_calls")
    if isinstance(listed, list) and listed:
        made["tool_calls"] = [
            {"id": each.get("id"), "function": {"name": each.get("name"), "arguments": each.get("args", each.get("arguments"))}}
            if "function" not in each
            else each
            for each in listed
            if isinstance(each, dict)
        ]
    return {"role": role, "content": "", **made}


def _dict(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _recognise(head: Head) -> bool:
    start = head.data.removeprefix(jsonl.BOM).lstrip()
    return start.startswith((b"{", b"[")) and _SIGN.search(start) is not None and _TREE.search(start) is not None


FORMAT = Container("langsmith", _recognise, conversations)
