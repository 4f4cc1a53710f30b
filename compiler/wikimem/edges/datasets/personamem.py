"""PersonaMem (Jiang et al. 2025): a person's chats with an assistant, cut where each question is asked.

The path is `questions_….csv`; the contexts are the `shared_contexts_….jsonl` of the same size beside it. No evidence is
named, so retrieval has no figures here but speed and silence; the right option is kept as the answer. A system message
begins a session. Questions that see the same beginning of a context share a haystack.
"""

from __future__ import annotations

import ast
import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from wikimem.core.evaluation.cases import Case
from wikimem.edges.datasets.format import BadDataset, Haystack, Talk, guarded, speaker, turn


def read(path: Path) -> Iterator[Haystack]:
    """One haystack for each beginning of a context that questions see."""
    if not path.is_file() or not path.name.startswith("questions"):
        raise BadDataset(path, "PersonaMem", "it is no file questions_….csv")
    beside = path.with_name(path.name.replace("questions", "shared_contexts", 1)).with_suffix(".jsonl")
    if not beside.is_file():
        raise BadDataset(path, "PersonaMem", f"{beside.name} is not beside it")
    return guarded(path, "PersonaMem", _haystacks(path, beside))


def _haystacks(path: Path, beside: Path) -> Iterator[Haystack]:
    groups: dict[tuple[str, int], list[dict[str, str]]] = {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            key = (row["shared_context_id"], int(row["end_index_in_shared_context"]))
            groups.setdefault(key, []).append(row)
    contexts: dict[str, Sequence[Mapping[str, Any]]] = {}
    with beside.open(encoding="utf-8-sig") as file:
        for line in file:
            contexts |= json.loads(line) if line.strip() else {}
    for (context, end), rows in sorted(groups.items()):
        talks = tuple(_talks(context, contexts[context][:end]))
        yield Haystack(f"{context}-{end}", talks, tuple(_case(row) for row in rows))


def _talks(context: str, messages: Sequence[Mapping[str, Any]]) -> Iterator[Talk]:
    sessions: list[list[Mapping[str, Any]]] = []
    for message in messages:
        if message["role"] == "system" or not sessions:
            sessions.append([])
        sessions[-1].append(message)
    for number, held in enumerate(sessions, 1):
        name = f"{context}-{number:02}"
        turns = (turn(f"{name}-t{place}", speaker(one["role"]), one["content"], "") for place, one in enumerate(held, 1))
        yield Talk(name, "", tuple(turns))


def _case(row: Mapping[str, str]) -> Case:
    asked, options = row["user_question_or_message"], _options(row.get("all_options", ""))
    return Case(row["question_id"], asked, row["question_type"], answer=row["correct_answer"], options=options)


def _options(told: str) -> tuple[str, ...]:
    """The options to choose from: they are written as Python writes a list of texts."""
    try:
        found = ast.literal_eval(told) if told.strip() else []
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return ()
    return tuple(map(str, found)) if isinstance(found, list) else ()
