"""Lifting: what besides its words moves a passage's rank: the session it is from, what it means, and how near to each other
the words of a long one stand. Like `ranking`, it knows numbers, no text and no index.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

SESSION = 1.0
"""The same, when it is from the session that answers best; from others as much less as their best passage is worse."""
MEANT = 0.2
"""What the passage nearest in meaning gets, as a share of the best score, before speaker and date."""
MEANT_BESIDE = 0.6
"""What a passage takes of how near the one beside it is."""
FAR = 2
"""How far away something still stands beside a passage that is near in meaning."""
WINDOW = 60
"""Words that stand together: what a long passage says in so many of them is one place, and the next passage's words are
near only if both have no more."""
LONG = 150
"""Passages of more words are looked into for such a place."""
LOOKED = 40
"""How many of the best passages are looked into."""
APART = 0.5
"""What the score of a passage keeps of words that stand elsewhere in it."""


@dataclass(frozen=True, slots=True)
class Rank:
    """One passage's place: its number, its score (above 0) and the share of the question covered there."""

    number: int
    score: float
    covered: float


def order(one: Rank) -> tuple[float, int]:
    return -one.score, one.number


def with_meaning(
    ranked: Sequence[Rank],
    meant: Mapping[int, float],
    beside: Callable[[int, int], Sequence[int]],
    gain: Callable[[int], float],
    allowed: Set[int] | None,
) -> list[Rank]:
    """The ranks with what is near in meaning, or stands beside it: calibrated scores, for places alone lose too much."""
    near = dict(meant)
    for number, share in meant.items():
        for other in beside(number, FAR):
            near[other] = max(near.get(other, 0.0), share * MEANT_BESIDE ** abs(other - number))
    best = max(one.score for one in ranked)
    found = {one.number: one for one in ranked}
    for number, share in near.items():
        if allowed is None or number in allowed:
            one = found.get(number, Rank(number, 0.0, 0.0))
            found[number] = Rank(number, one.score + MEANT * best * share * gain(number), one.covered)
    return list(found.values())


def in_sessions(ranked: Sequence[Rank], session: Callable[[int], int]) -> list[Rank]:
    """The ranks, each lifted by the best one of its session."""
    tops: dict[int, float] = {}
    for rank in ranked:
        where = session(rank.number)
        tops[where] = max(tops.get(where, 0.0), rank.score)
    best = max(tops.values(), default=1.0)
    return [Rank(one.number, one.score * (1 + SESSION * tops[session(one.number)] / best), one.covered) for one in ranked]


def looked_into(
    ranked: Sequence[Rank],
    holding: Callable[[int], set[int]],
    weights: Sequence[float],
    soft: Sequence[float],
    size: Callable[[int], int],
    spots: Callable[[int], Sequence[tuple[int, int]]],
) -> list[Rank]:
    """The same ranks, where the best long passages count what they say in one place.

    Args:
        ranked: best first.
        holding: the terms that a passage holds itself.
        weights, soft: of each term, for the score and for the share of the question that is covered.
        size, spots: as for `ranking.rank`.
    """
    whole = sum(soft)
    found = []
    for place, rank in enumerate(ranked):
        if size(rank.number) > LONG:
            if place >= LOOKED:
                rank = Rank(rank.number, rank.score * APART, rank.covered * APART)
            else:
                own = holding(rank.number)
                near = _together(spots(rank.number), own, weights)
                score = sum(weights[term] for term in own)
                share = sum(weights[term] for term in near) / score if score else 1.0
                lost = sum(soft[term] for term in own - near) / whole
                rank = Rank(rank.number, rank.score * (APART + (1 - APART) * share), rank.covered - lost)
        found.append(rank)
    return sorted(found, key=order)


def _together(spots: Sequence[tuple[int, int]], wanted: Set[int], weights: Sequence[float]) -> set[int]:
    """The terms of the `WINDOW` words that hold the most of the wanted ones."""
    best: set[int] = set()
    most = 0.0
    first = 0
    count: dict[int, int] = {}
    held = 0.0
    for place, term in spots:
        if term not in wanted:
            continue
        if not count.get(term):
            held += weights[term]
        count[term] = count.get(term, 0) + 1
        while spots[first][0] <= place - WINDOW:
            old = spots[first][1]
            if old in wanted:
                count[old] -= 1
                held -= 0.0 if count[old] else weights[old]
            first += 1
        if held > most + 1e-9:
            most, best = held, {term for term, often in count.items() if often}
    return best
