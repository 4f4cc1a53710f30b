"""Traces in OTLP JSON: three styles of content and OpenInference tell the same dialogue."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mangling import altered, document, mangled
from wikimem.core.turns import Form, Speaker
from wikimem.edges import importers
from wikimem.edges.importers import otel
from wikimem.edges.importers.format import Conversation, Head

START = 1_786_700_000
EXPECTED = [
    (Speaker.HARNESS, Form.PROSE, "You sell bread."),
    (Speaker.HUMAN, Form.PROSE, "Is there rye?"),
    (Speaker.ASSISTANT, Form.CALL, '{"kind":"rye"}'),
    (Speaker.TOOL, Form.RESULT, "4 loaves"),
    (Speaker.ASSISTANT, Form.PROSE, "Four loaves."),
    (Speaker.HUMAN, Form.PROSE, "Keep two."),
    (Speaker.ASSISTANT, Form.PROSE, "Kept."),
]
CALL = {"id": "t1", "type": "function", "function": {"name": "stock", "arguments": '{"kind":"rye"}'}}


def held(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        return {"stringValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [held(each) for each in value]}}
    return {"kvlistValue": {"values": listed(value)}}


def listed(values: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": held(value)} for key, value in values.items()]


def span(number: int, values: dict[str, Any], events: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    start = (START + 10 * number) * 10**9
    told = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-q", "gen_ai.conversation.id": "c-7"} | values
    times = {"startTimeUnixNano": str(start), "endTimeUnixNano": str(start + 10**9)}
    identity = {"traceId": "a" * 32, "spanId": f"{number:016}", "parentSpanId": "b" * 16, "name": "chat"}
    return {**identity, **times, "attributes": listed(told), "events": events or [], **more}


def batch(*spans: dict[str, Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {"name": "x"}, "spans": list(spans)}]}]}


def tool(number: int) -> dict[str, Any]:
    values = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "stock", "gen_ai.tool.call.id": "t1"}
    made = span(number, {**values, "gen_ai.tool.call.result": "4 loaves"})
    made["attributes"] = [each for each in made["attributes"] if each["key"] != "gen_ai.conversation.id"]
    return made


def asked(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": text}]}


def newest() -> dict[str, Any]:
    called = {"role": "assistant", "parts": [{"type": "tool_call", "id": "t1", "name": "stock", "arguments": {"kind": "rye"}}]}
    result = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "t1", "response": "4 loaves"}]}
    system = json.dumps([{"type": "text", "content": "You sell bread."}])
    first = [asked("user", "Is there rye?")]
    second = [*first, called, result]
    third = [*second, asked("assistant", "Four loaves."), asked("user", "Keep two.")]
    rounds = ((first, called), (second, asked("assistant", "Four loaves.")), (third, asked("assistant", "Kept.")))
    spans = []
    for number, (sent, got) in enumerate(rounds):
        values = {"gen_ai.system_instructions": system, "gen_ai.input.messages": json.dumps(sent)}
        spans.append(span(2 * number, {**values, "gen_ai.output.messages": json.dumps([got])}))
    return batch(*reversed(spans), tool(1), span(9, {"gen_ai.operation.name": "invoke_agent"}))


def events() -> dict[str, Any]:
    def event(name: str, **told: Any) -> dict[str, Any]:
        return {"name": f"gen_ai.{name}", "timeUnixNano": "0", "attributes": listed(told)}

    choice = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    one = [event("system.message", content="You sell bread."), event("user.message", content="Is there rye?")]
    two = [*one, event("assistant.message", content=""), event("tool.message", content="4 loaves", id="t1")]
    three = [*two, event("assistant.message", content="Four loaves."), event("user.message", content="Keep two.")]
    return batch(
        span(0, {}, [*one, event("choice", index="0", message=json.dumps(choice))]),
        tool(1),
        span(2, {}, [*two, event("choice", message=json.dumps({"content": "Four loaves."}))]),
        span(4, {}, [*three, event("choice", message=json.dumps({"content": "Kept."}))]),
    )


def flattened(prompt: str, completion: str, inner: str = "") -> dict[str, Any]:
    def told(start: str, messages: list[dict[str, str]]) -> dict[str, Any]:
        return {f"{start}.{place}.{inner}{key}": text for place, each in enumerate(messages) for key, text in each.items()}

    calls = "tool_calls.0.tool_call.function." if inner else "tool_calls.0."
    one = [{"role": "system", "content": "You sell bread."}, {"role": "user", "content": "Is there rye?"}]
    two = [*one, {"role": "assistant", "content": ""}, {"role": "tool", "content": "4 loaves"}]
    three = [*two, {"role": "assistant", "content": "Four loaves."}, {"role": "user", "content": "Keep two."}]
    called = {"role": "assistant", f"{calls}name": "stock", f"{calls}arguments": '{"kind":"rye"}'}
    return batch(
        span(0, told(prompt, one) | told(completion, [called])),
        tool(1),
        span(2, told(prompt, two) | told(completion, [{"role": "assistant", "content": "Four loaves."}])),
        span(4, told(prompt, three[-4:]) | told(completion, [{"role": "assistant", "content": "Kept."}])),
    )


STYLES = {
    "newest": newest(),
    "events": events(),
    "flattened": flattened("gen_ai.prompt", "gen_ai.completion"),
    "openinference": flattened("llm.input_messages", "llm.output_messages", "message."),
}


def read(path: Path, data: bytes) -> list[Conversation | str]:
    path.write_bytes(data)
    return list(otel.conversations(path))


@pytest.mark.parametrize("style", STYLES)
def test_each_style_tells_the_same_dialogue_once(tmp_path: Path, style: str) -> None:
    (found,) = read(tmp_path / "trace.json", document(STYLES[style], 1))
    assert isinstance(found, Conversation)
    assert found.session == "c-7"
    assert [(turn.speaker, turn.form, turn.text) for turn in found.turns] == EXPECTED
    assert found.turns[1].said == "2026-08-14T09:33:20Z"
    assert found.turns[4].name == "gpt-q"


def test_spans_of_one_conversation_in_many_lines(tmp_path: Path) -> None:
    spans = newest()["resourceSpans"][0]["scopeSpans"][0]["spans"]
    lines = b"".join(document(batch(each)) + b"\n" for each in spans)
    (found,) = read(tmp_path / "trace.jsonl", lines)
    assert isinstance(found, Conversation)
    assert [(turn.speaker, turn.form, turn.text) for turn in found.turns] == EXPECTED
    assert found.noise == {"span invoke_agent without text": 1}


def test_log_records_are_the_events_of_their_span(tmp_path: Path) -> None:
    def record(name: str, body: Any) -> dict[str, Any]:
        moment = str(START * 10**9)
        return {"timeUnixNano": moment, "traceId": "a", "spanId": "b", "eventName": name, "body": held(body), "attributes": []}

    records = [
        record("gen_ai.user.message", {"content": "Is there rye?"}),
        record("gen_ai.choice", {"message": {"content": "Yes."}}),
    ]
    logs = {"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}
    (found,) = read(tmp_path / "logs.json", document(logs))
    assert isinstance(found, Conversation)
    assert [(turn.speaker, turn.text) for turn in found.turns] == [(Speaker.HUMAN, "Is there rye?"), (Speaker.ASSISTANT, "Yes.")]
    assert found.session == "a"


def test_messages_that_a_limit_cut_keep_those_that_are_whole(tmp_path: Path) -> None:
    sent = json.dumps([asked("user", "Is there rye?"), asked("assistant", "Yes."), asked("user", "Keep " + "very " * 50)])[:-40]
    (found,) = read(tmp_path / "trace.json", document(batch(span(0, {"gen_ai.input.messages": sent}))))
    assert isinstance(found, Conversation)
    assert [turn.text for turn in found.turns] == ["Is there rye?", "Yes."]


def test_spans_without_text_are_said_to_be_none(tmp_path: Path) -> None:
    assert read(tmp_path / "trace.json", document(batch(span(0, {})))) == [
        "not one turn; conversation without turns 1, span chat without text 1"
    ]


def test_it_is_recognised_by_content() -> None:
    for style in STYLES.values():
        format = importers.recognise(Head("trace.json", document(style, 1), True))
        assert format is not None and format.name == "otel"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data(), st.sampled_from(sorted(STYLES)))
def test_mangled_and_altered_traces_never_raise(tmp_path: Path, data: st.DataObject, style: str) -> None:
    raw = document(data.draw(altered(STYLES[style])))
    for piece in (raw, data.draw(mangled(raw))):
        assert all(isinstance(each, str) or each.turns for each in read(tmp_path / "trace.json", piece))
        importers.recognise(Head("trace.json", piece, True))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.permutations(newest()["resourceSpans"][0]["scopeSpans"][0]["spans"]))
def test_the_order_in_the_file_does_not_matter(tmp_path: Path, spans: list[dict[str, Any]]) -> None:
    (found,) = read(tmp_path / "trace.json", document(batch(*spans)))
    assert isinstance(found, Conversation)
    assert [(turn.speaker, turn.form, turn.text) for turn in found.turns] == EXPECTED
