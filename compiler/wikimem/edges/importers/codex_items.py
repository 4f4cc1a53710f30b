"""The items of a Codex rollout that the model saw (`response_item`), read into turns.

Only what one item tells, and what must be remembered so that nothing counts twice; events stand in `codex_events`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import orjson

from wikimem.core.turns import Form, Noise, Speaker, Turn
from wikimem.edges.importers import codex_words, places
from wikimem.edges.importers.places import Place, Taken, Twins, encoded, listed, mapping, string
from wikimem.edges.importers.seen import Seen

_ITEM = "item"
_FAILED = re.compile(r"(?:Process exited with code|Exit code:|exit_code\W+)\s*[1-9-]|execution error:|exec_command failed")
_REJECTED = re.compile(r"\s*(?:exec command |patch |mcp tool call )?(?:rejected by|denied by) (?:the )?user", re.I)
_ASKS = frozenset({"request_user_input", "ask_user", "AskUserQuestion"})
_REPEATED = "told already by an event"


class Told:
    """What a rollout has told so far.

    Args:
        model: the name of the model that answers now.
        delegated: whether another agent wrote the prompts.
    """

    def __init__(self) -> None:
        self.model = ""
        self.delegated = False
        self.twins = Twins()
        self.ends = Twins(reach=4096)
        self.once = Seen()
        self.asked: dict[str, Mapping[str, Any]] = {}
        self.goal = ""

    def first(self, stream: str, what: str, call: str, text: str) -> bool:
        """Whether this call, or its result, was not told before; one without an id always is new."""
        if not call:
            return True
        return not self.ends.repeats(stream, what, call) and self.once.add(f"{what}:{call}:{places.short(text)}")


def read(place: Place, payload: Mapping[str, Any], told: Told) -> Taken:
    """Turns of an item, or why it has none."""
    kind = string(payload.get("type")) or ("message" if "role" in payload and "content" in payload else "")
    reader = _READERS.get(kind)
    if reader is None:
        known = kind in _QUIET
        return Noise(f"response_item:{kind or '?'}", known)
    own = string(payload.get("id"))
    if places.is_strong(own):
        place.own = own
    return reader(place, payload, told)


def _message(place: Place, payload: Mapping[str, Any], told: Told) -> Taken:
    role = string(payload.get("role"))
    if role == "user":
        return user(place, _parts(payload.get("content")), told, _ITEM)
    text = places.words(payload.get("content")).strip()
    if role == "assistant":
        return assistant(place, text, told, _ITEM)
    if text and role in {"developer", "system"}:
        return (place.turn(Speaker.HARNESS, Form.PROSE, text, mark="instructions"),)
    return Noise(f"message:{role or '?'}", known=role in {"developer", "system"})


def _parts(content: object) -> list[str]:
    if isinstance(content, list):
        return [places.words([part]) for part in content if isinstance(part, str) or "text" in mapping(part)]
    return [places.words(content)]


def user(place: Place, texts: list[str], told: Told, stream: str) -> Taken:
    """Turns of a message of role `user`, unless the other stream told a person's words in it already."""
    found = [piece for text in texts for piece in codex_words.pieces(text)]
    typed = "".join(piece.text for piece in found if piece.speaker is Speaker.HUMAN)
    if typed and told.twins.repeats(stream, "user", typed):
        found = [piece for piece in found if piece.speaker is not Speaker.HUMAN and stream == _ITEM]
        if not found:
            return Noise(_REPEATED if stream == _ITEM else "told already by an item")
    turns = place.pieces(found)
    if told.delegated:
        turns = [_prompt(turn) if turn.speaker is Speaker.HUMAN else turn for turn in turns]
    return tuple(turns) or Noise("message:blank")


def _prompt(turn: Turn) -> Turn:
    # What a sub-agent is asked was written by the agent that called it.
    return Turn(turn.at, Speaker.ASSISTANT, turn.form, turn.text, said=turn.said, identity=turn.identity, mark="prompt")


def assistant(place: Place, text: str, told: Told, stream: str, form: Form = Form.PROSE) -> Taken:
    """The turn of an answer or a thought, unless the other stream told it already."""
    if not text:
        return Noise("message:blank")
    if told.twins.repeats(stream, form.value, text):
        return Noise(_REPEATED if stream == _ITEM else "told already by an item")
    return (place.turn(Speaker.ASSISTANT, form, text, name=told.model),)


def _reasoning(place: Place, payload: Mapping[str, Any], told: Told) -> Taken:
    found: list[Turn] = []
    repeated = False
    for key in ("summary", "content"):
        for part in listed(payload.get(key)):
            text = places.words([part]).strip()
            gave = assistant(place, text, told, _ITEM, Form.THINKING) if text else ()
            if isinstance(gave, Noise):
                repeated = True
            else:
                found += gave
    return tuple(found) or Noise(_REPEATED if repeated else "reasoning:no text")


