"""Batching: what sources will ask a model is asked beforehand, all at once and at half the price, and the replies are kept.

Nothing is written to the wiki here, and no lock of its is held, since a batch may take a day. Whoever compiles afterwards finds
the replies, and asks only what is left: what was to be put right in a reply, or came up meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from wikimem.core.questions import Question
from wikimem.core.sources import Sidecar
from wikimem.core.spending import Spent
from wikimem.edges import models
from wikimem.edges.ledger import Ledger
from wikimem.edges.models import Model, Paid
from wikimem.extracting import Extracted, Extractor, each
from wikimem.vault import Vault


def ahead(
    vault: Vault,
    extractor: Extractor,
    sidecars: Sequence[Sidecar],
    link: Callable[[Extractor, Sequence[Extracted]], None],
    tell: Callable[[str], None],
) -> None:
    """Ask in batches what extracting and linking sources will ask, and wait for the replies.

    Args:
        vault: the vault.
        extractor: who extracts.
        sidecars: the sources.
        link: asks what is asked about pairs, of the extractor that it is given, once these are extracted.
        tell: told how far it is, a sentence each.

    Raises:
        NoBatches: there are none for this model.
        BatchAwaited: it was interrupted; the next call goes on.
        WorldError: the service cannot be reached, or another process waits for batches of this vault.
    """
    bulk = models.in_bulk(extractor.model, vault.work)

    def extract(model: Model) -> None:
        _extracted(replace(extractor, model=model), vault.ledger, sidecars)

    bulk.fetch(extract, tell)
    made = _extracted(extractor, vault.ledger, sidecars)
    if made:
        bulk.fetch(lambda model: link(replace(extractor, model=model), made), tell)


def priced(vault: Vault, extractor: Extractor, batch: bool) -> Callable[[Sequence[Question]], Spent] | None:
    """Tells what answers to questions would cost; None where they cost nothing.

    Raises:
        NoBatches: they are to be asked in batches, and cannot be.
    """
    if batch:
        return models.in_bulk(extractor.model, vault.work).estimate
    return extractor.model.estimate if isinstance(extractor.model, Paid) else None


def _extracted(extractor: Extractor, ledger: Ledger, sidecars: Sequence[Sidecar]) -> list[Extracted]:
    return [made for _, made in each(extractor, ledger, sidecars, extractor.jobs) if isinstance(made, Extracted)]
