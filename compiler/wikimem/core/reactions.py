"""Reactions: what people said after a memory was recalled in their session, and whether it corrects what it told. By rules.

A person corrects a recall who objects, or says how it is now, within three of their own turns after it, in words that it
told. A correction of what the agent did, in other words than the recall's, is none. It misses what is put politely, and
what comes later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from wikimem.core import words
from wikimem.core.bundles import GUARD
from wikimem.core.rules import acts, sentences
from wikimem.core.screening import BLOCK, Screened
from wikimem.core.turns import Form, Speaker

TURNS = 3
"""How many of a person's turns after a recall may react to it."""
SHARED = 2
"""How many words of weight a correction shares with one line of what was recalled; one is enough if it holds a digit."""

_CHANGED = re.compile(
    r"\b(?:no longer|any ?more|not (?:true|right|correct|the case)|out ?dated|out of date|stale|obsolete|used to be|old "
    r"(?:info\w*|news|value|setting)|(?:has|have|was|were|got) (?:since )?(?:changed|replaced|renamed|moved|removed)|"
    r"we (?:have |'ve |since )*(?:changed|moved|switched|replaced|renamed|dropped)|actually|that'?s (?:wrong|old)|"
    r"it'?s (?:now|not)|mis(?:remember|led|leading)\w*)\b",
    re.IGNORECASE,
)
_GUARD = GUARD.split(".", 1)[0]
_QUOTED = re.compile(r"^\s*(?:>|- |Before:|Also:)", re.MULTILINE)
_SIGNED = re.compile(r"\d|\w[._/:-]\w")


@dataclass(frozen=True, slots=True)
class Correction:
    """A person's words that correct a recall: their place and sentence, and the place of what was recalled."""

    at: str
    words: str
    recalled_at: str


@dataclass(frozen=True, slots=True)
class Reactions:
    """What became of recalls in one session.

    Args:
        recalls: how many told something.
        corrections: the first of each of them that was corrected.
    """

    recalls: int
    corrections: tuple[Correction, ...]


def of(session: Screened) -> Reactions:
    """The reactions in a session."""
    # What a hook put into a prompt is the harness's turn where the format tells it apart, else a part of the person's.
    put = [(number, heard.turn.text) for number, heard in enumerate(session.heard) if heard.rule == "harness"]
    told = sorted((number, text) for number, text in (*session.recalled, *put) if _tells(session, number, text))
    found = (_correction(session, number, text) for number, text in told)
    return Reactions(len(told), tuple(one for one in found if one is not None))


def _tells(session: Screened, number: int, text: str) -> bool:
    """Whether it is the answer of a recall with something in it: what a tool of ours returned, or what a hook put in."""
    turn = session.heard[number].turn
    if turn.form is Form.CALL:
        return False
    return (_GUARD in text or f"<{BLOCK}" in text) and _QUOTED.search(text) is not None


def _correction(session: Screened, number: int, text: str) -> Correction | None:
    told = [_weighty(line) for line in text.splitlines()]
    here = session.heard[number].turn
    for at, said in _people(session, number):
        every = list(sentences.cut(said))
        for place, sentence in enumerate(every):
            if acts.asks(sentence.text) or not (acts.OBJECTS.search(acts.bare(sentence.text)) or _CHANGED.search(sentence.text)):
                continue
            # The objection itself may be short ("No, that's wrong."): what it is about may stand in the next sentence.
            meant = _weighty(" ".join(one.text for one in every[place : place + 2]))
            if any(_meets(meant & line) for line in told):
                return Correction(at, sentence.text, here.at)
    return None


def _meets(shared: frozenset[str]) -> bool:
    return len(shared) >= SHARED or any(_SIGNED.search(word) for word in shared)


def _people(session: Screened, number: int) -> Iterator[tuple[str, str]]:
    """Place and own words of the person's next turns after a number; of memory that a hook put into a prompt, later ones."""
    left = TURNS
    for heard in session.heard[number + 1 :]:
        if heard.turn.speaker is Speaker.HUMAN and heard.words.strip() and heard.turn.form is Form.PROSE:
            yield heard.turn.at, heard.words
            left -= 1
        if not left:
            return


def _weighty(text: str) -> frozenset[str]:
    found = set(words.split(text)) - words.STOP
    return frozenset(word for word in found if len(word) > 3 or _SIGNED.search(word) or not word.isascii())