def _call(place: Place, payload: Mapping[str, Any], told: Told) -> Taken:
    call = string(payload.get("call_id")) or string(payload.get("id"))
    inner = mapping(payload.get("function"))
    name = string(payload.get("name")) or string(inner.get("name")) or _NAMES.get(string(payload.get("type")), "?")
    if string(payload.get("namespace")):
        name = f"{string(payload['namespace'])}.{name}"
    told_input = next((payload[key] for key in _INPUTS if payload.get(key)), None)
    if name.rsplit(".", 1)[-1] in _ASKS and call and len(told.asked) < 64:
        told.asked[call] = places.decoded(told_input)
    text = encoded(told_input)
    if not told.first(_ITEM, "call", call, name + text):
        return Noise(_REPEATED)
    return (place.call(name, text, call),)


def _result(place: Place, payload: Mapping[str, Any], told: Told) -> Taken:
    call = string(payload.get("call_id")) or string(payload.get("id"))
    output = next((payload[key] for key in ("output", "result", "tools") if payload.get(key) is not None), None)
    text, failed = outcome(output)
    failed = failed or payload.get("success") is False or payload.get("status") == "failed"
    return result(place, string(payload.get("name")), text, call, failed, told, _ITEM)


def result(place: Place, name: str, text: str, call: str, failed: bool, told: Told, stream: str) -> Taken:
    """The turn of a result, and those of what a person answered in the dialog it came from."""
    if not told.first(stream, "result", call, text):
        return Noise(_REPEATED)
    rejected = _REJECTED.match(text) is not None
    asked = told.asked.pop(call, None)
    turns = [place.result(name, text, call, failed or rejected, "rejected" if rejected else "")]
    if asked is not None:
        turns += places.answered(place, asked, text, call)
    return tuple(turns)


def outcome(output: object) -> tuple[str, bool]:
    """The text of a tool's output, and whether it failed."""
    failed = False
    if isinstance(output, str) and output.startswith("{"):
        try:
            inner = orjson.loads(output)
        except ValueError:
            inner = None
        if isinstance(inner, dict) and "output" in inner:
            code = mapping(inner.get("metadata")).get("exit_code")
            return encoded(inner["output"]), isinstance(code, int) and code != 0
    if isinstance(output, dict):
        code = output.get("exitCode", output.get("exit_code"))
        failed = (isinstance(code, int) and code != 0) or output.get("success") is False or output.get("isError") is True
        streams = [string(output.get(key)) for key in ("stdout", "stderr")]
        content = output.get("content", output.get("output"))
        text = "\n".join(part for part in streams if part) or places.words(content if content is not None else output)
        return text or ("" if any(key in output for key in ("stdout", "content", "text")) else encoded(output)), failed
    if isinstance(output, list):
        spoken = any("text" in mapping(part) or "image" in string(mapping(part).get("type")).lower() for part in output)
        return (places.words(output) if spoken else encoded(output)), False
    text = encoded(output)
    return text, _FAILED.search(text[:400]) is not None


def _agent(place: Place, payload: Mapping[str, Any], told: Told) -> Taken:
    text = places.words(payload.get("content")).strip()
    if not text:
        return Noise("agent_message:no text")
    return (place.turn(Speaker.ASSISTANT, Form.PROSE, text, name=string(payload.get("author")), mark="agent"),)


_INPUTS = ("arguments", "input", "action", "query", "revised_prompt")
_NAMES = {
    "web_search_call": "web_search",
    "local_shell_call": "local_shell",
    "tool_search_call": "tool_search",
    "image_generation_call": "image_generation",
}
_QUIET = frozenset({"ghost_snapshot", "compaction", "compaction_summary", "context_compaction", "other", "compaction_trigger"})
_READERS: dict[str, Callable[[Place, Mapping[str, Any], Told], Taken]] = {
    "message": _message,
    "reasoning": _reasoning,
    "function_call": _call,
    "custom_tool_call": _call,
    "local_shell_call": _call,
    "web_search_call": _call,
    "tool_search_call": _call,
    "image_generation_call": _call,
    "tool_call": _call,
    "function_call_output": _result,
    "custom_tool_call_output": _result,
    "tool_search_output": _result,
    "local_shell_call_output": _result,
    "mcp_tool_call_output": _result,
    "tool_result": _result,
    "function_result": _result,
    "agent_message": _agent,
}
KINDS = frozenset(_READERS) | _QUIET
"""The types of items; before 0.32 they stood bare, one a line."""
