"""Claude Code's session files (1.0 to 2.1): one JSON record a line, a tree by `parentUuid`, several lines a reply.

Who speaks in a record is decided in `claude_blocks`; here stands what depends on neighbours: records written twice,
replies that arrive in growing pieces, prompts that were queued while the agent was busy. Which branch of the tree is alive
is decided in `core.branches`, which turns are copies of another source's in `core.identity`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from wikimem.core import times
from wikimem.core.turns import Damage, Form, Line, Noise, Record, Speaker, Turn
from wikimem.edges.importers import claude_blocks, jsonl, places, wrappers
from wikimem.edges.importers.format import Head, LineFormat
from wikimem.edges.importers.seen import Seen

_HEAD = re.compile(
    rb'"type"\s*:\s*"(?:user|assistant|summary|system|file-history-snapshot|queue-operation|progress|attachment|mode|'
    rb'permission-mode|custom-title|ai-title)"'
)
# Records that another tool stripped of their ids.
_BARE = re.compile(rb'\A\{\s*"type"\s*:\s*"(?:user|assistant)"\s*,[^\n]*"message"\s*:\s*\{[^\n]*"content"\s*:')
_OTHERS = (b'"projectHash"', b'"parts"', b'"payload"')
_OURS = b'{"wikimem'
"""How our own formats begin; a session in which our server is connected names it, too, but not there."""
_QUIET = frozenset(
    [
        "file-history-snapshot",
        "file-history-delta",
        "mode",
        "permission-mode",
        "last-prompt",
        "bridge-session",
        "agent-name",
        "agent-color",
        "agent-setting",
        "pr-link",
        "worktree-state",
        "relocated",
        "frame-link",
        "started",
        "result",
        "atis-latch",
        "tag",
        "content-replacement",
    ]
)
_TITLES = {"summary": "summary", "custom-title": "customTitle", "ai-title": "aiTitle"}
_FACTS = (("session", "sessionId"), ("cwd", "cwd"), ("branch", "gitBranch"), ("agent", "agentId"))
_PIECE = Noise("piece of a longer block")


def _recognise(head: Head) -> bool:
    start = head.data.lstrip(b"\xef\xbb\xbf\x00 \r\n")
    if not start.startswith(b"{") or start.startswith(_OURS) or any(key in start[:4096] for key in _OTHERS):
        return False
    keys = (b'"sessionId"', b'"parentUuid"', b'"leafUuid"', b'"uuid"')
    return bool(_HEAD.search(start)) and (any(key in start for key in keys) or _BARE.search(start) is not None)


def _hint(path: Path) -> Mapping[str, str]:
    if path.stem.startswith("agent-"):
        return {"agent": path.stem.removeprefix("agent-")}
    return {"session": path.stem}


def read(lines: Iterable[Line]) -> Iterator[Record]:
    """Records of a session file or of a sub-agent's file; see `LineFormat.read`."""
    yield from places.located(_records(lines))


def _records(lines: Iterable[Line]) -> Iterator[Record]:
    reader = _Reader()
    for line, value in jsonl.objects(lines):
        yield from reader.take(line, value)
    yield from reader.rest()


FORMAT = LineFormat("claude-code", _recognise, read, ".jsonl", json=True, hint=_hint)


