"""Growth of conversations that lie in containers: what of a conversation no source holds yet.

A container has no bytes that could be compared from the front, so turns are: by their stored lines. What was captured
stays; what is new becomes a source that continues it. Titles may change, that is nothing new.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from hashlib import blake2b

from wikimem.core import masking
from wikimem.core.sources import Sidecar
from wikimem.core.turns import Turn
from wikimem.edges.importers import Conversation, canonical
from wikimem.edges.ledger import Ledger


@dataclass(slots=True)
class Held:
    """What the sources of one conversation hold.

    Args:
        chain: their ids, each continued by the next.
        lines: hashes of their stored turn lines, with how often each stands there.
        ids: the ids of their turns.
    """

    chain: list[str] = field(default_factory=list)
    lines: Counter[bytes] = field(default_factory=Counter)
    ids: set[str] = field(default_factory=set)

    def add(self, source: str, stored: Iterable[bytes]) -> None:
        """Take in a source by its stored lines, the header among them."""
        self.chain.append(source)
        for line in stored:
            bare = line.rstrip(b"\r\n")
            if not bare.startswith(b'{"wikimem"'):
                self.lines[_key(bare)] += 1
                self.ids.add(canonical.identity(bare))


def held(ledger: Ledger, sources: Iterable[Sidecar]) -> Held:
    """What these sources of one conversation hold, read from disk."""
    found = Held()
    for each in _ordered(list(sources)):
        found.add(each.id, ledger.lines(each.id))
    return found


def rest(told: Conversation, known: Held) -> Conversation | None:
    """The conversation with the turns alone that are not held; None if all are."""
    left = known.lines.copy()
    fresh: list[Turn] = []
    for turn in told.turns:
        key = _key(masking.json_line(canonical.line(turn))[0])
        # What was captured before offsets were kept stands there in UTC.
        plain = _key(masking.json_line(canonical.line(replace(turn, offset="")))[0]) if turn.offset else key
        if left[key] > 0 or left[plain] > 0:
            left[key if left[key] > 0 else plain] -= 1
            continue
        if turn.identity and turn.identity in known.ids:
            # The same message with other words: another version of it, not a copy.
            turn = replace(turn, identity=f"{turn.identity}~{key.hex()[:8]}")
            key = _key(masking.json_line(canonical.line(turn))[0])
            if left[key] > 0:
                left[key] -= 1
                continue
        fresh.append(turn)
    if not fresh:
        return None
    started = next((turn.said for turn in fresh if turn.said), told.started)
    return replace(told, turns=tuple(fresh), noise={}, unknown={}, started=started)


def _key(line: bytes) -> bytes:
    return blake2b(line, digest_size=12).digest()


def _ordered(sources: list[Sidecar]) -> list[Sidecar]:
    """Sources in the order in which they continue each other; separate chains by time of recording."""
    after: dict[str, list[Sidecar]] = {}
    known = {each.id for each in sources}
    for each in sorted(sources, key=lambda each: (each.recorded, each.id)):
        after.setdefault(each.continues if each.continues in known else "", []).append(each)
    found: list[Sidecar] = []
    waiting = after.pop("", [])
    while waiting:
        each = waiting.pop(0)
        found.append(each)
        waiting = after.pop(each.id, []) + waiting
    return found
