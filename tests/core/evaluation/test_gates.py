"""Gates: limits that figures must keep."""

from __future__ import annotations

import pytest

from wikimem.core.evaluation import gates
from wikimem.core.evaluation.gates import Gate


def test_floors_and_ceilings() -> None:
    told = (Gate("a", 0.5), Gate("a", 0.6), Gate("b", 10, "ceiling"), Gate("b", 9, "ceiling", "warn"))
    checked, problems = gates.check(told, {"a": 0.5, "b": 10.0})
    assert [one.kept for one in checked] == [True, False, True, False]
    assert [one.fails for one in checked] == [False, True, False, False]
    assert not problems


def test_a_figure_that_nobody_counted_keeps_no_limit() -> None:
    checked, _ = gates.check([Gate("a", 0.0), Gate("a", 1.0, "ceiling")], {"a": None})
    assert [one.kept for one in checked] == [False, False]


def test_an_unknown_metric_is_a_problem_that_names_the_nearest() -> None:
    checked, problems = gates.check([Gate("recal@10", 0.5)], {"recall@10": 0.9, "mrr": 0.1})
    assert not checked
    assert "recall@10" in problems[0].message


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({"metric": "mrr"}, "limit"),
        ({"metric": "mrr", "limit": True}, "number"),
        ({"metric": "mrr", "limit": 1, "kind": "roof"}, "floor or ceiling"),
        ({"metric": "mrr", "limit": 1, "action": "shout"}, "fail or warn"),
        ({"metric": "mrr", "limit": 1, "limits": 2}, "limits is no key"),
        ("mrr", "no table"),
    ],
)
def test_a_gate_that_cannot_be_used_says_why(table: object, says: str) -> None:
    held, problems = gates.read({"gate": [table]}, "gates.toml")
    assert not held
    assert says in problems[0].message


def test_other_keys_of_the_file_are_told() -> None:
    held, problems = gates.read({"gates": [], "gate": [{"metric": "mrr", "limit": 0.5}]}, "gates.toml")
    assert held == (Gate("mrr", 0.5),)
    assert "gates is no key" in problems[0].message


def test_names_of_figures() -> None:
    compiled = {"claims": 3, "refused": {"vague": 2}}
    told = gates.flat({"all": {"mrr": 0.5}, "people": {"mrr": None}}, compiled, {"p50_ms": 1.5}, {"misled": 0.1, "good": None})
    assert told == {
        "mrr": 0.5,
        "people/mrr": None,
        "compile/claims": 3,
        "cost/p50_ms": 1.5,
        "compile/refused/vague": 2.0,
        "use/misled": 0.1,
        "use/good": None,
    }
