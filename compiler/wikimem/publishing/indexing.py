"""Indexing: the search index of the site on disk; after a small change only the files of the words concerned are written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from wikimem.core.sites import lookup
from wikimem.core.sites.lookup import Postings, Words
from wikimem.edges.sites.book import Book
from wikimem.edges.sites.folder import Folder
from wikimem.publishing import gathering

_FEW = 300
"""Documents up to which their words are put into the files one by one."""
_STATE = "search"
MINOR = "sessions"
"""The type of document that comes after others."""


@dataclass(frozen=True, slots=True)
class Document:
    """What can be found: where it is and what a hit shows."""

    file: str
    title: str
    type: str
    scope: str
    summary: str


def write(folder: Folder, book: Book, documents: Mapping[str, Document], changed: Iterable[str]) -> frozenset[str]:
    """Write the index.

    Args:
        folder: the site's.
        book: holds the words of each document, and what the last index was made of.
        documents: by path below `wiki/`.
        changed: paths whose words may differ from those of the last index.

    Returns:
        The names of all its files.
    """
    numbers = lookup.numbers(documents)
    last = book.some("outputs", [_STATE]).get(_STATE, {})
    before: dict[str, list[Any]] = last.get("documents", {})
    stale = {path for path in changed if path in numbers} | {p for p in numbers if before.get(p, [None])[0] != numbers[p]}
    gone = {path for path in before if path not in numbers or before[path][0] != numbers[path]}
    shards = set(last.get("shards", ()))
    whole = not before or len(stale) + len(gone) > _FEW or any(folder.read(_shard(name)) is None for name in shards)
    told = {path: [number, *before[path][1:]] for path, number in numbers.items() if path in before and path not in stale}
    if whole:
        told, shards = _anew(folder, book, numbers)
    elif stale or gone:
        shards = _mended(folder, book, numbers, before, told, stale, gone, shards)
    ground = {number: tuple(lengths) for number, lengths, _ in told.values()}
    files = {_shard(name) for name in shards}
    files |= _describe(folder, documents, numbers)
    minor = (number for path, number in numbers.items() if documents[path].type == MINOR)
    folder.write("data/ground.js", lookup.ground(ground, minor, shards))
    if whole or stale or gone:
        book.keep("outputs", {_STATE: {"documents": told, "shards": sorted(shards)}})
    return frozenset({*files, "data/ground.js"})


def _shard(name: str) -> str:
    return f"data/w-{name}.js"


def _anew(folder: Folder, book: Book, numbers: Mapping[str, int]) -> tuple[dict[str, list[Any]], set[str]]:
    postings: dict[str, Postings] = defaultdict(dict)
    told: dict[str, list[Any]] = {}
    for path, value in book.all("words").items():
        if path not in numbers:
            continue
        found = gathering.words(orjson.loads(value))
        by_shard = _split(found)
        for name, words in by_shard.items():
            lookup.add(postings[name], numbers[path], words)
        told[path] = [numbers[path], list(found.lengths), sorted(by_shard)]
    for name, each in postings.items():
        folder.write(_shard(name), lookup.write(name, each))
    return told, set(postings)


def _mended(
    folder: Folder,
    book: Book,
    numbers: Mapping[str, int],
    before: Mapping[str, list[Any]],
    told: dict[str, list[Any]],
    stale: set[str],
    gone: set[str],
    shards: set[str],
) -> set[str]:
    """Take the old words of some documents out of their files, and put the new ones in."""
    out: dict[str, set[int]] = defaultdict(set)
    into: dict[str, list[tuple[int, Words]]] = defaultdict(list)
    for path in stale | gone:
        for name in before[path][2] if path in before else ():
            out[name].add(before[path][0])
    for path, value in book.some("words", stale).items():
        found = gathering.words(value)
        by_shard = _split(found)
        for name, words in by_shard.items():
            into[name].append((numbers[path], words))
        told[path] = [numbers[path], list(found.lengths), sorted(by_shard)]
    kept = set(shards)
    for name in out.keys() | into.keys():
        postings = lookup.read(folder.read(_shard(name)) or lookup.write(name, {}))
        lookup.without(postings, out[name])
        for number, words in into[name]:
            lookup.add(postings, number, words)
        if postings:
            folder.write(_shard(name), lookup.write(name, postings))
            kept.add(name)
        else:
            kept.discard(name)
    return kept


def _split(found: Words) -> dict[str, Words]:
    by_shard: dict[str, dict[str, tuple[int, ...]]] = defaultdict(dict)
    for term, counts in found.counts.items():
        by_shard[lookup.shard(term)][term] = counts
    return {name: Words(found.lengths, counts) for name, counts in by_shard.items()}


def _describe(folder: Folder, documents: Mapping[str, Document], numbers: Mapping[str, int]) -> set[str]:
    chunks: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for path, number in sorted(numbers.items(), key=lambda pair: pair[1]):
        each = documents[path]
        chunks[lookup.chunk(number)][str(number)] = [each.file, each.title, each.type, each.scope, each.summary]
    for name, told in chunks.items():
        folder.write(f"data/d-{name}.js", lookup.script("documents", name, told))
    return {f"data/d-{name}.js" for name in chunks}
