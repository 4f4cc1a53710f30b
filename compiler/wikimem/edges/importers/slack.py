"""Slack's export: the zip with a folder a channel and a file a day, or one such day file. A channel's month is one source.

Replies belong to the thread they answer, whatever day they stand under. Names come from the export's own list of users;
what bots post is the harness's. A channel grows for years, so it is cut by the month in which a thread began: an
export made later adds what came since and leaves the rest as it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from wikimem.core.turns import Turn
from wikimem.edges.importers import archives, chats, documents, jsonl, slack_messages
from wikimem.edges.importers.chats import Tally
from wikimem.edges.importers.documents import Torn
from wikimem.edges.importers.format import Container, Conversation, Head

_DAY = re.compile(r"(?:\A|/)(?P<channel>[^/]+)/\d{4}-\d\d-\d\d\.json\Z")
_LISTS = re.compile(r"(?:\A|/)(?P<list>users|channels|groups|dms|mpims)\.json\Z")
_SIGN = re.compile(rb'"ts"\s*:\s*"\d{9,11}\.\d{3,}"')
_TYPE = re.compile(rb'"type"\s*:\s*"message"')


@dataclass(slots=True)
class _Export:
    """What an export tells beside its messages: people and bots by id, channels by folder."""

    people: slack_messages.People = field(default_factory=slack_messages.People)
    channels: dict[str, tuple[str, str]] = field(default_factory=dict)

    def learn(self, kind: str, listed: Iterator[Any]) -> None:
        """Take in one of the lists at the top of an export."""
        for each in listed:
            if not isinstance(each, dict):
                continue
            own = jsonl.text(each.get("id"))
            if kind == "users":
                self.people.learn(each)
            elif kind == "dms":
                members = each.get("members")
                names = [self.people.name(jsonl.text(member)) for member in members] if isinstance(members, list) else []
                self.channels[own] = (own, ", ".join(names))
            elif name := jsonl.text(each.get("name")):
                self.channels[name] = (own, name if kind == "mpims" else f"#{name}")


def conversations(path: Path) -> Iterator[Conversation | str]:
    """The channels of an export, month by month; see `Container.conversations`."""
    yield from chats.handed(_made(path))


def _made(path: Path) -> Iterator[Conversation | str | Tally]:
    export = _Export()
    with archives.opened(path) as archive:
        if archive is None:
            yield from _day_file(path, export)
            return
        # People first: the names of direct messages are theirs.
        for wanted in ("users", "channels", "groups", "mpims", "dms"):
            for name, stream in archives.members(archive, partial(_is_list, kind=wanted)):
                if isinstance(stream, str):
                    yield chats.told(name, 0, stream)
                else:
                    export.learn(wanted, documents.values(stream, lambda value: isinstance(value, dict)))
        channel = ""
        messages: list[dict[str, Any]] = []
        for name, stream in archives.members(archive, lambda member: _DAY.search(member) is not None):
            found = _DAY.search(name)
            assert found is not None
            if found["channel"] != channel:
                yield from _channel(channel, messages, export)
                channel, messages = found["channel"], []
            if isinstance(stream, str):
                yield chats.told(name, 0, stream)
                continue
            for each in _read(stream, name):
                if isinstance(each, str):
                    yield each
                else:
                    messages.append(each)
        yield from _channel(channel, messages, export)


def _is_list(member: str, kind: str) -> bool:
    found = _LISTS.search(member)
    return found is not None and found["list"] == kind and member.count("/") <= 1


def _day_file(path: Path, export: _Export) -> Iterator[Conversation | str | Tally]:
    """One day of a channel, unpacked; the lists stand two folders above it, where they were unpacked too."""
    for kind in ("users", "channels", "groups"):
        beside = path.parent.parent / f"{kind}.json"
        if beside.is_file():
            with beside.open("rb") as file:
                export.learn(kind, documents.values(file, lambda value: isinstance(value, dict)))
    messages: list[dict[str, Any]] = []
    with path.open("rb") as file:
        for each in _read(file, ""):
            if isinstance(each, str):
                yield each
            else:
                messages.append(each)
    yield from _channel(path.parent.name, messages, export)


def _read(stream: documents.Source, name: str) -> Iterator[dict[str, Any] | str]:
    for number, value in enumerate(documents.values(stream, slack_messages.is_message), 1):
        if isinstance(value, Torn):
            pieces = [piece for piece in value.pieces if slack_messages.is_message(piece)]
            yield chats.told(name, number, chats.reason(value, len(pieces)))
            yield from pieces
        elif isinstance(value, dict):
            yield value
        else:
            yield chats.told(name, number, "no message: no JSON object")


def _channel(folder: str, messages: list[dict[str, Any]], export: _Export) -> Iterator[Conversation | Tally]:
    """The months of a channel, each with its threads in order and the replies under what they answer."""
    own, title = export.channels.get(folder, (folder, f"#{folder}"))
    months: dict[str, list[Turn]] = {}
    tally = Tally()
    seen: set[str] = set()
    for message in sorted(messages, key=_order):
        stamp = jsonl.text(message.get("ts"))
        if stamp and stamp in seen:
            # A reply that was also sent to the channel stands in it twice.
            tally.add("repeated")
            continue
        seen.add(stamp)
        turn = slack_messages.turn(message, own or folder, export.people, tally)
        if turn is not None:
            root = chats.moment(jsonl.text(message.get("thread_ts")) or stamp)
            months.setdefault(root[:7], []).append(turn)
    yield tally
    for month, turns in sorted(months.items()):
        started = min((turn.said for turn in turns if turn.said), default="")
        shown = f"{title}, {month}" if month else title
        yield Conversation(f"slack-{own or folder}-{month}", jsonl.text(shown), started, tuple(turns))


def _order(message: Mapping[str, Any]) -> tuple[float, float]:
    stamp = _number(message.get("ts"))
    return _number(message.get("thread_ts")) or stamp, stamp


def _number(value: object) -> float:
    try:
        return float(value) if isinstance(value, str) else 0.0
    except ValueError:
        return 0.0


def _recognise(head: Head) -> bool:
    if archives.is_zip(head):
        names = archives.names(head)
        lists = {name.rsplit("/", 1)[-1] for name in names}
        return any(_DAY.search(name) for name in names) or {"channels.json", "users.json"} <= lists
    start = head.data.removeprefix(jsonl.BOM).lstrip()
    return start.startswith(b"[") and _SIGN.search(start) is not None and _TYPE.search(start) is not None


FORMAT = Container("slack", _recognise, conversations)
