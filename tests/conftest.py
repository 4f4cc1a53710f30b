"""What tests share: a vault of their own, a fixed clock, and no git configuration or home of the person who runs them."""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import wikimem
from wikimem.core.turns import Line, Record, Turn
from wikimem.faces.api import Vault

NOW = datetime(2026, 7, 1, 9, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _own_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    home = tmp_path_factory.mktemp("home")
    own = {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    gone = ("WIKIMEM_VAULT", "CLAUDE_CONFIG_DIR", "GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE")
    before = dict(os.environ)
    os.environ.update(own)
    for name in gone:
        os.environ.pop(name, None)
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    """An empty vault whose clock stands at `NOW`."""
    wikimem.create(tmp_path / "memory")
    return Vault.open(tmp_path / "memory", clock=lambda: NOW)


@pytest.fixture
def reopen() -> Callable[[Vault], Vault]:
    """Opens a vault again, as another process would."""
    return lambda vault: Vault.open(vault.root, clock=lambda: NOW)


def as_lines(data: bytes) -> list[Line]:
    """The lines of a file, split as capture splits them."""
    found, offset = [], 0
    for number, raw in enumerate(data.split(b"\n"), 1):
        if raw or offset + len(raw) < len(data):
            found.append(Line(number, offset, raw.removesuffix(b"\r")))
        offset += len(raw) + 1
    return found


def turns_of(records: list[Record]) -> list[Turn]:
    """All turns of records, in order of place."""
    placed = sorted(records, key=lambda record: (record.line, record.offset))
    return [turn for record in placed if isinstance(record.gave, tuple) for turn in record.gave]


def claude(number: int, role: str, content: object, parent: int | None = None, **more: Any) -> dict[str, Any]:
    """A record as Claude Code writes it."""
    return {
        "type": role,
        "uuid": f"u-{number:03}",
        "parentUuid": f"u-{parent:03}" if parent else None,
        "sessionId": "sess-1",
        "timestamp": f"2026-03-02T09:{number % 60:02}:00.000Z",
        "cwd": "/home/sam/harbour",
        "message": {"role": role, "content": content, **({"id": f"msg_{number}"} if role == "assistant" else {})},
        **more,
    }


def jsonl(*records: object) -> bytes:
    """Records as a JSONL file."""
    return b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records)


@pytest.fixture
def met_here() -> Iterator[None]:
    """Connections and loops that a library leaves open are met where the warnings about them are passed over, not later."""
    yield
    gc.collect()
