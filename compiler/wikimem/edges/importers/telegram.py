"""Telegram Desktop's export as JSON (`result.json`): one chat, or all of them in `chats.list`. Not its HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from wikimem.core import times
from wikimem.core.turns import Form, Speaker, Turn
from wikimem.edges.importers import archives, chats, jsonl
from wikimem.edges.importers.chats import Tally
from wikimem.edges.importers.documents import Torn
from wikimem.edges.importers.format import Container, Conversation, Head

_SIGN = re.compile(rb'"messages"\s*:\s*\[\s*\{|"chats"\s*:\s*\{')
_KINDS = rb"personal_chat|private_group|private_supergroup|bot_chat|saved_messages"
_OWN = re.compile(rb'"date_unixtime"\s*:\s*"|"from_id"\s*:|"type"\s*:\s*"(?:' + _KINDS + rb')"')


def conversations(path: Path) -> Iterator[Conversation | str]:
    """The chats of an export; see `Container.conversations`."""
    yield from chats.handed(_made(path))


def _made(path: Path) -> Iterator[Conversation | str]:
    for number, (name, value) in enumerate(chats.parts(path, lambda member: member.endswith("result.json"), _is_export), 1):
        if isinstance(value, Torn):
            messages = [piece for piece in value.pieces if "date" in piece and "text" in piece]
            yield chats.told(name, number, chats.reason(value, len(messages)))
            if messages:
                yield _chat({"messages": messages})
        elif not _is_export(value):
            yield chats.told(name, number, "no chat: it has no messages")
        else:
            for chat in _listed(value):
                yield _chat(chat)


def _is_export(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    return isinstance(value.get("messages"), list) or isinstance(value.get("chats"), dict)


def _listed(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if isinstance(value.get("messages"), list):
        yield value
    for key in ("chats", "left_chats"):
        told = value.get(key)
        chats_ = told.get("list") if isinstance(told, dict) else None
        for chat in chats_ if isinstance(chats_, list) else ():
            if isinstance(chat, dict) and isinstance(chat.get("messages"), list):
                yield chat


def _chat(chat: Mapping[str, Any]) -> Conversation:
    tally = Tally()
    own = _id(chat.get("id"))
    bot = chat.get("type") == "bot_chat"
    title = jsonl.text(chat.get("name"))
    turns: list[Turn] = []
    for message in chat["messages"]:
        if not isinstance(message, dict):
            tally.add("message that is none", known=False)
            continue
        kind = jsonl.text(message.get("type")) or "message"
        if kind == "service":
            tally.add("service message")
            continue
        if kind != "message":
            tally.add(f"type:{kind}", known=False)
            continue
        text = _words(message)
        if not text:
            tally.add("message without words")
            continue
        # Who forwards words has not said them.
        name = jsonl.text(message.get("forwarded_from")) or jsonl.text(message.get("from")) or _id(message.get("from_id"))
        said = _said(message)
        number = _id(message.get("id"))
        identity = f"telegram-{own}-{number}" if own and number else ""
        speaker = Speaker.HARNESS if bot and name == title else Speaker.HUMAN
        turns.append(Turn("", speaker, Form.PROSE, text, name=name, said=said, identity=identity))
    started = next((turn.said for turn in turns if turn.said), "")
    session = f"telegram-{own}" if own else chats.session(started, turns)
    return Conversation(session, title, started, tuple(turns), +tally.noise, unknown=+tally.unknown)


def _said(message: Mapping[str, Any]) -> str:
    """When a message was sent; with the offset of the exporting clock, which the two times that are told give together."""
    instant, wall = chats.moment(message.get("date_unixtime")), chats.moment(message.get("date"))
    return times.between(instant, wall) if instant else wall


def _words(message: Mapping[str, Any]) -> str:
    told = message.get("text")
    parts = told if isinstance(told, list) else [told]
    text = "".join(jsonl.text(part.get("text") if isinstance(part, dict) else part) for part in parts).strip()
    poll = message.get("poll")
    if isinstance(poll, dict) and (question := jsonl.text(poll.get("question"))):
        answers = poll.get("answers")
        listed = [each for each in answers if isinstance(each, dict)] if isinstance(answers, list) else []
        text = "\n".join([text, question, *(f"- {jsonl.text(each.get('text'))}" for each in listed)]).strip()
    if name := " ".join(jsonl.text(message.get("file_name")).split()):
        text = f"[file: {name}]\n{text}".strip()
    return text


def _id(value: object) -> str:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else jsonl.text(value)


def _recognise(head: Head) -> bool:
    data = head.data
    if archives.is_zip(head):
        data = next((body for name, body in archives.names(head).items() if name.endswith("result.json")), b"")
    start = data.removeprefix(jsonl.BOM).lstrip()
    return start.startswith(b"{") and _SIGN.search(start) is not None and _OWN.search(start) is not None


FORMAT = Container("telegram", _recognise, conversations)
