"""Holding: which sources a compile could not take, and why; told by `status`, tried again by the next compile.

A note in `.wikimem/`, of this machine alone: that a source is pending is told by its missing claims file, not by this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import orjson

from wikimem.vault import Vault


@dataclass(frozen=True, slots=True)
class Held:
    """A source that was held back.

    Args:
        source: its id.
        content: SHA-256 over its bytes then; of other bytes the reason says nothing.
        reason: one sentence.
    """

    source: str
    content: str
    reason: str


def held(vault: Vault) -> Mapping[str, Held]:
    """The sources held back, by id."""
    try:
        told = orjson.loads((vault.work / "held.json").read_bytes())
        return {source: Held(source, one["content"], one["reason"]) for source, one in told.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def hold(vault: Vault, one: Held) -> None:
    """Note that a source was held back."""
    found = {**held(vault), one.source: one}
    path = vault.work / "held.json"
    temporary = path.with_suffix(".tmp")
    temporary.write_bytes(orjson.dumps({source: asdict(each) for source, each in found.items()}))
    temporary.replace(path)
