"""Rewording: which claims of two compilations say the same of the same words. Not a judgement of meaning: no model is asked.

Another model words and files a claim otherwise, but finds it in the same place: two claims are paired by what they stand on
(the same turn of the same source, overlapping quoted words) and by likeness of text. Numbers that differ, and a negation that
only one of them has, part them: that is another statement, whatever it quotes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace

from wikimem.core import pairs, texts
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.claims import Claim
from wikimem.core.edits import Changed, Deleted, Kept, Lifted, Operation, Parted, Rejected, Settled, Split
from wikimem.core.judgements import Judgement

_GROUND = 0.5
_ALIKE = 0.4
_NEGATIONS = frozenset(
    texts.words("no not never none nothing nobody neither nor without cannot can't don't doesn't isn't won't mustn't")
)


@dataclass(frozen=True, slots=True)
class _Couple:
    """Two claims that stand on the same words.

    Args:
        ground: share of the shorter quote's words that the other has as well.
        like: share of the shorter text's words that the other has as well.
        homely: whether both are about one mention.
    """

    old: Claim
    new: Claim
    ground: float
    like: float
    homely: bool

    @property
    def rank(self) -> tuple[float, str, str]:
        """The best first."""
        return (-(self.like + self.ground / 2 + self.homely / 4), self.old.id, self.new.id)


def matched(old: Iterable[Claim], new: Iterable[Claim], ruled: Container[str] = ()) -> dict[str, str]:
    """Which claim of before each claim of now is; both by id, each at most once. Those that nothing matches are left out.

    Args:
        old: the claims of before.
        new: those of now.
        ruled: ids of claims of before that people ruled on: one that leaves out a number, or adds one, is still that claim.
    """
    was, now = {claim.id: claim for claim in old}, {claim.id: claim for claim in new}
    found = {id: id for id in was.keys() & now.keys()}
    left = [claim for id, claim in sorted(was.items()) if id not in found]
    by_place: dict[tuple[str, str], dict[str, Claim]] = defaultdict(dict)
    for claim in left:
        for one in claim.evidence:
            by_place[(one.source, one.at)][claim.id] = claim
    couples: list[_Couple] = []
    for claim in (claim for id, claim in sorted(now.items()) if id not in found):
        near = {id: other for one in claim.evidence for id, other in by_place[(one.source, one.at)].items()}
        couples += [couple for other in near.values() if (couple := _couple(other, claim, other.id in ruled)) is not None]
    taken: set[str] = set()
    for couple in sorted(couples, key=lambda couple: couple.rank):
        if couple.old.id not in taken and couple.new.id not in found and _is_one(couple, couples):
            found[couple.new.id] = couple.old.id
            taken.add(couple.old.id)
    return found


def _couple(old: Claim, new: Claim, is_ruled: bool) -> _Couple | None:
    ground = max(
        _share(texts.words(one.quote), texts.words(other.quote))
        for one in old.evidence
        for other in new.evidence
        if (one.source, one.at) == (other.source, other.at)
    )
    if ground < _GROUND or _differ(old.text, new.text, is_ruled):
        return None
    return _Couple(old, new, ground, _share(pairs.content(old.text), pairs.content(new.text)), old.mention.id == new.mention.id)


def _is_one(couple: _Couple, every: Iterable[_Couple]) -> bool:
    """Whether two claims on the same words are one; where nothing else stands on them, a single word in common is enough."""
    if couple.like >= _ALIKE:
        return True
    rivals = sum(other.old.id == couple.old.id or other.new.id == couple.new.id for other in every)
    return rivals == 1 and couple.like > 0


def _differ(one: str, other: str, may_lack: bool) -> bool:
    """Whether two texts name other numbers (or one of them fewer, unless it may), or only one of them denies."""
    # "One" is rarely a number: "no one", "one of them".
    mine, theirs = (
        frozenset(value for value in pairs.values(text) if value[:1].isdigit() and value != "1") for text in (one, other)
    )
    denies = [not _NEGATIONS.isdisjoint(texts.words(text)) for text in (one, other)]
    alike = mine == theirs or (may_lack and (mine <= theirs or theirs <= mine))
    return not alike or denies[0] != denies[1]


def _share(one: Iterable[str], other: Iterable[str]) -> float:
    mine, theirs = set(one), set(other)
    smaller = min(len(mine), len(theirs))
    return len(mine & theirs) / smaller if smaller else 0.0


def bound(files: Iterable[ClaimFile], judged: Iterable[Judgement]) -> frozenset[str]:
    """The ids of the claims that people ruled on: these keep their ids, else the rulings would bind nothing."""
    found = {id for one in judged if one.by == "person" and one.of == "claims" for id in one.pair}
    return frozenset(found | {id for file in files for _, edit in file.edits for id in _named(edit.operation)})


def _named(operation: Operation) -> Iterable[str]:
    match operation:
        case Changed(target, _) | Deleted(target, _) | Kept(target) | Lifted(target) | Rejected(target, _):
            return (target.claim,)
        case Settled(one, other) | Parted(one, other):
            return (one.claim, other.claim)
        case Split(_, _, claims):
            return tuple(target.claim for target in claims)
        case _:
            return ()


@dataclass(frozen=True, slots=True)
class Found:
    """What became of the claims that a source yielded.

    Args:
        before: how many there were.
        again: how many of them are yielded again.
        reworded: how many of these are worded or filed otherwise.
    """

    before: int
    again: int
    reworded: int


_NOBODY = re.compile(r"\bthe user\b", re.IGNORECASE)


def _is_introduced(before: str, now: str, me: str) -> bool:
    """Whether a text says what it said before, but for the name of the person who types."""
    return bool(me) and before != now and texts.key(_NOBODY.sub(lambda found: me, before)) == texts.key(now)


def amended(
    before: Mapping[str, ClaimFile],
    ruled: frozenset[str],
    reword: bool,
    tell: Callable[[Found], None] = lambda found: None,
    me: str = "",
) -> Callable[[ClaimFile], ClaimFile]:
    """What is done to each claims file that is made anew, so that what is only worded otherwise does not change.

    A claim that was there before keeps its subject, attribute and text; dates, those in the text too, quotes and stance are
    those of now.

    Args:
        before: the claims files of before, by source.
        ruled: ids of claims that people ruled on; see `bound`. They keep their ids in any case.
        reword: whether the new words are taken for all the others.
        tell: told what became of the claims of each file.
        me: what the person who types is called: a claim that called them `the user` and names them now takes the new words.
    """

    def amend(file: ClaimFile) -> ClaimFile:
        old = before.get(file.stamp.source)
        if old is None:
            return file
        known = {claim.id: claim for claim in old.claims}
        home = matched(old.claims, file.claims, ruled)
        tell(Found(len(known), len(home), sum(id != was for id, was in home.items())))
        claims = []
        for claim in file.claims:
            was = known.get(home.get(claim.id, ""))
            if was is not None and was.id in ruled:
                claim = replace(claim, mention=was.mention, attribute=was.attribute, text=was.text, stance=was.stance)
            elif was is not None and not reword and not _is_introduced(was.text, claim.text, me):
                text = was.text if pairs.dates(was.text) == pairs.dates(claim.text) else claim.text
                # Settings that moved the session to another package move what it told.
                moved = old.stamp.place != file.stamp.place
                mention = replace(was.mention, scope=claim.mention.scope) if moved else was.mention
                claim = replace(claim, mention=mention, attribute=was.attribute, text=text)
            claims.append(claim)
        return replace(file, claims=tuple(claims))

    return amend
