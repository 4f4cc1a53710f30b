"""Answers by rule: the words of the spots that hold most of the question, quoted, with their days; never a word of its own.

It cannot reckon, count or put two things together: it shows what was said, or says that memory does not tell. Two false
premises it does see: a value that has ended since, and somebody else's words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from wikimem.core import succession
from wikimem.core.solutions import Asked, Spot, Verdict
from wikimem.core.words import STOP, split

FLOOR = 0.3
"""The share of the question's words that the best spot must hold."""
NEAR = 0.75
"""The share of what the best spot holds that another must hold to be told as well."""
OTHERS = 0.7
"""The share of what somebody else's best words hold, below which those of the person who is named are no answer."""
_STATED = 0.15
"""What a claim that holds is ahead of words that were said: it was checked, and what it ended is known."""
MOST = 3
"""Spots that are told."""
_QUOTE = 200
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def answer(asked: Asked) -> dict[str, Any]:
    """The reply to a question with its spots, in the form of `solutions.SCHEMA`."""
    if asked.options:
        return _chosen(asked)
    able = [spot for spot in asked.spots if not spot.beside and _can_answer(asked, spot)]
    ranked = sorted(able, key=lambda spot: (-_worth(asked, spot), spot.rank))
    best = ranked[0] if ranked else None
    if best is None or best.covers < FLOOR:
        return {"reason": "nothing holds enough of the question", "verdict": Verdict.ABSENT.value, "answer": "", "citations": []}
    if best.outdated and not asked.past:
        now = best.instead[0] if best.ended else best.text
        return _reply(asked, Verdict.OTHERWISE, [best], now, [(best, now)], "a value that has ended since")
    own = _named(asked, ranked)
    if own is not None and not own:
        told = f"{best.name} said: {_told(asked, best)}"
        return _reply(asked, Verdict.OTHERWISE, [best], told, [(best, _quote(asked, best))], "somebody else said it")
    near = [spot for spot in own or ranked if spot.covers >= NEAR * (own or ranked)[0].covers][:MOST]
    told = " ".join(_told(asked, spot) for spot in near)
    return _reply(asked, Verdict.ANSWERED, near, told, [(spot, _quote(asked, spot)) for spot in near], "these hold most of it")


def _can_answer(asked: Asked, spot: Spot) -> bool:
    """Whether a spot could be an answer: no call of a tool, no question, and no value that a claim among the spots has ended."""
    if spot.stance:
        return True
    if spot.act or _quote(asked, spot).endswith("?"):
        return False
    said = set(split(spot.text))
    ends = (succession.ended(old, one.text) for one in asked.spots if one.stance and not one.ended for old in one.earlier)
    return asked.past or not any(value and value <= said for value in ends)


def _worth(asked: Asked, spot: Spot) -> float:
    """What an answer a spot makes: how much of the question it holds, and of a turn the sentence that would be quoted.

    Claims that hold come first among those that hold as much.
    """
    wanted = _wanted(asked)
    held = spot.covers
    if not spot.stance and wanted:
        held = (held + _holds(wanted, _quote(asked, spot)) / len(wanted)) / 2
    return held + (_STATED if spot.stance and not spot.ended else 0) + 0.3 / spot.rank


def _named(asked: Asked, ranked: Sequence[Spot]) -> list[Spot] | None:
    """What the person said whom the question names, or what is claimed of them.

    Empty if somebody else's words hold far more of the question; None if it names nobody, or several. A name in a turn of
    somebody else is mostly an address, so it does not count.
    """
    if len(asked.named) != 1:
        return None
    name = asked.named[0]
    own = [spot for spot in ranked if spot.name == name or not spot.name or (spot.stance and name.split()[0] in spot.text)]
    best = max((spot.covers for spot in own), default=0.0)
    others = max((spot.covers for spot in ranked if spot not in own), default=0.0)
    return [] if ranked[0] not in own and best < OTHERS * others else own


def _told(asked: Asked, spot: Spot) -> str:
    """A spot in words: a claim as it stands, a turn quoted with who said it and when."""
    if spot.stance:
        holds = f" ({spot.holds})" if spot.holds else ""
        told = f"{spot.text}{holds}" if spot.text.endswith("”") else f"{spot.text.rstrip('.')}{holds}."
        return f"{told} Before: {' '.join(spot.earlier)}" if asked.past and spot.earlier else told
    who = spot.name or {"human": "a person", "assistant": "the assistant", "tool": "a tool"}.get(spot.speaker, "a page")
    day = f" on {spot.said[:10]}" if spot.said else ""
    return f"{who[0].upper()}{who[1:]}{day}: “{_quote(asked, spot)}”"


def _quote(asked: Asked, spot: Spot) -> str:
    """The sentence of a spot that holds most of the question's words, with its neighbours while they fit; its own words."""
    if spot.stance and not spot.proof:
        return spot.text
    text = (spot.proof if spot.stance else spot.text).strip("… ")
    pieces = [piece.strip() for piece in _SENTENCE.split(text) if piece.strip()]
    if not pieces:
        return spot.text
    wanted = _wanted(asked) | ({word for word in split(spot.text) if word not in STOP} if spot.stance else set())
    best = max(range(len(pieces)), key=lambda number: (_holds(wanted, pieces[number]), pieces[number][-1] != "?", -number))
    piece = pieces[best]
    return piece if len(piece) <= _QUOTE else _cut(piece)


def _wanted(asked: Asked) -> set[str]:
    return {word for word in split(asked.question) if word not in STOP}


def _cut(piece: str) -> str:
    return piece[:_QUOTE].rsplit(None, 1)[0] if " " in piece[:_QUOTE] else piece[:_QUOTE]


def _holds(wanted: set[str], text: str) -> int:
    """How many words a text holds, by their beginnings."""
    told = split(text)
    return sum(any(word.startswith(one[: max(3, len(one) - 2)]) for word in told) for one in wanted)


def _reply(
    asked: Asked, verdict: Verdict, spots: Sequence[Spot], told: str, quotes: Sequence[tuple[Spot, str]], reason: str
) -> dict[str, Any]:
    first = spots[0]
    return {
        "reason": reason,
        "verdict": verdict.value,
        "answer": told,
        "short": first.text if first.stance else quotes[0][1],
        "citations": [{"spot": spot.number, "quote": quote} for spot, quote in quotes],
    }


def _chosen(asked: Asked) -> dict[str, Any]:
    """The option that shares most words with the spots that come first; options all have those of the question."""
    known = {word for spot in sorted(asked.spots, key=lambda spot: spot.rank)[:10] for word in split(spot.text)} - STOP
    common = set.intersection(*(set(split(option)) for option in asked.options))

    def share(option: str) -> float:
        own = set(split(option)) - STOP - common
        return len(own & known) / len(own) if own else 0.0

    best = max(asked.options, key=share)
    spots = [spot for spot in asked.spots if not spot.beside][:1]
    return {
        "reason": "it shares most words with what was said",
        "verdict": (Verdict.ANSWERED if spots else Verdict.ABSENT).value,
        "answer": best,
        "short": best,
        "citations": [{"spot": spot.number, "quote": _quote(asked, spot)} for spot in spots],
        "choice": best.strip()[:3],
    }
