"""The messages of one span, in whichever of the styles it tells them, brought to the form of chat messages."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from wikimem.edges.importers import documents, jsonl, openai_blocks
from wikimem.edges.importers.documents import Torn

_FLAT = re.compile(
    r"\A(?:gen_ai|llm)\.(?P<which>prompt|completion|input_messages|output_messages)s?\.(?P<place>\d+)\.(?P<rest>.+)\Z"
)
_EVENT = re.compile(r"\Agen_ai\.(?P<role>system|user|assistant|tool|choice)(?:\.message)?\Z")
_DETAILS = "gen_ai.client.inference.operation.details"
Message = dict[str, Any]


def value(told: object, depth: int = 0) -> Any:
    """What an attribute of OTLP holds, as a plain JSON value."""
    if not isinstance(told, dict) or depth > 32:
        return None
    for kind, inner in told.items():
        match kind:
            case "arrayValue":
                values = inner.get("values") if isinstance(inner, dict) else None
                return [value(each, depth + 1) for each in values] if isinstance(values, list) else []
            case "kvlistValue":
                return attributes(inner.get("values") if isinstance(inner, dict) else None, depth + 1)
            case "stringValue" | "boolValue" | "intValue" | "doubleValue" | "bytesValue":
                return inner
    return None


def attributes(listed: object, depth: int = 0) -> dict[str, Any]:
    """A list of `key`, `value` as a mapping."""
    if not isinstance(listed, list):
        return {}
    return {jsonl.text(each.get("key")): value(each.get("value"), depth) for each in listed if isinstance(each, dict)}


def messages(told: Mapping[str, Any], events: Sequence[tuple[str, Mapping[str, Any]]]) -> tuple[list[Message], list[Message]]:
    """What a span was sent and what it answered.

    Args:
        told: its attributes.
        events: its events and the log records that belong to it: names with attributes.
    """
    for source in (told, *(inner for name, inner in events if name == _DETAILS)):
        sent = [*_system(source.get("gen_ai.system_instructions")), *_listed(source.get("gen_ai.input.messages"))]
        got = list(_listed(source.get("gen_ai.output.messages")))
        if sent or got:
            return sent, got
    sent, got = [], []
    for name, inner in events:
        if found := _EVENT.match(name):
            (got if found["role"] == "choice" else sent).append(_of_event(found["role"], inner))
    if sent or got:
        return sent, got
    return _flat(told)


def tool(told: Mapping[str, Any], failed: bool) -> list[Message]:
    """The result that a tool's span tells, as a message; the call itself stands in what the model answered."""
    result = told.get("gen_ai.tool.call.result", told.get("output.value", told.get("traceloop.entity.output")))
    if result is None:
        return []
    text = result if isinstance(result, str) else openai_blocks.encoded(result)
    name = jsonl.text(told.get("gen_ai.tool.name")) or jsonl.text(told.get("tool.name"))
    call = jsonl.text(told.get("gen_ai.tool.call.id"))
    return [{"role": "tool", "content": text, "name": name, "tool_call_id": call, "is_error": failed}]


def _parsed(told: object) -> list[Any]:
    """The values of a list that is told as JSON text; of a text that was cut, those that are whole."""
    if isinstance(told, list):
        return told
    if not isinstance(told, str):
        return []
    found: list[Any] = []
    raw = io.BytesIO(told.encode("utf-8", "replace"))
    for each in documents.values(raw, lambda inner: isinstance(inner, dict) and "role" in inner):
        found += [piece for piece in each.pieces if "type" in piece] if isinstance(each, Torn) else [each]
    return found


def _system(told: object) -> Iterator[Message]:
    texts = []
    for part in _parsed(told):
        text = part if isinstance(part, str) else _words(part) if isinstance(part, dict) else ""
        texts.append(text)
    if joined := "\n".join(text for text in texts if text):
        yield {"role": "system", "content": joined}


def _listed(told: object) -> Iterator[Message]:
    loose: list[Any] = []
    for each in _parsed(told):
        if isinstance(each, dict) and isinstance(each.get("role"), str):
            yield from _parts(each)
        elif isinstance(each, dict):
            loose.append(each)
    if loose:
        # Parts of a message that was cut: whose they are is not known, so they are nobody's.
        yield from _parts({"role": "system", "parts": loose})


