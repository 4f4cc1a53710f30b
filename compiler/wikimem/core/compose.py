"""Composing: a subject of the wiki to its page, and to further pages where one would be too long. Not people's lines.

Nothing volatile is written: no clock, no counts, no list of sources. Lines are ordered by what they say, so that two
clones that add claims to one page merge cleanly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from wikimem.core import footnotes, pages, slugs, texts
from wikimem.core.claims import Claim, Evidence, Kind, Stance
from wikimem.core.cold import STALE, Cold, Intro
from wikimem.core.fold import Wiki
from wikimem.core.footnotes import Footnote, Place
from wikimem.core.lines import ClaimLine, Part, Tail
from wikimem.core.pages import Blank, Heading, Key, Lead, Line, Link, Page, Rule, Title
from wikimem.core.subjects import Subject
from wikimem.core.timeline import Interval, Lapsed, Retracted, Standing, Superseded
from wikimem.core.zones import UTC, Zone

ALSO = 8
"""Further evidence that a footnote links to at most."""

_BY_STANCE = {
    Stance.FACT: "Facts",
    Stance.PREFERENCE: "Preferences",
    Stance.EVIDENCE: "Observations",
    Stance.INFERENCE: "Inferences",
    Stance.OPINION: "Opinions",
}
_IMPLIED = {"Preferences": Stance.PREFERENCE, "Observations": Stance.EVIDENCE}


@dataclass(frozen=True, slots=True)
class Row:
    """A claim line with the section it stands in and what it is split by."""

    section: str
    attribute: str
    order: tuple[str, ...]
    line: ClaimLine


def page(wiki: Wiki, key: str, cold: Cold, paths: Mapping[str, str]) -> Page:
    """The whole page of a subject, however long.

    Args:
        wiki: the folded wiki.
        key: the subject's.
        cold: results of consolidation.
        paths: where each source lies in the vault, by id; without an entry, where a JSON lines source would.
    """
    subject = wiki.page(key)
    return assemble(wiki, subject, rows(subject), (), wiki.path(key), cold, paths)


def rows(subject: Subject) -> tuple[Row, ...]:
    """The claim lines of a subject, sections in their order, each section in its own."""
    found = [row for standing in subject.standings for row in _rows(standing)]
    ordered = sorted(found, key=lambda row: (pages.SECTIONS.index(row.section), row.order))
    steps = 0
    out = []
    for row in ordered:
        if row.section == "Steps":
            steps += 1
            line = ClaimLine(row.line.id, row.line.text, row.line.tail, number=steps)
            row = Row(row.section, row.attribute, row.order, line)
        out.append(row)
    return tuple(out)


def _rows(standing: Standing) -> Iterable[Row]:
    claim = standing.claim
    current = standing.current
    if current is not None:
        section = _section(claim)
        part = _current_part(claim, current)
        tail = Tail((part,) if part != Part() else (), _stance(claim, section), claim.confidence, standing.rivals)
        yield Row(section, claim.attribute, _order(claim, section, current), ClaimLine(claim.id, claim.text, tail))
    if standing.past:
        parts = tuple(_past_part(interval, claim.zone) for interval in standing.past)
        tail = Tail(tuple(part for part in parts if part != Part()), _stance(claim, "History"), claim.confidence)
        line = ClaimLine(claim.id, claim.text, tail, struck=True)
        yield Row("History", claim.attribute, (claim.attribute, claim.id), line)


def _section(claim: Claim) -> str:
    if claim.stance.firm and claim.kind is Kind.EPISODIC:
        return "Events"
    if claim.stance.firm and claim.kind is Kind.PROCEDURAL and claim.step:
        return "Steps"
    return _BY_STANCE[claim.stance]


def _order(claim: Claim, section: str, current: Interval) -> tuple[str, ...]:
    match section:
        case "Events":
            return (current.begins or "~", claim.id)
        case "Steps":
            return (f"{claim.step:06}", claim.id)
    return (claim.attribute, claim.id)


def _stance(claim: Claim, section: str) -> str:
    """The stance where the section does not tell it; a plain fact needs no word."""
    if claim.stance is Stance.FACT or _IMPLIED.get(section) is claim.stance:
        return ""
    return claim.stance.value


def _current_part(claim: Claim, interval: Interval) -> Part:
    start, end = claim.zone.shown(interval.start.moment), claim.zone.shown(interval.end.moment)
    return Part(start, end, on=claim.kind is Kind.EPISODIC and bool(start) and not end)


def _past_part(interval: Interval, zone: Zone) -> Part:
    start, end = zone.shown(interval.start.moment), zone.shown(interval.end.moment)
    match interval.ending:
        case Superseded(by):
            return Part(start, end, why="superseded", by=by)
        case Retracted(by):
            # It never held: a date would say that it did.
            return Part(why="retracted", by=by)
        case Lapsed() | None:
            return Part(start, end)


def assemble(
    wiki: Wiki,
    subject: Subject,
    rows: Iterable[Row],
    parts: Iterable[tuple[str, Link]],
    path: str,
    cold: Cold,
    paths: Mapping[str, str],
) -> Page:
    """A page of a subject that holds these rows.

    Args:
        rows: in order.
        parts: links to pages that hold the rest, each with the section it stands in.
        path: the page's own path below `wiki/`; only the subject's own page has lead and related subjects.
    """
    own = path == wiki.path(subject.key)
    intro = intro_of(subject, cold) if own else None
    out: list[Line] = [*_front(wiki, subject, intro, path), Blank(), Title(_title(wiki, subject, path))]
    if intro is not None and intro.sentences:
        out += [Blank(), Lead(intro.sentences)]
    held, linked = list(rows), list(parts)
    for section in pages.SECTIONS:
        here: list[Line] = [row.line for row in held if row.section == section]
        here += [link for name, link in linked if name == section]
        if section == "Related" and own:
            here += _related(wiki, subject, path, cold)
        if here:
            out += [Blank(), Heading(section), Blank(), *here]
    shown = {id: standing.claim.id for standing in subject.standings for id in (standing.claim.id, *standing.same)}
    cited = _cited(out)
    # What was concluded is nothing without what it was concluded from.
    cited |= {shown[id] for one in subject.standings if one.claim.id in cited for id in one.claim.rests if id in shown}
    # In the order of the lines they prove: two clones that add lines in two places add footnotes in two places.
    place = {line.id: number for number, line in reversed([*enumerate(out)]) if isinstance(line, ClaimLine)}
    every = {standing.claim.id: standing for standing in (*subject.standings, *subject.cited)}
    proved = sorted(every.values(), key=lambda standing: place.get(standing.claim.id, len(out)))
    notes = [_note(standing, path, paths, shown) for standing in proved if standing.claim.id in cited]
    return Page((*out, *([Blank()] if notes else []), *notes))


def intro_of(subject: Subject, cold: Cold) -> Intro | None:
    """What stands at the head of a subject's page: what a person wrote there, else consolidation; None for nothing."""
    if not subject.lead:
        return cold.intros.get(subject.key)
    by_id = {id: standing for standing in (*subject.standings, *subject.cited) for id in (standing.claim.id, *standing.same)}
    told: list[tuple[str, tuple[str, ...]]] = []
    for text, ids in pages.sentences(subject.lead) or ():
        left = [by_id[id] for id in ids if id in by_id]
        mark = "" if all(standing.current is not None for standing in left) else STALE
        if left:
            told.append((f"{text}{mark}", tuple(dict.fromkeys(standing.claim.id for standing in left))))
    return Intro(tuple(told)) if told else None


