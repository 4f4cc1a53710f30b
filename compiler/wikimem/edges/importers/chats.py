"""What exports of chat products have in common: one or many documents, packed or not; conversations that lack ids or times.

An export is a list of conversations. What it lacks is made up only from what it has: an id from a conversation's own
beginning, a day from the neighbours of a message without a time. It knows no product's fields.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from wikimem.core import times
from wikimem.core.turns import Speaker, Turn
from wikimem.edges.importers import archives, documents
from wikimem.edges.importers.documents import Torn
from wikimem.edges.importers.format import Conversation


@dataclass(slots=True)
class Tally:
    """Records that gave no turn, counted while an export is read.

    Args:
        noise: by kind.
        unknown: the part of it whose kind no importer knows.
    """

    noise: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)

    def add(self, kind: str, known: bool = True, count: int = 1) -> None:
        """Count records of one kind."""
        self.noise[kind] += count
        if not known:
            self.unknown[kind] += count

    def merge(self, other: Tally) -> None:
        """Add another tally to this one."""
        self.noise.update(other.noise)
        self.unknown.update(other.unknown)


def parts(path: Path, wanted: Callable[[str], bool], is_item: Callable[[object], bool]) -> Iterator[tuple[str, Any]]:
    """The values of an export, whether it is an archive or one document, each with the name of its member.

    A `Torn` without pieces also tells why a member, or what is left of it, cannot be read.

    Args:
        path: the export.
        wanted: which members of an archive hold values.
        is_item: as in `documents.values`.
    """
    with archives.opened(path) as archive:
        if archive is None:
            with path.open("rb") as file:
                yield from (("", value) for value in documents.values(file, is_item))
            return
        for name, stream in archives.members(archive, wanted):
            if isinstance(stream, str):
                yield name, Torn(stream)
            else:
                yield from ((name, value) for value in documents.values(stream, is_item))


def told(name: str, number: int, reason: str) -> str:
    """A sentence on what cannot be read: which member, which value of it."""
    place = f"{name}: " if name else ""
    return f"{place}item {number}: {reason}" if number else f"{place}{reason}"


def handed(made: Iterable[Conversation | str | Tally]) -> Iterator[Conversation | str]:
    """Conversations as an importer yields them; records that belong to none of them are counted with one that has turns.

    A conversation without turns is no source; its records are counted in the same way.
    """
    waiting = Tally()
    held: Conversation | None = None
    for each in made:
        match each:
            case str():
                yield each
            case Tally():
                waiting.merge(each)
            case Conversation(turns=()):
                waiting.merge(Tally(Counter(each.noise), Counter(each.unknown)))
                waiting.add("conversation without turns")
            case Conversation():
                if held is not None:
                    yield held
                held, waiting = _with(each, waiting), Tally()
    if held is not None:
        yield _with(held, waiting)
    elif waiting.noise:
        yield "not one turn; " + ", ".join(f"{kind} {count}" for kind, count in sorted(waiting.noise.items()))


def _with(one: Conversation, tally: Tally) -> Conversation:
    if not tally.noise and not tally.unknown:
        return one
    noise, unknown = Counter(one.noise), Counter(one.unknown)
    noise.update(tally.noise)
    unknown.update(tally.unknown)
    return replace(one, noise=noise, unknown=unknown)


def dated(turns: Sequence[Turn], started: str, ended: str) -> tuple[Turn, ...]:
    """The turns, each one without a time given the day of a neighbour: less than a time, since nobody told one.

    A person's message belongs to the answer after it, an answer to what stands before it; `started` and `ended` of the
    conversation are its outermost neighbours.
    """
    if all(turn.said for turn in turns):
        return tuple(turns)
    before, after = times.day(started), times.day(ended)
    earlier: list[str] = []
    for turn in turns:
        before = times.day(turn.said) or before
        earlier.append(before)
    later: list[str] = []
    for turn in reversed(turns):
        after = times.day(turn.said) or after
        later.append(after)
    found = []
    for turn, back, ahead in zip(turns, earlier, reversed(later), strict=True):
        near, far = (ahead, back) if turn.speaker is Speaker.HUMAN else (back, ahead)
        found.append(turn if turn.said else replace(turn, said=near or far))
    return tuple(found)


def session(started: str, turns: Sequence[Turn]) -> str:
    """An id for a conversation that has none, from how it began: the same when it is exported again after it grew."""
    first = turns[0] if turns else None
    parts = (started, first.identity if first else "", first.text if first else "")
    return blake2b("\x00".join(parts).encode("utf-8", "replace"), digest_size=8).hexdigest()


def moment(value: object) -> str:
    """As `times.utc`, and also of seconds since 1970 that stand in a text."""
    return times.apart(told_at(value))[0]


def told_at(value: object) -> str:
    """As `moment`, with the offset of the clock where one is given (`times.told`): what a turn is made with."""
    if isinstance(value, str) and value.strip().replace(".", "", 1).isdigit():
        try:
            return times.utc(float(value))
        except ValueError:
            return ""
    return times.told(value)


def reason(torn: Torn, rescued: int) -> str:
    """Why a stretch cannot be read, and what of it could."""
    return torn.reason + (f"; {rescued} whole messages in it were kept" if rescued else "")
