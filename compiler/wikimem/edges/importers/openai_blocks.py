"""One message as chat interfaces take it (`role`, `content`, `tool_calls`), read into turns.

Only what one message tells by itself; how messages stand in files is known in `openai_messages`. The pairs `from` and
`value` of ShareGPT are read as messages too, and so are messages with blocks of Anthropic's interface.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from wikimem.core import times
from wikimem.core.turns import Form, Speaker, Turn
from wikimem.edges.importers import anthropic_blocks, jsonl, wrappers

HARNESS, HUMAN, ASSISTANT, TOOL, CALLER = "harness", "human", "assistant", "tool", "caller"
ROLES = {
    "system": HARNESS,
    "developer": HARNESS,
    "user": HUMAN,
    "human": HUMAN,
    "assistant": ASSISTANT,
    "gpt": ASSISTANT,
    "model": ASSISTANT,
    "tool": TOOL,
    "function": TOOL,
    "observation": TOOL,
    "function_call": CALLER,
}
PREFIXES = {HUMAN: ("User: ", "Human: "), ASSISTANT: ("Assistant: ", "AI: ")}
# Keys of other formats whose records have a role too.
_FOREIGN = frozenset({"uuid", "parentUuid", "sessionId", "sessionID", "message", "parts", "payload", "wikimem"})
_TIMES = ("timestamp", "created_at", "create_time", "time", "ts")
_TEXTS = frozenset({"text", "input_text", "output_text", "refusal"})
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")
_NOTE = re.compile(r"\A\[System (?:note|message|reminder):.*?\](?=\s|\Z)", re.DOTALL | re.IGNORECASE)
# A prompt that an agent's own memory keeper sends in the user's name.
_KEEPER = re.compile(r"\AReview the conversation above and (?:update|consider)\b")
_FAILED = re.compile(r"\s*(?:Error\b|Traceback \(most recent call last\)|\{\s*\"error\"\s*:\s*[^\sn])")


def is_message(value: object) -> bool:
    """Whether a JSON value is such a message, and no record of another format that has a role too."""
    if not isinstance(value, dict) or _FOREIGN & value.keys():
        return False
    if isinstance(value.get("from"), str):
        return value["from"].lower() in ROLES and isinstance(value.get("value"), str)
    role = value.get("role")
    if not isinstance(role, str) or role.lower() not in ROLES or value.get("type", "message") != "message":
        return False
    return "content" in value or "tool_calls" in value or "function_call" in value


def role(message: Mapping[str, Any]) -> str:
    """Whose message it is: one of the five constants above, '' if nobody's."""
    told = message.get("role", message.get("from"))
    return ROLES.get(told.lower(), "") if isinstance(told, str) else ""


def said(message: Mapping[str, Any]) -> str:
    """When a message was said, as `Turn.said`."""
    return times.apart(told_at(message))[0]


def told_at(message: Mapping[str, Any]) -> str:
    """When a message was said, with the offset of the clock where one is given."""
    return next((told for key in _TIMES if (told := times.told(message.get(key)))), "")


def words(message: Mapping[str, Any]) -> str:
    """The text of a message; what is no text stands as `[image]` and so on, if there is nothing else."""
    content = message.get("content", message.get("value"))
    if isinstance(content, str):
        return jsonl.text(content).strip()
    if isinstance(content, dict):
        content = [content]
    if not isinstance(content, list):
        return ""
    texts, others = [], []
    for part in content:
        if not isinstance(part, dict):
            texts.append(jsonl.text(part))
            continue
        kind = jsonl.text(part.get("type", "text"))
        if kind in _TEXTS:
            texts.append(jsonl.text(part.get("text") or part.get("refusal")))
        else:
            others.append(f"[{kind.removeprefix('input_').removesuffix('_url') or 'block'}]")
    return "\n".join(text for text in texts if text.strip()).strip() or "\n".join(others)


def prefixed(messages: Iterable[Mapping[str, Any]]) -> bool:
    """Whether the words of all these messages, two at least, begin with their speaker: `User: `, `Assistant: `."""
    found = 0
    for message in messages:
        begins = PREFIXES.get(role(message))
        text = words(message) if begins else ""
        if not begins or not text:
            continue
        if not text.startswith(begins):
            return False
        found += 1
    return found > 1


class Place:
    """Where turns come from: a line, or none; it counts the blocks, so that each gets its own locator."""

    __slots__ = ("count", "line")

    def __init__(self, line: int) -> None:
        self.line = line
        self.count = 0

    def next(self) -> str:
        """The locator of the next block."""
        self.count += 1
        return f"L{self.line}" if self.count == 1 else f"L{self.line}-{self.count}"