def _title(wiki: Wiki, subject: Subject, path: str) -> str:
    if path == wiki.path(subject.key):
        return subject.title
    part = path.rsplit("/", 1)[1].removesuffix(".md").replace("-", " ")
    return f"{subject.title}: {part}"


def _front(wiki: Wiki, subject: Subject, intro: Intro | None, path: str) -> list[Line]:
    own = path == wiki.path(subject.key)
    start, end = span(subject)
    values: dict[str, str | tuple[str, ...]] = {
        "title": _title(wiki, subject, path),
        "type": subject.type,
        "aliases": subject.aliases if own else (),
        "scope": subject.scope,
        "status": status(subject),
        "summary": summary(subject, intro) if own else "",
        "valid_from": start,
        "valid_until": end,
    }
    return [Rule(), *(Key(key, value) for key, value in values.items()), Rule()]


def status(subject: Subject) -> str:
    """`conflict`, `ended` (nothing holds any more, or its page is archived), or `current`."""
    every = (*subject.standings, *subject.cited)
    if any(standing.rivals for standing in every):
        return "conflict"
    return "current" if any(standing.current for standing in every) and not subject.archived else "ended"


def summary(subject: Subject, intro: Intro | None) -> str:
    """What a person wrote, else consolidation, else the lead's first sentence, else a claim that holds: the first said."""
    if subject.summary:
        return subject.summary
    if intro is not None and intro.told:
        return intro.told
    held = [row for row in rows(subject) if not row.line.struck]
    first = [row for row in held if row.section == held[0].section]
    # The earliest said, so that a new claim seldom changes the summary.
    said = {standing.claim.id: (standing.claim.said or "~", standing.claim.id) for standing in subject.standings}
    return min(first, key=lambda row: (row.line.number, said[row.line.id])).line.text if first else ""


