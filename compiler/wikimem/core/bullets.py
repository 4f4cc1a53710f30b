"""What a person wrote down in markdown, as statements: a bullet, a paragraph, a command. Not what they claim.

Headings, and lines that only introduce others, are no statements; they travel with those that stand under them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from wikimem.core import front, texts

_RULE = "---"
_FENCE = re.compile(r"[ \t]*(?:[-*+][ \t]+)?(?P<sign>`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(?P<level>#{1,6})[ \t]+(?P<text>.*?)[ \t]*#*[ \t]*\Z")
_ITEM = re.compile(r"(?P<indent>[ \t]*)(?P<sign>[-*+]|\d{1,4}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?P<text>\S.*)\Z")
_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*\Z")
COLUMN = " | "
"""What stands between the columns of a table, where they introduce its rows."""

_IMPORT = re.compile(r"[ \t]*(?:[-*+][ \t]+)?@[\w~./-]+[ \t]*\Z")


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that was written down.

    Args:
        line: of its first line in the file, from 1.
        last: of its last line.
        text: as it stands there, without the sign of a bullet.
        headings: that it stands under, the widest first.
        parent: the line that introduces it, `To deploy:`; may be empty.
    """

    line: int
    last: int
    text: str
    headings: tuple[str, ...] = ()
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A file, read.

    Args:
        front: the scalars of its frontmatter.
        title: from the frontmatter, else its first heading; may be empty.
        statements: in order.
        noise: lines or blocks that state nothing, by kind.
    """

    front: Mapping[str, str]
    title: str
    statements: tuple[Statement, ...]
    noise: Mapping[str, int]


@dataclass(slots=True)
class _Item:
    first: int
    last: int
    lines: list[str]
    headings: tuple[str, ...]
    indent: int = -1
    parent: _Item | None = None
    code: bool = False
    opens: bool = False


@dataclass(slots=True)
class _Reader:
    """Gathers lines into items, and remembers under what they stand."""

    items: list[_Item] = field(default_factory=list)
    headings: list[tuple[int, str]] = field(default_factory=list)
    noise: Counter[str] = field(default_factory=Counter)
    current: _Item | None = None
    fence: str = ""
    comment: bool = False
    blank: bool = True

    def take(self, number: int, line: str) -> None:
        """Take one line."""
        if self.fence:
            self._add(number, line)
            if line.strip().startswith(self.fence) and not line.strip().strip(self.fence[0]):
                self.fence = ""
            return
        if self.comment or line.lstrip().startswith("<!--"):
            self.noise["comment"] += not self.comment
            self.comment = "-->" not in line
            return
        if not line.strip():
            self.blank = True
            return
        if opening := _FENCE.match(line):
            self._code(number, line, opening["sign"])
        elif heading := _HEADING.match(line):
            self._heading(len(heading["level"]), plain(heading["text"]))
        elif _IMPORT.match(line):
            self.noise["import"] += 1
            self.current = None
        elif _is_ruler(line.strip()):
            self._ruler("|" in line)
        elif item := _ITEM.match(line):
            self._item(number, item)
        elif _ROW.match(line):
            last = self.items[-1] if self.items else None
            head = None if last is None else last if last.opens else last.parent
            above = not self.blank and last is not None and _ROW.match(last.lines[-1]) is not None
            self._start(number, line, parent=head if above else None)
        elif self.current is not None and (not self.blank or (line[0] in " \t" and self.current.indent >= 0)):
            self._add(number, line)
        else:
            self._start(number, line)
        self.blank = False

    def _add(self, number: int, line: str) -> None:
        assert self.current is not None
        self.current.lines.append(line)
        self.current.last = number

    def _start(self, number: int, line: str, indent: int = -1, parent: _Item | None = None) -> None:
        under = tuple(text for _, text in self.headings)
        self.current = _Item(number, number, [line], under, indent, parent)
        self.items.append(self.current)

    def _code(self, number: int, line: str, sign: str) -> None:
        # Code explains the words before it; under a bare heading it is a statement of its own.
        if self.current is None:
            self._start(number, line)
            assert self.current is not None
            self.current.code = True
        else:
            self._add(number, line)
        self.fence = sign

    def _heading(self, level: int, text: str) -> None:
        self.noise["heading"] += 1
        self.headings = [(deep, told) for deep, told in self.headings if deep < level]
        if text:
            self.headings.append((level, text))
        self.current = None

    def _ruler(self, table: bool) -> None:
        """A line across; in a table, what stands above it names the columns of the rows below."""
        self.noise["ruler"] += 1
        head = self.items[-1] if table and self.current is not None and self.current is self.items[-1] else None
        if head is not None and _ROW.match(head.lines[-1]):
            head.opens = True
        self.current = None

    def _item(self, number: int, item: re.Match[str]) -> None:
        indent = len(item["indent"].expandtabs(4))
        under = tuple(text for _, text in self.headings)
        parent: _Item | None = None
        for above in reversed(self.items):
            if above.headings != under:
                break
            if above.indent == indent:
                parent = above.parent
                break
            if above.indent < indent and (above.indent >= 0 or _introduces(above)):
                parent = above
                break
            if above.indent < 0:
                break
        if parent is not None and _introduces(parent):
            parent.opens = True
        # The number of a step is part of what was said, the sign of a bullet is not.
        text = f"{item['sign']} {item['text']}" if item["sign"][0].isdigit() else item["text"]
        self._start(number, text, indent, parent)


def _is_ruler(line: str) -> bool:
    """Whether a line is only drawn: a rule across, or what divides a table's head from its rows."""
    if "|" in line:
        return "-" in line and not line.strip("|:- \t")
    return len(line) > 2 and (not line.strip("- \t") or not line.strip("* \t") or not line.strip("_ \t"))


