"""Likeness: which claims of a wiki a statement means, by the words they share. Not a search: every claim is looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import log

from wikimem.core import texts
from wikimem.core.fold import Wiki
from wikimem.core.subjects import Subject
from wikimem.core.timeline import Standing

_ENOUGH = 0.34


def nearest(wiki: Wiki, statement: str, limit: int) -> tuple[tuple[Subject, Standing], ...]:
    """The claims that a statement means, best first, with their subjects; by id if it is one.

    Args:
        wiki: the folded wiki.
        statement: words, or a claim's id with or without `[^…]`.
        limit: at most so many.
    """
    every = [(subject, standing) for subject in wiki.subjects.values() for standing in subject.standings]
    id = statement.strip().strip("[^]")
    by_id = tuple(pair for pair in every if id in (pair[1].claim.id, *pair[1].same))
    if by_id:
        return by_id
    bags = [_words((subject.title, standing.claim.text)) for subject, standing in every]
    quotes = [_words(one.quote for one in standing.claim.evidence) for _, standing in every]
    seen = Counter(word for bag, quote in zip(bags, quotes, strict=True) for word in bag | quote)
    weight = {word: log(1 + len(every) / count) for word, count in seen.items()}
    asked = _words((statement,))
    whole = sum(weight.get(word, log(1 + len(every))) for word in asked)
    ranked = []
    for number, (pair, bag, quote) in enumerate(zip(every, bags, quotes, strict=True)):
        score = sum(weight.get(word, 0.0) * (1.0 if word in bag else 0.6) for word in asked if word in bag or word in quote)
        if whole and score / whole >= _ENOUGH:
            held = pair[1].current is not None
            # Of two that say it as well, the one that holds, then the shorter one.
            ranked.append((-score, not held, len(bag), number, pair))
    return tuple(pair for *_, pair in sorted(ranked)[:limit])


def _words(told: Iterable[str]) -> frozenset[str]:
    found = (_stem(word) for text in told for word in texts.words(text))
    return frozenset(word for word in found if (len(word) > 1 or word.isdigit()) and word not in _STOP)


_STOP = frozenset(texts.words("the of to and or in on at is are was were be been it its this that with for from by as we our us"))


def _stem(word: str) -> str:
    return next((word[: -len(end)] for end in ("ing", "ed", "es", "s") if word.endswith(end) and len(word) - len(end) > 2), word)
