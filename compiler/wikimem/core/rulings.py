"""Rulings: what people's edits, in the order they were made, say of claims and names. They win over what any model yields.

A ruling binds to the claim's id, or to its footing: the same turn, overlapping words, and a like statement, however it is
worded or filed. The last word on a claim counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from wikimem.core import texts
from wikimem.core.claims import Claim, Mention
from wikimem.core.edits import Added, Changed, Deleted, Edit, Kept, Merged, Named, Rejected, Settled, Split, Target
from wikimem.core.judgements import Judgement, Relation, pair

_ALIKE = 0.5
PERSON = "person"


@dataclass(frozen=True, slots=True)
class Rulings:
    """What people ruled.

    Args:
        hidden: the claims that are not to be shown, by id.
        footings: the same by source and locator, for claims that are worded otherwise.
        moved: mentions that claims are about instead, by the claims' ids.
        settled: by the id of a claim that lost a conflict, the winner's id and when that was said.
        judged: names that are one, or two.
        titles: when a title was given to a subject, and the title, by the id of a mention; likewise types and summaries.
        types: see titles.
        summaries: see titles.
        aliases: names that a subject has besides, by the id of a mention.
        unaliased: names that are not shown as aliases, by the id of a mention.
    """

    hidden: Mapping[str, Target]
    footings: Mapping[tuple[str, str], tuple[Target, ...]]
    moved: Mapping[str, Mention]
    settled: Mapping[str, tuple[str, str]]
    judged: tuple[Judgement, ...]
    titles: Mapping[str, tuple[str, str]]
    types: Mapping[str, tuple[str, str]]
    summaries: Mapping[str, tuple[str, str]]
    aliases: Mapping[str, tuple[str, ...]]
    unaliased: Mapping[str, tuple[str, ...]]


NONE = Rulings({}, {}, {}, {}, (), {}, {}, {}, {}, {})
"""Nobody ruled anything."""


def of(edits: Iterable[tuple[str, int, Edit]]) -> Rulings:
    """The rulings of all edits.

    Args:
        edits: each with its source and its line; in any order.
    """
    ordered = sorted(edits, key=lambda told: (told[2].said, told[2].nth, told[0], told[1]))
    if not ordered:
        return NONE
    last: dict[str, tuple[bool, Target]] = {}
    moved: dict[str, Mention] = {}
    settled: dict[str, tuple[str, str]] = {}
    judged: dict[tuple[str, str], Judgement] = {}
    named: dict[str, dict[str, tuple[str, str]]] = {"title": {}, "type": {}, "summary": {}}
    aliases: dict[str, dict[str, bool]] = defaultdict(dict)
    for _, _, edit in ordered:
        match edit.operation:
            case Changed(target, _) | Deleted(target, _) | Rejected(target, _):
                last[target.claim] = (True, target)
            case Kept(target):
                last[target.claim] = (False, target)
                settled.pop(target.claim, None)
            case Added():
                pass
            case Named(mention, key, value):
                if key in named:
                    named[key][mention.id] = (edit.said, value)
                else:
                    aliases[mention.id][value] = key == "alias"
            case Merged(one, other):
                judged[pair(one.id, other.id)] = _judged(one, other, Relation.SAME)
            case Split(one, other, claims):
                judged[pair(one.id, other.id)] = _judged(one, other, Relation.DIFFERENT)
                moved |= {target.claim: other for target in claims}
            case Settled(winner, loser):
                settled[loser.claim] = (winner.claim, edit.said)
    hidden = {claim: target for claim, (is_hidden, target) in last.items() if is_hidden}
    return Rulings(
        hidden=hidden,
        footings=_by_place(hidden.values()),
        moved=moved,
        settled=settled,
        judged=tuple(judged[key] for key in sorted(judged) if key[0] != key[1]),
        titles=named["title"],
        types=named["type"],
        summaries=named["summary"],
        aliases={id: tuple(name for name, is_one in told.items() if is_one) for id, told in aliases.items()},
        unaliased={id: tuple(name for name, is_one in told.items() if not is_one) for id, told in aliases.items()},
    )


def _judged(one: Mention, other: Mention, relation: Relation) -> Judgement:
    return Judgement(pair(one.id, other.id), "mentions", relation, PERSON)


def _by_place(targets: Iterable[Target]) -> dict[tuple[str, str], tuple[Target, ...]]:
    found: dict[tuple[str, str], list[Target]] = defaultdict(list)
    for target in targets:
        for source, at, _ in target.footings:
            found[(source, at)].append(target)
    return {place: tuple(told) for place, told in found.items()}


def apply(claims: tuple[Claim, ...], rulings: Rulings) -> tuple[Claim, ...]:
    """The claims of one source as people left them; the very same value where nobody ruled on any of them."""
    out = []
    same = True
    for claim in claims:
        ruled = _ruled(claim, rulings)
        same = same and ruled is claim
        if ruled is not None:
            out.append(ruled)
    return claims if same else tuple(out)


def _ruled(claim: Claim, rulings: Rulings) -> Claim | None:
    if claim.id in rulings.hidden:
        return None
    kept = [one for one in claim.evidence if not _is_hidden(claim, one.footing, rulings)]
    if not kept:
        return None
    if len(kept) < len(claim.evidence):
        claim = claim.with_evidence(kept)
    moved = rulings.moved.get(claim.id)
    return replace(claim, mention=moved) if moved is not None else claim


def _is_hidden(claim: Claim, footing: tuple[str, str, str], rulings: Rulings) -> bool:
    """Whether a piece of evidence is that of a claim that a person removed, worded otherwise."""
    source, at, quote = footing
    for target in rulings.footings.get((source, at), ()):
        for where, place, words in target.footings:
            if (where, place) == (source, at) and _overlap(words, quote) and _is_like(claim, target):
                return True
    return False


def _overlap(one: str, other: str) -> bool:
    return _share(one, other) >= _ALIKE


def _is_like(claim: Claim, target: Target) -> bool:
    """Whether a claim says what a removed one said: words of its own alike, or nearly the same words quoted."""
    return _share(claim.text, target.text) >= _ALIKE


def _share(one: str, other: str) -> float:
    """The share of the shorter text's words that the other one has as well."""
    mine, theirs = set(texts.words(one)), set(texts.words(other))
    smaller = min(len(mine), len(theirs))
    return len(mine & theirs) / smaller if smaller else 0.0


def named(mentions: Iterable[str], told: Mapping[str, tuple[str, str]]) -> str:
    """What was last said of a subject's title, type or summary; empty if nothing was.

    Args:
        mentions: ids of its mentions.
        told: `Rulings.titles`, `types` or `summaries`.
    """
    return max((told[id] for id in mentions if id in told), default=("", ""))[1]


def touched(old: Rulings, new: Rulings) -> set[str]:
    """The ids of mentions whose subjects are named otherwise."""
    if old is new:
        return set()
    found: set[str] = set()
    for name in ("titles", "types", "summaries", "aliases", "unaliased"):
        before, after = getattr(old, name), getattr(new, name)
        found |= {id for id in before.keys() | after.keys() if before.get(id) != after.get(id)}
    return found
