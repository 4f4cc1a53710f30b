"""Gathering: the files of the wiki, of each what the rest of the site must know. Files that did not change are not read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import orjson

from wikimem.core import cards, catalogue, front, lines, pages
from wikimem.core.lines import ClaimLine
from wikimem.core.pages import Kept, Lead, Page
from wikimem.core.sites import entries, lookup
from wikimem.core.sites.entries import Entry
from wikimem.edges.sites.book import Book
from wikimem.publishing.workers import Workers

_CLAIMS = ".claims/"


@dataclass(frozen=True, slots=True)
class Card:
    """What a session's card tells."""

    source: str
    title: str
    scope: str
    started: str
    asked: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Ground:
    """The wiki's files.

    Args:
        entries: pages by path below `wiki/`.
        cards: by source id.
        claims: the ids that each source yields.
        digests: of every file, by path below `wiki/`.
        changed: paths whose content is not that of the last build; those that are gone included.
    """

    entries: Mapping[str, Entry]
    cards: Mapping[str, Card]
    claims: Mapping[str, tuple[str, ...]]
    digests: Mapping[str, str]
    changed: frozenset[str]


def gather(root: Path, book: Book, workers: Workers) -> Ground:
    """The wiki as it lies on disk.

    Args:
        root: the vault's folder.
        book: what the last build knew; brought up to date.
        workers: read what is new.
    """
    known = {path: orjson.loads(value) for path, value in book.all("files").items()}
    stamps = dict(_files(root / "wiki"))
    stale = [path for path, stamp in stamps.items() if path not in known or known[path]["stamp"] != stamp]
    fresh: dict[str, Any] = {}
    words: dict[str, Any] = {}
    changed = set(known) - set(stamps)
    book.drop("files", changed)
    book.drop("words", changed)
    digests = {path: each["digest"] for path, each in known.items()}
    for path, found, said in workers.map(look, [(root, path, digests.get(path, "")) for path in stale]):
        if found is None:
            changed.add(path)
            stamps.pop(path)
            continue
        if "plain" not in found:
            # Written again as it was, by a checkout or a merge.
            fresh[path] = {**known[path], "stamp": stamps[path]}
            continue
        fresh[path] = {**found, "stamp": stamps[path]}
        if path not in known or known[path]["digest"] != found["digest"]:
            changed.add(path)
            if said is not None:
                words[path] = said
    book.keep("files", fresh)
    book.keep("words", words)
    told = {path: fresh.get(path) or known[path] for path in sorted(stamps)}
    return _ground(told, frozenset(changed))


def _ground(told: Mapping[str, Any], changed: frozenset[str]) -> Ground:
    found: dict[str, Entry] = {}
    seen: dict[str, Card] = {}
    claims: dict[str, tuple[str, ...]] = {}
    for path, each in told.items():
        plain = each["plain"]
        match each["kind"]:
            case "page":
                found[path] = entries.of_plain(plain)
            case "card":
                seen[plain["source"]] = Card(**plain)
            case "claims":
                claims[plain["source"]] = tuple(plain["ids"])
    return Ground(found, seen, claims, {path: each["digest"] for path, each in told.items()}, changed)


def _files(top: Path) -> Iterator[tuple[str, list[int]]]:
    """Path, size and time of each file that counts; links are passed over, for they could lead anywhere."""
    pending = [(str(top), "")]
    while pending:
        folder, prefix = pending.pop()
        try:
            scanned = os.scandir(folder)
        except FileNotFoundError:
            continue
        with scanned:
            for entry in scanned:
                name = prefix + entry.name
                if entry.is_dir(follow_symlinks=False):
                    if not entry.name.startswith(".") or name == _CLAIMS.rstrip("/"):
                        pending.append((entry.path, f"{name}/"))
                elif entry.is_file(follow_symlinks=False) and _kind(name):
                    stat = entry.stat(follow_symlinks=False)
                    yield name, [stat.st_size, stat.st_mtime_ns]


def _kind(path: str) -> str:
    if path.startswith(_CLAIMS):
        year = path[len(_CLAIMS) : len(_CLAIMS) + 1]
        return "claims" if path.endswith(".jsonl") and (year.isdigit() or year == "u") else ""
    if catalogue.is_page(path):
        return "page"
    return "card" if path.startswith("sessions/") and path.endswith(".md") and not path.endswith("index.md") else ""


def look(asked: tuple[Path, str, str]) -> tuple[str, dict[str, Any] | None, dict[str, Any] | None]:
    """One file: its path, what is kept of it (None if it is gone), and its words where it is searched.

    Args:
        asked: the vault's folder, the path, and the digest of what the last build knew; a file that still is that is not parsed,
            and nothing is told of it but its digest.
    """
    root, path, before = asked
    try:
        data = (root / "wiki" / path).read_bytes()
    except FileNotFoundError:
        return path, None, None
    kind = _kind(path)
    found: dict[str, Any] = {"digest": blake2b(data, digest_size=12).hexdigest(), "kind": kind}
    if found["digest"] == before:
        return path, found, None
    if kind == "claims":
        return path, {**found, "plain": _claim_ids(path, data)}, None
    text = data.decode("utf-8", "replace")
    if kind == "card":
        card = _card(path, text)
        said = lookup.words(card["title"], (), f"{card['asked']} {card['outcome']}")
        return path, {**found, "plain": card}, _plain(said)
    page = pages.parse(text)
    entry = entries.of(path, page)
    said = lookup.words(entry.title, entry.aliases, _searched(entry, page))
    return path, {**found, "plain": entries.plain(entry)}, _plain(said)


def words(told: Mapping[str, Any]) -> lookup.Words:
    """The words of a file, as they were kept."""
    return lookup.Words(tuple(told["lengths"]), {term: tuple(counts) for term, counts in told["counts"].items()})


def _plain(said: lookup.Words) -> dict[str, Any]:
    return {"lengths": list(said.lengths), "counts": {term: list(counts) for term, counts in said.counts.items()}}


def _searched(entry: Entry, page: Page) -> str:
    told = [entry.summary, entry.scope]
    for line in page.lines:
        match line:
            case ClaimLine():
                told.append(line.text)
            case Lead(sentences):
                told += [text for text, _ in sentences]
            case Kept(text):
                told.append(text)
            case _:
                pass
    return "\n".join(told)


def _claim_ids(path: str, data: bytes) -> dict[str, Any]:
    ids = [line[10:22].decode("ascii", "replace") for line in data.split(b"\n") if line.startswith(b'{"claim":"')]
    return {"source": path.rsplit("/", 1)[-1].removesuffix(".jsonl"), "ids": ids}


def _card(path: str, text: str) -> dict[str, str]:
    told = {"source": path.rsplit("/", 1)[-1].removesuffix(".md"), "title": "", "scope": "", "started": ""}
    told |= {"asked": "", "outcome": ""}
    inside = 0
    for line in text.split("\n")[: cards.LINES]:
        inside += line == "---"
        found = front.read(line) if inside == 1 else None
        if found is not None and found[0] in ("title", "scope", "started") and isinstance(found[1], str):
            told[found[0]] = found[1]
        for label, key in (("**Asked:** ", "asked"), ("**Outcome:** ", "outcome")):
            if line.startswith(label):
                told[key] = lines.unescape(line.removeprefix(label))
    return told
