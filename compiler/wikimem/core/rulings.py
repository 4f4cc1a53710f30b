"""Rulings: what people's edits, in the order they were made, say of claims and names. They win over what any model yields.

A ruling binds to the claim's id, or to its footing: the same words of the same turn, however another model words or files
what it reads there, unless that is nearer to another claim which people left standing. The last word on a claim counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from wikimem.core import moments, pairs, texts
from wikimem.core.claims import Claim, Evidence, Mention
from wikimem.core.edits import (
    Added,
    Approved,
    Barred,
    Changed,
    Deleted,
    Edit,
    Kept,
    Lifted,
    Merged,
    Named,
    Parted,
    Rejected,
    Settled,
    Split,
    Target,
    Undone,
    stated,
)
from wikimem.core.judgements import Judgement, Relation, pair

_ALIKE = 0.5
PERSON = "person"


Order = tuple[str, str, int]
"""When an edit was made, its source and its line: what edits are ordered by."""


@dataclass(frozen=True, slots=True)
class Rulings:
    """What people ruled.

    Args:
        hidden: by the id of a claim that is not to be shown: since which edit, and what it was about. What people state
            after that edit is shown nevertheless.
        texts: since which edit what is said of a mention is not to be shown, by the mention's id and the text's key.
        footings: the same by source and locator, for claims that are worded otherwise.
        kept: ids of claims that are shown though they are worded like a hidden one.
        lifted: claims that were asked for, by source and locator.
        orders: of each edit, by source and locator.
        undone: edits that do not count any more, by source.
        moved: mentions that claims are about instead, by the claims' ids.
        settled: by the id of a claim that lost a conflict, the winner's id and when that was said.
        judged: names that are one, or two; statements that people made of one claim, and that contradict each other.
        titles: when a title was given to a subject, and the title, by the id of a mention; likewise types and summaries.
        types: see titles.
        summaries: see titles.
        leads: see titles; `-` where the lead was taken away.
        archived: when a page was archived, and the day since which nothing held, by the id of a mention.
        aliases: names that a subject has besides, by the id of a mention.
        unaliased: names that are not shown as aliases, by the id of a mention.
    """

    hidden: Mapping[str, tuple[Order, Target]]
    texts: Mapping[tuple[str, str], Order]
    footings: Mapping[tuple[str, str], tuple[Target, ...]]
    kept: frozenset[str]
    lifted: Mapping[tuple[str, str], tuple[Target, ...]]
    orders: Mapping[tuple[str, str], Order]
    undone: frozenset[str]
    moved: Mapping[str, Mention]
    settled: Mapping[str, tuple[str, str]]
    judged: tuple[Judgement, ...]
    titles: Mapping[str, tuple[str, str]]
    types: Mapping[str, tuple[str, str]]
    summaries: Mapping[str, tuple[str, str]]
    leads: Mapping[str, tuple[str, str]]
    archived: Mapping[str, tuple[str, str]]
    aliases: Mapping[str, tuple[str, ...]]
    unaliased: Mapping[str, tuple[str, ...]]


NONE = Rulings({}, {}, {}, frozenset(), {}, {}, frozenset(), {}, {}, (), {}, {}, {}, {}, {}, {}, {})
"""Nobody ruled anything."""


def _moment(edit: Edit) -> str:
    """When an edit was made, told apart from others of the same second."""
    return f"{edit.said}#{edit.nth:04}" if edit.nth else edit.said


def of(edits: Iterable[tuple[str, int, Edit]]) -> Rulings:
    """The rulings of all edits.

    Args:
        edits: each with its source and its line; in any order.
    """
    every = _ordered(edits)
    if not every:
        return NONE
    undone = _undone(every)
    ordered = [(order, edit) for order, edit in every if order[1] not in undone]
    hidden: dict[str, tuple[Order, Target]] = {}
    kept: set[str] = set()
    lifted: list[Target] = []
    settled: dict[str, tuple[str, str]] = {}
    named: dict[str, dict[str, tuple[str, str]]] = {"title": {}, "type": {}, "summary": {}, "lead": {}, "archive": {}}
    aliases: dict[str, dict[str, tuple[str, bool]]] = defaultdict(dict)
    for order, edit in ordered:
        match edit.operation:
            case Changed(target, _) | Deleted(target, _) | Rejected(target, _):
                hidden[target.claim] = (order, target)
                kept.discard(target.claim)
            case Kept(target):
                hidden.pop(target.claim, None)
                settled.pop(target.claim, None)
                kept.add(target.claim)
            case Lifted(target):
                lifted.append(target)
            case Named(mention, key, value):
                if key in named:
                    named[key][mention.id] = (edit.said, value)
                else:
                    aliases[mention.id][texts.key(value)] = (value, key == "alias")
            case Settled(winner, loser):
                settled[loser.claim] = (winner.claim, edit.said)
                if settled.get(winner.claim, ("",))[0] == loser.claim:
                    # Settled both ways, say in two clones: the last word counts.
                    del settled[winner.claim]
            case Merged() | Split() | Parted():
                pass  # of pairs: see `_paired`
            case Added() | Undone() | Approved() | Barred():
                pass
    return Rulings(
        hidden=hidden,
        texts={_said(target.mention, target.text): order for order, target in hidden.values()},
        footings=placed(target for _, target in hidden.values()),
        kept=frozenset(kept),
        lifted=placed(lifted),
        orders={(source, f"L{line}"): (said, source, line) for (said, source, line), _ in every},
        undone=undone,
        moved=_moved(ordered),
        settled=settled,
        judged=_paired(ordered),
        titles=named["title"],
        types=named["type"],
        summaries=named["summary"],
        leads=named["lead"],
        archived=named["archive"],
        aliases={id: tuple(name for name, is_one in told.values() if is_one) for id, told in aliases.items()},
        unaliased={id: tuple(name for name, is_one in told.values() if not is_one) for id, told in aliases.items()},
    )


def known(edits: Iterable[tuple[str, int, Edit]], until: str) -> dict[str, tuple[tuple[int, Edit], ...]]:
    """The edits that count when only what was said by a moment does: by source, with their lines; each source has its own.

    What is ruled of claims counts if it was said by then. What a subject is called, and which names and claims are one
    subject's, is no knowledge that grows but how its page is found: of that the last word counts, whenever it was said.

    Args:
        edits: as for `of`.
        until: the instant.
    """
    every = _ordered(edits)
    early = [(order, edit) for order, edit in every if moments.floor(edit.said) <= until]
    then, now = _undone(early), _undone(every)
    found: dict[str, list[tuple[int, Edit]]] = {source: [] for (_, source, _), _ in every}
    for (_, source, line), edit in every:
        match edit.operation:
            case Undone():
                counts = False
            case Merged() | Split() | Parted():
                counts = source not in now
            case Named(_, key, _) if key in ("title", "type", "alias", "unalias"):
                counts = source not in now
            case _:
                counts = source not in then and moments.floor(edit.said) <= until
        if counts:
            found[source].append((line, edit))
    return {source: tuple(told) for source, told in found.items()}


def undone(edits: Iterable[tuple[str, int, Edit]], until: str) -> frozenset[str]:
    """The sources whose edits had been undone by an instant; arguments as for `known`."""
    return _undone((order, edit) for order, edit in _ordered(edits) if moments.floor(edit.said) <= until)


def _ordered(edits: Iterable[tuple[str, int, Edit]]) -> list[tuple[Order, Edit]]:
    return sorted((((_moment(edit), source, line), edit) for source, line, edit in edits), key=lambda told: told[0])


def _undone(ordered: Iterable[tuple[Order, Edit]]) -> frozenset[str]:
    """The sources whose edits were undone; by the latest first, since undoing can be undone."""
    found: set[str] = set()
    for (_, source, _), edit in reversed([*ordered]):
        if isinstance(edit.operation, Undone) and source not in found:
            found.add(edit.operation.source)
    return frozenset(found)


def _moved(ordered: Iterable[tuple[Order, Edit]]) -> dict[str, Mention]:
    """The mentions that claims are about since a page was split, by the claims' ids; the last word counts."""
    splits = (edit.operation for _, edit in ordered if isinstance(edit.operation, Split))
    return {target.claim: split.other for split in splits for target in split.claims}


