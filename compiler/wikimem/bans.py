"""Bans: what was forgotten is kept out when it is captured again, as it was, grown, or copied into another session.

A file that was forgotten as a whole is left out. One that only begins with it, or holds copies of its turns, is kept without
these lines, so that what is new in it is not lost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from wikimem.capture import Staged
from wikimem.core import emptying, identity, sessions
from wikimem.core.tombstones import FORGOTTEN as FORGOTTEN
from wikimem.core.tombstones import Tombstones
from wikimem.core.turns import Turn
from wikimem.edges import importers, lines
from wikimem.edges.importers import Conversation, LineFormat


def staged(
    stones: Tombstones, path: Path, format: LineFormat, made: Staged, hint: Mapping[str, str], start: int
) -> Staged | None:
    """What is left of a captured file; None if nothing is.

    Args:
        stones: what was forgotten.
        path: the file as its tool left it.
        format: its format.
        made: as it was captured; its files are written anew if lines go.
        hint: what the file's name and folder tell.
        start: where in the file the captured part begins.
    """
    if not stones:
        return made
    if stones.has_raw(made.raw.bytes, made.raw.sha256):
        return None
    session = sessions.assemble("", [("", format.read(lines.numbered(_lines(made))))], hint)
    gone = {place[1] for place in _places(stones, session.turns)}
    if not gone:
        return made
    if format.json:
        gone |= set(range(1, _beginning(stones, path, start) + 1))
    left = _without(made, gone)
    for record in sessions.hinted(format.read(lines.numbered(_lines(left))), hint):
        left.learn(record)
    return left if left.account.turns else None


def member(stones: Tombstones, made: Staged) -> Staged | None:
    """What is left of a captured sub-agent or spilled file; None if it was forgotten as a whole."""
    if not stones or not made.raw.bytes:
        return made
    if stones.has_raw(made.raw.bytes, made.raw.sha256):
        return None
    format = importers.named("claude-code")
    if not isinstance(format, LineFormat) or not made.account.turns:
        return made
    session = sessions.assemble("", [("", format.read(lines.numbered(_lines(made))))], {})
    gone = {place[1] for place in _places(stones, session.turns)}
    if not gone:
        return made
    left = _without(made, gone)
    for record in format.read(lines.numbered(_lines(left))):
        left.learn(record)
    return left


def conversation(stones: Tombstones, told: Conversation) -> Conversation | None:
    """What is left of a conversation of a container; None if nothing is."""
    if not stones or not told.turns:
        return told
    known = tuple(identity.of(told.turns))
    kept = tuple(turn for turn, named in zip(told.turns, known, strict=True) if not stones.has_turn(named.identity))
    if len(kept) == len(told.turns):
        return told
    # Its title may repeat what was said first.
    return replace(told, turns=kept, title="") if kept else None


def _places(stones: Tombstones, turns: Iterable[Turn]) -> Iterator[emptying.Place]:
    for turn in turns:
        place = emptying.place(turn.at)
        if place is not None and stones.has_turn(turn.identity):
            yield place


def _lines(made: Staged) -> Iterator[bytes]:
    for path, _, _ in made.parts:
        with path.open("rb") as file:
            yield from lines.split(lines.blocks(file))


def _without(made: Staged, gone: Collection[int]) -> Staged:
    """The captured file without some lines, nothing learned from it yet."""
    left = Staged(raw=made.raw, masked=made.masked)
    for path, _, first in made.parts:
        data = emptying.without(path.read_bytes(), gone, first)
        path.write_bytes(data)
        left.parts.append((path, sha256(data).hexdigest(), first))
    return left


def _beginning(stones: Tombstones, path: Path, start: int) -> int:
    """How many lines of the captured part are of a beginning that was forgotten as a whole."""
    digest, position, best = sha256(), 0, 0
    with suppress(OSError), path.open("rb") as file:
        counted = found = 0
        for size in stones.sizes:
            data = file.read(size - position)
            digest.update(data)
            counted += data[max(0, start - position) :].count(b"\n")
            position += len(data)
            if position < size:
                break
            if stones.has_raw(size, digest.copy().hexdigest()):
                found = counted
        best = found
    return best
