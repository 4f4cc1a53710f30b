"""What an importer is: how a transcript format is recognised and read.

A line format keeps its file's bytes as they are, and its records are found in lines. A container (one big JSON, an
archive, a database) holds conversations that have no lines of their own; each becomes one file of canonical JSONL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from wikimem.core.turns import Line, Record, Turn


@dataclass(frozen=True, slots=True)
class Head:
    """What a format is recognised by.

    Args:
        name: the file's name without its folder.
        data: its first bytes, at most 64 KiB, so possibly cut anywhere.
        whole: whether that is the whole file.
    """

    name: str
    data: bytes
    whole: bool


@dataclass(frozen=True, slots=True)
class LineFormat:
    """A format whose records stand in lines.

    Args:
        name: what the format is called in source ids and settings.
        recognise: whether a file with this beginning is of this format.
        read: lines to records, streaming: memory bounded by the largest record, whatever the file's size. Records may
            come out of order where one can be judged only after later ones. Never raises on any bytes, and accounts
            for every line that is not blank.
        suffix: how its files end in `sources/`, with the dot.
        json: whether each line is a JSON value (secrets are then looked for inside its decoded strings).
        hint: facts that the file's name or folder tells (a date, a session id), asked with the path as it was found.
    """

    name: str
    recognise: Callable[[Head], bool]
    read: Callable[[Iterable[Line]], Iterator[Record]]
    suffix: str
    json: bool
    hint: Callable[[Path], Mapping[str, str]] = lambda path: {}


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation of a container, ready to be written as canonical JSONL.

    Args:
        session: its id; when the container has none, one that is the same whenever the same bytes are read.
        title: may be empty.
        started: as `Turn.said`; may be empty.
        turns: in order; `at` is ignored, the turn's `identity` or its line becomes the locator.
        noise: how many records of the container gave no turn, by kind.
        cwd: the folder it was held in; may be empty.
        unknown: kinds of records and blocks that the importer has never heard of, whether they gave a turn or are among
            `noise`; reported loudly.
    """

    session: str
    title: str
    started: str
    turns: tuple[Turn, ...]
    noise: Mapping[str, int] = field(default_factory=dict)
    cwd: str = ""
    unknown: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Container:
    """A format whose file holds conversations without lines of their own.

    Args:
        name: as in `LineFormat`.
        recognise: as in `LineFormat`.
        conversations: the file's conversations, and a reason (text) for each that cannot be read; never raises on any bytes.
    """

    name: str
    recognise: Callable[[Head], bool]
    conversations: Callable[[Path], Iterator[Conversation | str]]


Format = LineFormat | Container
