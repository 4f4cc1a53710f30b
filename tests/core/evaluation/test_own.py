"""Questions of one's own."""

from __future__ import annotations

import json

import pytest

from wikimem.core.evaluation import own
from wikimem.core.evaluation.cases import Sort

SOURCE = "20260814-claude-code-9f3a1c2b"


def test_places_sessions_and_subjects() -> None:
    told = {"question": "How often?", "expected": [f"{SOURCE}:L120", SOURCE, "Payment retries"], "at": "2026-03"}
    cases, problems = own.read([json.dumps(told), "", json.dumps({"question": "Moons?", "expected": []})], "q.jsonl")
    assert not problems
    assert cases[0].evidence == (f"{SOURCE}:L120", "subject:Payment retries")
    assert cases[0].sessions == (SOURCE,)
    assert (cases[0].id, cases[0].at, cases[0].sort) == ("L1", "2026-03", Sort.ANSWERABLE)
    assert (cases[1].id, cases[1].sort) == ("L3", Sort.OFFTOPIC)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "not JSON"),
        ("[]", "no JSON object"),
        ('{"expected": []}', "no question"),
        ('{"question": "x"}', "expected must be a list"),
        ('{"question": "x", "expected": [""]}', "expected must be a list"),
        ('{"question": "x", "expected": [], "at": "soon"}', "no date"),
        ('{"question": "x", "expected": [], "when": "soon"}', "when is no key"),
        ('{"question": "x", "expected": [], "opposed": 1}', "true or false"),
        ('{"question": "x", "expected": [], "answer": 1}', "must be texts"),
        ('{"question": "x", "expected": ["a"], "outdated": ["b"]}', "outdated must be"),
        ('{"question": "x", "expected": ["a"], "outdated": "a"}', "outdated must be"),
    ],
)
def test_a_line_that_is_no_question_says_why(line: str, says: str) -> None:
    cases, problems = own.read([line], "q.jsonl")
    assert not cases
    assert problems[0].where == "q.jsonl:1"
    assert says in problems[0].message


def test_what_is_out_of_date_is_a_part_of_what_is_expected() -> None:
    told = {"question": "How often?", "expected": [f"{SOURCE}:L2", f"{SOURCE}:L9"], "outdated": [f"{SOURCE}:L2"]}
    (case,), problems = own.read([json.dumps(told)], "q.jsonl")
    assert not problems
    assert case.outdated == (f"{SOURCE}:L2",)


def test_an_id_is_there_once() -> None:
    line = '{"id": "a", "question": "x", "expected": []}'
    cases, problems = own.read([line, line], "q.jsonl")
    assert len(cases) == 1
    assert "twice" in problems[0].message
