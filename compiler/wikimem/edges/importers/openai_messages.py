"""Files of chat messages (`role`, `content`, `tool_calls`): JSONL that is one conversation, or JSON that holds several.

`LINES` is one conversation, a message or a list of messages a line. `DOCUMENT` is everything else: one JSON value with
a list of messages, a list of conversations, runs of tau-bench, logged calls with
`request` and `response`, or JSONL with a conversation a line. Neither reads formats that only look alike (Claude Code,
Codex, ChatGPT's export): those have importers of their own.

Who logs each request logs the same beginning again and again. Of such copies the longest counts.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path
from typing import Any

import orjson

from wikimem.core import times
from wikimem.core.turns import Damage, Line, Noise, Record, Turn
from wikimem.edges.importers import jsonl, openai_blocks
from wikimem.edges.importers.format import Container, Conversation, Head, LineFormat
from wikimem.edges.importers.seen import Seen

_LISTS = ("messages", "traj", "conversation", "conversations", "messages_display")
_DISPLAY = re.compile(r"^(user|assistant|system|tool): ?", re.MULTILINE)
_HEAD = re.compile(
    rb'"(?:messages|traj|conversations?)"\s*:\s*\[\s*\{\s*"(?:role|content|from|id|name|timestamp)"\s*:|"messages_display"\s*:'
)
_MESSAGE = re.compile(rb'\A\[\s*\{\s*"(?:role|content)"\s*:')
_OTHERS = re.compile(
    rb'"(?:mapping|chat_messages|parts|loglines|haystack_sessions|parentUuid|run_type|resourceSpans|projectHash)"\s*:'
)
_SALVAGE = re.compile(r'"(?:messages|traj|conversations?)"\s*:\s*\[')
# Whether words begin with their speaker's name is judged on this many lines.
_AHEAD = 64
_DECODER = json.JSONDecoder()


def read(lines: Iterable[Line]) -> Iterator[Record]:
    """Records of a file that is one conversation, one for each line; see `LineFormat.read`."""
    values = jsonl.objects(lines)
    ahead = list(islice(values, _AHEAD))
    strip = openai_blocks.prefixed(message for _, value in ahead for message in _messages(value))
    seen = Seen()
    for line, value in chain(ahead, values):
        yield _record(line, value, strip, seen)


def _messages(value: object) -> Iterator[dict[str, Any]]:
    """The messages of a value: itself, or those of a list or of lists in a list."""
    if isinstance(value, list):
        for inner in value:
            if isinstance(inner, list):
                yield from (message for message in inner if openai_blocks.is_message(message))
            elif openai_blocks.is_message(inner):
                yield inner
    elif isinstance(value, dict) and openai_blocks.is_message(value):
        yield value


def _record(line: Line, value: object, strip: bool, seen: Seen) -> Record:
    if isinstance(value, Noise | Damage):
        return Record(line.number, line.offset, value)
    messages = list(_messages(value))
    if not messages:
        return Record(line.number, line.offset, Noise("no message", known=False))
    place = openai_blocks.Place(line.number)
    found: list[Turn] = []
    copies = False
    before = b""
    for message in messages:
        told = openai_blocks.turns(place, message, strip)
        before = _key(message, before)
        if isinstance(value, list) and not seen.add(before.hex()):
            copies = True
            continue
        found += told
    moment = next((turn.said for turn in found if turn.said), "")
    gave = tuple(found) or Noise("repeated" if copies else "empty message")
    return Record(line.number, line.offset, gave, facts={"time": moment} if moment else {})


def _key(message: Mapping[str, Any], before: bytes) -> bytes:
    """What makes a message the same as another: its time, or else all that stands before it."""
    told = [message.get(key) for key in ("role", "from", "content", "value", "tool_calls", "timestamp")]
    own = openai_blocks.encoded(told).encode()
    return blake2b((b"" if openai_blocks.said(message) else before) + own, digest_size=16).digest()


@dataclass(slots=True)
class _Found:
    """A conversation as a container holds it."""

    messages: list[dict[str, Any]]
    wrapper: Mapping[str, Any] = field(default_factory=dict)
    dropped: int = 0


def conversations(path: Path) -> Iterator[Conversation | str]:
    """The conversations of a JSON file, without those that another one continues; see `Container.conversations`."""
    data = path.read_bytes().removeprefix(jsonl.BOM)
    found: list[_Found] = []
    for item in _split(data):
        if isinstance(item, str):
            yield item
        else:
            found.append(item)
    inner: set[bytes] = set()
    keys: list[tuple[str, bytes]] = []
    for one in found:
        before = b""
        for message in one.messages:
            inner.add(before)
            before = blake2b(before + _key(message, b""), digest_size=16).digest()
        keys.append((_own_id(one), before))
    for one, (own, key) in zip(found, keys, strict=True):
        if key in inner and not own:
            continue
        inner.add(key)
        yield _conversation(one, own, key)


def _split(data: bytes) -> Iterator[_Found | str]:
    try:
        value = orjson.loads(data)
    except ValueError:
        yield from _lines(data)
        return
    yield from _shapes(value, "the file")


def _lines(data: bytes) -> Iterator[_Found | str]:
    """Conversations of JSONL, or what is whole of a JSON value that is not."""
    rows = data.split(b"\n")
    first = next((row for row in rows if row.strip()), b"")
    try:
        orjson.loads(first)
    except ValueError:
        yield from _salvage(data.decode("utf-8", "replace"))
        return
    for line, value in jsonl.objects(Line(number, 0, row.rstrip(b"\r")) for number, row in enumerate(rows, 1)):
        if isinstance(value, Damage):
            yield f"line {line.number}: {value.reason}"
        elif not isinstance(value, Noise):
            yield from _shapes(value, f"line {line.number}")


def _salvage(text: str) -> Iterator[_Found | str]:
    """The whole members of a list that is cut short or torn."""
    bare = text.lstrip("\ufeff \t\r\n")
    listed = _SALVAGE.search(text) if bare.startswith("{") else None
    position = listed.end() if listed else len(text) - len(bare) + 1
    values: list[Any] = []
    while bare.startswith(("[", "{")) and (bare.startswith("[") or listed):
        while position < len(text) and text[position] in " \t\r\n,":
            position += 1
        try:
            value, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            break
        values.append(value)
    if values:
        yield from _shapes(values, "the file")
    yield "the file is not whole JSON: cut short or mangled" + (f" after {len(values)} values" if values else "")


def _shapes(value: object, where: str) -> Iterator[_Found | str]:
    """The conversations of a JSON value, whichever of the known shapes it has."""
    if isinstance(value, list):
        if any(openai_blocks.is_message(item) for item in value):
            messages = list(_messages(value))
            yield _Found(messages, dropped=len(value) - len(messages))
            return
        for number, item in enumerate(value, 1):
            yield from _shapes(item, f"{where}, item {number}")
        return
    if isinstance(value, dict):
        value = _logged(value)
        for name in _LISTS:
            inner = value.get(name)
            if name == "messages_display" and isinstance(inner, str):
                yield _Found(_displayed(inner), value)
                return
            if isinstance(inner, list):
                messages = list(_messages(inner))
                if messages or not inner:
                    yield _Found(messages, value, len(inner) - len(messages))
                    return
    yield f"{where}: no messages"


def _logged(value: dict[str, Any]) -> dict[str, Any]:
    """A logged call of a chat interface as the conversation it stands for: what was sent, and the answer."""
    sent, got = value.get("request"), value.get("response")
    if not isinstance(sent, dict) or not isinstance(sent.get("messages"), list):
        return value
    choices = got.get("choices") if isinstance(got, dict) else None
    answers = [each.get("message") for each in choices[:1] if isinstance(each, dict)] if isinstance(choices, list) else [got]
    return {**sent, **value, "messages": [*sent["messages"], *(each for each in answers if isinstance(each, dict))]}


def _displayed(text: str) -> list[dict[str, Any]]:
    """Messages of a dialogue written as text, a speaker's role before each."""
    starts = list(_DISPLAY.finditer(text))
    ends = [*(start.start() for start in starts[1:]), len(text)]
    told = [(start[1], text[start.end() : end].strip()) for start, end in zip(starts, ends, strict=True)]
    # `None` stands for a message that only called a tool.
    return [{"role": who, "content": None if words == "None" else words} for who, words in told]


