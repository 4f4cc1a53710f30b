"""Views: what a step is given of a page, what it asks a model, and what comes back, as values. Not the steps themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from wikimem.core import pairs, words
from wikimem.core.claims import Claim, Kind, Mention
from wikimem.core.cold import Sentence, Step

if TYPE_CHECKING:
    # Whoever only asks a question should not wait for the fold.
    from wikimem.core.fold import Wiki
    from wikimem.core.subjects import Subject
    from wikimem.core.timeline import Standing


@dataclass(frozen=True, slots=True)
class Line:
    """A claim that holds now.

    Args:
        id: of the claim.
        text: what it says.
        attribute: a slug; may be empty.
        stance: see `Stance`.
        since: since when it holds, or on which day it happened; empty if unknown.
        said: the day it was last said on; empty if unknown.
        sources: how many sources prove it.
        event: whether it happened, rather than is so.
    """

    id: str
    text: str
    attribute: str
    stance: str
    since: str
    said: str
    sources: int
    event: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page: its title and type, and its lines, those that are firm only.

    Args:
        tie: of a page that another could lead to: `names` that one, is `named` by it, was told in the same `session`, or is
            `alike`.
        whole: whether these are all of its lines.
        shared: words that both have and few other pages, where they are alike.
    """

    title: str
    type: str
    lines: tuple[Line, ...]
    tie: str = ""
    whole: bool = False
    shared: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Leading:
    """A question for a lead."""

    page: Sheet


@dataclass(frozen=True, slots=True)
class Relating:
    """A question for the reasons of links from a page to others.

    Args:
        page: the page.
        others: what it could lead to; each with the lines that name the page, or stand nearest to it, else its first ones.
    """

    page: Sheet
    others: tuple[Sheet, ...]


@dataclass(frozen=True, slots=True)
class Replying:
    """A question that is asked often, with the claims that were found for it."""

    question: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """A claim as a pattern over sessions is looked for in.

    Args:
        id: of the claim.
        key: of its subject.
        title: of its page.
        text: what it says.
        attribute: a slug; may be empty.
        kind: see `Kind`.
        stance: see `Stance`.
        sessions: the sources that prove it, each with the day it was said there, in order of the days.
        person: whether a person said it.
        holds: whether it holds now, or happened.
    """

    id: str
    key: str
    title: str
    text: str
    attribute: str
    kind: str
    stance: str
    sessions: tuple[tuple[str, str], ...]
    person: bool
    holds: bool


@dataclass(frozen=True, slots=True)
class Reflecting:
    """A question for patterns over sessions.

    Args:
        title, type: of the page.
        lines: what it says, also what ended.
        near: what other pages of its scope say in like words.
    """

    title: str
    type: str
    lines: tuple[Seen, ...]
    near: tuple[Seen, ...]

    @property
    def every(self) -> tuple[Seen, ...]:
        """All of the claims."""
        return (*self.lines, *self.near)


@dataclass(frozen=True, slots=True)
class Draft:
    """A proposal.

    Args:
        step: a word that should be a `Step`.
        about: keys of the subject, of a link's other one, and of the other ones that a reflection rests on.
        said: its sentences; of a map, one for each that it is about; of a reflection what it says, and what speaks against it, if
            anything does.
        stance: of a reflection: a word that should be `inference` or `opinion`.
        confidence: of a reflection, in hundredths.
        page: the page of its own that it would make; None for what a subject's page shows.
    """

    step: str
    about: tuple[str, ...]
    said: tuple[Sentence, ...]
    stance: str = ""
    confidence: int = 0
    page: Mention | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """What a step wants for one page.

    Args:
        step: which.
        about: key of the subject, or of the page of its own.
        basis: what it is made from, as a hash.
        asked: what a model is asked; None where code alone knows.
        others: keys of the others of `Relating`, or of the subjects of the lines of `Replying`, in their order.
        drafts: what code proposes, where nobody is asked.
        page: the page of its own that is asked about.
    """

    step: Step
    about: str
    basis: str
    asked: Leading | Relating | Reflecting | Replying | None = None
    others: tuple[str, ...] = ()
    drafts: tuple[Draft, ...] = ()
    page: Mention | None = None


def line(standing: Standing) -> Line:
    """A standing that holds as a line."""
    claim, current = standing.claim, standing.current
    return Line(
        id=claim.id,
        text=claim.text,
        attribute=claim.attribute,
        stance=claim.stance.value,
        since=claim.zone.shown(current.start.moment) if current else "",
        said=max((one.day for one in claim.evidence), default=""),
        sources=len({one.source for one in claim.evidence}),
        event=claim.kind is Kind.EPISODIC,
    )


def holding(subject: Subject) -> tuple[Standing, ...]:
    """The standings of a subject that hold, that nothing contradicts, and that are no guess or opinion; in order of their ids."""
    return tuple(one for one in subject.standings if one.current is not None and not one.rivals and one.claim.stance.firm)


def sheet(subject: Subject, standings: Iterable[Standing], tie: str = "") -> Sheet:
    """A page with some of its lines."""
    lines = tuple(map(line, standings))
    return Sheet(subject.title, subject.type, lines, tie, len(lines) == len(holding(subject)))


