"""Leaves: one page of the wiki as the site shows it: claims with dates, proofs and links, people's prose, history. Values.

The page as it lies on disk is what is shown, people's edits included; the claims files of the sources it names add what a
page leaves out: attributes, full times, and the words of further evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from wikimem.core import footnotes, moments
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.claims import Claim, Evidence
from wikimem.core.footnotes import Footnote, Place
from wikimem.core.lines import ClaimLine, Part
from wikimem.core.pages import Blank, Heading, Kept, Lead, Line, Link, Page, Rule
from wikimem.core.sites import addresses, timelines
from wikimem.core.sites.entries import Entry, Near
from wikimem.core.sites.names import Names, Piece
from wikimem.core.sites.timelines import Drawing, Span

QUOTES = 6
"""Proofs of a claim that a page shows at most; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A session, as pages refer to it.

    Args:
        source: its id.
        title: what it is called.
        started: when, as told; may be empty.
        parts: for a session in parts, the part that a cited turn is in, by its locator.
    """

    source: str
    title: str
    started: str = ""
    parts: Mapping[str, int] = field(default_factory=dict)

    def file(self, at: str) -> str:
        """The file that a turn is in."""
        return addresses.session(self.source, self.parts.get(at, 1))


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that prove a claim; `href` is empty where the session is not in this site."""

    at: str
    source: str
    words: str
    speaker: str
    said: str
    session: str
    href: str
    accepting: str = ""


@dataclass(frozen=True, slots=True)
class Pointer:
    """Another claim that a claim names: what it says, and where it stands."""

    id: str
    text: str
    href: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A claim as a line of the page.

    Args:
        fragment: what its line is addressed by.
        pieces: its text.
        when: `since 2026-08-14`, as the page says it; for an ended one all its intervals.
        spans: first day and day after the last of each stretch; the second empty while it holds.
        why: `superseded` or `retracted`, by the claims in `by`.
    """

    id: str
    fragment: str
    pieces: tuple[Piece, ...]
    text: str
    when: str
    spans: tuple[tuple[str, str], ...]
    stance: str
    confidence: int
    attribute: str
    struck: bool
    number: int
    why: str
    by: tuple[Pointer, ...]
    rivals: tuple[Pointer, ...]
    quotes: tuple[Quote, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Section:
    """A section: claims, links to further pages of this one, and what people wrote in it, as markdown."""

    title: str
    claims: tuple[Shown, ...]
    links: tuple[tuple[str, str], ...]
    prose: str


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page of the wiki.

    Args:
        lead: sentences of the lead, each in pieces with the fragments of its claims.
        related, backlinks: title, link and reason.
        sessions: the sessions it rests on, newest first: title, day and link.
    """

    entry: Entry
    lead: tuple[tuple[tuple[Piece, ...], tuple[str, ...]], ...]
    opening: str
    sections: tuple[Section, ...]
    related: tuple[tuple[str, str, str], ...]
    backlinks: tuple[tuple[str, str], ...]
    sessions: tuple[tuple[str, str, str], ...]
    timeline: Drawing | None
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Around:
    """What a page's surroundings give.

    Args:
        files: the claims file of each source it names.
        stops: the sessions of this site, those it names at least.
        near: the pages it links to that are in this site, by path.
        back: the pages that link to it.
        places: the path of the page that a claim stands on.
    """

    files: Mapping[str, ClaimFile]
    stops: Mapping[str, Stop]
    near: Mapping[str, Near]
    back: Sequence[Near]
    places: Callable[[str], str]


