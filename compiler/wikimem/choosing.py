"""Choosing: which sources, and which lines of others, a call to forget means. Reads only; removes nothing.

A source goes as a whole. A page, a claim or a text is taken out line by line: of a page and of a claim the lines that prove
it, of a text the lines that hold it. An empty choice never means everything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from wikimem import browsing
from wikimem.core import emptying, texts
from wikimem.core.claims import Claim
from wikimem.core.emptying import Place
from wikimem.core.subjects import Subject
from wikimem.edges import concluded
from wikimem.edges.ledger import Ledger
from wikimem.errors import NoPage, UsageError
from wikimem.memory import Memory
from wikimem.vault import Vault

_CLAIM = re.compile(r"\[?\^?([a-z2-7]{12})\]?\Z")
_SOURCE = re.compile(r"(?:\d{6,8}|undated)(?:-|\Z)|[0-9a-f]{6,}\Z")
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Choice:
    """What is to be forgotten.

    Args:
        whole: ids of sources that go as a whole.
        lines: the lines that are taken out of others, by source.
        words: the text that was named; empty unless one was.
        only: of a page, the sources that support nothing else: a person may want to name them as well.
        past: ids of sources that are gone already, of which edits may still tell.
    """

    whole: frozenset[str] = frozenset()
    lines: Mapping[str, frozenset[Place]] = field(default_factory=dict)
    words: str = ""
    only: tuple[str, ...] = ()
    past: frozenset[str] = frozenset()

    def takes(self, source: str, at: str) -> bool:
        """Whether a turn, by source and locator, goes."""
        if source in self.whole or source in self.past:
            return True
        place = emptying.place(at)
        return place is not None and place in self.lines.get(source, ())


def choose(vault: Vault, remembered: Memory, names: Sequence[str], words: str = "") -> Choice:
    """What a call means.

    Args:
        vault: the vault.
        remembered: what it remembers.
        names: of sources (shortened ids will do), of pages, and ids of claims.
        words: a text; '' for none.

    Raises:
        UsageError: nothing is named, or a name means nothing, or more than one thing.
    """
    whole: set[str] = set()
    lines: dict[str, set[Place]] = {}
    only: set[str] = set()
    if not names and not words.strip():
        raise UsageError("Nothing is named to be forgotten. Name a source, a page or a claim, or a text with --matching.")
    for name in names:
        if not name.strip():
            raise UsageError("An empty name means nothing, and never everything. Name a source, a page or a claim.")
        claims = _named(vault, remembered, name.strip(), whole, only)
        _add(lines, _footings(claims))
    if words:
        if len(texts.normal(words).replace(" ", "")) < _SHORTEST:
            raise UsageError(f"{words!r} is too short: it would take out lines that say something else. Name more of it.")
        _add(lines, _holding(vault.ledger, words))
        wanted = words.casefold()
        every = (claim for file in remembered.files.values() for claim in file.claims)
        said = [one for one in every if wanted in one.text.casefold() or wanted in one.mention.name.casefold()]
        _add(lines, _footings(said))
    left = {source: frozenset(found) for source, found in lines.items() if source not in whole}
    chosen = Choice(frozenset(whole), left, words, tuple(sorted(only - whole)))
    return replace(chosen, whole=chosen.whole | _answers(vault.ledger, chosen))


def _answers(ledger: Ledger, chosen: Choice) -> frozenset[str]:
    """The filed answers that rest on anything that goes: they quote it, so they go as a whole."""
    found = set()
    for source, answer in concluded.every(ledger):
        for rest in answer.rests:
            told, _, at = rest.cite.partition(":")
            if chosen.takes(told, at):
                found.add(source)
    return frozenset(found)


def _named(vault: Vault, remembered: Memory, name: str, whole: set[str], only: set[str]) -> Iterable[Claim]:
    """The claims that a name means; a source is added to those that go."""
    # The beginning of a hash must be long enough to be no word.
    found = vault.ledger.find(name) if _SOURCE.match(name) else []
    if len(found) == 1:
        whole.add(found[0])
        return ()
    if found:
        raise UsageError(f"{name!r} is the beginning of {len(found)} sources: {', '.join(found[:5])}. Name one of them in full.")
    claim = _CLAIM.match(name)
    every = [one for file in remembered.files.values() for one in file.claims]
    if claim and (same := [one for one in every if one.id == claim[1]]):
        return same
    try:
        path = browsing.find(vault.root, name).path
    except NoPage as error:
        raise UsageError(f"{name!r} is no source, no page and no claim of this vault; `wikimem show` finds them.") from error
    subject = _subject(remembered, path)
    if subject is None:
        raise UsageError(f"No claim stands behind the page {path}: it is your own; delete it as you like.")
    ids = {one.id for one in subject.claims}
    mine = [one for one in every if one.id in ids or one.mention.id in subject.mentions]
    only.update(_alone(remembered, mine))
    return mine


def _subject(remembered: Memory, path: str) -> Subject | None:
    wiki = remembered.wiki
    for key, subject in wiki.subjects.items():
        own = wiki.path(key)
        if path == own or path.startswith(f"{own.removesuffix('.md')}/"):
            return subject
    return None


def _alone(remembered: Memory, mine: Iterable[Claim]) -> Iterator[str]:
    """The sources of some claims that yield nothing else."""
    ids = {one.id for one in mine}
    for source in {evidence.source for one in mine for evidence in one.evidence}:
        if all(claim.id in ids for claim in remembered.files[source].claims):
            yield source


def _footings(claims: Iterable[Claim]) -> Iterator[tuple[str, Place]]:
    """The lines that some claims rest on, with what was accepted there."""
    for claim in claims:
        for one in claim.evidence:
            for at in (one.at, *([one.proposal.at] if one.proposal else [])):
                place = emptying.place(at)
                if place is not None:
                    yield one.source, place


def _add(lines: dict[str, set[Place]], found: Iterable[tuple[str, Place]]) -> None:
    for source, place in found:
        lines.setdefault(source, set()).add(place)


def _holding(ledger: Ledger, words: str) -> Iterator[tuple[str, Place]]:
    """The lines of all sources that hold a text, whatever the case of its letters, also where it is escaped."""
    wanted = words.casefold()
    escaped = {wanted, json.dumps(words)[1:-1].casefold(), json.dumps(words, ensure_ascii=False)[1:-1].casefold()}
    for source, sidecar in ledger.all().items():
        for file in emptying.files(sidecar):
            try:
                data = (ledger.root / file.path).read_bytes()
            except OSError:
                # `verify` tells of a file that is gone.
                continue
            whole = data.decode("utf-8", "replace").casefold()
            if "\\u" not in whole and not any(each in whole for each in escaped):
                continue
            for number, line in enumerate(data.split(b"\n"), file.first):
                if _holds(line, wanted, escaped):
                    yield source, (file.name, number)


def _holds(line: bytes, wanted: str, escaped: Iterable[str]) -> bool:
    told = line.decode("utf-8", "replace").casefold()
    if any(each in told for each in escaped):
        return True
    if "\\" not in told:
        return False
    try:
        return any(wanted in each.casefold() for each in _strings(orjson.loads(line)))
    except ValueError:
        return False


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for name, each in value.items():
                yield name
                yield from _strings(each)
        case list():
            for each in value:
                yield from _strings(each)
