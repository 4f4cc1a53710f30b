"""Handoff: work packets are given to an agent or a person, and their replies taken; `compile` puts them out and goes on.

A reply is looked at when it is handed in, so that whoever wrote it can mend it: its form must be right, and what the write
gate would refuse is told. A packet that nobody will ask for any more is stale, and refused by its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from wikimem import memory
from wikimem.core import moments, replies, scopes
from wikimem.core.claimfiles import Refusal
from wikimem.core.questions import COMPILING, Task
from wikimem.edges.models.handoff import NAME, Outbox, Packet
from wikimem.edges.models.till import Till
from wikimem.errors import NoPacket, Problem
from wikimem.extracting import Extractor, extractor_of
from wikimem.vault import Vault

_WEEK = 7


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits for a reply.

    Args:
        packet: the oldest packet that waits; None if none does.
        waiting: how many wait.
        answered: how many have a reply that no compile has taken yet.
    """

    packet: Packet | None
    waiting: int
    answered: int

    def as_json(self) -> dict[str, Any]:
        """As plain values; the shape is stable."""
        packet = self.packet.as_json() if self.packet else None
        return {"packet": packet, "waiting": self.waiting, "answered": self.answered}


@dataclass(frozen=True, slots=True)
class Submitted:
    """What became of a reply.

    Args:
        packet: whose.
        taken: whether it was kept.
        problems: what is wrong with its form; then it was not taken.
        refused: claims of it that the write gate will refuse; the reply was taken all the same, and can be handed in again.
        waiting: how many packets wait now.
    """

    packet: str
    taken: bool
    problems: tuple[Problem, ...]
    refused: tuple[Refusal, ...]
    waiting: int

    def as_json(self) -> dict[str, Any]:
        """As plain values; the shape is stable."""
        return {
            "packet": self.packet,
            "taken": self.taken,
            "problems": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.problems],
            "refused": [{"rule": r.rule, "at": r.at, "reason": r.reason, "text": r.text} for r in self.refused],
            "waiting": self.waiting,
        }


def next_packet(vault: Vault, skip: int = 0, asker: str | None = None) -> Waiting:
    """The oldest packet that waits; packets that are stale are taken away.

    Args:
        vault: the vault.
        skip: pass over so many, for several agents at once.
        asker: the scope that asks: in a strict vault only packets about its sessions are given; None for the vault's person.
    """
    outbox, extractor = _outbox(vault), _extractor(vault)
    pending = {sidecar.id for sidecar in memory.pending(vault.root, vault.ledger)}
    till = Till(vault.work / "replies")
    waiting: list[Packet] = []
    answered = 0
    for packet in outbox.every():
        if _stale(vault, packet, extractor, pending) or (packet.answered and till.starts(packet.id, NAME)):
            outbox.drop(packet.id)
        elif packet.answered:
            answered += 1
        elif _is_open(vault, packet, asker):
            waiting.append(packet)
    till.close()
    return Waiting(waiting[skip] if skip < len(waiting) else None, len(waiting), answered)


def submit(vault: Vault, packet: str, text: str, asker: str | None = None) -> Submitted:
    """Take the reply to a packet, or say what is wrong with it.

    Args:
        vault: the vault.
        packet: its id.
        text: the reply: one JSON object, also fenced.
        asker: as for `next_packet`.

    Raises:
        NoPacket: there is no such packet, or it is stale.
    """
    outbox, extractor = _outbox(vault), _extractor(vault)
    found = outbox.find(packet)
    if found is None or not _is_open(vault, found, asker):
        raise NoPacket(packet, "no packet of that name waits. `wikimem next` shows one that does.")
    pending = {sidecar.id for sidecar in memory.pending(vault.root, vault.ledger)}
    stale = _stale(vault, found, extractor, pending)
    if stale:
        outbox.drop(packet)
        raise NoPacket(packet, f"it is stale: {stale}. `wikimem compile` puts out what is still to be answered.")
    try:
        value = replies.value_of(text, found.schema)
        problems = replies.problems(value, found.schema)
    except replies.Unreadable as wrong:
        value, problems = None, (Problem("the reply", wrong.rule, str(wrong)),)
    refused: tuple[Refusal, ...] = ()
    if not problems:
        outbox.answer(packet, text)
        if found.task == Task.EXTRACT.value:
            refused = extractor.refusals(vault.ledger, found.about, value)
    waiting = sum(not each.answered for each in outbox.every())
    return Submitted(packet, not problems, problems, refused, waiting)


def _is_open(vault: Vault, packet: Packet, asker: str | None) -> bool:
    """Whether a packet may be given to who asks; those about pairs may hold claims of several scopes."""
    if asker is None or vault.settings.isolation != "strict":
        return True
    source = vault.ledger.all().get(packet.about)
    return source is not None and scopes.sees(asker, source.scope)


def _stale(vault: Vault, packet: Packet, extractor: Extractor, pending: set[str]) -> str:
    """Why nobody will ask for a packet's reply; '' if somebody will."""
    if packet.task not in COMPILING:
        # A question of a person or of an evaluation: only whoever asked knows whether they will ask again.
        old = moments.floor(packet.asked)[:10] < (vault.clock() - timedelta(days=_WEEK)).strftime("%Y-%m-%d")
        return f"it has waited for more than {_WEEK} days" if old else ""
    if packet.again:
        # With which prompts a recompile is gone on with, whoever calls it says.
        gone = packet.task == Task.EXTRACT.value and packet.about not in vault.ledger.all()
        return f"the source {packet.about} is gone" if gone else ""
    if packet.prompts != extractor.prompts.digest:
        return "the prompts or the vocabulary changed since it was put out"
    if packet.task == Task.EXTRACT.value and packet.about not in pending:
        return f"the source {packet.about} is compiled already, or gone"
    return ""


def _outbox(vault: Vault) -> Outbox:
    return Outbox(vault.work / "outbox")


def _extractor(vault: Vault) -> Extractor:
    return extractor_of(vault, NAME)
