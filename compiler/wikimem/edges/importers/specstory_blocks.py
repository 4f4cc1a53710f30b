"""One message of a SpecStory history, read into turns: prose, thoughts, tool calls and results, and who typed what.

Only what one message tells by itself, and whether it follows a slash command; where messages begin is decided in
`specstory`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from wikimem.core.turns import Damage, Form, Line, Noise, Record, Speaker, Turn
from wikimem.edges.importers import specstory_tools, wrappers

_TOOL, _THINK = "<tool-use ", "<think>"
_FENCE = re.compile(rb" {0,3}(`{3,}|~{3,})[ \t]*([^`\s]*)")
_PASTED = re.compile(r"^(?:_\*\*(?:Agent|Assistant|User)\b[^\n]*\*\*_[ \t]*$|<tool-use [^\n]*>)", re.MULTILINE)
_PASTED_END = re.compile(r"^</(?:details></)?(?:tool-use|think)>[ \t]*$", re.MULTILINE)
# Only at the beginning: further down it is a person who quotes the sentence.
_PLAN = re.compile(r"\s*(?P<words>Implement the following plan:)[ \t]*\n(?P<plan>.*\S.*)", re.DOTALL)
# What the harness itself puts into a side chain, before or between the prompts of the parent agent.
_SIDE = re.compile(r"\[SUGGESTION MODE:|\[Request interrupted by user|Your task is to create a detailed summary of the ")
_INTERRUPT = re.compile(r"\[Request interrupted by user[^\]\n]*\]")
_TRANSCRIPT = "Full transcript available at:"
_THOUGHT = re.compile(r"<think>\s*(?:<details>\s*)?(?:<summary>.*?</summary>\s*)?", re.DOTALL)
_BODY = ("## Context", "You are ", "Base directory for this skill", "The user just ran /", "# ")
_EMPTY = Noise("empty message")


@dataclass(frozen=True, slots=True)
class Header:
    """A header line: its line, whether it says `User`, whether of a side chain, the model's name, the time, the same with its
    offset."""

    line: Line
    human: bool
    side: bool
    name: str
    said: str
    told: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command was just run: the time of its message."""

    said: str


class Scan:
    """Follows tags and fences line by line: `kind` is the open tag (`tool`, `think` or ''), `last` the last words."""

    __slots__ = ("depth", "fence", "human", "kind", "last")

    def __init__(self, human: bool) -> None:
        self.human = human
        self.kind = ""
        self.depth = 0
        self.fence = b""
        self.last = b""

    def take(self, data: bytes) -> bool:
        """Take a line; whether a tag opened or closed on it."""
        if not data or data.isspace():
            return False
        self.last = data
        if self.kind == "think":
            if data.rstrip().endswith(b"</think>"):
                self.kind = ""
                return True
            return False
        if self.kind == "tool":
            return self._within_tool(data)
        if data.lstrip(b" ")[:3] in (b"```", b"~~~"):
            self._fence(data)
            return False
        if self.fence or self.human:
            return False
        if data.startswith(b"<tool-use "):
            self.kind, self.depth = ("tool", 1) if b"</tool-use>" not in data else ("", 0)
            return True
        if data.startswith(b"<think>"):
            self.kind = "" if data.rstrip().endswith(b"</think>") else "think"
            return True
        return False

    def _within_tool(self, data: bytes) -> bool:
        # Output may hold a whole history; its tags are balanced, while its fences are not.
        if data.startswith(b"<tool-use ") and b"</tool-use>" not in data:
            self.depth += 1
        elif data.startswith(b"</") and data.rstrip().endswith(b"</tool-use>"):
            self.depth -= 1
            if not self.depth:
                self.kind = ""
                return True
        return False

    def _fence(self, data: bytes) -> None:
        found = _FENCE.match(data)
        if found is None:
            return
        if not self.fence:
            self.fence = found[1]
        elif found[1].startswith(self.fence) and not found[2]:
            self.fence = b""


@dataclass(slots=True)
class _Message:
    """Makes the turns of one message, each at its own line."""

    header: Header
    taken: Counter[int] = field(default_factory=Counter)

    def turn(self, line: int, speaker: Speaker, form: Form, text: str, **rest: Any) -> Turn:
        """A turn at a line; a second one on the same line gets `-2`."""
        self.taken[line] += 1
        count = self.taken[line]
        at = f"L{line}" if count == 1 else f"L{line}-{count}"
        return Turn(at, speaker, form, text, said=self.header.told or self.header.said, **rest)


