"""Succession: of what was found, what has been superseded never comes before what superseded it. Pure; it drops nothing.

A turn may tell an old value long after it changed: an agent that read an old page, a person who did not know. Where the
claims that were found say what holds now instead, they come first, so that no short answer ends before it is corrected.
"""

from __future__ import annotations

from collections.abc import Sequence

from wikimem.core import words
from wikimem.core.answers import Answer, Told
from wikimem.core.passages import Hit
from wikimem.core.statements import Statement

_MOST = 3
"""Words in which a value may differ from the one that ended it: where more do, it is no other value but another statement."""


def corrected(answers: Sequence[Answer]) -> tuple[Answer, ...]:
    """The answers, each claim that holds moved before the first turn that still tells what it ended.

    Args:
        answers: best first.
    """
    found = list(answers)
    for told in [one for one in found if isinstance(one, Told) and one.before and one.first.current]:
        place = found.index(told)
        values = [value for one in told.before if (value := ended(one.claim.text, told.first.claim.text))]
        first = next(
            (at for at, one in enumerate(found[:place]) if isinstance(one, Hit) and _tells(one, values, told.first)), place
        )
        found.insert(first, found.pop(place))
    return tuple(found)


def ended(old: str, new: str) -> frozenset[str]:
    """The words of an ended value that the one that holds does not have; none where the two differ in more than a value."""
    before, now = frozenset(words.split(old)) - words.STOP, frozenset(words.split(new)) - words.STOP
    value = before - now
    return value if 0 < len(value) <= _MOST and before & now else frozenset()


def _tells(hit: Hit, values: Sequence[frozenset[str]], holds: Statement) -> bool:
    """Whether a turn tells an ended value, and of the same matter."""
    said = set(words.split(hit.passage.text))
    matter = set(words.split(f"{holds.about.title} {holds.claim.text}")) - words.STOP
    return any(value <= said and bool((matter - value) & said) for value in values)
