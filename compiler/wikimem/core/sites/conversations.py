"""Conversations: a session as the site shows it: every turn in order, cited words marked, long sessions in parts. Values.

Nothing is judged here: rewound turns are shown as such, and whatever a tool printed is text. Very long outputs are cut in
the middle; the cited words stay, and what was left out is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from wikimem.core import actions, texts
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.sessions import Session
from wikimem.core.sites import addresses
from wikimem.core.turns import Form, Speaker, Turn
from wikimem.core.zones import UTC, Zone

PART = 160_000
"""Characters of a part of a session, about."""
_TURN = 700
_CUT = {Form.RESULT: 5_000, Form.CALL: 5_000, Form.PROSE: 30_000, Form.THINKING: 5_000}
_AROUND = 300


@dataclass(frozen=True, slots=True)
class Cited:
    """A claim that a turn proves; `href` is empty where no page shows it."""

    id: str
    text: str
    stance: str
    href: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a turn's text: `plain`, `quote` (cited words), or `gap` (its text is how many characters)."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """A turn as it is shown.

    Args:
        label: what a folded turn is known by: a command, a path, its first words.
        stretches: its text in order.
        member: the sub-agent or further file it begins, where it is the first of one; else empty.
    """

    at: str
    fragment: str
    speaker: str
    name: str
    form: str
    time: str
    mark: str
    about: str
    error: bool
    rewound: bool
    label: str
    stretches: tuple[Stretch, ...]
    cited: tuple[Cited, ...]
    member: str


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a session, from 1."""

    number: int
    turns: tuple[Said, ...]


def of(session: Session, file: ClaimFile | None, places: Callable[[str], str], zone: Zone = UTC) -> tuple[Part, ...]:
    """A session in parts; at least one, though it may be empty.

    Args:
        session: read.
        file: what it yields; None if it was not compiled.
        places: the path of the page that shows a claim, empty for none.
        zone: of the vault.
    """
    cited, quotes = _cited(session.source, file, places)
    parts: list[list[Said]] = [[]]
    size = 0
    member = ""
    for turn in session.turns:
        mine = turn.at.rpartition("/")[0]
        begins, member = (mine if mine != member else ""), mine
        said = _said(turn, zone.told(turn.said), session, cited.get(turn.at, ()), quotes.get(turn.at, ()), begins)
        weight = _TURN + sum(len(stretch.text) for stretch in said.stretches)
        if parts[-1] and size + weight > PART:
            parts.append([])
            size = 0
        parts[-1].append(said)
        size += weight
    return tuple(Part(number, tuple(turns)) for number, turns in enumerate(parts, 1))


def cited_parts(parts: Iterable[Part]) -> dict[str, int]:
    """The part of each cited turn by locator, for those beyond the first part."""
    return {said.at: part.number for part in parts if part.number > 1 for said in part.turns if said.cited}


def _cited(
    source: str, file: ClaimFile | None, places: Callable[[str], str]
) -> tuple[Mapping[str, list[Cited]], Mapping[str, list[str]]]:
    """By locator: the claims that a turn proves, and the words it proves them by."""
    claims: dict[str, list[Cited]] = {}
    quotes: dict[str, list[str]] = {}
    here = addresses.session(source)
    for claim in file.claims if file else ():
        path = places(claim.id)
        href = addresses.link(addresses.page(path), here, addresses.claim(claim.id)) if path else ""
        for one in claim.evidence:
            found = [(one.at, one.quote)]
            found += [(one.proposal.at, one.proposal.quote)] if one.proposal else []
            for at, quote in found:
                known = claims.setdefault(at, [])
                if all(each.id != claim.id for each in known):
                    known.append(Cited(claim.id, claim.text, claim.stance.value, href))
                quotes.setdefault(at, []).append(quote)
    return claims, quotes


def _said(turn: Turn, time: str, session: Session, cited: Iterable[Cited], quotes: Iterable[str], member: str) -> Said:
    return Said(
        at=turn.at,
        fragment=addresses.turn(turn.at),
        speaker=turn.speaker.value,
        name=turn.name,
        form=turn.form.value,
        time=time,
        mark=turn.mark,
        about=turn.about,
        error=turn.error,
        rewound=turn.at in session.dead,
        label=_label(turn),
        stretches=tuple(_stretches(turn, quotes)),
        cited=tuple(cited),
        member=member,
    )


def _label(turn: Turn) -> str:
    """What a folded turn is known by; empty for speech, which is not folded."""
    if turn.form is Form.PROSE and turn.speaker in (Speaker.HUMAN, Speaker.ASSISTANT):
        return ""
    action = actions.of(turn)
    line = texts.normal(action.target if action else turn.text[:400])
    return line if len(line) <= 110 else f"{line[:109]}…"


def _stretches(turn: Turn, quotes: Iterable[str]) -> Iterator[Stretch]:
    text = turn.text
    spans = _merged(span for quote in quotes if (span := _place(quote, text)))
    most = _CUT[turn.form]
    if len(text) <= most * 3 // 2:
        yield from _pieces(text, 0, len(text), spans)
        return
    kept = _merged([(0, most * 2 // 3), *((max(0, a - _AROUND), min(len(text), b + _AROUND)) for a, b in spans)])
    kept = _merged([*kept, (len(text) - most // 3, len(text))])
    position = 0
    for start, end in kept:
        if start > position:
            yield Stretch("gap", str(start - position))
        yield from _pieces(text, start, end, spans)
        position = end


def _place(quote: str, text: str) -> tuple[int, int] | None:
    """Where a quote stands: as it is, which is quickly found, else after folding."""
    at = text.find(quote) if quote else -1
    return (at, at + len(quote)) if at >= 0 else texts.find(quote, text)


def _pieces(text: str, start: int, end: int, spans: Iterable[tuple[int, int]]) -> Iterator[Stretch]:
    position = start
    for first, last in spans:
        if first >= end or last <= start:
            continue
        if first > position:
            yield Stretch("plain", text[position:first])
        yield Stretch("quote", text[max(first, position) : last])
        position = last
    if position < end:
        yield Stretch("plain", text[position:end])


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found
