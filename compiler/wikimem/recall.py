"""Recall and search: what was said, found with its context and place, without a model and without a network.

`recall` gives an agent a bundle of evidence within a budget, or nothing; `search` gives a person a list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wikimem import indexing
from wikimem.core import bundles, passages, projects
from wikimem.core.bundles import Bundle
from wikimem.core.passages import Hit, Passage
from wikimem.core.queries import Within
from wikimem.core.turns import Speaker
from wikimem.edges.index import Index, Unusable
from wikimem.errors import Problem, VaultLocked
from wikimem.vault import Vault

# More than this is not caught up with while somebody waits for an answer.
_PATIENCE = 20_000_000
_HITS = 20


@dataclass(frozen=True, slots=True)
class Recalled:
    """The answer to a recall.

    Args:
        question: as it was asked.
        bundle: the evidence; without entries, nothing relevant was found.
        problems: what could not be searched, such as an index that is behind.
    """

    question: str
    bundle: Bundle
    problems: tuple[Problem, ...]

    def as_json(self) -> dict[str, Any]:
        """The answer as plain values; the shape is stable."""
        return {**bundles.as_dict(self.bundle, self.question), "problems": [str(each) for each in self.problems]}


@dataclass(frozen=True, slots=True)
class Listed:
    """The answer to a search: hits, best first.

    Args:
        hits: the passages.
        problems: as in `Recalled`.
    """

    hits: tuple[Hit, ...]
    problems: tuple[Problem, ...]

    def as_json(self) -> dict[str, Any]:
        """The list as plain values; the shape is stable."""
        return {
            "hits": [
                {
                    "cite": hit.passage.cite,
                    "said": hit.passage.said,
                    "speaker": hit.passage.speaker.value,
                    "name": hit.passage.name,
                    "scope": hit.passage.scope,
                    "score": round(hit.score, 4),
                    "text": hit.passage.text,
                }
                for hit in self.hits
            ],
            "problems": [str(each) for each in self.problems],
        }


def recall(vault: Vault, question: str, scope: str = "", budget: int = bundles.BUDGET) -> Recalled:
    """Evidence for a question.

    Args:
        vault: the vault.
        question: any text.
        scope: the project that asks, `project:checkout`. Its turns rank first; in a strict vault no others are found.
        budget: tokens of the rendered bundle, by a conservative estimate.
    """
    index, problems = _index(vault)
    within = _within(vault, scope)
    with index:
        found = index.search(question, _HITS, within, context=1)
    if not found.query.terms:
        hits, told = _literal(vault, question, within, _HITS)
        return Recalled(question, bundles.build(hits, budget), (*problems, told))
    return Recalled(question, bundles.build(found.hits, budget), (*problems, *found.problems))


def search(
    vault: Vault,
    words: str,
    scope: str = "",
    since: str = "",
    until: str = "",
    speaker: Speaker | None = None,
    limit: int = 10,
) -> Listed:
    """Turns that hold any of some words, best first.

    Args:
        vault: the vault.
        words: any text.
        scope: as for `recall`.
        since: first day, `2026-08-14`; '' for all.
        until: last day.
        speaker: only turns of this speaker.
        limit: at most so many.
    """
    index, problems = _index(vault)
    within = _within(vault, scope, since, until, speaker)
    with index:
        found = index.search(words, limit, within, listing=True)
    if not found.query.terms:
        hits, told = _literal(vault, words, within, limit)
        return Listed(hits, (*problems, told))
    return Listed(found.hits, (*problems, *found.problems))


def _literal(vault: Vault, words: str, within: Within, limit: int) -> tuple[tuple[Hit, ...], Problem]:
    """Turns that hold a text to the letter, newest source first: for texts without any word that an index could hold."""
    sought = words.strip()
    told = "it holds no word that can be looked up"
    if len(sought) < 2 or not sought.strip("*?% "):
        return (), Problem(repr(sought[:40]), "no-words", f"{told}; ask with a word")
    hits: list[Hit] = []
    read = 0
    known = sorted(vault.ledger.all().values(), key=lambda each: (each.started, each.id), reverse=True)
    for sidecar in known:
        scope = projects.scope(sidecar.remote, sidecar.cwd)
        read += sidecar.raw.bytes
        if len(hits) >= limit or read > _PATIENCE:
            break
        if within.strict and scope != within.scope:
            continue
        session = vault.ledger.read(sidecar.id)
        for passage in passages.of(sidecar.id, scope, session.turns, session.dead):
            place = passage.text.find(sought)
            if place >= 0 and _fits(passage, within) and len(hits) < limit:
                hits.append(Hit(passage, 1.0, (place,), (), ()))
    return tuple(hits), Problem(
        repr(sought[:40]), "literal", f"{told}; the newest {min(read, _PATIENCE) // 1000} kB were read for it"
    )


def _fits(passage: Passage, within: Within) -> bool:
    day = passage.said[:10]
    early, late = within.since and day < within.since, within.until and day > within.until
    return not (early or late or ((within.since or within.until) and not day)) and within.speaker in (None, passage.speaker)


def _within(vault: Vault, scope: str, since: str = "", until: str = "", speaker: Speaker | None = None) -> Within:
    return Within(scope, vault.settings.isolation == "strict", since, until, speaker)


def _index(vault: Vault) -> tuple[Index, list[Problem]]:
    """The index, brought in step if that is quick; else as it is, and a word about it."""
    place = indexing.folder(vault.root)
    place.mkdir(parents=True, exist_ok=True)
    index = Index.open(place)
    known = vault.ledger.all()
    if isinstance(index, Unusable):
        return indexing.refresh(vault.root, vault.ledger), []
    missing, gone = indexing.behind(index, known)
    if not missing and not gone:
        return index, []
    size = sum(known[source].raw.bytes for source in missing)
    if size <= _PATIENCE:
        index.close()
        try:
            return indexing.refresh(vault.root, vault.ledger), []
        except VaultLocked:
            pass
    told = f"the index is behind by {len(missing)} sources; `wikimem ingest` brings it up"
    return index, [Problem(str(place), "index-behind", told)]
