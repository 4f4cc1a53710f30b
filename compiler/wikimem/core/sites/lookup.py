"""Lookup: the search index of the site, split into small files by the first letters of the words. Not the searching.

The browser loads the files of the letters that were typed and searches them with MiniSearch, whose stored form the files
have. A document's number comes from its path, so a page that changes touches only the files of its own words.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b

import orjson

FIELDS = ("title", "names", "text")
_LONGEST = 40
_WORD = re.compile(r"[^\W_]+")
_DENSE = re.compile("[\u0e00-\u0eff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+")

Postings = dict[str, dict[int, dict[int, int]]]
"""How often a document has a term in a field: term, field, document."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one document.

    Args:
        lengths: words of each field.
        counts: how often each term stands in each field.
    """

    lengths: tuple[int, ...]
    counts: Mapping[str, tuple[int, ...]]


def terms(text: str) -> list[str]:
    """The terms of a text: case and accents folded; scripts without spaces as pairs of signs. The script does the same."""
    folded = text.lower() if text.isascii() else _folded(text)
    found: list[str] = []
    for word in _WORD.findall(folded):
        if word.isascii():
            found += [word[:_LONGEST]] if len(word) > 1 else []
            continue
        position = 0
        for run in _DENSE.finditer(word):
            found += _plain(word[position : run.start()])
            found += [run[0][at : at + 2] for at in range(max(1, len(run[0]) - 1))]
            position = run.end()
        found += _plain(word[position:])
    return found


def _plain(word: str) -> list[str]:
    return [word[:_LONGEST]] if len(word) > 1 else []


def _folded(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text)
    bare = "".join(sign for sign in apart if not unicodedata.category(sign).startswith("M"))
    # Hangul is put together again: its letters alone are no words.
    return unicodedata.normalize("NFC", bare).lower()


def words(title: str, names: Iterable[str], text: str) -> Words:
    """The words of a document with these fields."""
    found = [Counter(terms(told)) for told in (title, " ".join(names), text)]
    every = sorted({term for counter in found for term in counter})
    counts = {term: tuple(counter[term] for counter in found) for term in every}
    return Words(tuple(sum(counter.values()) for counter in found), counts)


def shard(term: str) -> str:
    """The name of the file that a term is in: its first two letters, or the number of its first where it is no ASCII."""
    first = ord(term[0])
    if first < 128:
        second = term[1:2] if term[1:2].isascii() else ""
        return f"{term[0]}{second or '_'}"
    return f"u{first >> 6:x}" if first >= 0x2E80 else f"u{first:x}"


def numbers(paths: Iterable[str]) -> dict[str, int]:
    """A number for each document by path, the same on every machine; the rare ones that meet are moved on."""
    found: dict[str, int] = {}
    taken: set[int] = set()
    for path in sorted(paths):
        number = int.from_bytes(blake2b(path.encode("utf-8", "replace"), digest_size=4).digest(), "big") >> 1
        while number in taken:
            number += 1
        taken.add(number)
        found[path] = number
    return found


def chunk(number: int) -> str:
    """The name of the file that tells what a document is."""
    return f"{number % 256:02x}"


def add(postings: Postings, number: int, found: Words) -> None:
    """Add a document's words."""
    for term, counts in found.counts.items():
        fields = postings.setdefault(term, {})
        for field, count in enumerate(counts):
            if count:
                fields.setdefault(field, {})[number] = count


def write(name: str, postings: Postings) -> bytes:
    """The file of a shard; terms, fields and documents in order."""
    told = [
        [term, {str(field): {str(n): documents[n] for n in sorted(documents)} for field, documents in sorted(fields.items())}]
        for term, fields in sorted(postings.items())
        if fields
    ]
    return script("shard", name, told)


def read(data: bytes) -> Postings:
    """The postings of a shard's file.

    Raises:
        ValueError: it is no such file.
    """
    told = orjson.loads(b"[" + data[data.index(b"(") + 1 : data.rindex(b")")] + b"]")[2]
    return {
        term: {int(field): {int(n): count for n, count in documents.items()} for field, documents in fields.items()}
        for term, fields in told
    }


def without(postings: Postings, numbers: Iterable[int]) -> None:
    """Take documents out of all terms."""
    gone = frozenset(numbers)
    for term in list(postings):
        fields = postings[term]
        for field in list(fields):
            fields[field] = {number: count for number, count in fields[field].items() if number not in gone}
            if not fields[field]:
                del fields[field]
        if not fields:
            del postings[term]


def ground(lengths: Mapping[int, tuple[int, ...]], minor: Iterable[int], shards: Iterable[str]) -> bytes:
    """The file that every search needs.

    Args:
        lengths: words of each field, by document.
        minor: the documents that come after others of like fitness: sessions.
        shards: the names of all shards.
    """
    ordered = sorted(lengths.items())
    count = max(1, len(ordered))
    average = [sum(each[field] for _, each in ordered) / count for field in range(len(FIELDS))]
    told = {
        "ids": [number for number, _ in ordered],
        "lengths": [list(each) for _, each in ordered],
        "average": average,
        "minor": sorted(minor),
        "shards": sorted(shards),
    }
    return script("ground", "", told)


def script(kind: str, name: str, told: object) -> bytes:
    """A value as a script that hands it over: what works without a server, where nothing can be fetched."""
    # Keys of objects are ours alone, so no text can become `__proto__`.
    return b"wikimem.take(" + orjson.dumps([kind, name])[1:-1] + b"," + orjson.dumps(told) + b")\n"
