"""OpenTelemetry traces of generative models: OTLP JSON with spans, span events or log records. Spans without text are noise.

Three styles of content exist, newest first: JSON in `gen_ai.input.messages` and its siblings (also as one event), events
such as `gen_ai.user.message`, and flattened `gen_ai.prompt.N.*`; OpenInference has flattened ones of its own. Where a span
has more than one, the newest counts. Spans of one conversation are read together, wherever they stand in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wikimem.core import times
from wikimem.edges.importers import calls, chats, jsonl, otel_messages
from wikimem.edges.importers.calls import Call
from wikimem.edges.importers.documents import Torn
from wikimem.edges.importers.format import Container, Conversation, Head

_SIGN = re.compile(rb'"(?:resourceSpans|resourceLogs|scopeSpans)"\s*:\s*\[')
_BATCHES = ("resourceSpans", "resourceLogs", "scopeSpans")
_SESSIONS = ("gen_ai.conversation.id", "session.id", "langfuse.session.id", "thread.id", "gen_ai.thread.id")


@dataclass(slots=True)
class _Span:
    id: str
    trace: str
    parent: str
    name: str
    start: int
    end: int
    told: dict[str, Any]
    events: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    failed: bool = False


def conversations(path: Path) -> Iterator[Conversation | str]:
    """The conversations of a trace file; see `Container.conversations`."""
    yield from chats.handed(_made(path))


def _made(path: Path) -> Iterator[Conversation | str]:
    spans: dict[str, _Span] = {}
    parts = chats.parts(path, lambda member: member.endswith((".json", ".jsonl")), _is_batch)
    for number, (_, value) in enumerate(parts, 1):
        if isinstance(value, Torn):
            pieces = [piece for piece in value.pieces if "spanId" in piece and "traceId" in piece]
            yield chats.told("", number, chats.reason(value, 0))
            for piece in pieces:
                _take(spans, piece)
        elif not _is_batch(value):
            yield chats.told("", number, "no batch of spans or log records")
        else:
            for record in _records(value):
                _take(spans, record)
    for session, group in _sessions(spans).items():
        group.sort(key=lambda span: (span.start, span.end))
        yield calls.conversation(session, (_call(span) for span in group))


def _is_batch(value: object) -> bool:
    return isinstance(value, dict) and any(
        isinstance(value.get(key), list) for key in ("resourceSpans", "resourceLogs", "scopeSpans")
    )


def _records(batch: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for resource in _dicts(batch.get("resourceSpans")) if "resourceSpans" in batch else (batch,):
        for scope in (*_dicts(resource.get("scopeSpans")), *_dicts(resource.get("instrumentationLibrarySpans"))):
            yield from _dicts(scope.get("spans"))
    for resource in _dicts(batch.get("resourceLogs")):
        for scope in _dicts(resource.get("scopeLogs")):
            yield from _dicts(scope.get("logRecords"))


def _take(spans: dict[str, _Span], record: Mapping[str, Any]) -> None:
    trace, id = jsonl.text(record.get("traceId")), jsonl.text(record.get("spanId"))
    told = otel_messages.attributes(record.get("attributes"))
    if "startTimeUnixNano" not in record and ("body" in record or "eventName" in record or "event.name" in told):
        name = jsonl.text(record.get("eventName")) or jsonl.text(told.get("event.name"))
        body = otel_messages.value(record.get("body"))
        moment = _nano(record.get("timeUnixNano") or record.get("observedTimeUnixNano"))
        span = spans.setdefault(id or f"{trace}-{len(spans)}", _Span(id, trace, "", "log", moment, moment, {}))
        span.events.append((name, {**told, **(body if isinstance(body, dict) else {"content": body} if body else {})}))
        span.told |= {key: told[key] for key in _SESSIONS if key in told}
        return
    events = [
        (jsonl.text(event.get("name")), otel_messages.attributes(event.get("attributes")))
        for event in _dicts(record.get("events"))
    ]
    status = record.get("status")
    code = status.get("code") if isinstance(status, dict) else None
    span = _Span(
        id or f"{trace}-{len(spans)}",
        trace,
        jsonl.text(record.get("parentSpanId")),
        jsonl.text(record.get("name")),
        _nano(record.get("startTimeUnixNano")),
        _nano(record.get("endTimeUnixNano")),
        told,
        events,
        code in (2, "2", "STATUS_CODE_ERROR"),
    )
    known = spans.get(span.id)
    if known is not None and known.name == "log":
        span.events += known.events
        span.told = {**known.told, **span.told}
    spans[span.id] = span


def _sessions(spans: Mapping[str, _Span]) -> dict[str, list[_Span]]:
    """Spans by conversation: the one they name, else the one of the span above them, else of their trace."""
    traces: dict[str, set[str]] = {}
    for span in spans.values():
        if own := _own(span):
            traces.setdefault(span.trace, set()).add(own)
    found: dict[str, list[_Span]] = {}
    for span in spans.values():
        above: _Span | None = span
        session = ""
        for _ in range(64):
            if above is None or (session := _own(above)):
                break
            above = spans.get(above.parent)
        if not session:
            named = traces.get(span.trace, set())
            session = next(iter(named)) if len(named) == 1 else span.trace or span.id
        found.setdefault(session, []).append(span)
    return found


def _own(span: _Span) -> str:
    return next((told for key in _SESSIONS if (told := jsonl.text(span.told.get(key)))), "")


def _call(span: _Span) -> Call:
    operation = jsonl.text(span.told.get("gen_ai.operation.name")) or jsonl.text(span.told.get("openinference.span.kind"))
    kind = f"span {operation.lower() or 'of another kind'}"
    tool = operation.lower() in ("execute_tool", "tool") or "gen_ai.tool.call.result" in span.told
    if tool:
        sent, got = list[otel_messages.Message](), otel_messages.tool(span.told, span.failed)
    else:
        sent, got = otel_messages.messages(span.told, span.events)
    model = jsonl.text(span.told.get("gen_ai.response.model")) or jsonl.text(span.told.get("gen_ai.request.model"))
    model = model or jsonl.text(span.told.get("llm.model_name"))
    return Call(span.id, kind, _moment(span.start), _moment(span.end), sent, got, model)


def _nano(value: object) -> int:
    try:
        return int(value) if isinstance(value, int | str) else 0
    except ValueError:
        return 0


def _moment(nano: int) -> str:
    return times.utc(nano / 1e9) if 0 < nano < 1 << 63 else ""


def _dicts(value: object) -> Iterable[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _recognise(head: Head) -> bool:
    start = head.data.removeprefix(jsonl.BOM).lstrip()
    return start.startswith((b"{", b"[")) and _SIGN.search(start) is not None


FORMAT = Container("otel", _recognise, conversations)
