"""Messages and parts as Gemini CLI and its relatives write them, read into turns.

Only what one message tells by itself; files of them are read in `gemini` and `qwen`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from wikimem.core.turns import Form, Noise, Speaker, Turn
from wikimem.edges.importers import places, wrappers
from wikimem.edges.importers.places import Place, Taken, encoded, listed, mapping, string
from wikimem.edges.importers.wrappers import Piece

_CONTEXT = re.compile(
    r"\A\s*(?:<(?P<tag>session_context|qwen:[a-z-]+|hook_context|ide_context|user_memory|environment_context|state_snapshot)\b[^>]*>"
    r"|This is the (?:Gemini|Qwen) (?:CLI|Code)\b|Here is (?:the user's editor context|a summary of changes in the user's editor)"
    r"|\s*Okay, just setting up the context for our chat)"
)
_FILES = re.compile(r"^-{2,3} Content from referenced files? -{2,3}\s*$", re.MULTILINE)
_ENDED = re.compile(r"^-{2,3} End of content -{2,3}\s*$", re.MULTILINE)
_FAILED = frozenset({"error", "cancelled", "failed"})
_ASKS = frozenset({"ask_user", "ask_user_question", "AskUserQuestion"})


def parts(value: object) -> list[Any]:
    """The parts of a message, whether it is one text or a list."""
    return value if isinstance(value, list) else [value] if value is not None else []


def user(place: Place, content: object, display: str = "") -> list[Turn]:
    """Turns of a user's message.

    Args:
        place: gives the locators.
        content: what the model was sent.
        display: what the person saw themselves type; '' if the message does not say.
    """
    found: list[Piece] = []
    texts = [_text(part) for part in parts(content)]
    typed = display.strip()
    if typed and not _CONTEXT.match(typed):
        found += wrappers.pieces(typed)
        rest = "\n".join(texts).strip()
        if rest and rest != typed:
            beyond = rest.removeprefix(typed).strip() or rest
            found.append(Piece(Speaker.HARNESS, beyond, "expanded"))
        return place.pieces(found)
    for text in texts:
        found += _pieces(text)
    return place.pieces(found)


def _pieces(text: str) -> list[Piece]:
    """The stretches of a text: injected context, files that a person only named, their own words."""
    bare = text.strip()
    if not bare:
        return []
    context = _CONTEXT.match(bare)
    if context is not None:
        return _after(bare, context["tag"])
    files = _FILES.search(bare)
    if files is None:
        return wrappers.pieces(bare)
    ended = _ENDED.search(bare, files.end())
    end = ended.end() if ended else len(bare)
    return [
        *wrappers.pieces(bare[: files.start()]),
        Piece(Speaker.HARNESS, bare[files.start() : end].strip(), "file"),
        *wrappers.pieces(bare[end:]),
    ]


def _after(text: str, tag: str | None) -> list[Piece]:
    if tag == "state_snapshot":
        return [Piece(Speaker.SUMMARY, text)]
    end = text.find(f"</{tag}>") if tag else -1
    if end < 0:
        return [Piece(Speaker.HARNESS, text, "context")]
    end += len(f"</{tag}>")
    return [Piece(Speaker.HARNESS, text[:end], "context"), *_pieces(text[end:])]


def _text(part: object) -> str:
    return string(part) if isinstance(part, str) else string(mapping(part).get("text"))


def model(place: Place, content: object, name: str) -> list[Turn]:
    """Turns of the model's parts."""
    turns: list[Turn] = []
    for part in parts(content):
        one = mapping(part)
        text = _text(part).strip()
        if "functionCall" in one:
            call = mapping(one["functionCall"])
            turns.append(place.call(string(call.get("name")), encoded(call.get("args")), string(call.get("id"))))
        elif "functionResponse" in one:
            turns += response(place, part)
        elif text:
            form = Form.THINKING if one.get("thought") is True else Form.PROSE
            turns.append(place.turn(Speaker.ASSISTANT, form, text, name=name))
        elif one and not one.keys() & _KNOWN:
            place.strange.add(f"part:{'+'.join(sorted(map(str, one)))[:60]}")
    return turns


