"""Ranking: which passages answer a question, best first, or that none does. It knows numbers, no text and no index.

A passage is scored term by term with BM25 (Robertson and Zaragoza 2009). In talk, the answer often stands next to the
words that were asked for, so each term of a passage spreads, weakened, to its neighbours in the same source; a passage
that has the term itself takes nothing from them. What the question asks besides its words (who said it, when, in which
project) multiplies the score. Where even the best place covers too little of the question, nothing is relevant.

The constants were chosen on three LoCoMo conversations and thirty questions of developers; `benchmarks/LOG.md` has the
figures, those of the others apart.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from math import log, log10, sqrt

from wikimem.core import lifting
from wikimem.core.lifting import Rank

K1 = 1.0
"""How soon more of the same word stops counting."""
B = 0.6
"""How much a long passage has to hold more of a word than a short one."""
OFTEN = 2
"""More of a word than this in one passage says nothing more: it is a long report, not an answer."""
SPREAD = (0.6, 0.3)
"""What a passage takes of a term that stands one, two passages away."""
NAME = 0.3
"""What a speaker's name counts in a text: whoever is named is rarely the one who says it."""
DATED = 0.3
"""What the words of a date count in a text: most passages do not say when they were said."""
SAID_BY = 1.5
"""By how much (as a share) a passage gains when a speaker named in the question says it."""
ASKED_OF = 0.3
"""The same, when the question is about what a person or the assistant said."""
DONE_SO = 2.0
"""The same, when the question is how something is done and a claim says what to do."""
SAID_THEN = 2.0
"""The same, when it was said at a date in the question; less the longer after it."""
PHRASED = 3.0
"""The same, when it holds a quoted phrase."""
OWN_SCOPE = 2.0
"""The same, when it comes from the project that asks."""
SCOPE_ABOVE = 1.0
"""The same, when it comes from the whole project of which a package asks."""
FLOOR = (-0.01, 0.0735)
"""The share of a question (terms weighted by the root of their rarity) that the best place must cover: of one word, and
how much more for each tenfold of words that there are: the more, the more of any question stands together by chance."""
FLOORS = (0.28, 0.42)
"""The least and the most of that share."""
TELLING = 2.0
"""How much more, for that share, a word counts that no passage has, or that names somebody who speaks here."""
KEYED = 0.7
"""What a turn takes of a word of a claim that it proves."""
THEMED = 0.35
"""What a word counts that a claim does not hold, but is a theme of: it comes without being said."""
CLAIMS = 60
"""How many of the best claims are keys of their turns."""
TOLD = 0.9
"""What the score of a claim counts."""
DONE = 0.5
"""What the score of calls, results and machine-made text counts where there are claims: of hundreds of runs of one
command, what follows from them is the answer."""
NARRATED = 0.85
"""The same of what an assistant says, which for a good part announces what it does."""
RARE = 0.1
"""The share of turns below which people say so little, and agents so much, that the next two count instead."""
REPORTED = 0.5
"""What an assistant says counts there: its reports hold every word of a project, what was decided stands in a few."""
RAN = 0.25
"""What calls, results and machine-made text count there."""
ENDED = 0.7
"""What the score of a claim that has ended counts."""
WRITTEN = 0.9
"""What the score of prose on a page counts."""
EXPLAINS = 0.6
"""The share of what a turn covers of the question that its claim must cover to be shown for it."""
POOL = 150
"""How many of the best passages by their own words are looked at closely."""


@dataclass(frozen=True, slots=True)
class Posting:
    """Where one term of the question stands.

    Args:
        found: passage number to its BM25 part there, without the term's rarity.
        known: whether it names somebody who speaks: answered by more than texts, so covered everywhere.
        dated: whether it belongs to a date of the question.
        turns: in how many turns it stands itself, where `found` tells also of other passages; -1 where it does not.
    """

    found: Mapping[int, float]
    known: bool = False
    dated: bool = False
    turns: int = -1

    @property
    def count(self) -> int:
        """In how many turns it stands: what claims and pages say again makes no word more common."""
        return len(self.found) if self.turns < 0 else self.turns

    @property
    def share(self) -> float:
        """What it counts in texts."""
        return NAME if self.known else DATED if self.dated else 1.0


def saturation(often: float, size: int, mean: float) -> float:
    """BM25 without rarity: how much a word counts that stands `often` in a passage of `size` words."""
    often = min(often, OFTEN)
    return often * (K1 + 1) / (often + K1 * (1 - B + B * size / mean))


def rarity(count: int, passages: int) -> float:
    """Inverse document frequency, never below a third, so that a small vault works as well."""
    return max(log(passages / (count + 1)) + 1, 0.33) if passages else 1.0


def best(postings: Sequence[Posting], told: Sequence[Mapping[int, float]], passages: int, allowed: Set[int] | None) -> list[int]:
    """The documents of the wiki that hold most of the question by their own words, best first.

    Args:
        postings: of the question's terms in turns: they tell how rare a term is.
        told: of the same terms, where each stands in the wiki and how much it counts there.
        passages, allowed: as for `rank`.
    """
    own: dict[int, float] = {}
    for posting, found in zip(postings, told, strict=True):
        part = rarity(posting.count, passages) * posting.share
        for number, value in found.items():
            own[number] = own.get(number, 0.0) + part * value
    return _best(own, own if allowed is None else own.keys() & allowed)


def floor(words: int) -> float:
    """The share of a question that the best place must cover, among so many words."""
    first, more = FLOOR
    return min(max(first + more * log10(max(words, 1)), FLOORS[0]), FLOORS[1])


