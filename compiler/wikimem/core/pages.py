"""Pages: a markdown page as lines, each ours and read to its value, or a person's and kept verbatim. Not its making.

`write(parse(text))` is the text, and `parse(write(page))` is the page: nothing on a page is lost or reordered by
reading it. How a page is made from claims is told in `compose`; how people's lines get onto a new rendering, in `keep`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from wikimem.core import footnotes, front, lines
from wikimem.core.footnotes import Footnote
from wikimem.core.lines import ClaimLine

SECTIONS = (
    "Facts",
    "Preferences",
    "Steps",
    "Events",
    "Observations",
    "Inferences",
    "Opinions",
    "History",
    "Related",
)
"""The sections that we write, in their order. `Notes` comes last and is a person's, as is any other."""


@dataclass(frozen=True, slots=True)
class Rule:
    """`---`, which opens and closes the frontmatter."""


@dataclass(frozen=True, slots=True)
class Key:
    """A frontmatter line that is ours; `raw` as in `ClaimLine`. The value is None where its form is not known."""

    key: str
    value: front.Value | None
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Title:
    """The page's heading."""

    text: str


@dataclass(frozen=True, slots=True)
class Lead:
    """The lead: sentences, each with the ids of the claims it rests on."""

    sentences: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a section of ours."""

    section: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link to another page: a related subject, with a reason where one is known, or a part of this page."""

    title: str
    target: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Blank:
    """An empty line."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A line that a person wrote."""

    text: str


Line = Rule | Key | Title | Lead | Heading | ClaimLine | Link | Footnote | Blank | Kept


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its lines in order."""

    lines: tuple[Line, ...]

    @property
    def front(self) -> dict[str, front.Value]:
        """The values of our frontmatter keys, as far as their form is known."""
        return {line.key: line.value for line in self.lines if isinstance(line, Key) and line.value is not None}

    @property
    def title(self) -> str:
        """The title in the frontmatter, else the heading."""
        told = self.front.get("title", "")
        heading = next((line.text for line in self.lines if isinstance(line, Title)), "")
        return told if isinstance(told, str) and told else heading

    @property
    def claims(self) -> tuple[tuple[str, ClaimLine], ...]:
        """Section and line of each claim, in order."""
        return tuple((section, line) for section, line in self.placed() if isinstance(line, ClaimLine))

    @property
    def notes(self) -> dict[str, Footnote]:
        """The footnotes by claim id."""
        return {line.id: line for line in self.lines if isinstance(line, Footnote)}

    @property
    def links(self) -> tuple[Link, ...]:
        """All links to other pages, in order."""
        return tuple(line for line in self.lines if isinstance(line, Link))

    def placed(self) -> Iterator[tuple[str, Line]]:
        """Each line with the section of ours it stands in, empty before the first."""
        section = ""
        for line in self.lines:
            section = line.section if isinstance(line, Heading) else section
            yield section, line


def write(page: Page) -> str:
    """The page's text; it ends in a newline."""
    return "".join(f"{write_line(line)}\n" for line in page.lines)


def write_line(line: Line) -> str:
    """A line's text, without a newline."""
    match line:
        case Rule():
            return "---"
        case Key(key, value, raw):
            return raw or front.write(key, value if value is not None else "")
        case Title(text):
            return f"# {_heading(text)}"
        case Lead(sentences):
            return " ".join(_sentence(text, ids, not index) for index, (text, ids) in enumerate(sentences))
        case Heading(section):
            return f"## {section}"
        case ClaimLine():
            return lines.write(line)
        case Link(title, target, reason):
            why = f": {lines.escape(reason, start=False)}" if reason else ""
            return f"- [{lines.label(title)}]({target}){why}"
        case Footnote():
            return footnotes.write(line)
        case Blank():
            return ""
        case Kept(text):
            return text


def _heading(text: str) -> str:
    raw = lines.escape(text, start=False)
    # A run of `#` at the end would be taken for the closing of the heading.
    return re.sub(r"(^| )(#+)$", r"\1\\\2", raw)


def _sentence(text: str, ids: tuple[str, ...], start: bool) -> str:
    return lines.escape(text, start) + "".join(f"[^{id}]" for id in ids)


def parse(text: str) -> Page:
    """The page of a text. A byte order mark and `\\r` before a newline are dropped; all else comes back as it was."""
    raw = split(text)
    if raw[-1] == "":
        raw.pop()
    end = front_end(raw)
    head: list[Line] = [Rule(), *(_front_line(line) for line in raw[1:end]), Rule()] if end else []
    return Page((*head, *_body(raw[end + 1 if end else 0 :])))