def _paired(ordered: Sequence[tuple[Order, Edit]]) -> tuple[Judgement, ...]:
    """What people said of pairs of names and of statements, in order of the pairs; the last word counts."""
    judged = {one.pair: one for one in _disputed(ordered)}
    for _, edit in ordered:
        match edit.operation:
            case Merged(one, other):
                judged[pair(one.id, other.id)] = _judged(one, other, Relation.SAME)
            case Split(one, other, _):
                judged[pair(one.id, other.id)] = _judged(one, other, Relation.DIFFERENT)
            case Parted(first, second):
                two = pair(first.claim, second.claim)
                judged[two] = Judgement(two, "claims", Relation.UNRELATED, PERSON)
            case _:
                pass
    return tuple(judged[key] for key in sorted(judged) if key[0] != key[1])


def _disputed(ordered: Iterable[tuple[Order, Edit]]) -> Iterator[Judgement]:
    """The pairs of statements that people made of one and the same claim: none of them wins by itself."""
    root: dict[str, str] = {}
    live: dict[str, str] = {}
    for _, edit in ordered:
        match edit.operation:
            case Changed(target, statement):
                live.pop(target.claim, None)
                made = stated(statement)
                root[made] = root.get(target.claim, target.claim)
                live[made] = root[made]
            case Deleted(target, _) | Rejected(target, _):
                live.pop(target.claim, None)
            case _:
                pass
    by_root: dict[str, list[str]] = defaultdict(list)
    for made, first in live.items():
        by_root[first].append(made)
    for told in by_root.values():
        for one, other in combinations(sorted(told), 2):
            yield Judgement(pair(one, other), "claims", Relation.CONTRADICTS, PERSON)


