"""The protocols of the benchmarks: overlap of words by category, and what a judge is asked about which question."""

from __future__ import annotations

import pytest

from wikimem.core.evaluation import judging
from wikimem.core.evaluation.cases import Case, Sort
from wikimem.core.evaluation.judging import Protocol


def stem(word: str) -> str:
    return word.removesuffix("s")


def case(answer: str, category: str = "single-hop", sort: Sort = Sort.ANSWERABLE, **more: tuple[str, ...]) -> Case:
    return Case("q1", "What?", category, sort, answer=answer, **more)  # type: ignore[arg-type]  # options and rubric alone


@pytest.mark.parametrize(
    ("answer", "category", "given", "score"),
    [
        ("a pear tree", "single-hop", "The pear trees!", 1.0),
        ("pear tree", "single-hop", "pear", 2 / 3),
        ("pear", "single-hop", "", 0.0),
        ("7 May 2023", "temporal", "on 7 May, 2023", 6 / 7),
        ("pear, apple", "multi-hop", "apples, pears", 1.0),
        ("pear, apple", "multi-hop", "pear", 0.5),
        ("likely yes; she said so", "open-domain", "likely yes", 1.0),
    ],
)
def test_overlap_of_words_by_category(answer: str, category: str, given: str, score: float) -> None:
    assert judging.f1(case(answer, category), given, stem) == pytest.approx(score)


def test_where_nothing_is_expected_there_is_no_overlap() -> None:
    assert judging.f1(case("x", sort=Sort.ABSENT), "x", stem) is None
    assert judging.f1(case(""), "x", stem) is None


@pytest.mark.parametrize(
    ("dataset", "asked", "protocols"),
    [
        ("locomo", case("pear"), [Protocol.LENIENT]),
        ("locomo", case("pear", "adversarial", Sort.ABSENT), []),
        ("longmemeval", case("pear", "multi-session"), [Protocol.EXACT]),
        ("longmemeval", case("3 days", "temporal-reasoning"), [Protocol.TEMPORAL]),
        ("longmemeval", case("9", "knowledge-update"), [Protocol.UPDATE]),
        ("longmemeval", case("likes tea", "single-session-preference"), [Protocol.PREFERENCE]),
        ("longmemeval", case("never said", "multi-session", Sort.ABSENT), [Protocol.ABSTENTION]),
        ("beam", case("x", rubric=("names the pear", "names the shed")), [Protocol.NUGGET, Protocol.NUGGET]),
        ("personamem", case("(b)", options=("(a) tea", "(b) mate")), []),
        ("own", case("pear"), [Protocol.EXACT]),
        ("own", case(""), []),
        ("own", case("", sort=Sort.OFFTOPIC), []),
    ],
)
def test_each_question_is_judged_by_the_protocol_of_its_benchmark(dataset: str, asked: Case, protocols: list[Protocol]) -> None:
    assert [one.protocol for one in judging.of(dataset, asked, "given")] == protocols


@pytest.mark.parametrize(("content", "score"), [({"score": 1}, 1.0), ({"score": 0.5}, 0.5), ({"score": 0}, 0.0)])
def test_a_score_is_read(content: object, score: float) -> None:
    assert judging.read(content) == score


@pytest.mark.parametrize("content", [None, {}, {"score": True}, {"score": 2}, {"score": "1"}, []])
def test_what_is_no_score_is_refused(content: object) -> None:
    with pytest.raises(ValueError, match="score"):
        judging.read(content)
