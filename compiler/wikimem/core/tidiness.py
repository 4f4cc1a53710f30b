"""Tidiness: what in a wiki is worth a person's look though nothing is wrong: twins, unknown attributes, subjects of nothing.

Hints only: nothing is merged, renamed or closed by them, and no check of a vault fails because of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

from wikimem.core import pairs, texts
from wikimem.core.fold import Wiki
from wikimem.core.subjects import Subject
from wikimem.core.timeline import Standing
from wikimem.core.vocabulary import Vocabulary
from wikimem.errors import Problem

TWINS = 0.85
"""Share of the words of two claims, together, that both have: from here on they are told as near-duplicates."""

_WORDS = 4
_CROWD = 60
"""Claims that share a word at most for it to bring two together: a word of so many tells nothing."""


def hints(wiki: Wiki) -> tuple[Problem, ...]:
    """All hints about a wiki, by rule, each with the pages it is about."""
    return tuple(hint for rule in RULES for hint in rule(wiki))


def _unknown_attributes(wiki: Wiki) -> Iterator[Problem]:
    found: dict[str, list[str]] = defaultdict(list)
    for key in sorted(wiki.subjects, key=wiki.path):
        for claim in wiki.subjects[key].claims:
            if claim.attribute and wiki.vocabulary.find(claim.attribute) is None:
                found[claim.attribute].append(wiki.path(key))
    for attribute, paths in sorted(found.items()):
        told = f"{len(paths)} claim{'s have' if len(paths) != 1 else ' has'} the attribute {attribute}, which no vocabulary knows"
        meant = _meant(attribute, wiki.vocabulary, found)
        advice = "add it under [vocabulary] in wikimem.toml, or leave it: its values do not end each other"
        if meant:
            advice = f"it looks like {meant}; if both are one, make it a synonym under [vocabulary] in wikimem.toml"
        yield Problem(f"wiki/{paths[0]}", "unknown-attribute", f"{told}; {advice}")


def _meant(attribute: str, vocabulary: Vocabulary, others: Iterable[str]) -> str:
    """Another attribute that is the same words in another order or number, of the vocabulary first; empty for none."""
    words = pairs.content(attribute.replace("-", " "))
    known = [word for one in vocabulary.attributes for word in (one.name, *one.synonyms)]
    near = (each for each in (*known, *sorted(others)) if each != attribute and pairs.content(each.replace("-", " ")) == words)
    return next(near, "") if words else ""


def _no_claims(wiki: Wiki) -> Iterator[Problem]:
    for key in sorted(wiki.subjects, key=wiki.path):
        subject = wiki.subjects[key]
        if not subject.standings:
            yield Problem(f"wiki/{wiki.path(key)}", "no-claims", f"nothing is claimed of {subject.title} any more")


def _twin_subjects(wiki: Wiki) -> Iterator[Problem]:
    """Subjects of one scope whose names are the same words in another order, number or type."""
    by_words: dict[tuple[str, frozenset[str]], list[str]] = defaultdict(list)
    for key, subject in wiki.subjects.items():
        if words := pairs.content(subject.title):
            by_words[(subject.scope, words)].append(key)
    for keys in sorted(
        (sorted(each, key=wiki.path) for each in by_words.values() if len(each) > 1), key=lambda one: wiki.path(one[0])
    ):
        first, *others = (wiki.path(key) for key in keys)
        told = f"it is named with the same words as {', '.join(f'wiki/{path}' for path in others)}"
        yield Problem(f"wiki/{first}", "twin-pages", f"{told}; if they are one thing, `wikimem merge` makes one page of them")


def _twin_claims(wiki: Wiki) -> Iterator[Problem]:
    """Claims that hold, of one scope, which nearly say the same in other words."""
    holding = [
        (subject, standing, words)
        for key in sorted(wiki.subjects, key=wiki.path)
        for subject in (wiki.subjects[key],)
        for standing in subject.standings
        if standing.current is not None and not standing.rivals and len(words := pairs.content(standing.claim.text)) >= _WORDS
    ]
    by_word: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, (subject, _, words) in enumerate(holding):
        for word in words:
            by_word[(subject.scope, word)].append(place)
    seen: set[tuple[int, int]] = set()
    for group in by_word.values():
        if len(group) > _CROWD:
            continue
        for couple in combinations(group, 2):
            if couple not in seen:
                seen.add(couple)
    for one, other in sorted(seen):
        if _are_twins(holding[one], holding[other]):
            yield _twins(wiki, holding[one], holding[other])


_Holding = tuple[Subject, Standing, frozenset[str]]


def _are_twins(one: _Holding, other: _Holding) -> bool:
    mine, theirs = one[2], other[2]
    if len(mine & theirs) < TWINS * len(mine | theirs):
        return False
    first, second = one[1].claim, other[1].claim
    return pairs.values(first.text) == pairs.values(second.text) and pairs.dates(first.text) == pairs.dates(second.text)


def _twins(wiki: Wiki, one: _Holding, other: _Holding) -> Problem:
    first, second = one[1].claim, other[1].claim
    where = f"wiki/{wiki.path(one[0].key)}"
    beside = "" if one[0].key == other[0].key else f" on wiki/{wiki.path(other[0].key)}"
    told = (
        f"[^{first.id}] “{texts.normal(first.text)}” and [^{second.id}] “{texts.normal(second.text)}”{beside} say nearly the same"
    )
    return Problem(where, "near-duplicate", f"{told}; `wikimem reject ID` takes one of them away")


RULES: tuple[Callable[[Wiki], Iterator[Problem]], ...] = (_twin_subjects, _twin_claims, _unknown_attributes, _no_claims)
"""In the order of the report."""
