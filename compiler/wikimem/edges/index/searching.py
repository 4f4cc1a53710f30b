"""One search in one snapshot: postings to ranks to hits. It decides nothing that `core.ranking` can decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from wikimem.core import ranking, scopes, words
from wikimem.core.answers import Answer
from wikimem.core.lifting import Rank
from wikimem.core.queries import Query, Term
from wikimem.core.ranking import Posting
from wikimem.core.turns import Speaker
from wikimem.edges.index import schema
from wikimem.edges.index.gathering import Gathering, sort_by_kind
from wikimem.edges.index.reading import Snapshot
from wikimem.edges.index.space import Space

_PHRASED = 60
"""How many of the best passages are read for a quoted phrase: positions are not indexed."""

_READ = 60_000
"""Characters of a long passage that are read for where words stand."""

_IN_TALK = {schema.NARRATED: ranking.NARRATED, schema.DONE: ranking.DONE}
_AT_WORK = {schema.NARRATED: ranking.REPORTED, schema.DONE: ranking.RAN}


@dataclass(frozen=True, slots=True)
class Taste:
    """What ranking may use beside the words.

    Args:
        spread: what a passage takes of the words of its neighbours.
        beside: whether a passage may be a hit that has none of the words itself.
        names: whether it counts who is named, and whose words are asked for.
        dates: whether it counts when something was said.
        near: whether it counts how near the words stand to each other in a long passage.
        sessions: whether it counts how well the session answers that a passage is from.
        floor: the share of the question that must be covered somewhere; None for what `ranking.floor` says.
    """

    spread: Sequence[float] = ranking.SPREAD
    beside: bool = True
    names: bool = True
    dates: bool = True
    near: bool = True
    sessions: bool = True
    floor: float | None = None


RECALL = Taste()
"""For a question that wants an answer, or to be told that there is none."""
LISTING = Taste(beside=False, sessions=False, floor=0.0)
"""For a list that a person reads: whatever has one of the words, and nothing else."""


CHANNELS: Mapping[str, Mapping[str, Any]] = {
    "neighbours": {"spread": ()},
    "speakers": {"names": False},
    "dates": {"dates": False},
    "nearness": {"near": False},
    "sessions": {"sessions": False},
    "floor": {"floor": 0.0},
}
"""What ranking uses beside the words, by name, and what a taste without it has."""


def without(taste: Taste, channels: Iterable[str]) -> Taste:
    """A taste that does without some of `CHANNELS`."""
    for channel in channels:
        taste = replace(taste, **CHANNELS[channel])
    return taste


def search(
    space: Space,
    query: Query,
    limit: int | None,
    context: int,
    taste: Taste = RECALL,
    meaning: Mapping[str, float] | None = None,
) -> list[Answer]:
    """The best answers, each once, whatever the number of sources that hold a copy of it.

    Args:
        space: where to look, and within what.
        query: what for.
        limit: at most so many answers; None for all that are ranked. The first k are the same for every limit, but for
            moments (`Within.at`), where claims come first.
        context: neighbours brought on each side of a turn.
        taste: what ranking may use.
        meaning: how near turns are in meaning, by citation.

    Raises:
        Broken: a segment cannot be read.
    """
    if not query.terms or not space.count:
        return []
    allowed = space.allowed()
    if allowed is not None and not allowed:
        return []
    postings, named = _postings(space, query, taste)
    proving: dict[int, list[int]] = {}
    if space.wiki is not None:
        postings, proving = _keyed(space, query, postings, allowed, taste)
    how = space.having("kind", "how") if query.manner else frozenset()
    gain = _gain(space, query, named, how, taste)
    spots = _spots(space, query) if taste.near else None
    meant = _meant(space, meaning) if meaning else None
    session = space.session if taste.sessions else None
    more = sorted(how & {number for claims in proving.values() for number in claims})
    least = ranking.floor(space.words) if taste.floor is None else taste.floor
    ranks = ranking.rank(
        postings, space.count, space.beside, gain, allowed, least, taste.spread, meant, session, space.size, spots, more
    )
    if query.phrases:
        ranks = _phrased(space, query, ranks)
    gathering = Gathering(space, ranks, {term.root for term in query.terms}, proving, context)
    found = gathering.answers(limit, together=taste.beside)
    return list(sort_by_kind(found)) if space.within.at else found


def _postings(space: Space, query: Query, taste: Taste) -> tuple[list[Posting], set[int]]:
    """Each term's postings in turns with their BM25 parts, and the passages whose speaker the query names."""
    named: set[int] = set()
    owners: set[int] = set()
    speakers: list[bool] = []
    for term in query.terms:
        by = space.having("name", term.word) if taste.names else frozenset()
        if term.owned:
            owners |= by
        else:
            named |= by
        speakers.append(bool(by))
    named = named or owners
    if all(speakers):  # nothing but names: they are what is looked for
        speakers = [False] * len(speakers)
        named = set()
    postings = []
    for term, speaker in zip(query.terms, speakers, strict=True):
        found = _found(space.turns, term, 0)
        postings.append(Posting(found, speaker, term.dated and taste.dates))
    return postings, named


def _found(snapshot: Snapshot, term: Term, base: int) -> dict[int, float]:
    found: dict[int, float] = {}
    for segment in snapshot.segments:
        first, size, mean = segment.base, segment.size, snapshot.mean
        for number, often in segment.postings("text", term.root).items():
            found[base + first + number] = ranking.saturation(often, size[number], mean)
    return found


