"""Judging: what is asked about an answer that was given, by the protocol of its benchmark, and what needs no judge. Values.

The protocols are those of the benchmarks' authors: LoCoMo's overlap of words (F1) by category, and the lenient judge that
later papers use on it; LongMemEval's question by type; BEAM's rubric, nugget by nugget; PersonaMem's letter. The wording
of the prompts is our own.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from wikimem.core.evaluation.cases import Case, Sort


class Protocol(StrEnum):
    """What is held against what."""

    EXACT = "exact"
    """The answer must give what is expected, all of it (LongMemEval, most types)."""
    LENIENT = "lenient"
    """It must touch on what is expected; more words and other forms of a date do no harm (LoCoMo)."""
    TEMPORAL = "temporal"
    """As exact; a count of days, weeks or months may be off by one (LongMemEval)."""
    UPDATE = "update"
    """The newest value counts; that an older one is told as well does no harm (LongMemEval)."""
    PREFERENCE = "preference"
    """What is expected describes a good answer: the person's own circumstances are used rightly (LongMemEval)."""
    ABSTENTION = "abstention"
    """The answer must say that the question cannot be answered (LongMemEval)."""
    NUGGET = "nugget"
    """One criterion of a rubric, met, met in part, or not (BEAM)."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One answer that is to be judged.

    Args:
        protocol: how.
        question: as it was asked.
        expected: the expected answer, a description of it, or one criterion.
        given: the answer; of one that was withheld the words that say so.
    """

    protocol: Protocol
    question: str
    expected: str
    given: str


SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "score": {"type": "number", "enum": [0, 0.5, 1]}},
    "required": ["score"],
    "additionalProperties": False,
}

_LONGMEMEVAL = {
    "temporal-reasoning": Protocol.TEMPORAL,
    "knowledge-update": Protocol.UPDATE,
    "single-session-preference": Protocol.PREFERENCE,
}


def of(dataset: str, case: Case, given: str) -> tuple[Judged, ...]:
    """What a judge is asked about an answer; nothing where the letter that was chosen, or silence, decides.

    Args:
        dataset: the benchmark.
        case: the question.
        given: the answer.
    """
    if case.options or case.sort is Sort.OFFTOPIC:
        return ()
    if case.rubric:
        return tuple(Judged(Protocol.NUGGET, case.question, one, given) for one in case.rubric)
    if dataset == "longmemeval":
        absent = case.sort is Sort.ABSENT
        protocol = Protocol.ABSTENTION if absent else _LONGMEMEVAL.get(case.category, Protocol.EXACT)
        return (Judged(protocol, case.question, case.answer, given),)
    if case.sort is Sort.ABSENT or not case.answer:
        return ()
    protocol = Protocol.LENIENT if dataset == "locomo" else Protocol.EXACT
    return (Judged(protocol, case.question, case.answer, given),)


def read(content: Any) -> float:
    """The score of a reply, 0 to 1.

    Raises:
        ValueError: it has none.
    """
    score = content.get("score") if isinstance(content, Mapping) else None
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
        raise ValueError("the reply has no score from 0 to 1")
    return float(score)


_ARTICLES = re.compile(r"\b(?:a|an|the|and)\b")
_MARKS = str.maketrans("", "", string.punctuation)


def f1(case: Case, given: str, stem: Callable[[str], str]) -> float | None:
    """LoCoMo's overlap of words: the harmonic mean of precision and recall of stemmed words; None where nothing is expected.

    An answer of several parts (category `multi-hop`) is the mean, over the parts that are expected, of the best part
    given; of an `open-domain` one what stands before a semicolon is expected.
    """
    if case.sort is not Sort.ANSWERABLE or not case.answer:
        return None
    if case.category == "multi-hop":
        parts = [part.strip() for part in given.split(",")]
        wanted = [part.strip() for part in case.answer.split(",")]
        return sum(max(_overlap(one, part, stem) for part in parts) for one in wanted) / len(wanted)
    expected = case.answer.split(";")[0] if case.category == "open-domain" else case.answer
    return _overlap(expected, given, stem)


def _overlap(expected: str, given: str, stem: Callable[[str], str]) -> float:
    wanted, told = (Counter(map(stem, bare(text))) for text in (expected, given))
    same = sum((wanted & told).values())
    return 2 * same / (sum(wanted.values()) + sum(told.values())) if same else 0.0


def bare(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation and articles."""
    return _ARTICLES.sub(" ", text.casefold().translate(_MARKS)).split()
