"""Sharing: which claims of a memory may be seen by others, and as what. Pure; the excerpts that prove them are `excerpts`.

Shared is what stands: nothing refused, masked, rejected or waiting, nothing of another project, and nothing that only
something unshared shows to have ended. Whoever spoke is called by role, unless the settings name them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from wikimem.core import excerpts, texts
from wikimem.core.claimfiles import POLICY, REVIEW
from wikimem.core.claims import Claim, Evidence, unite
from wikimem.core.fold import Wiki
from wikimem.core.judgements import Judgement, Relation, pair
from wikimem.core.timeline import Retracted, Standing, Superseded
from wikimem.core.turns import Speaker, Turn

_TURNED = {Relation.A_REFINES_B: Relation.B_REFINES_A, Relation.B_REFINES_A: Relation.A_REFINES_B}
_CLOSED = frozenset({"secret", "sensitive", REVIEW, POLICY})


@dataclass(frozen=True, slots=True)
class Asked:
    """A source that is to be shared.

    Args:
        source: its id.
        scope: what it belongs to: claims of anything else stay.
        turns: its turns.
    """

    source: str
    scope: str
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is shared of one source.

    Args:
        source: its id.
        claims: as others will see them.
        turns: the excerpt.
        left: why claims were left out, with how many.
    """

    source: str
    claims: tuple[Claim, ...]
    turns: tuple[Turn, ...]
    left: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Shared:
    """What is shared: of each source that something can be shared of, and the judgements about that."""

    sources: tuple[Chosen, ...]
    judged: tuple[Judgement, ...]


def choose(wiki: Wiki, asked: Iterable[Asked], me: str, named: Iterable[str]) -> Shared:
    """What may be shared of some sources.

    Args:
        wiki: the memory they are in.
        asked: the sources.
        me: what the person who types is called; may be empty.
        named: people who may be named.
    """
    asked, known = tuple(asked), frozenset(named)
    kept: dict[str, list[Claim]] = {}
    left: dict[str, Counter[str]] = {}
    for one in asked:
        file = wiki.ground.files.get(one.source)
        speakers = {turn.name for turn in one.turns if turn.speaker is Speaker.HUMAN} | {me}
        hidden = frozenset(texts.key(name) for name in speakers - known if texts.key(name))
        left[one.source] = Counter()
        kept[one.source] = []
        for claim in file.claims if file else ():
            why = _objection(claim, one, closed(wiki, one.source), hidden)
            if why:
                left[one.source][why] += 1
            else:
                kept[one.source].append(claim)
    _drop_overtaken(wiki, kept, left)
    renamed: dict[str, str] = {}
    out = []
    for one in asked:
        names = {turn.name for turn in one.turns if turn.speaker is Speaker.HUMAN} - known
        shown = [_anonymous(claim, names, me if me not in known else "", known) for claim in kept[one.source]]
        renamed |= {was.id: now.id for was, now in zip(kept[one.source], shown, strict=True)}
        by_id: dict[str, list[Claim]] = {}
        for claim in shown:
            by_id.setdefault(claim.id, []).append(claim)
        claims = tuple(unite(same) for _, same in sorted(by_id.items()))
        turns = excerpts.select(one.turns, quotes(claims), closed(wiki, one.source), known)
        out.append(Chosen(one.source, claims, turns, dict(left[one.source])))
    return Shared(tuple(out), _judged(wiki, renamed, [claim for one in out for claim in one.claims]))


def quotes(claims: Iterable[Claim]) -> dict[str, list[str]]:
    """The words that prove some claims, by the locator of their turn."""
    found: dict[str, list[str]] = {}
    for one in (one for claim in claims for one in claim.evidence):
        found.setdefault(one.at, []).append(one.quote)
        if one.proposal is not None:
            found.setdefault(one.proposal.at, []).append(one.proposal.quote)
    return found