def _own_id(one: _Found) -> str:
    for name in ("session_id", "conversation_id", "thread_id", "id"):
        told = one.wrapper.get(name)
        if isinstance(told, str) and told:
            return jsonl.text(told)
    return ""


def _conversation(one: _Found, own: str, key: bytes) -> Conversation:
    wrapper = one.wrapper
    strip = openai_blocks.prefixed(one.messages)
    noise: Counter[str] = Counter()
    turns: list[Turn] = []
    for number, message in enumerate(one.messages, 1):
        found = openai_blocks.turns(openai_blocks.Place(number), message, strip)
        turns += found
        noise["empty message"] += not found
    noise["no message"] += one.dropped
    session = own or key.hex()[:12]
    if not own and isinstance(wrapper.get("task_id"), int | str):
        # A run of a benchmark is named by its task and trial; the hash tells runs of two models apart.
        session = jsonl.text(f"task-{wrapper['task_id']}-{wrapper.get('trial', 0)}-{session[:6]}")
    starts = (times.utc(wrapper.get(name)) for name in ("session_start", "started", "created_at", "timestamp"))
    started = next((said for said in starts if said), "") or next((turn.said for turn in turns if turn.said), "")
    config = wrapper.get("model_config")
    cwd = jsonl.text(wrapper.get("cwd")) or (jsonl.text(config.get("cwd")) if isinstance(config, dict) else "")
    model = jsonl.text(wrapper.get("model"))
    if model:
        turns = [replace(turn, name=model) if turn.speaker == "assistant" and not turn.name else turn for turn in turns]
    return Conversation(session, jsonl.text(wrapper.get("title")), started, tuple(turns), +noise, cwd)


def _values(head: Head) -> list[object]:
    """The values of the head's first lines that are whole."""
    rows = head.data.removeprefix(jsonl.BOM).split(b"\n")
    rows = rows if head.whole else rows[:-1]
    values: list[object] = []
    for row in islice((row for row in rows if row.strip()), 3):
        try:
            values.append(orjson.loads(row))
        except ValueError:
            return values
    return values


def _recognise_lines(head: Head) -> bool:
    start = head.data.removeprefix(jsonl.BOM).lstrip()
    if not start.startswith((b"{", b"[")):
        return False
    values = _values(head)
    if not values or (len(values) == 1 and isinstance(values[0], list) and head.whole):
        return False
    return all(any(True for _ in _messages(value)) for value in values)


def _recognise_document(head: Head) -> bool:
    start = head.data.removeprefix(jsonl.BOM).lstrip()
    if not start.startswith((b"{", b"[")) or _OTHERS.search(start):
        return False
    if head.whole:
        return any(isinstance(item, _Found) and item.messages for item in _split(start))
    return _MESSAGE.match(start) is not None or _HEAD.search(start) is not None


LINES = LineFormat("openai-messages", _recognise_lines, read, ".jsonl", json=True)
DOCUMENT = Container("openai-document", _recognise_document, conversations)
