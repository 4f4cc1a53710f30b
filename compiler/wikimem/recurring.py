"""Recurring: the questions that this memory is asked again and again, each with the claims that recall finds for it."""

from __future__ import annotations

from dataclasses import replace

from wikimem import indexing
from wikimem.core import bundles, recalls
from wikimem.core.answers import Told
from wikimem.core.consolidation import answers
from wikimem.core.consolidation.answers import Repeated
from wikimem.core.fold import Wiki
from wikimem.core.queries import Within
from wikimem.edges import recalls as logs
from wikimem.indexing import Shelves
from wikimem.vault import Vault

_FOUND = 8


def repeated(vault: Vault, wiki: Wiki) -> tuple[Repeated, ...]:
    """The questions that were asked often, and those that have a page.

    Args:
        vault: the vault.
        wiki: as its claims files on disk give it.

    Raises:
        VaultLocked: another process is writing to the index and did not end in time.
    """
    log = recalls.read(logs.lines(vault.root))
    asked = answers.repeated(log.recalls, wiki.ground.results)
    if not asked:
        return ()
    with indexing.refresh(vault.root, vault.ledger, vault.settings.vocabulary, wiki) as shelves:
        return tuple(replace(one, claims=_claims(vault, shelves, one)) for one in asked)


def _claims(vault: Vault, shelves: Shelves, asked: Repeated) -> tuple[str, ...]:
    """Of the claims that are found, those that hold and that nothing contradicts, best first."""
    within = Within(asked.scope, vault.settings.isolation == "strict", zone=vault.zone)
    found = shelves.search(asked.question, bundles.HITS, within).hits
    told = [hit.first for hit in found if isinstance(hit, Told) and len(hit.statements) == 1]
    return tuple(one.id for one in told if one.current)[:_FOUND]
