"""Two reports side by side."""

from __future__ import annotations

from typing import Any

from wikimem.core.evaluation import comparing, offtopic


def report(figures: dict[str, float], ablate: list[str], spread: float = 0.6) -> dict[str, Any]:
    rows = [{"haystack": "h", "id": id, "category": "k", "figures": {"mrr": value}} for id, value in figures.items()]
    mean = sum(figures.values()) / len(figures)
    run = {"dataset": "locomo", "ablate": ablate, "constants": {"SPREAD": spread, "B": 0.6}}
    return {"run": run, "figures": {"all": {"mrr": mean}, "k": {"mrr": mean}}, "questions": rows}


def test_counts_questions_that_became_better_and_worse() -> None:
    before, after = report({"a": 0.5, "b": 1.0, "c": 0.2}, []), report({"a": 1.0, "b": 0.5, "c": 0.4, "d": 0.0}, [])
    change = comparing.changes(before, after)[0]
    assert (change.category, change.metric, change.better, change.worse) == ("all", "mrr", 2, 1)
    assert change.chance == 1.0


def test_five_of_five_are_hardly_chance() -> None:
    ids = "abcde"
    change = comparing.changes(report(dict.fromkeys(ids, 0.0), []), report(dict.fromkeys(ids, 1.0), []))[0]
    assert change.chance == 2 / 32


def test_equal_reports_differ_in_nothing() -> None:
    told = report({"a": 0.5}, [])
    assert comparing.changes(told, told) == ()
    assert comparing.differing(told, told) == ()


def test_says_how_the_runs_differ() -> None:
    told = comparing.differing(report({"a": 0.5}, []), report({"a": 0.5}, ["dates"], 0.5))
    assert told == ("ablate: none and ['dates']", "SPREAD: 0.6 and 0.5")


def test_a_hundred_different_offtopic_questions() -> None:
    assert len(set(offtopic.QUESTIONS)) == 100
