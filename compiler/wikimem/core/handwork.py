"""Handwork: what a person changed on a subject's pages, found by content, claim by claim. Not by who committed it.

A page is read to its *marks*: what it says of each claim, and in its head. Marks that are not those of the rendering are
differences. Some no rendering could ever give: another text behind a known id, a date that nobody told, a line without
an id. Others may only be of an older rendering, or of another machine's; who made those, history tells, not this.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from wikimem.core import edits, lines, moments, pages, slugs, subjects, texts
from wikimem.core.claims import TYPES, UNKNOWN, Basis, Bound, Claim, Holds, Kind, Mention, Stance
from wikimem.core.cold import STALE
from wikimem.core.edits import Added, Changed, Deleted, Kept, Named, Operation, Statement
from wikimem.core.footnotes import Footnote
from wikimem.core.lines import ClaimLine, Part
from wikimem.core.pages import Heading, Line, Page
from wikimem.core.pages import Kept as Written
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
_HEAD = ("title", "heading", "type", "summary", "lead")


@dataclass(frozen=True, slots=True, order=True)
class Shown:
    """What a line of a claim says, without what follows from other claims: rivals, and who ended it.

    Args:
        section: of ours; empty in a person's own.
        text: in normal form.
        stance: as its tail tells it; empty usually.
        start: shown moment; empty if none.
        end: likewise.
        struck: whether it is struck through.
    """

    section: str
    text: str
    stance: str
    start: str
    end: str
    struck: bool


Mark = tuple[Shown, ...] | str
"""What pages say of one thing: of a claim all its lines, of anything else a word; empty where they say nothing."""
Marks = Mapping[str, Mark]
"""By `claim:<id>`, `item:<section>:<text>`, `alias:<name>`, `title`, `heading`, `type`, `summary` or `lead`."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What stands otherwise on a subject's pages than they would be rendered.

    Args:
        path: of the page, below `wiki/`.
        key: the mark it is seen by.
        operation: what a person did if a person did it; None where that depends on what the claim said once.
        certain: whether no rendering could have given it.
    """

    path: str
    key: str
    operation: Operation | None
    certain: bool


def marks(found: Iterable[tuple[str, Page]]) -> Marks:
    """What pages say.

    Args:
        found: path and content of a subject's page, then of the parts of it.
    """
    shown: dict[str, set[Shown]] = {}
    told: dict[str, Mark] = {}
    for number, (_, page) in enumerate(found):
        if not number:
            told |= _head_marks(page)
        for section, line, hidden in _placed(page):
            if hidden:
                continue
            claim = lines.read(line.text) if isinstance(line, Written) else line
            if isinstance(claim, ClaimLine):
                shown.setdefault(f"claim:{claim.id}", set()).add(_shown(section, claim))
            elif isinstance(line, Written) and section in _SECTIONS and (item := _item(line.text)) is not None:
                told[f"item:{section}:{item[0]}"] = line.text
    return told | {key: tuple(sorted(lines)) for key, lines in shown.items()}


def _shown(section: str, line: ClaimLine) -> Shown:
    part = next((part for part in line.tail.parts if line.struck or not part.why), Part())
    return Shown(section, texts.normal(line.text), line.tail.stance, part.start, part.end, line.struck)


def _head_marks(page: Page) -> dict[str, Mark]:
    front = page.front
    led = " ".join(pages.write_line(line) for line in page.lines if isinstance(line, pages.Lead))
    told: dict[str, Mark] = {"heading": page_heading(page), "lead": led}
    for key in ("title", "type", "summary"):
        value = front.get(key)
        if isinstance(value, str):
            told[key] = texts.normal(value)
    aliases = front.get("aliases")
    if isinstance(aliases, tuple):
        told |= {f"alias:{texts.key(name)}": texts.normal(name) for name in aliases if texts.key(name)}
        told["aliases"] = "told"
    return told


def page_heading(page: Page) -> str:
    """The text of the page's heading; empty if it has none."""
    return next((texts.normal(line.text) for line in page.lines if isinstance(line, pages.Title)), "")


