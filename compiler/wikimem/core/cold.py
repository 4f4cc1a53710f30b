"""Results of consolidation, one JSON line each, with the claims they rest on; and what of them holds now. Not who makes them.

A file of results is a set of sorted lines, so that git's `union` merge of two of them is right. A result is *void* when a
claim it rests on is gone, or lost a source that it had then; a sentence is *stale* when a claim it cites does not hold now.
What consolidation was told to leave is kept too, so that nobody is asked the same twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import orjson

from wikimem.core import linesets, texts
from wikimem.core.claims import TYPES, UNKNOWN, Claim, Kind, Mention, Stance, digest, evidence_order
from wikimem.core.judgements import Pair, Relation
from wikimem.errors import Problem

if TYPE_CHECKING:
    from wikimem.core.subjects import Subject
    from wikimem.core.timeline import Standing

STALE = " (no longer so)"
"""What a sentence ends in when a claim that it cites does not hold any more."""


UNDONE = "undone"
"""The rule of what a person took back: it is not proposed again from the same claims."""


class Step(StrEnum):
    """What consolidation does, in this order."""

    IDENTITIES = "identities"
    LEADS = "leads"
    PROCEDURES = "procedures"
    LINKS = "links"
    PROFILES = "profiles"
    REFLECTIONS = "reflections"
    THEMES = "themes"
    ANSWERS = "answers"
    MAPS = "maps"


Sentence = tuple[str, tuple[str, ...]]
"""What is said, and the ids of the claims that say so."""
Rests = tuple[tuple[str, tuple[str, ...]], ...]
"""Ids of claims, each with all the sources that proved it then."""


@dataclass(frozen=True, slots=True)
class Result:
    """What one step gave for one page, or for one page and another.

    Args:
        step: which.
        about: id of a mention of the subject; of a link, that of the other's after it; of a reflection, those of all other
            subjects that it rests on.
        said: its sentences; of a link one, the reason; of a profile one for each line; of a reflection what it says, and what
            speaks against it, if anything does.
        rests: what it rests on, sorted.
        basis: what the step was given, as a hash: the same again gives nothing new.
        by: the model's name.
        stance: of a reflection: `inference` or `opinion`; empty otherwise.
        confidence: of a reflection, in hundredths; 0 otherwise.
        page: the page of its own that it makes, of several subjects: a runbook, a map, an answer; None for what a subject's
            page shows.
    """

    step: Step
    about: tuple[str, ...]
    said: tuple[Sentence, ...]
    rests: Rests
    basis: str
    by: str
    stance: str = ""
    confidence: int = 0
    page: Mention | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A proposal that was not taken, without its words; or that there was nothing to propose (rule `nothing`).

    Args:
        step, about, basis, by: as of `Result`; of a pair, `basis` are its two ids.
        rule: which refused it.
        reason: one sentence.
    """

    step: Step
    about: tuple[str, ...]
    rule: str
    reason: str
    basis: str
    by: str


@dataclass(frozen=True, slots=True)
class Held:
    """A judgement about a pair that waits for a person: by the vault's policy it is not applied by itself.

    Args:
        step, about, basis, by: as of `Refused`.
        of: `claims` or `mentions`.
        relation: the judgement.
        reason: why it was judged so; one sentence.
        risk: what it would do, and how much harm that can do.
    """

    step: Step
    about: tuple[str, ...]
    of: str
    relation: Relation
    reason: str
    risk: str
    basis: str
    by: str


