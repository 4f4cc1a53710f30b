"""Marks: what became of each question that was answered, and the figures of many. It asks nobody.

Abstention is counted apart: accuracy is of questions that memory can answer, `abstained` of those it cannot. None, never
zero, where nothing was counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wikimem.core.evaluation.cases import Case, Sort
from wikimem.core.evaluation.figures import mean, percentile
from wikimem.core.solutions import Solution, Verdict

SILENT = "Not in memory."
OTHERWISE = "The memory says otherwise: "


@dataclass(frozen=True, slots=True)
class Mark:
    """One question, answered and marked.

    Args:
        case: it.
        haystack: the part of the data set that it was asked of.
        solution: the answer; None where its reply is awaited, or there is none.
        score: by the judge, the letter or the rubric, 0 to 1; None if it was not judged.
        f1: overlap of words with what is expected; None where nothing is.
        context: tokens of the evidence, by the estimate of bundles.
        read, wrote: tokens of the answer's reply.
        judge_read, judge_wrote: of the judge's replies.
        seconds: of search, bundle and answer; a reply that was kept takes none.
        waiting: packets whose replies are awaited.
        problem: why there is no answer, or no judgement; empty if there is.
    """

    case: Case
    haystack: str
    solution: Solution | None
    score: float | None = None
    f1: float | None = None
    context: int = 0
    read: int = 0
    wrote: int = 0
    judge_read: int = 0
    judge_wrote: int = 0
    seconds: float = 0.0
    waiting: int = 0
    problem: str = ""

    @property
    def silent(self) -> bool | None:
        """Whether it was answered with nothing, or with a contradiction; None if it was not answered at all."""
        return None if self.solution is None else self.solution.verdict is not Verdict.ANSWERED


def said(solution: Solution) -> str:
    """An answer as a judge reads it."""
    if solution.verdict is Verdict.ABSENT:
        return SILENT
    return f"{OTHERWISE if solution.verdict is Verdict.OTHERWISE else ''}{solution.text}"


_LETTER = re.compile(r"[a-z]", re.IGNORECASE)


def chosen(case: Case, solution: Solution) -> float | None:
    """Whether the right option was chosen; None of an open question."""
    if not case.options:
        return None
    letters = [_LETTER.search(text) for text in (case.answer, solution.choice)]
    first, second = (match[0].casefold() if match else "" for match in letters)
    return float(bool(first) and first == second)


def _of(mark: Mark, sorts: Sequence[Sort], value: float | bool | None) -> float | None:
    return None if value is None or mark.case.sort not in sorts else float(value)


_ANSWERABLE = (Sort.ANSWERABLE,)
_NOT = (Sort.ABSENT, Sort.OFFTOPIC)

METRICS: Mapping[str, Callable[[Mark], float | None]] = {
    "accuracy": lambda mark: _of(mark, _ANSWERABLE, mark.score),
    "f1": lambda mark: _of(mark, _ANSWERABLE, mark.f1),
    "lost": lambda mark: _of(mark, _ANSWERABLE, mark.silent),
    "abstained": lambda mark: _of(mark, _NOT, mark.silent),
    "abstention_judged": lambda mark: _of(mark, _NOT, mark.score),
    "citations": lambda mark: None if mark.silent is not False or mark.solution is None else float(len(mark.solution.citations)),
    "citations_dropped": lambda mark: None if mark.solution is None else float(len(mark.solution.dropped)),
}
"""Each figure of one question; the figure of many is the mean of those that are not None."""


def by_category(marks: Sequence[Mark]) -> dict[str, dict[str, float | None]]:
    """The figures of `all`, then of each category in order of its name; each with `questions`."""
    groups: dict[str, list[Mark]] = {"all": list(marks)}
    for mark in sorted(marks, key=lambda one: one.case.category):
        groups.setdefault(mark.case.category or "(none)", []).append(mark)
    return {
        name: {"questions": float(len(group)), **{key: mean(metric(one) for one in group) for key, metric in METRICS.items()}}
        for name, group in groups.items()
    }


def costs(marks: Iterable[Mark]) -> dict[str, float | None]:
    """Tokens in all, tokens of evidence a question, milliseconds."""
    every = list(marks)
    times = [mark.seconds * 1000 for mark in every if mark.solution is not None]
    return {
        "tokens_in": float(sum(mark.read for mark in every)),
        "tokens_out": float(sum(mark.wrote for mark in every)),
        "judge_tokens_in": float(sum(mark.judge_read for mark in every)),
        "judge_tokens_out": float(sum(mark.judge_wrote for mark in every)),
        "context_tokens": mean(float(mark.context) for mark in every),
        "p50_ms": percentile(times, 50),
        "p95_ms": percentile(times, 95),
    }


def as_json(mark: Mark) -> dict[str, Any]:
    """A mark as plain values; the shape is stable."""
    solution = mark.solution
    return {
        "haystack": mark.haystack,
        "id": mark.case.id,
        "category": mark.case.category,
        "sort": mark.case.sort.value,
        "question": mark.case.question,
        "expected": mark.case.answer,
        "verdict": solution.verdict.value if solution else "",
        "answer": solution.text if solution else "",
        "short": solution.short if solution else "",
        "choice": solution.choice if solution else "",
        "citations": [one.spot.cite for one in solution.citations] if solution else [],
        "dropped": list(solution.dropped) if solution else [],
        "score": mark.score,
        "f1": mark.f1,
        "context_tokens": mark.context,
        "tokens_in": mark.read,
        "tokens_out": mark.wrote,
        "ms": round(mark.seconds * 1000, 3),
        "waiting": mark.waiting,
        "problem": mark.problem,
    }
