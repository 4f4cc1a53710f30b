"""Handoff: a question waits in the vault's outbox until an agent, or a person, answers it.

A packet is `<id>.json`, its reply `<id>.reply.json`; both survive a restart. The id tells what is asked: another prompt, schema
or transcript is another packet, and the old one is stale.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import orjson

from wikimem.core.questions import PAIRS
from wikimem.core.spending import Spent
from wikimem.edges.models import till as tills
from wikimem.edges.models.port import Call, Said
from wikimem.errors import ReplyAwaited

NAME = "handoff"


@dataclass(frozen=True, slots=True)
class Packet:
    """A question that waits.

    Args:
        id: 12 hexadecimal digits over what is asked.
        task: what is asked.
        about: the source's id, or empty.
        asked: when it was put there, `2026-08-14T10:11:03Z`.
        prompts: digest of the prompts it was made with.
        prompt: the whole prompt.
        schema: JSON schema of the reply.
        answered: whether a reply lies beside it.
        again: whether it is about a source that is compiled already, for a recompile.
    """

    id: str
    task: str
    about: str
    asked: str
    prompts: str
    prompt: str
    schema: Mapping[str, Any]
    answered: bool
    again: bool = False

    def as_json(self) -> dict[str, Any]:
        """As plain values, for whoever answers."""
        return {"id": self.id, "task": self.task, "about": self.about, "prompt": self.prompt, "schema": self.schema}


class Outbox:
    """The packets of one vault.

    Args:
        folder: where they lie.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, packet: Packet) -> None:
        """Put a packet there."""
        told = {**packet.as_json(), "asked": packet.asked, "prompts": packet.prompts, "again": packet.again}
        self._write(self._folder / f"{packet.id}.json", told)

    def answer(self, packet: str, text: str) -> None:
        """Put a reply beside a packet; a later one replaces it."""
        self._write(self._folder / f"{packet}.reply.json", {"text": text})

    def reply(self, packet: str) -> str | None:
        """The reply to a packet; None if there is none."""
        told = _read(self._folder / f"{packet}.reply.json")
        return told["text"] if told and isinstance(told.get("text"), str) else None

    def find(self, packet: str) -> Packet | None:
        """A packet; None if there is none of this id."""
        told = _read(self._folder / f"{packet}.json") if packet.isalnum() else None
        if told is None or not {"task", "about", "asked", "prompts", "prompt", "schema"} <= told.keys():
            return None
        task, about, asked, prompts, prompt = (str(told[name]) for name in ("task", "about", "asked", "prompts", "prompt"))
        answered, again = self.reply(packet) is not None, bool(told.get("again"))
        return Packet(packet, task, about, asked, prompts, prompt, told["schema"], answered, again)

    def every(self) -> Iterator[Packet]:
        """All packets, oldest first."""
        names = [path.stem for path in self._folder.glob("*.json") if path.stem.isalnum()]
        found = [packet for packet in map(self.find, names) if packet is not None]
        yield from sorted(found, key=lambda packet: (packet.asked, packet.about, packet.id))

    def drop(self, packet: str) -> None:
        """Take a packet away, with its reply."""
        (self._folder / f"{packet}.json").unlink(missing_ok=True)
        (self._folder / f"{packet}.reply.json").unlink(missing_ok=True)

    def _write(self, path: Path, told: Mapping[str, Any]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(".tmp")
        temporary.write_bytes(orjson.dumps(told, option=orjson.OPT_INDENT_2))
        temporary.replace(path)


class Handoff:
    """The voice of whoever takes packets out of the outbox.

    Args:
        outbox: where packets wait.
        now: tells the time.
        prompts: tells the digest of the prompts.
        again: whether what it asks is for a recompile.
    """

    name = NAME
    price = (0.0, 0.0)

    def __init__(self, outbox: Outbox, now: Callable[[], str], prompts: Callable[[], str], again: bool = False) -> None:
        self._outbox, self._now, self._prompts, self._again = outbox, now, prompts, again
        self._lock, self._cleared = Lock(), False

    def count(self, text: str) -> int:
        """See `Voice`."""
        return round(len(text) / 3.7)

    def say(self, call: Call) -> Said:
        """The reply, if it is there; else the packet is put out.

        Raises:
            ReplyAwaited: it is not.
        """
        packet = tills.key(call, NAME)[:12]
        text = self._outbox.reply(packet)
        if text is None:
            if call.task in PAIRS:
                self._clear()
            known = self._outbox.find(packet)
            prompts = self._prompts()
            if known is None or (known.prompts, known.again) != (prompts, self._again):
                told = (call.task.value, call.about, self._now(), prompts, call.text, call.schema)
                self._outbox.put(Packet(packet, *told, answered=False, again=self._again))
            raise ReplyAwaited(packet)
        return Said(text, "stop", Spent(1, self.count(call.text), self.count(text)))

    def _clear(self) -> None:
        """Take away packets about pairs that an earlier run put out: what is still needed is put out again, perhaps with more."""
        with self._lock:
            if not self._cleared:
                self._cleared = True
                for packet in self._outbox.every():
                    if packet.task in PAIRS and not packet.answered:
                        self._outbox.drop(packet.id)


def _read(path: Path) -> dict[str, Any] | None:
    try:
        told = orjson.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return told if isinstance(told, dict) else None