Record = Result | Refused | Held


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
class Own:
    """A page that consolidation made of what several subjects tell.

    Args:
        page: its scope, type and title.
        step: which made it.
        standings: those it cites, by the id of the claim that is shown.
        steps: of a runbook, the ids of its steps in order.
    """

    page: Mention
    step: Step
    standings: Mapping[str, Standing]
    steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cold:
    """Results as pages show them.

    Args:
        intros: by subject key.
        reasons: why two subjects are related, by the two keys.
        beside: further subjects that a page leads to, by key: those that name it, or belong to it otherwise.
        profiles: the lines of a profile that hold now, by key.
        themes: by which words claims may be asked for beside their own, by key and the id of the claim that is shown.
        own: pages of no subject, by key.
    """

    intros: Mapping[str, Intro] = field(default_factory=dict)
    reasons: Mapping[tuple[str, str], str] = field(default_factory=dict)
    beside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    profiles: Mapping[str, tuple[Sentence, ...]] = field(default_factory=dict)
    themes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    own: Mapping[str, Own] = field(default_factory=dict)

    def of(self, key: str) -> tuple[object, ...]:
        """All that is told of one subject, to be compared."""
        beside = self.beside.get(key, ())
        reasons = tuple((other, self.reasons.get((key, other), "")) for other in beside)
        return (self.intros.get(key), reasons, self.profiles.get(key, ()), self.themes.get(key, {}))


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
        case Result(said=said, rests=rests, page=page):
            if page is not None:
                told |= {"page": {"scope": page.scope, "type": page.type, "title": page.name}}
            told |= {"said": [{"text": text, "claims": list(ids)} for text, ids in said]}
            told |= {"rests": [{"claim": id, "sources": list(sources)} for id, sources in rests]}
            told |= {"stance": record.stance, "confidence": record.confidence} if record.stance else {}
        case Refused(rule=rule, reason=reason):
            told |= {"refused": rule, "reason": reason}
        case Held(of=of, relation=relation, reason=reason, risk=risk):
            told |= {"held": relation.value, "of": of, "reason": reason, "risk": risk}
    return orjson.dumps(told | {"basis": record.basis, "by": record.by}) + b"\n"


def read(data: bytes, where: str) -> tuple[tuple[Record, ...], tuple[Problem, ...]]:
    """The records of a file in order, and a problem for each line that is none."""
    message = "this line was left out: it is no result of consolidation; the next `wikimem consolidate` makes it anew"
    found, problems = linesets.read(data, where, _read, "cold-line", message)
    return tuple(sorted(found, key=_line)), problems


def _read(told: Mapping[str, Any]) -> Record:
    step, about, basis, by = Step(told["step"]), _ids(told["about"]), _text(told["basis"]), _text(told["by"])
    if not about or (step is Step.IDENTITIES and len(basis.split(" ")) != 2):
        raise ValueError("about nothing, or no pair")
    if "refused" in told:
        return Refused(step, about, _text(told["refused"]), _text(told["reason"]), basis, by)
    if "held" in told:
        relation, reason, risk = Relation(told["held"]), _text(told["reason"]), _text(told["risk"])
        return Held(step, about, _text(told["of"]), relation, reason, risk, basis, by)
    said = tuple((texts.normal(_text(one["text"])), _ids(one["claims"])) for one in told["said"])
    rests = tuple(sorted((_text(one["claim"]), _ids(one["sources"])) for one in told["rests"]))
    cited = {id for _, ids in said for id in ids}
    page = _page(told["page"]) if "page" in told else None
    if page is None and not fits(step, about):
        raise ValueError("not about as many subjects as the step is")
    if not said or not all(text and ids for text, ids in said) or not cited <= {id for id, _ in rests}:
        raise ValueError("a sentence without text, or without a claim that it rests on")
    if step is Step.IDENTITIES:
        raise ValueError("a judgement is kept as that of a pair")
    if step is not Step.REFLECTIONS:
        return Result(step, about, said, rests, basis, by, page=page)
    stance, confidence = Stance(told["stance"]), told["confidence"]
    if stance.firm or not isinstance(confidence, int) or not 0 < confidence <= 100 or len(said) > 2:
        raise ValueError("a reflection that is no inference or opinion")
    return Result(step, about, said, rests, basis, by, stance.value, confidence)


def fits(step: str, about: tuple[str, ...]) -> bool:
    """Whether a step is about so many subjects."""
    if step == Step.REFLECTIONS:
        return bool(about)
    return len(about) == (2 if step == Step.LINKS else 1)


def _page(told: Mapping[str, Any]) -> Mention:
    page = Mention(_text(told["scope"]), _text(told["type"]), texts.normal(_text(told["title"])))
    if page.type not in TYPES or not page.key[2]:
        raise ValueError("no page")
    return page


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
    keys = keys_of(record, group)
    if any(key not in subjects for key in keys) or len(set(keys)) < len(keys):
        return True
    if record.step is Step.IDENTITIES:
        known = {id for key in keys for id in (*subjects[key].mentions, *(claim.id for claim in subjects[key].claims))}
        return not {*pair_of(record)} <= known
    return isinstance(record, Result) and _standings(record, [subjects[key] for key in keys]) is None


