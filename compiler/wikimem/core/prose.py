"""Prose: what people wrote on pages, and leads, in pieces that can be found and shown. Not claims, not the page's lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

LONGEST = 1200
"""Characters of a piece; a longer section is several."""


@dataclass(frozen=True, slots=True)
class Prose:
    """A piece of a page.

    Args:
        path: the page, `wiki/topics/payment-retries.md`.
        line: where it begins in the file, from 1.
        title: the page's title; its file name where it has none.
        aliases: the page's other names.
        section: the heading it stands under; empty before the first.
        scope: the page's scope; empty for none.
        text: its lines.
    """

    path: str
    line: int
    title: str
    aliases: tuple[str, ...]
    section: str
    scope: str
    text: str

    @property
    def cite(self) -> str:
        """Where it stands: `wiki/topics/payment-retries.md:L40`."""
        return f"{self.path}:L{self.line}"


@dataclass(frozen=True, slots=True)
class Block:
    """A block of markdown: its lines in the file, from 0, half open, and the heading it stands under."""

    first: int
    last: int
    section: str


def everything(text: str) -> tuple[dict[int, str], list[Block]]:
    """A text that is not read as a page: all its lines, as one block."""
    lines = text.split("\n")
    return dict(enumerate(lines)), [Block(0, len(lines), "")]


def pieces(
    path: str, title: str, aliases: tuple[str, ...], scope: str, lines: dict[int, str], blocks: Iterable[Block]
) -> Iterator[Prose]:
    """The pieces of a page: blocks of one section together, as long as they are short.

    Args:
        path, title, aliases, scope: as in `Prose`.
        lines: those that count, by number from 0.
        blocks: in order.
    """
    held: list[str] = []
    start = size = 0
    section = ""

    def piece() -> Iterator[Prose]:
        text = "\n".join(held).strip()
        if text.lstrip("#").strip() not in ("", "Notes"):
            yield Prose(path, start + 1, title, aliases, section, scope, text)
        held.clear()

    for block in blocks:
        numbers = [number for number in range(block.first, block.last) if number in lines]
        for number in numbers:
            line = lines[number]
            # A new piece begins with a section, and where a block or, in a block that is long itself, a line overflows.
            full = size + len(line) > LONGEST and (number == numbers[0] or size > LONGEST)
            if held and (block.section != section or full):
                yield from piece()
            if held and number == numbers[0]:
                held.append("")
            if not held:
                if not line.strip():
                    continue
                start, size, section = number, 0, block.section
            held.append(line)
            size += len(line) + 1
    yield from piece()


def is_generated(path: str) -> bool:
    """Whether code writes all of a page: the index pages and the cards of sessions."""
    return path.startswith("wiki/sessions/") or path.rpartition("/")[2] == "index.md"


CONFLICT = ("<<<<<<< ", ">>>>>>> ")
"""What the lines begin with that git leaves where a merge was not settled."""


def is_unsettled(text: str) -> bool:
    """Whether git left an unsettled merge in a text."""
    return all(any(line.startswith(mark) for line in text.splitlines()) for mark in CONFLICT)