def agent(header: Header, body: list[Line]) -> Iterator[Record]:
    """The record of an agent's message; after it, one of damage for each tag that was opened and never closed."""
    text = _words(body)
    message = _Message(header)
    turns: list[Turn] = []
    broken: list[Record] = []
    for kind, start, part, closed in _parts(text, body):
        line = header.line.number + 1 + start
        if not closed:
            torn = body[start]
            broken.append(Record(torn.number, torn.offset, Damage(f"<{kind}> is opened and never closed")))
        turns += _part(message, kind, line, part, closed)
    yield _record(header, turns)
    yield from broken


def _words(body: list[Line]) -> str:
    """The text of a message without the rule that separates it from the next; line breaks stand for its lines."""
    text = b"\n".join([line.data for line in body]).decode("utf-8", "replace").rstrip()
    if text == "---":
        return ""
    return text[:-4].rstrip() if text.endswith("\n---") else text


def _record(header: Header, turns: list[Turn]) -> Record:
    facts = {"time": header.said} if header.said else {}
    return Record(header.line.number, header.line.offset, tuple(turns) or _EMPTY, facts=facts)


def _parts(text: str, body: list[Line]) -> Iterator[tuple[str, int, str, bool]]:
    """The parts of a message: kind (`prose`, `think`, `tool`), its first line from 0, its text, whether it ends."""
    bare = text.lstrip()
    if not bare:
        return
    start = text.count("\n", 0, len(text) - len(bare))
    if bare.startswith(_TOOL):
        whole = bare.endswith("</tool-use>") and "\n" + _TOOL not in bare and bare.count("\n</details></tool-use>") == 1
        if whole and "\n" + _THINK not in bare:
            yield "tool", start, bare, True
            return
    elif bare.startswith(_THINK):
        if bare.endswith("</think>") and bare.count("</think>") == 1:
            yield "think", start, bare, True
            return
    elif "\n" + _TOOL not in bare and "\n" + _THINK not in bare:
        yield "prose", start, bare, True
        return
    yield from _mixed(text.split("\n"), body)


def _mixed(lines: list[str], body: list[Line]) -> Iterator[tuple[str, int, str, bool]]:
    scan = Scan(human=False)
    found: list[tuple[str, int, int]] = []
    begins, kind = 0, "prose"
    for number in range(len(lines)):
        before = scan.kind
        if not scan.take(body[number].data):
            continue
        if not before:
            found.append((kind, begins, number))
            kind = "tool" if lines[number].startswith(_TOOL) else "think"
            begins = number
        if not scan.kind:
            found.append((kind, begins, number + 1))
            begins, kind = number + 1, "prose"
    found.append((kind, begins, len(lines)))
    found = [part for part in found if any(line.strip() for line in lines[part[1] : part[2]])]
    ended = lines[-1].rstrip().endswith(("</tool-use>", "</think>"))
    if ended and found[-1][0] == "prose" and len(found) > 1 and found[-2][0] != "prose":
        # The tag that closes the message closes its last part; the one before it was quoted in there.
        found[-2:] = [(found[-2][0], found[-2][1], len(lines))]
    for place, (kind, first, last) in enumerate(found):
        text = "\n".join(lines[first:last])
        closed = kind == "prose" or place < len(found) - 1 or not scan.kind or ended
        bare = text.lstrip()
        yield kind, first + text.count("\n", 0, len(text) - len(bare)), bare.rstrip(), closed


def _part(message: _Message, kind: str, line: int, part: str, closed: bool) -> list[Turn]:
    header = message.header
    if kind == "tool":
        return specstory_tools.turns(message.turn, line, part, closed)
    if kind == "think":
        begins = _THOUGHT.match(part)
        skipped = begins.end() if begins else 0
        text = specstory_tools.without_close(part[skipped:])
        line = max(line + part.count("\n", 0, skipped), line + 1 if not closed else 0)
        return [message.turn(line, Speaker.ASSISTANT, Form.THINKING, text, name=header.name)] if text.strip() else []
    if header.name == "<synthetic>":
        return [message.turn(line, Speaker.HARNESS, Form.PROSE, part, name=header.name, mark="synthetic")]
    if header.side and not header.name:
        return [_prompt(message, line, part)]
    return [message.turn(line, Speaker.ASSISTANT, Form.PROSE, part, name=header.name)]


