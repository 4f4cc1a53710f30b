"""One message of Claude.ai's export, read into turns block by block. Not the conversation it stands in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wikimem.core.turns import Form, Speaker, Turn
from wikimem.edges.importers import chats, jsonl, openai_blocks
from wikimem.edges.importers.chats import Tally

_SPEAKERS = {"human": Speaker.HUMAN, "user": Speaker.HUMAN, "assistant": Speaker.ASSISTANT}
_NOISE = frozenset({"token_budget", "flag", "voice_note"})
# What the flat copy of a message says where a block cannot be shown.
_FILLERS = (
    "This block is not supported on your current device yet.",
    "Viewing artifacts created via the Analysis Tool web feature preview isn",
)
_Told = tuple[Speaker, Form, str, dict[str, Any]]


def is_message(value: Mapping[str, Any]) -> bool:
    """Whether an object is such a message."""
    return isinstance(value.get("sender"), str) and ("text" in value or "content" in value)


def turns(message: Mapping[str, Any], tally: Tally) -> list[Turn]:
    """The turns of a message; what gives none is counted."""
    sender = jsonl.text(message.get("sender"))
    speaker = _SPEAKERS.get(sender.lower())
    if speaker is None:
        tally.add(f"sender:{sender or '?'}", known=False)
        return []
    found = list(_blocks(message, speaker, tally))
    own = jsonl.text(message.get("uuid"))
    said = chats.told_at(message.get("created_at"))
    placed = []
    for number, (who, form, text, rest) in enumerate(found, 1):
        identity = own if number == 1 or not own else f"{own}-{number}"
        placed.append(Turn("", who, form, text, said=said, identity=identity, reply=own if len(found) > 1 else "", **rest))
    for number, doc in enumerate(_dicts(message.get("attachments")), 1):
        turn = document(doc, said, f"{own}-attachment-{number}" if own else "")
        if turn is not None:
            placed.append(turn)
    if not placed:
        tally.add("empty message")
    return placed


def document(doc: Mapping[str, Any], said: str, identity: str) -> Turn | None:
    """A document that was attached or kept with a project: its text, which nobody said; None without text."""
    text = jsonl.text(doc.get("extracted_content") or doc.get("content")).strip()
    if not text:
        return None
    name = jsonl.text(doc.get("file_name") or doc.get("filename"))
    return Turn(
        "", Speaker.TOOL, Form.RESULT, text, name=name, said=chats.told_at(doc.get("created_at")) or said, identity=identity
    )


def _blocks(message: Mapping[str, Any], speaker: Speaker, tally: Tally) -> Iterator[_Told]:
    blocks = list(_dicts(message.get("content")))
    texts = [block for block in blocks if block.get("type") == "text" and jsonl.text(block.get("text")).strip()]
    files = "".join(f"\n[file: {name}]" for name in _names(message))
    if not blocks or (not texts and not any(block.get("type") in ("tool_use", "tool_result", "thinking") for block in blocks)):
        # Exports before 2025 have the flat text alone.
        text = jsonl.text(message.get("text")).strip()
        if text and not text.startswith(_FILLERS):
            yield speaker, Form.PROSE, text + files, {}
            files = ""
    for block in blocks:
        for who, form, text, rest in _block(block, speaker, tally):
            # The files are named with the words they came with.
            yield who, form, text + files if form is Form.PROSE else text, rest
            files = "" if form is Form.PROSE else files
    if files and speaker is Speaker.HUMAN:
        yield speaker, Form.PROSE, files.strip(), {}


def _block(block: Mapping[str, Any], speaker: Speaker, tally: Tally) -> Iterator[_Told]:
    kind = jsonl.text(block.get("type"))
    match kind:
        case "text":
            if text := jsonl.text(block.get("text")).strip():
                yield speaker, Form.PROSE, text, {}
        case "thinking":
            if text := jsonl.text(block.get("thinking")).strip():
                yield speaker, Form.THINKING, text, {}
        case "tool_use":
            names = {"name": jsonl.text(block.get("name")) or "?", "call": jsonl.text(block.get("id"))}
            yield Speaker.ASSISTANT, Form.CALL, openai_blocks.encoded(block.get("input")) or "{}", names
        case "tool_result":
            call = jsonl.text(block.get("tool_use_id"))
            rest = {"name": jsonl.text(block.get("name")), "call": call, "error": block.get("is_error") is True}
            yield Speaker.TOOL, Form.RESULT, _result(block) or "(no output)", rest
        case _ if kind in _NOISE:
            pass
        case _:
            tally.unknown[f"block:{kind or '?'}"] += 1
            if text := jsonl.text(block.get("text")).strip():
                yield speaker, Form.PROSE, text, {}


def _result(block: Mapping[str, Any]) -> str:
    content = block.get("content")
    if isinstance(content, str):
        return jsonl.text(content).strip()
    found = [
        jsonl.text(part.get("text")) or jsonl.text(part.get("title")) or f"[{jsonl.text(part.get('type')) or 'block'}]"
        for part in _dicts(content)
    ]
    return "\n".join(text for text in found if text.strip()).strip()


def _names(message: Mapping[str, Any]) -> list[str]:
    listed = [*_dicts(message.get("attachments")), *_dicts(message.get("files"))]
    return [name for each in listed if (name := " ".join(jsonl.text(each.get("file_name")).split()))]


def _dicts(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        yield from (each for each in value if isinstance(each, dict))
