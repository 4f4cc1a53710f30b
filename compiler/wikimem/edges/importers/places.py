"""Where the turns of one record stand, and what agents' JSON records share: text in odd values, words told twice.

This is the part that the importers of coding agents have in common. It knows no agent's fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from hashlib import blake2b
from itertools import chain
from typing import Any

import orjson

from wikimem.core.turns import Damage, Form, Line, Noise, Record, Speaker, Turn
from wikimem.edges.importers import jsonl, wrappers

_TEXTS = frozenset({"text", "input_text", "output_text", "inputText", "Text", "summary_text", "reasoning_text"})
# A provider's id is long and random. `call-1` is somebody's counter, and two sessions may both have it.
_STRONG = 16

Taken = tuple[Turn, ...] | Noise


class Place:
    """One record, and how many turns it has given: each block gets its own locator and its own identity.

    Args:
        line: where the record stands.
        said: its time, as `Turn.said`.
        own: the provider's id of the record; '' if it has none worth the name.
        reply: what the blocks of its message share.

    `strange` gathers the names of blocks that the importer does not know.
    """

    __slots__ = ("count", "line", "own", "reply", "said", "strange")

    def __init__(self, line: Line, said: str = "", own: str = "", reply: str = "") -> None:
        self.line, self.said, self.own, self.reply = line, said, own, reply
        self.count = 0
        self.strange: set[str] = set()

    def turn(self, speaker: Speaker, form: Form, text: str, *, identity: str = "", **rest: Any) -> Turn:
        """The next turn of this record."""
        self.count += 1
        number = self.line.number
        at = f"L{number}" if self.count == 1 else f"L{number}-{self.count}"
        if not identity and self.own:
            # A record that is written again as it grows keeps its id; its words tell its versions apart.
            identity = f"{self.own}:{short(text)}"
        return Turn(at, speaker, form, text, said=self.said, identity=identity, reply=self.reply, **rest)

    def pieces(self, told: Iterable[wrappers.Piece], mark: str = "") -> list[Turn]:
        """Turns of stretches; `mark` goes on a person's own words that have none."""
        found = []
        for piece in told:
            ran = Form.CALL if piece.speaker is Speaker.HUMAN else Form.RESULT
            form = ran if piece.mark == "shell" else Form.PROSE
            own = piece.mark or (mark if piece.speaker is Speaker.HUMAN else "")
            found.append(self.turn(piece.speaker, form, piece.text, mark=own))
        return found

    def record(self, gave: Taken, **rest: Any) -> Record:
        """The record that gave this, with the unknown blocks that were met on the way."""
        unknown = tuple(sorted(self.strange)) if isinstance(gave, tuple) else ()
        return Record(self.line.number, self.line.offset, gave, unknown=unknown, **rest)

    def typed(self, text: str, mark: str = "") -> list[Turn]:
        """Turns of a text that a person may have typed."""
        return self.pieces(wrappers.pieces(text), mark)

    def call(self, name: str, text: str, call: str, **rest: Any) -> Turn:
        """A tool call; `call` joins it with its result."""
        own = f"call:{call}" if is_strong(call) else ""
        return self.turn(Speaker.ASSISTANT, Form.CALL, text.strip() or "{}", identity=own, name=name or "?", call=call, **rest)

    def result(self, name: str, text: str, call: str, error: bool = False, mark: str = "") -> Turn:
        """A tool's result; a silent one still tells that the call ended."""
        own = f"result:{call}" if is_strong(call) else ""
        words = text if text.strip() else "(no output)"
        return self.turn(Speaker.TOOL, Form.RESULT, words, identity=own, name=name, call=call, error=error, mark=mark)


class Facts:
    """What a file has told of its session, so that each record only carries what is new."""

    def __init__(self) -> None:
        self.told: dict[str, str] = {}

    def new(self, said: str = "", **facts: str) -> Mapping[str, str]:
        """The facts that no earlier record told alike; `said` is the record's time and always told."""
        found = {"time": said} if said else {}
        for name, value in facts.items():
            if value and self.told.get(name) != value:
                self.told[name] = found[name] = value
        return found


