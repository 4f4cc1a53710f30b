"""Consents: what people decided about sensitive claims, and claims files as these decisions leave them. Not what is sensitive.

A decision names a claim by its id and by where it was said, and holds no word of it. One without an id is about all that was
said in that place, however another model words it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace

from wikimem.core.claimfiles import ClaimFile, Refusal
from wikimem.core.claims import Claim
from wikimem.core.edits import Approved, Barred, Edit
from wikimem.core.sensitive import BARRED, RULE, WAITS

Place = tuple[str, str]
"""Source and locator."""


@dataclass(frozen=True, slots=True)
class Consents:
    """What people decided.

    Args:
        claims: whether a claim may stand in the wiki for having been said in a place, by its id and that place. Said somewhere
            else as well, it is decided about there.
        places: the same of all that was said in a place.
    """

    claims: Mapping[tuple[str, Place], bool]
    places: Mapping[Place, bool]

    def of(self, claim: Claim, source: str) -> bool | None:
        """Whether a sensitive claim of a source may stand in the wiki; None if nobody decided."""
        own = {self.claims[key] for one in claim.evidence if (key := (claim.id, (source, one.at))) in self.claims}
        if own:
            return own == {True}
        told = {self.places.get((source, one.at)) for one in claim.evidence}
        return told.pop() if len(told) == 1 else None


def of(files: Mapping[str, ClaimFile], undone: Container[str]) -> Consents:
    """What people decided.

    Args:
        files: all claims files, by source.
        undone: sources whose edits count no more.
    """
    made = ((edit, source, line) for source, file in files.items() if source not in undone for line, edit in file.edits)
    return decided(edit for edit, *_ in sorted(made, key=lambda told: (told[0].said, told[0].nth, *told[1:])))


def decided(edits: Iterable[Edit]) -> Consents:
    """What some edits decide; of two about one claim the later counts."""
    claims: dict[tuple[str, Place], bool] = {}
    places: dict[Place, bool] = {}
    barred: set[tuple[Place, str]] = set()
    for edit in edits:
        if isinstance(edit.operation, Approved | Barred):
            told, verdict = edit.operation, isinstance(edit.operation, Approved)
            place = told.source, told.at
            if told.claim:
                claims[told.claim, place] = verdict
                (barred.discard if verdict else barred.add)((place, told.claim))
            else:
                places[place] = verdict
    # In other words, what was kept out there might pass for what was let in.
    spoiled = {place for place, _ in barred}
    return Consents(claims, {place: verdict for place, verdict in places.items() if not (verdict and place in spoiled)})


def settle(file: ClaimFile, withheld: Iterable[Claim], consents: Consents) -> tuple[ClaimFile, tuple[Claim, ...]]:
    """A claims file as people decided, and the claims that wait on.

    Args:
        file: without any of the sensitive claims.
        withheld: the sensitive ones.
        consents: what people decided.
    """
    source = file.stamp.source
    every = {claim.id: claim for claim in withheld}
    told = {id: consents.of(claim, source) for id, claim in every.items()}
    left = tuple(claim for id, claim in every.items() if told[id] is None)
    let_in = {id: claim for id, claim in every.items() if told[id]}
    open_ = {claim.evidence[0].at for claim in left}
    said = {claim.evidence[0].at for claim in every.values()}
    barred = {claim.evidence[0].at for id, claim in every.items() if told[id] is False}
    barred |= {at for (where, at), verdict in consents.places.items() if where == source and not verdict}
    refusals = [_told(one, open_, said, barred) for one in file.refusals]
    own = {claim.id: claim for claim in file.claims}
    claims = tuple((own | let_in)[id] for id in sorted(own | let_in))
    kept = tuple(sorted({one for one in refusals if one is not None}))
    return (file if (claims, kept) == (file.claims, file.refusals) else replace(file, claims=claims, refusals=kept)), left


def _told(one: Refusal, open_: Container[str], said: Container[str], barred: Container[str]) -> Refusal | None:
    """A refusal of something sensitive as it is after the decisions; None if nothing of its place is kept back any more."""
    if one.rule != RULE or one.reason not in (WAITS, BARRED) or one.at in open_:
        return one
    if one.at in barred:
        return replace(one, reason=BARRED)
    return None if one.at in said else one