class _Reader:
    """What must be remembered between records."""

    def __init__(self) -> None:
        self.seen = Seen()
        self.facts: dict[str, str] = {}
        self.held: Record | None = None
        self.queue: list[tuple[Line, str, str]] = []

    def take(self, line: Line, value: Any) -> Iterator[Record]:
        if isinstance(value, Noise | Damage):
            yield Record(line.number, line.offset, value)
            return
        if not isinstance(value, dict):
            yield Record(line.number, line.offset, Noise("bare value", known=False))
            return
        if value.get("type") == "queue-operation":
            yield from self._queue(line, value)
            return
        uuid = _text(value.get("uuid"))
        if uuid and not self.seen.add(uuid):
            yield Record(line.number, line.offset, Noise("copy in the same file"))
            return
        record = Record(
            line.number,
            line.offset,
            _gave(line, value, uuid),
            uuid=uuid,
            parent=_text(value.get("parentUuid")) or _text(value.get("logicalParentUuid")),
            facts=self._facts(value),
            retracts=_strings(value.get("supersedesUuids")) + _strings(value.get("retractedMessageUuids")),
            unknown=claude_blocks.unknown(value),
        )
        if self.queue and isinstance(record.gave, tuple):
            yield from self._sent(record.gave)
        yield from self._stream(record)

    def rest(self) -> Iterator[Record]:
        """What only the end of the file decides: the last reply, and queued prompts that no later record repeats."""
        yield from self._release()
        for line, text, said in self.queue:
            block = claude_blocks.Block(line, said, "")
            moment = times.apart(said)[0]
            turns = tuple(
                replace(turn, identity=f"queue:{moment}:{claude_blocks.short(turn.text)}")
                for turn in claude_blocks.pieces(block, text, mark="queued")
            )
            gave = turns or Noise("queue-operation:blank")
            yield Record(line.number, line.offset, gave, facts={"time": moment} if moment else {})
        self.queue.clear()

    def _facts(self, value: dict[str, Any]) -> Mapping[str, str]:
        facts: dict[str, str] = {}
        moment = times.utc(value.get("timestamp"))
        if moment:
            facts["time"] = moment
        for name, key in _FACTS:
            found = value.get(key)
            if isinstance(found, str) and found and self.facts.get(name) != found:
                self.facts[name] = found
                facts[name] = jsonl.text(found)
        forked = value.get("forkedFrom")
        if isinstance(forked, dict) and "parent" not in self.facts and _text(forked.get("sessionId")):
            self.facts["parent"] = facts["parent"] = _text(forked.get("sessionId"))
        title = _TITLES.get(_text(value.get("type")))
        if title and _text(value.get(title)):
            facts["title"] = jsonl.text(value.get(title))
        return facts

    def _stream(self, record: Record) -> Iterator[Record]:
        """Hold a reply's text back until a later block shows whether it was only a piece of it."""
        turn = _reply(record)
        if turn is None:
            if isinstance(record.gave, tuple):
                yield from self._release()
            yield record
            return
        held = _reply(self.held) if self.held is not None else None
        if held is not None and self.held is not None and held.reply == turn.reply:
            if held.text.startswith(turn.text):
                yield replace(record, gave=_PIECE)
                return
            if turn.text.startswith(held.text):
                yield replace(self.held, gave=_PIECE)
                self.held = record
                return
        yield from self._release()
        self.held = record

    def _release(self) -> Iterator[Record]:
        if self.held is not None:
            yield self.held
            self.held = None

    def _queue(self, line: Line, value: dict[str, Any]) -> Iterator[Record]:
        operation = _text(value.get("operation"))
        content = value.get("content")
        if isinstance(content, list):
            content = "\n".join(_text(part.get("text")) for part in content if isinstance(part, dict))
        text = jsonl.text(content).strip()
        if operation == "enqueue" and text:
            # A prompt that is sent appears again in a record of its own; one taken back into the editor never counts;
            # one that was handed over in mid-turn (`remove`) may stand nowhere else. Hence decided later.
            self.queue.append((line, text, times.told(value.get("timestamp"))))
            return
        if operation == "popAll":
            for taken, _, _ in self.queue:
                yield Record(taken.number, taken.offset, Noise("queue-operation:taken back"))
            self.queue.clear()
        known = operation in {"enqueue", "dequeue", "remove", "popAll"}
        yield Record(line.number, line.offset, Noise(f"queue-operation:{operation or '?'}", known))

    def _sent(self, turns: tuple[Turn, ...]) -> Iterator[Record]:
        """The queued prompts that these turns repeat, several queued ones possibly sent as one."""
        said = "\n".join(turn.text for turn in turns if turn.speaker in (Speaker.HUMAN, Speaker.HARNESS))
        if not said:
            return
        for entry in list(self.queue):
            line, text, _ = entry
            if any(piece.text in said for piece in wrappers.pieces(text)):
                self.queue.remove(entry)
                yield Record(line.number, line.offset, Noise("queue-operation:sent later"))


def _gave(line: Line, value: dict[str, Any], uuid: str) -> tuple[Turn, ...] | Noise:
    kind = value.get("type")
    match kind:
        case "user":
            return claude_blocks.user(line, value, uuid)
        case "assistant":
            return claude_blocks.assistant(line, value, uuid)
        case "system":
            return claude_blocks.system(line, value, uuid)
        case "attachment":
            return claude_blocks.attachment(line, value, uuid)
        case "progress":
            data = value.get("data")
            return Noise(f"progress:{_text(data.get('type')) if isinstance(data, dict) else '?'}")
        case str():
            return Noise(kind, known=kind in _QUIET or kind in _TITLES)
        case _:
            return Noise("record without a type", known=False)


def _reply(record: Record) -> Turn | None:
    """The one stretch of prose of a reply, if that is all the record gave."""
    if not isinstance(record.gave, tuple) or len(record.gave) != 1:
        return None
    turn = record.gave[0]
    prose = turn.speaker is Speaker.ASSISTANT and turn.form is Form.PROSE
    return turn if prose and turn.reply else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _strings(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