def closed(wiki: Wiki, source: str) -> frozenset[str]:
    """The places in a source where something stands that nobody else is to see, or not yet."""
    file = wiki.ground.files.get(source)
    return frozenset(one.at for one in file.refusals if one.rule in _CLOSED or not one.text) if file else frozenset()


def _objection(claim: Claim, asked: Asked, shut: frozenset[str], hidden: frozenset[str]) -> str:
    """Why a claim stays, as a clause; empty if it may go."""
    if claim.mention.scope != asked.scope:
        return "about another project, or none"
    words = quotes([claim])
    turns = {turn.at: turn for turn in asked.turns}
    if any(at in shut for at in words):
        return "beside something that was refused or waits"
    if excerpts.MASK in claim.text or any(excerpts.MASK in turns[at].text for at in words if at in turns):
        return "its words are masked in part"
    if not all(at in turns and excerpts.place(at) for at in words):
        return "its words stand on no line"
    return "about somebody who is not to be named" if texts.key(claim.mention.name) in hidden else ""


def _drop_overtaken(wiki: Wiki, kept: dict[str, list[Claim]], left: Mapping[str, Counter[str]]) -> None:
    """Take out what ended by something that is not shared: alone it would pass for what holds."""
    standing = {id: one for subject in wiki.subjects.values() for one in subject.standings for id in (one.claim.id, *one.same)}
    going = True
    while going:
        ids = {claim.id for claims in kept.values() for claim in claims}
        going = False
        for source, claims in kept.items():
            stays = [claim for claim in claims if _is_told(standing.get(claim.id), standing, ids)]
            if len(stays) < len(claims):
                left[source]["ended by something that is not shared"] += len(claims) - len(stays)
                kept[source], going = stays, True


def _is_told(one: Standing | None, standing: Mapping[str, Standing], ids: set[str]) -> bool:
    if one is None:
        return False
    for interval in one.past:
        if isinstance(interval.ending, Superseded | Retracted):
            other = standing.get(interval.ending.by)
            if other is None or ids.isdisjoint((other.claim.id, *other.same)):
                return False
    return True


def _anonymous(claim: Claim, names: set[str], me: str, known: frozenset[str]) -> Claim:
    """A claim that calls whoever spoke by role."""
    text = claim.text
    for name in sorted(names - {""}, key=len, reverse=True):
        text = _called(text, name, "a person" if name != me else "the user")
    if me and me not in names:
        text = _called(text, me, "the user")
    evidence = tuple(_homeless(one if one.name in known else replace(one, name="")) for one in claim.evidence)
    code = tuple(excerpts.homeless(part) for part in claim.code)
    return replace(claim, text=texts.normal(excerpts.homeless(text)), evidence=evidence, code=code)


def _homeless(one: Evidence) -> Evidence:
    proposal = one.proposal and replace(one.proposal, quote=excerpts.homeless(one.proposal.quote))
    return replace(one, quote=excerpts.homeless(one.quote), proposal=proposal)


def _called(text: str, name: str, role: str) -> str:
    changed = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", role, text)
    return changed[:1].upper() + changed[1:] if changed != text and text.startswith(name) else changed


def _judged(wiki: Wiki, renamed: Mapping[str, str], claims: Iterable[Claim]) -> tuple[Judgement, ...]:
    """The judgements whose both sides are shared; a judge's reason may tell of other things, so it stays."""
    mentions = {claim.mention.id for claim in claims}
    found = []
    for one in wiki.ground.judged.values():
        first, second = one.pair
        if one.of == "mentions" and {first, second} <= mentions:
            found.append(replace(one, reason=""))
        elif one.of == "claims" and first in renamed and second in renamed:
            both = pair(renamed[first], renamed[second])
            relation = one.relation if renamed[first] == both[0] else _TURNED.get(one.relation, one.relation)
            if both[0] != both[1]:
                found.append(replace(one, pair=both, relation=relation, reason=""))
    return tuple(sorted(found, key=lambda one: (one.pair, one.of, one.relation)))
