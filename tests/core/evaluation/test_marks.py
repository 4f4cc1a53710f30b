"""Marks of answered questions: abstention apart, the letter that was chosen, None where nothing was counted."""

from __future__ import annotations

import pytest

from wikimem.core.evaluation import marks
from wikimem.core.evaluation.cases import Case, Sort
from wikimem.core.evaluation.marks import Mark
from wikimem.core.solutions import NOTHING, Cited, Solution, Spot, Verdict

SPOT = Spot(1, 1, "s:L1", "The pear tree.")
GIVEN = Solution(Verdict.ANSWERED, "A pear tree.", "pear", (Cited(SPOT, "pear tree"),), dropped=("one",))


def mark(sort: Sort, solution: Solution | None, score: float | None = None, category: str = "x") -> Mark:
    return Mark(Case("q", "Which?", category, sort, answer="pear"), "h", solution, score)


def test_accuracy_is_of_what_can_be_answered_and_abstention_of_what_cannot() -> None:
    every = [
        mark(Sort.ANSWERABLE, GIVEN, 1.0),
        mark(Sort.ANSWERABLE, NOTHING, 0.0),
        mark(Sort.ABSENT, NOTHING),
        mark(Sort.ABSENT, GIVEN, 0.0),
        mark(Sort.OFFTOPIC, Solution(Verdict.OTHERWISE, "Ben did.", citations=(Cited(SPOT, "pear"),)), category="y"),
    ]
    told = marks.by_category(every)
    assert list(told) == ["all", "x", "y"]
    assert (told["all"]["accuracy"], told["all"]["lost"]) == (0.5, 0.5)
    assert told["all"]["abstained"] == pytest.approx(2 / 3)
    assert (told["all"]["citations"], told["all"]["citations_dropped"]) == (1.0, pytest.approx(2 / 5))
    assert (told["y"]["accuracy"], told["y"]["questions"]) == (None, 1.0)


def test_a_question_whose_reply_is_awaited_counts_for_nothing() -> None:
    told = marks.by_category([mark(Sort.ANSWERABLE, None)])["all"]
    assert [told[name] for name in marks.METRICS] == [None] * len(marks.METRICS)
    assert marks.costs([mark(Sort.ANSWERABLE, None)])["p50_ms"] is None


@pytest.mark.parametrize(("choice", "score"), [("(b)", 1.0), ("B", 1.0), ("b) mate", 1.0), ("(a)", 0.0), ("", 0.0)])
def test_the_letter_that_was_chosen_is_right_or_wrong(choice: str, score: float) -> None:
    asked = Case("q", "Which?", answer="(b)", options=("(a) tea", "(b) mate"))
    assert marks.chosen(asked, Solution(Verdict.ANSWERED, choice=choice)) == score
    assert marks.chosen(Case("q", "Which?", answer="b"), Solution(Verdict.ANSWERED, choice=choice)) is None


def test_a_judge_reads_that_nothing_was_said_or_that_it_is_otherwise() -> None:
    assert marks.said(NOTHING) == "Not in memory."
    assert marks.said(Solution(Verdict.OTHERWISE, "Ben did.")) == "The memory says otherwise: Ben did."
    assert marks.said(GIVEN) == "A pear tree."
