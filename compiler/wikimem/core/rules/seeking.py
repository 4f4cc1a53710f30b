"""Seeking by rule: the steps of looking into a question without a model, each made from what was seen before.

First the question is put again with the names, files and identifiers that the cards brought up, and these are looked for
by the letter; then it is read around the best of what that gave; then the lines are named that are new, and
that a rare name leads to or that hold as much as the best card. The cards themselves stand in the quick answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from wikimem.core import shelving
from wikimem.core.inquiries import Do, Glimpse, Inquiry, Premise
from wikimem.core.words import STOP, split

LEADS = 3
"""Names and identifiers that are followed."""
RARE = 3
"""A name that stands in no more lines than this leads on to all of them."""
AROUND = 3
"""Lines that are read on each side of a line that was found."""
_CARDS = 8
NEW = 0.9
"""What a line that is new must hold, as a share of what the best card holds."""
MOST = 4
"""Lines that are named: each takes room from the quick answer."""
_QUOTE = 300
_LEAD = re.compile(
    r"`([^`\n]{3,60})`"
    r"|((?:[\w.-]+/)+[\w.-]+\w)"
    r"|\b([\w-]+\.(?:py|ts|tsx|js|go|rs|md|toml|yaml|yml|json|sh|sql|ex|exs|c|h|cpp|java|rb))\b"
    r"|\b([a-z]+(?:_[a-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+)\b"
    r"|(?<=[a-z,;:] )([A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})*)\b"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def step(inquiry: Inquiry) -> dict[str, Any]:
    """The reply to a step, in the form of `inquiries.SCHEMA`."""
    wanted = _wanted(inquiry.question)
    leads = _leads(inquiry)
    spans = _spans(inquiry, wanted, leads)
    rounds = len({one.look.do for one in inquiry.seen} & {Do.SEARCH, Do.READ})
    looks: list[dict[str, Any]] = []
    if inquiry.left > 1 and not inquiry.seen:
        looks = _again(wanted, leads)
    elif inquiry.left > 1 and rounds < 2:
        looks = _around(inquiry, wanted, leads)
    return {"reason": "by rule", "looks": looks, "spans": spans, "premise": Premise.UNKNOWN.value, "note": ""}


def _wanted(question: str) -> list[str]:
    return list(dict.fromkeys(word for word in split(question) if word not in STOP))


def _leads(inquiry: Inquiry) -> list[str]:
    """Names, files and identifiers that the best cards bring up and the question does not."""
    asked = inquiry.question.casefold()
    found: Counter[str] = Counter()
    for place, card in enumerate(inquiry.cards[:_CARDS], 1):
        for lead in dict.fromkeys(next(filter(None, match.groups())).strip() for match in _LEAD.finditer(card.line.text)):
            if 3 <= len(lead) <= 60 and lead.casefold() not in asked:
                found[lead] += 1 + _CARDS // place
    return [lead for lead, _ in sorted(found.items(), key=lambda one: (-one[1], one[0]))[:LEADS]]


def _again(wanted: Sequence[str], leads: Sequence[str]) -> list[dict[str, Any]]:
    looks = [{"do": Do.GREP.value, "pattern": re.escape(lead).replace("\\ ", " ")} for lead in leads]
    return [{"do": Do.SEARCH.value, "pattern": " ".join([*wanted, *leads[:2]])}, *looks]


def _around(inquiry: Inquiry, wanted: Sequence[str], leads: Sequence[str]) -> list[dict[str, Any]]:
    looks = []
    for one in sorted(_every(inquiry), key=lambda one: -_worth(one, wanted, leads))[:3]:
        line = shelving.number(one.line.at)
        if line and one.path.startswith("sources/"):
            looks.append({"do": Do.READ.value, "path": one.path, "first": max(1, line - AROUND), "last": line + AROUND})
    return looks


def _every(inquiry: Inquiry) -> list[Glimpse]:
    seen: dict[tuple[str, str], Glimpse] = {}
    for one in (*inquiry.cards, *(glimpse for each in inquiry.seen for glimpse in each.glimpses)):
        seen.setdefault((one.path, one.line.at), one)
    return list(seen.values())


def _worth(one: Glimpse, wanted: Iterable[str], leads: Iterable[str]) -> float:
    told = split(one.line.text[:4000])
    words = sum(any(word.startswith(each[: max(3, len(each) - 2)]) for word in told) for each in wanted)
    text = one.line.text.casefold()
    speech = (
        1.0 if one.line.speaker.startswith("human") or not one.line.speaker else 0.8 if one.line.speaker == "assistant" else 0.5
    )
    return speech * (words + 0.5 * sum(lead.casefold() in text for lead in leads)) / (1 + len(text) / 4000)


def _spans(inquiry: Inquiry, wanted: Sequence[str], leads: Sequence[str]) -> list[dict[str, Any]]:
    """The lines that only looking found: those that a rare name leads to, and those that hold about as much as the best card.

    The cards stand in the quick answer.
    """
    rare = {(one.path, one.line.at) for found in _followed(inquiry) if len(found) <= RARE for one in found}
    known = {(one.path, one.line.at) for one in inquiry.cards}
    enough = NEW * max((_worth(one, wanted, leads) for one in inquiry.cards), default=0.0)
    fresh = [one for one in _every(inquiry) if (one.path, one.line.at) not in known and one.path.startswith("sources/")]
    best = sorted(
        ((_worth(one, wanted, leads), one) for one in fresh), key=lambda pair: (-pair[0], pair[1].path, pair[1].line.at)
    )
    spans: list[dict[str, Any]] = []
    for worth, one in best:
        line = shelving.number(one.line.at)
        led = (one.path, one.line.at) in rare
        if line and worth > 0 and (led or worth >= enough) and len(spans) < MOST:
            spans.append({"path": one.path, "first": line, "last": line, "quote": _quote(one.line.text, wanted)})
    return spans


def _followed(inquiry: Inquiry) -> Iterator[list[Glimpse]]:
    """The lines of sources in which each name stands that was looked for; not of those that stand in too many."""
    for seen in inquiry.seen:
        if seen.look.do is Do.GREP and not seen.more:
            yield [one for one in seen.glimpses if one.path.startswith("sources/")]


def _quote(text: str, wanted: Iterable[str]) -> str:
    pieces = [piece.strip() for piece in _SENTENCE.split(text.strip("… ")) if piece.strip(" …")]
    told = list(wanted)

    def holds(piece: str) -> int:
        words = split(piece)
        return sum(any(word.startswith(each[: max(3, len(each) - 2)]) for word in words) for each in told)

    best = max(pieces, key=holds, default=text).strip("… ")
    return best if len(best) <= _QUOTE else best[:_QUOTE].rsplit(None, 1)[0]
