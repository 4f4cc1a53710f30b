"""Entries: what stands in an evidence bundle, one turn, claim or piece of a page each, and that as plain values.

How an agent reads them is told in `layout`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wikimem.core import telling
from wikimem.core.passages import Passage
from wikimem.core.prose import Prose
from wikimem.core.statements import Statement


@dataclass(frozen=True, slots=True)
class Entry:
    """One turn in a bundle.

    Args:
        passage: where it is from.
        text: what is shown of it: all, or the part around what matched, with `…` where something was left out.
        score: of the hit; 0 for context.
        rank: the hit's place, from 1; of context, the place of the hit that it belongs to.
        context: whether it is only shown because it stands beside a hit.
        head: when what its heading tells of was said, to the minute: it is not told again.
        branch: the branch of somebody's code that it was said on, where that is known not to be merged.
    """

    passage: Passage
    text: str
    score: float
    rank: int
    context: bool
    head: str = ""
    branch: str = ""

    @property
    def cut(self) -> bool:
        """Whether something of the passage is left out."""
        return self.text != self.passage.text.strip()


@dataclass(frozen=True, slots=True)
class ClaimEntry:
    """One claim in a bundle.

    Args:
        statement: the claim with its place in time.
        text: the words that prove it: its quote, or the turn where that says more of what was asked.
        score: of the answer.
        rank: the answer's place, from 1; claims in conflict have one place.
        rivals: those it is in conflict with, which are in the bundle too.
        before: those it ended and that answer too.
        also: as in `Told`.
        proof: what `text` is taken from, whole.
        turn: the turn that proves it, where the claim adds no words of its own: then the turn is shown in its place.
        head: as of an `Entry`; only with `turn`.
        branch: as of an `Entry`, where all that proves it was said on such a branch.
    """

    statement: Statement
    text: str
    score: float
    rank: int
    rivals: tuple[Statement, ...]
    before: tuple[Statement, ...]
    also: tuple[Statement, ...]
    proof: str
    turn: Passage | None = None
    head: str = ""
    branch: str = ""

    @property
    def cut(self) -> bool:
        """Whether something of what proves it is left out."""
        return self.text != self.proof


@dataclass(frozen=True, slots=True)
class ProseEntry:
    """One piece of a page in a bundle; text, score and rank as in `Entry`."""

    prose: Prose
    text: str
    score: float
    rank: int

    @property
    def cut(self) -> bool:
        """Whether something of the piece is left out."""
        return self.text != self.prose.text


AnyEntry = Entry | ClaimEntry | ProseEntry


def group(entry: AnyEntry) -> str:
    """What an entry stands under: its source, or its page."""
    match entry:
        case Entry(passage) | ClaimEntry(turn=Passage() as passage):
            return passage.source
        case ClaimEntry():
            return entry.statement.page or f"claims/{entry.statement.about.key}"
        case ProseEntry():
            return entry.prose.path


def place(entry: AnyEntry) -> int:
    """Where an entry stands among those of its group: turns as they were said, claims as they rank, prose behind them."""
    match entry:
        case Entry(passage) | ClaimEntry(turn=Passage() as passage):
            return passage.ordinal
        case ClaimEntry():
            return entry.rank
        case ProseEntry():
            return 1_000_000 + entry.prose.line


def as_dict(entry: AnyEntry) -> dict[str, Any]:
    """An entry as plain values; `kind` tells which. All kinds have the same keys, claims some more."""
    match entry:
        case Entry(passage):
            told: dict[str, Any] = {
                "kind": "turn",
                "cite": passage.cite,
                "source": passage.source,
                "at": passage.at,
                "said": passage.said,
                "speaker": passage.speaker.value,
                "name": passage.name,
                "form": passage.form.value,
                "scope": passage.scope,
                "role": "context" if entry.context else "hit",
            }
        case ClaimEntry(statement):
            told = claim(statement) | {
                "quote": entry.text,
                "before": [telling.brief(one) for one in entry.before],
                "also": [telling.brief(one) for one in entry.also],
            }
        case ProseEntry(prose):
            told = piece(prose)
    text = entry.statement.claim.text if isinstance(entry, ClaimEntry) else entry.text
    told["unmerged"] = "" if isinstance(entry, ProseEntry) else entry.branch
    return told | {"rank": entry.rank, "score": round(entry.score, 4), "cut": entry.cut, "text": text}


def claim(statement: Statement) -> dict[str, Any]:
    """What tells of a claim, without its text: place and speaker of its first evidence, and all of it under `claim`."""
    first = statement.first
    return {
        "kind": "claim",
        "cite": statement.cite,
        "source": first.source,
        "at": first.at,
        "said": first.said,
        "speaker": first.speaker,
        "name": first.name,
        "form": "claim",
        "scope": statement.about.scope,
        "role": "hit",
        "claim": telling.full(statement),
    }


def piece(prose: Prose) -> dict[str, Any]:
    """What tells of a piece of a page, without its text."""
    return {
        "kind": "prose",
        "cite": prose.cite,
        "source": prose.path,
        "at": f"L{prose.line}",
        "said": "",
        "speaker": "human",
        "name": "",
        "form": "prose",
        "scope": prose.scope,
        "role": "hit",
        "title": prose.title,
        "section": prose.section,
    }