def _parts(message: Mapping[str, Any]) -> Iterator[Message]:
    """A message with parts, as one message or, where it holds results of tools, as several."""
    parts = message.get("parts")
    if not isinstance(parts, list):
        yield dict(message)
        return
    made: Message = {"role": message["role"], "content": None}
    texts: list[str] = []
    for part in parts:
        if not isinstance(part, dict):
            continue
        match part.get("type"):
            case "tool_call":
                function = {"name": part.get("name"), "arguments": part.get("arguments")}
                made.setdefault("tool_calls", []).append({"id": part.get("id"), "function": function})
            case "tool_call_response":
                result = next((part[key] for key in ("response", "result", "content") if part.get(key) is not None), "")
                text = result if isinstance(result, str) else openai_blocks.encoded(result)
                yield {"role": "tool", "content": text, "tool_call_id": part.get("id"), "name": part.get("name")}
            case "reasoning" | "thinking":
                made["reasoning_content"] = _words(part)
            case _:
                texts.append(_words(part) or f"[{jsonl.text(part.get('type')) or 'block'}]")
    if texts:
        made["content"] = "\n".join(texts)
    if len(made) > 2 or texts:
        yield made


def _words(part: Mapping[str, Any]) -> str:
    return jsonl.text(part.get("content")) or jsonl.text(part.get("text"))


def _of_event(role: str, told: Mapping[str, Any]) -> Message:
    inner = told.get("message")
    if isinstance(inner, str):
        try:
            inner = orjson.loads(inner)
        except ValueError:
            inner = {"content": inner}
    made = {**told, **inner} if isinstance(inner, dict) else dict(told)
    content = made.get("content", made.get("gen_ai.event.content"))
    if isinstance(content, list | dict) and role != "tool":
        made["content"] = content
    elif content is not None and not isinstance(content, str):
        made["content"] = openai_blocks.encoded(content)
    else:
        made["content"] = content
    made["role"] = "assistant" if role == "choice" else role
    if isinstance(calls := made.get("tool_calls"), str):
        made["tool_calls"] = _parsed(calls)
    if role == "tool":
        made["tool_call_id"] = made.get("tool_call_id", made.get("id"))
    made.pop("id", None)
    return made


def _flat(told: Mapping[str, Any]) -> tuple[list[Message], list[Message]]:
    """Messages whose every field is an attribute of its own, as OpenLLMetry and OpenInference write them."""
    found: dict[bool, dict[int, Message]] = {True: {}, False: {}}
    for key, inner in told.items():
        if match := _FLAT.match(key):
            sent = match["which"] in ("prompt", "input_messages")
            place = found[sent].setdefault(int(match["place"][:9]), {"role": "user" if sent else "assistant", "content": None})
            _field(place, match["rest"].removeprefix("message."), inner)
    ordered = {sent: [_called(by[place]) for place in sorted(by)] for sent, by in found.items()}
    return ordered[True], ordered[False]


def _field(message: Message, name: str, inner: Any) -> None:
    if called := re.match(r"tool_calls\.(\d+)\.(?:tool_call\.)?(?:function\.)?(name|arguments|id)\Z", name):
        message.setdefault("calls", {}).setdefault(int(called[1][:9]), {})[called[2]] = inner
    elif listed := re.match(r"contents\.(\d+)\.message_content\.text\Z", name):
        message.setdefault("contents", {})[int(listed[1][:9])] = jsonl.text(inner)
    elif name == "content" and isinstance(inner, str) and inner.startswith('[{"type"'):
        message["content"] = _parsed(inner)
    elif name in ("role", "content", "tool_call_id", "name"):
        message[name] = inner if isinstance(inner, str) else openai_blocks.encoded(inner)


def _called(message: Message) -> Message:
    contents = message.pop("contents", None)
    if contents and not message["content"]:
        message["content"] = "\n".join(contents[place] for place in sorted(contents))
    calls = message.pop("calls", None)
    if calls:
        message["tool_calls"] = [
            {"id": calls[place].get("id"), "function": {key: calls[place].get(key) for key in ("name", "arguments")}}
            for place in sorted(calls)
        ]
    return message
