"""The report of an evaluation: rows, counts and cost as they come in, and their figures. It asks nothing and prints nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from wikimem.core.evaluation import figures, marks
from wikimem.core.evaluation.compiled import Tally
from wikimem.core.evaluation.figures import Row
from wikimem.core.evaluation.gates import Checked
from wikimem.core.evaluation.marks import Mark
from wikimem.core.evaluation.use import Use
from wikimem.core.spending import NOTHING, Spent
from wikimem.errors import Problem

_SHOWN = 20


@dataclass(slots=True)
class Cost:
    """What a run took: seconds by the clock, and what models were paid."""

    ingest: float = 0.0
    compile: float = 0.0
    ask: float = 0.0
    spent: Spent = NOTHING
    answers: Spent = NOTHING


@dataclass(slots=True)
class Evaluation:
    """The report of an evaluation; grows while it runs.

    Args:
        run: all that is needed to run it again.
        rows: one a question.
        tally: what compiling made of the sources; None where nothing was compiled or looked at.
        marks: one a question that was answered; none where nobody was asked to.
        cost: what it took.
        checked: gates, held against the figures.
        problems: what could not be read, compiled or searched.
        use: what became of the vault's recalls; None for a benchmark.
    """

    run: dict[str, Any]
    rows: list[Row] = field(default_factory=list)
    tally: Tally | None = None
    marks: list[Mark] = field(default_factory=list)
    cost: Cost = field(default_factory=Cost)
    checked: tuple[Checked, ...] = ()
    problems: list[Problem] = field(default_factory=list)
    use: Use | None = None

    @property
    def code(self) -> int:
        """What a command line ends with: 1 if a gate failed, 3 if replies are awaited."""
        if any(one.fails for one in self.checked):
            return 1
        return 3 if self.waiting else 0

    @property
    def waiting(self) -> int:
        """How many packets wait for a reply."""
        return sum(mark.waiting for mark in self.marks)

    def figures(self) -> dict[str, dict[str, float | None]]:
        """The figures by category; `all` comes first."""
        return figures.by_category(self.rows)

    def compiled(self) -> dict[str, Any]:
        """What compiling made of the sources; empty where it was not measured."""
        return self.tally.as_json() if self.tally is not None else {}

    def costs(self) -> dict[str, float | None]:
        """Seconds, milliseconds a question, calls and tokens."""
        times = [row.seconds * 1000 for row in self.rows]
        largest = [row.contexts[max(row.contexts)].tokens for row in self.rows if row.contexts and row.found]
        spent = self.cost.spent
        return {
            "ingest_seconds": self.cost.ingest,
            "compile_seconds": self.cost.compile,
            "ask_seconds": self.cost.ask,
            "p50_ms": figures.percentile(times, 50),
            "p95_ms": figures.percentile(times, 95),
            "context_tokens": figures.mean(map(float, largest)),
            "calls": float(spent.calls),
            "tokens_in": float(spent.read),
            "tokens_out": float(spent.wrote),
            "usd": spent.micros / 1e6,
        }

    def answers(self) -> dict[str, Any]:
        """What became of the questions that were answered; empty where nobody was asked to."""
        if not self.marks:
            return {}
        spent = self.cost.answers
        paid: dict[str, float | None] = {"calls": float(spent.calls), "usd": spent.micros / 1e6}
        return {
            "figures": marks.by_category(self.marks),
            "cost": {**marks.costs(self.marks), **paid},
            "waiting": self.waiting,
            "questions": [marks.as_json(mark) for mark in self.marks],
        }

    def used(self) -> dict[str, float | None]:
        """The figures of use; empty for a benchmark."""
        return self.use.metrics() if self.use is not None else {}

    def as_json(self) -> dict[str, Any]:
        """The report as plain values; the shape is stable."""
        return {
            "run": self.run,
            "figures": self.figures(),
            "compile": self.compiled(),
            "cost": self.costs(),
            "answers": self.answers(),
            "use": self.used(),
            "gates": [one.as_json() for one in self.checked],
            "problems": [str(problem) for problem in self.problems],
            "questions": [_told(row) for row in self.rows],
        }


def _told(row: Row) -> dict[str, Any]:
    case = row.case
    return {
        "haystack": row.haystack,
        "id": case.id,
        "category": case.category,
        "sort": case.sort.value,
        "question": case.question,
        "at": case.at,
        "answer": case.answer,
        "evidence": list(case.evidence),
        "sessions": list(case.sessions),
        "found": [sorted(keys) for keys in row.found[:_SHOWN]],
        "context_tokens": {str(budget): context.tokens for budget, context in row.contexts.items()},
        "figures": figures.of_row(row),
        "ms": round(row.seconds * 1000, 3),
    }
