"""Sheets: the files of a vault as lines: of a page its own, of a source its turns. Whose they are is known here too."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from wikimem.core import moments, pages, scopes, screening, shelving
from wikimem.core.shelving import Line
from wikimem.core.sources import Sidecar
from wikimem.core.turns import Form, Turn
from wikimem.edges.ledger import Ledger
from wikimem.edges.shelf.confined import Astray, Confined

_MARKS = {"own-session": "memory", "own-tool": "memory", "vault": "memory", "rewound": "rewound"}
_SOURCE = re.compile(r"(?:\d{8}|undated)-[a-z0-9]+(?:-[a-z0-9]+)*-[0-9a-f]{8,64}")
_ROOM = 32_000_000
"""Characters of sources that are kept in memory while the shelf is open."""


@dataclass(frozen=True, slots=True)
class Owner:
    """The source that a file below `sources/` belongs to.

    Args:
        source: its id.
        member: the member file whose turns it holds; empty for the main file.
        whole: whether its turns can be read; otherwise it is a file of plain lines.
        part: whether it is a later part of a large file, whose turns the main file gives too.
    """

    source: str
    member: str
    whole: bool
    part: bool = False


class Sheets:
    """The files of a vault, as one scope may see them.

    Args:
        files: the vault's files.
        ledger: its sources.
        scope: who looks; counts under `strict`.
        strict: whether only what belongs to that very scope is there at all.
        until: the last instant that something may have been said at; then the wiki, which tells what is known now, is
            closed. Empty for any.
        floor: the first instant of a moment, by the vault's clock.
    """

    def __init__(
        self, files: Confined, ledger: Ledger, scope: str, strict: bool, until: str, floor: Callable[[str], str] = moments.floor
    ) -> None:
        self._files, self._ledger = files, ledger
        self._scope, self._strict, self._until, self._floor = scope, strict, until, floor
        self._owners: dict[str, Owner] | None = None
        self._kept: dict[str, tuple[Line, ...]] = {}
        self._size = 0

    def owner(self, path: str) -> Owner | None:
        """Whose a file below `sources/` is; None for nobody's."""
        if self._owners is None:
            self._owners = dict(_owners(self._ledger.all()))
        return self._owners.get(path)

    def sidecar(self, source: str) -> Sidecar:
        """The sidecar of a source."""
        return self._ledger.all()[source]

    def is_open(self, path: str) -> bool:
        """Whether a file may be seen, as far as its path tells; of pages under strict isolation its text decides."""
        if path.startswith("wiki/"):
            # An index names the pages of all scopes.
            return not self._until and not (self._strict and path.count("/") > 1 and path.endswith("/index.md"))
        owner = self.owner(path)
        if owner is None:
            return not self._strict and not self._until
        if self._strict and not scopes.sees(self._scope, self.sidecar(owner.source).scope):
            return False
        return owner.whole or not self._until

    def lines(self, path: str) -> tuple[Line, ...]:
        """All lines, or turns, of a file.

        Raises:
            Astray: it is not there, or not for this scope to see.
        """
        if not self.is_open(path):
            raise Astray("there is no such file on the shelf")
        owner = self.owner(path)
        if owner is None or not owner.whole:
            return self._plain(path)
        held = self._turns(owner.source)
        prefix = f"{owner.member}/" if owner.member else ""
        return tuple(line for line in held if line.at.startswith(prefix) and ("/" in line.at) == bool(prefix))

    def is_shown(self, text: str) -> bool:
        """Whether a page of this text may be seen: the scope may see its scope and that of every source it cites."""
        if not self._strict:
            return True
        told = pages.parse(text).front.get("scope", "")
        seen = isinstance(told, str) and scopes.sees(self._scope, told)
        return seen and all(self._is_own(source) for source in _SOURCE.findall(text))

    def raw(self, path: str) -> bytes | None:
        """The bytes of a file whose turns hold every ASCII word of it; None where that is not known."""
        owner = self.owner(path)
        if owner is None or not owner.whole or owner.source in self._kept:
            return None
        if owner.member:
            return self._files.read(shelving.parts(path))
        sidecar = self.sidecar(owner.source)
        later = [f"{sidecar.folder}/{sidecar.id}/{member.name}" for member in sidecar.members if member.line]
        return b"".join(self._files.read(shelving.parts(each)) for each in (path, *later))

    def _is_own(self, source: str) -> bool:
        sidecar = self._ledger.all().get(source)
        return sidecar is not None and scopes.sees(self._scope, sidecar.scope)

    def _plain(self, path: str) -> tuple[Line, ...]:
        text = self._files.read(shelving.parts(path)).decode("utf-8", "replace")
        if path.startswith("wiki/") and not self.is_shown(text):
            raise Astray("there is no such file on the shelf")
        return tuple(Line(f"L{number}", line) for number, line in enumerate(text.removesuffix("\n").split("\n"), 1))

    def _turns(self, source: str) -> tuple[Line, ...]:
        if source in self._kept:
            return self._kept[source]
        for path in self.sidecar(source).paths():
            self._files.check(shelving.parts(path))
        session = self._ledger.read(source)
        screened = screening.screen(session.turns, session.dead)
        zone = self._ledger.zone
        made = tuple(
            Line(heard.turn.at, heard.turn.text, _who(heard.turn), zone.told(heard.turn.said), _MARKS.get(heard.rule, ""))
            for heard in screened.heard
            if heard.turn.form is not Form.THINKING and heard.turn.text.strip() and self._was_said(heard.turn, source)
        )
        size = sum(len(line.text) for line in made)
        if self._size + size <= _ROOM:
            self._kept[source] = made
            self._size += size
        return made

    def day(self, source: str) -> str:
        """The day on which a source began; empty if unknown."""
        return self._ledger.zone.day(self.sidecar(source).started)

    def _was_said(self, turn: Turn, source: str) -> bool:
        # Of what nobody dated it counts when it was taken in, as in a recall.
        told = self._floor(turn.said) or self._floor(self.sidecar(source).recorded)
        return not self._until or told <= self._until


def _who(turn: Turn) -> str:
    match turn.form:
        case Form.CALL:
            return f"calls {turn.name}".rstrip()
        case Form.RESULT:
            return "tool failed" if turn.error else "tool"
    return f"{turn.speaker.value} {turn.name}".rstrip() if turn.speaker.value == "human" else turn.speaker.value


def _owners(known: Mapping[str, Sidecar]) -> list[tuple[str, Owner]]:
    found = []
    for source, sidecar in known.items():
        found.append((sidecar.path, Owner(source, "", True)))
        found.append((sidecar.paths()[0], Owner(source, "", False)))
        for member in sidecar.members:
            own = member.name.removesuffix(".jsonl")
            told = Owner(source, "", True, part=True) if member.line else Owner(source, own, own != member.name)
            found.append((f"{sidecar.folder}/{source}/{member.name}", told))
    return found
