"""Shelving: what a read-only shelf of a vault gives, and which paths may be named on it. Values and rules; opens no file.

A path on the shelf is relative, with `/`, and lies below `wiki/` or `sources/`. Whatever could lead elsewhere on any
system is refused by its spelling alone, before a file system sees it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

TOPS = ("wiki", "sources")
"""The folders of a vault that stand on its shelf."""

_LONGEST = 1024
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_ENCODED = re.compile(r"%(?:2e|2f|5c|00|25)", re.IGNORECASE)
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", *(f"com{number}" for number in range(1, 10)), *(f"lpt{number}" for number in range(1, 10))]
)


def _folded(path: str) -> str:
    """The path as some file system, or a reader, may see it: wide letters narrow, `․․` as `..`."""
    return unicodedata.normalize("NFKC", path)


def _leaves(part: str) -> bool:
    return part in ("", ".", "..")


RULES: tuple[tuple[Callable[[str], bool], str], ...] = (
    (lambda path: len(path) > _LONGEST, "it is longer than any path here"),
    (lambda path: _CONTROL.search(path) is not None, "it holds characters that no path here holds"),
    (lambda path: "\\" in _folded(path), "folders are separated by /"),
    (lambda path: ":" in _folded(path), "it holds a colon; lines are not named in the path"),
    (lambda path: path.startswith(("/", "~")), "it must be relative to the vault"),
    (lambda path: _ENCODED.search(path) is not None, "it is percent-encoded; paths are plain text"),
    (lambda path: any(map(_leaves, _folded(path).split("/"))), "a part of it is empty, `.` or `..`"),
    (lambda path: any(part.startswith(".") for part in _folded(path).split("/")), "hidden files are not on the shelf"),
    (lambda path: any(part.endswith((".", " ")) for part in path.split("/")), "a part of it ends in a dot or space"),
    (lambda path: re.search(r"~\d", path) is not None, "short names are not taken"),
    (lambda path: any(part.split(".")[0].casefold() in _DEVICES for part in path.split("/")), "it names a device"),
    (lambda path: path.split("/")[0] not in TOPS, "only wiki/ and sources/ are on the shelf"),
)
"""What a path must not be, in order, each with the clause that says why not."""


def parts(path: str) -> tuple[str, ...]:
    """The parts of a path on the shelf; none of them leaves it.

    Args:
        path: as an agent named it; one `/` at its end is passed over.

    Raises:
        ValueError: it is refused; the text is one clause.
    """
    told = path.removesuffix("/")
    for breaks, why in RULES:
        if breaks(told):
            raise ValueError(why)
    return tuple(told.split("/"))


@dataclass(frozen=True, slots=True)
class Limits:
    """What one call may give and take.

    Args:
        entries: entries of a list, matches of a grep, or lines of a file.
        characters: of all text that is given.
        wide: characters of one match, and a tenth of those of one line that is read; longer ones are cut, with `…`.
        seconds: how long a grep looks.
    """

    entries: int = 100
    characters: int = 20_000
    wide: int = 400
    seconds: float = 5.0


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a folder.

    Args:
        path: vault-relative; a folder's ends in `/`.
        size: bytes; 0 for a folder.
        note: of a source its format, day and scope; else empty.
    """

    path: str
    size: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Listed:
    """What a folder holds.

    Args:
        entries: in order of path.
        next: where to go on, to be given back as `after`; empty at the end.
    """

    entries: tuple[Entry, ...]
    next: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page, or a turn of a source.

    Args:
        at: its locator: `L12`, `L12-2`, `agent-a1/L7`.
        text: cut where it is very long.
        speaker: who said it; empty for a line of a page.
        said: when, as `Turn.said`; may be empty.
        mark: `rewound` or `memory` where it is no evidence of anything; else empty.
    """

    at: str
    text: str
    speaker: str = ""
    said: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """A line that a grep found; its text is the part around the match."""

    path: str
    line: Line


@dataclass(frozen=True, slots=True)
class Found:
    """What a grep found.

    Args:
        matches: pages first, in order of path, then sources, the newest first.
        next: where to go on, to be given back as `after`; empty at the end.
        stopped: why it stopped before the end; empty if it did not.
    """

    matches: tuple[Match, ...]
    next: str = ""
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Lines of a page, or turns of a source.

    Args:
        path: vault-relative.
        lines: in order.
        next: the first line that was left out, to be given as `first`; 0 at the end.
    """

    path: str
    lines: tuple[Line, ...]
    next: int = 0


@dataclass(frozen=True, slots=True)
class Version:
    """A file as a commit left it, against the version before.

    Args:
        commit: its id.
        when: when it was made, ISO 8601.
        subject: its first line; empty under strict isolation.
        gained, lost: lines that came and went.
    """

    commit: str
    when: str
    subject: str
    gained: tuple[str, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """The history of a file.

    Args:
        path: vault-relative.
        versions: the newest first.
        next: the commit to go on after, to be given back as `after`; empty at the end.
    """

    path: str
    versions: tuple[Version, ...]
    next: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """Words that somebody cites: a file of the shelf, its lines from `first` to `last`, and the words that stand there."""

    path: str
    first: int
    last: int
    quote: str


@dataclass(frozen=True, slots=True)
class Resolved:
    """A span that stands.

    Args:
        span: as it was cited.
        cite: the citation that `show` opens; of a page its path with the line.
        line: the turn or the line in which the words stand, whole.
        words: the file's own words.
    """

    span: Span
    cite: str
    line: Line
    words: str


def window(text: str, start: int, end: int, wide: int) -> str:
    """At most `wide` characters of a text around one of its parts, with `…` for what is left out."""
    if len(text) <= wide:
        return text
    first = min(max(0, (start + min(end, start + wide)) // 2 - wide // 2), len(text) - wide)
    last = first + wide
    return ("… " if first else "") + text[first:last].strip() + (" …" if last < len(text) else "")


def number(at: str) -> int:
    """The line of a locator: 12 for `L12`, `L12-2` and `agent-a1/L12`; 0 for what is none."""
    found = re.search(r"(?:^|/)L(\d+)(?:-\d+)?\Z", at)
    return int(found[1]) if found else 0
