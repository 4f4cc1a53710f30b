"""Capture of one file: read once, masked, hashed, counted and written to the staging area, whatever its size.

Nothing here touches `sources/` or git; `ingest` decides what becomes of what was staged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, BinaryIO

from wikimem.core import masking, sessions
from wikimem.core.sensitive import MARKED
from wikimem.core.sessions import Account
from wikimem.core.sources import Raw
from wikimem.core.turns import Record, Speaker
from wikimem.edges import importers, lines
from wikimem.edges.importers import LineFormat
from wikimem.errors import SecretLeft

if TYPE_CHECKING:
    from _hashlib import HASH

PART = 32 << 20
_TEXT_BLOCK = 8 << 20


@dataclass(slots=True)
class Staged:
    """A captured file, waiting in the staging area.

    Args:
        parts: the written files, each at most about `PART` bytes, as `(path, sha256, number of its first line)`.
        raw: what of the original they stand for.
        account: of its records.
        facts: what the records tell of the session; `started` and `ended` among them.
        day: the day of the first turn that has one; may be empty.
        masked: secrets by kind.
        newest: the time of the newest record; may be empty.
        unclosed: locators of turns in which a person began a private remark and never ended it.
    """

    parts: list[tuple[Path, str, int]] = field(default_factory=list)
    raw: Raw = field(default_factory=lambda: Raw(0, ""))
    account: Account = field(default_factory=Account)
    facts: dict[str, str] = field(default_factory=dict)
    day: str = ""
    masked: Counter[str] = field(default_factory=Counter)
    newest: str = ""
    unclosed: list[str] = field(default_factory=list)

    def learn(self, record: Record, where: str = "") -> None:
        """Count a record and keep what it tells of the session."""
        self.account.add(record, where)
        for name, value in record.facts.items():
            if name == "time":
                self.newest = max(self.newest, value)
            elif name == "title":
                self.facts[name] = value
            else:
                self.facts.setdefault(name, value)
        if not isinstance(record.gave, tuple):
            return
        for turn in record.gave:
            if turn.speaker is Speaker.HUMAN and MARKED in turn.text.casefold():
                self.unclosed.append(turn.at)
            if turn.said:
                self.day = self.day or turn.said[:10]
                self.facts["started"] = min(self.facts.get("started", turn.said), turn.said)
                self.facts["ended"] = max(self.facts.get("ended", ""), turn.said)


def file(
    path: Path,
    format: LineFormat,
    staging: Path,
    name: str,
    start: int = 0,
    where: str = "",
    hint: Mapping[str, str] = MappingProxyType({}),
) -> Staged:
    """Capture a file of a line format from byte `start` on.

    Args:
        path: the file as its tool left it.
        format: its format.
        staging: an existing folder on the vault's file system.
        name: what the staged parts are called there.
        start: where the part that is not yet captured begins, at a full record.
        where: the name of the member file, for the account.
        hint: what the file's name and folder tell.

    Raises:
        SecretLeft: a secret still stands in what was written.
        OSError: the file cannot be read.
    """
    staged = Staged()
    with path.open("rb") as source:
        prefix = sha256()
        for block in _limited(source, start):
            prefix.update(block)
        writer = _Writer(staging, name, staged)
        hashed = _hashed(lines.blocks(source), prefix, staged, start)
        masked = _json(hashed, staged.masked) if format.json else _texts(hashed, staged.masked)
        for record in sessions.hinted(format.read(lines.numbered(writer.through(masked))), hint):
            staged.learn(record, where)
        writer.close()
    _scan_again(staged, format.json)
    return staged


def conversation(told: importers.Conversation, staging: Path, name: str) -> Staged:
    """Capture one conversation of a container as canonical JSONL; its raw hash is that of the unmasked lines."""
    staged = Staged()
    digest = sha256()
    writer = _Writer(staging, name, staged)
    raw = _hashed(importers.canonical.write(told), digest, staged, 0)
    for record in importers.CANONICAL.read(lines.numbered(writer.through(_json(raw, staged.masked)))):
        staged.learn(record)
    writer.close()
    staged.account.noise.update(told.noise)
    staged.account.records += sum(told.noise.values())
    staged.account.unknown.update(told.unknown)
    _scan_again(staged, json=True)
    return staged


def blob(path: Path, staging: Path, name: str) -> Staged:
    """Capture a file that holds no records (a spilled tool result, a description): its bytes, masked as text."""
    staged = Staged()
    with path.open("rb") as source:
        digest = sha256()
        writer = _Writer(staging, name, staged, part=1 << 62)
        for _ in writer.through(_texts(_hashed(lines.blocks(source), digest, staged, 0), staged.masked)):
            pass
        writer.close()
    _scan_again(staged, json=False)
    return staged


def known_prefix(path: Path, wanted: Mapping[int, str]) -> int:
    """The longest of some prefixes that a file begins with; 0 if none.

    Args:
        path: the file.
        wanted: SHA-256 by length of the prefix.
    """
    digest = sha256()
    best = position = 0
    with path.open("rb") as source:
        for length in sorted(wanted):
            for block in _limited(source, length - position):
                digest.update(block)
                position += len(block)
            if position < length:
                break
            if digest.hexdigest() == wanted[length]:
                best = length
    return best


def record_start(path: Path, length: int) -> int:
    """Where the record begins in which a prefix ends: `length` itself after a full line, else the line's beginning."""
    with path.open("rb") as source:
        position = length
        while position > 0:
            step = min(1 << 16, position)
            source.seek(position - step)
            found = source.read(step).rfind(b"\n")
            if found >= 0:
                return position - step + found + 1
            position -= step
    return 0


