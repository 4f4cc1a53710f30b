"""Filed answers: one line each, as `core.filed` writes them. Whoever answered concluded; no person said it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wikimem.core import filed
from wikimem.core.turns import Damage, Form, Line, Record, Speaker, Turn
from wikimem.edges.importers.format import Head, LineFormat


def read(lines: Iterable[Line]) -> Iterator[Record]:
    """One turn an answer; see `LineFormat.read`."""
    for line in lines:
        if not line.data.strip():
            continue
        try:
            told = filed.read(line.data)
        except ValueError as wrong:
            yield Record(line.number, line.offset, Damage(f"not a filed answer: {wrong}"))
            continue
        at = f"L{line.number}"
        turn = Turn(at, Speaker.ASSISTANT, Form.PROSE, told.words, told.by, told.asked, mark=filed.MARK, about=told.question)
        facts = {"time": told.asked, "title": told.question}
        yield Record(line.number, line.offset, (turn,), facts={name: value for name, value in facts.items() if value})


def _recognise(head: Head) -> bool:
    return head.data.lstrip().startswith(f'{{"{filed.KEY}":'.encode())


FORMAT = LineFormat(filed.FORMAT, _recognise, read, ".jsonl", json=True)
