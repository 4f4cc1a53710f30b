"""The timeline of one subject: assertions and relations folded into intervals. Pure; event time decides, never order.

Claims judged the same are one *standing*, which holds from its first assertion until a rival value was asserted later:
A, B, A gives A two intervals. *Superseded* was true; *retracted* never was. Two values that nobody ordered are in
conflict: both stand, both say so. An inference or opinion ends nothing that was observed or said by a person.

Bitemporal facts after Snodgrass; closing a fact by a later one after Graphiti, but only between rivals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from wikimem.core.claims import UNKNOWN, Basis, Bound, Claim, Evidence, Kind
from wikimem.core.judgements import Pair, Relation, pair


@dataclass(frozen=True, slots=True)
class Superseded:
    """It was true until the claim of this id came to hold."""

    by: str


@dataclass(frozen=True, slots=True)
class Retracted:
    """It never was true, says the claim of this id."""

    by: str


@dataclass(frozen=True, slots=True)
class Lapsed:
    """It ended at the time that was stated for it."""


Ending = Superseded | Retracted | Lapsed


@dataclass(frozen=True, slots=True)
class Interval:
    """One stretch in which a claim holds, half open.

    Args:
        start: as told; unknown if nobody told.
        end: as told, or the start of what superseded it; unknown while open.
        begins: the instant it counts from: the start, else when it was first said; empty if neither is known.
        ends: the instant it counts to; empty while open.
        ending: how it ended; None while it holds.
    """

    start: Bound
    end: Bound
    begins: str
    ends: str
    ending: Ending | None

    def covers(self, instant: str) -> bool:
        """Whether it held at an instant. A retracted interval never held; an unknown beginning excludes nothing."""
        if isinstance(self.ending, Retracted):
            return False
        return (not self.begins or self.begins <= instant) and (not self.ends or instant < self.ends)


@dataclass(frozen=True, slots=True)
class Standing:
    """A claim with its place in time.

    Args:
        claim: the claim that is shown, with the evidence of all that say the same.
        same: ids of the others that say the same.
        intervals: in order of time; at least one. Of an event, the one in which it happened.
        rivals: ids of the standings it is in conflict with.
    """

    claim: Claim
    same: tuple[str, ...]
    intervals: tuple[Interval, ...]
    rivals: tuple[str, ...]

    @property
    def current(self) -> Interval | None:
        """The interval that nothing has ended."""
        return next((interval for interval in self.intervals if interval.ending is None), None)

    @property
    def past(self) -> tuple[Interval, ...]:
        """The intervals that ended."""
        return tuple(interval for interval in self.intervals if interval.ending is not None)

    def covers(self, instant: str) -> bool:
        """Whether the claim held at an instant; of an event, whether it had happened."""
        if self.claim.kind is Kind.EPISODIC:
            return any(replace(interval, ends="").covers(instant) for interval in self.intervals)
        return any(interval.covers(instant) for interval in self.intervals)


def fold(
    claims: Iterable[Claim], relations: Mapping[Pair, Relation], settled: Mapping[str, tuple[str, str]] | None = None
) -> tuple[Standing, ...]:
    """The standings of one subject's claims, by id.

    Args:
        claims: each id once (`claims.united`), all of one subject.
        relations: among them (`pairs.relations`).
        settled: by the id of a claim that lost a conflict, the winner's id and when a person said so.
    """
    groups = _classes(sorted(claims, key=lambda claim: claim.id), relations)
    shown = [_elect(group) for group in groups]
    lifted = _lifted(groups, shown, relations)
    lost = _settled(groups, shown, settled or {})
    by_id = {claim.id: claim for claim in shown}
    retracted = _retracted(by_id, lifted)
    horizon = max((one.heard for claim in shown for one in claim.evidence), default="")
    intervals = {
        id: _void(claim, retracted[id]) if id in retracted else _intervals(claim, by_id, lifted, retracted, lost, horizon)
        for id, claim in by_id.items()
    }
    rivals = _conflicts(by_id, intervals, lifted)
    members = {claim.id: group for claim, group in zip(shown, groups, strict=True)}
    return tuple(
        Standing(
            claim,
            tuple(sorted(member.id for member in members[id] if member.id != id)),
            tuple(intervals[id]),
            tuple(sorted(rivals.get(id, ()))),
        )
        for id, claim in sorted(by_id.items())
    )


def known(claims: Iterable[Claim], moment: str, recorded: Mapping[str, str]) -> tuple[Claim, ...]:
    """The claims with only what had been said by a moment; those of which nothing had are left out.

    Args:
        claims: any.
        moment: a date or time; the whole of its period counts.
        recorded: when each source was taken in, for assertions that do not tell when they were said.
    """
    found = []
    for claim in claims:
        until = claim.zone.last(moment)
        kept = [one for one in claim.evidence if _learned(one, recorded) <= until]
        if kept:
            found.append(claim.with_evidence(kept))
    return tuple(found)


def _learned(evidence: Evidence, recorded: Mapping[str, str]) -> str:
    # What tells neither is not hidden from any date: nobody knows that it was unknown.
    return evidence.heard or evidence.zone.floor(recorded.get(evidence.source, ""))


def at(standings: Iterable[Standing], moment: str) -> tuple[Standing, ...]:
    """The standings that held at a moment; at the end of its period, if it is coarser than a second."""
    return tuple(standing for standing in standings if standing.covers(standing.claim.zone.last(moment)))


def _classes(claims: Sequence[Claim], relations: Mapping[Pair, Relation]) -> list[list[Claim]]:
    """Claims that say the same, together."""
    parent = {claim.id: claim.id for claim in claims}

    def root(id: str) -> str:
        while parent[id] != id:
            parent[id] = parent[parent[id]]
            id = parent[id]
        return id

    for (one, other), relation in sorted(relations.items()):
        if relation is Relation.SAME and one in parent and other in parent:
            first, second = sorted((root(one), root(other)))
            parent[second] = first
    groups: dict[str, list[Claim]] = {}
    for claim in claims:
        groups.setdefault(root(claim.id), []).append(claim)
    return [groups[key] for key in sorted(groups)]


def _elect(group: list[Claim]) -> Claim:
    """The claim that is shown for all that say the same: what a person wrote last, else a firm one, else the earliest said."""
    byhand = [claim for claim in group if claim.by_hand]
    if not byhand:
        best = min(group, key=lambda claim: (not claim.stance.firm, claim.said or "~", claim.id))
        return best.with_evidence(one for claim in group for one in claim.evidence)
    best = max(byhand, key=lambda claim: (_written(claim), claim.id))
    own = max((one for one in best.evidence if one.by_hand), key=lambda one: (one.heard, one.source, one.at))
    # Dates that a person gave are not mixed with what sessions told.
    holds = own.holds if own.holds != UNKNOWN else None
    return best.with_evidence(replace(one, holds=holds or one.holds) for claim in group for one in claim.evidence)


def _written(claim: Claim) -> str:
    return max((one.heard for one in claim.evidence if one.by_hand), default="")


def _lifted(groups: list[list[Claim]], shown: list[Claim], relations: Mapping[Pair, Relation]) -> dict[str, dict[str, Relation]]:
    """The relations between standings, both ways; the strongest where several claims of them are related."""
    order = (Relation.DENIES, Relation.CONTRADICTS, Relation.REPLACES)
    home = {member.id: claim.id for group, claim in zip(groups, shown, strict=True) for member in group}
    found: dict[Pair, Relation] = {}
    for (one, other), relation in relations.items():
        if relation not in order or one not in home or other not in home or home[one] == home[other]:
            continue
        key = pair(home[one], home[other])
        found[key] = min(relation, found.get(key, relation), key=order.index)
    both: dict[str, dict[str, Relation]] = {}
    for (one, other), relation in sorted(found.items()):
        both.setdefault(one, {})[other] = relation
        both.setdefault(other, {})[one] = relation
    return both


def _retracted(claims: Mapping[str, Claim], related: Mapping[str, Mapping[str, Relation]]) -> dict[str, str]:
    """Who denies whom: the last word counts, unless it is an inference against a person's word, or was denied too."""
    last = {id: max((one.heard for one in claim.evidence), default="") for id, claim in claims.items()}
    denied: dict[str, str] = {}
    for id in sorted(claims, key=lambda id: (last[id], id), reverse=True):
        by = [
            other
            for other, relation in related.get(id, {}).items()
            if relation is Relation.DENIES and other not in denied and last[id] and last[other] > last[id]
            if _may_end(claims[other], claims[id])
        ]
        if by:
            denied[id] = min(by, key=lambda other: (last[other], other))
    return denied


