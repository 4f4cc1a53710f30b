"""Filed answers as lines: they come back as they were, and are told as what was concluded once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import filed
from wikimem.core.filed import Filed, Rest

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
RESTS = st.lists(st.builds(Rest, TEXT, TEXT, TEXT, TEXT), min_size=1, max_size=3).map(tuple)
ANSWER = Filed("Why?", "Because.", "answered", "2026-08-14T10:11:03Z", "2026-08-14", "rules", "", "", (Rest("s:L1", "because"),))


@given(st.builds(Filed, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, RESTS))
def test_a_filed_answer_is_one_line_that_reads_back(answer: Filed) -> None:
    line = filed.write(answer)
    assert line.count(b"\n") == 1
    assert filed.read(line) == answer


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b"[]",
        b'{"wikimem-answer":2}',
        b'{"wikimem-answer":1,"rests":[]}',
        b'{"wikimem-answer":1,"rests":[{"cite":4}]}',
    ],
)
def test_what_is_no_filed_answer_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        filed.read(line)


def test_it_says_that_it_was_concluded_and_when() -> None:
    assert ANSWER.words == "Asked “Why?” on 2026-08-14, the memory gave: Because."


@pytest.mark.parametrize(
    ("state", "now", "changed"),
    [
        ("current", "current", ""),
        ("current", "ended", "has ended"),
        ("current", "retracted", "never"),
        ("current", "conflict", "conflict"),
        ("current", None, "not claimed any more"),
        ("ended", "ended", ""),
        ("ended", "current", "holds again"),
    ],
)
def test_it_is_stale_when_a_claim_it_rests_on_is_not_as_it_was(state: str, now: str | None, changed: str) -> None:
    told = filed.changed(Rest("s:L1", "q", "k7f3q2a6xw4m", state), now)
    assert changed in told
    assert bool(told) == bool(changed)


def test_words_of_a_turn_never_change() -> None:
    assert filed.changed(Rest("s:L1", "q"), None) == ""


@pytest.mark.parametrize(
    ("question", "name"),
    [("How often do we  retry? ", "How often do we retry"), ("w " * 90, ("w " * 49).strip()), ("x" * 120, "x" * 100)],
)
def test_its_page_is_named_by_the_question(question: str, name: str) -> None:
    assert filed.subject(question) == name
