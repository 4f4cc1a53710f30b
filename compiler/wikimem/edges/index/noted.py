"""What an index holds, noted beside it: its units with their keys, as one commit left them. Only a note, never believed blindly.

Reading it from the index itself takes a hundred times as long, and each recall asks for it. The note names the commit; one of
another commit is none. It goes when something of the index could not be read, so that it is looked for what is lost.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import orjson

_NAME = "known"


def read(root: Path, folder: Path, generation: int) -> dict[str, str] | None:
    """The units of a commit by name, with their keys; None if nobody noted them.

    Args:
        root: of the index.
        folder: the one in use.
        generation: the commit's number.
    """
    try:
        told = orjson.loads((root / _NAME).read_bytes())
        units: dict[str, str] = told["units"]
        return units if told["commit"] == [folder.name, generation] else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write(root: Path, folder: Path, generation: int, units: Mapping[str, str]) -> None:
    """Note the units of a commit; where nothing can be written, nothing is noted. Arguments as for `read`."""
    new = root / f"{_NAME}.{secrets.token_hex(4)}"
    with suppress(OSError):
        new.write_bytes(orjson.dumps({"commit": [folder.name, generation], "units": units}))
        new.replace(root / _NAME)


def drop(root: Path) -> None:
    """Forget the note."""
    with suppress(OSError):
        (root / _NAME).unlink(missing_ok=True)
