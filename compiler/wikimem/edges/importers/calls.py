"""Logged calls of a model, each of which repeats what was said before: the one thread that they tell.

A call is sent the whole history, or a window of its end. What is new in it is what follows the longest stretch that is
known already. Several agents may talk in one session at the same time; each is a lane with a history of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any

from wikimem.core import times
from wikimem.core.turns import Turn
from wikimem.edges.importers import chats, openai_blocks
from wikimem.edges.importers.chats import Tally
from wikimem.edges.importers.format import Conversation

# Lanes beyond this many are looked at no more: a session with that many has no threads to speak of.
_LANES = 64


@dataclass(frozen=True, slots=True)
class Call:
    """One logged call.

    Args:
        id: the log's own for it.
        kind: what the log calls it, for the account.
        started: as `Turn.said`.
        ended: as `Turn.said`.
        sent: messages in the form of `openai_blocks`, the history first.
        got: messages that it answered with.
        model: its name; may be empty.
        title: what the whole session is called, where the call tells it.
    """

    id: str
    kind: str
    started: str
    ended: str
    sent: Sequence[Mapping[str, Any]]
    got: Sequence[Mapping[str, Any]]
    model: str = ""
    title: str = ""


@dataclass(slots=True)
class _Lane:
    keys: list[bytes] = field(default_factory=list)


def conversation(session: str, calls: Iterable[Call]) -> Conversation:
    """The conversation that the calls of a session tell, in the order in which they are given."""
    lanes: list[_Lane] = []
    systems: set[bytes] = set()
    turns: list[Turn] = []
    tally = Tally()
    title = ""
    for call in calls:
        title = title or call.title
        if not call.sent and not call.got:
            tally.add(f"{call.kind} without text")
            continue
        before = len(turns)
        sent = [message for message in call.sent if not _is_system(message)]
        for message in call.sent:
            if _is_system(message) and (key := _key(message)) not in systems:
                systems.add(key)
                _tell(turns, before, message, call, call.started)
        lane, known = _place(lanes, [_key(message) for message in sent])
        fresh = sent[known:]
        for number, message in enumerate(fresh, 1):
            # Only the last message was new when the call was made; those before it are at least not younger.
            _tell(turns, before, message, call, call.started if number == len(fresh) else times.day(call.started))
        for message in call.got:
            _tell(turns, before, message, call, call.ended or call.started)
        if known < len(sent):
            lane.keys += [_key(message) for message in fresh]
        lane.keys += [_key(message) for message in call.got]
        if len(turns) == before:
            tally.add(f"{call.kind} that repeats what was said")
    started = min((turn.said for turn in turns if turn.said), default="")
    return Conversation(session or chats.session(started, turns), title, started, tuple(turns), +tally.noise)


def _is_system(message: Mapping[str, Any]) -> bool:
    return openai_blocks.role(message) == openai_blocks.HARNESS


def _key(message: Mapping[str, Any]) -> bytes:
    """What a message is compared by: its role and words. The calls in it are told by some logs only once."""
    told = f"{openai_blocks.role(message)}\x00{' '.join(openai_blocks.words(message).split())}"
    return blake2b(told.encode("utf-8", "replace"), digest_size=12).digest()


def _place(lanes: list[_Lane], sent: list[bytes]) -> tuple[_Lane, int]:
    """The lane that a call goes on with, and how many of the messages sent are known in it."""
    best: _Lane | None = None
    most = 0
    for lane in lanes[-_LANES:]:
        known = _overlap(lane.keys, sent)
        if known > most:
            best, most = lane, known
    if best is None:
        if not sent and lanes:
            return lanes[-1], 0
        best = _Lane()
        lanes.append(best)
    return best, most


def _overlap(known: list[bytes], sent: list[bytes]) -> int:
    """How many messages at the beginning of what was sent are the end of what is known, or its beginning."""
    for start in range(max(0, len(known) - len(sent)), len(known)):
        if sent and known[start] == sent[0] and known[start:] == sent[: len(known) - start]:
            return len(known) - start
    # A call made again with the same history: nothing in it is new.
    return len(sent) if sent and known[: len(sent)] == sent else 0


def _tell(turns: list[Turn], first: int, message: Mapping[str, Any], call: Call, said: str) -> None:
    """Add the turns of a message; `first` is where those of its call begin."""
    start = len(turns)
    for turn in openai_blocks.turns(openai_blocks.Place(0), message, False):
        name = turn.name or (call.model if turn.speaker == "assistant" and turn.form != "call" else "")
        identity = turn.identity or f"{call.id}-{len(turns) - first + 1}"
        turns.append(replace(turn, said=turn.said or said, name=name, identity=identity))
    if len(turns) - start > 1:
        reply = turns[start].identity
        turns[start:] = [replace(turn, reply=turn.reply or reply) for turn in turns[start:]]
