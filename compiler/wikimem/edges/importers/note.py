"""Notes: any UTF-8 text or markdown that is no other format; each block of it is something a person wrote.

A block is a paragraph, a heading, a list or a quotation; a fenced code block belongs to the block before it. Dates
inside the text are not interpreted, except in front matter.

Everything in a note counts as a person's words. So what may be the transcript of an agent in a format that no importer
reads (JSON, other tools' markdown) is refused rather than taken for a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from wikimem.core import times
from wikimem.core.turns import Form, Line, Noise, Record, Speaker, Turn
from wikimem.edges.importers.format import Head, LineFormat

_BOM = b"\xef\xbb\xbf"
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_HEADING = re.compile(r" {0,3}#{1,6}(?=[ \t]|\Z)")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|\Z)")
_SETTING = re.compile(r"(?P<key>title|date)[ \t]*:[ \t]*(?P<value>\S.*)", re.IGNORECASE)
_DATE = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<dash>[-_.]?)(?P<month>\d\d)(?P=dash)(?P<day>\d\d)(?!\d)")
_SUFFIXES = frozenset({"", ".md", ".markdown", ".txt", ".text", ".rst", ".org", ".adoc"})
# Chat histories of agents, as Aider, Cursor, SpecStory and others write them into markdown.
_HISTORY = re.compile(
    rb"^(?:# aider chat started at |_Exported on .* from Cursor|<USER_REQUEST>"
    rb"|_?\*\*(?:User|Human|Assistant|Agent|Cursor)\b[^\n]*\*\*_?\s*$"
    rb"|#{1,4} (?:User|Human|Assistant|Agent|You|Claude|ChatGPT|User Input|Planner Response)\s*:?\s*$)",
    re.MULTILINE | re.IGNORECASE,
)
# Front matter that is longer is no front matter but a note that begins with a rule.
_LONGEST_FRONT = 200


def read(lines: Iterable[Line]) -> Iterator[Record]:
    """Records of a note: its front matter as one of noise, then one for each block; see `LineFormat.read`."""
    numbered = iter(lines)
    front, rest = _front(numbered)
    if front:
        yield _matter(front)
    reader = _Blocks()
    for line in rest:
        yield from reader.take(line, _decoded(line))
    for line in numbered:
        yield from reader.take(line, _decoded(line))
    yield from reader.flush()


def _decoded(line: Line) -> str:
    data = line.data.removeprefix(_BOM) if line.number == 1 else line.data
    return data.decode("utf-8", "replace")


def _front(lines: Iterator[Line]) -> tuple[list[Line], list[Line]]:
    """The lines of the front matter, and those that were read in looking for it but are none of it."""
    read: list[Line] = []
    for line in lines:
        read.append(line)
        text = _decoded(line).rstrip()
        if len(read) == 1:
            if text != "---":
                return [], read
        elif text in ("---", "..."):
            return read, []
        elif len(read) > _LONGEST_FRONT:
            return [], read
    return [], read


def _matter(front: list[Line]) -> Record:
    facts: dict[str, str] = {}
    for line in front[1:-1]:
        setting = _SETTING.match(_decoded(line))
        if setting is None:
            continue
        key, value = setting["key"].lower(), setting["value"].strip().strip("'\"").strip()
        told = times.utc(value) or date_of(value) if key == "date" else value
        if told:
            facts.setdefault(key, times.day(told) if key == "date" else told)
    return Record(front[0].number, front[0].offset, Noise("front matter"), facts=facts)


class _Blocks:
    """Gathers lines into blocks."""

    def __init__(self) -> None:
        self.first: Line | None = None
        self.texts: list[str] = []
        self.fence = ""
        self.listed = False
        self.blank = False
        self.titled = False

    def take(self, line: Line, text: str) -> Iterator[Record]:
        """Take one line; the records it completes."""
        if self.fence:
            self.texts.append(text)
            if text.strip().startswith(self.fence) and not text.strip().strip(self.fence[0]):
                self.fence = ""
                self.blank = False
            return
        if not text.strip("\x00 \t\r\f\v"):
            self.blank = True
            return
        opening = _FENCE.match(text)
        if opening and not (opening[1][0] == "`" and "`" in opening[2]):
            # Code explains the words before it: one block, also over a blank line.
            yield from self._add(line, text, joins=True)
            self.fence = opening[1]
            return
        if _HEADING.match(text):
            yield from self.flush()
            yield from self._add(line, text, joins=False)
            yield from self.flush()
            return
        item = _ITEM.match(text) is not None
        follows = self.listed and (item or text[0] in " \t")
        if item and not self.listed and not self.blank and self.texts:
            # The sentence that introduces a list stays with it.
            self.listed = True
        yield from self._add(line, text, joins=follows or not self.blank)
        self.listed = self.listed or item

    def _add(self, line: Line, text: str, joins: bool) -> Iterator[Record]:
        if not joins:
            yield from self.flush()
        if self.first is None:
            self.first = line
        elif self.blank:
            self.texts.append("")
        self.blank = False
        self.texts.append(text)

    def flush(self) -> Iterator[Record]:
        """The record of the block gathered so far, if there is one."""
        first, text = self.first, "\n".join(self.texts).rstrip()
        self.first, self.texts, self.fence, self.listed, self.blank = None, [], "", False, False
        if first is None:
            return
        facts = {}
        if not self.titled and _HEADING.match(text) and (title := text.strip("# \t")):
            facts["title"] = title
            self.titled = True
        yield Record(first.number, first.offset, (Turn(f"L{first.number}", Speaker.HUMAN, Form.PROSE, text),), facts=facts)


def date_of(text: str) -> str:
    """The first date written in a name, as `2026-08-14`; '' if there is none. Separators: `-`, `_`, `.` or none."""
    for found in _DATE.finditer(text):
        if day := times.utc(f"{found['year']}-{found['month']}-{found['day']}"):
            return day
    return ""


def _hint(path: Path) -> Mapping[str, str]:
    day = date_of(path.name)
    return {"date": day} if day else {}


def _recognise(head: Head) -> bool:
    data = head.data.removeprefix(_BOM)
    if not data.strip() or b"\x00" in data or Path(head.name).suffix.lower() not in _SUFFIXES:
        return False
    if data.lstrip().startswith((b'{"', b"[{", b"[[", b"[\n", b"{\n")) or _HISTORY.search(data):
        return False
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as bad:
        # Only a character cut by the end of the head may be incomplete.
        if head.whole or bad.start < len(data) - 3:
            return False
        text = data[: bad.start].decode("utf-8")
    shown = sum(character.isprintable() or character in "\n\t\r\f" for character in text)
    return shown >= 0.95 * len(text)


FORMAT = LineFormat("note", _recognise, read, ".md", json=False, hint=_hint)
