"""Turns: what was said, by whom and where, and the records of a transcript that gave them.

A transcript is read as records. Each record is exactly one of three things: it gave at least one turn, it is noise of a
named kind, or it is damaged. Nothing is dropped without a count, so the three always add up to the records of the file.
This module holds the values; how each format is read stands in `edges.importers`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from wikimem.core import times


class Speaker(StrEnum):
    """Who speaks. Only what a person typed, dictated or chose is `human`, whatever role the transcript claims."""

    HUMAN = "human"
    ASSISTANT = "assistant"
    TOOL = "tool"
    HARNESS = "harness"
    SUMMARY = "summary"


class Form(StrEnum):
    """What a turn consists of. `prose` is speech; `thinking` is an assistant's own notes, never evidence."""

    PROSE = "prose"
    CALL = "call"
    RESULT = "result"
    THINKING = "thinking"


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance: one content block at its own locator.

    Args:
        at: where it stands in its source: `L120`; `L120-2` for the second block of a line that holds several;
            `agent-a1/L7` in a member file; a message id for formats without lines.
        speaker: who speaks.
        form: speech, tool call, tool result or thinking.
        text: what is said, decoded; may hold any character but lone surrogates. Lines end in a newline.
        name: the person's, model's or tool's name; empty if the transcript names none.
        said: when, `2026-08-14T10:11:03Z` in UTC; without the `Z` if the zone is unknown; `2026-08-14` if only the day
            is known; empty if nothing is. Made with an offset, `2026-08-14T12:11:03+02:00`, it is put into UTC.
        identity: the provider's identity of this very block (message id and block, else the record's uuid); empty if the
            format has none, and then a hash chained over the turns before it serves (`identity.of`).
        reply: what the blocks of one message share; empty if it stands alone.
        call: the id that joins a tool call and its result; empty for speech.
        error: a result that failed.
        mark: how human words came that were not typed at the prompt: `queued`, `answer`, `approval`, `rejection`,
            `argument`, `shell`; for other speakers a word on what the harness did (`interrupt`, `command`); else empty.
        about: for a dialog answer the question, for an approval or rejection what was decided on; else empty.
        offset: of the clock of whoever spoke, from UTC, `+02:00`, where the format gives one; else empty.
        local: what that clock showed, `2026-08-14T12:11:03`, once the zone of the vault is known; empty before.
    """

    at: str
    speaker: Speaker
    form: Form
    text: str
    name: str = ""
    said: str = ""
    identity: str = ""
    reply: str = ""
    call: str = ""
    error: bool = False
    mark: str = ""
    about: str = ""
    offset: str = ""
    local: str = ""

    def __post_init__(self) -> None:
        said, offset = times.apart(self.said)
        if offset:
            object.__setattr__(self, "said", said)
            object.__setattr__(self, "offset", offset)

    @property
    def clock(self) -> str:
        """What the clock of whoever spoke showed, as far as that is known: what `yesterday` and `at nine` are meant by."""
        return self.local or self.said


@dataclass(frozen=True, slots=True)
class Noise:
    """A record that says nothing anybody could cite.

    Args:
        kind: its name, as the format has it where possible (`progress:hook_progress`).
        known: false for a record type the importer has never heard of; those are reported loudly.
    """

    kind: str
    known: bool = True


@dataclass(frozen=True, slots=True)
class Damage:
    """A piece of a file that is no record; `reason` is one clause without its text, such as `not JSON: cut short`."""

    reason: str


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a transcript and what it gave.

    Args:
        line: number of its first line, from 1.
        offset: byte offset of its first byte, from 0.
        gave: its turns (at least one), or noise, or damage.
        uuid: the record's own id where records form a tree; empty elsewhere.
        parent: the id of the record before it in that tree; empty at a root.
        facts: what it tells of the whole session: any of `session`, `cwd`, `branch`, `remote`, `title`, `parent` (a
            session id), `agent`, `version`, `date`, `time` (of the record, as `Turn.said`, also where it gave no turn).
        retracts: uuids of records that this one takes back.
        unknown: names of blocks of it that the importer has never heard of, where others of its blocks gave turns.
    """

    line: int
    offset: int
    gave: tuple[Turn, ...] | Noise | Damage
    uuid: str = ""
    parent: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    retracts: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file: split at the byte `\\n` alone, without it and without a `\\r` before it.

    Args:
        number: from 1.
        offset: byte offset of its first byte in the file, from 0.
        data: the bytes.
    """

    number: int
    offset: int
    data: bytes
