"""First looks at a file that may be a transcript: cheap, at its beginning and its end. They read and decide nothing more.

What a glance tells spares reading the rest: a session that is not for this vault, or that still goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from wikimem.core import screening
from wikimem.core.turns import Speaker, Turn
from wikimem.edges import lines, packed, upstream
from wikimem.edges.importers import LineFormat
from wikimem.edges.upstream import Found

HEAD = 1 << 16
"""How many bytes a glance takes in."""


def hint(found: Found, format: LineFormat) -> dict[str, str]:
    """What the file's name and folder tell, as its tool calls it when it is not compressed."""
    return dict(format.hint(found.place.with_name(packed.bare_name(found.place.name))))


def beginning(found: Found, format: LineFormat) -> tuple[dict[str, str], list[Turn]]:
    """What the beginning of a file tells of its session, and the turns there."""
    with found.path.open("rb") as file:
        head = file.read(HEAD)
    facts: dict[str, str] = {}
    first: list[Turn] = []
    for record in format.read(lines.numbered(lines.split((head,)))):
        for name, value in record.facts.items():
            facts.setdefault(name, value)
        first += record.gave if isinstance(record.gave, tuple) else ()
    return facts, first


def newest(found: Found, format: LineFormat) -> str:
    """The newest time in the end of a file, as `Turn.said`; '' if there is none."""
    with found.path.open("rb") as file:
        file.seek(max(0, found.size - HEAD))
        tail = file.read(HEAD)
    if found.size > HEAD:
        tail = tail[tail.find(b"\n") + 1 :]
    records = format.read(lines.numbered(lines.split((tail,)), 2))
    return max((record.facts.get("time", "") for record in records), default="")


def is_ours(turns: Iterable[Turn]) -> bool:
    """Whether a session begins with a prompt of our own compiler, whatever its harness put before it."""
    spoken = (turn for turn in turns if turn.speaker is not Speaker.HARNESS)
    return next((turn.text.lstrip().startswith(screening.TASK) for turn in spoken), False)


def unpacked(found: Found, folder: Path) -> Found:
    """The file itself, or what a compressed one holds, written to a new folder.

    Raises:
        OSError: it is compressed and damaged, or cannot be read.
    """
    with found.path.open("rb") as file:
        if not packed.is_packed(file.read(packed.HEAD)):
            return found
    folder.mkdir()
    target = folder / packed.bare_name(found.path.name)
    return replace(found, path=target, size=packed.unpack(found.path, target), packed=found.path)


def stamp(found: Found) -> list[Any]:
    """Size and time of a file and of all that belongs to it or changes with it."""
    told: list[Any] = [found.size, found.mtime]
    for path in upstream.beside(found.path):
        with suppress(OSError):
            stat = path.stat()
            told.append([stat.st_size, stat.st_mtime_ns])
    for name, path in upstream.members(found.path):
        stat = path.stat()
        told.append([name, stat.st_size, stat.st_mtime_ns])
    return told


_ERROR_PAGE = re.compile(
    rb"(?i)could ?n[o']t be (?:loaded|found|displayed)|(?:sign|log) in (?:to continue|and reload|to view)|access denied"
    rb"|(?:404|403|500|502|503)[ :-]+(?:not found|forbidden|internal|bad gateway|service)|enable javascript"
    rb"|verify (?:that )?you are human|something went wrong|page (?:not found|does not exist)|too many requests"
)
_SHORT_PAGE = 600


def is_error_page(path: Path) -> bool:
    """Whether a note is so short, and so worded, that it is what a web page says instead of its content."""
    with path.open("rb") as file:
        data = file.read(_SHORT_PAGE + 1)
    return len(data) <= _SHORT_PAGE and _ERROR_PAGE.search(data) is not None
