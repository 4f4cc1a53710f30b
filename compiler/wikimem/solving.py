"""Solving: what a recall found becomes numbered spots, and a model's answer from them a solution whose citations stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from wikimem.core import filed, queries, solutions, telling, words
from wikimem.core.bundles import Bundle
from wikimem.core.entries import ClaimEntry, Entry, ProseEntry
from wikimem.core.inquiries import shown
from wikimem.core.questions import Question, Reply, Task
from wikimem.core.shelving import Resolved
from wikimem.core.solutions import Asked, Solution, Spot
from wikimem.core.turns import Form
from wikimem.edges.index.schema import stem
from wikimem.edges.prompts import Prompts
from wikimem.errors import ModelFailed

_WIDE = 1200
"""Characters of a turn that are shown around words that were found in it."""

_PAST = re.compile(
    r"\b(?:was|were|did|had|used to|before|previous(?:ly)?|earlier|former(?:ly)?|original(?:ly)?|once|until|old|at first)\b",
    re.IGNORECASE,
)


def asked(question: str, bundle: Bundle, moments: str = "", options: Sequence[str] = (), spans: Sequence[Resolved] = ()) -> Asked:
    """A question with the evidence of a bundle.

    Args:
        question: any text.
        bundle: what was found for it; filed answers are left out.
        moments: the dates it is asked as of, in words.
        options: answers to choose from.
        spans: words that were found besides, the best first; they come before the bundle.
    """
    roots = frozenset(term.root for term in queries.parse(question, stem).terms if not term.dated)
    found = [entry for entry in bundle.entries if not _is_filed(entry)]
    sought = [one for one in spans if not _is_answer(one.cite)]
    spots = (
        *(_sought(number, one, roots) for number, one in enumerate(sought, 1)),
        *(_spot(number, entry, roots) for number, entry in enumerate(found, len(sought) + 1)),
    )
    spoken = {spot.name for spot in spots if spot.name}
    told = words.split(question)
    named = tuple(sorted(name for name in spoken if any(word in told for word in words.split(name))))
    past = bool(moments) or _PAST.search(question) is not None
    return Asked(question, moments, spots, tuple(options), named, past)


def solve(ask: Callable[[Question], Reply], prompts: Prompts, given: Asked, name: str) -> Solution:
    """The solution of a question; without any evidence nobody is asked.

    Args:
        ask: asks the model.
        prompts: words the question.
        given: the question with its evidence.
        name: the model's.

    Raises:
        ModelFailed: it gave no usable answer.
    """
    if not given.spots and not given.options:
        return solutions.NOTHING
    try:
        return solutions.read(ask(prompts.question(Task.ANSWER, given)).content, given)
    except ValueError as wrong:
        raise ModelFailed(name, str(wrong)) from None


def _is_filed(entry: Entry | ClaimEntry | ProseEntry) -> bool:
    match entry:
        case Entry(passage):
            return _is_answer(passage.source)
        case ClaimEntry(statement):
            return all(_is_answer(one.source) for one in statement.claim.evidence)
    return False


def _is_answer(cite: str) -> bool:
    return f"-{filed.FORMAT}-" in cite


def _sought(number: int, one: Resolved, roots: frozenset[str]) -> Spot:
    who, _, name = one.line.speaker.partition(" ")
    text = shown(one.line, one.words, _WIDE)
    human = who == "human"
    return Spot(number, number, one.cite, text, speaker=who, name=name * human, said=one.line.said, covers=_covers(roots, text))


def _spot(number: int, entry: Entry | ClaimEntry | ProseEntry, roots: frozenset[str]) -> Spot:
    match entry:
        case Entry(passage, text):
            return Spot(
                number,
                entry.rank,
                passage.cite,
                text,
                speaker=passage.speaker.value,
                name=passage.name if passage.speaker.value == "human" else "",
                said=passage.told or passage.said,
                covers=_covers(roots, text),
                beside=entry.context,
                act=passage.form is Form.CALL,
            )
        case ProseEntry(prose, text):
            return Spot(number, entry.rank, prose.cite, text, covers=_covers(roots, f"{prose.title} {text}"))
    return _claim(number, entry, roots)


def _claim(number: int, entry: ClaimEntry, roots: frozenset[str]) -> Spot:
    statement = entry.statement
    text = statement.claim.text
    now = next(((other.text, statement.cite) for other in statement.others), ("", "")) if not statement.current else ("", "")
    earlier = tuple(one.claim.text for one in entry.before)
    holding, ended = (now[0] if not statement.current else text), (text if not statement.current else " ".join(earlier))
    return Spot(
        number,
        entry.rank,
        statement.cite,
        text,
        entry.text,
        telling.ground(statement),
        "; ".join(word for word in (telling.dates(statement), telling.ending(statement)) if word),
        statement.first.speaker,
        statement.first.name,
        statement.first.zone.told(statement.first.said),
        statement.id,
        telling.state(statement),
        not statement.current,
        now,
        earlier,
        tuple(one.claim.text for one in entry.rivals),
        _covers(roots, " ".join((statement.about.title, *statement.about.aliases, text, entry.text))),
        bool(holding) and bool((_roots(ended) - _roots(holding)) & roots),
    )


def _covers(roots: frozenset[str], text: str) -> float:
    return len(roots & _roots(text)) / len(roots) if roots else 0.0


@lru_cache(maxsize=4096)
def _roots(text: str) -> frozenset[str]:
    return frozenset(map(stem, words.split(text[:20_000])))
