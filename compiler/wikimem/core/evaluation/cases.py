"""Cases: questions with what is expected to answer them. Not answers, and no word of how they were found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SUBJECT = "subject:"
"""What an expected place begins with that is no turn but a subject: a title, another name, or a page."""


class Sort(StrEnum):
    """Whether memory holds the answer, something near it only, or nothing of the kind."""

    ANSWERABLE = "answerable"
    ABSENT = "absent"
    OFFTOPIC = "off-topic"


@dataclass(frozen=True, slots=True)
class Case:
    """One question.

    Args:
        id: unique in its data set.
        question: as it is asked.
        category: what the data set calls its kind.
        sort: whether it can be answered.
        evidence: the places that answer it, `source:at` or `subject:TITLE`; may be empty where the data set names none.
        sessions: the sessions that answer it, each a source's id; may be empty as well.
        answer: the expected answer; may be empty.
        at: a moment in the world that it asks about; empty for now.
        opposed: whether its evidence contradicts itself, or an older part of it is out of date: all of it must be seen.
        outdated: the places of `evidence` that are out of date, where the data set tells.
        today: the day on which it is asked, where the data set tells; for questions such as "how long ago".
        options: the answers to choose from, each with its letter; empty for an open question. `answer` is then a letter.
        rubric: what a good answer tells, criterion by criterion; empty where there is one answer.
    """

    id: str
    question: str
    category: str = ""
    sort: Sort = Sort.ANSWERABLE
    evidence: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    answer: str = ""
    at: str = ""
    opposed: bool = False
    outdated: tuple[str, ...] = ()
    today: str = ""
    options: tuple[str, ...] = ()
    rubric: tuple[str, ...] = ()


def is_met(expected: str, keys: frozenset[str]) -> bool:
    """Whether something with these keys is what was expected.

    Args:
        expected: an entry of `Case.evidence`. `S:L12` is met by `S:L12` and by each block of that line (`S:L12-2`).
        keys: citations and `subject:` names of what was found.
    """
    if expected.startswith(SUBJECT):
        return f"{SUBJECT}{' '.join(expected.removeprefix(SUBJECT).casefold().split())}" in keys
    return expected in keys or any(key.startswith(f"{expected}-") for key in keys)


def source_of(cite: str) -> str:
    """The source of a citation; empty for what is none."""
    return "" if cite.startswith(SUBJECT) else cite.partition(":")[0]
