"""Figures of recall: shares of evidence, and None where nothing was counted."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikimem.core.evaluation import figures
from wikimem.core.evaluation.cases import Case, Sort, is_met
from wikimem.core.evaluation.figures import Context, Row

A, B, C = "s-one:L2", "s-one:L5", "s-two:L3"


def row(found: list[list[str]], case: Case, shown: dict[int, list[list[str]]] | None = None) -> Row:
    contexts = {
        budget: Context(frozenset(key for keys in entries for key in keys), tuple(map(frozenset, entries)), 10)
        for budget, entries in (shown or {}).items()
    }
    return Row(case, "h", tuple(frozenset(keys) for keys in found), contexts, 0.01)


def case(*evidence: str, sort: Sort = Sort.ANSWERABLE, sessions: tuple[str, ...] = (), opposed: bool = False) -> Case:
    return Case("q", "Which?", "kind", sort, evidence, sessions, opposed=opposed)


def test_recall_is_the_share_of_the_evidence_among_the_first() -> None:
    asked = row([["x:L1"], [A], ["x:L2"], ["x:L3"], ["x:L4"], [B]], case(A, B, C))
    assert figures.recall(asked, 5) == pytest.approx(1 / 3)
    assert figures.recall(asked, 10) == pytest.approx(2 / 3)
    assert (figures.any_of(asked, 5), figures.full(asked, 10)) == (1.0, 0.0)
    assert figures.reciprocal(asked) == 0.5


def test_a_claim_counts_as_all_turns_that_prove_it() -> None:
    assert figures.full(row([[A, B, "subject:queue"]], case(A, B)), 10) == 1.0


def test_blocks_of_a_line_and_names_of_subjects_meet_what_is_expected() -> None:
    assert is_met("s:L12", frozenset({"s:L12-2"}))
    assert not is_met("s:L12", frozenset({"s:L120"}))
    assert is_met("subject:Payment  Retries", frozenset({"subject:payment retries"}))


def test_sessions_are_counted_in_the_order_their_answers_come() -> None:
    found = [[A], [B], ["s-three:L1"], [C]]
    asked = row(found, case(sessions=("s-two",)))
    assert figures.session_recall(asked, 2) == 0.0
    assert figures.session_recall(asked, 3) == 1.0
    assert figures.recall(asked, 5) is None


def test_coverage_counts_neighbours_and_precision_does_not() -> None:
    asked = Row(
        case(A, B), "h", (frozenset({A}),), {500: Context(frozenset({A, B}), (frozenset({A}), frozenset({"x:L1"})), 90)}, 0.0
    )
    assert figures.coverage(asked, 500) == 1.0
    assert figures.coverage(asked, 2000) is None
    assert figures.precision(asked) == 0.5


def test_contradicting_evidence_must_all_be_seen() -> None:
    assert figures.opposed(row([], case(A, B, opposed=True), {500: [[A]]})) == 0.0
    assert figures.opposed(row([], case(A, B, opposed=True), {500: [[A], [B]]})) == 1.0
    assert figures.opposed(row([], case(A, B), {500: [[A]]})) is None


def test_silence_has_a_figure_for_each_sort_and_none_for_the_others() -> None:
    told = figures.of([row([], case(sort=Sort.OFFTOPIC)), row([[A]], case(sort=Sort.OFFTOPIC)), row([], case(A))])
    assert (told["offtopic_silent"], told["absent_silent"], told["answerable_silent"]) == (0.5, None, 1.0)
    assert told["recall@10"] == 0.0


def test_of_nothing_every_figure_is_none_and_not_zero() -> None:
    assert set(figures.of([]).values()) == {None}
    assert figures.percentile([], 50) is None


def test_categories_come_after_all() -> None:
    told = figures.by_category([row([[A]], case(A))])
    assert list(told) == ["all", "kind"]
    assert told["kind"]["questions"] == 1


@settings(deadline=None)
@given(
    st.lists(st.sampled_from([A, B, C, "x:L1", "x:L2"]), unique=True, max_size=5), st.sets(st.sampled_from([A, B, C]), min_size=1)
)
def test_deeper_never_finds_less(found: list[str], wanted: set[str]) -> None:
    asked = row([[one] for one in found], case(*sorted(wanted)))
    shares = [figures.recall(asked, depth) or 0.0 for depth in range(1, 6)]
    assert shares == sorted(shares)
    assert shares[-1] == len(wanted & set(found)) / len(wanted)


@given(st.lists(st.floats(0, 100), min_size=1), st.integers(1, 100))
def test_so_many_percent_do_not_exceed_a_percentile(values: list[float], percent: int) -> None:
    edge = figures.percentile(values, percent)
    assert edge is not None
    assert sum(value <= edge for value in values) >= len(values) * percent / 100
