"""Links: to which other pages a page leads, and why. Candidates here; the reason is worded by whoever is asked.

A page leads to those that its claims name. It should also lead to those that name it. A page that no other one names leads to
those that share rare words with it, and they lead back; one of which nothing of that is true to what was told in the same
session.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace

from wikimem.core import cold, pairs, scopes, texts
from wikimem.core.claims import Claim
from wikimem.core.cold import Step
from wikimem.core.consolidation import views
from wikimem.core.consolidation.views import Ask, Relating, Sheet
from wikimem.core.fold import Wiki
from wikimem.core.subjects import Subject
from wikimem.core.timeline import Standing

NAMING, BESIDE, ALIKE = 8, 2, 2
"""Pages at most that name a page; that are told in the same session; that share rare words with it."""
_RARE, _SHARED = 4, 2
"""Pages at most that have a rare word; rare words that two pages must share."""
_LINES = 3
_TYPES = ("gotcha", "decision", "procedure")


def asks(wiki: Wiki, strict: bool) -> Iterator[Ask]:
    """One question for each page that has something to lead to; arguments as `leads.asks`."""
    naming: dict[str, list[str]] = defaultdict(list)
    for key, near in wiki.related.items():
        for other in near:
            naming[other].append(key)
    told = _by_source(wiki)
    kin = _kin(wiki, strict, naming.keys())
    for subject in views.chosen(wiki, strict):
        others = [wiki.subjects[key] for key in wiki.related[subject.key]]
        others += _best(wiki, subject, naming[subject.key])
        others = [each for each in others if _may(subject, each, strict) and views.holding(each)]
        known = {each.key for each in others}
        alike = {key: shared for key, shared in kin.get(subject.key, {}).items() if key not in known}
        if others or alike:
            sheets = tuple(_telling(subject, each) for each in others)
            others += [wiki.subjects[key] for key in alike]
            sheets += tuple(_alike(wiki.subjects[key], shared) for key, shared in alike.items())
        else:
            found = [one for one in _beside(wiki, subject, told) if _may(subject, wiki.subjects[one[0]], strict)][:BESIDE]
            others = [wiki.subjects[key] for key, _ in found]
            sheets = tuple(views.sheet(wiki.subjects[key], [standing], "session") for key, standing in found)
        if not others:
            continue
        parts = [part for sheet in sheets for line in sheet.lines for part in (sheet.title, sheet.tie, line.id)]
        basis = cold.basis(Step.LINKS, subject.title, *parts)
        page = views.sheet(subject, views.holding(subject)[:_LINES])
        yield Ask(Step.LINKS, subject.key, basis, Relating(page, sheets), tuple(each.key for each in others))


def _kin(wiki: Wiki, strict: bool, named: Container[str]) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Pages that share rare words, by the keys of both, with these words: for each that no other names, the nearest ones."""
    carrying = {subject.key: _content(subject) for subject in views.chosen(wiki, strict) if views.holding(subject)}
    having: dict[str, list[str]] = defaultdict(list)
    for key, found in carrying.items():
        for word in found:
            having[word].append(key)
    kin: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for key in carrying:
        if key in named:
            continue
        shared: dict[str, set[str]] = defaultdict(set)
        for word in carrying[key]:
            for other in having[word] if len(having[word]) <= _RARE else ():
                if other != key and wiki.subjects[other].scope == wiki.subjects[key].scope:
                    shared[other].add(word)
        own = pairs.content(wiki.subjects[key].title)
        theirs = {other: pairs.content(wiki.subjects[other].title) for other in shared}
        titles = {other: own | theirs[other] for other in shared}
        near = [
            other
            for other, both in shared.items()
            if both & own & theirs[other] or (both & titles[other] and len({word[:3] for word in both}) >= _SHARED)
        ]
        near.sort(key=lambda other: (-sum(1 / len(having[word]) for word in shared[other]), wiki.path(other)))
        for other in near[:ALIKE]:
            told = sorted(shared[other], key=lambda word: (word not in titles[other], len(having[word]), word))
            told = [word for place, word in enumerate(told) if word[:3] not in {each[:3] for each in told[:place]}]
            kin[key][other] = tuple(told[:_SHARED])
            if len(kin[other]) < ALIKE + 1:
                kin[other][key] = tuple(told[:_SHARED])
    return kin


