"""One search in one snapshot: postings to ranks to hits. It decides nothing that `core.ranking` can decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wikimem.core import ranking, words
from wikimem.core.passages import Hit, Passage
from wikimem.core.queries import Query, Within
from wikimem.core.ranking import Posting, Rank
from wikimem.edges.index import schema
from wikimem.edges.index.reading import Snapshot

_PHRASED = 60
"""How many of the best passages are read for a quoted phrase: positions are not indexed."""


@dataclass(frozen=True, slots=True)
class Taste:
    """What ranking may use beside the words.

    Args:
        spread: what a passage takes of the words of its neighbours.
        beside: whether a passage may be a hit that has none of the words itself.
        names: whether it counts who is named, and whose words are asked for.
        dates: whether it counts when something was said.
        floor: the share of the question that must be covered somewhere.
    """

    spread: Sequence[float] = ranking.SPREAD
    beside: bool = True
    names: bool = True
    dates: bool = True
    floor: float = ranking.FLOOR


RECALL = Taste()
"""For a question that wants an answer, or to be told that there is none."""
LISTING = Taste(beside=False, floor=0.0)
"""For a list that a person reads: whatever has one of the words, and nothing else."""


def search(snapshot: Snapshot, query: Query, within: Within, limit: int | None, context: int, taste: Taste = RECALL) -> list[Hit]:
    """The best passages, each once, whatever the number of sources that hold a copy of it.

    Args:
        snapshot: where to look.
        query: what for.
        within: in which part of it.
        limit: at most so many hits; None for all that are ranked. The first k are the same for every limit.
        context: neighbours brought on each side of a hit.
        taste: what ranking may use.

    Raises:
        Broken: a segment cannot be read.
    """
    if not query.terms or not snapshot.count:
        return []
    allowed = _allowed(snapshot, within)
    if allowed is not None and not allowed:
        return []
    postings, named = _postings(snapshot, query, taste)
    gain = _gain(snapshot, query, within, named, taste)
    ranks = ranking.rank(postings, snapshot.count, snapshot.beside, gain, allowed, taste.floor, taste.spread)
    if query.phrases:
        ranks = _phrased(snapshot, query, ranks)
    wanted = {term.root for term in query.terms}
    hits: list[Hit] = []
    seen: set[str] = set()
    for rank in ranks:
        if limit is not None and len(hits) >= limit:
            break
        passage = snapshot.passage(rank.number)
        if passage.identity and passage.identity in seen:
            continue
        seen.add(passage.identity)
        spots = tuple(words.places(passage.text, wanted, schema.roots))
        if not spots and not taste.beside:
            continue
        before, after = _beside(snapshot, rank.number, context)
        hits.append(Hit(passage, rank.score, spots, before, after))
    return hits


def _postings(snapshot: Snapshot, query: Query, taste: Taste) -> tuple[list[Posting], set[int]]:
    """Each term's postings with their BM25 parts, and the passages whose speaker the query names."""
    named: set[int] = set()
    speakers: list[bool] = []
    for term in query.terms:
        by = snapshot.having("name", term.word) if taste.names else frozenset()
        named |= by
        speakers.append(bool(by))
    if all(speakers):  # nothing but names: they are what is looked for
        speakers = [False] * len(speakers)
        named = set()
    postings = []
    for term, speaker in zip(query.terms, speakers, strict=True):
        found: dict[int, float] = {}
        for segment in snapshot.segments:
            base, size, mean = segment.base, segment.size, snapshot.mean
            for number, often in segment.postings("text", term.root).items():
                found[base + number] = ranking.saturation(often, size[number], mean)
        postings.append(Posting(found, speaker, term.dated and taste.dates))
    return postings, named


def _allowed(snapshot: Snapshot, within: Within) -> frozenset[int] | None:
    """The numbers that may answer; None for all. Known before ranking, so that no limit cuts it short."""
    kept: frozenset[int] | None = None
    if within.strict:
        kept = snapshot.having("scope", within.scope)
    if within.speaker is not None:
        said = snapshot.having("speaker", within.speaker.value)
        kept = said if kept is None else kept & said
    if within.since or within.until:
        first = max(schema.day(within.since), schema.UNKNOWN + 1)
        last = schema.day(within.until) if within.until else 99_999_999
        then = frozenset(
            segment.base + number
            for segment in snapshot.segments
            for number, day in enumerate(segment.day)
            if first <= day <= last
        )
        kept = then if kept is None else kept & then
    return kept


def _gain(snapshot: Snapshot, query: Query, within: Within, named: set[int], taste: Taste) -> Callable[[int], float]:
    """The factor of each passage for what the query asks beside its words."""
    asked = snapshot.having("speaker", query.speaker.value) if query.speaker and taste.names else frozenset()
    own = snapshot.having("scope", within.scope) if within.scope and not within.strict else frozenset()
    dates = query.dates if taste.dates else ()

    def gain(number: int) -> float:
        factor = 1.0
        if number in named:
            factor *= 1 + ranking.SAID_BY
        if number in asked:
            factor *= 1 + ranking.ASKED_OF
        if number in own:
            factor *= 1 + ranking.OWN_SCOPE
        if dates and (day := snapshot.said(number)) != schema.UNKNOWN:
            text = f"{day // 10000:04}-{day // 100 % 100:02}-{day % 100:02}"
            if any(when.holds(text) for when in dates):
                factor *= 1 + ranking.SAID_THEN
        return factor

    return gain


def _phrased(snapshot: Snapshot, query: Query, ranks: Sequence[Rank]) -> list[Rank]:
    """The same ranks, those first that hold a quoted phrase."""
    lifted = []
    for place, rank in enumerate(ranks):
        score = rank.score
        if place < _PHRASED:
            text = " ".join(words.split(snapshot.passage(rank.number).text))
            if any(f" {' '.join(phrase)} " in f" {text} " for phrase in query.phrases):
                score *= 1 + ranking.PHRASED
        lifted.append(Rank(rank.number, score, rank.covered))
    return sorted(lifted, key=lambda one: (-one.score, one.number))


def _beside(snapshot: Snapshot, number: int, context: int) -> tuple[tuple[Passage, ...], tuple[Passage, ...]]:
    found = snapshot.beside(number, context)
    before = tuple(snapshot.passage(other) for other in found if other < number)
    return before, tuple(snapshot.passage(other) for other in found if other > number)