_KNOWN = frozenset({"text", "thought", "inlineData", "fileData", "thoughtSignature", "executableCode", "codeExecutionResult"})


def response(place: Place, part: object, failed: bool = False) -> list[Turn]:
    """The turn of a function's response."""
    inner = mapping(mapping(part).get("functionResponse"))
    if not inner:
        return []
    text, error = answer(inner.get("response"))
    name, call = string(inner.get("name")), string(inner.get("id"))
    told = [place.result(name, text, call, error or failed)]
    return told if error or failed else told + places.approved(place, name, {}, text, call)


def answer(told: object) -> tuple[str, bool]:
    """The text of a function's response, and whether it is an error."""
    inner = mapping(told)
    if inner.get("error"):
        return encoded(inner["error"]), True
    text = inner.get("output", inner.get("content"))
    return (encoded(text) if text is not None else encoded(told) if told else ""), False


def thoughts(place: Place, told: object, name: str) -> list[Turn]:
    """Turns of a message's thoughts, which have a subject and a description."""
    found = []
    for one in listed(told):
        thought = mapping(one)
        text = ": ".join(part for key in ("subject", "description") if (part := string(thought.get(key)).strip()))
        if text:
            found.append(place.turn(Speaker.ASSISTANT, Form.THINKING, text, name=name))
    return found


def tools(place: Place, told: object) -> list[Turn]:
    """Turns of tool calls that hold their own results, with what a person answered or refused."""
    found: list[Turn] = []
    for one in listed(told):
        call = mapping(one)
        name, own = string(call.get("name")), string(call.get("id"))
        found.append(place.call(name, encoded(call.get("args")), own))
        status = string(call.get("status"))
        texts = [answer(mapping(mapping(part).get("functionResponse")).get("response")) for part in listed(call.get("result"))]
        shown = call.get("resultDisplay")
        if not texts and (status or shown):
            texts = [(encoded(shown), False)]
        if not texts:
            continue
        failed = status in _FAILED or any(error for _, error in texts)
        mark = "rejected" if status == "cancelled" else ""
        text = "\n".join(text for text, _ in texts if text)
        found.append(place.result(name, text, own, failed, mark))
        if not failed:
            found += places.approved(place, name, mapping(call.get("args")), text, own)
        if name in _ASKS and not failed:
            found += places.answered(place, mapping(call.get("args")), text, own)
    return found


def message(place: Place, value: Mapping[str, Any], delegated: bool = False) -> Taken:
    """Turns of a message of a session file, or why it has none.

    Args:
        place: gives the locators.
        value: the message, of any version.
        delegated: whether the file is a sub-agent's, whose prompts another agent wrote.
    """
    kind = string(value.get("type")) or string(value.get("role"))
    content = value.get("content", value.get("parts"))
    name = string(value.get("model"))
    match kind:
        case "user":
            turns = user(place, content, string(value.get("displayContent")))
            for part in parts(content):
                turns += response(place, part)
            if delegated:
                turns = [prompted(turn) for turn in turns]
            return tuple(turns) or Noise("user:blank")
        case "gemini" | "model" | "assistant" | "qwen":
            turns = thoughts(place, value.get("thoughts"), name)
            turns += model(place, content, name) + tools(place, value.get("toolCalls"))
            return tuple(turns) or Noise(f"{kind}:{'+'.join(sorted(place.strange)) or 'blank'}", known=not place.strange)
        case "info" | "error" | "warning":
            return Noise(kind)
        case "system":
            text = "\n".join(_text(part) for part in parts(content)).strip()
            return (place.turn(Speaker.HARNESS, Form.PROSE, text, mark="instructions"),) if text else Noise(kind)
        case _:
            return Noise(kind or "message without a type", known=False)


def prompted(turn: Turn) -> Turn:
    """A prompt as what it is where another agent wrote it."""
    if turn.speaker is not Speaker.HUMAN:
        return turn
    return Turn(turn.at, Speaker.ASSISTANT, turn.form, turn.text, said=turn.said, identity=turn.identity, mark="prompt")
