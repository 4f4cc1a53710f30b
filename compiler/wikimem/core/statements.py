"""Statements: claims as recall finds and shows them, each with its place in time, its page and its proof. Not page lines.

A statement is a standing with what must be known beside it: the claims that it unites, so that a subject can be folded
again as it was known at some moment, and the texts of those that ended it or that it ended. It is made of plain values
and comes back from them (`pack`, `unpack`), because the index keeps it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import orjson

from wikimem.core import timeline
from wikimem.core.claims import Basis, Bound, Claim, Evidence, Holds, Kind, Mention, Proposal, Stance, digest
from wikimem.core.judgements import Pair, Relation
from wikimem.core.scopes import deepest, sees
from wikimem.core.timeline import Ending, Interval, Lapsed, Retracted, Standing, Superseded
from wikimem.core.zones import UTC, Zone

if TYPE_CHECKING:
    from wikimem.core.subjects import Subject
    from wikimem.core.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class About:
    """Whom or what a statement is about.

    Args:
        key: the subject's.
        title: its title.
        aliases: its other names.
        scope: its scope; empty for none.
        page: its page, `wiki/topics/payment-retries.md`.
        proved: the scope that may see all sessions that prove anything of it; None if none may.
    """

    key: str
    title: str
    aliases: tuple[str, ...]
    scope: str
    page: str
    proved: str | None


@dataclass(frozen=True, slots=True)
class Other:
    """Another standing of the subject that this one ended, or was ended by.

    Args:
        id: its claim's id.
        text: what it says.
        scope: as `Statement.scope`.
    """

    id: str
    text: str
    scope: str | None


@dataclass(frozen=True, slots=True)
class Statement:
    """One standing of a subject.

    Args:
        about: the subject.
        standing: the claim with its intervals and rivals.
        members: the claims it unites, as they were extracted.
        others: those that ended it.
        scope: the scope that may see all sessions that prove it; None if none may.
        page: the page it stands on: the subject's, or one that a part of it was moved to.
    """

    about: About
    standing: Standing
    members: tuple[Claim, ...]
    others: tuple[Other, ...]
    scope: str | None
    page: str

    @property
    def claim(self) -> Claim:
        """The claim that is shown."""
        return self.standing.claim

    @property
    def id(self) -> str:
        """The id of the claim that is shown."""
        return self.standing.claim.id

    @property
    def current(self) -> bool:
        """Whether nothing has ended it."""
        return self.standing.current is not None

    @property
    def enders(self) -> tuple[str, ...]:
        """The ids of those that ended it for good, the last first; empty while it holds."""
        if self.current:
            return ()
        endings = (interval.ending for interval in reversed(self.standing.intervals))
        return tuple(dict.fromkeys(ending.by for ending in endings if isinstance(ending, Superseded | Retracted)))

    @property
    def first(self) -> Evidence:
        """The evidence that is shown."""
        return self.claim.evidence[0]

    @property
    def cite(self) -> str:
        """The citation of its first evidence, which `show` opens."""
        return f"{self.first.source}:{self.first.at}"

    @property
    def keys(self) -> tuple[str, ...]:
        """The texts it is found by, beside its own."""
        told = [member.text for member in self.members if member.text != self.claim.text]
        quoted = [one.quote for one in self.claim.evidence]
        attribute = self.claim.attribute.replace("-", " ")
        return tuple(dict.fromkeys((self.about.title, *self.about.aliases, attribute, *told, *quoted)))


def of(
    subject: Subject, page: str, vocabulary: Vocabulary, scopes: Mapping[str, str], moved: Mapping[str, str] | None = None
) -> tuple[list[Statement], Relations]:
    """The statements of a subject, and the relations among its claims.

    Args:
        subject: folded.
        page: its page's path in the vault.
        vocabulary: the vault's.
        scopes: the scope of each source's session, by source id.
        moved: the paths of the claims that stand on another page, by claim id.
    """
    from wikimem.core import pairs  # what a recall does not need should not be imported by one

    proved = _scope((one for claim in subject.claims for one in claim.evidence), scopes)
    about = About(subject.key, subject.title, subject.aliases, subject.scope, page, proved)
    relations = pairs.relations(subject.claims, {one.pair: one for one in subject.judged}, vocabulary)
    return _made(about, subject.standings, subject.claims, scopes, moved or {}), relations


Relations = Mapping[Pair, Relation]
"""How the claims of a subject stand to each other, by the pair of their ids."""


def known(
    statements: Sequence[Statement], relations: Relations, moment: str, recorded: Mapping[str, str], scopes: Mapping[str, str]
) -> list[Statement]:
    """What was known of a subject at a moment: its claims folded again, with only what had been said by then.

    Args:
        statements: all of one subject.
        relations: among its claims.
        moment: a date or time; the whole of its period counts.
        recorded: when each source was taken in.
        scopes: as for `of`.
    """
    if not statements:
        return []
    said = timeline.known((member for one in statements for member in one.members), moment, recorded)
    ids = {claim.id for claim in said}
    among = {pair: relation for pair, relation in relations.items() if ids.issuperset(pair)}
    moved = {member.id: one.page for one in statements for member in one.members}
    return _made(statements[0].about, timeline.fold(said, among), said, scopes, moved)


def _made(
    about: About,
    standings: Iterable[Standing],
    claims: Iterable[Claim],
    scopes: Mapping[str, str],
    moved: Mapping[str, str],
) -> list[Statement]:
    by_id = {claim.id: claim for claim in claims}
    found = list(standings)
    within = {one.claim.id: _scope(one.claim.evidence, scopes) for one in found}
    texts = {one.claim.id: one.claim.text for one in found}
    made = []
    for standing in found:
        members = tuple(by_id[id] for id in sorted((standing.claim.id, *standing.same)))
        by = dict.fromkeys(
            interval.ending.by
            for interval in standing.intervals
            if isinstance(interval.ending, Superseded | Retracted) and interval.ending.by in texts
        )
        others = tuple(Other(id, texts[id], within[id]) for id in by)
        page = moved.get(standing.claim.id, about.page)
        made.append(Statement(about, standing, members, others, within[standing.claim.id], page))
    return made


def _scope(proof: Iterable[Evidence], scopes: Mapping[str, str]) -> str | None:
    """The scope that may see all sessions that some evidence is from; None if none may."""
    return deepest(scopes.get(one.source) for one in proof)


def veiled(statement: Statement, scope: str) -> Statement:
    """The statement as a scope may see it that must see nothing of others: their titles, pages and claims are not told.

    Args:
        statement: proved by sessions that this scope may see.
        scope: the scope that asks.
    """
    about = statement.about
    others = tuple(other for other in statement.others if sees(scope, other.scope))
    if sees(scope, about.proved):
        return replace(statement, others=others)
    # The subject's title, and so its page's name, may have been given elsewhere.
    name = statement.claim.mention.name
    return replace(statement, others=others, about=About(about.key, name, (), about.scope, "", scope), page="")


def holds_at(statement: Statement, moment: str) -> bool:
    """Whether it held at a moment, as far as is known now; at the end of its period, if that is coarser than a second."""
    return bool(timeline.at((statement.standing,), moment))


def key(statements: Iterable[Statement], relations: Relations, themes: Mapping[str, str] = MappingProxyType({})) -> str:
    """What changes when anything does that is shown of a subject, or that it is found by."""
    found_by = (part for id, words in sorted(themes.items()) for part in (id, words))
    return digest(*(pack(one).decode() for one in statements), pack_relations(relations).decode(), *found_by)


_ENDINGS = {Superseded: "superseded", Retracted: "retracted", Lapsed: "lapsed"}


def pack(statement: Statement) -> bytes:
    """The statement as JSON; the same statement gives the same bytes."""
    about, standing = statement.about, statement.standing
    return orjson.dumps(
        [
            [about.key, about.title, about.aliases, about.scope, about.page, about.proved],
            [standing.claim.id, standing.same, [_interval(one) for one in standing.intervals], standing.rivals],
            [_claim(member) for member in statement.members],
            [[other.id, other.text, other.scope] for other in statement.others],
            statement.scope,
            statement.page,
        ]
    )


def unpack(data: bytes, zone: Zone = UTC) -> Statement:
    """The statement that `pack` made this of.

    Args:
        data: as `pack` gave it.
        zone: of the vault, which is not packed.
    """
    about, (id, same, intervals, rivals), members, others, scope, page = orjson.loads(data)
    told = tuple(_read_claim(member, zone) for member in members)
    shown = next(member for member in told if member.id == id)
    claim = shown if len(told) == 1 else shown.with_evidence(one for member in told for one in member.evidence)
    standing = Standing(claim, tuple(same), tuple(_read_interval(one) for one in intervals), tuple(rivals))
    name, title, aliases, *rest = about
    subject = About(name, title, tuple(aliases), *rest)
    return Statement(subject, standing, told, tuple(Other(*other) for other in others), scope, page)


def pack_relations(relations: Relations) -> bytes:
    """The relations as JSON."""
    return orjson.dumps([[one, other, relation.value] for (one, other), relation in sorted(relations.items())])


def unpack_relations(data: bytes) -> Relations:
    """The relations that `pack_relations` made this of."""
    return {(one, other): Relation(relation) for one, other, relation in orjson.loads(data)}


def _interval(one: Interval) -> list[str]:
    ending = _ENDINGS[type(one.ending)] if one.ending is not None else ""
    by = "" if one.ending is None or isinstance(one.ending, Lapsed) else one.ending.by
    return [one.start.moment, one.start.basis.value, one.end.moment, one.end.basis.value, one.begins, one.ends, ending, by]


def _read_interval(told: Sequence[str]) -> Interval:
    start, start_basis, end, end_basis, begins, ends, ending, by = told
    how: Ending | None
    match ending:
        case "superseded":
            how = Superseded(by)
        case "retracted":
            how = Retracted(by)
        case "lapsed":
            how = Lapsed()
        case _:
            how = None
    return Interval(Bound(start, Basis(start_basis)), Bound(end, Basis(end_basis)), begins, ends, how)


def _claim(claim: Claim) -> list[Any]:
    mention = claim.mention
    return [
        *(mention.scope, mention.type, mention.name, claim.attribute, claim.kind.value, claim.stance.value, claim.text),
        *(claim.confidence, claim.step, claim.code, [_evidence(one) for one in claim.evidence]),
        *([claim.rests] if claim.rests else []),
    ]


def _read_claim(told: Sequence[Any], zone: Zone) -> Claim:
    scope, type_, name, attribute, kind, stance, text, confidence, step, code, evidence, *rests = told
    return Claim(
        Mention(scope, type_, name),
        attribute,
        Kind(kind),
        Stance(stance),
        text,
        tuple(_read_evidence(one, zone) for one in evidence),
        confidence,
        step,
        tuple(code),
        tuple(rests[0]) if rests else (),
    )


def _evidence(one: Evidence) -> list[Any]:
    start, end, accepted = one.holds.start, one.holds.end, one.proposal
    return [
        *(one.source, one.at, one.turn, one.quote, one.speaker, one.name, one.said),
        *(start.moment, start.basis.value, end.moment, end.basis.value),
        [accepted.at, accepted.turn, accepted.quote] if accepted is not None else None,
    ]


def _read_evidence(told: Sequence[Any], zone: Zone) -> Evidence:
    source, at, turn, quote, speaker, name, said, start, start_basis, end, end_basis, accepted = told
    holds = Holds(Bound(start, Basis(start_basis)), Bound(end, Basis(end_basis)))
    return Evidence(at, turn, quote, speaker, name, said, holds, Proposal(*accepted) if accepted else None, source, zone)