def _keyed(
    space: Space, query: Query, postings: Sequence[Posting], allowed: Set[int] | None, taste: Taste
) -> tuple[list[Posting], dict[int, list[int]]]:
    """The postings with those of the wiki, and with the words of the best claims as further keys of their turns.

    Returns:
        The postings, and for each turn the claims that are its keys, best first.
    """
    assert space.wiki is not None
    told = [_found(space.wiki, term, space.base) for term in query.terms]
    if taste.beside:
        told = [_themed(space, term, found) for term, found in zip(query.terms, told, strict=True)]
    best = ranking.best(postings, told, space.count, allowed)
    claims = [number for number in best if space.is_claim(number)][: ranking.CLAIMS] if taste.beside else []
    proved = {number: space.turns_of(number) for number in claims}
    merged = []
    for posting, more in zip(postings, told, strict=True):
        found = {**posting.found, **more}
        for number in claims:
            if value := more.get(number):
                for turn in proved[number]:
                    found[turn] = max(found.get(turn, 0.0), ranking.KEYED * value)
        merged.append(replace(posting, found=found, turns=posting.count))
    proving: dict[int, list[int]] = {}
    for number in claims:
        for turn in proved[number]:
            proving.setdefault(turn, []).append(number)
    return merged, proving


def _themed(space: Space, term: Term, found: Mapping[int, float]) -> dict[int, float]:
    """Where a term stands in the wiki, with the claims that it is a theme of."""
    assert space.wiki is not None
    themed = space.wiki.having("theme", term.root)
    return {**{space.base + number: ranking.THEMED for number in themed}, **found}


def _gain(space: Space, query: Query, named: set[int], how: Set[int], taste: Taste) -> Callable[[int], float]:
    """The factor of each passage for what it is, and for what the query asks beside its words."""
    within = space.within
    shares = _shares(space) if space.wiki is not None else {}
    asked = space.having("speaker", query.speaker.value) if query.speaker and taste.names else frozenset()
    own, above = _near(space)
    dates = query.dates if taste.dates else ()
    ended = space.having("kind", "ended") if not (within.at or within.known) else frozenset()

    def gain(number: int) -> float:
        factor = _share(space, number, shares) if space.wiki is not None else 1.0
        if number in ended:
            factor *= ranking.ENDED
        if number in how:
            factor *= 1 + ranking.DONE_SO
        if number in named:
            factor *= 1 + ranking.SAID_BY
        if number in asked:
            factor *= 1 + ranking.ASKED_OF
        if number in own:
            factor *= 1 + ranking.OWN_SCOPE
        elif number in above:
            factor *= 1 + ranking.SCOPE_ABOVE
        if dates and (day := space.said(number)) != schema.UNKNOWN:
            text = f"{day // 10000:04}-{day // 100 % 100:02}-{day % 100:02}"
            factor *= 1 + ranking.SAID_THEN * max(when.near(text) for when in dates)
        return factor

    return gain


def _near(space: Space) -> tuple[frozenset[int], frozenset[int]]:
    """What belongs to the scope that asks, and what to those that it is a part of; nothing where no others can answer."""
    within = space.within
    mine, *rest = scopes.lineage(within.scope)
    if not mine or (within.strict and not rest):
        return frozenset(), frozenset()
    return space.having("scope", mine), frozenset().union(*(space.having("scope", scope) for scope in rest))


def _meant(space: Space, meaning: Mapping[str, float]) -> dict[int, float]:
    """How near passages are in meaning, by number."""
    return {
        number: share
        for cite, share in meaning.items()
        for number in space.turns.marked(cite)
        if space.turns.passage(number).cite == cite
    }


def _spots(space: Space, query: Query) -> Callable[[int], Sequence[tuple[int, int]]]:
    """Where the query's words stand in a passage: positions are not indexed, so its text is read."""
    terms = {term.root: place for place, term in enumerate(query.terms)}

    def spots(number: int) -> Sequence[tuple[int, int]]:
        found = schema.terms(_text(space, number)[:_READ])
        return [(place, terms[root]) for place, root in enumerate(found) if root in terms]

    return spots


def _shares(space: Space) -> Mapping[int, float]:
    """What the score of a turn counts by who says it."""
    people = len(space.turns.having("speaker", Speaker.HUMAN.value))
    return _AT_WORK if people < ranking.RARE * space.turns.count else _IN_TALK


def _share(space: Space, number: int, shares: Mapping[int, float]) -> float:
    """What a score counts where the wiki says in short what was done at length."""
    if space.is_turn(number):
        return shares.get(space.turns.act(number), 1.0)
    return ranking.TOLD if space.is_claim(number) else ranking.WRITTEN


def _phrased(space: Space, query: Query, ranks: Sequence[Rank]) -> list[Rank]:
    """The same ranks, those first that hold a quoted phrase."""
    lifted = []
    for place, rank in enumerate(ranks):
        score = rank.score
        if place < _PHRASED:
            text = " ".join(words.split(_text(space, rank.number)))
            if any(f" {' '.join(phrase)} " in f" {text} " for phrase in query.phrases):
                score *= 1 + ranking.PHRASED
        lifted.append(Rank(rank.number, score, rank.covered))
    return sorted(lifted, key=lambda one: (-one.score, one.number))


def _text(space: Space, number: int) -> str:
    if space.is_turn(number):
        return space.turns.passage(number).text
    if not space.is_claim(number):
        return schema.prose(space.body(number)).text
    told = space.statement(number)
    return told.claim.text if told is not None else ""