def chosen(wiki: Wiki, strict: bool) -> list[Subject]:
    """The subjects that consolidation works on, by path: in a strict vault only those of one scope."""
    found = (subject for subject in wiki.subjects.values() if subject.scope or not strict)
    return sorted(found, key=lambda subject: wiki.path(subject.key))


def carrying(text: str) -> frozenset[str]:
    """The words that carry a text, folded: without those that every text has, numbers and single letters."""
    found = (word for word in pairs.content(text) if word not in _common() and len(word) > 2 and not word.isdigit())
    return frozenset(found)


@cache
def _common() -> frozenset[str]:
    return words.STOP | pairs.content(" ".join(words.STOP))


def line_of(at: str) -> int:
    """The line that a locator names; 0 for one without lines."""
    digits = at.rpartition("L")[2].partition("-")[0]
    return int(digits) if digits.isdecimal() else 0


def sources(claim: Claim) -> frozenset[str]:
    """The ids of the sources that prove a claim."""
    return frozenset(one.source for one in claim.evidence)


_SENTENCE = {"text": {"type": "string"}, "claims": {"type": "array", "items": {"type": "string"}}}
LEAD: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "sentences": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": _SENTENCE,
                "required": ["text", "claims"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["sentences"],
    "additionalProperties": False,
}
"""What a reply about a lead must look like; no sentences: there is nothing to sum up."""
RELATE: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "links": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"other": {"type": "integer", "minimum": 1}, **_SENTENCE},
                "required": ["other", "text", "claims"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["links"],
    "additionalProperties": False,
}
"""What a reply about links must look like: the number of the other page, from 1, the reason, and the claims that give it."""


_IDS = {"type": "array", "items": {"type": "string"}}
REFLECT: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "reflections": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "claims": _IDS,
                    "but": {"type": "string"},
                    "against": _IDS,
                    "stance": {"type": "string", "enum": ["inference", "opinion"]},
                    "confidence": {"type": "number", "minimum": 0, "maximum": 1},
                },
                "required": ["text", "claims", "but", "against", "stance", "confidence"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["reflections"],
    "additionalProperties": False,
}
"""What a reply about patterns must look like: what shows, the claims that show it, and what speaks against it, with those
that do; both empty where nothing does."""
CONTRARY, LEAST = 20, 10
"""By how many hundredths each claim that speaks against a reflection makes it less sure, and what is left of it in any case."""


def read(ask: Ask, content: Any) -> tuple[Draft, ...]:
    """The proposals of a reply.

    Raises:
        ValueError: it is not of the form; the text is one clause.
    """
    if not isinstance(content, Mapping):
        raise ValueError("the reply is no object")
    if isinstance(ask.asked, Leading):
        said = tuple(_sentence(one) for one in _list(content.get("sentences")))
        return (Draft(ask.step.value, (ask.about,), said),) if said else ()
    if isinstance(ask.asked, Replying):
        said = tuple(_sentence(one) for one in _list(content.get("sentences")))
        cited = {id for _, ids in said for id in ids}
        lines = zip(ask.others, ask.asked.lines, strict=True)
        about = tuple(dict.fromkeys(key for key, line in lines if line.id in cited))
        return (Draft(ask.step.value, about, said, page=ask.page),) if said else ()
    if isinstance(ask.asked, Reflecting):
        return tuple(_reflection(ask, ask.asked, one) for one in _list(content.get("reflections")))
    found: dict[str, Draft] = {}
    for one in _list(content.get("links")):
        sentence, number = _sentence(one), one.get("other")
        if not isinstance(number, int) or not 1 <= number <= len(ask.others):
            raise ValueError(f"there is no page number {number!r}")
        other = ask.others[number - 1]
        found.setdefault(other, Draft(ask.step.value, (ask.about, other), (sentence,)))
    return tuple(found.values())


def _reflection(ask: Ask, asked: Reflecting, told: Any) -> Draft:
    said = [_sentence(told)]
    but, against, stance, sure = (told.get(name) for name in ("but", "against", "stance", "confidence"))
    contrary = _sentence({"text": but, "claims": against})
    if not isinstance(stance, str) or isinstance(sure, bool) or not isinstance(sure, int | float) or not 0 <= sure <= 1:
        raise ValueError("a reflection has no stance, or no confidence between 0 and 1")
    if contrary != ("", ()):
        said.append(contrary)
    cited = {id for _, ids in said for id in ids}
    others = sorted({seen.key for seen in asked.near if seen.id in cited} - {ask.about})
    confidence = max(LEAST, round(sure * 100) - CONTRARY * len(contrary[1]))
    return Draft(ask.step.value, (ask.about, *others), tuple(said), stance, confidence)


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError("a list is missing")
    return value


def _sentence(told: Any) -> Sentence:
    if not isinstance(told, Mapping):
        raise ValueError("a sentence is no object")
    text, ids = told.get("text"), told.get("claims")
    if not isinstance(text, str) or not isinstance(ids, list) or not all(isinstance(id, str) for id in ids):
        raise ValueError("a sentence has no text, or no list of claims")
    return (text, tuple(dict.fromkeys(ids)))
