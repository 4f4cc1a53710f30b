"""Claims: self-contained statements about a mention, each with the quoted words that prove it. Not pages, not files.

A claim's id is computed from what it says, never from where it was said: the same statement in two sessions is one
claim with two assertions. How a source's claims are kept is told in `claimfiles`.
"""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256

from wikimem.core import texts
from wikimem.core.zones import UTC, Zone


class Kind(StrEnum):
    """What sort of thing a claim says: it happened, it is so, or it is what to do."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"


class Stance(StrEnum):
    """On what ground a claim stands; it never rises by itself."""

    EVIDENCE = "evidence"
    FACT = "fact"
    PREFERENCE = "preference"
    INFERENCE = "inference"
    OPINION = "opinion"

    @property
    def firm(self) -> bool:
        """Whether it is observed or said by a person: only such claims can end or deny one another."""
        return self not in (Stance.INFERENCE, Stance.OPINION)


class Basis(StrEnum):
    """How an end of an interval is known."""

    STATED = "stated"
    INFERRED = "inferred"
    UNKNOWN = "unknown"


TYPES = ("person", "project", "topic", "decision", "procedure", "environment", "gotcha", "synthesis")


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """A subject as a transcript names it.

    Args:
        scope: `project:<slug>`, `user:<slug>`, `agent:<slug>`, or empty.
        type: one of `TYPES`.
        name: as it was named, in normal form.
    """

    scope: str
    type: str
    name: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes two mentions equal: names that differ only in case, spaces or hyphens are one."""
        return (self.scope, self.type, texts.key(self.name))

    @property
    def id(self) -> str:
        """12 base32 characters over its key."""
        return _mention_id(self)


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of an interval: a moment (see `moments`), empty if unknown, and how it is known."""

    moment: str = ""
    basis: Basis = Basis.UNKNOWN


@dataclass(frozen=True, slots=True)
class Holds:
    """When something holds in the world, half open: from `start`, until just before `end`."""

    start: Bound = Bound()
    end: Bound = Bound()


UNKNOWN = Holds()
"""Nobody told when it holds."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What an assistant proposed and a person accepted: the other half of an acceptance."""

    at: str
    turn: str
    quote: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """One assertion of a claim: who said it, when, in which words, and when it holds.

    Args:
        at: locator of the turn in its source.
        turn: the turn's identity over all sources.
        quote: the source's own words.
        speaker: `human`, `assistant` or `tool`.
        name: the person's name where the source tells it; empty usually.
        said: as `Turn.said`; empty if unknown.
        holds: when it holds, as far as the words tell.
        proposal: what was accepted, where these words accept something.
        source: the source's id; known from the file it stands in, never written in it.
        zone: in which its days are told; the vault's, never written either.
    """

    at: str
    turn: str
    quote: str
    speaker: str
    name: str = ""
    said: str = ""
    holds: Holds = UNKNOWN
    proposal: Proposal | None = None
    source: str = ""
    zone: Zone = field(default=UTC, compare=False, repr=False)

    @property
    def footing(self) -> tuple[str, str, str]:
        """Source, locator and quote: what a person's verdict can bind to, however the claim is worded."""
        return (self.source, self.at, texts.normal(self.quote))

    @property
    def by_hand(self) -> bool:
        """Whether a person wrote it into the wiki itself; no session ends or denies that, it can only dispute it."""
        return "-edit-" in self.source

    @property
    def is_answer(self) -> bool:
        """Whether it is an answer from memory that a person had filed; that proves and confirms nothing else."""
        return "-answer-" in self.source

    @property
    def instant(self) -> str:
        """The instant this assertion counts from, empty if it has none.

        The stated beginning, moved to the time it was said where that lies in the same period: two values on one day
        are ordered by the time they were said. Without a stated beginning, when it was said.
        """
        said = self.heard
        start = self.holds.start.moment
        if not start:
            return said
        return self.zone.clamp(said, start) if said else self.zone.floor(start)

    @property
    def order(self) -> tuple[str, str]:
        """What assertions are ordered by in time."""
        return (self.instant, self.heard)

    @property
    def heard(self) -> str:
        """The instant it was said at; empty if unknown."""
        return self.zone.floor(self.said)

    @property
    def day(self) -> str:
        """The day it was said on; empty if unknown."""
        return self.zone.day(self.said)

    @property
    def ends(self) -> str:
        """The instant at which it ends, as its words tell; empty if they do not."""
        return self.zone.floor(self.holds.end.moment)


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement.

    Args:
        mention: whom or what it is about.
        attribute: a slug of the vocabulary, or empty.
        kind: see `Kind`.
        stance: see `Stance`.
        text: one line in normal form, self-contained.
        evidence: its assertions, at least one.
        confidence: how sure whoever drew it is, in hundredths (40 for 0.4); 0 if not told.
        step: its place among the steps of a procedure, from 1; 0 for none.
        code: where it speaks of code: `repository`, `commit` and paths, in that order; empty usually.
        rests: ids of the claims that consolidation concluded it from; empty for what a source says.
    """

    mention: Mention
    attribute: str
    kind: Kind
    stance: Stance
    text: str
    evidence: tuple[Evidence, ...]
    confidence: int = 0
    step: int = 0
    code: tuple[str, ...] = ()
    rests: tuple[str, ...] = ()
    id: str = field(init=False, compare=False, repr=False)
    """12 base32 characters over scope, mention, attribute, text and stance: not over the source."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", _claim_id(self.mention, self.attribute, self.text, self.stance.value))

    @property
    def by_hand(self) -> bool:
        """Whether a person wrote it into the wiki itself, whoever said it besides."""
        return any(one.by_hand for one in self.evidence)

    @property
    def said(self) -> str:
        """The first instant it was said at; empty if no assertion has one."""
        return min((one.heard for one in self.evidence if one.said), default="")

    @property
    def zone(self) -> Zone:
        """The zone in which its days are told."""
        return self.evidence[0].zone if self.evidence else UTC

    def with_evidence(self, evidence: Iterable[Evidence]) -> Claim:
        """The same claim standing on this evidence, in canonical order, each piece once."""
        return replace(self, evidence=ordered(evidence))


