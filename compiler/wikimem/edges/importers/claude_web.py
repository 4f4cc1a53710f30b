"""Claude Code's sessions on the web, as they are saved: one JSON document with a list of `loglines`.

The lines are records of Claude Code's session files, often without ids; they are read as such.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import orjson

from wikimem.core.turns import Damage, Line, Noise, Turn
from wikimem.edges.importers import claude_code, jsonl, places
from wikimem.edges.importers.format import Container, Conversation, Head
from wikimem.edges.importers.places import mapping, string

_HEAD = re.compile(rb'"loglines"\s*:\s*\[')


def conversations(path: Path) -> Iterator[Conversation | str]:
    """The one conversation of a saved session; see `Container.conversations`."""
    data = path.read_bytes().removeprefix(jsonl.BOM)
    try:
        value = mapping(orjson.loads(data))
        found = value.get("loglines")
    except ValueError:
        yield "the file is not whole JSON: cut short or mangled"
        text = data.decode("utf-8", "replace")
        start = re.search(r'"loglines"\s*:\s*\[', text)
        value, found = {}, list(jsonl.members(text, start.end())) if start else []
    rows = [_row(one) for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    turns: list[Turn] = []
    noise: Counter[str] = Counter()
    facts: dict[str, str] = {}
    records = sorted(claude_code.read(Line(n, 0, row) for n, row in enumerate(rows, 1)), key=lambda record: record.line)
    for record in records:
        facts |= {name: told for name, told in record.facts.items() if name == "title" or name not in facts}
        match record.gave:
            case Noise(kind):
                noise[kind] += 1
            case Damage(reason):
                noise[reason] += 1
            case gave:
                turns += gave
    session = string(value.get("id")) or string(value.get("session_id")) or facts.get("session", "")
    session = session or f"web-{places.short(''.join(turn.text for turn in turns[:4]))}"
    started = next((turn.said for turn in turns if turn.said), "")
    title = string(value.get("title")) or facts.get("title", "")
    yield Conversation(session, title, started, tuple(turns), noise, facts.get("cwd", ""))


def _recognise(head: Head) -> bool:
    start = head.data.lstrip(b"\xef\xbb\xbf\x00 \r\n")
    return start.startswith(b"{") and _HEAD.search(start[:8192]) is not None


FORMAT = Container("claude-web", _recognise, conversations)


def _row(record: dict[str, object]) -> bytes:
    """A record as a line of its own, numbers of any size whole; one nested too deep to be written is a damaged line."""
    try:
        return json.dumps(record).encode()
    except RecursionError:
        return b"{nested too deep"
