"""Edits as they lie in a source: the operations with their lines, read from the stored bytes."""

from __future__ import annotations

from wikimem.core import edits
from wikimem.core.edits import Edit
from wikimem.core.sessions import Session
from wikimem.edges.ledger import Ledger


def read(ledger: Ledger, source: str, session: Session) -> tuple[tuple[int, Edit], ...]:
    """The edits of a source, each with its line.

    Args:
        ledger: the vault's sources.
        source: the source's id.
        session: the source, read: a line that is no edit gave no turn.
    """
    lines = {int(turn.at[1:]) for turn in session.turns}
    raw = ledger.text(source, 1, max(lines, default=0))
    return tuple((number, edits.read(line)) for number, line in enumerate(raw, 1) if number in lines)