class Twins:
    """Words that a tool writes into two streams of one file: tells the second telling, whichever comes first.

    `reach` is how many tellings later the second one is still believed to be of the first.
    """

    def __init__(self, reach: int = 64) -> None:
        self.reach = reach
        self.waiting: dict[int, list[tuple[str, int]]] = {}
        self.number = 0

    def repeats(self, stream: str, kind: str, text: str) -> bool:
        """Whether another stream just told the same words of this kind; each telling answers one other."""
        self.number += 1
        # Streams wrap and indent as they like.
        key = hash((kind, "".join(text.split())))
        entries = self.waiting.get(key, [])
        for entry in entries:
            if entry[0] != stream and entry[1] > self.number - self.reach:
                entries.remove(entry)
                return True
        self.waiting.setdefault(key, []).append((stream, self.number))
        if len(self.waiting) > 4 * self.reach:
            self.waiting = {
                key: fresh
                for key, found in self.waiting.items()
                if (fresh := [entry for entry in found if entry[1] > self.number - self.reach])
            }
        return False


def records(
    lines: Iterable[Line],
    take: Callable[[Line, dict[str, Any]], Iterator[Record]],
    known: Callable[[dict[str, Any]], bool],
    rest: Callable[[], Iterable[Record]] = tuple,
) -> Iterator[Record]:
    """The records of a file of JSON objects.

    Args:
        lines: its lines.
        take: the records of one object.
        known: whether an object found in a torn line is a record of this format and not a part of one.
        rest: the records that only the end of the file decides.
    """
    yield from located(chain(_records(lines, take, known), _last(rest)))


def _last(rest: Callable[[], Iterable[Record]]) -> Iterator[Record]:
    yield from rest()


def _records(
    lines: Iterable[Line],
    take: Callable[[Line, dict[str, Any]], Iterator[Record]],
    known: Callable[[dict[str, Any]], bool],
) -> Iterator[Record]:
    for line, value in jsonl.objects(lines, known):
        if isinstance(value, Noise | Damage):
            yield Record(line.number, line.offset, value)
        elif isinstance(value, dict):
            yield from take(line, value)
        else:
            yield Record(line.number, line.offset, Noise("bare value", known=False))