def turns(place: Place, message: Mapping[str, Any], strip: bool) -> list[Turn]:
    """The turns of a message.

    Args:
        place: gives the locators.
        message: for which `is_message` is true.
        strip: whether its words begin with the name of the speaker, which is none of them.
    """
    whose = role(message)
    found: list[tuple[Speaker, Form, str, dict[str, Any]]] = []
    text = words(message)
    if strip and text.startswith(PREFIXES.get(whose, ())):
        text = text.split(":", 1)[1].strip()
    if anthropic_blocks.has(message.get("content")):
        return _placed(place, message, list(anthropic_blocks.told(message, _typed, encoded)))
    model = jsonl.text(message.get("model"))
    name = jsonl.text(message.get("name"))
    match whose:
        case "human":
            found += [(who, form, told, {"name": name, "mark": mark}) for who, form, told, mark in _typed(text)]
        case "assistant":
            thought = next((told for key in _THOUGHTS if (told := jsonl.text(message.get(key)).strip())), "")
            found += [(Speaker.ASSISTANT, Form.THINKING, thought, {"name": model})] if thought else []
            found += [(Speaker.ASSISTANT, Form.PROSE, text, {"name": name or model})] if text else []
            found += _calls(message)
        case "tool":
            tool = name or jsonl.text(message.get("tool_name"))
            call = jsonl.text(message.get("tool_call_id"))
            failed = message.get("is_error") is True or _FAILED.match(text) is not None
            rest = {"name": tool, "call": call, "error": failed}
            found.append((Speaker.TOOL, Form.RESULT, text or "(no output)", rest))
        case "caller":
            found += [(Speaker.ASSISTANT, Form.CALL, text, {"name": _named(text)})] if text else []
        case _:
            found += [(Speaker.HARNESS, Form.PROSE, text, {"name": name})] if text else []
    return _placed(place, message, found)


def _placed(place: Place, message: Mapping[str, Any], found: list[tuple[Speaker, Form, str, dict[str, Any]]]) -> list[Turn]:
    moment = told_at(message)
    own = jsonl.text(message.get("id"))
    reply = own if len(found) > 1 else ""
    placed = []
    for number, (speaker, form, text, rest) in enumerate(found, 1):
        identity = own if number == 1 or not own else f"{own}-{number}"
        placed.append(Turn(place.next(), speaker, form, text, said=moment, identity=identity, reply=reply, **rest))
    return placed


def _typed(text: str) -> list[tuple[Speaker, Form, str, str]]:
    if _KEEPER.match(text):
        return [(Speaker.HARNESS, Form.PROSE, text, "prompt")]
    found: list[tuple[Speaker, Form, str, str]] = []
    if note := _NOTE.match(text):
        found.append((Speaker.HARNESS, Form.PROSE, note[0], "note"))
        text = text[note.end() :]
    for piece in wrappers.pieces(text):
        form = Form.CALL if piece.mark == "shell" else Form.PROSE
        found.append((piece.speaker, form, piece.text, piece.mark))
    return found


def _calls(message: Mapping[str, Any]) -> list[tuple[Speaker, Form, str, dict[str, Any]]]:
    told = message.get("tool_calls")
    calls = list(told) if isinstance(told, list) else []
    if isinstance(message.get("function_call"), dict):
        calls.append({"function": message["function_call"]})
    found: list[tuple[Speaker, Form, str, dict[str, Any]]] = []
    for call in calls:
        if not isinstance(call, dict):
            continue
        function = call.get("function")
        inner = function if isinstance(function, dict) else call
        arguments = inner.get("arguments", inner.get("input"))
        text = jsonl.text(arguments) if isinstance(arguments, str) else encoded(arguments)
        names = {"name": jsonl.text(inner.get("name")) or "?", "call": jsonl.text(call.get("id"))}
        found.append((Speaker.ASSISTANT, Form.CALL, text.strip() or "{}", names))
    return found


def encoded(value: object) -> str:
    """A JSON value as text, '' for none; a sentence for one that nests too deep to be written."""
    if value is None:
        return ""
    try:
        return orjson.dumps(value).decode()
    except (TypeError, ValueError):
        pass
    try:
        return json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return "(nested too deep)"


def _named(text: str) -> str:
    try:
        value = orjson.loads(text)
    except ValueError:
        return "?"
    return (jsonl.text(value.get("name")) if isinstance(value, dict) else "") or "?"
