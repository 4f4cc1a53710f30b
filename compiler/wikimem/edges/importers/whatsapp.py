"""Chats that WhatsApp and Signal export as text, in the zip or unpacked: a dated line a message, and its further lines.

Whether 3/4 is a day in March or in April is decided once for the whole file: by a number above 12, else by the order in
which all dates must stand. Where neither tells, nothing is guessed: the reason says which format name settles it. Times have
no zone. A name is how the exporting phone knows the person.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path

from wikimem.core import times
from wikimem.core.turns import Form, Speaker, Turn
from wikimem.edges.importers import archives, chats, jsonl
from wikimem.edges.importers.chats import Tally
from wikimem.edges.importers.format import Container, Conversation, Head

_LARGEST = 512 << 20
_MARKS = "\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"
_DATE = r"(?P<one>\d{1,4})(?P<sep>[/.-])[ ]?(?P<two>\d{1,2})[/.-][ ]?(?P<three>\d{1,4})\.?"
_TIME = (
    r"(?P<early>上午|午前|오전|下午|午後|오후)?\s?(?P<hour>\d{1,2})[:.](?P<minute>\d\d)(?:[:.](?P<second>\d\d))?"
    r"(?:\s*(?P<half>[AaPp])\.?\s?[Mm]\.?)?"
)
_BRACKETED = rf"\[{_DATE},?\s{{1,2}}{_TIME}\]"
_DASHED = rf"{_DATE},?\s{_TIME}\s[-–]".replace("?P<", "?P<a")
_HEAD = re.compile(rf"[{_MARKS}]*(?:{_BRACKETED}|{_DASHED}\s)\s?(?P<rest>.*)", re.DOTALL)
_NAMED = re.compile(
    rf"[{_MARKS}~\s]*(?P<name>[^:\n\"“”«»]{{1,80}}?)[{_MARKS}]?:(?:[ ](?P<text>.*)|(?P<bare>[^\s/].*)?)\Z", re.DOTALL
)
_STRIP = re.compile(f"[{_MARKS}]")
_MEDIA = re.compile(
    r"(?:<(?:Media|[\w\s]{1,30}) (?:omitted|weggelassen|omitido|omis|omesso)>|"
    r"(?:image|video|audio|sticker|document|GIF|Contact card|video note|.{1,80} document) omitted)\Z",
    re.IGNORECASE,
)
_ATTACHED = re.compile(
    r"<(?:attached|Anhang|adjunto|pièce jointe)\s?: (?P<in>[^>\n]+)>|"
    r"(?P<name>[^\n]+\.\w{2,5}) \((?:file attached|Datei angehängt)\)"
)
_DELETED = re.compile(r"(?:This message was deleted|You deleted this message|Diese Nachricht wurde gelöscht)\.?\Z")
_EDITED = re.compile(r"\s*<This message was edited>\Z")
_TITLE = re.compile(r"WhatsApp[ -]Chat(?: with|-| -|_)?\s*(?P<who>.+)\Z", re.IGNORECASE)
_LATE = frozenset(("下午", "午後", "오후"))


@dataclass(slots=True)
class _Message:
    """A message as it stands in the file: the three numbers of its date, its time, and the rest."""

    date: tuple[str, str, str]
    clock: str
    sep: str
    rest: list[str]


@dataclass(slots=True)
class _Log:
    """The messages of a file, and the lines before the first one, which belong to none."""

    messages: list[_Message] = field(default_factory=list)
    stray: int = 0


def whatsapp(path: Path, order: str = "") -> Iterator[Conversation | str]:
    """The one conversation of an export.

    Args:
        path: the text or the archive.
        order: `dmy` or `mdy` where the caller knows it; '' to decide.
    """
    for name, raw in _texts(path):
        if raw is None:
            yield chats.told(name, 0, f"it has more than {_LARGEST} bytes, more than any chat")
            continue
        log = _parsed(raw.decode("utf-8-sig", "replace"))
        if not log.messages:
            yield chats.told(name, 0, "no dated message")
            continue
        decided = order or _order(log.messages)
        if not decided:
            yield chats.told(
                name,
                0,
                "whether its dates are day/month or month/day cannot be told from them; "
                "ingest it with --format whatsapp-dmy or --format whatsapp-mdy",
            )
            continue
        yield from chats.handed(_conversation(log, decided, _title(path, name)))


def _texts(path: Path) -> Iterator[tuple[str, bytes | None]]:
    with archives.opened(path) as archive:
        if archive is None:
            data = path.read_bytes() if path.stat().st_size <= _LARGEST else None
            yield "", data
            return
        for name, stream in archives.members(archive, lambda member: member.endswith(".txt")):
            if not isinstance(stream, str):
                data = stream.read(_LARGEST + 1)
                yield name, data if len(data) <= _LARGEST else None


def _parsed(text: str) -> _Log:
    log = _Log()
    for line in text.split("\n"):
        line = line.removesuffix("\r")
        found = _HEAD.match(line)
        if found is not None and (message := _message(found)) is not None:
            log.messages.append(message)
        elif log.messages:
            log.messages[-1].rest.append(line)
        elif line.strip():
            log.stray += 1
    return log


def _message(found: re.Match[str]) -> _Message | None:
    def part(name: str) -> str:
        return found[name] or found[f"a{name}"] or ""

    hour, half = int(part("hour")), part("half").lower()
    late = half == "p" or part("early") in _LATE
    if (half or part("early")) and hour <= 12:
        hour = hour % 12 + (12 if late else 0)
    if hour > 23 or int(part("minute")) > 59 or int(part("second") or 0) > 59:
        return None
    clock = f"{hour:02}:{int(part('minute')):02}:{int(part('second') or 0):02}"
    return _Message((part("one"), part("two"), part("three")), clock, part("sep"), [found["rest"]])


def _day(date: tuple[str, str, str], order: str) -> str:
    """The date as `2026-08-14`; '' if there is no such day in that order."""
    one, two, three = date
    if len(one) == 4:
        year, month, day = int(one), int(two), int(three)
    else:
        year = int(three) + (2000 if len(three) <= 2 else 0)
        day, month = (int(one), int(two)) if order == "dmy" else (int(two), int(one))
    return times.utc(f"{year:04}-{month:02}-{day:02}") if 1990 <= year < 2100 else ""


def _order(messages: Iterable[_Message]) -> str:
    """Which number of the dates is the day: `dmy`, `mdy`, or '' if that cannot be told."""
    dates = [message.date for message in messages]
    if all(len(one) == 4 for one, _, _ in dates) or all(message.sep == "." for message in messages):
        return "dmy"
    possible = {order: sum(not _day(date, order) for date in dates) for order in ("dmy", "mdy")}
    if possible["dmy"] != possible["mdy"]:
        # A line that only looks like a message may have any numbers; the order that more dates can have is the file's.
        return min(possible, key=lambda order: possible[order])
    back = {}
    for order in possible:
        days = [day for date in dates if (day := _day(date, order))]
        back[order] = sum(later < earlier for earlier, later in pairwise(days))
    if back["dmy"] != back["mdy"]:
        return min(back, key=lambda order: back[order])
    return "dmy" if all(one == two for one, two, _ in dates) else ""


def _conversation(log: _Log, order: str, title: str) -> Iterator[Conversation | Tally]:
    tally = Tally()
    tally.add("line before the first message", count=log.stray)
    turns: list[Turn] = []
    seen: Counter[bytes] = Counter()
    for message in log.messages:
        day = _day(message.date, order)
        said = f"{day}T{message.clock}" if day else ""
        rest = "\n".join(message.rest).rstrip()
        named = _NAMED.match(rest)
        if named is None:
            tally.add("system message")
            continue
        name = " ".join(_STRIP.sub("", named["name"]).split())
        raw = named["text"] if named["text"] is not None else named["bare"] or ""
        kind, text = _words(raw)
        if kind:
            tally.add(kind)
            continue
        key = blake2b("\x00".join((said, name, text)).encode("utf-8", "replace"), digest_size=8)
        seen[key.digest()] += 1
        count = seen[key.digest()]
        identity = key.hexdigest() if count == 1 else f"{key.hexdigest()}-{count}"
        turns.append(Turn("", Speaker.HUMAN, Form.PROSE, text, name=name, said=said, identity=identity))
    started = turns[0].said if turns else ""
    session = title or chats.session(started, turns)
    yield Conversation(session, title, started, tuple(turns), +tally.noise)


def _words(raw: str) -> tuple[str, str]:
    """The kind of noise that a message is, or '' and its words."""
    first, _, more = raw.partition("\n")
    bare = _STRIP.sub("", first).strip()
    caption = _STRIP.sub("", more).strip()
    if _DELETED.match(bare):
        return "deleted message", ""
    if _MEDIA.match(bare) and not caption:
        return "media without words", ""
    if attached := _ATTACHED.match(bare):
        name = (attached["in"] or attached["name"]).strip()
        return "", f"[file: {name}]" + (f"\n{caption}" if caption else "")
    if first.startswith("\u200e") and not caption:
        # What the app itself says in a person's name begins with this mark.
        return "system message", ""
    text = _EDITED.sub("", _STRIP.sub("", raw)).strip()
    return ("", text) if text else ("empty message", "")


def _title(path: Path, member: str) -> str:
    """Who the chat is with, from the names of file, archive and folder."""
    for name in (Path(member).stem if member else "", path.stem, path.parent.name):
        if found := _TITLE.match(name.strip()):
            return jsonl.text(found["who"].strip(" -_"))
    return ""


def _begins(head: Head) -> tuple[str, re.Match[str] | None]:
    """The first line of the text that may be a chat, and how it reads as the head of a message."""
    data = head.data
    if archives.is_zip(head):
        data = next((body for name, body in archives.names(head).items() if name.endswith(".txt")), b"")
    for line in data.decode("utf-8-sig", "replace").split("\n", 5)[:5]:
        if line.strip():
            return line, _HEAD.match(line)
    return "", None


def _is_signal(line: str) -> bool:
    return re.match(r"\[\d{4}-\d\d-\d\d,? \d\d:\d\d\] ", line) is not None


def _recognise(signal: bool) -> Callable[[Head], bool]:
    def recognise(head: Head) -> bool:
        line, found = _begins(head)
        return found is not None and _message(found) is not None and _is_signal(line) == signal

    return recognise


def _never(head: Head) -> bool:
    return False


FORMAT = Container("whatsapp", _recognise(False), whatsapp)
SIGNAL = Container("signal", _recognise(True), whatsapp)
DAY_FIRST = Container("whatsapp-dmy", _never, lambda path: whatsapp(path, "dmy"))
MONTH_FIRST = Container("whatsapp-mdy", _never, lambda path: whatsapp(path, "mdy"))
