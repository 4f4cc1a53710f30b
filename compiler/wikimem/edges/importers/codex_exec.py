"""The stream that `codex exec --json` prints: threads, turns and items, one JSON event a line.

It has no times and not the prompt; what it was asked stands in the rollout that Codex kept of the same thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from wikimem.core.turns import Line, Noise, Record
from wikimem.edges.importers import codex_events, places
from wikimem.edges.importers.codex_items import Told
from wikimem.edges.importers.format import Head, LineFormat
from wikimem.edges.importers.places import Facts, Place, Taken, mapping, string

_HEAD = re.compile(
    rb'"type"\s*:\s*"(?:thread\.started|turn\.started|item\.(?:started|updated|completed)|turn\.(?:completed|failed))"'
)
_QUIET = frozenset({"thread.started", "turn.started", "turn.completed", "turn.failed", "error"})


def read(lines: Iterable[Line]) -> Iterator[Record]:
    """Records of a stream; see `LineFormat.read`."""
    reader = _Reader()
    yield from places.records(lines, reader.take, _is_record, reader.rest)


def _is_record(value: dict[str, Any]) -> bool:
    return string(value.get("type")).startswith(("item.", "turn.", "thread."))


class _Reader:
    def __init__(self) -> None:
        self.thread = ""
        self.facts = Facts()
        self.told = Told()
        # An item that began and never ended still tells what was tried.
        self.begun: dict[str, tuple[Line, Mapping[str, Any]]] = {}

    def take(self, line: Line, value: dict[str, Any]) -> Iterator[Record]:
        kind = string(value.get("type"))
        item = mapping(value.get("item"))
        own = string(item.get("id"))
        if kind == "thread.started":
            # Items are numbered anew in each thread, and calls are only told apart within one.
            yield from self.rest()
            self.thread, self.told = string(value.get("thread_id")), Told()
            yield Record(line.number, line.offset, Noise(kind), facts=self.facts.new(session=self.thread))
        elif kind == "item.started" or kind == "item.updated":
            earlier = self.begun.pop(own, None)
            if earlier is not None:
                yield Record(earlier[0].number, earlier[0].offset, Noise("item:went on"))
            self.begun[own] = (line, item)
        elif kind == "item.completed":
            earlier = self.begun.pop(own, None)
            if earlier is not None:
                yield Record(earlier[0].number, earlier[0].offset, Noise("item:went on"))
            yield Record(line.number, line.offset, self._gave(line, item))
        else:
            yield Record(line.number, line.offset, Noise(kind or "record without a type", known=kind in _QUIET))

    def rest(self) -> Iterator[Record]:
        for line, item in self.begun.values():
            yield Record(line.number, line.offset, self._gave(line, item))
        self.begun.clear()

    def _gave(self, line: Line, item: Mapping[str, Any]) -> Taken:
        own = string(item.get("id"))
        place = Place(line, own=f"{self.thread}:{own}" if self.thread and own else "")
        return codex_events.item(place, item, self.told)


def _recognise(head: Head) -> bool:
    start = head.data.lstrip(b"\xef\xbb\xbf\x00 \r\n")
    return start.startswith(b"{") and b'"payload"' not in start[:2048] and _HEAD.search(start[:4096]) is not None


FORMAT = LineFormat("codex-exec", _recognise, read, ".jsonl", json=True)
