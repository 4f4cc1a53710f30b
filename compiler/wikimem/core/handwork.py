"""Handwork: what a person changed on a subject's pages, found by content, claim by claim. Not by who committed it.

A line whose id is known and whose text, dates and section are those of the claim is ours, whichever machine rendered it.
Everything that no claim of the subject could have put there is a person's: another text, another date, a line without an id
in a section of claims, another title. What is missing was removed only if it had been shown, which git tells, not this.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace

from wikimem.core import edits, lines, moments, pages, subjects, texts
from wikimem.core.claims import TYPES, UNKNOWN, Basis, Bound, Claim, Holds, Kind, Mention, Stance
from wikimem.core.edits import Added, Changed, Named, Operation, Statement
from wikimem.core.lines import ClaimLine, Part
from wikimem.core.pages import Heading, Kept, Line, Page
from wikimem.core.subjects import Subject

_SECTIONS = {
    "Facts": (Kind.SEMANTIC, Stance.FACT),
    "Preferences": (Kind.SEMANTIC, Stance.PREFERENCE),
    "Steps": (Kind.PROCEDURAL, Stance.FACT),
    "Events": (Kind.EPISODIC, Stance.FACT),
    "Observations": (Kind.SEMANTIC, Stance.EVIDENCE),
    "Inferences": (Kind.SEMANTIC, Stance.INFERENCE),
    "Opinions": (Kind.SEMANTIC, Stance.OPINION),
}
_BY_STANCE = {stance: section for section, (kind, stance) in _SECTIONS.items() if kind is Kind.SEMANTIC}


def operations(subject: Subject, found: Iterable[tuple[str, Page]]) -> tuple[tuple[str, Operation], ...]:
    """What was changed and added on the pages of a subject: path and operation, in order.

    Args:
        subject: what the claims give now.
        found: path below `wiki/` and content of its page, and of the parts of it.
    """
    claims = {claim.id: claim for claim in subject.claims}
    dates = _dates(subject)
    said = {texts.key(claim.text) for claim in subject.claims}
    out: list[tuple[str, Operation]] = []
    for number, (path, page) in enumerate(found):
        if not number:
            out += ((path, each) for each in _head(subject, page))
        for section, line, hidden in _placed(page):
            if isinstance(line, ClaimLine):
                claim = claims.get(line.id)
                changed = _changed(claim, section, line, dates) if claim is not None else None
                out += [(path, changed)] if changed is not None else []
            elif isinstance(line, Kept) and section in _SECTIONS and not hidden:
                added = _added(subject, section, line.text)
                if added is not None and texts.key(added.statement.text) not in said:
                    out.append((path, added))
    return tuple(dict.fromkeys(out))


def missing(subject: Subject, found: Iterable[tuple[str, Page]]) -> tuple[Claim, ...]:
    """The claims that are to be shown and stand on none of the subject's pages, by id."""
    there = {line.id for _, page in found for _, line in page.claims}
    return tuple(one.claim for one in subject.standings if one.claim.id not in there)


def without(page: Page, taken: Container[str]) -> Page:
    """The page without list items of a person that are claims now.

    Args:
        page: as it stands.
        taken: the texts of claims, in normal form.
    """
    kept: list[Line] = []
    for section, line, hidden in _placed(page):
        item = _item(line.text) if isinstance(line, Kept) and section in _SECTIONS and not hidden else None
        if item is None or item[0] not in taken:
            kept.append(line)
    return page if len(kept) == len(page.lines) else replace(page, lines=tuple(kept))


def _placed(page: Page) -> Iterator[tuple[str, Line, bool]]:
    """Each line with the section of ours it stands in, empty in a person's own, and whether it is code or a comment."""
    hidden = pages.verbatim([pages.write_line(line) for line in page.lines])
    section = ""
    for number, line in enumerate(page.lines):
        if isinstance(line, Heading):
            section = line.section
        elif isinstance(line, Kept) and number not in hidden and line.text.startswith(("# ", "## ")):
            section = ""
        yield section, line, number in hidden


