"""Stale values: claims that still give a value which was superseded elsewhere. A warning for a person; nothing is closed by it.

A correction ends the claims of its own subject that rules or a judge paired with it. The old value may live on in others: in a
rule that names the port, on the page of a client. Such a claim must be about the subject or name it; a short number counts
only beside the attribute's own word, for `3` may be three of anything.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from wikimem.core import pairs, texts
from wikimem.core.claims import Claim, Kind
from wikimem.core.fold import Wiki
from wikimem.core.subjects import Subject
from wikimem.core.timeline import Standing, Superseded


@dataclass(frozen=True, slots=True)
class Stale:
    """A claim that holds, with a value that no longer does.

    Args:
        page: where it stands, below `wiki/`.
        claim: id and text of the claim.
        value: that was superseded.
        ended_page: where the superseded claim stands.
        ended: id and text of the superseded claim.
        now: id and text of what superseded it.
    """

    page: str
    claim: tuple[str, str]
    value: str
    ended_page: str
    ended: tuple[str, str]
    now: tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Ended:
    subject: Subject
    old: Claim
    new: Claim
    value: str
    fresh: frozenset[str]
    """The values that the new claim has and the old one had not."""


def found(wiki: Wiki) -> tuple[Stale, ...]:
    """The stale claims of a wiki, by page and id; each once for each value."""
    ended: dict[str, list[_Ended]] = defaultdict(list)
    for subject in wiki.subjects.values():
        for one in _ended(subject):
            ended[one.value].append(one)
    told: dict[tuple[str, str, str], Stale] = {}
    for key in sorted(wiki.subjects) if ended else ():
        subject = wiki.subjects[key]
        for standing in subject.standings:
            for one in _still(standing, subject, ended):
                old, new, claim = one.old, one.new, standing.claim
                stale = Stale(
                    wiki.path(key),
                    (claim.id, claim.text),
                    one.value,
                    wiki.path(one.subject.key),
                    (old.id, old.text),
                    (new.id, new.text),
                )
                told.setdefault((stale.page, claim.id, one.value), stale)
    return tuple(told[key] for key in sorted(told))


def _ended(subject: Subject) -> Iterator[_Ended]:
    """The values of a subject that were superseded and that none of its values has again."""
    by_id = {standing.claim.id: standing for standing in subject.standings}
    for standing in subject.standings:
        if standing.current is not None or standing.claim.kind is Kind.EPISODIC:
            continue
        last = standing.past[-1].ending
        winner = by_id.get(last.by) if isinstance(last, Superseded) else None
        if winner is None:
            continue
        new = _current(winner, by_id)
        had, has = pairs.values(standing.claim.text), pairs.values(new.text)
        for value in sorted(had - has):
            yield _Ended(subject, standing.claim, new, value, has - had)


def _current(standing: Standing, by_id: Mapping[str, Standing]) -> Claim:
    """What holds now: what superseded a claim may have been superseded itself."""
    seen = {standing.claim.id}
    while standing.current is None and standing.past and isinstance(ending := standing.past[-1].ending, Superseded):
        following = by_id.get(ending.by)
        if following is None or following.claim.id in seen:
            break
        seen.add(following.claim.id)
        standing = following
    return standing.claim


def _still(standing: Standing, subject: Subject, ended: Mapping[str, list[_Ended]]) -> Iterator[_Ended]:
    claim = standing.claim
    if standing.current is None or claim.kind is Kind.EPISODIC:
        return
    held = pairs.values(claim.text)
    values = sorted(held & ended.keys())
    words = texts.words(claim.text) if values else ()
    for value in values:
        for one in ended[value]:
            if claim.id == one.new.id or (subject.scope and one.subject.scope and subject.scope != one.subject.scope):
                continue
            # A value of thousands of claims is told apart by the subject alone, so that is looked at first.
            if one.subject.key != subject.key and not _names(words, one.subject):
                continue
            # Who names the new value too tells of the change.
            if held & one.fresh or _takes_back(claim.text, value):
                continue
            if _means(claim, one):
                yield one


def _names(words: tuple[str, ...], subject: Subject) -> bool:
    return any(
        name[0] in words and any(words[place : place + len(name)] == name for place in range(len(words)))
        for name in subject.names
    )


_DISTINCT = re.compile(r"\d{4,}|[A-Za-z/._-]{2,}")


def _means(claim: Claim, one: _Ended) -> bool:
    """Whether the value is that of the attribute: it is too particular to be another, or the attribute's word stands by it."""
    if _DISTINCT.search(one.value) or (one.old.attribute and claim.attribute == one.old.attribute):
        return True
    words = set(texts.words(one.old.attribute.replace("-", " ")))
    return bool(words) and words <= set(texts.words(claim.text))


def _takes_back(text: str, value: str) -> bool:
    """Whether the words before a value say that it is none any more."""
    told = re.escape(value)
    before = rf"{_BEFORE}[^.;]{{0,24}}`?{told}"
    return re.search(rf"{before}|{told}`?[^.;]{{0,40}}{_AFTER}", text, re.IGNORECASE) is not None


_BEFORE = r"(?:\bnot|n't|\bno longer|\binstead of|\brather than|\bformerly|\bwas|\bwere|\bused to be|\bbefore)\b"
_AFTER = r"\b(?:is closed|is gone|is dead|no longer|any ?more)\b"
