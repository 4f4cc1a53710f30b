"""The identity of a turn over all sources, and which source owns a turn that several hold.

Forks, resumes and exports copy turns. A copy counts once, wherever and in whatever order the files were captured.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from wikimem.core.turns import Turn


def of(turns: Iterable[Turn]) -> Iterator[Turn]:
    """The same turns, each with an identity: the provider's, else a hash chained over the turns before it."""
    every = list(turns)
    if all(turn.identity for turn in every):
        yield from every
        return
    chain = b""
    for turn in every:
        told = "\x00".join((turn.speaker, turn.form, turn.name, turn.said, turn.text))
        chain = blake2b(chain + told.encode("utf-8", "replace"), digest_size=10).digest()
        yield turn if turn.identity else replace(turn, identity=f"~{chain.hex()}")


@dataclass(frozen=True, slots=True)
class Holder:
    """What ownership is decided from.

    Args:
        source: the source's id.
        session: its session id; may be empty.
        parent: the session it names as its parent; may be empty.
        turns: `(identity, said)` of its turns, in order.
    """

    source: str
    session: str
    parent: str
    turns: Sequence[tuple[str, str]]


def owners(holders: Sequence[Holder]) -> dict[str, str]:
    """Who owns each identity that more than one source holds: identity to source id.

    The owner is the named parent; else the source whose first unshared turn is earliest; else the smaller id. Which source
    was captured first plays no part.
    """
    held: dict[str, list[int]] = defaultdict(list)
    for number, holder in enumerate(holders):
        for identity in {identity for identity, _ in holder.turns}:
            held[identity].append(number)
    shared = {identity: numbers for identity, numbers in held.items() if len(numbers) > 1}
    if not shared:
        return {}
    rank = [_rank(holder, shared.keys()) for holder in holders]
    decided: dict[tuple[int, ...], str] = {}
    result = {}
    for identity, numbers in shared.items():
        key = tuple(numbers)
        if key not in decided:
            decided[key] = _owner([holders[n] for n in numbers], [rank[n] for n in numbers])
        result[identity] = decided[key]
    return result


def _rank(holder: Holder, shared: Container[str]) -> tuple[bool, str, str]:
    unshared = [said for identity, said in holder.turns if identity not in shared]
    first = min((said for said in unshared if said), default="")
    # A source without any turn of its own comes last: it is a copy through and through.
    return (not unshared, first or "9999", holder.source)


def _owner(holders: list[Holder], ranks: list[tuple[bool, str, str]]) -> str:
    named = {holder.parent for holder in holders if holder.parent}
    pairs = sorted(zip(ranks, holders, strict=True), key=lambda pair: pair[0])
    parents = [holder for _, holder in pairs if holder.session in named]
    # Of a chain of forks the oldest ancestor among them owns.
    sessions = {holder.session for holder in parents}
    roots = [holder for holder in parents if holder.parent not in sessions]
    return (roots or [holder for _, holder in pairs])[0].source