def differences(
    subject: Subject,
    ours: Iterable[tuple[str, Page]],
    found: Iterable[tuple[str, Page]],
    raw: Mapping[str, Claim],
    alive: Container[str],
    elsewhere: Callable[[str], bool] = lambda id: False,
) -> tuple[Difference, ...]:
    """What stands otherwise on the pages of a subject than they would be rendered, in order.

    Args:
        subject: what the claims give now.
        ours: path and content of its page as it would be rendered, and of the parts of it.
        found: the same as they stand.
        raw: what the sources yield, by id, whatever people ruled.
        alive: ids of the claims that any subject has.
        elsewhere: whether a claim, by id, stands on a page of another subject: moved there, not removed.
    """
    ours, found = tuple(ours), tuple(found)
    wanted, there = marks(ours), marks(found)
    if wanted == there:
        return ()
    main = ours[0][0]
    places = {f"claim:{line.id}": path for path, page in reversed(found) for _, line in page.claims}
    out: list[Difference] = []
    if found and found[0][0] == main and _is_own(subject, found[0][1]):
        out += _in_head(subject, main, wanted, there)
    said = {texts.key(claim.text) for claim in subject.claims}
    for key in dict.fromkeys((*there, *wanted)):
        if key.startswith("claim:") and wanted.get(key) != there.get(key):
            id = key.removeprefix("claim:")
            if not subject.claims:
                # What the page shows is said of others, on their pages.
                continue
            if not there.get(key):
                claim = next(standing.claim for standing in subject.standings if standing.claim.id == id)
                out += [] if elsewhere(id) else [Difference(main, key, Deleted(edits.target(claim), not found), False)]
            else:
                out += _on_lines(subject, places.get(key, main), key, wanted, there, raw, alive)
        elif key.startswith("item:"):
            path = next((path for path, page in found if key in marks([(path, page)])), main)
            section, text = key.split(":", 2)[1:]
            if texts.key(text) not in said:
                out.append(Difference(path, key, _added(subject, section, str(there[key])), True))
    return tuple(out)


def _is_own(subject: Subject, page: Page) -> bool:
    """Whether a page is of the subject whose path it has: where slugs changed, it may still be that of another."""
    own = {one.claim.id for one in subject.standings} | {claim.id for claim in subject.claims}
    told = [line.id in own for _, line in page.claims]
    return sum(told) * 2 >= len(told)


def _in_head(subject: Subject, path: str, wanted: Marks, there: Marks) -> Iterator[Difference]:
    """What stands otherwise in the head, as the head's keys and the heading tell it."""
    mention = _mention(subject)
    named = {texts.key(name) for claim in subject.claims for name in (claim.mention.name, subjects.title(claim.mention))}
    named |= {texts.key(name) for name in (subject.title, *subject.aliases)}
    title, heading = str(there.get("title", "")), str(there.get("heading", ""))
    for key, value in (("title", title), ("heading", heading)):
        # The heading follows the title; a person may change either.
        if texts.key(value) and value != wanted[key] and (key == "title" or title in ("", wanted["title"])):
            yield Difference(path, key, Named(mention, "title", value), texts.key(value) not in named)
    kind, summary = str(there.get("type", "")), str(there.get("summary", ""))
    if kind in TYPES and kind != wanted["type"]:
        yield Difference(path, "type", Named(mention, "type", kind), kind not in {one.mention.type for one in subject.claims})
    if summary and summary != wanted["summary"]:
        # A summary that is the lead's first sentence is as old as that.
        led = f"{lines.escape(summary)}[^" in str(there.get("lead", ""))
        certain = not led and summary not in {texts.normal(claim.text) for claim in subject.claims}
        yield Difference(path, "summary", Named(mention, "summary", summary), certain)
    lead = str(there.get("lead", ""))
    if lead != wanted.get("lead", ""):
        # Whether a person wrote it, or an older rendering, history tells.
        yield Difference(path, "lead", Named(mention, "lead", lead.replace(STALE, "") or "-"), False)
    if "aliases" not in there:
        return
    for key in dict.fromkeys((*there, *wanted)):
        if key.startswith("alias:") and key in there and there[key] != wanted.get(key):
            name = str(there[key])
            if texts.key(name) != texts.key(subject.title):
                certain = name not in {texts.normal(claim.mention.name) for claim in subject.claims}
                yield Difference(path, key, Named(mention, "alias", name), certain)
        elif key.startswith("alias:") and key not in there:
            yield Difference(path, key, Named(mention, "unalias", str(wanted[key])), False)


