"""Settled: whether the wiki of a commit is known to be what its claims give; a note in `.wikimem/`, of this machine alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from wikimem import rendering
from wikimem.core.claims import digest
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo


def is_settled(vault: Vault, repo: Repo) -> bool:
    """Whether the wiki of the current commit is one whose pages were all held against their claims, by this renderer."""
    tree = repo.tree("wiki")
    return not tree or state(vault) == _state(vault, tree)


def remember(vault: Vault, tree: str) -> None:
    """Keep that the wiki of this tree is what its claims give; '' for that it is not."""
    path = vault.work / "wiki.json"
    temporary = path.with_suffix(".tmp")
    temporary.write_bytes(orjson.dumps(_state(vault, tree)))
    temporary.replace(path)


def state(vault: Vault) -> dict[str, str]:
    """What the last run left about the wiki; {} if nothing is known."""
    try:
        told = orjson.loads((vault.work / "wiki.json").read_bytes())
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def _state(vault: Vault, tree: str) -> dict[str, str]:
    told = vault.settings.vocabulary
    vocabulary = repr((told.attributes, told.sparing)) if told.sparing else repr(told.attributes)
    zone = {} if vault.zone.is_utc else {"zone": vault.zone.name}
    packages = {"projects": digest(repr(vault.settings.packages.patterns))} if vault.settings.packages.patterns else {}
    return {"edition": rendering.EDITION, "vocabulary": digest(vocabulary), "tree": tree, **zone, **packages}
