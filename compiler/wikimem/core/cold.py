"""Results of consolidation, one JSON line each, with the claims they rest on; and what of them holds now. Not who makes them.

A file of results is a set of sorted lines, so that git's `union` merge of two of them is right. A result is *void* when a
claim it rests on is gone, or lost a source that it had then; a sentence is *stale* when a claim it cites does not hold now.
What consolidation was told to leave is kept too, so that nobody is asked the same twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import orjson

from wikimem.core import texts
from wikimem.core.claims import Claim, digest
from wikimem.errors import Problem

if TYPE_CHECKING:
    from wikimem.core.subjects import Subject
    from wikimem.core.timeline import Standing

STALE = " (no longer so)"
"""What a sentence ends in when a claim that it cites does not hold any more."""


class Step(StrEnum):
    """What consolidation does, in this order."""

    LEADS = "leads"
    PROCEDURES = "procedures"
    LINKS = "links"
    PROFILES = "profiles"


Sentence = tuple[str, tuple[str, ...]]
"""What is said, and the ids of the claims that say so."""
Rests = tuple[tuple[str, tuple[str, ...]], ...]
"""Ids of claims, each with all the sources that proved it then."""


@dataclass(frozen=True, slots=True)
class Result:
    """What one step gave for one page, or for one page and another.

    Args:
        step: which.
        about: id of a mention of the subject; of a link, that of the other's after it.
        said: its sentences; of a link one, the reason; of a profile one for each line.
        rests: what it rests on, sorted.
        basis: what the step was given, as a hash: the same again gives nothing new.
        by: the model's name.
    """

    step: Step
    about: tuple[str, ...]
    said: tuple[Sentence, ...]
    rests: Rests
    basis: str
    by: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A proposal that was not taken, without its words; or that there was nothing to propose (rule `nothing`).

    Args:
        step, about, basis, by: as of `Result`.
        rule: which refused it.
        reason: one sentence.
    """

    step: Step
    about: tuple[str, ...]
    rule: str
    reason: str
    basis: str
    by: str


Record = Result | Refused


@dataclass(frozen=True, slots=True)
class Intro:
    """What stands at the head of a page: sentences with the claims each rests on; a summary or none."""

    sentences: tuple[Sentence, ...]
    summary: str = ""

    @property
    def told(self) -> str:
        """The page in one sentence: the summary, else the first sentence that holds; empty if there is none."""
        return self.summary or next((text for text, _ in self.sentences if not text.endswith(STALE)), "")


@dataclass(frozen=True, slots=True)
class Cold:
    """Results as pages show them.

    Args:
        intros: by subject key.
        reasons: why two subjects are related, by the two keys.
        beside: further subjects that a page leads to, by key: those that name it, or belong to it otherwise.
        profiles: the lines of a profile that hold now, by key.
    """

    intros: Mapping[str, Intro] = field(default_factory=dict)
    reasons: Mapping[tuple[str, str], str] = field(default_factory=dict)
    beside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    profiles: Mapping[str, tuple[Sentence, ...]] = field(default_factory=dict)

    def of(self, key: str) -> tuple[object, ...]:
        """All that is told of one subject, to be compared."""
        beside = self.beside.get(key, ())
        reasons = tuple((other, self.reasons.get((key, other), "")) for other in beside)
        return (self.intros.get(key), reasons, self.profiles.get(key, ()))


def shelf(record: Record) -> str:
    """The file a record is kept in, below `wiki/.claims/cold/`: two characters of the mention it is about."""
    return f"{record.about[0][:2]}.jsonl"


def rests_on(claims: Iterable[Claim]) -> Rests:
    """Claims as results rest on them."""
    return tuple(sorted({(claim.id, tuple(sorted({one.source for one in claim.evidence}))) for claim in claims}))


def write(records: Iterable[Record]) -> bytes:
    """A file of records: sorted lines, each once."""
    return b"".join(sorted({_line(record) for record in records}))


def _line(record: Record) -> bytes:
    told: dict[str, Any] = {"step": record.step.value, "about": list(record.about)}
    match record:
        case Result(said=said, rests=rests):
            told |= {"said": [{"text": text, "claims": list(ids)} for text, ids in said]}
            told |= {"rests": [{"claim": id, "sources": list(sources)} for id, sources in rests]}
        case Refused(rule=rule, reason=reason):
            told |= {"refused": rule, "reason": reason}
    return orjson.dumps(told | {"basis": record.basis, "by": record.by}) + b"\n"


