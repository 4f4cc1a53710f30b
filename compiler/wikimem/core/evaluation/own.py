"""Questions of one's own, one JSON object a line: what a vault must answer, written by those who use it.

    {"question": "How often do we retry?", "expected": ["20260814-claude-code-9f3a1c2b:L120"], "answer": "three times"}
    {"question": "Who owns the queue?", "expected": ["Checkout service"], "at": "2026-03", "category": "people"}
    {"question": "What does the cafeteria charge?", "expected": []}

`expected` names places: `source:locator` for a turn, `source` for a whole session, else the title, another name or the page
of a subject. An empty list says that memory must answer with nothing. `id`, `category`, `answer` and `at` may be left out;
`opposed` says that all of the expected places must be seen, `outdated` names those of them that are out of date.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from wikimem.core import moments
from wikimem.core.evaluation.cases import SUBJECT, Case, Sort
from wikimem.core.sources import ID
from wikimem.errors import Problem

_KEYS = {"id", "question", "expected", "answer", "at", "category", "opposed", "outdated"}


def read(lines: Iterable[str], where: str) -> tuple[tuple[Case, ...], tuple[Problem, ...]]:
    """The questions of a file, and a problem for each line that is none.

    Args:
        lines: of the file; blank ones are passed over.
        where: its path, for problems.
    """
    cases: list[Case] = []
    problems: list[Problem] = []
    seen: set[str] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            told = json.loads(line)
        except json.JSONDecodeError as error:
            problems.append(Problem(f"{where}:{number}", "question", f"this line is not JSON ({error.msg})"))
            continue
        wrong = _wrong(told)
        id = "" if wrong else str(told.get("id") or f"L{number}")
        wrong = wrong or (f"the id {id} is there twice" if id in seen else "")
        if wrong:
            problems.append(Problem(f"{where}:{number}", "question", wrong))
            continue
        seen.add(id)
        cases.append(_case(id, told))
    return tuple(cases), tuple(problems)


def _wrong(told: object) -> str:
    if not isinstance(told, dict):
        return "it is no JSON object"
    if strange := told.keys() - _KEYS:
        return f"{min(strange)} is no key; known are {', '.join(sorted(_KEYS))}"
    if not isinstance(told.get("question"), str) or not told["question"].strip():
        return "it has no question"
    expected = told.get("expected")
    if not isinstance(expected, list) or not all(isinstance(one, str) and one.strip() for one in expected):
        return "expected must be a list of places; an empty one where memory must answer with nothing"
    if not all(isinstance(told.get(key, ""), str) for key in ("id", "answer", "at", "category")):
        return "id, answer, at and category must be texts"
    if not isinstance(told.get("opposed", False), bool):
        return "opposed must be true or false"
    outdated = told.get("outdated", [])
    if not isinstance(outdated, list) or not all(one in expected for one in outdated):
        return "outdated must be a list of places that stand in expected too"
    if told.get("at") and not moments.is_moment(told["at"]):
        return f"at is {told['at']!r}, which is no date"
    return ""


def _case(id: str, told: Mapping[str, Any]) -> Case:
    evidence: list[str] = []
    sessions: list[str] = []
    for one in told["expected"]:
        place = one.strip()
        source, colon, _ = place.partition(":")
        if ID.fullmatch(source):
            sessions.append(source)
            evidence += [place] if colon else []
        else:
            evidence.append(f"{SUBJECT}{place}")
    return Case(
        id,
        told["question"],
        told.get("category", ""),
        Sort.ANSWERABLE if told["expected"] else Sort.OFFTOPIC,
        tuple(dict.fromkeys(evidence)),
        tuple(dict.fromkeys(sessions)),
        told.get("answer", ""),
        told.get("at", ""),
        told.get("opposed", False),
        tuple(one.strip() for one in told.get("outdated", []) if f"{SUBJECT}{one.strip()}" not in evidence),
    )
