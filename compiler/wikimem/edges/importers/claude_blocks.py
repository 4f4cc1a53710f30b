"""One record of a Claude Code session, read into turns: who speaks in each of its content blocks.

Only what one record tells by itself; what depends on its neighbours stands in `claude_code`.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Any

import orjson

from wikimem.core import times
from wikimem.core.turns import Form, Line, Noise, Speaker, Turn
from wikimem.edges.importers import jsonl, wrappers

_PEOPLE = frozenset({"", "human", "user", "cli", "voice"})
_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_MUTE = frozenset({"text", "tool_result", "image", "document", "thinking", "redacted_thinking", "fallback"})
_CONTEXTS = frozenset(
    [
        "agent_mention",
        "already_read_file",
        "budget_usd",
        "command_permissions",
        "compact_file_reference",
        "critical_system_reminder",
        "date_change",
        "diagnostics",
        "directory",
        "dynamic_skill",
        "edited_image_file",
        "edited_text_file",
        "file",
        "goal_status",
        "image",
        "invoked_skills",
        "mcp_resource",
        "memory",
        "nested_memory",
        "opened_file_in_ide",
        "output_style",
        "pdf_reference",
        "relevant_memories",
        "selected_lines_in_ide",
        "skill_listing",
        "structured_output",
        "task_progress",
        "task_status",
        "team_context",
        "teammate_mailbox",
        "todo",
        "token_usage",
        "ultra_memory",
    ]
)
_REJECTED = "The user doesn't want to proceed with this tool use."
_REASON = re.compile(r"the user said:\s*(?P<reason>.+?)(?:\n\nNote: The user's next message|\Z)", re.DOTALL)
_ANSWERED = "User has answered your questions:"
_PAIR = re.compile(r'"(?P<question>(?:[^"\\]|\\.)*)"="(?P<answer>(?:[^"\\]|\\.)*)"')
_APPROVED = re.compile(r"User has approved (?:your plan|exiting plan mode)[^.\n]*\.?")


class Block:
    """Where turns of one record come from: its line, its time, its identity, and how many it has given so far."""

    __slots__ = ("count", "line", "said", "uuid")

    def __init__(self, line: Line, said: str, uuid: str) -> None:
        self.line = line
        self.said = said
        self.uuid = uuid
        self.count = 0

    def turn(self, speaker: Speaker, form: Form, text: str, *, identity: str = "", **rest: Any) -> Turn:
        """The next turn of this record, at the next locator."""
        self.count += 1
        at = f"L{self.line.number}" if self.count == 1 else f"L{self.line.number}-{self.count}"
        own = self.uuid if self.count == 1 or not self.uuid else f"{self.uuid}-{self.count}"
        return Turn(at, speaker, form, text, said=self.said, identity=identity or own, **rest)


def user(line: Line, value: dict[str, Any], uuid: str) -> tuple[Turn, ...] | Noise:
    """Turns of a record of type `user`."""
    message = value.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    block = Block(line, times.told(value.get("timestamp")), uuid)
    if isinstance(content, str):
        return typed(block, value, jsonl.text(content)) or Noise("user:blank")
    if not isinstance(content, list):
        return Noise("user:no content")
    turns: list[Turn] = []
    kinds: set[str] = set()
    for part in content:
        if isinstance(part, str):
            turns += typed(block, value, jsonl.text(part))
            continue
        kind = _text(part.get("type")) or "?" if isinstance(part, dict) else "?"
        kinds.add(kind)
        if kind == "text":
            turns += typed(block, value, jsonl.text(part.get("text")))
        elif kind == "tool_result":
            turns += _result(block, value, part)
    if turns:
        return tuple(turns)
    return Noise("user:" + ("+".join(sorted(kinds)) or "empty"), known=kinds <= _MUTE)


def typed(block: Block, value: dict[str, Any], text: str) -> tuple[Turn, ...]:
    """Turns of a text of role `user`: a person's words and what was wrapped around them."""
    origin = value.get("origin")
    source = _text(origin.get("kind")) if isinstance(origin, dict) else ""
    if value.get("isCompactSummary") or value.get("isVisibleInTranscriptOnly"):
        forced, mark = Speaker.SUMMARY, ""
    elif value.get("isMeta") or source not in _PEOPLE:
        forced, mark = Speaker.HARNESS, "meta"
    elif value.get("isSidechain") or value.get("agentId"):
        # The prompt of a sub-agent was written by the agent that called it.
        forced, mark = Speaker.ASSISTANT, "prompt"
    elif isinstance(value.get("planContent"), str):
        forced, mark = Speaker.HARNESS, "plan"
    else:
        return pieces(block, text)
    bare = text.strip()
    return (block.turn(forced, Form.PROSE, bare, mark=mark),) if bare else ()