def _said(mention: Mention, text: str) -> tuple[str, str]:
    return mention.id, texts.key(text)


def _judged(one: Mention, other: Mention, relation: Relation) -> Judgement:
    return Judgement(pair(one.id, other.id), "mentions", relation, PERSON)


def placed(targets: Iterable[Target]) -> dict[tuple[str, str], tuple[Target, ...]]:
    """What edits are about, by source and locator."""
    found: dict[tuple[str, str], list[Target]] = defaultdict(list)
    for target in targets:
        # What was concluded from words that others stand on is taken away alone.
        for source, at, _ in () if target.concluded else target.footings:
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
    kept = [one for one in claim.evidence if not _is_hidden(claim, one, rulings)]
    if not kept:
        return None
    if len(kept) < len(claim.evidence):
        claim = claim.with_evidence(kept)
    moved = rulings.moved.get(claim.id)
    return replace(claim, mention=moved) if moved is not None else claim


def _is_hidden(claim: Claim, one: Evidence, rulings: Rulings) -> bool:
    """Whether a piece of evidence counts no more: of a claim that a person removed, or of that claim worded otherwise."""
    if one.source in rulings.undone:
        return True
    order = rulings.orders.get((one.source, one.at))
    if claim.id in rulings.kept and order is None:
        return False
    since = rulings.hidden[claim.id][0] if claim.id in rulings.hidden else rulings.texts.get(_said(claim.mention, claim.text))
    if since is not None:
        return order is None or order < since
    if order is not None:
        return False
    return any(_stands_on(one, target) and _is_like(claim, target) for target in rulings.footings.get(one.footing[:2], ()))


def is_lifted(claim: Claim, lifted: Mapping[tuple[str, str], tuple[Target, ...]]) -> bool:
    """Whether a claim was asked for, as it is worded or as another model worded what stands at its place.

    Args:
        claim: as people left it.
        lifted: what was asked for, by source and locator.
    """
    return any(
        target.claim == claim.id or (_stands_on(one, target) and _is_like(claim, target))
        for one in claim.evidence
        for target in lifted.get(one.footing[:2], ())
    )


def _stands_on(one: Evidence, target: Target) -> bool:
    """Whether a piece of evidence is, for the most part, the very words that a target stood on."""
    source, at, quote = one.footing
    return any((where, place) == (source, at) and _share(words, quote) >= _ALIKE for where, place, words in target.footings)


def hides(claim: Claim, rulings: Rulings) -> bool:
    """Whether a person removed what consolidation concluded: that claim, or another one of the same words."""
    return claim.id not in rulings.kept and (claim.id in rulings.hidden or _said(claim.mention, claim.text) in rulings.texts)


def _is_like(claim: Claim, target: Target) -> bool:
    """Whether a claim that stands on the words of a removed one says what that said, in whatever words.

    Another one that stood on the same words and that nobody removed must be farther from it.
    """
    likeness = _share(claim.text, target.text)
    return all(likeness >= _share(claim.text, other) for other in target.beside) and claim.text not in target.beside


def _share(one: str, other: str) -> float:
    """The share of the shorter text's words that the other one has as well; small words do not count."""
    mine, theirs = pairs.content(one), pairs.content(other)
    smaller = min(len(mine), len(theirs))
    return len(mine & theirs) / smaller if smaller else 0.0


def named(mentions: Iterable[str], told: Mapping[str, tuple[str, str]]) -> str:
    """What was last said of a subject's title, type, summary or lead; empty if nothing was.

    Args:
        mentions: ids of its mentions.
        told: `Rulings.titles`, `types`, `summaries` or `leads`.
    """
    return max((told[id] for id in mentions if id in told), default=("", ""))[1]


def touched(old: Rulings, new: Rulings) -> set[str]:
    """The ids of mentions whose subjects are named otherwise."""
    if old is new:
        return set()
    found: set[str] = set()
    for name in ("titles", "types", "summaries", "leads", "archived", "aliases", "unaliased"):
        before, after = getattr(old, name), getattr(new, name)
        found |= {id for id in before.keys() | after.keys() if before.get(id) != after.get(id)}
    return found