def _content(subject: Subject) -> frozenset[str]:
    """The words that carry what a page says."""
    told = " ".join((subject.title, *(one.claim.text for one in views.holding(subject))))
    return views.carrying(told)


def _alike(other: Subject, shared: tuple[str, ...]) -> Sheet:
    """Another page with the lines that hold most of the words that both share."""
    standings = sorted(views.holding(other), key=lambda one: (one.claim.said or "~", one.claim.id))
    standings.sort(key=lambda one: -len(pairs.content(one.claim.text).intersection(shared)))
    said = " ".join((other.title, *(one.claim.text for one in standings)))
    spelled = {stem: word for word in reversed(texts.words(said)) for stem in pairs.content(word)}
    return replace(views.sheet(other, standings[:_LINES], "alike"), shared=tuple(spelled.get(word, word) for word in shared))


def _may(subject: Subject, other: Subject, strict: bool) -> bool:
    """Whether a page may tell what another one says."""
    seen = scopes.lineage(subject.scope)
    return other.scope in seen if strict else other.scope in ("", *seen)


def _best(wiki: Wiki, subject: Subject, keys: Iterable[str]) -> list[Subject]:
    """The pages that name a page: what went wrong, was decided and is done first, then those last spoken of."""
    found = [wiki.subjects[key] for key in keys]
    found.sort(key=lambda each: each.key)
    found.sort(key=lambda each: max((one.claim.said for one in each.standings), default=""), reverse=True)
    found.sort(key=lambda each: _TYPES.index(each.type) if each.type in _TYPES else len(_TYPES))
    return [each for each in found if each.key not in wiki.related[subject.key]][:NAMING]


def _telling(subject: Subject, other: Subject) -> Sheet:
    """Another page with the lines that say most to whoever reads a page: those that name it, else the first said."""
    standings = sorted(views.holding(other), key=lambda one: (one.claim.said or "~", one.claim.id))
    naming = [one for one in standings if any(_names(one.claim.text, name) for name in subject.names)]
    return views.sheet(other, (naming[::-1] or standings)[:_LINES], "names" if naming else "named")


def _names(text: str, name: tuple[str, ...]) -> bool:
    said = texts.words(text)
    return any(said[place : place + len(name)] == name for place in range(len(said) - len(name) + 1))


def _by_source(wiki: Wiki) -> Mapping[str, list[tuple[str, Standing]]]:
    found: dict[str, list[tuple[str, Standing]]] = defaultdict(list)
    for key, subject in wiki.subjects.items():
        for standing in views.holding(subject):
            for source in {one.source for one in standing.claim.evidence}:
                found[source].append((key, standing))
    return found


def _beside(wiki: Wiki, subject: Subject, told: Mapping[str, list[tuple[str, Standing]]]) -> list[tuple[str, Standing]]:
    """The pages of which something was said in a session that a page is from, each with that; the nearest first.

    A command runs in every other session, so that what else was said there tells nothing of it.
    """
    if subject.type == "procedure":
        return []
    near: dict[str, tuple[int, str, Standing]] = {}
    for standing in views.holding(subject):
        for source in {one.source for one in standing.claim.evidence}:
            for key, other in told[source]:
                if key == subject.key or wiki.subjects[key].type == "procedure":
                    continue
                rank = (_apart(standing.claim, other.claim, source), other.claim.id, other)
                near[key] = min(near.get(key, rank), rank, key=lambda each: each[:2])
    return [(key, near[key][2]) for key in sorted(near, key=lambda key: (near[key][0], key))]


def _apart(one: Claim, other: Claim, source: str) -> int:
    """How many lines two claims stand apart in a source; many where that cannot be told."""
    places = [[views.line_of(each.at) for each in claim.evidence if each.source == source] for claim in (one, other)]
    return min((abs(mine - theirs) for mine in places[0] for theirs in places[1]), default=1 << 30)