def pieces(block: Block, text: str, mark: str = "") -> tuple[Turn, ...]:
    """Turns of a text that a person may have typed; `mark` goes on the person's own words."""
    found = []
    for piece in wrappers.pieces(text):
        form = Form.CALL if piece.mark == "shell" else Form.PROSE
        own = piece.mark or (mark if piece.speaker is Speaker.HUMAN else "")
        found.append(block.turn(piece.speaker, form, piece.text, mark=own))
    return tuple(found)


def _result(block: Block, value: dict[str, Any], part: dict[str, Any]) -> tuple[Turn, ...]:
    """A tool's result, and what a person decided in a dialog that the tool opened."""
    text = _joined(part.get("content"))
    call = _text(part.get("tool_use_id"))
    error = part.get("is_error") is True
    identity = f"result:{call}" if call else ""
    twin = value.get("toolUseResult")
    if text.startswith(_REJECTED):
        turns = [block.turn(Speaker.TOOL, Form.RESULT, text, identity=identity, call=call, error=True, mark="rejected")]
        reason = _REASON.search(text)
        if reason:
            turns.append(block.turn(Speaker.HUMAN, Form.PROSE, reason["reason"].strip(), call=call, mark="rejection"))
        return tuple(turns)
    bare = text.strip()
    if not bare:
        # A silent success still tells that the call ended.
        return (block.turn(Speaker.TOOL, Form.RESULT, "(no output)", identity=identity, call=call, error=error),)
    turns = [block.turn(Speaker.TOOL, Form.RESULT, text, identity=identity, call=call, error=error)]
    for question, answer in _answers(twin, text):
        turns.append(block.turn(Speaker.HUMAN, Form.PROSE, answer, call=call, mark="answer", about=question))
    approved = _APPROVED.match(text)
    if approved and not error:
        plan = _text(twin.get("plan")) if isinstance(twin, dict) else ""
        turns.append(block.turn(Speaker.HUMAN, Form.PROSE, approved[0], call=call, mark="approval", about=plan))
    return tuple(turns)


def _answers(twin: object, text: str) -> list[tuple[str, str]]:
    answers = twin.get("answers") if isinstance(twin, dict) else None
    if isinstance(answers, dict) and text.startswith("User has answered"):
        return [(jsonl.text(q), jsonl.text(a).strip()) for q, a in answers.items() if jsonl.text(a).strip()]
    if text.startswith(_ANSWERED):
        return [(pair["question"], pair["answer"]) for pair in _PAIR.finditer(text) if pair["answer"].strip()]
    return []


def assistant(line: Line, value: dict[str, Any], uuid: str) -> tuple[Turn, ...] | Noise:
    """Turns of a record of type `assistant`."""
    message = value.get("message")
    if not isinstance(message, dict):
        return Noise("assistant:no message")
    content = message.get("content")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    if not isinstance(content, list):
        return Noise("assistant:no content")
    model = _text(message.get("model"))
    reply = _text(message.get("id"))
    machine = model == "<synthetic>" or value.get("isApiErrorMessage") is True
    block = Block(line, times.told(value.get("timestamp")), uuid)
    turns: list[Turn] = []
    kinds: set[str] = set()
    for part in content:
        if not isinstance(part, dict):
            kinds.add("?")
            continue
        kind = _text(part.get("type")) or "?"
        kinds.add(kind)
        if kind == "text":
            text = jsonl.text(part.get("text")).strip()
            if text:
                speaker = Speaker.HARNESS if machine else Speaker.ASSISTANT
                own = f"{reply}:{short(text)}" if reply else ""
                mark = "synthetic" if machine else ""
                turns.append(block.turn(speaker, Form.PROSE, text, name=model, identity=own, reply=reply, mark=mark))
        elif kind == "thinking":
            text = jsonl.text(part.get("thinking")).strip()
            if text:
                own = f"{reply}:{short(text)}" if reply else ""
                turns.append(block.turn(Speaker.ASSISTANT, Form.THINKING, text, name=model, identity=own, reply=reply))
        elif kind in _CALLS:
            call = _text(part.get("id"))
            turns.append(
                block.turn(
                    Speaker.ASSISTANT,
                    Form.CALL,
                    _input(part.get("input")),
                    name=_text(part.get("name")) or "?",
                    identity=f"call:{call}" if call else "",
                    reply=reply,
                    call=call,
                )
            )
        elif kind.endswith("tool_result"):
            turns.append(
                block.turn(
                    Speaker.TOOL,
                    Form.RESULT,
                    _joined(part.get("content")) or "(no output)",
                    reply=reply,
                    call=_text(part.get("tool_use_id")),
                )
            )
    if turns:
        return tuple(turns)
    return Noise("assistant:" + ("+".join(sorted(kinds)) or "empty"), known=kinds <= _MUTE)


