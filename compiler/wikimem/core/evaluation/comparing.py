"""Two reports of one data set, side by side: what became better or worse, by how much, and for how many questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb
from typing import Any

_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Change:
    """One figure of one category.

    Args:
        category, metric: which.
        before, after: None where nothing was counted.
        better, worse: for how many questions that both reports asked the figure rose and fell.
        chance: how probable such a split (or a more uneven one) were by chance, by the sign test; None where none changed.
    """

    category: str
    metric: str
    before: float | None
    after: float | None
    better: int
    worse: int
    chance: float | None


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Change, ...]:
    """The figures that differ, by category and metric.

    Args:
        before, after: reports of `wikimem eval --json`.
    """
    rows = [{(row["haystack"], row["id"]): row for row in report["questions"]} for report in (before, after)]
    shared = [key for key in rows[0] if key in rows[1]]
    found = []
    for category in dict.fromkeys([*before["figures"], *after["figures"]]):
        old, new = before["figures"].get(category, {}), after["figures"].get(category, {})
        for metric in dict.fromkeys([*old, *new]):
            first, second = old.get(metric), new.get(metric)
            pairs = [
                (rows[0][key]["figures"].get(metric), rows[1][key]["figures"].get(metric))
                for key in shared
                if category in ("all", rows[0][key]["category"] or "(none)")
            ]
            told = [(a, b) for a, b in pairs if a is not None and b is not None]
            better = sum(b > a + _SAME for a, b in told)
            worse = sum(b < a - _SAME for a, b in told)
            if first != second or better or worse:
                found.append(Change(category, metric, first, second, better, worse, _chance(better, worse)))
    return tuple(found)


def differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, ...]:
    """What else differs between two runs, so that a reader knows what is compared: a sentence each."""
    told = []
    for key in ("dataset", "sha256", "version", "model", "ablate", "constants"):
        first, second = before["run"].get(key), after["run"].get(key)
        if first == second:
            continue
        if isinstance(first, dict) and isinstance(second, dict):
            names = sorted({*first, *second})
            told += [f"{name}: {first.get(name)} and {second.get(name)}" for name in names if first.get(name) != second.get(name)]
        else:
            told.append(f"{key}: {first or 'none'} and {second or 'none'}")
    return tuple(told)


def _chance(better: int, worse: int) -> float | None:
    """Two-sided sign test."""
    count = better + worse
    if not count:
        return None
    tail = sum(comb(count, number) for number in range(min(better, worse) + 1))
    return min(1.0, float(2 * tail / 2**count))