def _void(claim: Claim, by: str) -> list[Interval]:
    start = next(iter(_timed(claim)), None)
    bound = start.holds.start if start else Bound()
    return [Interval(bound, Bound(), start.instant if start else "", "", Retracted(by))]


def _timed(claim: Claim) -> list[Evidence]:
    return sorted((one for one in claim.evidence if one.instant), key=lambda one: (one.order, one.at, one.source))


def _intervals(
    claim: Claim,
    claims: Mapping[str, Claim],
    related: Mapping[str, Mapping[str, Relation]],
    retracted: Mapping[str, str],
    lost: Mapping[str, tuple[str, str]],
    horizon: str,
) -> list[Interval]:
    timed = _timed(claim)
    ruled = _ruling(claim, claims, retracted, lost)
    if not timed:
        holds = claim.evidence[0].holds
        return [_stretch([claim.evidence[0]], ruled, horizon)] if ruled or holds.end.moment else [_open(Bound(), "")]
    if ruled is not None:
        # Neither what happened nor what was still to come can end: it was not so.
        happened, word = claim.kind is Kind.EPISODIC, ruled[0]
        timed = [one for one in timed if one.heard > word.heard or (one.instant < word.instant and not happened)]
        if not timed:
            return _void(claim, ruled[1])
    if claim.kind is Kind.EPISODIC:
        return [_event(timed[0])]
    closing = _closers(claim, claims, related, retracted, lost)
    found: list[Interval] = []
    run: list[Evidence] = []
    for one in timed:
        closer = _first_after(closing, run[0].order) if run else None
        if run and closer is not None and closer[0].order <= one.order:
            found.append(_stretch(run, closer, horizon))
            run = []
        run.append(one)
    found.append(_stretch(run, _first_after(closing, run[0].order), horizon))
    return found