def located(found: Iterable[Record]) -> Iterator[Record]:
    """The same records, where two of one line (torn lines are glued, a line may reset a session) get locators of their own."""
    counts: dict[int, int] = {}
    for record in found:
        if isinstance(record.gave, tuple):
            before = counts.get(record.line, 0)
            counts[record.line] = before + len(record.gave)
            if before:
                turns = (replace(turn, at=f"L{record.line}-{number}") for number, turn in enumerate(record.gave, before + 1))
                record = replace(record, gave=tuple(turns))
            if len(counts) > _LINES:
                counts = dict(sorted(counts.items())[_LINES // 2 :])
        yield record


_LINES = 4096


def scoped(own: str, session: str) -> str:
    """An id that means the same in every file: a provider's as it is, a counter only within its session."""
    return own if not own or is_strong(own) else f"{session}:{own}" if session else ""


def string(value: object) -> str:
    """A string, or '' for what is none."""
    return jsonl.text(value) if isinstance(value, str) else ""


def mapping(value: object) -> Mapping[str, Any]:
    """A mapping, or an empty one for what is none."""
    return value if isinstance(value, dict) else {}


def listed(value: object) -> list[Any]:
    """A list, or an empty one for what is none."""
    return value if isinstance(value, list) else []


def is_strong(identity: str) -> bool:
    """Whether an id is a provider's, so that equal ones in two files are one thing."""
    return len(identity) >= _STRONG


def words(content: object) -> str:
    """The text of a message or result: a string, or the text of its parts; other parts stand as `[image]` and so on."""
    if isinstance(content, str):
        return jsonl.text(content)
    if isinstance(content, dict):
        content = [content]
    if not isinstance(content, list):
        return ""
    told, others = [], []
    for part in content:
        if isinstance(part, str):
            told.append(jsonl.text(part))
        elif isinstance(part, dict):
            kind = string(part.get("type")) or "text"
            if kind in _TEXTS or "text" in part:
                told.append(string(part.get("text")))
            else:
                others.append(f"[{kind.removeprefix('input_')}]")
    joined = "\n".join(text for text in told if text.strip())
    return joined or "\n".join(others)


def encoded(value: object) -> str:
    """A JSON value as text: a string as it is, '' for none."""
    if value is None:
        return ""
    if isinstance(value, str):
        return jsonl.text(value)
    try:
        return orjson.dumps(value).decode()
    except (TypeError, ValueError):
        return jsonl.text(repr(value)[:10_000])


def decoded(value: object) -> Mapping[str, Any]:
    """A mapping, or one that stands in a string as JSON; else an empty one."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = orjson.loads(value)
        except ValueError:
            return {}
    return mapping(value)


def short(text: str) -> str:
    """A short hash of some words."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()


def answers(asked: Mapping[str, Any], told: object) -> list[tuple[str, str]]:
    """What a person chose or typed in a dialog that a tool opened, as `(question, answer)`.

    Args:
        asked: the call's arguments, with `questions` that have an `id`, `question` or `header`; or one `question`.
        told: the result, a mapping or its JSON: `answers` by id, question or number, or a list of them.
    """
    questions = [mapping(one) for one in listed(asked.get("questions"))]
    by_key: dict[str, str] = {}
    for number, one in enumerate(questions):
        text = string(one.get("question")) or string(one.get("header"))
        for key in (str(number), string(one.get("id")), string(one.get("header")), text):
            if key:
                by_key.setdefault(key, text)
    given = decoded(told).get("answers")
    pairs = list(mapping(given).items()) or [(str(number), one) for number, one in enumerate(listed(given))]
    found = []
    for key, value in pairs:
        chosen = "\n".join(part for part in _chosen(value) if part.strip()).strip()
        if chosen:
            found.append((by_key.get(str(key), jsonl.text(str(key))), chosen))
    return found


def _chosen(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield jsonl.text(value)
    elif isinstance(value, list):
        for one in value:
            yield from _chosen(one)
    elif isinstance(value, dict):
        for key in ("answers", "answer", "selected", "label", "value", "text", "other", "custom", "notes"):
            yield from _chosen(value.get(key))


def answered(place: Place, asked: Mapping[str, Any], told: object, call: str) -> list[Turn]:
    """Turns of a person's answers in a dialog; see `answers`."""
    return [
        place.turn(Speaker.HUMAN, Form.PROSE, answer, call=call, mark="answer", about=question)
        for question, answer in answers(asked, told)
    ]


_PLANS = frozenset({"exitplanmode", "exit_plan_mode", "exitspecmode", "exit_spec_mode", "plan_exit"})
_APPROVED = re.compile(
    r"(?:^|\b(?:user|plan|spec)\b[^.\n]{0,40}?\s)(?:has |was |is )?(?:approved|accepted)\b[^\n]*", re.IGNORECASE
)
_REFUSED = re.compile(r"\bnot (?:approved|accepted)|\brejected|\bdeclined", re.IGNORECASE)


def approved(place: Place, name: str, asked: Mapping[str, Any], text: str, call: str) -> list[Turn]:
    """The turn in which a person approved a plan that a tool laid before them, if that is what its result says.

    Args:
        place: gives the locator.
        name: the tool's.
        asked: the call's arguments.
        text: the result.
        call: joins it with the call.
    """
    match = _APPROVED.search(text[:600]) if name.lower() in _PLANS else None
    if match is None or _REFUSED.search(text[:600]):
        return []
    plan = next((told for key in ("plan", "spec", "summary", "plan_path") if (told := string(asked.get(key)))), "")
    return [place.turn(Speaker.HUMAN, Form.PROSE, match[0].strip(), call=call, mark="approval", about=plan)]
