"""What is asked about in tests of models: a session in which a person says some things."""

from __future__ import annotations

from collections.abc import Callable

from wikimem.core.turns import Form, Speaker, Turn
from wikimem.core.views import Spoken, View
from wikimem.edges.models.asking import Asker

Ask = Callable[..., Asker]


def view_of(*said: str, source: str = "20260302-claude-code-00000001") -> View:
    """A session in which a person says these things."""
    turns = [Turn(f"L{n}", Speaker.HUMAN, Form.PROSE, text, said=f"2026-03-02T09:0{n}:00Z") for n, text in enumerate(said, 1)]
    return View(source, "project:harbour", "", "", "", tuple(Spoken(n, turn, turn.text) for n, turn in enumerate(turns)))