def span(subject: Subject) -> tuple[str, str]:
    """The first and the last moment in which anything held that the page says; empty where it is unknown or open."""
    held = [
        (standing.claim.kind is Kind.EPISODIC, interval)
        for standing in subject.standings
        for interval in standing.intervals
        if not isinstance(interval.ending, Retracted)
    ]
    zone = subject.claims[0].zone if subject.claims else UTC
    starts = sorted((interval.begins, interval.start.moment) for _, interval in held)
    first = next((zone.shown(start) for _, start in starts), "")
    lasting = [interval for is_event, interval in held if not is_event]
    if not lasting or any(not interval.end.moment for interval in lasting):
        return first, ""
    return first, zone.shown(max(lasting, key=lambda interval: (interval.ends, interval.end.moment)).end.moment)


def _related(wiki: Wiki, subject: Subject, path: str, cold: Cold) -> list[Line]:
    every = (*wiki.related.get(subject.key, ()), *cold.beside.get(subject.key, ()))
    near = sorted((wiki.path(key), key) for key in {*every} if key in wiki.subjects or key in wiki.own)
    return [
        Link(wiki.page(key).title, slugs.relative(target, path), cold.reasons.get((subject.key, key), "")) for target, key in near
    ]


def _cited(out: Iterable[Line]) -> set[str]:
    """The ids that a page's lines name: each needs its footnote on the same page."""
    found: set[str] = set()
    for line in out:
        match line:
            case ClaimLine():
                found |= {line.id, *line.tail.rivals, *(part.by for part in line.tail.parts)}
            case Lead(sentences):
                found.update(id for _, ids in sentences for id in ids)
            case _:
                pass
    return found


def _note(standing: Standing, path: str, paths: Mapping[str, str], shown: Mapping[str, str]) -> Footnote:
    claim = standing.claim
    first, *rest = claim.evidence
    place = _link(path, paths)
    accepted = first.proposal
    concluded = bool(claim.rests)
    return Footnote(
        id=claim.id,
        stance=claim.stance.value,
        speaker="" if concluded else first.speaker,
        name="" if concluded else footnotes.shown_name(first.name),
        said="" if concluded else first.day,
        place=place(first, first.at, first.quote),
        accepting=place(first, accepted.at, accepted.quote) if accepted is not None and not concluded else None,
        also=tuple(dict.fromkeys(place(one, one.at, "") for one in rest))[:ALSO],
        concluded=concluded,
        rests=tuple(dict.fromkeys(shown[id] for id in claim.rests if id in shown)),
    )


def _link(page: str, paths: Mapping[str, str]) -> Callable[[Evidence, str, str], Place]:
    def place(evidence: Evidence, at: str, quote: str) -> Place:
        path = paths.get(evidence.source) or usual_path(evidence.source)
        return Place(texts.normal(at), footnotes.link(path, at, page), footnotes.shown_quote(quote))

    return place


def usual_path(source: str) -> str:
    """Where a source of JSON lines lies in the vault."""
    day = source.split("-", 1)[0]
    folder = f"{day[:4]}/{day[4:6]}" if day.isdigit() else "undated"
    return f"sources/{folder}/{source}.jsonl"
