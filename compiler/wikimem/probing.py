"""Probing: questions put to an open vault as recall puts them, and what each found. No figures; `core.evaluation` has those."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator

from wikimem.core import bundles
from wikimem.core.answers import Answer, Told, Written
from wikimem.core.entries import AnyEntry, ClaimEntry, Entry, ProseEntry
from wikimem.core.evaluation.cases import Case
from wikimem.core.evaluation.figures import BUDGETS, Context, Row, subject_key
from wikimem.core.passages import Hit
from wikimem.core.queries import Within
from wikimem.core.statements import Statement
from wikimem.edges.index.searching import RECALL, without
from wikimem.indexing import Shelves
from wikimem.meaning import Meaning

MEANING = "meaning"
"""The dense channel, in a vault whose settings name a model."""
CLAIMS = "claims"
"""The channel that is all of the wiki: its claims and what people wrote."""

_PROVING = 4
"""How many proofs of a claim a bundle names."""


def ask(
    shelves: Shelves,
    cases: Iterable[Case],
    haystack: str,
    ablate: Collection[str],
    within: Within | None = None,
    channel: Meaning | None = None,
) -> Iterator[Row]:
    """Each case, asked.

    Args:
        shelves: the indexes of the vault.
        cases: the questions.
        haystack: what the vault is called in the rows.
        ablate: the channels that are not used; `CLAIMS`, `MEANING`, or one of `searching.CHANNELS`.
        within: what every question is confined to, besides the moment that the case names.
        channel: of meaning, where the vault has one.
    """
    taste = without(RECALL, [name for name in ablate if name not in (CLAIMS, MEANING)])
    wiki = None if CLAIMS in ablate else shelves.wiki
    for case in cases:
        asked = Within(at=case.at) if within is None else within
        start = time.perf_counter()
        near = channel.near(case.question) if channel is not None and MEANING not in ablate else None
        found = shelves.turns.search(case.question, bundles.HITS, asked, context=1, taste=taste, wiki=wiki, meaning=near)
        whole = bundles.build(found.hits, max(BUDGETS))
        seconds = time.perf_counter() - start
        contexts = {budget: _context(bundles.build(found.hits, budget)) for budget in BUDGETS[:-1]}
        contexts[max(BUDGETS)] = _context(whole)
        yield Row(case, haystack, tuple(keys(hit) for hit in found.hits), contexts, seconds)


def keys(answer: Answer) -> frozenset[str]:
    """What an answer is known by: the turns it cites, and the subjects it is about."""
    match answer:
        case Hit(passage):
            return frozenset((passage.cite,))
        case Told():
            every = (*answer.statements, *answer.before, *answer.also)
            return frozenset().union(answer.cites, *(_about(one) for one in every))
        case Written(prose):
            return _page(prose.path, prose.title, prose.aliases)


def _about(statement: Statement) -> frozenset[str]:
    return _page(statement.page, statement.about.title, statement.about.aliases)


def _page(path: str, title: str, aliases: Iterable[str]) -> frozenset[str]:
    return frozenset(subject_key(name) for name in (path, title, *aliases) if name)


def _context(bundle: bundles.Bundle) -> Context:
    told = [(_entry(entry), entry) for entry in bundle.entries]
    own = tuple(keys for keys, entry in told if not (isinstance(entry, Entry) and entry.context))
    return Context(frozenset().union(*(keys for keys, _ in told)), own, bundles.tokens(bundle.text))


def _entry(entry: AnyEntry) -> frozenset[str]:
    match entry:
        case Entry(passage):
            return frozenset((passage.cite,))
        case ClaimEntry(statement):
            # Of a claim all proofs that are named count, of those beside it the first: it is what the bundle cites.
            named = [f"{one.source}:{one.at}" for one in statement.claim.evidence[:_PROVING]]
            beside = [one.cite for one in (*entry.rivals, *entry.before, *entry.also)]
            return frozenset((*named, *beside)) | _about(statement)
        case ProseEntry(prose):
            return _page(prose.path, prose.title, prose.aliases)