def _led(parent: _Item) -> str:
    """The line that introduces a statement; of a table, its columns."""
    if _ROW.match(parent.lines[-1]):
        return COLUMN.join(cells(parent.lines[-1]))
    return plain(" ".join(parent.lines)).rstrip(": ")


def cells(row: str) -> list[str]:
    """The cells of a table's row, as plain words."""
    return [plain(cell) for cell in row.strip().strip("|").split("|")]


def _introduces(item: _Item) -> bool:
    return not item.code and item.lines[-1].rstrip().rstrip("*_").endswith(":")


_LEANING = re.compile(
    r"(?:except|unless|but|and|or|only|also|even|including|excluding|otherwise|else|if|when|than|instead)\b", re.IGNORECASE
)
_LEAD = 200
"""Characters of a line that a part of it is told with."""


def _leans(item: _Item) -> bool:
    """Whether a bullet below another one only goes on with what that says: `except in YAML`."""
    told, parent = item.lines[0].strip(), item.parent
    if parent is None or parent.indent >= item.indent or parent.code or len(" ".join(parent.lines)) > _LEAD:
        return False
    return told[0].islower() or _LEANING.match(told) is not None


def document(text: str) -> Document:
    """A markdown file as statements. Any text can be read; what states nothing is counted."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    told, begins = _front(lines)
    reader = _Reader()
    for number, line in enumerate(lines[begins:], begins + 1):
        reader.take(number, line)
    reader.noise["frontmatter"] += begins > 0
    statements = []
    for item in reader.items:
        if item.opens and not item.code:
            reader.noise["introduction"] += 1
            continue
        parent = item.parent
        led = _led(parent) if parent is not None and (parent.opens or _leans(item)) else ""
        body = "\n".join(item.lines).strip()
        if plain(body):
            statements.append(Statement(item.first, item.last, body, item.headings, led))
        else:
            reader.noise["empty"] += 1
    title = told.get("title", "") or next((text for item in reader.items for text in item.headings[:1]), "")
    return Document(told, title, tuple(statements), +reader.noise)


def _front(lines: list[str]) -> tuple[dict[str, str], int]:
    """The scalars of the frontmatter, and how many lines it takes; none where it does not end."""
    if not lines or lines[0].rstrip() != _RULE:
        return {}, 0
    told: dict[str, str] = {}
    for number, line in enumerate(lines[1:400], 2):
        if line.rstrip() in (_RULE, "..."):
            return told, number
        found = front.read(line)
        if found is not None and isinstance(found[1], str):
            told.setdefault(found[0], found[1])
    return {}, 0


_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_FENCED = re.compile(r"(?:\A|\n)[ \t]*(?P<sign>`{3,}|~{3,})[^\n]*\n(?P<body>.*?)(?:\n[ \t]*(?P=sign)[^\n]*|\Z)", re.DOTALL)
_MARKUP = (
    (re.compile(r"!\[[^\]]*\]\([^)]*\)|!\[\[[^\]]*\]\]"), ""),
    (re.compile(r"\[\[(?:[^\]|]*\|)?([^\]]+)\]\]"), r"\1"),
    (re.compile(r"\[([^\]]+)\]\([^)]*\)"), r"\1"),
    (re.compile(r"(?<!\w)(\*\*|__)(?=\S)(.+?)(?<=\S)\1(?!\w|\.\w)"), r"\2"),
    (re.compile(r"(?<![\w*])([*_])(?=\S)([^*_\n]+?)(?<=\S)\1(?![\w*])"), r"\2"),
    (re.compile(r"~~(.+?)~~"), r"\1"),
    (re.compile(r"(?:^|\n)[ \t]*>[ \t]?"), " "),
    (re.compile(r"<!--.*?-->", re.DOTALL), ""),
)
_SHOWN = 3
# What is longer is no statement but a dump; the turn keeps all of it.
_MOST = 4000
_KEPT = "\ue000"


def plain(text: str) -> str:
    """A statement's words as claim text: one line without markup, code spans as they are."""
    text = _FENCED.sub(_span, text[:_MOST].replace(_KEPT, ""))
    spans = [span[0] for span in _CODE.finditer(text)]
    # Code keeps its signs, and markup may stand around it.
    bare = _bare(_CODE.sub(_KEPT, text))
    if bare.strip().startswith("|"):
        bare = "; ".join(cell.strip() for cell in bare.strip().strip("|").split("|") if cell.strip())
    for span in spans:
        bare = bare.replace(_KEPT, span, 1)
    return texts.normal(bare)


def _span(found: re.Match[str]) -> str:
    """A fenced block as spans, where it is short."""
    lines = [line.strip() for line in found["body"].split("\n") if line.strip() and not line.lstrip().startswith("#")]
    if len(lines) > _SHOWN or any("`" in line for line in lines):
        return ""
    return " " + ", ".join(f"`{line}`" for line in lines)


def _bare(text: str) -> str:
    for pattern, shown in _MARKUP:
        text = pattern.sub(shown, text)
    return text
