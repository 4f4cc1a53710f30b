"""Gates: limits that the figures of a memory must keep, so that a change that makes it worse does not pass unseen.

[[gate]]
metric = "recall@10"          # or "CATEGORY/recall@10", "compile/claims_per_turn", "cost/p95_ms", "use/misled"
limit = 0.8
kind = "floor"                # the default; or "ceiling"
action = "fail"               # the default; or "warn"
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from wikimem.errors import Problem

_KEYS = {"metric", "limit", "kind", "action"}


@dataclass(frozen=True, slots=True)
class Gate:
    """One limit: `metric` must not be below a floor, or above a ceiling; else the run fails, or only warns."""

    metric: str
    limit: float
    kind: Literal["floor", "ceiling"] = "floor"
    action: Literal["fail", "warn"] = "fail"


@dataclass(frozen=True, slots=True)
class Checked:
    """A gate and the figure it was held against; None where nothing was counted, which keeps no limit."""

    gate: Gate
    value: float | None

    @property
    def kept(self) -> bool:
        """Whether the limit is kept."""
        if self.value is None:
            return False
        return self.value >= self.gate.limit if self.gate.kind == "floor" else self.value <= self.gate.limit

    @property
    def fails(self) -> bool:
        """Whether the run fails by it."""
        return not self.kept and self.gate.action == "fail"

    def as_json(self) -> dict[str, Any]:
        """Gate, value and verdict as plain values."""
        gate = self.gate
        told = {"metric": gate.metric, "limit": gate.limit, "kind": gate.kind, "action": gate.action}
        return {**told, "value": self.value, "kept": self.kept}


def read(told: Mapping[str, Any], where: str) -> tuple[tuple[Gate, ...], tuple[Problem, ...]]:
    """The gates of a file.

    Args:
        told: as TOML gave it.
        where: its path, for problems.
    """
    gates: list[Gate] = []
    problems = [Problem(where, "gate", f"{key} is no key; only [[gate]] is known") for key in sorted(told.keys() - {"gate"})]
    tables = told.get("gate", [])
    if not isinstance(tables, list):
        return (), (Problem(where, "gate", "write each gate as [[gate]], in two pairs of brackets"),)
    for number, table in enumerate(tables, 1):
        wrong = _wrong(table)
        if wrong:
            problems.append(Problem(f"{where}: gate {number}", "gate", wrong))
        else:
            gates.append(Gate(table["metric"], float(table["limit"]), table.get("kind", "floor"), table.get("action", "fail")))
    return tuple(gates), tuple(problems)


def _wrong(table: object) -> str:
    if not isinstance(table, dict):
        return "it is no table"
    if strange := table.keys() - _KEYS:
        return f"{min(strange)} is no key; known are {', '.join(sorted(_KEYS))}"
    limit = table.get("limit")
    if not isinstance(table.get("metric"), str) or isinstance(limit, bool) or not isinstance(limit, int | float):
        return "it needs a metric (text) and a limit (a number)"
    if table.get("kind", "floor") not in ("floor", "ceiling"):
        return "kind can be floor or ceiling"
    return "" if table.get("action", "fail") in ("fail", "warn") else "action can be fail or warn"


def check(gates: Sequence[Gate], figures: Mapping[str, float | None]) -> tuple[tuple[Checked, ...], tuple[Problem, ...]]:
    """Each gate with its figure, and a problem for each whose metric is none.

    Args:
        gates: them.
        figures: all that there are, by name; see `flat`.
    """
    unknown = [gate.metric for gate in gates if gate.metric not in figures]
    problems = tuple(
        Problem(metric, "gate", f"it is no metric; the nearest is {_nearest(metric, figures)}") for metric in unknown
    )
    return tuple(Checked(gate, figures[gate.metric]) for gate in gates if gate.metric in figures), problems


def _nearest(metric: str, figures: Mapping[str, float | None]) -> str:
    from difflib import get_close_matches

    return next(iter(get_close_matches(metric, figures, 1, 0.0)), "none")


def flat(
    categories: Mapping[str, Mapping[str, float | None]],
    compiled: Mapping[str, Any],
    cost: Mapping[str, Any],
    use: Mapping[str, Any],
) -> dict[str, float | None]:
    """All figures by the names that gates use."""
    found: dict[str, float | None] = {}
    for category, values in categories.items():
        prefix = "" if category == "all" else f"{category}/"
        found |= {f"{prefix}{name}": value for name, value in values.items()}
    for part, values in (("compile", compiled), ("cost", cost), ("use", use)):
        found |= {f"{part}/{name}": value for name, value in values.items() if value is None or isinstance(value, int | float)}
    for rule, count in compiled.get("refused", {}).items():
        found[f"compile/refused/{rule}"] = float(count)
    return found