@lru_cache(maxsize=65536)
def _claim_id(mention: Mention, attribute: str, text: str, stance: str) -> str:
    return digest(*mention.key, attribute, texts.normal(text), stance)


@lru_cache(maxsize=65536)
def _mention_id(mention: Mention) -> str:
    return digest(*mention.key)


def digest(*parts: str) -> str:
    """12 lower-case base32 characters of SHA-256 over the parts, which may hold anything but U+0000."""
    # Ten bytes are more than twelve characters tell.
    return b32encode(sha256("\x00".join(parts).encode("utf-8", "replace")).digest()[:10]).decode("ascii").lower()[:12]


def ordered(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Evidence in canonical order, each piece once."""
    every = set(evidence)
    return tuple(every) if len(every) == 1 else tuple(sorted(every, key=evidence_order))


def evidence_order(evidence: Evidence) -> tuple[str, ...]:
    """Earliest said first; unknown times last; then by place, so that the order never depends on capture."""
    return (
        evidence.heard or "~",
        evidence.source,
        *_place(evidence.at),
        evidence.quote,
        evidence.holds.start.moment,
        evidence.holds.end.moment,
        repr(evidence),
    )


def _place(at: str) -> tuple[str, str]:
    digits = "".join(character if character.isdigit() else " " for character in at).split()
    return (" ".join(number.rjust(9, "0") for number in digits), at)


def united(claims: Iterable[Claim]) -> dict[str, Claim]:
    """Claims by id, those of one id united: one claim with the evidence of all.

    What is no part of the id is elected from the claim that was said first: the result does not depend on order.
    """
    found: dict[str, list[Claim]] = {}
    for claim in claims:
        found.setdefault(claim.id, []).append(claim)
    return {id: unite(same) for id, same in sorted(found.items())}


def unite(same: list[Claim]) -> Claim:
    """One claim from several of one id; see `united`.

    Raises:
        ValueError: two different statements share an id.
    """
    if len(same) == 1:
        return same[0] if len(same[0].evidence) == 1 else same[0].with_evidence(same[0].evidence)
    first = min(same, key=lambda claim: (claim.said or "~", repr(claim)))
    if any(texts.normal(claim.text) != texts.normal(first.text) or claim.stance != first.stance for claim in same):
        raise ValueError(f"two different claims share the id {first.id}: {first.text!r} and others")
    return first.with_evidence(evidence for claim in same for evidence in claim.evidence)


def distinct(claim: Claim, owners: Mapping[str, str]) -> Claim:
    """The claim with copies of one turn counted once.

    Args:
        claim: with evidence of any sources.
        owners: who owns an identity that several sources hold; without an entry, the smallest source id of those here.
    """
    if len(claim.evidence) == 1:
        return claim
    best: dict[tuple[str, str], Evidence] = {}
    loose: list[Evidence] = []
    for evidence in claim.evidence:
        if not evidence.turn:
            loose.append(evidence)
            continue
        key = (evidence.turn, texts.normal(evidence.quote))
        rank = (evidence.source != owners.get(evidence.turn, evidence.source), evidence_order(evidence)[1:])
        known = best.get(key)
        if known is None or rank < (known.source != owners.get(known.turn, known.source), evidence_order(known)[1:]):
            best[key] = evidence
    return claim.with_evidence([*best.values(), *loose])
