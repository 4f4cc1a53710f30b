"""Links that people write on pages: markdown's, and wikilinks as Obsidian has them. Found where they are links, and moved.

Not a link is what stands in code, fenced or inline, or in a comment. Lines of claims and their proofs are not looked at: their
links are ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from posixpath import dirname, join, normpath, relpath

from wikimem.core import footnotes, pages

_CODE = re.compile(r"(?<![`\\])(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)|<!--.*?-->")
_MARKDOWN = re.compile(r"\]\((?P<target>[^()\s#<>]+\.md)(?:#[^()\s]*)?\)")
_WIKI = re.compile(r"\[\[(?P<target>[^\[\]|#\\\n]+?)(?:\\?[|#][^\[\]\n]*)?\]\]")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|/")


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a page to another page.

    Args:
        line: the index of its line.
        start, end: where its target stands in the line, without heading and words.
        target: as written.
        path: what it leads to, from where the page's own path is counted; for a wikilink without a folder the bare name.
        wiki: whether it is a wikilink.
    """

    line: int
    start: int
    end: int
    target: str
    path: str
    wiki: bool


def find(text: str, page: str) -> Iterator[Link]:
    """The links in the lines of people, in order.

    Args:
        text: the page.
        page: its path.
    """
    raw = text.split("\n")
    hidden = pages.verbatim(raw)
    for number, line in enumerate(raw):
        if ("](" not in line and "[[" not in line) or number in hidden or "[^" in line or line.startswith(("    ", "\t")):
            continue
        masked = _masked(line)
        found = [_markdown(number, match, page) for match in _MARKDOWN.finditer(masked)]
        found += [_wiki(number, match) for match in _WIKI.finditer(masked)]
        yield from sorted((link for link in found if link is not None), key=lambda link: link.start)


def _masked(line: str) -> str:
    """A line with blanks for its code and comments; code that is the words of a wikilink stays: `[[page|`code`]]`."""
    spans = [match.span() for match in _WIKI.finditer(line)]

    def blank(match: re.Match[str]) -> str:
        within = any(start < match.start() and match.end() < end for start, end in spans)
        return match[0] if within else " " * len(match[0])

    return _CODE.sub(blank, line)


def _markdown(line: int, match: re.Match[str], page: str) -> Link | None:
    target = match["target"]
    if _URL.match(target):
        return None
    return Link(line, *match.span("target"), target, normpath(join(dirname(page), _decoded(target))), False)


def _wiki(line: int, match: re.Match[str]) -> Link | None:
    target = match["target"]
    if _URL.match(target) or target != target.strip():
        return None
    return Link(line, *match.span("target"), target, target, True)


def moved(text: str, page: str, moves: Mapping[str, str]) -> str:
    """A page whose links lead to where pages lie now.

    Args:
        text: the page.
        page: its path below `wiki/`.
        moves: old path below `wiki/` to the new one.
    """
    names: dict[str, str] = {}
    for old, new in moves.items():
        names[old.removesuffix(".md").casefold()] = new.removesuffix(".md")
        names[_stem(old).casefold()] = _stem(new)
    raw = text.split("\n")
    for link in reversed(list(find(text, page))):
        if link.wiki:
            bare = link.path.removesuffix(".md")
            to = names.get(bare.casefold(), "")
            becomes = to + link.path[len(bare) :] if to else ""
        else:
            to = moves.get(link.path, "")
            becomes = relpath(to, dirname(page) or ".") if to else ""
            becomes = footnotes.url(becomes) if becomes else ""
        if becomes:
            raw[link.line] = raw[link.line][: link.start] + becomes + raw[link.line][link.end :]
    return "\n".join(raw)


def _decoded(target: str) -> str:
    """A target without its percent signs; as it is where they are no UTF-8."""
    coded = re.sub(rb"%([0-9A-Fa-f]{2})", lambda match: bytes((int(match[1], 16),)), target.encode("utf-8", "surrogateescape"))
    try:
        return coded.decode("utf-8")
    except UnicodeDecodeError:
        return target


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")
