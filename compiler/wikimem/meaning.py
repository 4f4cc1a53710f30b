"""Meaning: the dense channel of recall, for vaults whose settings name a model: what was said in other words than asked.

Vectors are kept in step when sources come in, never while somebody waits for an answer. Whatever is wrong with them
narrows recall to words and is told as a problem; nothing here stops anything.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from wikimem import indexing
from wikimem.core import passages
from wikimem.core.passages import Passage
from wikimem.core.turns import Form, Speaker
from wikimem.edges import vectors
from wikimem.edges.vectors import Embedder, Kept, NoModel
from wikimem.errors import Problem

if TYPE_CHECKING:
    from wikimem.vault import Vault

NEAREST = 100
"""Passages whose meaning is nearest: the last of them counts for nothing, the first for all."""
_CHARACTERS = 1200
"""Of a passage that are read."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """The opened channel.

    Args:
        embedder: the model.
        kept: the vectors.
    """

    embedder: Embedder
    kept: Kept

    def near(self, question: str) -> Mapping[str, float]:
        """How near passages are to a question, by citation, above 0 to 1: where they stand between the nearest and the last."""
        found = self.kept.nearest(self.embedder.embed([question])[0], NEAREST)
        if len(found) < 2 or found[0][1] <= found[-1][1]:
            return {}
        low = found[-1][1] if len(found) == NEAREST else min(found[-1][1], 0.0)
        return {cite: share for cite, alike in found if (share := (alike - low) / (found[0][1] - low)) > 0}


def folder(root: Path) -> Path:
    """Where a vault's vectors lie."""
    return indexing.folder(root) / "vectors"


def opened(vault: Vault) -> tuple[Meaning | None, tuple[Problem, ...]]:
    """The channel, as it is; None where the settings name no model or it cannot be used."""
    if not vault.settings.dense:
        return None, ()
    try:
        embedder = _embedder(vault, fetch=False)
    except NoModel as error:
        return None, (_problem(vault, str(error)),)
    kept = vectors.read(folder(vault.root))
    if kept.key != embedder.key:
        return None, (_problem(vault, "it has read nothing yet; `wikimem ingest` lets it"),)
    missing = sum(kept.sources.get(source) != indexing.key(sidecar) for source, sidecar in vault.ledger.all().items())
    told = f"{missing} sources were not read by it yet; `wikimem ingest` lets it"
    return Meaning(embedder, kept), (_problem(vault, told),) if missing else ()


def refresh(vault: Vault, embedder: Embedder | None = None) -> tuple[Problem, ...]:
    """Bring the vectors in step with the sources; what is of a source that is gone goes in any case.

    Args:
        vault: the vault.
        embedder: the model, if not the one that the settings name.
    """
    place = folder(vault.root)
    if not vault.settings.dense and embedder is None:
        shutil.rmtree(place, ignore_errors=True)
        return ()
    kept, known = vectors.read(place), vault.ledger.all()
    try:
        model = embedder or _embedder(vault, fetch=True)
    except NoModel as error:
        if not known.keys() >= kept.sources.keys():
            shutil.rmtree(place, ignore_errors=True)
        return (_problem(vault, str(error)),)
    if kept.key != model.key:
        kept = Kept(model.key, {}, (), None)
    gone = [source for source in kept.sources if source not in known]
    missing = [source for source, sidecar in known.items() if kept.sources.get(source) != indexing.key(sidecar)]
    if gone or missing or not place.is_dir():
        added = []
        for batch in indexing.batches(vault.ledger, known, missing):
            told = [one for one in passages.of(batch.source, batch.scope, batch.turns, batch.skip) if _speaks(one)]
            rows = model.embed([_text(one) for one in told]) if told else ()
            added.append((batch.source, batch.key, [one.cite for one in told], rows))
        vectors.write(place, replace(kept, key=model.key), gone, added)
    return ()


def _speaks(passage: Passage) -> bool:
    return passage.form is Form.PROSE and passage.speaker in (Speaker.HUMAN, Speaker.ASSISTANT)


def _text(passage: Passage) -> str:
    name = f"{passage.name}: " if passage.speaker is Speaker.HUMAN and passage.name else ""
    return name + passage.text[:_CHARACTERS]


def _embedder(vault: Vault, fetch: bool) -> Embedder:
    name = vault.settings.dense
    return vectors.Onnx(vectors.find(name, vault.root, fetch), name)


def _problem(vault: Vault, why: str) -> Problem:
    return Problem(vault.settings.dense, "dense", f"recall goes by words alone, or by less of the meaning: {why}")