def _prompt(message: _Message, line: int, text: str) -> Turn:
    """The prompt of a side chain: written by the parent agent or by the harness, never by a person."""
    found = _SIDE.match(text)
    speaker = Speaker.HARNESS if found else Speaker.ASSISTANT
    mark = "interrupt" if found and text.startswith("[Request") else "prompt"
    return message.turn(line, speaker, Form.PROSE, text, mark=mark)


def user(header: Header, body: list[Line], command: Command | None) -> tuple[Record, Command | None]:
    """The record of a message under `User`, and the command it ran, if it ran one.

    Args:
        header: its header.
        body: its lines.
        command: the command that the message just before ran.
    """
    text = _words(body)
    bare = text.strip()
    line = header.line.number + 1 + text.count("\n", 0, len(text) - len(text.lstrip()))
    message = _Message(header)
    if header.side:
        return _record(header, [_prompt(message, line, bare)] if bare else []), None
    if command and bare and _is_body(header, bare, command):
        return _record(header, [message.turn(line, Speaker.HARNESS, Form.PROSE, bare, mark="command")]), None
    turns = []
    start, end = _pasted(bare)
    turns += _typed(message, line, bare[:start])
    if start < end:
        begins = line + bare.count("\n", 0, start)
        turns.append(message.turn(begins, Speaker.HARNESS, Form.PROSE, bare[start:end].rstrip(), mark="pasted"))
        turns += _typed(message, line + bare.count("\n", 0, end), bare[end:])
    ran = any(turn.mark == "command" for turn in turns)
    return _record(header, turns), Command(header.said) if ran else None


def _pasted(text: str) -> tuple[int, int]:
    """Where a piece of another history, pasted into a message, begins and ends; both at the end if there is none."""
    first = _PASTED.search(text)
    if first is None:
        return len(text), len(text)
    ends = [end.end() for end in _PASTED_END.finditer(text, first.end())]
    if not ends and first[0].startswith("<"):
        return len(text), len(text)
    # Words after the last closing tag are the person's again; without any, nothing tells where they would begin.
    return first.start(), ends[-1] if ends else len(text)


def _is_body(header: Header, text: str, command: Command) -> bool:
    """Whether a message after a slash command is the command's own text, which nobody typed."""
    if text.startswith("<"):
        return False
    if header.said and command.said:
        moments = [datetime.fromisoformat(said) for said in (command.said, header.said)]
        aware = [moment.tzinfo is not None for moment in moments]
        return aware[0] == aware[1] and abs((moments[1] - moments[0]).total_seconds()) <= 1
    return text.startswith(_BODY) or "\nARGUMENTS: " in text


def _typed(message: _Message, line: int, text: str) -> list[Turn]:
    """Turns of a text that a person may have typed, `line` being the number of its first line."""
    if interrupt := _INTERRUPT.match(text.lstrip()):
        skipped = len(text) - len(text.lstrip()) + interrupt.end()
        gone = message.turn(line, Speaker.HARNESS, Form.PROSE, interrupt[0], mark="interrupt")
        return [gone, *_typed(message, line + text.count("\n", 0, skipped), text[skipped:])]
    if plan := _PLAN.match(text):
        at = line + text.count("\n", 0, plan.start("words"))
        body = plan["plan"].strip()
        begins = line + text.count("\n", 0, text.index(body, plan.start("plan")))
        return [
            # A person chose to have it implemented; the plan itself is the agent's.
            message.turn(at, Speaker.HUMAN, Form.PROSE, plan["words"], mark="approval", about=body),
            message.turn(begins, Speaker.HARNESS, Form.PROSE, body, mark="plan"),
        ]
    turns: list[Turn] = []
    position = 0
    for piece in wrappers.pieces(text):
        place = text.find(piece.text, position)
        if place < 0:
            # Left-out images make the text another one; its first line still tells where it stands.
            place = max(text.find(piece.text.split("\n", 1)[0], position), position)
        position = place
        speaker, mark = piece.speaker, piece.mark
        if speaker is Speaker.HUMAN and piece.text.startswith(_TRANSCRIPT):
            speaker, mark = Speaker.HARNESS, "notification"
        form = Form.CALL if mark == "shell" else Form.PROSE
        turns.append(message.turn(line + text.count("\n", 0, place), speaker, form, piece.text, mark=mark))
    return turns
