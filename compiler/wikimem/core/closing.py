"""Opening and closing: what of a session's words says what was asked, and how it ended. Not what was claimed.

A person may begin with a number or a greeting, or paste a plan; an agent announces each step, and its helpers end with reports
of their own. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from wikimem.core import texts
from wikimem.core.turns import Form, Speaker, Turn

FEW = 8
"""Turns of persons among which what was asked for is looked for; and of an agent, from the last, for how it ended."""
_READ = 2000
"""Characters of a turn that are looked at."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_PLAN = re.compile(r"(?i)\s*implement (?:the following|this) plan:?\s+#{1,6}\s+(?:plan:?\s+)?(?P<title>\S[^\n]*)")
_MARKS = re.compile(r"(?m)^[ \t]{0,3}(?:#{1,6}[ \t]+|```\w*[ \t]*$|-{3,}[ \t]*$)|\*\*")
_ANNOUNCES = re.compile(r"(?i)\b(?:let me|let's|i'll|i will|i'm going to|i need to|now (?:add|run|let|i)|next,? (?:i|let))\b")


def asked(said: Iterable[str]) -> str:
    """The first words of a person that say something, plain; of a pasted plan its title; else the first; empty for none.

    Args:
        said: what people said, in order.
    """
    first = list(said)[:FEW]
    words = next((one for one in first if len(_WORD.findall(one[:_READ])) >= 3), first[0] if first else "")
    plan = _PLAN.match(words[:_READ])
    return f"Implement the plan “{plain(plan['title'])}”" if plan else plain(words)


def ended(said: Sequence[tuple[Turn, str]]) -> tuple[Turn, str] | None:
    """The last words of the session's own agent that are no announcement of a next step; None if there are none.

    Args:
        said: turns with what of them counts, in order.
    """
    own = [
        (turn, words)
        for turn, words in said
        if turn.speaker is Speaker.ASSISTANT and turn.form is Form.PROSE and "/" not in turn.at and words.strip()
    ]
    for turn, words in reversed(own[-FEW:]):
        told = plain(words)
        if told and not told.endswith(":") and not _ANNOUNCES.search(told[-160:]):
            return turn, told
    return None


def plain(words: str) -> str:
    """Words on one line, without the marks of headings, fences and strong type."""
    return texts.normal(_MARKS.sub("", words[:_READ]))
