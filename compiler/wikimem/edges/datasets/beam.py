"""BEAM (Tavakoli et al. 2025): very long chats, in batches, with probing questions of ten kinds and their messages.

The path is one conversation's folder (`chat.json`, `probing_questions/probing_questions.json`) or any folder above some.
A batch is a session; its date is the first `time_anchor` in it. Message ids repeat in some conversations: an id that is
there twice is no evidence, because nobody can tell which message is meant. The folders of the 10M size, which hold their
plans apart, are read plan by plan as sessions of one conversation.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from wikimem.core.evaluation.cases import Case, Sort
from wikimem.edges.datasets.format import BadDataset, Haystack, Talk, guarded, load, moment, speaker, turn

_DATES = ("%B-%d-%Y", "%B %d, %Y", "%Y-%m-%d")
_MARK = re.compile(r"\s*->->\s*[\d,\s]+\Z")
_OPPOSED = frozenset({"contradiction_resolution", "knowledge_update"})


def read(path: Path) -> Iterator[Haystack]:
    """One haystack a conversation, in order of their folders."""
    found = sorted(path.rglob("probing_questions.json")) if path.is_dir() else []
    if not found:
        raise BadDataset(path, "BEAM", "no folder in it holds a probing_questions.json")
    return guarded(path, "BEAM", (_haystack(path, file) for file in found))


def _haystack(top: Path, file: Path) -> Haystack:
    folder = file.parent.parent if file.parent.name == "probing_questions" else file.parent
    batches = _batches(folder)
    ids = Counter(str(message["id"]) for _, messages in batches for message in messages)
    talks = []
    place: dict[str, str] = {}
    for session, messages in batches:
        said = next((told for one in messages if (told := moment(one.get("time_anchor", ""), *_DATES))), "")
        turns = []
        for number, message in enumerate(messages, 1):
            id = str(message["id"])
            identity = f"m{id}" if ids[id] == 1 else f"{session}-t{number}"
            turns.append(turn(identity, speaker(message["role"]), _MARK.sub("", message["content"]), said))
            if ids[id] == 1:
                place[id] = f"{session}:{identity}"
        talks.append(Talk(session, said, tuple(turns)))
    asked = load(file, "BEAM")
    cases = (
        _case(f"{category}-{number}", category, row, place)
        for category, rows in sorted(asked.items())
        for number, row in enumerate(rows, 1)
    )
    name = folder.relative_to(top).as_posix() if folder != top else folder.name
    return Haystack(name, tuple(talks), tuple(cases))


def _batches(folder: Path) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """Each session's name and messages."""
    files = [folder / "chat.json"] if (folder / "chat.json").is_file() else sorted(folder.glob("*/chat.json"))
    if not files:
        raise BadDataset(folder, "BEAM", "there is no chat.json beside its questions")
    found = []
    for file in files:
        for number, batch in enumerate(load(file, "BEAM"), 1):
            prefix = f"{file.parent.name}-" if file.parent != folder else ""
            name = f"{prefix}b{batch.get('batch_number', number):02}"
            found.append((name, list(_messages(batch["turns"]))))
    return found


def _messages(turns: Sequence[Any]) -> Iterator[Mapping[str, Any]]:
    for one in turns:
        if isinstance(one, list):
            yield from _messages(one)
        else:
            yield one


def _case(id: str, category: str, row: Mapping[str, Any], place: Mapping[str, str]) -> Case:
    told = row.get("source_chat_ids")
    evidence = tuple(dict.fromkeys(place[one] for one in _ids(told) if one in place))
    older = _ids(told.get("original_info")) if isinstance(told, dict) else ()
    answer = next((str(row[key]) for key in ("answer", "ideal_answer", "ideal_response", "ideal_summary") if key in row), "")
    return Case(
        id,
        row["question"],
        category,
        Sort.ABSENT if category == "abstention" else Sort.ANSWERABLE,
        evidence,
        tuple(dict.fromkeys(one.partition(":")[0] for one in evidence)),
        answer,
        opposed=category in _OPPOSED,
        outdated=tuple(dict.fromkeys(place[one] for one in older if one in place)),
        rubric=tuple(str(one) for one in row.get("rubric") or ()),
    )


def _ids(told: object) -> Iterator[str]:
    """The message ids in any nesting of lists and tables."""
    if isinstance(told, dict):
        told = list(told.values())
    if isinstance(told, list):
        for one in told:
            yield from _ids(one)
    elif told is not None:
        yield str(told)
