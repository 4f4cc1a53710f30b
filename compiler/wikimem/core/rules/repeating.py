"""Reflections by rule: what several sessions said again, a value that changed and changed, a failure that came back.

Sparse on purpose: each tells only that it happened more than once, when, and in which words. What it means is left to the reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from wikimem.core import pairs, texts
from wikimem.core.claims import Kind, Stance
from wikimem.core.consolidation.views import Reflecting, Seen
from wikimem.core.vocabulary import SHIPPED

_SHARED, _LIKE = 4, 0.5
_WISHES, _FACTS = 2, 3
"""Sessions, and days, in which a wish and a fact must have been told."""
_CHANGES = 3
_LONGEST = 160
_SURE, _MORE, _SUREST = 0.5, 0.1, 0.8
_SAID = re.compile(r"“([^”]*)”")
_DATED = re.compile(r"\[[^\]]*\d{4}[^\]]*\]|\b\d{4}-\d\d")
_NEGATION = re.compile(r"\b(?:not|never|no|none|without|cannot|\w+n['’]t|neither|nor|stop|avoid)\b", re.IGNORECASE)
_EMPTY = frozenset(
    texts.words(
        """just really very much more than rather about all any some want wants need needs should would could can let us use
        used i'm i've it's that's we're they're there here thing things get got make made know like think going been because
        into when what which who how only"""
    )
)


def reflect(asked: Reflecting) -> dict[str, Any]:
    """A reply to the task `reflect`."""
    return {"reflections": [*_again(asked), *_changing(asked), *_returned(asked)]}


def _again(asked: Reflecting) -> Iterator[dict[str, Any]]:
    """What a person said in several sessions; told on the page where it was said first."""
    lines = [one for one in asked.every if one.person and one.kind != Kind.EPISODIC.value and not _DATED.search(_core(one))]
    own = {one.id for one in asked.lines}
    words = {one.id: _words(one, asked.title) for one in lines}
    for group in _groups(lines, words):
        first = min(group, key=lambda one: (one.sessions[0][1] or "~", one.id))
        if first.id not in own or not any(one.holds for one in group):
            continue
        days = _days(group)
        wish = all(map(_is_wish, group))
        # Of a fact twice is no pattern; and in the same words, its footnote tells that already.
        if min(_number(group), len(days)) < (_WISHES if wish else _FACTS) or (len(group) == 1 and not wish):
            continue
        last = max((one for one in group if one.holds), key=lambda one: (one.sessions[-1][1], one.id))
        verb = "Asked for" if wish else "Came up"
        text = f"{verb} in {_number(group)} sessions, from {days[0]} to {days[-1]}: {_short(_core(last))}"
        against = [one for one in lines if one not in group and any(_contrary(one, other, words) for other in group)]
        yield _told(text, group, against)


def _groups(lines: Sequence[Seen], words: dict[str, frozenset[str]]) -> list[list[Seen]]:
    """Lines of like words, together; each line is in one group."""
    home = {one.id: one.id for one in lines}
    for one, other in combinations(lines, 2):
        if {source for source, _ in one.sessions} != {source for source, _ in other.sessions} and _alike(one, other, words):
            merged, kept = home[one.id], home[other.id]
            home = {id: kept if root == merged else root for id, root in home.items()}
    groups: dict[str, list[Seen]] = {}
    for one in lines:
        groups.setdefault(home[one.id], []).append(one)
    return [groups[root] for root in sorted(groups)]


def _alike(one: Seen, other: Seen, words: dict[str, frozenset[str]]) -> bool:
    return _near(one, other, words) and _denies(one) == _denies(other) and pairs.values(one.text) == pairs.values(other.text)


def _contrary(one: Seen, other: Seen, words: dict[str, frozenset[str]]) -> bool:
    return one.holds and _near(one, other, words) and _denies(one) != _denies(other)


def _near(one: Seen, other: Seen, words: dict[str, frozenset[str]]) -> bool:
    mine, theirs = words[one.id], words[other.id]
    shared = len(mine & theirs)
    # Of what differs in kind or attribute, one is no repetition of the other.
    same = one.attribute == other.attribute and one.kind == other.kind
    return same and shared >= _SHARED and shared >= _LIKE * min(len(mine), len(theirs))


def _denies(one: Seen) -> bool:
    return len(_NEGATION.findall(_core(one))) % 2 == 1


def _is_wish(one: Seen) -> bool:
    return one.kind == Kind.PROCEDURAL.value or one.stance == Stance.PREFERENCE.value


def _changing(asked: Reflecting) -> Iterator[dict[str, Any]]:
    """A value that was given at least three times, each time another one than before."""
    by_attribute: dict[str, list[Seen]] = {}
    for one in asked.lines:
        known = SHIPPED.find(one.attribute)
        if known is not None and SHIPPED.is_single(one.attribute) and one.kind != Kind.EPISODIC.value:
            by_attribute.setdefault(known.name, []).append(one)
    for name, group in sorted(by_attribute.items()):
        told = sorted((day, one.id) for one in group for _, day in one.sessions if day)
        values = [id for number, (_, id) in enumerate(told) if not number or told[number - 1][1] != id]
        now = [one for one in group if one.holds]
        if len(values) <= _CHANGES - 1 or len({source for one in group for source, _ in one.sessions}) < 2 or len(now) != 1:
            continue
        words = name.replace("-", " ")
        span = f"from {told[0][0]} to {told[-1][0]}"
        text = f"The {words} was given {len(values)} times, each time anew, {span}; now: {_short(_core(now[0]))}"
        yield _told(text, group, [])


def _returned(asked: Reflecting) -> Iterator[dict[str, Any]]:
    """A failure that was ended in one session and met again in a later one."""
    if asked.type != "gotcha":
        return
    group = [one for one in asked.lines if one.kind == Kind.EPISODIC.value]
    days = _days(group)
    if len({source for one in group for source, _ in one.sessions}) >= 2 and len(days) >= 2:
        yield _told(f"Came back: ended in {_number(group)} sessions, from {days[0]} to {days[-1]}.", group, [])


def _told(text: str, group: Iterable[Seen], against: Sequence[Seen]) -> dict[str, Any]:
    group = [*group]
    sure = min(_SUREST, _SURE + _MORE * (_number(group) - 2))
    days = _days(against)
    but = f"But otherwise{f' on {days[-1]}' if days else ''}: {_short(_core(against[0]))}" if against else ""
    return {
        "text": text,
        "claims": [one.id for one in group],
        "but": but,
        "against": [one.id for one in against],
        "stance": Stance.INFERENCE.value,
        "confidence": round(sure, 2),
    }


def _number(group: Iterable[Seen]) -> int:
    """In how many sessions it was said."""
    return len({source for one in group for source, _ in one.sessions})


def _days(group: Iterable[Seen]) -> list[str]:
    return sorted({day for one in group for _, day in one.sessions if day})


def _core(one: Seen) -> str:
    """What a claim says: the words that it quotes, else its text."""
    said = _SAID.search(one.text)
    return said[1] if said is not None else one.text


def _words(one: Seen, title: str) -> frozenset[str]:
    return pairs.content(_core(one)) - _EMPTY - pairs.content(title)


def _short(text: str) -> str:
    if len(text) > _LONGEST:
        cut = text[:_LONGEST].rsplit(" ", 1)[0].rstrip(" ,;:")
        # An open code span would take the rest of the line along.
        cut = cut if cut.count("`") % 2 == 0 else cut.rpartition("`")[0].rstrip()
        text = f"{cut} …"
    return f"“{text}”"