def _head(subject: Subject, page: Page) -> Iterator[Named]:
    """What a person set in the head: only values that none of the subject's claims could give."""
    told = page.front
    mention = subject.claims[0].mention if subject.claims else Mention(subject.scope, subject.type, subject.title)
    named = {texts.key(name) for claim in subject.claims for name in (claim.mention.name, subjects.title(claim.mention))}
    named |= {texts.key(name) for name in (subject.title, *subject.aliases)}
    title, kind, summary, aliases = (told.get(key, "") for key in ("title", "type", "summary", "aliases"))
    if (isinstance(title, str) and texts.key(title) and texts.key(title) not in named) or (
        isinstance(title, str) and title and texts.normal(title) != subject.title and texts.key(title) == texts.key(subject.title)
    ):
        yield Named(mention, "title", texts.normal(title))
    kinds = {subject.type, *(claim.mention.type for claim in subject.claims)}
    if isinstance(kind, str) and kind in TYPES and kind not in kinds:
        yield Named(mention, "type", kind)
    given = {texts.normal(claim.text) for claim in subject.claims} | {subject.summary, ""}
    if isinstance(summary, str) and texts.normal(summary) not in given:
        yield Named(mention, "summary", texts.normal(summary))
    if isinstance(aliases, tuple):
        for name in aliases:
            if texts.key(name) and texts.key(name) not in named:
                yield Named(mention, "alias", texts.normal(name))


def _changed(claim: Claim, section: str, line: ClaimLine, dates: frozenset[str]) -> Changed | None:
    """The change of a claim that its line tells; None if the line is ours."""
    text = texts.normal(line.text)
    stance = claim.stance
    moved = _SECTIONS.get(section)
    if moved is not None and not line.struck and claim.kind is not Kind.EPISODIC and not claim.step:
        stance = moved[1] if section in _BY_STANCE.values() and section != _BY_STANCE[claim.stance] else stance
    if not line.struck and line.tail.stance and line.tail.stance != claim.stance.value:
        stance = Stance(line.tail.stance)
    part = next((part for part in line.tail.parts if not part.why), Part())
    redated = not line.struck and not {part.start, part.end} <= dates
    if text == claim.text and stance is claim.stance and not redated:
        return None
    if not text:
        return None
    holds = _holds(part) if redated or part != Part() else UNKNOWN
    told = Statement(claim.mention, claim.attribute, claim.kind, stance, text, holds, claim.step)
    return Changed(edits.target(claim), told)


def _dates(subject: Subject) -> frozenset[str]:
    """The dates that the lines of a subject can show, whatever of it was known when they were written."""
    found = {""}
    for claim in subject.claims:
        for one in claim.evidence:
            for moment in (one.holds.start.moment, one.holds.end.moment, one.said, moments.day(one.said)):
                found.add(moments.shown(moment))
    return frozenset(found)


def _holds(part: Part) -> Holds:
    bounds = (Bound(moment, Basis.STATED) if moments.is_moment(moment) else Bound() for moment in (part.start, part.end))
    return Holds(*bounds)


def _item(raw: str) -> tuple[str, Part, int, str] | None:
    """Text, interval, number and stance of a list item that a person wrote; None for any other line, or one that cites."""
    line = lines.read(f"{raw.rstrip()} [^aaaaaaaaaaaa]")
    if line is None or lines.CITE.search(raw) or line.text.startswith(("[ ] ", "[x] ")):
        return None
    part = next((part for part in line.tail.parts if not part.why), Part())
    text = texts.normal(line.text)
    return (text, part, line.number, line.tail.stance) if text and not line.struck else None


def _added(subject: Subject, section: str, raw: str) -> Added | None:
    item = _item(raw)
    if item is None:
        return None
    text, part, number, told = item
    kind, stance = _SECTIONS[section]
    mention = Mention(subject.scope, subject.type, subject.title)
    if subject.claims:
        mention = subject.claims[0].mention
    step = number if section == "Steps" else 0
    return Added(Statement(mention, "", kind, Stance(told) if told else stance, text, _holds(part), step))