def keys_of(record: Record, group: Callable[[str], Iterable[str]]) -> tuple[str, ...]:
    """The keys of the subjects that a record is about; arguments as `is_void`.

    Two that became one are one for a reflection; nothing is left of a link from a page to itself, nor of a pair.
    """
    keys = tuple(min(group(mention)) for mention in record.about)
    return tuple(dict.fromkeys(keys)) if record.step is Step.REFLECTIONS else keys


def pair_of(record: Record) -> Pair:
    """The two ids of the pair that a record of identities is about."""
    one, other = record.basis.split(" ")
    return (one, other)


def holds(result: Result, subjects: Mapping[str, Subject], group: Callable[[str], Iterable[str]]) -> bool:
    """Whether a result that is not void rests on nothing that ended; arguments as `is_void`."""
    found = _standings(result, [subjects[key] for key in keys_of(result, group)])
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


def concluded(result: Result, home: Iterable[Claim], claims: Mapping[str, Claim]) -> Claim | None:
    """The claim that a reflection is: on all the evidence of what it rests on, no surer than the least sure of it.

    Args:
        result: the reflection.
        home: the claims of the subject it is shown of.
        claims: those of all subjects it is about, by id.

    Returns:
        The claim; None where the reflection is void.
    """
    rest = [claims[id] for id, _ in result.rests if id in claims]
    if len(rest) < len(result.rests):
        return None
    for claim, (_, sources) in zip(rest, result.rests, strict=True):
        if not {*sources} <= {one.source for one in claim.evidence}:
            return None
    first = min(home, key=lambda claim: (claim.said or "~", claim.id))
    sure = [claim.confidence for claim in rest if claim.confidence]
    text = " ".join(text for text, _ in result.said)
    # When what happened held says nothing of how long a conclusion from it does.
    evidence = {replace(one, holds=UNKNOWN) for claim in rest for one in claim.evidence}
    made = Claim(
        mention=first.mention,
        attribute="",
        kind=Kind.SEMANTIC,
        stance=Stance(result.stance),
        text=texts.normal(text),
        evidence=tuple(sorted(evidence, key=evidence_order)),
        confidence=min([result.confidence, *sure]),
        rests=tuple(id for id, _ in result.rests),
    )
    same = texts.key(made.text)
    return None if any(claim.id == made.id or texts.key(claim.text) == same for claim in home) else made


def effective(subjects: Mapping[str, Subject], records: Iterable[Record], group: Callable[[str], Iterable[str]]) -> Cold:
    """What the records give for the subjects as they are now; the same whatever their order.

    Args:
        subjects: by key.
        records: all of them, also several of one step and subject.
        group: the mentions that are one with a mention.
    """
    by_place: dict[tuple[Step, tuple[str, ...]], list[tuple[tuple[object, ...], _Placed]]] = defaultdict(list)
    for record in records:
        keys = keys_of(record, group)
        if not isinstance(record, Result) or any(key not in subjects for key in keys) or len(set(keys)) < len(keys):
            continue
        standings = _standings(record, [subjects[key] for key in keys])
        if standings is not None:
            place = keys if record.page is None else (record.page.id,)
            by_place[record.step, place].append((_rank(record, standings), _Placed(record, keys, standings)))
    best = {place: min(found, key=lambda one: one[0])[1] for place, found in sorted(by_place.items())}
    # A page of that name which has a subject of its own stands before one that was only made.
    shown = {place: one for place, one in best.items() if one.result.page is None or one.result.page.id not in subjects}
    return _shown(shown, _grounds(subjects, by_place))


@dataclass(frozen=True, slots=True)
class _Placed:
    """A result that is not void, with the keys of what it is about and the standings of what it rests on."""

    result: Result
    keys: tuple[str, ...]
    standings: Mapping[str, Standing]


def _grounds(subjects: Mapping[str, Subject], places: Iterable[tuple[Step, tuple[str, ...]]]) -> Mapping[str, set[str]]:
    """The other subjects that what is concluded of one rests on, by its key: its page leads to them."""
    found: dict[str, set[str]] = defaultdict(set)
    for step, keys in places:
        if step is Step.REFLECTIONS and len(keys) > 1:
            rest = {id for claim in subjects[keys[0]].claims for id in claim.rests}
            found[keys[0]] |= {key for key in keys[1:] if any(claim.id in rest for claim in subjects[key].claims)}
    return found