def split(text: str) -> list[str]:
    """The lines of a page's text, without a byte order mark and `\\r` at their ends; the last one is what follows the
    last newline."""
    return re.sub(r"\r+(?=\n|\Z)", "", text.lstrip("\ufeff")).split("\n")


def front_end(raw: list[str]) -> int:
    """The index of the line that closes the frontmatter; 0 if there is none."""
    if not raw or raw[0] != "---":
        return 0
    return next((index for index in range(1, len(raw)) if raw[index] == "---"), 0)


def _front_line(raw: str) -> Line:
    found = front.read(raw)
    if found is None or found[0] not in front.KEYS:
        return Kept(raw) if raw else Blank()
    key, value = found
    return Key(key, value, "" if value is not None and front.write(key, value) == raw else raw)


_FENCE = re.compile(r" {0,3}(?P<fence>`{3,}(?=[^`]*$)|~{3,})")
_OURS = {f"## {section}": section for section in SECTIONS}
_PART = re.compile(r"[^/\s()]+/[^/\s()]+\.md")


def _body(raw: list[str]) -> Iterator[Line]:
    hidden = verbatim(raw)
    section: str | None = ""
    titled = False
    seen: set[str] = set()
    for index, line in enumerate(raw):
        if not line:
            yield Blank()
        elif index in hidden:
            yield Kept(line)
        elif line in _OURS and line not in seen:
            seen.add(line)
            section = _OURS[line]
            yield Heading(section)
        elif line.startswith("# ") and not titled and section == "":
            titled = True
            yield _title(line)
        elif line.startswith(("# ", "## ")):
            # A section of a person's own, Notes among them: all of it is theirs, until one of ours begins.
            section = None
            yield Kept(line)
        else:
            found = footnotes.read(line) if line.startswith("[^") else _line_in(section, line, titled)
            if isinstance(found, Footnote):
                section = "[^]"
            yield found or Kept(line)


def _title(raw: str) -> Line:
    title = Title(lines.unescape(raw[2:]))
    return title if write_line(title) == raw else Kept(raw)


def _line_in(section: str | None, raw: str, titled: bool) -> Line | None:
    """A line of a section of ours; None if it is a person's."""
    match section:
        case None | "[^]":
            return None
        case "":
            return _lead(raw) if titled else None
        case "Related":
            return _link(raw)
    claim = lines.read(raw)
    if claim is not None:
        return claim
    link = _link(raw)
    return link if link and not link.reason and _PART.fullmatch(link.target) else None


def sentences(raw: str) -> tuple[tuple[str, tuple[str, ...]], ...] | None:
    """The sentences of a lead, each with the claims it cites; None for a line that is no lead."""
    found = _lead(raw)
    return found.sentences if found else None


def _lead(raw: str) -> Lead | None:
    sentences: list[tuple[str, tuple[str, ...]]] = []
    position = 0
    while position < len(raw):
        text, end = lines.scan(raw, position)
        ids: list[str] = []
        while (cited := lines.CITE.match(raw, end)) is not None:
            ids.append(cited[1])
            end = cited.end()
        if not ids:
            return None
        sentences.append((text, tuple(ids)))
        position = end + 1 if raw[end : end + 1] == " " else end
    lead = Lead(tuple(sentences))
    return lead if write_line(lead) == raw else None


_LINK = re.compile(r"- \[(?P<title>(?:[^\[\]\\]|\\.)*)\]\((?P<target>[^()\s]+)\)(?:: (?P<reason>.+))?")


def _link(raw: str) -> Link | None:
    match = _LINK.fullmatch(raw)
    if match is None:
        return None
    link = Link(lines.unescape(match["title"]), match["target"], lines.unescape(match["reason"] or ""))
    return link if write_line(link) == raw else None


def verbatim(raw: list[str]) -> set[int]:
    """The indexes of lines inside a code fence or a comment: nothing there is ours, whatever it looks like.

    What is never closed is no fence: otherwise one stray line would hide the rest of the page.
    """
    inside: set[int] = set()
    for index, line in enumerate(raw):
        if line.lstrip().startswith(("```", "~~~", "<!--")) and index not in inside:
            end = _closing(raw, index)
            inside.update(range(index, end + 1))
    return inside


def _closing(raw: list[str], index: int) -> int:
    """The index of the line that closes the fence or comment that a line opens; -1 if it opens none, or none closes."""
    fence = _FENCE.match(raw[index])
    if fence is not None:
        mark = fence["fence"]
        closing = re.compile(rf" {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]*")
        return next((at for at in range(index + 1, len(raw)) if closing.fullmatch(raw[at])), -1)
    if raw[index].lstrip().startswith("<!--"):
        return next((at for at in range(index, len(raw)) if "-->" in raw[at]), -1)
    return -1