def of(entry: Entry, page: Page, parts: Iterable[Page], around: Around) -> Leaf:
    """The leaf of a page.

    Args:
        entry: the page's.
        page: parsed.
        parts: its further pages, for the timeline alone.
        around: see `Around`.
    """
    here = entry.file
    near = [each for each in around.near.values() if each.path != entry.path]
    names = Names((name, addresses.link(each.file, here)) for each in near for name in (each.title, *each.aliases))
    maker = _Maker(entry, page, around, names)
    sections = maker.sections()
    spans = [span for section in sections for claim in section.claims for span in _spans(section.title, claim)]
    for part in parts:
        others = _Maker(entry, part, around, Names(())).sections()
        spans += [span for section in others for claim in section.claims for span in _spans(section.title, claim)]
    days = sorted(day for span in spans for day in (span.start, span.end) if day)
    return Leaf(
        entry=entry,
        lead=tuple(
            (names.pieces(text), tuple(addresses.claim(id) for id in ids))
            for line in page.lines
            if isinstance(line, Lead)
            for text, ids in line.sentences
        ),
        opening=maker.opening,
        sections=tuple(section for section in sections if section.claims or section.links or section.prose),
        related=tuple(maker.related()),
        backlinks=tuple((each.title, addresses.link(each.file, here)) for each in around.back),
        sessions=tuple(
            (stop.title, moments.written(stop.started), addresses.link(stop.file(""), here))
            for source in sorted(entry.sources, reverse=True)
            if (stop := around.stops.get(source))
        ),
        timeline=timelines.draw(spans),
        first=days[0] if days else "",
        last=days[-1] if days else "",
    )


class _Maker:
    """Makes the sections of one page file."""

    def __init__(self, entry: Entry, page: Page, around: Around, names: Names) -> None:
        self._entry, self._page, self._around, self._names = entry, page, around, names
        self._notes = page.notes
        self._live = {line.id for _, line in page.claims if not line.struck}
        self._texts = {line.id: line.text for _, line in page.claims}
        self.opening = ""

    def sections(self) -> list[Section]:
        """All sections with claims, parts or prose, people's own after the place where they stand."""
        found: list[tuple[str, list[Line]]] = [("", [])]
        rules = 0
        for line in self._page.lines:
            if isinstance(line, Rule):
                rules += 1
            elif rules == 1:
                continue
            elif isinstance(line, Heading):
                found.append((line.section, []))
            elif isinstance(line, Kept) and line.text.startswith("## "):
                found.append((line.text[3:].strip(), []))
            else:
                found[-1][1].append(line)
        self.opening = _prose(found[0][1])
        return [self._section(title, lines) for title, lines in found[1:]]

    def related(self) -> Iterable[tuple[str, str, str]]:
        """Title, link and reason of each related page that is in this site."""
        links = [line for section, line in self._page.placed() if section == "Related" and isinstance(line, Link)]
        for path, link in zip(self._entry.links, dict.fromkeys(links), strict=False):
            near = self._around.near.get(path)
            if near is not None:
                yield near.title, addresses.link(near.file, self._entry.file), link.reason

    def _section(self, title: str, lines: list[Line]) -> Section:
        links = [line for line in lines if isinstance(line, Link) and title != "Related"]
        return Section(
            title=title,
            claims=tuple(self._claim(line, title) for line in lines if isinstance(line, ClaimLine)),
            links=tuple((link.title, link.target.removesuffix(".md") + ".html") for link in links),
            prose=_prose(lines),
        )

    def _claim(self, line: ClaimLine, section: str) -> Shown:
        note = self._notes.get(line.id)
        claim = self._known(line.id, note)
        quotes = self._quotes(note, line.id) if note else []
        ended = [part for part in line.tail.parts if part.why]
        return Shown(
            id=line.id,
            fragment=f"past-{line.id}" if line.struck and line.id in self._live else addresses.claim(line.id),
            pieces=self._names.pieces(line.text),
            text=line.text,
            when="; ".join(told for part in line.tail.parts if (told := _when(part))),
            spans=_stretches(line, note, section),
            stance=note.stance if note else line.tail.stance,
            confidence=line.tail.confidence,
            attribute=claim.attribute if claim else "",
            struck=line.struck,
            number=line.number,
            why=ended[-1].why if ended else "",
            by=tuple(self._pointer(part.by) for part in ended),
            rivals=tuple(self._pointer(rival) for rival in line.tail.rivals),
            quotes=tuple(quotes[:QUOTES]),
            more=max(0, len(quotes) - QUOTES),
        )

    def _pointer(self, id: str) -> Pointer:
        file = self._around.places(id)
        if not file or id in self._texts:
            return Pointer(id, self._texts.get(id, ""), f"#{addresses.claim(id)}")
        href = addresses.link(addresses.page(file), self._entry.file, addresses.claim(id))
        known = self._known(id, self._notes.get(id))
        return Pointer(id, known.text if known else "", href)

    def _known(self, id: str, note: Footnote | None) -> Claim | None:
        if note is None:
            return None
        cited = addresses.cited(note.place.target)
        file = self._around.files.get(cited[0]) if cited else None
        return next((claim for claim in file.claims if claim.id == id), None) if file else None

    def _quotes(self, note: Footnote, id: str) -> list[Quote]:
        found = [self._quote(note.place, id, note)]
        found += [self._quote(place, id, None) for place in note.also]
        return [quote for quote in found if quote is not None]

    def _quote(self, place: Place, id: str, note: Footnote | None) -> Quote | None:
        cited = addresses.cited(place.target)
        if cited is None:
            return None
        source = cited[0]
        stop = self._around.stops.get(source)
        evidence = self._evidence(source, place.at, id)
        said = evidence.zone.shown(evidence.said) if evidence else note.said if note else ""
        speaker = (evidence.name or evidence.speaker) if evidence else (note.name or note.speaker) if note else ""
        href = addresses.link(stop.file(place.at), self._entry.file, addresses.turn(place.at)) if stop else ""
        accepting = note.accepting.quote if note and note.accepting else ""
        words = place.quote or (footnotes.shown_quote(evidence.quote) if evidence else "")
        return Quote(place.at, source, words, speaker, said, stop.title if stop else "", href, accepting)

    def _evidence(self, source: str, at: str, id: str) -> Evidence | None:
        """The assertion at a place: of this claim, else of one that was judged to say the same."""
        file = self._around.files.get(source)
        if file is None:
            return None
        here = [(claim.id != id, one) for claim in file.claims for one in claim.evidence if one.at == at]
        return min(here, key=lambda pair: pair[0])[1] if here else None


