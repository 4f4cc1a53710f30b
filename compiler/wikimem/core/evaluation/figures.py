"""Figures: what became of each question, and the means of that by category. None, never zero, where nothing was counted.

Recall at k is the share of a question's evidence among the first k answers; a claim counts as the turns that prove it, the
neighbours that are shown beside an answer count for nothing. Coverage is the share of the evidence that stands in the
assembled context of a budget, neighbours included. Off-topic and unanswerable questions have a figure of their own:
whether they got nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from wikimem.core.evaluation.cases import SUBJECT, Case, Sort, is_met, source_of

DEPTHS = (5, 10, 20)
BUDGETS = (500, 1000, 2000)

Figures = Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Context:
    """The context assembled for one budget.

    Args:
        keys: of all that stands in it, neighbours too.
        entries: the keys of each entry that is an answer of its own.
        tokens: of the rendered text, by the estimate of bundles.
    """

    keys: frozenset[str]
    entries: tuple[frozenset[str], ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Row:
    """One question, asked.

    Args:
        case: it.
        haystack: the part of the data set that it was asked of.
        found: the keys of each answer, best first.
        contexts: by budget.
        seconds: how long the search and the assembling of one context took.
    """

    case: Case
    haystack: str
    found: tuple[frozenset[str], ...]
    contexts: Mapping[int, Context]
    seconds: float


def recall(row: Row, depth: int) -> float | None:
    """The share of the evidence among the first answers."""
    wanted = row.case.evidence
    if not wanted or row.case.sort is not Sort.ANSWERABLE:
        return None
    seen = frozenset().union(*row.found[:depth]) if row.found else frozenset()
    return sum(is_met(one, seen) for one in wanted) / len(wanted)


def any_of(row: Row, depth: int) -> float | None:
    """Whether any of the evidence is among the first answers."""
    share = recall(row, depth)
    return None if share is None else float(share > 0)


def full(row: Row, depth: int) -> float | None:
    """Whether all of it is."""
    share = recall(row, depth)
    return None if share is None else float(share == 1)


def session_recall(row: Row, depth: int) -> float | None:
    """The share of the answering sessions among the first `depth` sessions that answers come from."""
    wanted = row.case.sessions
    if not wanted or row.case.sort is not Sort.ANSWERABLE:
        return None
    order: dict[str, None] = {}
    for keys in row.found:
        # A claim of several sessions names all of them; the smallest id first, as good as any.
        order |= dict.fromkeys(sorted(source for key in keys if (source := source_of(key))))
    first = list(order)[:depth]
    return sum(one in first for one in wanted) / len(wanted)


def session_full(row: Row, depth: int) -> float | None:
    """Whether all answering sessions are among the first."""
    share = session_recall(row, depth)
    return None if share is None else float(share == 1)


def reciprocal(row: Row) -> float | None:
    """One over the place of the first answer that is evidence; 0 if none is."""
    if not row.case.evidence or row.case.sort is not Sort.ANSWERABLE:
        return None
    for place, keys in enumerate(row.found, 1):
        if any(is_met(one, keys) for one in row.case.evidence):
            return 1 / place
    return 0.0


def coverage(row: Row, budget: int) -> float | None:
    """The share of the evidence that stands in the context."""
    wanted = row.case.evidence
    if not wanted or row.case.sort is not Sort.ANSWERABLE or budget not in row.contexts:
        return None
    return sum(is_met(one, row.contexts[budget].keys) for one in wanted) / len(wanted)


def precision(row: Row) -> float | None:
    """The share of the entries of the largest context, neighbours not counted, that are evidence."""
    if not row.case.evidence or row.case.sort is not Sort.ANSWERABLE or not row.contexts:
        return None
    entries = row.contexts[max(row.contexts)].entries
    good = sum(any(is_met(one, keys) for one in row.case.evidence) for keys in entries)
    return good / len(entries) if entries else None


def opposed(row: Row) -> float | None:
    """Of evidence that contradicts itself: whether all of it stands in the largest context."""
    share = coverage(row, max(row.contexts)) if row.case.opposed and row.contexts else None
    return None if share is None else float(share == 1)


def _silent(row: Row, sort: Sort) -> float | None:
    return float(not row.found) if row.case.sort is sort else None


def _at(measure: Callable[[Row, int], float | None], limit: int) -> Callable[[Row], float | None]:
    """A figure with its depth or budget."""
    return lambda row: measure(row, limit)


METRICS: Mapping[str, Callable[[Row], float | None]] = {
    **{f"recall@{depth}": _at(recall, depth) for depth in DEPTHS},
    "full_recall@10": lambda row: full(row, 10),
    **{f"any@{depth}": _at(any_of, depth) for depth in DEPTHS},
    "mrr": reciprocal,
    **{f"session_recall@{depth}": _at(session_recall, depth) for depth in DEPTHS},
    "session_full_recall@10": lambda row: session_full(row, 10),
    **{f"coverage@{budget}": _at(coverage, budget) for budget in BUDGETS},
    "precision": precision,
    "contradiction_coverage": opposed,
    "offtopic_silent": lambda row: _silent(row, Sort.OFFTOPIC),
    "absent_silent": lambda row: _silent(row, Sort.ABSENT),
    "answerable_silent": lambda row: _silent(row, Sort.ANSWERABLE),
}
"""Each figure of one question; the figure of many is the mean of those that are not None."""


def of(rows: Sequence[Row]) -> dict[str, float | None]:
    """The mean of each metric over some rows."""
    return {name: mean(metric(row) for row in rows) for name, metric in METRICS.items()}


def by_category(rows: Sequence[Row]) -> dict[str, dict[str, float | None]]:
    """The figures of `all`, then of each category in order of its name; each with `questions`."""
    groups: dict[str, list[Row]] = {"all": list(rows)}
    for row in sorted(rows, key=lambda one: one.case.category):
        groups.setdefault(row.case.category or "(none)", []).append(row)
    return {name: {"questions": float(len(group)), **of(group)} for name, group in groups.items()}


def of_row(row: Row) -> dict[str, float]:
    """The figures that one question has."""
    return {name: value for name, metric in METRICS.items() if (value := metric(row)) is not None}


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of those that are there; None if none is."""
    told = [value for value in values if value is not None]
    return sum(told) / len(told) if told else None


def percentile(values: Sequence[float], percent: int) -> float | None:
    """The smallest value that so many percent of them do not exceed; None of none."""
    if not values:
        return None
    return sorted(values)[max(ceil(len(values) * percent / 100) - 1, 0)]


def subject_key(name: str) -> str:
    """The key by which a subject's name, or its page, is compared."""
    return f"{SUBJECT}{' '.join(name.casefold().split())}"
