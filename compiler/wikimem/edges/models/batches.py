"""Batches that are at work elsewhere: one small file each, `.wikimem/batches/<name>.json`; and whoever carries them.

A file is there before its batch is, and goes when all its replies are filed: so a run that ends at any moment leaves behind
what the next one needs to take up the batch, and nothing is asked twice. It holds no text of any session.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

import orjson

from wikimem.core.questions import Task
from wikimem.edges.models.port import Call, Said
from wikimem.errors import ModelFailed, WorldError


@dataclass(frozen=True, slots=True)
class Request:
    """One call of a batch.

    Args:
        key: what its reply is filed under; its name in the batch as well.
        task: what is asked.
        about: the source's id, or empty.
        parts: where it holds several questions about pairs: what the reply to each is filed under, in order.
    """

    key: str
    task: Task
    about: str
    parts: tuple[str, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """All that its reply answers."""
        return (self.key, *self.parts)


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch that was sent, or was about to be.

    Args:
        name: ours, sent along where a service takes one.
        model: who is asked.
        service: who carries it.
        id: the service's name of it; empty until it told one.
        sent: when, UTC, `2026-08-14T10:11:03Z`.
        requests: what it asks.
    """

    name: str
    model: str
    service: str
    id: str
    sent: str
    requests: tuple[Request, ...]


class Batches:
    """The batches of one vault.

    Args:
        folder: where their files lie; made when there is one.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, name: str) -> Path:
        """The file of a batch."""
        return self._folder / f"{name}.json"

    def every(self, model: str) -> tuple[Batch, ...]:
        """The batches of a model, the oldest first.

        Raises:
            WorldError: a file cannot be read: what it names may have been paid for, so it is not passed over.
        """
        found = [self._read(path) for path in sorted(self._folder.glob("*.json"))]
        return tuple(sorted((batch for batch in found if batch.model == model), key=lambda batch: (batch.sent, batch.name)))

    def put(self, batch: Batch) -> None:
        """Keep a batch, or what is known of it now; on disk when this returns."""
        self._folder.mkdir(parents=True, exist_ok=True)
        temporary = self.path(batch.name).with_suffix(".tmp")
        with temporary.open("wb") as file:
            file.write(orjson.dumps(asdict(batch), option=orjson.OPT_INDENT_2))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self.path(batch.name))

    def drop(self, name: str) -> None:
        """Forget a batch."""
        self.path(name).unlink(missing_ok=True)

    def _read(self, path: Path) -> Batch:
        try:
            told = orjson.loads(path.read_bytes())
            requests = tuple(
                Request(one["key"], Task(one["task"]), one["about"], tuple(one["parts"])) for one in told.pop("requests")
            )
            return Batch(**told, requests=requests)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise WorldError(
                f"{path} cannot be used: {error}. It names a batch that was sent and may have been paid for; put it right, or "
                "delete it to ask anew."
            ) from None


@dataclass(frozen=True, slots=True)
class Stage:
    """How far a batch is.

    Args:
        done: requests that are done with, as far as the service tells.
        end: how it ended: `completed`, `expired`, `cancelled` or `failed`; empty while it is at work.
        why: what the service says of a batch that failed; may be empty.
    """

    done: int
    end: str = ""
    why: str = ""


class Courier(Protocol):
    """Whoever carries many calls at once, at half the price. Each may raise `Busy`, and `ModelFailed` if it is of no use."""

    @property
    def service(self) -> str:
        """Its name, for people."""
        ...

    @property
    def price(self) -> tuple[float, float] | None:
        """Dollars for a million tokens read and written in a batch; None if unknown."""
        ...

    def line(self, key: str, call: Call) -> bytes:
        """A call as it is sent."""
        ...

    def send(self, name: str, lines: Sequence[bytes]) -> str:
        """Send calls; the service's name of their batch."""
        ...

    def find(self, batch: Batch) -> str:
        """The service's name of a batch of which it is not known whether it was sent; empty if it was not."""
        ...

    def look(self, id: str) -> Stage:
        """How far a batch is."""
        ...

    def replies(self, id: str) -> Iterator[tuple[str, Said | ModelFailed]]:
        """What a batch gave, by the keys of its requests, in any order; lines that cannot be read are passed over."""
        ...

    def clear(self, id: str) -> None:
        """Delete what the service keeps of a batch, where it can be."""
        ...