def rank(
    postings: Sequence[Posting],
    passages: int,
    beside: Callable[[int, int], Sequence[int]],
    gain: Callable[[int], float],
    allowed: Set[int] | None = None,
    least: float = 0.0,
    spread: Sequence[float] = SPREAD,
    meant: Mapping[int, float] | None = None,
    session: Callable[[int], int] | None = None,
    size: Callable[[int], int] = lambda number: 1,
    spots: Callable[[int], Sequence[tuple[int, int]]] | None = None,
    more: Iterable[int] = (),
) -> list[Rank]:
    """The passages that answer, best first; equal ones in the order of their numbers. Empty: nothing is relevant.

    Args:
        postings: one for each term of the question.
        passages: how many turns there are in all.
        beside: the numbers of the passages beside a number in its source, up to so many away.
        gain: the factor of a passage for speaker, date and scope, above 0.
        allowed: the only numbers that may answer; their neighbours still count for them.
        least: the share of the question that the best place must cover, such as `floor` gives; 0 to take anything.
        spread: as `SPREAD`; empty for none.
        meant: how near in meaning a passage is, above 0 to 1; others are not near.
        session: what is the same number for passages of one session; None if that counts for nothing.
        size: the words of a passage.
        spots: where the terms stand in a passage: which word of it, and which term; None to take passages as a whole.
        more: further numbers to look at closely, whatever they hold.
    """
    weights = [rarity(posting.count, passages) for posting in postings]
    own: dict[int, float] = {}
    for posting, weight in zip(postings, weights, strict=True):
        part = weight * posting.share
        for number, value in posting.found.items():
            own[number] = own.get(number, 0.0) + part * value
    pool = _best(own, own)
    if allowed is not None:  # both: what may not answer itself can stand beside what may
        pool = list(dict.fromkeys((*_best(own, own.keys() & allowed), *pool)))
    pool = list(dict.fromkeys((*pool, *more)))
    ranked: list[Rank] = []
    for number, (score, weighed, covered) in _judged(postings, weights, _reach(pool, beside, spread, size)).items():
        if allowed is None or number in allowed:
            ranked.append(Rank(number, score * sqrt(weighed) * gain(number), covered))
    if meant and ranked:
        ranked = lifting.with_meaning(ranked, meant, beside, gain, allowed)
    if session is not None:
        ranked = lifting.in_sessions(ranked, session)
    ranked.sort(key=lifting.order)
    if spots is not None:

        def holding(number: int) -> set[int]:
            return {term for term, one in enumerate(postings) if number in one.found and not one.known}

        ranked = lifting.looked_into(ranked, holding, weights, _soft(postings, weights), size, spots)
    if max((one.covered for one in ranked), default=0.0) < least:
        return []
    return ranked


def _soft(postings: Sequence[Posting], weights: Sequence[float]) -> list[float]:
    """What each term counts for the share of a question that is covered."""
    found = []
    for posting, weight in zip(postings, weights, strict=True):
        share = DATED if posting.dated else TELLING if posting.known or not posting.found else 1.0
        found.append(sqrt(weight) * share)
    return found


def _best(own: Mapping[int, float], among: Iterable[int]) -> list[int]:
    return heapq.nlargest(POOL, among, key=lambda number: (own[number], -number))


Reach = dict[int, list[tuple[int, float, float]]]
"""For each number: the candidates it counts for, how much, and how near they are."""


def _reach(
    pool: Sequence[int], beside: Callable[[int, int], Sequence[int]], spread: Sequence[float], size: Callable[[int], int]
) -> Reach:
    """The candidates are the pool and what lies beside it; each takes from itself and from what lies beside it."""
    far = len(spread)
    around = {number: beside(number, far) for number in pool}
    for number in {other for others in around.values() for other in others} - around.keys():
        around[number] = beside(number, far)
    reach: Reach = {}
    for number, others in around.items():
        reach.setdefault(number, []).append((number, 1.0, 1.0))
        for other in others:
            near = min(1.0, 2 * lifting.WINDOW / (size(other) + size(number)))
            reach.setdefault(other, []).append((number, spread[abs(other - number) - 1] * near, near))
    return reach


def _judged(postings: Sequence[Posting], weights: Sequence[float], reach: Reach) -> dict[int, tuple[float, float, float]]:
    """Of each candidate: its score, the share of the question that it covers, and the same with softened weights."""
    score: dict[int, float] = {}
    had: dict[int, float] = {}
    soft_had: dict[int, float] = {}
    whole = soft_whole = soft_known = 0.0
    for posting, weight, soft in zip(postings, weights, _soft(postings, weights), strict=True):
        part = weight * posting.share
        whole += part
        soft_whole += soft
        best: dict[int, tuple[float, float]] = {}
        for number in posting.found.keys() & reach.keys():
            value = posting.found[number]
            for candidate, share, near in reach[number]:
                if share * value > best.get(candidate, (0.0, 0.0))[0]:
                    best[candidate] = (share * value, near)
        for candidate, (value, near) in best.items():
            score[candidate] = score.get(candidate, 0.0) + part * value
            had[candidate] = had.get(candidate, 0.0) + part
            if not posting.known:
                soft_had[candidate] = soft_had.get(candidate, 0.0) + soft * near
        if posting.known:
            soft_known += soft
    return {
        candidate: (value, had[candidate] / whole, (soft_had.get(candidate, 0.0) + soft_known) / soft_whole)
        for candidate, value in score.items()
    }
