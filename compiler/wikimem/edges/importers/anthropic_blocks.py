"""Content blocks as Anthropic's interface takes them (`tool_use`, `tool_result`, `thinking`), read into turns in order.

A message of role `user` is a person's only where its blocks are text; a tool's result comes in a user's message too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from wikimem.core.turns import Form, Speaker
from wikimem.edges.importers import jsonl

_MARKS = frozenset(
    ("tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "web_search_tool_result", "mcp_tool_use")
)
Told = tuple[Speaker, Form, str, dict[str, Any]]


def has(content: object) -> bool:
    """Whether a message's content is a list with blocks that only this interface has."""
    return isinstance(content, list) and any(
        isinstance(each, dict) and jsonl.text(each.get("type")) in _MARKS for each in content
    )


def told(
    message: Mapping[str, Any],
    typed: Callable[[str], list[tuple[Speaker, Form, str, str]]],
    encoded: Callable[[object], str],
) -> Iterator[Told]:
    """What the blocks of such a message say.

    Args:
        message: for whose content `has` is true.
        typed: takes a user's text apart into what a person typed and what was put around it.
        encoded: a JSON value as text.
    """
    mine = message.get("role") == "assistant"
    model = jsonl.text(message.get("model"))
    for block in message["content"]:
        if isinstance(block, str):
            block = {"type": "text", "text": block}
        if not isinstance(block, dict):
            continue
        text = jsonl.text(block.get("text")).strip()
        match block.get("type"):
            case "text" if text and mine:
                yield Speaker.ASSISTANT, Form.PROSE, text, {"name": model}
            case "text" if text:
                yield from ((who, form, words, {"mark": mark}) for who, form, words, mark in typed(text))
            case "thinking" if thought := jsonl.text(block.get("thinking")).strip():
                yield Speaker.ASSISTANT, Form.THINKING, thought, {"name": model}
            case "tool_use" | "server_tool_use" | "mcp_tool_use":
                names = {"name": jsonl.text(block.get("name")) or "?", "call": jsonl.text(block.get("id"))}
                yield Speaker.ASSISTANT, Form.CALL, encoded(block.get("input")) or "{}", names
            case "tool_result" | "web_search_tool_result" | "mcp_tool_result":
                rest = {"call": jsonl.text(block.get("tool_use_id")), "error": block.get("is_error") is True}
                yield Speaker.TOOL, Form.RESULT, _result(block.get("content")) or "(no output)", rest
            case "image" | "document":
                yield (Speaker.ASSISTANT if mine else Speaker.HUMAN), Form.PROSE, f"[{block['type']}]", {}


def _result(content: object) -> str:
    if isinstance(content, str):
        return jsonl.text(content).strip()
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    texts = [
        jsonl.text(part.get("text") or part.get("title")) or f"[{jsonl.text(part.get('type')) or 'block'}]" for part in parts
    ]
    return "\n".join(texts).strip()
