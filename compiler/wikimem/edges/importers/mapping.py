"""Formats that a few lines of TOML describe: JSON lines, or one JSON list, of records with a speaker and a text.

    [format.helpdesk]
    match = ["ticket", "body"]        # a file whose first record has all these keys is of this format
    text = "body"                     # where the words stand; several places are joined by a line end
    speaker = "author.kind"           # where it stands who spoke; a dot leads into an object, a number into a list
    time = "created"                  # ISO 8601, or seconds or milliseconds since 1970
    id = "message_id"
    session = "ticket"                # records of one session become one source, wherever they stand
    name = "author.name"
    title = "subject"
    cwd = "folder"
    human = ["customer", "agent"]     # what the speaker's place holds, by who that is
    assistant = ["bot"]
    tool = ["lookup"]
    harness = ["system"]
    skip = ["typing"]                 # records that say nothing

Only `text` is needed. Without `speaker` all of it is a person's; a speaker that no list names is counted and reported.
The records become canonical JSONL when they are captured, so a description can be changed later without changing what
was read by it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wikimem.core.turns import Form, Speaker, Turn
from wikimem.edges.importers import chats, jsonl, openai_blocks
from wikimem.edges.importers.chats import Tally
from wikimem.edges.importers.documents import Torn
from wikimem.edges.importers.format import Container, Conversation, Head
from wikimem.errors import BadSettings

_DECODER = json.JSONDecoder(strict=False)
_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}\Z")
_PLACES = ("text", "speaker", "time", "id", "session", "name", "title", "cwd")
_SPEAKERS = (Speaker.HUMAN, Speaker.ASSISTANT, Speaker.TOOL, Speaker.HARNESS)
_LISTS = ("match", "skip", *(speaker.value for speaker in _SPEAKERS))


@dataclass(frozen=True, slots=True)
class Mapped:
    """A description, checked.

    Args:
        name: what the format is called.
        match: keys that the first record of a file has; none if a file is read so only when it is told to.
        texts: places of the words.
        places: the other places by what stands there.
        speakers: who speaks, by the value of the speaker's place.
        skip: values of it that say nothing.
    """

    name: str
    match: tuple[str, ...]
    texts: tuple[str, ...]
    places: Mapping[str, str]
    speakers: Mapping[str, Speaker]
    skip: frozenset[str]

    def format(self) -> Container:
        """The format that reads as described."""
        return Container(self.name, self.recognise, self.conversations)

    def recognise(self, head: Head) -> bool:
        """Whether the first record of a file has the keys that it must have."""
        if not self.match:
            return False
        start = head.data.removeprefix(jsonl.BOM).lstrip().removeprefix(b"[").lstrip()
        try:
            value, _ = _DECODER.raw_decode(start.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return False
        return isinstance(value, dict) and all(_at(value, place) is not None for place in self.match)

    def conversations(self, path: Path) -> Iterator[Conversation | str]:
        """The sessions of a file; see `Container.conversations`."""
        yield from chats.handed(self._made(path))

    def _made(self, path: Path) -> Iterator[Conversation | str | Tally]:
        sessions: dict[str, _Session] = {}
        tally = Tally()
        parts = chats.parts(path, lambda member: member.endswith((".json", ".jsonl", ".ndjson")), self._is_record)
        for number, (name, value) in enumerate(parts, 1):
            if isinstance(value, Torn):
                yield chats.told(name, number, chats.reason(value, 0))
            elif not isinstance(value, dict):
                tally.add("record that is no object", known=False)
            else:
                self._take(value, sessions, tally)
        yield tally
        for own, session in sessions.items():
            turns = tuple(session.turns)
            started = min((turn.said for turn in turns if turn.said), default="")
            yield Conversation(own or chats.session(started, turns), session.title, started, turns, {}, session.cwd)

    def _is_record(self, value: object) -> bool:
        return isinstance(value, dict) and any(_at(value, place) is not None for place in self.texts)

    def _take(self, value: Mapping[str, Any], sessions: dict[str, _Session], tally: Tally) -> None:
        told = _text(_at(value, self.places["speaker"])) if "speaker" in self.places else ""
        if told.casefold() in self.skip:
            tally.add(told)
            return
        speaker = self.speakers.get(told.casefold()) if "speaker" in self.places else Speaker.HUMAN
        if speaker is None:
            tally.add(f"speaker:{told or '?'}", known=False)
            return
        words = "\n".join(text for place in self.texts if (text := _text(_at(value, place)).strip()))
        if not words:
            tally.add("record without words")
            return
        said = chats.told_at(_at(value, self.places["time"])) if "time" in self.places else ""
        form = Form.RESULT if speaker is Speaker.TOOL else Form.PROSE
        own = {key: _text(_at(value, self.places[key])).strip() if key in self.places else "" for key in _PLACES[3:]}
        session = sessions.setdefault(own["session"], _Session())
        session.title = session.title or own["title"]
        session.cwd = session.cwd or own["cwd"]
        session.turns.append(Turn("", speaker, form, words, name=own["name"], said=said, identity=own["id"]))


@dataclass(slots=True)
class _Session:
    turns: list[Turn] = field(default_factory=list)
    title: str = ""
    cwd: str = ""


def _at(value: object, place: str) -> Any:
    """What stands at a place such as `author.name` or `parts.0.text`; None for nothing. A key with dots in it comes first."""
    if isinstance(value, dict) and place in value:
        return value[place]
    for step in place.split("."):
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.isdecimal() and int(step[:9]) < len(value):
            value = value[int(step[:9])]
        else:
            return None
    return value


def _text(value: object) -> str:
    """A value as words: texts as they are, a list of texts joined, numbers as they are written."""
    match value:
        case str():
            return jsonl.text(value)
        case bool() | None:
            return ""
        case int() | float():
            return str(value)
        case list():
            return "\n".join(text for each in value if (text := _text(each)))
        case dict() if isinstance(value.get("text"), str):
            return jsonl.text(value["text"])
    return openai_blocks.encoded(value)


def load(path: Path) -> Container:
    """The one format that a file describes.

    Raises:
        BadSettings: it cannot be read, or describes none, or several.
    """
    import tomllib

    try:
        told = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadSettings(str(path), f"it cannot be read ({error.strerror or error})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSettings(str(path), f"it is not valid TOML ({error})") from None
    tables = told.get("format")
    if not isinstance(tables, dict) or len(tables) != 1:
        raise BadSettings(str(path), "it must describe one format, in a table [format.NAME]")
    (found,) = formats(tables, str(path))
    return found


def formats(tables: Mapping[str, object], where: str, taken: frozenset[str] = frozenset()) -> tuple[Container, ...]:
    """The formats that tables `[format.NAME]` describe.

    Args:
        tables: by name.
        where: the file they stand in.
        taken: names of formats that exist already.

    Raises:
        BadSettings: one of them cannot be used; the text says what to change.
    """
    return tuple(_mapped(name, table, where, taken).format() for name, table in tables.items())


def _mapped(name: str, table: object, where: str, taken: frozenset[str]) -> Mapped:
    at = f"[format.{name}]"
    if not _NAME.match(name) or name in taken:
        why = (
            "is the name of a format that wikimem has" if name in taken else "is no name: lower-case letters, digits and hyphens"
        )
        raise BadSettings(where, f"{at} {why}")
    if not isinstance(table, dict):
        raise BadSettings(where, f"{at} is no table")
    if strange := table.keys() - {*_PLACES, *_LISTS}:
        raise BadSettings(where, f"{at} {min(strange)} is no setting; known are {', '.join((*_PLACES, *_LISTS))}")
    texts = _listed(table, "text", where, at)
    if not texts:
        raise BadSettings(where, f"{at} needs text, the place of the words")
    places: dict[str, str] = {}
    for key in _PLACES[1:]:
        if key in table:
            told = table[key]
            if not isinstance(told, str) or not told:
                raise BadSettings(where, f"{at} {key} is {told!r}; it must be a place such as author.name")
            places[key] = told
    speakers: dict[str, Speaker] = {}
    for speaker in _SPEAKERS:
        for word in _listed(table, speaker.value, where, at):
            if word.casefold() in speakers:
                raise BadSettings(where, f"{at} {word!r} cannot be two speakers")
            speakers[word.casefold()] = speaker
    if speakers and "speaker" not in places:
        raise BadSettings(where, f"{at} tells who {next(iter(speakers))!r} is, but not where it stands: add speaker")
    if "speaker" in places and not speakers:
        speakers = {"human": Speaker.HUMAN, "user": Speaker.HUMAN, "assistant": Speaker.ASSISTANT, "tool": Speaker.TOOL}
    skip = frozenset(word.casefold() for word in _listed(table, "skip", where, at))
    return Mapped(name, _listed(table, "match", where, at), texts, places, speakers, skip)


def _listed(table: Mapping[str, object], key: str, where: str, at: str) -> tuple[str, ...]:
    told = table.get(key, [])
    found = [told] if isinstance(told, str) else told
    if not isinstance(found, list) or not all(isinstance(each, str) and each for each in found):
        raise BadSettings(where, f"{at} {key} is {told!r}; it must be a text or a list of texts")
    return tuple(found)