def unknown(value: dict[str, Any]) -> tuple[str, ...]:
    """Names of the blocks of a record that are of no known type, where others of its blocks say something."""
    message = value.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, list) or len(content) < 2:
        return ()
    kinds = {_text(part.get("type")) for part in content if isinstance(part, dict)}
    strange = {kind for kind in kinds if kind not in _MUTE and kind not in _CALLS and not kind.endswith("tool_result")}
    return tuple(sorted(f"block:{kind or '?'}" for kind in strange)) if strange < kinds else ()


def system(line: Line, value: dict[str, Any], uuid: str) -> tuple[Turn, ...] | Noise:
    """A command that a person ran at the prompt gives turns; every other record of type `system` is noise."""
    kind = _text(value.get("subtype")) or "?"
    if kind != "local_command":
        return Noise(f"system:{kind}")
    block = Block(line, times.told(value.get("timestamp")), uuid)
    return pieces(block, jsonl.text(value.get("content"))) or Noise("system:local_command")


def attachment(line: Line, value: dict[str, Any], uuid: str) -> tuple[Turn, ...] | Noise:
    """A prompt that was queued and delivered in mid-turn gives turns; other attachments are context, hence noise."""
    inner = value.get("attachment")
    kind = _text(inner.get("type")) if isinstance(inner, dict) else "?"
    if kind != "queued_command" or not isinstance(inner, dict):
        known = (
            kind in _CONTEXTS or kind.startswith(("hook_", "plan_", "auto_", "async_")) or kind.endswith(("_delta", "_reminder"))
        )
        return Noise(f"attachment:{kind or '?'}", known)
    prompt = inner.get("prompt")
    text = jsonl.text(prompt) if isinstance(prompt, str) else _joined(prompt)
    block = Block(line, times.told(value.get("timestamp")), uuid)
    merged = {**value, "origin": inner.get("origin"), "isMeta": inner.get("isMeta")}
    if _text(inner.get("commandMode")) == "task-notification":
        merged["isMeta"] = True
    found = tuple(
        turn if turn.speaker is not Speaker.HUMAN or turn.mark else _queued(turn) for turn in typed(block, merged, text)
    )
    return found or Noise("attachment:queued_command")


def _queued(turn: Turn) -> Turn:
    return Turn(
        turn.at, turn.speaker, turn.form, turn.text, said=turn.said, identity=turn.identity, mark="queued", offset=turn.offset
    )


def _input(value: object) -> str:
    if isinstance(value, str):
        return jsonl.text(value) or "{}"
    try:
        return orjson.dumps(value).decode()
    except (TypeError, ValueError):
        return jsonl.text(repr(value))


def _joined(content: object) -> str:
    if isinstance(content, str):
        return jsonl.text(content)
    if not isinstance(content, list):
        return ""
    parts = []
    for part in content:
        if isinstance(part, str):
            parts.append(jsonl.text(part))
        elif isinstance(part, dict):
            kind = part.get("type")
            parts.append(jsonl.text(part.get("text")) if kind == "text" else f"[{_text(kind) or 'block'}]")
    return "\n".join(part for part in parts if part)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def short(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()
