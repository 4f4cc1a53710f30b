"""Brief: what an agent is told when a session begins. Made once after each change of the wiki, then read from a file.

.wikimem/briefs/project-checkout.md     the brief of a scope; the first line tells of which state of the wiki
.wikimem/briefs/MEMORY.md               that of the whole vault, for agents that read a file and have no hooks
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikimem.core import scopes
from wikimem.vault import Vault

BUDGET = 2000
"""Tokens of a brief, unless the caller says otherwise."""

MEMORY = "MEMORY.md"
_LINES, _BYTES = 200, 25_000
_NAME = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Briefed:
    """A brief.

    Args:
        scope: of which; empty for the whole vault.
        text: it; empty if there is nothing to tell.
    """

    scope: str
    text: str

    def as_json(self) -> dict[str, Any]:
        """The brief as plain values; the shape is stable."""
        return {"scope": self.scope, "text": self.text}


def brief(vault: Vault, scope: str = "", budget: int = BUDGET) -> Briefed:
    """The brief of a scope, made now.

    Args:
        vault: the vault.
        scope: `project:checkout`; empty for the whole vault.
        budget: tokens, by a conservative estimate.
    """
    return Briefed(scope, _made(vault, [(scope, budget)])[0])


def stored(vault: Vault, scope: str) -> Briefed:
    """The brief of a scope as it was last made, without making any: nobody waits for more than a file.

    Args:
        vault: the vault.
        scope: as for `brief`.
    """
    try:
        _, _, text = _path(vault, scope).read_text("utf-8").partition("\n")
    except OSError:
        return Briefed(scope, "")
    return Briefed(scope, text)


def nearest(vault: Vault, scope: str) -> Briefed:
    """As `stored`; of a package without a brief of its own, that of what it is a part of."""
    found = (stored(vault, one) for one in scopes.lineage(scope))
    return next((one for one in found if one.text), Briefed(scope, ""))


def renew(vault: Vault) -> tuple[str, ...]:
    """Make the briefs of all scopes anew, if the wiki changed since they were made.

    Args:
        vault: the vault.

    Returns:
        The scopes of which briefs were made.
    """
    mark = _mark(vault)
    every = ("", *sorted({sidecar.scope for sidecar in vault.ledger.all().values()} - {""}))
    stale = [scope for scope in every if not _is_of(_path(vault, scope), mark)]
    if not stale:
        return ()
    for scope, text in zip(stale, _made(vault, [(scope, BUDGET) for scope in stale]), strict=True):
        _write(_path(vault, scope), f"{mark}\n{text}")
        if not scope:
            _write(_path(vault, "").with_name(MEMORY), bounded(text))
    return tuple(stale)


def bounded(text: str) -> str:
    """The text cut to what agents read of such a file: 200 lines and 25,000 bytes."""
    lines: list[str] = []
    size = 0
    for line in text.splitlines(keepends=True)[:_LINES]:
        size += len(line.encode())
        if size > _BYTES:
            break
        lines.append(line)
    return "".join(lines)


def memory_file(vault: Vault) -> Path:
    """Where the brief of the whole vault stands for agents that read a file."""
    return _path(vault, "").with_name(MEMORY)


def _made(vault: Vault, wanted: list[tuple[str, int]]) -> list[str]:
    from wikimem import branching, memory
    from wikimem.core import briefs, exports

    wiki = memory.load(vault.root, vault.ledger, vault.settings.vocabulary).wiki
    strict = vault.settings.isolation == "strict"
    apart = branching.of(vault, vault.ledger.all())
    whose = {source: sidecar.scope for source, sidecar in vault.ledger.all().items()}
    titles = [f"Memory of {scope}" if scope else "Memory" for scope, _ in wanted]
    return [
        briefs.of(exports.scoped(wiki, scope, strict, whose), title, budget, apart, scope)
        for (scope, budget), title in zip(wanted, titles, strict=True)
    ]


def _mark(vault: Vault) -> str:
    from wikimem import branching, reflecting
    from wikimem.core.claims import digest

    claims = reflecting.look(vault.root, vault.ledger, vault.settings.vocabulary).claims
    apart = branching.of(vault, vault.ledger.all()).branches
    return f"{claims}-{digest(*(part for one in sorted(apart.items()) for part in one))}" if apart else claims


def _path(vault: Vault, scope: str) -> Path:
    name = _NAME.sub("-", scope.lower()).strip("-") or "all"
    if name != scope.replace(":", "-") and scope:
        from hashlib import sha256

        # Names that are no plain words are told apart by a hash.
        name = f"{name}-{sha256(scope.encode()).hexdigest()[:8]}"
    return vault.work / "briefs" / f"{name}.md"


def _is_of(path: Path, mark: str) -> bool:
    try:
        with path.open(encoding="utf-8") as file:
            return file.readline().rstrip("\n") == mark
    except (OSError, ValueError):
        return False


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)
