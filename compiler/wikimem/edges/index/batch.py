"""What is put into the index: a source and its turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wikimem.core.turns import Turn


@dataclass(frozen=True, slots=True)
class Batch:
    """One source, as it is indexed.

    Args:
        source: its id.
        key: what changes when its content does, such as the hash of its bytes; `Index.known` gives it back.
        scope: the scope of its session, `project:checkout`; empty if it has none.
        turns: all of them, in order.
        skip: locators that are not indexed: rewound turns, copies of another source's.
    """

    source: str
    key: str
    scope: str
    turns: Sequence[Turn]
    skip: frozenset[str] = frozenset()
