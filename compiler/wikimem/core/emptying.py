"""Emptying: lines taken out of a source so that all others keep their numbers. Not the choice of lines.

An emptied line keeps its newline and nothing else, so every citation of another line still leads where it led.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from wikimem.core.sources import Sidecar

_PLACE = re.compile(r"(?:(?P<member>.+)/)?L(?P<line>\d+)(?:-\d+)?\Z")

Place = tuple[str, int]
"""The name of a member file without its `.jsonl`, empty for the main one, and a line in it."""


def place(at: str) -> Place | None:
    """Where a turn stands; None where its locator names no line."""
    found = _PLACE.match(at)
    return (found["member"] or "", int(found["line"])) if found else None


def without(data: bytes, lines: Collection[int], first: int = 1) -> bytes:
    """Bytes without the content of some lines.

    Args:
        data: a file, or a part of one.
        lines: their numbers.
        first: the number of the first line of the data.
    """
    if not lines:
        return data
    return b"\n".join(b"" if number in lines else line for number, line in enumerate(data.split(b"\n"), first))


def only(data: bytes, lines: Collection[int], first: int = 1) -> bytes:
    """Bytes with the content of some lines alone. Arguments as `without`."""
    return b"\n".join(line if number in lines else b"" for number, line in enumerate(data.split(b"\n"), first))


def is_emptied(before: bytes, after: bytes) -> bool:
    """Whether the one is the other without the content of some lines, and nothing else."""
    old, new = before.split(b"\n"), after.split(b"\n")
    return len(old) == len(new) and all(here in (b"", there) for there, here in zip(old, new, strict=True))


@dataclass(frozen=True, slots=True)
class File:
    """A file of a source.

    Args:
        path: in the vault.
        name: what locators call it: empty for the main file and its parts.
        first: the number of its first line.
    """

    path: str
    name: str
    first: int = 1


def files(sidecar: Sidecar) -> Iterator[File]:
    """The files of a source, without its sidecar."""
    yield File(sidecar.path, "")
    for member in sidecar.members:
        where = f"{sidecar.folder}/{sidecar.id}/{member.name}"
        yield File(where, "" if member.line else member.name.removesuffix(".jsonl"), member.line or 1)


def by_file(sidecar: Sidecar, places: Iterable[Place]) -> dict[File, frozenset[int]]:
    """The lines to empty in each file of a source that has any; of parts, each gets all of the main file's."""
    wanted: dict[str, set[int]] = {}
    for name, line in places:
        wanted.setdefault(name, set()).add(line)
    return {file: frozenset(wanted[file.name]) for file in files(sidecar) if file.name in wanted}


def restamped(sidecar: Sidecar, digests: Mapping[str, str]) -> Sidecar:
    """A sidecar whose files have other bytes now.

    Args:
        digests: SHA-256 of those that changed, by path in the vault.
    """
    members = tuple(
        replace(member, sha256=digests.get(f"{sidecar.folder}/{sidecar.id}/{member.name}", member.sha256))
        for member in sidecar.members
    )
    return replace(sidecar, sha256=digests.get(sidecar.path, sidecar.sha256), members=members)


def is_restamped(before: Sidecar, after: Sidecar) -> bool:
    """Whether two sidecars differ in the hashes of stored bytes alone, or in that the later one was retired."""
    if len(before.members) != len(after.members):
        return False
    members = tuple(replace(new, sha256=old.sha256) for old, new in zip(before.members, after.members, strict=True))
    alike = replace(after, sha256=before.sha256, members=members, retired=before.retired, attested=before.attested)
    return before == alike
