"""LongMemEval (Wu et al. 2025): chats of a person with an assistant, and questions with the sessions that answer them.

Three shapes: the official rows (a question with its haystack; in the oracle file only the sessions that answer it), one
such row alone, and rows whose `questions`, `answers` and `answer_session_ids` are lists over one haystack. A row's type
is that of its first question only; the others are `other`. Of questions whose id ends in `_abs` memory has no answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from wikimem.core.evaluation.cases import Case, Sort
from wikimem.edges.datasets.format import BadDataset, Haystack, Talk, guarded, load, moment, speaker, turn

_DATE = "%Y/%m/%d (%a) %H:%M"


def read(path: Path) -> Iterator[Haystack]:
    """One haystack a row."""
    told = load(path, "LongMemEval")
    rows = [told] if isinstance(told, dict) else told
    if not isinstance(rows, list):
        raise BadDataset(path, "LongMemEval", "it is neither a row nor a list of rows")
    return guarded(path, "LongMemEval", (_haystack(row) for row in rows))


def _haystack(row: Mapping[str, Any]) -> Haystack:
    talks: dict[str, Talk] = {}
    marked: list[str] = []
    held = zip(row["haystack_session_ids"], row["haystack_dates"], row["haystack_sessions"], strict=True)
    for session, date, messages in held:
        said = moment(date, _DATE)
        turns = []
        for number, message in enumerate(messages, 1):
            identity = f"{session}-t{number}"
            turns.append(turn(identity, speaker(message["role"]), message["content"], said))
            if message.get("has_answer"):
                marked.append(f"{session}:{identity}")
        # The same session twice in one haystack is one session.
        talks.setdefault(session, Talk(session, said, tuple(turns)))
    return Haystack(row["question_id"], tuple(talks.values()), tuple(_cases(row, tuple(dict.fromkeys(marked)))))


def _cases(row: Mapping[str, Any], marked: tuple[str, ...]) -> Iterator[Case]:
    if "questions" not in row:
        absent = str(row["question_id"]).endswith("_abs")
        sessions = tuple(row.get("answer_session_ids") or dict.fromkeys(one.partition(":")[0] for one in marked))
        yield _case(row, "", row["question"], row["answer"], sessions, marked, row["question_type"], absent)
        return
    told = zip(row["questions"], row["answers"], row["answer_session_ids"], strict=True)
    for number, (question, answer, sessions) in enumerate(told, 1):
        evidence = tuple(one for one in marked if one.partition(":")[0] in sessions)
        category = row["question_type"] if number == 1 else "other"
        yield _case(row, f"-{number}", question, answer, tuple(sessions), evidence, category, False)


def _case(
    row: Mapping[str, Any],
    suffix: str,
    question: str,
    answer: object,
    sessions: tuple[str, ...],
    evidence: tuple[str, ...],
    category: str,
    absent: bool,
) -> Case:
    return Case(
        f"{row['question_id']}{suffix}",
        question,
        category,
        Sort.ABSENT if absent else Sort.ANSWERABLE,
        evidence,
        sessions,
        str(answer),
        opposed=category == "knowledge-update",
        outdated=_older(row, evidence) if category == "knowledge-update" else (),
        today=moment(row.get("question_date", ""), _DATE)[:10],
    )


def _older(row: Mapping[str, Any], evidence: tuple[str, ...]) -> tuple[str, ...]:
    """Of an update, the evidence in sessions before the last that has any."""
    held = zip(row["haystack_session_ids"], row["haystack_dates"], strict=True)
    days = {session: moment(date, _DATE) for session, date in held}
    last = max((days[one.partition(":")[0]] for one in evidence), default="")
    return tuple(one for one in evidence if days[one.partition(":")[0]] < last)