def _mention(subject: Subject) -> Mention:
    """The mention that a subject is called by: of the claim that was said first."""
    if not subject.claims:
        return Mention(subject.scope, subject.type, subject.title)
    return min(subject.claims, key=lambda claim: (claim.said or "~", claim.id)).mention


def _on_lines(
    subject: Subject,
    path: str,
    key: str,
    wanted: Marks,
    there: Marks,
    raw: Mapping[str, Claim],
    alive: Container[str],
) -> Iterator[Difference]:
    """What the lines of one claim say otherwise."""
    id = key.removeprefix("claim:")
    shown = tuple(one for one in there[key] if isinstance(one, Shown))
    claim = raw.get(id)
    if claim is None:
        # Nothing yields it any more; what it said once is told by history.
        yield Difference(path, key, None, False)
        return
    known = {texts.normal(other.text) for other in subject.claims} - {claim.text}
    own = next((one for one in subject.claims if one.id == id), None)
    about = own or claim
    for struck in (False, True):
        alike = [one for one in shown if one.struck is struck]
        reworded = [one for one in alike if one.text != claim.text and one.text not in known and one.text]
        if len(reworded) < len(alike) and any(one.text == claim.text for one in alike):
            # The line itself still stands: what is like it is a copy, from which another line was made.
            yield from (Difference(path, key, Added(_statement(about, one, struck)), True) for one in reworded if not struck)
        elif reworded and (not struck or not any(one.text != claim.text for one in shown if not one.struck)):
            told = _statement(about, reworded[0], struck)
            if not struck or told.holds.end.moment:
                yield Difference(path, key, Changed(edits.target(about), told), True)
    if any(one.text != claim.text for one in shown):
        return
    if own is None:
        if id not in alive:
            yield Difference(path, key, Kept(edits.target(claim)), False)
        return
    yield from _otherwise(subject, own, claim, path, key, wanted, shown)


def _otherwise(
    subject: Subject, claim: Claim, raw: Claim, path: str, key: str, wanted: Marks, shown: tuple[Shown, ...]
) -> Iterator[Difference]:
    """What a line says otherwise than in words: dates, stance, struck through."""
    expected = [one for one in wanted.get(key, ()) if isinstance(one, Shown)]
    now = next((one for one in shown if not one.struck), None)
    if now is None:
        if expected and any(one.section in _SECTIONS for one in shown):
            yield Difference(path, key, Deleted(edits.target(claim)), False)
        return
    was = next((one for one in expected if not one.struck), None)
    told = _statement(claim, now, False)
    if told.stance is not claim.stance:
        yield Difference(path, key, Changed(edits.target(claim), told), True)
    elif was is not None and (here := _instants(now)) != _instants(was):
        certain = not {*here} <= _dates((*subject.claims, raw))
        yield Difference(path, key, Changed(edits.target(claim), told), certain)


def _instants(one: Shown) -> tuple[str, str]:
    """Its two moments, alike in whatever time zone they were shown."""
    return moments.shown(one.start), moments.shown(one.end)


def _statement(claim: Claim, one: Shown, struck: bool) -> Statement:
    """What a line says of a claim as a person left it."""
    stance, section = claim.stance, _SECTIONS.get(one.section)
    if section is not None and not struck and claim.kind is not Kind.EPISODIC and not claim.step:
        here = one.section in _BY_STANCE.values() and one.section != _BY_STANCE[claim.stance]
        stance = section[1] if here else stance
    if not struck and one.stance and one.stance != claim.stance.value:
        stance = Stance(one.stance)
    start, end = one.start, one.end
    if struck and not end:
        # What ended is not to hold again because a word of it was mended.
        end = max((each.day for each in claim.evidence), default="")
    return Statement(claim.mention, claim.attribute, claim.kind, stance, one.text, _holds(start, end), claim.step)


