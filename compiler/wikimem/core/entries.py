"""Entries: what stands in an evidence bundle, one turn, claim or piece of a page each, as text and as plain values.

Whatever came from a transcript or a page is data: it is quoted line by line, so that no text can pass for a heading, a
citation or the guard line.
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
    """

    passage: Passage
    text: str
    score: float
    rank: int
    context: bool

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
    """

    statement: Statement
    text: str
    score: float
    rank: int
    rivals: tuple[Statement, ...]
    before: tuple[Statement, ...]
    also: tuple[Statement, ...]
    proof: str

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
        case Entry():
            return entry.passage.source
        case ClaimEntry():
            return entry.statement.page or f"claims/{entry.statement.about.key}"
        case ProseEntry():
            return entry.prose.path


def place(entry: AnyEntry) -> int:
    """Where an entry stands among those of its group: turns as they were said, claims as they rank, prose behind them."""
    match entry:
        case Entry():
            return entry.passage.ordinal
        case ClaimEntry():
            return entry.rank
        case ProseEntry():
            return 1_000_000 + entry.prose.line


def heading(entry: AnyEntry) -> str:
    """The heading of an entry's group."""
    match entry:
        case Entry():
            title, scope = entry.passage.source, entry.passage.scope
        case ClaimEntry():
            about = entry.statement.about
            title, scope = ": ".join(part for part in (entry.statement.page, about.title) if part), about.scope
        case ProseEntry():
            title, scope = f"{entry.prose.path}: {entry.prose.title}", entry.prose.scope
    return f"\n## {_line(title)}" + (f" ({_line(scope)})" if scope else "") + "\n"


def rendered(entry: AnyEntry) -> str:
    """An entry as an agent reads it."""
    match entry:
        case Entry(passage, text, _, _, context):
            what = "" if passage.form.value == "prose" else f", {passage.form.value}"
            mark = ", context" if context else ""
            who = _spoken(passage.told or passage.said, passage.speaker.value, passage.name)
            return f"\n[{passage.cite}] {who}{what}{mark}\n{_quoted(text)}\n"
        case ClaimEntry():
            return _claim(entry)
        case ProseEntry(prose, text):
            section = f", {_line(prose.section)}" if prose.section else ""
            return f"\n[{prose.cite}] written on the page{section}\n{_quoted(text)}\n"


_STATES = {"ended": "Ended: ", "retracted": "Retracted: ", "conflict": "", "current": ""}


def _claim(entry: ClaimEntry) -> str:
    told = entry.statement
    first = told.first
    lines = [f"- {_STATES[telling.state(told)]}{_line(told.claim.text)} ({_tail(told)})"]
    lines += [f"  In conflict, not settled, with: {_line(rival.claim.text)}" for rival in entry.rivals]
    lines += [f"  Before: {_line(one.claim.text)} ({_tail(one, brief=True)}) [{one.cite}]" for one in entry.before]
    lines += [_also(one, told) for one in entry.also]
    more = [f"{one.source}:{one.at}" for one in told.claim.evidence[1:4]]
    also = f", also {' '.join(f'[{cite}]' for cite in more)}" if more else ""
    lines.append(f"  [{told.cite}] {_spoken(first.zone.told(first.said), first.speaker, first.name)}{also}")
    if f"“{_line(entry.text)}”" not in _line(told.claim.text):
        # A claim that says its words in quotation marks says them once.
        lines.append(_quoted(entry.text))
    return "\n" + "\n".join(lines) + "\n"


def _also(one: Statement, told: Statement) -> str:
    if one.about.key != told.about.key:
        return f"  The same: {_line(one.page or one.about.title)}, {_line(one.about.scope) or 'no scope'} [{one.cite}]"
    return f"  Also: {_line(one.claim.text)} ({_tail(one)})"


def _tail(told: Statement, brief: bool = False) -> str:
    """Stance, dates, and what became of it; briefly, without saying again what took its place."""
    ending = telling.ending(told)
    if brief:
        ending = "retracted" if telling.state(told) == "retracted" else ""
    return ", ".join(_line(part) for part in (telling.ground(told), telling.dates(told), ending) if part)


def _spoken(said: str, speaker: str, name: str) -> str:
    who = speaker + (f" {_line(name)}" if name else "")
    return f"{said.replace('T', ' ') or 'undated'}, {who}"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines()) or "> "


def _line(text: str) -> str:
    return " ".join(text.split())


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
