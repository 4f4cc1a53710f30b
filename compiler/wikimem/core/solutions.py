"""Solutions: the answer to a question from pieces of evidence, each statement of it cited. Not `answers`, which a search finds.

Whoever answers is given numbered spots and says which words of which of them prove the answer. Code holds each citation
against its spot; an answer of which none stands is no answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from wikimem.core import texts


class Verdict(StrEnum):
    """What memory says to a question: an answer, nothing, or that what it takes for granted is otherwise."""

    ANSWERED = "answered"
    ABSENT = "not-in-memory"
    OTHERWISE = "otherwise"


@dataclass(frozen=True, slots=True)
class Spot:
    """One piece of evidence.

    Args:
        number: from 1, as they are shown.
        rank: the place of the answer that it belongs to, from 1; the best comes first.
        cite: its citation: `source:L12`, or `page:L12`.
        text: what it says: a claim's sentence, or the words of a turn or a page.
        proof: of a claim, the words that prove it; else empty.
        stance: of a claim; empty for a turn or a page.
        holds: of a claim, when it holds, in words; may be empty.
        speaker, name, said: of the turn, or of the claim's first evidence; may be empty. `said` as `Zone.told`.
        claim: a claim's id; else empty.
        state: of a claim, as `telling.state` has it; else empty.
        ended: whether the claim has ended, or never was so.
        instead: what holds in the place of a claim that has ended: text and citation; else empty.
        earlier: claims that this one ended, a text each.
        rivals: claims that it is in conflict with, a text each.
        covers: the share of the question's words that it holds, 0 to 1.
        outdated: whether the question has words that only a claim has that has ended, and not the one that holds now.
        beside: whether it only stands beside what was found.
        act: whether it is what an agent called a tool with.
    """

    number: int
    rank: int
    cite: str
    text: str
    proof: str = ""
    stance: str = ""
    holds: str = ""
    speaker: str = ""
    name: str = ""
    said: str = ""
    claim: str = ""
    state: str = ""
    ended: bool = False
    instead: tuple[str, str] = ("", "")
    earlier: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    covers: float = 0.0
    outdated: bool = False
    beside: bool = False
    act: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the evidence that was found for it.

    Args:
        question: as it was asked.
        moments: the dates it is asked as of, in words; empty for now.
        spots: numbered from 1.
        options: the answers to choose from, each with its letter; empty for an open question.
        named: the people who speak in what memory holds and whom the question names.
        past: whether it asks for what was, so that what has ended may answer.
    """

    question: str
    moments: str
    spots: tuple[Spot, ...]
    options: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    past: bool = False


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation that stands: the spot, and its own words."""

    spot: Spot
    words: str


@dataclass(frozen=True, slots=True)
class Solution:
    """An answer, checked.

    Args:
        verdict: see `Verdict`.
        text: the answer in one or few sentences; what memory says instead, where it is otherwise; empty for none.
        short: the answer alone, in as few words as it has; may be empty.
        citations: what it rests on; none without an answer.
        choice: the option that was chosen; empty for an open question.
        dropped: citations that do not stand, a clause each.
    """

    verdict: Verdict
    text: str = ""
    short: str = ""
    citations: tuple[Cited, ...] = ()
    choice: str = ""
    dropped: tuple[str, ...] = ()


NOTHING = Solution(Verdict.ABSENT)

CITATIONS = 8
_TEXT = {"type": "string"}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "reason": _TEXT,
        "verdict": {"type": "string", "enum": [verdict.value for verdict in Verdict]},
        "answer": _TEXT,
        "short": _TEXT,
        "citations": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"spot": {"type": "integer", "minimum": 1}, "quote": _TEXT},
                "required": ["spot", "quote"],
                "additionalProperties": False,
            },
        },
        "choice": _TEXT,
    },
    "required": ["verdict", "answer", "citations"],
    "additionalProperties": False,
}


def read(content: Any, asked: Asked) -> Solution:
    """The solution that a reply tells, with only the citations that stand.

    Raises:
        ValueError: the reply as a whole is not of this form; the text is one clause.
    """
    if not isinstance(content, Mapping) or content.get("verdict") not in [verdict.value for verdict in Verdict]:
        raise ValueError("the reply has no verdict that is known")
    verdict = Verdict(content["verdict"])
    answer, short, choice = (_line(content.get(name)) for name in ("answer", "short", "choice"))
    if verdict is Verdict.ABSENT:
        return Solution(verdict, choice=choice)
    told = content.get("citations")
    cited: list[Cited] = []
    dropped: list[str] = []
    for one in (told if isinstance(told, list) else [])[:CITATIONS]:
        found = _cited(one, asked)
        if isinstance(found, str):
            dropped.append(found)
        elif found not in cited:
            cited.append(found)
    if not cited or not answer:
        reason = "no citation stands, so it is not given as an answer" if answer else "no answer was given"
        return Solution(Verdict.ABSENT, choice=choice, dropped=(*dropped, reason))
    return Solution(verdict, answer, short or answer, tuple(cited), choice, tuple(dropped))


def _line(told: Any) -> str:
    return texts.normal(told)[:2000] if isinstance(told, str) else ""


def _cited(told: Any, asked: Asked) -> Cited | str:
    """A citation of a reply, or why it does not stand."""
    if not isinstance(told, Mapping) or not isinstance(told.get("quote"), str):
        return "a citation is not of the form that was asked for"
    number = told.get("spot")
    spot = next((one for one in asked.spots if one.number == number), None)
    if spot is None:
        return f"there is no spot {number!r}"
    for text in (spot.text, spot.proof, spot.instead[0], *spot.earlier, *spot.rivals):
        place = texts.find(told["quote"], text) if text else None
        if place is not None:
            return Cited(spot, text[slice(*place)])
    return f"{told['quote'][:60]!r} does not stand in spot {number}"
