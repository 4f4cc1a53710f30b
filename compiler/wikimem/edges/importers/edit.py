"""Hand edits: what people did to the wiki, one operation a line, as `core.edits` writes them. A person said each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wikimem.core import edits
from wikimem.core.turns import Damage, Form, Line, Record, Speaker, Turn
from wikimem.edges.importers.format import Head, LineFormat


def read(lines: Iterable[Line]) -> Iterator[Record]:
    """One turn an operation; see `LineFormat.read`."""
    for line in lines:
        if not line.data.strip():
            continue
        try:
            edit = edits.read(line.data)
        except ValueError as wrong:
            yield Record(line.number, line.offset, Damage(f"not an edit: {wrong}"))
            continue
        turn = Turn(
            f"L{line.number}", Speaker.HUMAN, Form.PROSE, edits.words(edit), edit.by, edit.said, mark="edit", about=edit.page
        )
        yield Record(line.number, line.offset, (turn,), facts={"time": edit.said, "title": "Edits of the wiki"})


def _recognise(head: Head) -> bool:
    return head.data.lstrip().startswith(b'{"wikimem-edit":')


FORMAT = LineFormat("edit", _recognise, read, ".jsonl", json=True)
