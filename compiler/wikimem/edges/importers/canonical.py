"""Canonical JSONL, wikimem's own form of a conversation that has no lines of its own; a header, then one turn a line.

    {"wikimem":1,"session":"c-17","title":"Retry limits","started":"2026-08-14T10:00:00Z","cwd":""}
    {"id":"m1","speaker":"human","name":"Ada","time":"2026-08-14T10:00:03Z","text":"Cap it at three."}

The header may also name `parent`, `branch`, `remote` and `version`; a turn line may also have `form`, `call`, `error`,
`reply`, `mark` and `about`, each only where it is not the default. A time may have the offset of the speaker's clock,
`2026-08-14T12:00:03+02:00`; without any, it is of a clock in the vault's zone. The mark `left` says that the turn stands on
a branch that was left: it is kept and shown, and evidence for nothing.
It is written by `ingest` for containers, and by whoever converts transcripts that wikimem has no importer for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from wikimem.core import moments, times
from wikimem.core.turns import Damage, Form, Line, Noise, Record, Speaker, Turn
from wikimem.edges.importers import jsonl
from wikimem.edges.importers.format import Conversation, Head, LineFormat

VERSION = 1
LEFT = "left"
"""The mark of a turn on a branch that was left: a reply that was made again, a question that was put otherwise."""

_SPEAKERS = {speaker.value: speaker for speaker in Speaker}
_FORMS = {form.value: form for form in Form}
_FACTS = ("parent", "branch", "remote", "version")
_HEADER = Noise("header")


def read(lines: Iterable[Line]) -> Iterator[Record]:
    """Records of a canonical file; see `LineFormat.read`. A turn's identity is its `id`, its locator its line."""
    for line, value in jsonl.objects(lines):
        yield _record(line, value)


def write(conversation: Conversation) -> Iterator[bytes]:
    """The lines of a canonical file, each with its newline; reading them gives the turns back, at new locators."""
    header: dict[str, int | str] = {
        "wikimem": VERSION,
        "session": jsonl.text(conversation.session),
        "title": jsonl.text(conversation.title),
        "started": jsonl.text(conversation.started),
        "cwd": jsonl.text(conversation.cwd),
    }
    header |= {name: jsonl.text(value) for name in _FACTS if (value := conversation.facts.get(name))}
    yield orjson.dumps(header) + b"\n"
    for turn in conversation.turns:
        yield line(turn) + b"\n"


def line(turn: Turn) -> bytes:
    """The line of a turn, without its newline."""
    return orjson.dumps(_told(turn))


def identity(line: bytes) -> str:
    """The id of the turn that a line holds; '' if it has none or cannot be read."""
    try:
        value = orjson.loads(line)
    except ValueError:
        return ""
    return jsonl.text(value.get("id")) if isinstance(value, dict) else ""


def _told(turn: Turn) -> dict[str, str | bool]:
    told: dict[str, str | bool] = {
        "id": jsonl.text(turn.identity),
        "speaker": turn.speaker.value,
        "name": jsonl.text(turn.name),
        "time": jsonl.text(moments.at(turn.said, turn.offset) + turn.offset if turn.offset else turn.said),
        "text": jsonl.text(turn.text),
    }
    if turn.form is not Form.PROSE:
        told["form"] = turn.form.value
    if turn.call:
        told["call"] = jsonl.text(turn.call)
    if turn.error:
        told["error"] = True
    if turn.reply:
        told["reply"] = jsonl.text(turn.reply)
    if turn.mark:
        told["mark"] = jsonl.text(turn.mark)
    if turn.about:
        told["about"] = jsonl.text(turn.about)
    return told


def _record(line: Line, value: Any) -> Record:
    if isinstance(value, Noise | Damage):
        return Record(line.number, line.offset, value)
    if not isinstance(value, dict):
        return Record(line.number, line.offset, Damage("neither a header nor a turn: no JSON object"))
    if "wikimem" in value:
        return _header(line, value)
    speaker = _SPEAKERS.get(_plain(value.get("speaker")))
    form = _FORMS.get(_plain(value.get("form", Form.PROSE.value)))
    if speaker is None or form is None:
        what = "speaker" if speaker is None else "form"
        return Record(line.number, line.offset, Damage(f"no turn: its {what} is missing or unknown"))
    if not isinstance(value.get("text"), str):
        return Record(line.number, line.offset, Damage("no turn: its text is missing"))
    said = times.told(value.get("time"))
    turn = Turn(
        f"L{line.number}",
        speaker,
        form,
        jsonl.text(value["text"]),
        name=jsonl.text(value.get("name")),
        said=said,
        identity=jsonl.text(value.get("id")),
        reply=jsonl.text(value.get("reply")),
        call=jsonl.text(value.get("call")),
        error=value.get("error") is True,
        mark=jsonl.text(value.get("mark")),
        about=jsonl.text(value.get("about")),
    )
    # A turn on a branch that was left takes itself back.
    left = (turn.identity or turn.at) if turn.mark == LEFT else ""
    facts = {"time": turn.said} if turn.said else {}
    return Record(line.number, line.offset, (turn,), uuid=left, facts=facts, retracts=(left,) if left else ())


def _header(line: Line, value: dict[str, Any]) -> Record:
    if value["wikimem"] != VERSION or isinstance(value["wikimem"], bool):
        return Record(line.number, line.offset, Damage(f"header of another version: this wikimem reads {VERSION}"))
    facts = {name: jsonl.text(value.get(name)) for name in ("session", "title", "cwd", *_FACTS)}
    facts["time"] = times.utc(value.get("started"))
    return Record(line.number, line.offset, _HEADER, facts={name: told for name, told in facts.items() if told})


def _plain(value: object) -> str:
    return value if isinstance(value, str) else ""


def _recognise(head: Head) -> bool:
    start = head.data.removeprefix(jsonl.BOM).lstrip()
    if not start.startswith(b"{"):
        return False
    first, _, _ = start.partition(b"\n")
    try:
        value = orjson.loads(first)
    except ValueError:
        # A header longer than the head is cut anywhere, and a torn one is still a header; its first key tells.
        return first.replace(b" ", b"").startswith(b'{"wikimem":')
    return isinstance(value, dict) and isinstance(value.get("wikimem"), int)


FORMAT = LineFormat("wikimem", _recognise, read, ".jsonl", json=True)