def _rank(result: Result, standings: Mapping[str, Standing]) -> tuple[object, ...]:
    """Of two results of one step and subject: the one that holds, that rests on what was said last, on more; then by its line."""
    stale = sum(standing.current is None for standing in standings.values())
    last = max((one.heard for standing in standings.values() for one in standing.claim.evidence), default="")
    return (stale, _backwards(last), -len(result.rests), _line(result))


def _backwards(text: str) -> tuple[int, ...]:
    """A text so that later ones come first."""
    return (*(-ord(character) for character in text), 1)


def _shown(best: Mapping[tuple[Step, tuple[str, ...]], _Placed], grounds: Mapping[str, set[str]]) -> Cold:
    sentences: dict[str, list[Sentence]] = defaultdict(list)
    reasons: dict[tuple[str, str], str] = {}
    beside: dict[str, list[str]] = defaultdict(list, {key: sorted(others) for key, others in grounds.items()})
    profiles: dict[str, tuple[Sentence, ...]] = {}
    themes: dict[str, Mapping[str, str]] = {}
    own: dict[str, Own] = {}
    summaries: dict[str, str] = {}
    for (step, keys), held in sorted(best.items(), key=lambda item: ([*Step].index(item[0][0]), item[0][1])):
        result, standings = held.result, held.standings
        holds = [all(standings[id].current is not None for id in ids) for _, ids in result.said]
        said = [(text, _cited(ids, standings)) for text, ids in result.said]
        told = [(text if good else f"{text}{STALE}", ids) for (text, ids), good in zip(said, holds, strict=True)]
        if result.page is not None:
            listed = [(home, text) for home, (text, _), good in zip(held.keys, said, holds, strict=False) if good]
            if step is Step.MAPS and not listed:
                continue
            own[keys[0]] = _own(result.page, step, held, said)
            sentences[keys[0]] = [] if step is Step.MAPS else told
            if step is Step.MAPS:
                summaries[keys[0]] = _LISTED
            for home, text in listed if step is Step.MAPS else [(home, "") for home in held.keys]:
                reasons |= {(keys[0], home): text, (home, keys[0]): _BACK[step]}
                beside[keys[0]].append(home)
                beside[home].append(keys[0])
            continue
        match step:
            case Step.LEADS | Step.PROCEDURES:
                # How often a command worked tells more of it than what its page says below.
                sentences[keys[0]] = told + sentences[keys[0]] if step is Step.PROCEDURES else told
            case Step.LINKS:
                if holds[0]:
                    reasons[keys[0], keys[1]] = said[0][0]
                    beside[keys[0]] += [keys[1]] if keys[1] not in beside[keys[0]] else []
            case Step.PROFILES:
                if kept := tuple(one for one, good in zip(said, holds, strict=True) if good):
                    profiles[keys[0]] = kept
            case Step.THEMES:
                themes[keys[0]] = _by_claim(said)
            case Step.IDENTITIES | Step.REFLECTIONS:
                # Judgements, and claims that the fold makes of them.
                pass
    intros = {key: Intro(tuple(told), summaries.get(key, "")) for key, told in sentences.items()}
    return Cold(intros, reasons, {key: tuple(others) for key, others in beside.items()}, profiles, themes, own)


_LISTED = "What there is, each with what was said of it first."
_BACK = {Step.MAPS: "what there is beside it", Step.PROCEDURES: "what it is a step of", Step.ANSWERS: "asked often"}
"""Why a page leads to one that was made of what it says."""


def _own(page: Mention, step: Step, held: _Placed, said: Iterable[Sentence]) -> Own:
    """The page of a result."""
    standings = {one.claim.id: one for one in held.standings.values()}
    steps = next((ids for _, ids in said), ()) if step is Step.PROCEDURES else ()
    return Own(page, step, standings, tuple(id for id in steps if standings[id].current is not None))


def _by_claim(said: Iterable[Sentence]) -> dict[str, str]:
    """What is said of each claim, by its id."""
    found: dict[str, str] = {}
    for text, ids in said:
        for id in ids:
            found[id] = f"{found[id]} {text}" if id in found else text
    return found


def _cited(ids: Iterable[str], standings: Mapping[str, Standing]) -> tuple[str, ...]:
    """The claims that are shown for those that are cited."""
    return tuple(dict.fromkeys(standings[id].claim.id for id in ids))


def basis(*parts: str) -> str:
    """What a step was given, as a hash."""
    return digest(*parts)