def _when(part: Part) -> str:
    if part.on:
        return f"on {part.start}"
    if part.start and part.end:
        return f"{part.start} to {part.end}"
    return f"since {part.start}" if part.start else f"until {part.end}" if part.end else ""


def _stretches(line: ClaimLine, note: Footnote | None, section: str) -> tuple[tuple[str, str], ...]:
    """The days of each stretch a line tells; without a stated beginning, from the day it was said."""
    said = note.said if note else ""
    found: list[tuple[str, str]] = []
    for part in line.tail.parts or (Part(),):
        if part.why == "retracted":
            continue
        start = moments.floor(part.start[:10])[:10] or moments.floor(said)[:10]
        end = "" if section == "Events" else moments.floor(part.end[:10])[:10]
        if line.struck and not end:
            continue
        found.append((start, end))
    return tuple(found)


def _spans(section: str, claim: Shown) -> Iterable[Span]:
    event = section == "Events"
    if not event and not claim.attribute and not claim.struck:
        return
    row = "events" if event else (claim.attribute or "ended").replace("-", " ")
    for start, end in claim.spans:
        if start:
            yield Span(row, claim.text, claim.fragment, start, end, event, claim.struck)


def _prose(lines: Sequence[Line]) -> str:
    """What people wrote among some lines, as markdown."""
    kept = [line.text if isinstance(line, Kept) else "" for line in lines if isinstance(line, Kept | Blank)]
    if not any(kept):
        return ""
    return "\n".join(kept).strip("\n")
