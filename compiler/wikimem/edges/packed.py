"""Transcripts that their tool compressed: told by their first bytes, and unpacked in a stream.

Codex packs sessions that it has not touched for a week (Zstandard); people pack folders of them with gzip.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import BinaryIO, cast

from wikimem.edges import lines

HEAD = 4
_ZSTANDARD, _GZIP = b"\x28\xb5\x2f\xfd", b"\x1f\x8b"


def is_packed(head: bytes) -> bool:
    """Whether a file that begins so is compressed in a way that is known here."""
    return head.startswith((_ZSTANDARD, _GZIP))


def bare_name(name: str) -> str:
    """The name of the file without the ending of its compression."""
    return name.removesuffix(".zst").removesuffix(".gz")


def unpack(path: Path, target: Path) -> int:
    """Write a compressed file's content to `target`; how many bytes that is.

    Raises:
        OSError: it is cut short or damaged, or cannot be read here.
    """
    size = 0
    with target.open("wb") as out:
        for block in _blocks(path):
            size += out.write(block)
    return size


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        is_gzip = file.read(2) == _GZIP
    try:
        with _gzip(path) if is_gzip else _zstandard(path) as stream:
            yield from lines.blocks(stream)
    except EOFError as error:
        raise OSError(f"it is compressed and cut short: {error}") from None
    except ImportError:
        raise OSError("it is compressed with Zstandard, and the package backports.zstd that reads it is not installed") from None
    except Exception as error:
        # Each codec has an error class of its own, and none is loaded before it is needed.
        if isinstance(error, OSError):
            raise
        raise OSError(f"it is compressed and damaged: {error}") from None


def _gzip(path: Path) -> BinaryIO:
    return cast("BinaryIO", gzip.open(path))


def _zstandard(path: Path) -> BinaryIO:
    # The standard library has it from 3.14 on; before, a package of the same interface does.
    name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    return cast("BinaryIO", import_module(name).open(path, "rb"))