def _dates(claims: Iterable[Claim]) -> frozenset[str]:
    """The dates that a line can show, as `_instants`, whatever of its claims was known when it was written."""
    found = {""}
    for one in (one for claim in claims for one in claim.evidence):
        for moment in (one.holds.start.moment, one.holds.end.moment, one.day):
            found.add(moments.shown(one.zone.shown(moment)))
    return frozenset(found)


def _holds(start: str, end: str) -> Holds:
    bounds = [Bound(moment, Basis.STATED) if moments.is_moment(moment) else Bound() for moment in (start, end)]
    return Holds(*bounds) if start or end else UNKNOWN


def reworded(was: Claim | None, mark: Mark) -> Changed | None:
    """What a line says otherwise than its claim did when somebody wrote it; None if it says the same, or nothing is known."""
    line = next((one for one in mark if isinstance(one, Shown)), None)
    if was is None or line is None or line.struck or not line.text or line.text == was.text:
        return None
    return Changed(edits.target(was), _statement(was, line, False))


def nobody(mention: Mention) -> Subject:
    """A subject of which nothing is known yet."""
    return Subject("", mention.scope, mention.type, mention.name, (), (mention.id,), (), (), (), frozenset(), ())


def new_page(subject: Subject, path: str, page: Page) -> tuple[Difference, ...]:
    """What a page that a person made states: its items are claims about what its head or heading names.

    Args:
        subject: what it is about, as far as that is known.
        path: below `wiki/`.
        page: its content; no claim of ours stands on it.
    """
    told = marks([(path, page)])
    said = {texts.key(claim.text) for claim in subject.claims}
    items = [key for key in told if key.startswith("item:") and texts.key(key.split(":", 2)[2]) not in said]
    out = [Difference(path, key, _added(subject, key.split(":", 2)[1], str(told[key])), True) for key in items]
    if not items or subject.claims:
        return tuple(out)
    mention = _mention(subject)
    if told.get("summary"):
        out.append(Difference(path, "summary", Named(mention, "summary", str(told["summary"])), True))
    aliases = [key for key in told if key.startswith("alias:") and key != f"alias:{texts.key(mention.name)}"]
    return (*out, *(Difference(path, key, Named(mention, "alias", str(told[key])), True) for key in aliases))


def of_page(path: str, page: Page) -> Mention | None:
    """What a page that a person made is about, by its head, else its heading and folder; None if it does not say."""
    front = page.front
    scope, kind = front.get("scope", ""), front.get("type", "")
    if not (isinstance(kind, str) and kind in TYPES):
        kind = next((each for each in TYPES if slugs.FOLDERS[each] == path.split("/", 1)[0]), "")
    name = texts.normal(page.title)
    if not kind or not texts.key(name) or not isinstance(scope, str):
        return None
    return Mention(scope, kind, name)


def without(page: Page, taken: Container[str]) -> Page:
    """The page without list items of a person that are claims now.

    Args:
        page: as it stands.
        taken: the texts of claims, in normal form.
    """
    kept: list[Line] = []
    for section, line, hidden in _placed(page):
        item = _item(line.text) if isinstance(line, Written) and section in _SECTIONS and not hidden else None
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
        elif isinstance(line, Footnote) or (
            isinstance(line, Written) and number not in hidden and line.text.startswith(("# ", "## "))
        ):
            section = ""
        yield section, line, number in hidden


def _item(raw: str) -> tuple[str, Part, int, str] | None:
    """Text, interval, number and stance of a list item that a person wrote; None for any other line, or one that cites."""
    line = lines.read(f"{raw.rstrip()} [^aaaaaaaaaaaa]")
    if line is None or lines.CITE.search(raw) or line.text.startswith(("[ ]", "[x]", "[X]")):
        return None
    part = next((part for part in line.tail.parts if not part.why), Part())
    text = texts.normal(line.text)
    return (text, part, line.number, line.tail.stance) if texts.key(text) and not line.struck else None


def _added(subject: Subject, section: str, raw: str) -> Added:
    item = _item(raw)
    assert item is not None
    text, part, number, told = item
    kind, stance = _SECTIONS[section]
    step = number if section == "Steps" else 0
    statement = Statement(_mention(subject), "", kind, Stance(told) if told else stance, text, _holds(part.start, part.end), step)
    return Added(statement)