def _closers(
    claim: Claim,
    claims: Mapping[str, Claim],
    related: Mapping[str, Mapping[str, Relation]],
    retracted: Mapping[str, str],
    lost: Mapping[str, tuple[str, str]],
) -> list[tuple[Evidence, str]]:
    """The assertions that can end a claim, in order of time, each with its claim's id."""
    rivals = (
        claims[other]
        for other, relation in related.get(claim.id, {}).items()
        if relation is Relation.REPLACES and other not in retracted
    )
    able = (rival for rival in rivals if _may_end(rival, claim) and lost.get(rival.id, ("",))[0] != claim.id)
    found = [(one, rival.id) for rival in able for one in _timed(rival) if not _was_over(one)]
    ruled = _ruling(claim, claims, retracted, lost)
    return sorted(
        [*found, *([ruled] if ruled else [])],
        key=lambda found: (found[0].order, found[1], found[0].at, found[0].source),
    )


def _ruling(
    claim: Claim, claims: Mapping[str, Claim], retracted: Mapping[str, str], lost: Mapping[str, tuple[str, str]]
) -> tuple[Evidence, str] | None:
    """The word by which a person settled that a claim holds no more, and the claim that holds; None if nobody did."""
    winner, said = lost.get(claim.id, ("", ""))
    if not winner or winner in retracted:
        return None
    return replace(claims[winner].evidence[0], said=said, holds=UNKNOWN), winner


def _was_over(one: Evidence) -> bool:
    """Whether something had ended when it was told, and nobody knows when it began: when it was told, it ended nothing."""
    end, said = one.ends, one.heard
    return bool(end) and bool(said) and not one.holds.start.moment and end <= said


def _may_end(rival: Claim, claim: Claim) -> bool:
    """Whether a claim can end or deny another: no guess ends a fact, and no session what a person wrote by hand."""
    return (rival.stance.firm or not claim.stance.firm) and (rival.by_hand or not claim.by_hand)


def _settled(groups: list[list[Claim]], shown: list[Claim], settled: Mapping[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """The conflicts that people settled, between the standings: loser, winner and when."""
    home = {member.id: claim.id for group, claim in zip(groups, shown, strict=True) for member in group}
    told = ((home[loser], home[winner], said) for loser, (winner, said) in settled.items() if loser in home and winner in home)
    return {loser: (winner, said) for loser, winner, said in told if loser != winner}


def _first_after(closing: list[tuple[Evidence, str]], order: tuple[str, str]) -> tuple[Evidence, str] | None:
    return next((found for found in closing if found[0].order > order), None)


def _stretch(run: list[Evidence], closer: tuple[Evidence, str] | None, horizon: str) -> Interval:
    """The interval of assertions that no rival separates: until a rival came to hold, or the end that was stated."""
    first = run[0]
    stated = [one.holds.end for one in run if one.holds.end.moment]
    # The last stated end counts: "until Friday" may be prolonged.
    end = stated[-1] if stated and run[-1].holds.end.moment else Bound()
    ends = first.zone.floor(end.moment)
    if closer is not None and (not ends or closer[0].instant <= ends):
        return Interval(first.holds.start, _opening(closer[0]), first.instant, closer[0].instant, Superseded(closer[1]))
    lapsed = bool(ends) and ends <= horizon
    return Interval(first.holds.start, end, first.instant, ends, Lapsed() if lapsed else None)


def _opening(evidence: Evidence) -> Bound:
    """When what superseded came to hold: as stated, else the day it was said, which is inferred."""
    start = evidence.holds.start
    return start if start.moment else Bound(evidence.day, Basis.INFERRED)


def _event(evidence: Evidence) -> Interval:
    end = evidence.holds.end
    return Interval(evidence.holds.start, end, evidence.instant, evidence.ends, None)


def _open(start: Bound, begins: str) -> Interval:
    return Interval(start, Bound(), begins, "", None)


def _conflicts(
    claims: Mapping[str, Claim],
    intervals: Mapping[str, Sequence[Interval]],
    related: Mapping[str, Mapping[str, Relation]],
) -> dict[str, set[str]]:
    """Standings that hold together and cannot: a contradiction, or rivals that nobody ordered."""
    found: dict[str, set[str]] = {}
    for id, others in related.items():
        for other, relation in others.items():
            events = Kind.EPISODIC in (claims[id].kind, claims[other].kind)
            if relation is Relation.REPLACES and events:
                continue
            if _hold_together(intervals[id], intervals[other]):
                found.setdefault(id, set()).add(other)
    return found


def _hold_together(one: Sequence[Interval], other: Sequence[Interval]) -> bool:
    return any(
        mine.ending is None and theirs.ending is None and not _before(mine, theirs) and not _before(theirs, mine)
        for mine in one
        for theirs in other
    )


def _before(one: Interval, other: Interval) -> bool:
    return bool(one.ends) and bool(other.begins) and one.ends <= other.begins
