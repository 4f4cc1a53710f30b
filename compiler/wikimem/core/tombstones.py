"""Tombstones: what was forgotten, told by keyed hashes alone, so that it is recognised when it comes again. No word of it.

A tombstone is one small JSON file below `wiki/.claims/forgotten/`, committed together with the removal that it stands for,
so that every clone knows of it; two clones never write the same file. A source is told by a hash over the hash of its raw
bytes, a turn by a hash over its identity. The hashes are keyed with a random salt that the vault's tombstones share: without
the repository they mean nothing, and nothing in one vault tells what another forgot. Whoever has the repository and the very
file or turn can check that it was forgotten, which is what recognising it means. Deleting the file lifts the ban.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

import orjson

from wikimem.core import sources

FOLDER = "wiki/.claims/forgotten"
FORGOTTEN = "it was forgotten, and stays out"
"""Why a file is left out that a `forget` took out of the vault."""

_DIGITS = 20


@dataclass(frozen=True, slots=True)
class Tombstone:
    """What one `forget` left of what it removed.

    Args:
        salt: what its hashes are keyed with, hexadecimal.
        when: the time, `2026-08-14T10:11:03Z`.
        sources: ids of the sources that went as a whole.
        emptied: ids of the sources that lost lines.
        raws: for each file of the former, how many raw bytes it had, and the keyed hash of their hash: `508-9f…`.
        turns: keyed hashes of the identities of turns that nothing holds any more.
        commits: the commits that first held it, where history was rewritten: no history with one of them is to be joined.
    """

    salt: str
    when: str
    sources: tuple[str, ...] = ()
    emptied: tuple[str, ...] = ()
    raws: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()


def key(salt: str, what: str) -> str:
    """The keyed hash of a raw hash or a turn's identity: 20 hexadecimal digits of HMAC-SHA-256."""
    return hmac.new(bytes.fromhex(salt), what.encode("utf-8", "replace"), sha256).hexdigest()[:_DIGITS]


def raw(salt: str, size: int, digest: str) -> str:
    """What a tombstone keeps of a file: its length, and the keyed hash of the hash of its raw bytes."""
    return f"{size}-{key(salt, digest)}"


def write(stone: Tombstone) -> bytes:
    """The file's bytes: one line of JSON, canonical."""
    told: dict[str, Any] = {
        "wikimem-forgotten": 1,
        "when": stone.when,
        "salt": stone.salt,
        "sources": sorted(set(stone.sources)),
        "emptied": sorted(set(stone.emptied)),
        "raws": sorted(set(stone.raws)),
        "turns": sorted(set(stone.turns)),
        "commits": sorted(set(stone.commits)),
    }
    return orjson.dumps({name: value for name, value in told.items() if value}) + b"\n"


def path(stone: Tombstone) -> str:
    """Where its file lies in the vault: named by its content, so that no two ever conflict."""
    return f"{FOLDER}/{sha256(write(stone)).hexdigest()[:12]}.json"


def read(data: bytes) -> Tombstone | None:
    """The tombstone in a file; None if it is none."""
    try:
        told = orjson.loads(data)
        found = Tombstone(
            str(told["salt"]),
            str(told.get("when", "")),
            *(tuple(map(str, told.get(name, ()))) for name in ("sources", "emptied", "raws", "turns", "commits")),
        )
        bytes.fromhex(found.salt)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    named = (*found.sources, *found.emptied)
    return found if told.get("wikimem-forgotten") == 1 and all(sources.ID.match(each) for each in named) else None


@dataclass(frozen=True)
class Tombstones:
    """All tombstones of a vault, asked together."""

    every: tuple[Tombstone, ...] = ()

    @cached_property
    def sources(self) -> frozenset[str]:
        """Ids of the sources that were forgotten as a whole."""
        return frozenset(source for stone in self.every for source in stone.sources)

    @cached_property
    def emptied(self) -> frozenset[str]:
        """Ids of the sources that lost lines."""
        return frozenset(source for stone in self.every for source in stone.emptied)

    @cached_property
    def commits(self) -> tuple[str, ...]:
        """The commits that no history to be joined may hold."""
        return tuple(sorted({commit for stone in self.every for commit in stone.commits}))

    @property
    def salt(self) -> str:
        """The salt that the next tombstone shares; empty if there is none yet."""
        return min(((stone.when, stone.salt) for stone in self.every), default=("", ""))[1]

    def has_raw(self, size: int, digest: str) -> bool:
        """Whether a file of so many raw bytes, with this SHA-256, was forgotten."""
        return any(raw(salt, size, digest) in known for salt, known in self._raws.items())

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How long the files were that were forgotten, in raw bytes, each length once."""
        return tuple(sorted({int(size) for stone in self.every for each in stone.raws if (size := each.split("-")[0]).isdigit()}))

    def has_turn(self, identity: str) -> bool:
        """Whether a turn of this identity was forgotten."""
        return bool(identity) and any(key(salt, identity) in known for salt, known in self._turns.items())

    @cached_property
    def _raws(self) -> Mapping[str, frozenset[str]]:
        return _by_salt((stone.salt, stone.raws) for stone in self.every if stone.raws)

    @cached_property
    def _turns(self) -> Mapping[str, frozenset[str]]:
        return _by_salt((stone.salt, stone.turns) for stone in self.every if stone.turns)

    def __bool__(self) -> bool:
        return bool(self.every)


def _by_salt(told: Iterable[tuple[str, Iterable[str]]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for salt, hashes in told:
        found.setdefault(salt, set()).update(hashes)
    return {salt: frozenset(hashes) for salt, hashes in found.items()}


def of(files: Iterable[bytes]) -> Tombstones:
    """The tombstones in files; what is none is passed over: it bans nothing and excuses nothing."""
    found = (read(data) for data in files)
    return Tombstones(tuple(sorted({stone for stone in found if stone is not None}, key=write)))
