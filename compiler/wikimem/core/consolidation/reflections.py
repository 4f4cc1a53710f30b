"""Reflections: pages whose claims several sessions told, and what others say in like words. What is asked, not who answers.

One page of each scope, the project's, is asked about with what people wanted on all the others: what they want again and again
is seldom about one thing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from wikimem.core import cold, pairs
from wikimem.core.claims import Kind, Stance
from wikimem.core.cold import Step
from wikimem.core.consolidation import views
from wikimem.core.consolidation.views import Ask, Reflecting, Seen
from wikimem.core.fold import Wiki
from wikimem.core.subjects import Subject
from wikimem.core.timeline import Retracted, Standing

SESSIONS = 2
"""Sources that must tell of it: what one session says is no pattern."""
LIKE = 0.4
_MOST, _NEAR, _TOGETHER, _SHARED = 60, 12, 40, 3
_WISHES = (Stance.PREFERENCE, Stance.OPINION)
_COMMON = 24
"""Claims of a scope with a word, from which on it tells nothing of what is like what."""


def asks(wiki: Wiki, strict: bool) -> Iterator[Ask]:
    """One question for each page that may show a pattern; arguments as `leads.asks`. None for procedures: these tell runs."""
    pages = {subject.key: _lines(subject) for subject in views.chosen(wiki, strict) if subject.type != "procedure"}
    words = {one.id: pairs.content(_said(one.text)) for lines in pages.values() for one in lines}
    index = _index(wiki, pages, words)
    wanted, mains = _wanted(wiki, pages), _mains(wiki, pages)
    for key, lines in pages.items():
        subject = wiki.subjects[key]
        near = _near(subject, lines, words, index)
        if key in mains:
            near = tuple(one for one in wanted[subject.scope] if one.key != key)
        sources = {source for one in (*lines, *near) for source, _ in one.sessions}
        if not lines or len(sources) < SESSIONS:
            continue
        asked = Reflecting(subject.title, subject.type, lines, near)
        told = [part for one in asked.every for part in (one.id, str(one.holds), *(source for source, _ in one.sessions))]
        yield Ask(Step.REFLECTIONS, key, cold.basis(Step.REFLECTIONS, subject.title, *told), asked)


def _lines(subject: Subject) -> tuple[Seen, ...]:
    """What a page says, the last said of it, by id; nothing that was concluded itself, nor what never was so."""
    told = [one for one in subject.standings if not one.claim.rests and not any(_never(one))]
    told.sort(key=lambda one: (max(each.heard for each in one.claim.evidence), one.claim.id), reverse=True)
    return tuple(sorted((_seen(subject, one) for one in told[:_MOST]), key=lambda one: one.id))


_SAID = re.compile(r"“([^”]*)”")


def _said(text: str) -> str:
    """The words that a claim quotes, else its text."""
    return " ".join(_SAID.findall(text)) or text


def _wanted(wiki: Wiki, pages: Mapping[str, tuple[Seen, ...]]) -> Mapping[str, tuple[Seen, ...]]:
    """What people said is to be done or is preferred, by scope; the last said of it, by id."""
    found: dict[str, list[Seen]] = defaultdict(list)
    for key, lines in pages.items():
        wishes = (one for one in lines if one.person and one.holds)
        found[wiki.subjects[key].scope] += [one for one in wishes if one.kind == Kind.PROCEDURAL or one.stance in _WISHES]
    newest = {scope: sorted(told, key=lambda one: (one.sessions[-1][1], one.id))[-_TOGETHER:] for scope, told in found.items()}
    return defaultdict(tuple, {scope: tuple(sorted(told, key=lambda one: one.id)) for scope, told in newest.items()})


def _mains(wiki: Wiki, pages: Mapping[str, tuple[Seen, ...]]) -> frozenset[str]:
    """Of each scope the page of its project, else the one that most sessions tell of."""
    best: dict[str, tuple[bool, int, str]] = {}
    for key, lines in pages.items():
        subject = wiki.subjects[key]
        sessions = {source for one in lines for source, _ in one.sessions}
        rank = (subject.type == "project", len(sessions), key)
        best[subject.scope] = max(best.get(subject.scope, rank), rank)
    return frozenset(key for _, _, key in best.values())


def _never(standing: Standing) -> Iterator[bool]:
    return (isinstance(interval.ending, Retracted) for interval in standing.intervals)


def _seen(subject: Subject, standing: Standing) -> Seen:
    claim = standing.claim
    days: dict[str, str] = {}
    for one in sorted(claim.evidence, key=lambda one: one.day or "~"):
        days.setdefault(one.source, one.day)
    return Seen(
        id=claim.id,
        key=subject.key,
        title=subject.title,
        text=claim.text,
        attribute=claim.attribute,
        kind=claim.kind.value,
        stance=claim.stance.value,
        sessions=tuple(days.items()),
        person=any(one.speaker == "human" for one in claim.evidence),
        holds=claim.kind is Kind.EPISODIC or standing.current is not None,
    )


def _index(
    wiki: Wiki, pages: Mapping[str, tuple[Seen, ...]], words: Mapping[str, frozenset[str]]
) -> Mapping[tuple[str, str], list[Seen]]:
    """What people said, by scope and word."""
    found: dict[tuple[str, str], list[Seen]] = defaultdict(list)
    for key, lines in pages.items():
        for one in lines:
            if one.person and one.kind != Kind.EPISODIC.value:
                for word in words[one.id]:
                    found[wiki.subjects[key].scope, word].append(one)
    return found


def _near(
    subject: Subject,
    lines: tuple[Seen, ...],
    words: Mapping[str, frozenset[str]],
    index: Mapping[tuple[str, str], list[Seen]],
) -> tuple[Seen, ...]:
    """What other pages of the scope say in like words, the likest."""
    best: dict[str, tuple[float, Seen]] = {}
    for own in lines:
        if not own.person or own.kind == Kind.EPISODIC.value:
            continue
        counts: dict[str, int] = defaultdict(int)
        others: dict[str, Seen] = {}
        for word in words[own.id]:
            group = index.get((subject.scope, word), [])
            for other in group if len(group) <= _COMMON else ():
                if other.key != subject.key:
                    counts[other.id] += 1
                    others[other.id] = other
        for id, number in counts.items():
            like = number / min(len(words[own.id]), len(words[id]))
            if number >= _SHARED and like >= LIKE and like > best.get(id, (0.0,))[0]:
                best[id] = (like, others[id])
    ranked = sorted(best.values(), key=lambda found: (-found[0], found[1].id))[:_NEAR]
    return tuple(sorted((one for _, one in ranked), key=lambda one: one.id))
