"""Sessions of pi (versions 1 to 3) and of OpenClaw, which is built on it: a header, then one entry a line.

From version 2 on entries form a tree by `parentId`; who goes back and says something else leaves the old branch in the
file. A session that was branched off begins with its parent's entries, copied to the letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from wikimem.core import times
from wikimem.core.turns import Form, Line, Noise, Record, Speaker, Turn
from wikimem.edges.importers import places, wrappers
from wikimem.edges.importers.format import Head, LineFormat
from wikimem.edges.importers.places import Facts, Place, Taken, encoded, mapping, string
from wikimem.edges.importers.wrappers import Piece

_HEAD = re.compile(rb'\A\{[^\n]{0,200}?"type"\s*:\s*"session"\s*,[^\n]*"(?:cwd|version|provider)"\s*:')
_ENTRY = re.compile(rb'"type"\s*:\s*"message"[^\n]{0,400}?"message"\s*:\s*\{[^\n]{0,200}?"role"\s*:')
_QUIET = frozenset({"model_change", "thinking_level_change", "custom", "label", "leaf", "session_state"})
_SESSION = re.compile(r"_([0-9a-f-]{36})\.jsonl")
_FILE = re.compile(r"<file name=\"[^\"]*\">.*?(?:</file>|\Z)", re.DOTALL)
_SKILL = re.compile(r"\A<skill name=.*?(?:</skill>|\Z)", re.DOTALL)
# What OpenClaw puts around a message from a messenger, or sends on its own.
_ENVELOPE = re.compile(
    r"\A(?:(?:Conversation info|Sender|Thread starter|Replied message|Forwarded message context|Chat history since last reply)"
    r"[^\n]*\(untrusted[^\n]*\):\s*```(?:json)?\n.*?\n```\s*"
    r"|System: \[[^\n]*(?:\n|\Z)|\[[^\]\n]{0,40}\d{4}-\d\d-\d\d[^\]\n]*\]\s*)",
    re.DOTALL,
)
_MACHINE = re.compile(
    r"\A(?:Read HEARTBEAT\.md\b|A new session was started via /|Pre-compaction memory flush|You are running a boot check"
    r"|An async command you ran earlier|\[cron:|A scheduled reminder has been triggered)"
)
_TAIL = re.compile(r"\s*\[message_id: [^\]\n]*\]\s*\Z")


def read(lines: Iterable[Line]) -> Iterator[Record]:
    """Records of a session; see `LineFormat.read`."""
    yield from places.records(lines, _Reader().take, _is_record)


def _is_record(value: dict[str, Any]) -> bool:
    return value.get("type") == "session" or ("id" in value and "parentId" in value) or "message" in value


class _Reader:
    def __init__(self) -> None:
        self.facts = Facts()
        self.path: list[str] = []
        self.place: dict[str, int] = {}

    def take(self, line: Line, value: dict[str, Any]) -> Iterator[Record]:
        kind = string(value.get("type"))
        said = times.utc(value.get("timestamp"))
        if kind == "session":
            yield Record(line.number, line.offset, Noise(kind), facts=self._header(value, said))
            return
        own, parent = string(value.get("id")), string(value.get("parentId"))
        message = mapping(value.get("message"))
        place = Place(line, said)
        gave = _gave(place, kind, value, message)
        title = string(value.get("name")) if kind == "session_info" else ""
        yield place.record(
            gave,
            uuid=own,
            parent=parent,
            facts=self.facts.new(said, title=title),
            retracts=self._left(own, parent, message.get("role") == "user" or kind == "branch_summary"),
        )

    def _header(self, value: Mapping[str, Any], said: str) -> Mapping[str, str]:
        above = string(value.get("branchedFrom")) or string(value.get("parentSession"))
        match = _SESSION.search(above)
        # The header is stamped when it is written, after the first words it heads: its time says nothing.
        return self.facts.new(
            "",
            session=string(value.get("id")),
            cwd=string(value.get("cwd")),
            version=str(value.get("version", "")),
            parent=match[1] if match else "",
        )

    def _left(self, own: str, parent: str, prompt: bool) -> tuple[str, ...]:
        """What a person left behind by going back: the entry that followed the one that is answered now."""
        if not own:
            return ()
        left: tuple[str, ...] = ()
        number = self.place.get(parent)
        if number is not None and number < len(self.path) - 1:
            left = (self.path[number + 1],) if prompt else ()
            for gone in self.path[number + 1 :]:
                self.place.pop(gone, None)
            del self.path[number + 1 :]
        self.place[own] = len(self.path)
        self.path.append(own)
        return left


def _gave(place: Place, kind: str, value: Mapping[str, Any], message: Mapping[str, Any]) -> Taken:
    match kind:
        case "message":
            return _message(place, message)
        case "compaction" | "branch_summary":
            text = string(value.get("summary")).strip()
            return (place.turn(Speaker.SUMMARY, Form.PROSE, text),) if text else Noise(kind)
        case "custom_message":
            text = places.words(value.get("content")).strip()
            mark = string(value.get("customType")) or "custom"
            return (place.turn(Speaker.HARNESS, Form.PROSE, text, mark=mark),) if text else Noise(kind)
        case "session_info":
            return Noise(kind)
        case _:
            return Noise(kind or "record without a type", known=kind in _QUIET)


def _message(place: Place, message: Mapping[str, Any]) -> Taken:
    role = string(message.get("role"))
    content = message.get("content")
    match role:
        case "user":
            return tuple(place.pieces(_typed(places.words(content)))) or Noise("user:blank")
        case "assistant":
            return _assistant(place, message)
        case "toolResult":
            name, call = string(message.get("toolName")), string(message.get("toolCallId"))
            return (place.result(name, places.words(content), call, message.get("isError") is True),)
        case "bashExecution":
            return _ran(place, message)
        case "compactionSummary" | "branchSummary":
            text = (string(message.get("summary")) or places.words(content)).strip()
            return (place.turn(Speaker.SUMMARY, Form.PROSE, text),) if text else Noise(role)
        case _:
            text = places.words(content).strip()
            if not text:
                return Noise(f"message:{role or '?'}", known=role in {"system", "custom", "hookMessage"})
            return (place.turn(Speaker.HARNESS, Form.PROSE, text, mark=string(message.get("customType")) or role),)


def _assistant(place: Place, message: Mapping[str, Any]) -> Taken:
    model = string(message.get("model"))
    place.reply = string(message.get("responseId"))
    turns: list[Turn] = []
    content = message.get("content")
    for part in content if isinstance(content, list) else [{"type": "text", "text": content}]:
        one = mapping(part)
        kind = string(one.get("type"))
        text = (string(one.get("text")) or string(one.get("thinking"))).strip()
        if kind == "toolCall":
            turns.append(place.call(string(one.get("name")), encoded(one.get("arguments")), string(one.get("id"))))
        elif text:
            form = Form.THINKING if kind == "thinking" else Form.PROSE
            turns.append(place.turn(Speaker.ASSISTANT, form, text, name=model))
        elif kind not in {"text", "thinking", "image"}:
            place.strange.add(f"block:{kind or '?'}")
    if turns:
        return tuple(turns)
    if place.strange:
        return Noise("assistant:" + "+".join(sorted(place.strange)), known=False)
    return Noise(f"assistant:{string(message.get('stopReason')) or 'empty'}")


def _ran(place: Place, message: Mapping[str, Any]) -> Taken:
    """A command that a person ran at the prompt."""
    command = string(message.get("command")).strip()
    if not command:
        return Noise("bashExecution:blank")
    code = message.get("exitCode")
    failed = message.get("cancelled") is True or (isinstance(code, int) and code != 0)
    return (
        place.turn(Speaker.HUMAN, Form.CALL, command, mark="shell"),
        place.result("", string(message.get("output")), "", failed, "shell"),
    )


def _typed(text: str) -> list[Piece]:
    """The stretches of a user's message: files and skills put in by a command, a messenger's envelope, the words."""
    rest = text.strip()
    found: list[Piece] = []
    while match := _ENVELOPE.match(rest):
        found.append(Piece(Speaker.HARNESS, match[0].strip(), "envelope"))
        rest = rest[match.end() :].strip()
    if _MACHINE.match(rest):
        return [*found, Piece(Speaker.HARNESS, rest, "prompt")]
    rest = _TAIL.sub("", rest)
    position = 0
    for match in sorted((*_FILE.finditer(rest), *_SKILL.finditer(rest)), key=lambda match: match.start()):
        found += wrappers.pieces(rest[position : match.start()])
        found.append(Piece(Speaker.HARNESS, match[0].strip(), "file"))
        position = match.end()
    return found + wrappers.pieces(rest[position:])


def _start(head: Head) -> bytes:
    return head.data.lstrip(b"\xef\xbb\xbf\x00 \r\n")


def _recognise(head: Head) -> bool:
    start = _start(head)
    if not start.startswith(b"{"):
        return False
    # A file whose header is torn is still known by its entries.
    entry = _ENTRY.search(start[:16384])
    torn = entry is not None and b'"parentId"' in start and b'"sessionId"' not in start and b'"session_start"' not in start
    return _HEAD.match(start) is not None or torn


def _recognise_openclaw(head: Head) -> bool:
    return b"openclaw" in head.data.lower() and _recognise(head)


def _hint(path: Path) -> Mapping[str, str]:
    match = _SESSION.search(path.name)
    return {"session": match[1] if match else path.stem}


FORMAT = LineFormat("pi", _recognise, read, ".jsonl", json=True, hint=_hint)
OPENCLAW = LineFormat("openclaw", _recognise_openclaw, read, ".jsonl", json=True, hint=_hint)