class _Writer:
    """Writes lines to parts in the staging area while they pass through."""

    def __init__(self, staging: Path, name: str, staged: Staged, part: int = PART) -> None:
        self.staging, self.name, self.staged, self.part = staging, name, staged, part
        self.number = 1
        self.size = 0
        self.first = 1
        self.digest = sha256()
        self.file: BinaryIO | None = None

    def through(self, raw: Iterable[bytes]) -> Iterator[bytes]:
        for line in raw:
            if self.file is None:
                path = self.staging / f"{self.name}.{len(self.staged.parts) + 1}"
                self.file = path.open("wb", buffering=1 << 20)
                self.first, self.size, self.digest = self.number, 0, sha256()
            self.file.write(line)
            self.digest.update(line)
            self.size += len(line)
            self.number += 1
            if self.size >= self.part:
                self.close()
            yield line

    def close(self) -> None:
        if self.file is None:
            if self.staged.parts:
                return
            self.file = (self.staging / f"{self.name}.1").open("wb")
        self.file.close()
        self.staged.parts.append((Path(self.file.name), self.digest.hexdigest(), self.first))
        self.file = None


def _hashed(blocks: Iterable[bytes], digest: HASH, staged: Staged, start: int) -> Iterator[bytes]:
    size = start
    for block in blocks:
        digest.update(block)
        size += len(block)
        yield block
    staged.raw = Raw(size, digest.hexdigest())


def _json(blocks: Iterable[bytes], counts: Counter[str]) -> Iterator[bytes]:
    for line in lines.split(blocks):
        ended = line.endswith(b"\n")
        masked, found = masking.json_line(line[:-1] if ended else line)
        if not found:
            yield line
            continue
        counts.update(found)
        yield masked + b"\n" if ended else masked


def _texts(blocks: Iterable[bytes], counts: Counter[str]) -> Iterator[bytes]:
    """Text is masked in large pieces, cut at line ends, since a key block spans lines."""
    for piece in _pieces(blocks):
        masked, found = masking.text(piece)
        counts.update(found)
        yield from lines.split((masked,))


def _pieces(blocks: Iterable[bytes]) -> Iterator[bytes]:
    waiting: list[bytes] = []
    size = 0
    for block in blocks:
        waiting.append(block)
        size += len(block)
        if size >= _TEXT_BLOCK:
            whole = b"".join(waiting)
            cut = whole.rfind(b"\n") + 1
            opened = whole.rfind(b"-----BEGIN")
            if opened > whole.rfind(b"-----END"):
                cut = min(cut, opened)
            secret = whole.lower().rfind(b"<private>")
            if secret > whole.lower().rfind(b"</private>"):
                cut = min(cut, secret)
            if cut > 0:
                yield whole[:cut]
                whole = whole[cut:]
            waiting, size = [whole], len(whole)
    if size:
        yield b"".join(waiting)


def _scan_again(staged: Staged, json: bool) -> None:
    for path, _, _ in staged.parts:
        with path.open("rb") as written:
            # The second scan looks at whole blocks: what one line hides, its neighbours do not change.
            left: Counter[str] = Counter()
            for piece in _pieces(lines.blocks(written)):
                left.update(masking.left(piece, json))
        if left:
            raise SecretLeft(str(path.name), ", ".join(sorted(left)))


def _limited(source: BinaryIO, length: int) -> Iterator[bytes]:
    while length > 0 and (block := source.read(min(lines.BLOCK, length))):
        length -= len(block)
        yield block
