"""What is put into the index: a source with its turns, a subject with its statements, a page with what people wrote on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from wikimem.core.prose import Prose
from wikimem.core.statements import Relations, Statement
from wikimem.core.turns import Turn
from wikimem.core.zones import UTC, Zone


@dataclass(frozen=True, slots=True)
class Batch:
    """One source, as it is indexed.

    Args:
        source: its id.
        key: what changes when its content does, such as the hash of its bytes; `Index.known` gives it back.
        scope: the scope of its session, `project:checkout`; empty if it has none.
        turns: all of them, in order.
        skip: locators that are not indexed: rewound turns, copies of another source's.
        zone: in which it tells its days.
    """

    source: str
    key: str
    scope: str
    turns: Sequence[Turn]
    skip: frozenset[str] = frozenset()
    zone: Zone = UTC


@dataclass(frozen=True, slots=True)
class Topic:
    """One subject.

    Args:
        source: its unit, `claims/` and its key.
        key: as in `Batch`.
        statements: all of them.
        relations: among its claims.
        themes: by which words statements may be asked for beside their own, by the id of the claim that is shown.
    """

    source: str
    key: str
    statements: Sequence[Statement]
    relations: Relations
    themes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page.

    Args:
        source: its unit: its path, `wiki/topics/payment-retries.md`.
        key: as in `Batch`.
        pieces: what people wrote on it.
    """

    source: str
    key: str
    pieces: Sequence[Prose]


Unit = Batch | Topic | Sheet
"""What comes and goes as a whole."""
