"""One message of ChatGPT's export, read into turns, by author, recipient and kind of content. Not the tree it stands in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wikimem.core.turns import Form, Speaker, Turn
from wikimem.edges.importers import chats, jsonl
from wikimem.edges.importers.chats import Tally

PROFILE = "profile"
"""The mark of a turn that holds what a person wrote about themselves in their settings."""

_ROLES = {"user": Speaker.HUMAN, "assistant": Speaker.ASSISTANT, "tool": Speaker.TOOL, "system": Speaker.HARNESS}
_TEXTS = frozenset({"text", "multimodal_text"})
_RESULTS = frozenset({"execution_output", "tether_browsing_display", "tether_quote", "computer_output", "sonic_webpage"})
_IMAGES = frozenset({"image_asset_pointer", "image_url", "image"})


def turns(message: object, key: str, model: str, tally: Tally) -> list[Turn]:
    """The turns of a message; what gives none is counted.

    Args:
        message: the value of a node's `message`.
        key: the node's id, for a message without one.
        model: the conversation's own, for replies that name none.
        tally: of what gave no turn.
    """
    if message is None:
        tally.add("node without a message")
        return []
    if not isinstance(message, dict):
        tally.add("message that is none", known=False)
        return []
    author = _dict(message.get("author"))
    role = jsonl.text(author.get("role"))
    speaker = _ROLES.get(role)
    if speaker is None:
        tally.add(f"role:{role or '?'}", known=False)
        return []
    found = list(_told(message, speaker, jsonl.text(author.get("name")), model, tally))
    own = jsonl.text(message.get("id")) or key
    said = chats.moment(message.get("create_time"))
    placed = []
    for number, (who, form, text, rest) in enumerate(found, 1):
        identity = own if number == 1 else f"{own}-{number}"
        placed.append(Turn("", who, form, text, said=said, identity=identity, reply=own if len(found) > 1 else "", **rest))
    return placed


_Told = tuple[Speaker, Form, str, dict[str, Any]]


def _told(message: Mapping[str, Any], speaker: Speaker, name: str, model: str, tally: Tally) -> Iterator[_Told]:
    content = message.get("content")
    metadata = _dict(message.get("metadata"))
    if isinstance(content, str):
        content = {"content_type": "text", "parts": [content]}
    if not isinstance(content, dict):
        tally.add("message without content")
        return
    kind = jsonl.text(content.get("content_type")) or "text"
    if kind == "user_editable_context":
        yield from _profile(content, tally)
        return
    if metadata.get("is_visually_hidden_from_conversation") is True:
        tally.add("hidden")
        return
    if kind == "model_editable_context":
        if text := _joined(content, ("model_set_context", "repository", "structured_context")):
            yield Speaker.SUMMARY, Form.PROSE, text, {}
        else:
            tally.add("empty message")
        return
    if kind == "reasoning_recap":
        tally.add("reasoning_recap")
        return
    if kind == "thoughts":
        if text := _thoughts(content):
            yield Speaker.ASSISTANT, Form.THINKING, text, {"name": _model(metadata, model)}
        else:
            tally.add("empty thoughts")
        return
    known = kind in _TEXTS or kind in _RESULTS or kind in ("code", "system_error")
    if not known:
        # What is understood of it is told all the same; that its kind is new is said loudly.
        tally.unknown[f"content:{kind}"] += 1
    text = _text(kind, content, metadata)
    if not text:
        tally.noise["empty message" if known else f"content:{kind}"] += 1
        return
    yield _spoken(speaker, kind, text, name, message, _model(metadata, model))


def _spoken(speaker: Speaker, kind: str, text: str, name: str, message: Mapping[str, Any], model: str) -> _Told:
    recipient = jsonl.text(message.get("recipient")) or "all"
    match speaker:
        case Speaker.ASSISTANT if recipient != "all":
            return speaker, Form.CALL, text, {"name": recipient}
        case Speaker.ASSISTANT if kind in _RESULTS:
            return Speaker.TOOL, Form.RESULT, text, {"name": name}
        case Speaker.ASSISTANT:
            return speaker, Form.PROSE, _fenced(message, text) if kind == "code" else text, {"name": model}
        case Speaker.TOOL:
            return speaker, Form.RESULT, text, {"name": name, "error": kind == "system_error"}
        case Speaker.HUMAN:
            return speaker, Form.PROSE, _fenced(message, text) if kind == "code" else text, {"name": name}
    return speaker, Form.PROSE, text, {"name": name}


def _fenced(message: Mapping[str, Any], text: str) -> str:
    language = jsonl.text(_dict(message.get("content")).get("language"))
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{'' if language in ('unknown', 'text') else language}\n{text}\n{fence}"


def _profile(content: Mapping[str, Any], tally: Tally) -> Iterator[_Told]:
    text = _joined(content, ("user_profile", "user_instructions"))
    if text:
        yield Speaker.HUMAN, Form.PROSE, text, {"mark": PROFILE}
    else:
        tally.add("empty message")


def _joined(content: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return "\n\n".join(told for key in keys if (told := jsonl.text(content.get(key)).strip()))


def _thoughts(content: Mapping[str, Any]) -> str:
    listed = content.get("thoughts")
    thoughts = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    found = [jsonl.text(thought.get("content")) or jsonl.text(thought.get("summary")) for thought in thoughts]
    return "\n\n".join(told.strip() for told in found if told.strip())


def _text(kind: str, content: Mapping[str, Any], metadata: Mapping[str, Any]) -> str:
    """The words of a message; what is no text stands as `[image]`, with its name where one is told."""
    named = _attachments(metadata)
    parts = content.get("parts")
    found: list[str] = []
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, str):
            found.append(jsonl.text(part))
        elif isinstance(part, dict):
            found.append(_part(part, named))
    if not found:
        for key in ("text", "result", "name", "title"):
            if told := jsonl.text(content.get(key)).strip():
                found.append(told)
                break
    if kind == "tether_quote" and (url := jsonl.text(content.get("url"))):
        found.append(url)
    # Files that no part points to were attached to the message all the same.
    found += [f"[file: {name}]" for name in named.values()]
    return "\n".join(text for text in found if text.strip()).strip()


def _part(part: Mapping[str, Any], named: dict[str, str]) -> str:
    kind = jsonl.text(part.get("content_type") or part.get("type"))
    if kind in _IMAGES:
        pointer = jsonl.text(part.get("asset_pointer"))
        name = next((named.pop(id) for id in list(named) if id and pointer.endswith(id)), "")
        return f"[image: {name}]" if name else "[image]"
    if told := jsonl.text(part.get("text")):
        return told
    word = kind.removesuffix("_asset_pointer") or "block"
    return "" if word == "audio" or word.endswith("_audio_video") else f"[{word}]"


def _attachments(metadata: Mapping[str, Any]) -> dict[str, str]:
    listed = metadata.get("attachments")
    found: dict[str, str] = {}
    for number, each in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(each, dict) and (name := " ".join(jsonl.text(each.get("name")).split())):
            found[jsonl.text(each.get("id")) or f"#{number}"] = name
    return found


def _model(metadata: Mapping[str, Any], model: str) -> str:
    return jsonl.text(metadata.get("model_slug")) or model


def _dict(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
