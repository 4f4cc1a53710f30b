"""Answers: what a search found, of three kinds: turns, claims with the turns that prove them, and prose of pages.

A claim and its turns are one answer; so are claims that contradict each other, and a claim with those it ended. How
they are put together from ranked numbers is told in `edges.index.gathering`, how they are shown in `bundles`.
"""

from __future__ import annotations

from dataclasses import dataclass

from wikimem.core.passages import Hit
from wikimem.core.prose import Prose
from wikimem.core.statements import Statement


@dataclass(frozen=True, slots=True)
class Told:
    """Claims that answer a query.

    Args:
        statements: one; or several, all of them in conflict: shown together or not at all.
        score: as of a `Hit`.
        spots: offsets in the first one's text where words of the query stand.
        before: those that the first one ended, and that answer too.
        also: others that answer too: about the same subject, proved by the same turns, or about another in the same words.
        turn: the turn that proves the first one, where it is in the index.
        whole: whether the turn says more of what was asked than the claim and its quote do.
    """

    statements: tuple[Statement, ...]
    score: float
    spots: tuple[int, ...] = ()
    before: tuple[Statement, ...] = ()
    also: tuple[Statement, ...] = ()
    turn: Hit | None = None
    whole: bool = False

    @property
    def first(self) -> Statement:
        """The one that answers best."""
        return self.statements[0]

    @property
    def cites(self) -> tuple[str, ...]:
        """The citations of all that proves them."""
        every = (*self.statements, *self.before, *self.also)
        return tuple(f"{one.source}:{one.at}" for told in every for one in told.claim.evidence)


@dataclass(frozen=True, slots=True)
class Written:
    """Prose of a page that answers a query; score and spots as of a `Hit`."""

    prose: Prose
    score: float
    spots: tuple[int, ...] = ()


Answer = Hit | Told | Written