def read(data: bytes, where: str) -> tuple[tuple[Record, ...], tuple[Problem, ...]]:
    """The records of a file in order, and a problem for each line that is none."""
    found: set[Record] = set()
    problems: list[Problem] = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            found.add(_read(orjson.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError):
            message = "this line was left out: it is no result of consolidation; the next `wikimem consolidate` makes it anew"
            problems.append(Problem(f"{where}:{number}", "cold-line", message))
    return tuple(sorted(found, key=_line)), tuple(problems)


def _read(told: Mapping[str, Any]) -> Record:
    step, about, basis, by = Step(told["step"]), _ids(told["about"]), _text(told["basis"]), _text(told["by"])
    if not about:
        raise ValueError("about nothing")
    if "refused" in told:
        return Refused(step, about, _text(told["refused"]), _text(told["reason"]), basis, by)
    said = tuple((texts.normal(_text(one["text"])), _ids(one["claims"])) for one in told["said"])
    rests = tuple(sorted((_text(one["claim"]), _ids(one["sources"])) for one in told["rests"]))
    cited = {id for _, ids in said for id in ids}
    if len(about) != (2 if step is Step.LINKS else 1):
        raise ValueError("not about as many subjects as the step is")
    if not said or not all(text and ids for text, ids in said) or not cited <= {id for id, _ in rests}:
        raise ValueError("a sentence without text, or without a claim that it rests on")
    return Result(step, about, said, rests, basis, by)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not text")
    return value


def _ids(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return tuple(_text(one) for one in value)


def without(records: Iterable[Record], gone: Iterable[Record]) -> tuple[Record, ...]:
    """The records without some."""
    left = {*gone}
    return tuple(record for record in records if record not in left)


def is_void(record: Record, subjects: Mapping[str, Subject], group: Callable[[str], Iterable[str]]) -> bool:
    """Whether nothing may be kept of a record any more: what it is about, or rests on, is gone.

    Args:
        subjects: by key.
        group: the mentions that are one with a mention.
    """
    keys = tuple(min(group(mention)) for mention in record.about)
    if any(key not in subjects for key in keys) or len(set(keys)) < len(keys):
        return True
    return isinstance(record, Result) and _standings(record, [subjects[key] for key in keys]) is None


def holds(result: Result, subjects: Mapping[str, Subject], group: Callable[[str], Iterable[str]]) -> bool:
    """Whether a result that is not void rests on nothing that ended; arguments as `is_void`."""
    found = _standings(result, [subjects[min(group(mention))] for mention in result.about])
    return found is not None and all(standing.current is not None for standing in found.values())


def _standings(result: Result, about: Iterable[Subject]) -> dict[str, Standing] | None:
    """The standings of all claims that a result rests on, by their ids; None where it is void."""
    claims: dict[str, Claim] = {}
    shown: dict[str, Standing] = {}
    for subject in about:
        claims |= {claim.id: claim for claim in subject.claims}
        shown |= {id: standing for standing in subject.standings for id in (standing.claim.id, *standing.same)}
    for id, sources in result.rests:
        claim = claims.get(id)
        if claim is None or id not in shown or not {*sources} <= {one.source for one in claim.evidence}:
            return None
    return {id: shown[id] for id, _ in result.rests}


def effective(subjects: Mapping[str, Subject], records: Iterable[Record], group: Callable[[str], Iterable[str]]) -> Cold:
    """What the records give for the subjects as they are now; the same whatever their order.

    Args:
        subjects: by key.
        records: all of them, also several of one step and subject.
        group: the mentions that are one with a mention.
    """
    by_place: dict[tuple[Step, tuple[str, ...]], list[tuple[tuple[object, ...], Result, dict[str, Standing]]]] = defaultdict(list)
    for record in records:
        keys = tuple(min(group(mention)) for mention in record.about)
        if isinstance(record, Refused) or any(key not in subjects for key in keys) or len(set(keys)) < len(keys):
            continue
        standings = _standings(record, [subjects[key] for key in keys])
        if standings is not None:
            by_place[record.step, keys].append((_rank(record, standings), record, standings))
    best = {place: min(found, key=lambda one: one[0])[1:] for place, found in sorted(by_place.items())}
    return _shown(best)


def _rank(result: Result, standings: Mapping[str, Standing]) -> tuple[object, ...]:
    """Of two results of one step and subject: the one that holds, that rests on what was said last, on more; then by its line."""
    stale = sum(standing.current is None for standing in standings.values())
    last = max((one.heard for standing in standings.values() for one in standing.claim.evidence), default="")
    return (stale, _backwards(last), -len(result.rests), _line(result))


def _backwards(text: str) -> tuple[int, ...]:
    """A text so that later ones come first."""
    return (*(-ord(character) for character in text), 1)


def _shown(best: Mapping[tuple[Step, tuple[str, ...]], tuple[Result, dict[str, Standing]]]) -> Cold:
    sentences: dict[str, list[Sentence]] = defaultdict(list)
    reasons: dict[tuple[str, str], str] = {}
    beside: dict[str, list[str]] = defaultdict(list)
    profiles: dict[str, tuple[Sentence, ...]] = {}
    for (step, keys), (result, standings) in sorted(best.items(), key=lambda item: ([*Step].index(item[0][0]), item[0][1])):
        holds = [all(standings[id].current is not None for id in ids) for _, ids in result.said]
        said = [(text, _cited(ids, standings)) for text, ids in result.said]
        match step:
            case Step.LEADS | Step.PROCEDURES:
                told = [(text if good else f"{text}{STALE}", ids) for (text, ids), good in zip(said, holds, strict=True)]
                # How often a command worked tells more of it than what its page says below.
                sentences[keys[0]] = told + sentences[keys[0]] if step is Step.PROCEDURES else told
            case Step.LINKS:
                if holds[0]:
                    reasons[keys[0], keys[1]] = said[0][0]
                    beside[keys[0]].append(keys[1])
            case Step.PROFILES:
                if kept := tuple(one for one, good in zip(said, holds, strict=True) if good):
                    profiles[keys[0]] = kept
    intros = {key: Intro(tuple(told)) for key, told in sentences.items()}
    return Cold(intros, reasons, {key: tuple(others) for key, others in beside.items()}, profiles)


def _cited(ids: Iterable[str], standings: Mapping[str, Standing]) -> tuple[str, ...]:
    """The claims that are shown for those that are cited."""
    return tuple(dict.fromkeys(standings[id].claim.id for id in ids))


def basis(*parts: str) -> str:
    """What a step was given, as a hash."""
    return digest(*parts)
