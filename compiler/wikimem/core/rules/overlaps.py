"""Overlaps: two statements on the same words of a turn become one, and a person who is named has one page. Not a judgement.

Rules read the same turns by different signs, so one sentence may fit several. What a rule knows best stays: a decision before
a rule, somebody's life before a topic, a topic before the person who spoke.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from wikimem.core import texts
from wikimem.core.claims import Kind
from wikimem.core.rules.names import Name
from wikimem.core.rules.statements import Statement
from wikimem.core.views import View

_SHARE = 0.6
"""Of the shorter quote's words, from which two quotes of one turn are the same."""


def once(found: Iterable[Statement]) -> list[Statement]:
    """The statements without those that only repeat what a better one quotes, in their order."""
    every = list(found)
    dropped: set[int] = set()
    for number, one in enumerate(every):
        for other in range(number):
            if other in dropped or number in dropped or not _same(one, every[other]):
                continue
            dropped.add(number if _rank(every[other]) <= _rank(one) else other)
    return [one for number, one in enumerate(every) if number not in dropped]


_QUOTING = frozenset({"chat", "standing", "rejected", "decision", "meeting"})


def _same(one: Statement, other: Statement) -> bool:
    if one.rule not in _QUOTING or other.rule not in _QUOTING:
        return False
    mine, theirs = one.words[0], other.words[0]
    if mine.at != theirs.at:
        return False
    if mine.words in theirs.words or theirs.words in mine.words:
        return True
    ours, yours = set(texts.words(mine.words)), set(texts.words(theirs.words))
    return len(ours & yours) >= _SHARE * min(len(ours), len(yours)) > 0


def _rank(one: Statement) -> int:
    """The best first."""
    if one.rule in ("rejected", "decision"):
        return 0
    if one.rule == "chat":
        about_speaker = one.about.type == "person" and one.kind is not Kind.EPISODIC
        return 3 if about_speaker and not _is_other(one) else 1
    return 2


def _is_other(one: Statement) -> bool:
    """Whether it is filed under somebody who did not say it."""
    return not one.text.startswith(one.about.name) and one.about.name != "User"


def peopled(found: Iterable[Statement], view: View) -> list[Statement]:
    """The statements with each person that one of them is about, or who speaks, as a person in all of them."""
    every = list(found)
    known = {one.turn.name for one in view.spoken if one.is_person and one.turn.name}
    known |= {one.about.name for one in every if one.about.type == "person"}
    return [
        replace(one, about=Name("person", one.about.name, "")) if one.about.type == "topic" and one.about.name in known else one
        for one in every
    ]
