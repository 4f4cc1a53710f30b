"""Files as lines: split at the byte `\\n` alone, in blocks, whatever the size of the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from wikimem.core.turns import Line

BLOCK = 1 << 20


def blocks(file: BinaryIO, size: int = BLOCK) -> Iterator[bytes]:
    """A file's bytes in blocks."""
    while block := file.read(size):
        yield block


def split(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Lines with their `\\n`; the last one may have none. Memory: one block and the longest line."""
    rest: list[bytes] = []
    for piece in pieces:
        start = piece.find(b"\n") + 1
        if not start:
            rest.append(piece)
            continue
        yield b"".join((*rest, piece[:start])) if rest else piece[:start]
        rest = []
        last = piece.rfind(b"\n") + 1
        if last > start:
            for line in piece[start : last - 1].split(b"\n"):
                yield line + b"\n"
        if last < len(piece):
            rest.append(piece[last:])
    if rest:
        yield b"".join(rest)


def numbered(raw: Iterable[bytes], number: int = 1, offset: int = 0) -> Iterator[Line]:
    """`Line` values of raw lines, counted from `number` and `offset`."""
    for line in raw:
        yield Line(number, offset, line.rstrip(b"\n").removesuffix(b"\r") if line.endswith(b"\n") else line)
        number += 1
        offset += len(line)
