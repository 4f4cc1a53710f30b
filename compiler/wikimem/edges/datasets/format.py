"""What a data set is made of: haystacks of dated talks, with the questions that are asked of each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from wikimem.core.evaluation.cases import Case
from wikimem.core.turns import Form, Speaker, Turn
from wikimem.errors import UsageError


class BadDataset(UsageError):
    """A file is not the data set that was named."""

    def __init__(self, path: Path, dataset: str, why: str) -> None:
        super().__init__(f"{path} is no {dataset} data set: {why}. Name the file or folder as its authors publish it.")


@dataclass(frozen=True, slots=True)
class Talk:
    """One session of a haystack.

    Args:
        session: its id, unique in the haystack.
        started: when it was held, as `Turn.said`; may be empty.
        turns: in order; the identity of each is what `Case.evidence` names it by.
    """

    session: str
    started: str
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Haystack:
    """What one memory holds, and what it is asked.

    Args:
        name: unique in the data set.
        talks: its sessions.
        cases: the questions; a place in them is `session:identity`, a session its id.
    """

    name: str
    talks: tuple[Talk, ...]
    cases: tuple[Case, ...]


def turn(identity: str, speaker: Speaker, text: str, said: str, name: str = "") -> Turn:
    """An utterance of a talk."""
    return Turn(identity, speaker, Form.PROSE, text, name, said, identity)


def speaker(role: object) -> Speaker:
    """Who speaks, by the role that chat benchmarks give: whoever is not the assistant or the system is a person."""
    return {"assistant": Speaker.ASSISTANT, "system": Speaker.HARNESS}.get(str(role), Speaker.HUMAN)


def moment(text: object, *patterns: str) -> str:
    """A date of a data set as `Turn.said`, without a zone, which none of them gives; empty if it has none of the forms."""
    for pattern in patterns:
        try:
            return datetime.strptime(str(text).strip(), pattern).strftime("%Y-%m-%dT%H:%M:%S")  # noqa: DTZ007 - no zone is told
        except ValueError:
            continue
    return ""


def load(path: Path, dataset: str) -> Any:
    """The value of a JSON file.

    Raises:
        BadDataset: it is none.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BadDataset(path, dataset, f"it is not JSON ({error})") from None


def guarded(path: Path, dataset: str, rows: Iterable[Haystack]) -> Iterator[Haystack]:
    """The same, where a missing or strange field is told as what it is.

    Raises:
        BadDataset: as it says.
    """
    try:
        yield from rows
    except KeyError as missing:
        raise BadDataset(path, dataset, f"a field {missing} is missing") from None
    except (TypeError, ValueError, AttributeError, IndexError) as strange:
        raise BadDataset(path, dataset, f"a field is not of the expected shape ({strange})") from None
