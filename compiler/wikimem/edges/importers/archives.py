"""Zip archives as exports come in: members read as streams, never written to disk; names are only compared, never followed.

A member that is encrypted, damaged, or larger than any export is passed over with a reason.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from wikimem.edges.importers.format import Head

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

_LOCAL = b"PK\x03\x04"
_MOST_MEMBERS = 200_000
_MOST_BYTES = 8 << 30
_LARGEST = 4 << 30
# Text packs twenty to one; a member that packs far better holds nothing anybody said.
_RATIO, _FREE = 400, 16 << 20

_SHORTEST = struct.Struct("<4s5H3I2H")


def is_zip(head: Head) -> bool:
    """Whether a file begins as a zip archive with members does."""
    return head.data.startswith(_LOCAL)


def names(head: Head) -> dict[str, bytes]:
    """The members whose headers stand in a file's beginning, each with the beginning of its content."""
    found: dict[str, bytes] = {}
    for place in re.finditer(re.escape(_LOCAL), head.data):
        header = head.data[place.start() : place.start() + _SHORTEST.size]
        if len(header) < _SHORTEST.size:
            break
        _, _, _, method, _, _, _, size, _, named, extra = _SHORTEST.unpack(header)
        start = place.start() + _SHORTEST.size
        name = head.data[start : start + named].decode("utf-8", "replace")
        body = head.data[start + named + extra :]
        found.setdefault(name, _begun(method, body if not size else body[:size]))
    return found


def _begun(method: int, body: bytes) -> bytes:
    if method == 0:
        return body[:4096]
    if method != 8:
        return b""
    try:
        return zlib.decompressobj(-15).decompress(body, 1 << 16)
    except zlib.error:
        return b""


@contextmanager
def opened(path: Path) -> Iterator[ZipFile | None]:
    """The archive; None if it is none."""
    # Imported late: most calls of the product never meet an archive.
    from zipfile import ZipFile

    try:
        archive = ZipFile(path)
    except Exception:
        # zipfile raises whatever it stumbles on: BadZipFile, struct.error, NotImplementedError, ValueError.
        yield None
        return
    with archive:
        yield archive


def members(archive: ZipFile, wanted: Callable[[str], bool]) -> Iterator[tuple[str, Guarded | str]]:
    """The wanted members in order of name, each with its stream, or the reason why it cannot be read."""
    listed = archive.infolist()
    if len(listed) > _MOST_MEMBERS:
        yield archive.filename or "", f"the archive lists {len(listed)} members, more than any export has"
        return
    total = 0
    for info in sorted(listed, key=lambda each: each.filename):
        if info.is_dir() or not wanted(info.filename):
            continue
        total += info.file_size
        if reason := _refused(info, total):
            yield info.filename, reason
            continue
        try:
            stream = archive.open(info)
        except Exception as error:  # whatever a broken member makes zipfile raise
            yield info.filename, f"it cannot be unpacked: {_clause(error)}"
            continue
        with stream:
            guarded = Guarded(stream)
            yield info.filename, guarded
            if guarded.broken:
                yield info.filename, f"it cannot be unpacked to its end: {guarded.broken}"


def _refused(info: ZipInfo, total: int) -> str:
    if info.flag_bits & 1:
        return "it is encrypted; unpack the archive with its password and name the unpacked file"
    if info.file_size > _LARGEST or total > _MOST_BYTES:
        return f"unpacked it is said to have {info.file_size} bytes, more than is read from an archive"
    if info.file_size > _FREE and info.file_size > _RATIO * max(1, info.compress_size):
        return f"it packs {info.file_size} bytes into {info.compress_size}: no text does"
    return ""


class Guarded:
    """A stream that ends where it breaks, and keeps the reason in `broken`."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.broken = ""

    def read(self, size: int = -1, /) -> bytes:
        """Read as a file does; an empty answer is the end, or the place where it broke."""
        if self.broken:
            return b""
        try:
            return self.stream.read(size)
        except Exception as error:  # zlib.error, lzma.LZMAError, BadZipFile: each method of packing has its own
            self.broken = _clause(error)
            return b""


def _clause(error: Exception) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__
