"""Shelved: a vault's shelf, opened for one who looks. Git tells the past of its files; nothing is written."""

from __future__ import annotations

from collections.abc import Iterator

from wikimem.core.shelving import Limits
from wikimem.edges.shelf import Shelf
from wikimem.vault import Vault

_VERSIONS = 200
"""Commits of one file that are looked at: a page that changed more often is long known."""


def open_shelf(vault: Vault, scope: str = "", until: str = "", limits: Limits | None = None) -> Shelf:
    """The shelf of a vault.

    Args:
        vault: the vault.
        scope: who looks, `project:checkout`; in a strict vault nothing of others is there.
        until: the last instant that something may have been said at; then only sources are there. Empty for any.
        limits: of each call.
    """

    def past(path: str) -> Iterator[tuple[str, str, str, bytes]]:
        with vault.repository() as repo:
            commits = repo.log((path,), limit=_VERSIONS)
            blobs = {commit.id: repo.paths(path, commit.id).get(path, "") for commit in commits}
            texts = repo.contents(blob for blob in blobs.values() if blob)
            yield from ((one.id, one.when, one.subject, texts.get(blobs[one.id], b"")) for one in commits)

    strict = vault.settings.isolation == "strict"
    return Shelf(vault.root, vault.ledger, past, scope, strict, until, limits, floor=vault.zone.floor)
