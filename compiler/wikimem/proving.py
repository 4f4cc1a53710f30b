"""Proving: claims held against the words of their sources, and pages against the claims. Reads; mends nothing.

.wikimem/proved.json    what an earlier proof found nothing wrong with, by a hash over all that was looked at, and what it holds

What is kept spares looking again, never reading: each file's bytes are hashed anew, and where one bit differs, all of it is
looked at as if nothing had been kept. Only what was right is kept, and only as long as this program is the very same.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from wikimem import browsing, memory
from wikimem.core import checks, claimfiles, pages, sources, texts
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.claims import Evidence
from wikimem.core.turns import Turn
from wikimem.errors import Problem
from wikimem.vault import Vault

KEPT = "proved.json"
"""The file's name below `.wikimem/`."""


@dataclass(slots=True)
class Held:
    """What was proved.

    Args:
        quotes: how many pieces of evidence are proved.
        attested: how many of them by a hash alone, taken before the words were retired; the others stand in their turns.
        files, pages: how many claims files and pages have the very bytes that an earlier proof found right.
        problems: of claims files, of judgements, of quotes, of pages.
    """

    quotes: int = 0
    attested: int = 0
    files: int = 0
    pages: int = 0
    problems: list[Problem] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Words:
    """What was found in a claims file.

    Args:
        quotes, attested: as of `Held`.
        ids: of its claims.
        problems: quotes that do not stand.
    """

    quotes: int
    attested: int
    ids: tuple[str, ...]
    problems: tuple[Problem, ...] = ()


def hold(vault: Vault, sound: Container[str], anew: bool = False) -> Held:
    """Hold the words of all claims against their sources, and all pages against the claims.

    Args:
        vault: the vault.
        sound: the sources whose bytes were found to be those captured, just now.
        anew: take nothing from an earlier proof.
    """
    kept = _Kept(vault, anew)
    held = Held()
    pairs, cold = list(memory.pair_texts(vault.root)), list(memory.cold_texts(vault.root))
    words = vault.settings.vocabulary
    keys = [repr((words.attributes, words.sparing)).encode(), *(data for _, data in (*pairs, *cold))]
    found = _of_claims(vault, sound, kept, held, keys)
    list(memory.read_judgements(pairs, held.problems))
    list(memory.read_results(cold, held.problems))
    ids: set[str] = set()
    for told in found.values():
        held.quotes += told.quotes
        held.attested += told.attested
        held.problems += told.problems
        ids.update(told.ids)
    whole = all(source in sound for source in vault.ledger.all())
    _of_pages(vault, ids, kept, held, _key("made", *keys) if whole else "")
    kept.save()
    return held


def _of_claims(vault: Vault, sound: Container[str], kept: _Kept, held: Held, keys: list[bytes]) -> dict[str, _Words]:
    """What was found in the claims file of each source; the keys of all files are added to `keys`."""
    known = vault.ledger.all()
    found: dict[str, _Words] = {}
    for where, data in memory.claim_texts(vault.root):
        stamp = claimfiles.stamp(data[: data.find(b"\n")])
        sidecar = known.get(stamp.source) if stamp else None
        # Who wrote what and when is told by the sidecar as well, and in which days by the zone.
        key = _key("claims", data, repr(sidecar).encode("utf-8", "replace"), vault.zone.name.encode())
        keys.append(key.encode())
        if sidecar is not None and sidecar.id in sound and (told := kept.take(key)) is not None:
            held.files += 1
            found[sidecar.id] = _Words(told[0], told[1], tuple(told[2]))
            continue
        before = len(held.problems)
        for source, file in memory.read_files([(where, data)], vault.ledger, held.problems):
            words = found[source] = _words(vault, source, file)
            if source in sound and len(held.problems) == before and not words.problems:
                kept.keep(key, [words.quotes, words.attested, words.ids])
    return found


def _words(vault: Vault, source: str, file: ClaimFile) -> _Words:
    ids = tuple(claim.id for claim in file.claims)
    try:
        session = vault.ledger.read(source)
    except OSError:
        # That a source cannot be read is told where its bytes are looked at.
        return _Words(0, 0, ids)
    turns = {turn.at: turn for turn in session.turns}
    attested = frozenset(vault.ledger.all()[source].attested)
    standing = by_hash = 0
    problems = []
    for claim in file.claims:
        for one in claim.evidence:
            wrong = _unproved(one, turns, attested)
            standing += not wrong
            by_hash += not wrong and bool(attested) and not all(_stands(turns.get(at), quote) for at, _, quote in _parts(one))
            if wrong:
                problems.append(Problem(f"{memory.path(source)}, claim {claim.id}", "quote", wrong))
    return _Words(standing, by_hash, ids, tuple(problems))


def _unproved(one: Evidence, turns: Mapping[str, Turn], attested: Container[str]) -> str:
    """Why a piece of evidence proves nothing; '' if it does. What a retired source held is proved by its hash."""
    open_ = [told for told in _parts(one) if not attested or sources.attest(*told) not in attested]
    if not open_:
        return ""
    for at, identity, quote in open_:
        turn = turns.get(at)
        if turn is None:
            return f"there is no turn {at} in its source"
        if identity and turn.identity != identity:
            return f"the turn at {at} is another one than was quoted"
        if not texts.stands(quote, turn.text):
            return f"its words do not stand at {at}"
    turn = turns.get(one.at)
    return "" if turn is None or turn.speaker.value == one.speaker else f"{one.at} was not said by {one.speaker}"


def _parts(one: Evidence) -> tuple[tuple[str, str, str], ...]:
    """What a piece of evidence quotes: locator, identity of the turn and words of each part."""
    return ((one.at, one.turn, one.quote), *_accepted(one))


def _stands(turn: Turn | None, quote: str) -> bool:
    return turn is not None and texts.stands(quote, turn.text)


def _accepted(one: Evidence) -> tuple[tuple[str, str, str], ...]:
    return ((one.proposal.at, one.proposal.turn, one.proposal.quote),) if one.proposal else ()


def _of_pages(vault: Vault, ids: Container[str], kept: _Kept, held: Held, made: str) -> None:
    """What is wrong with pages.

    Args:
        vault: the vault.
        ids: of the claims in all files.
        kept, held: see above.
        made: the key under which other ids are kept that the wiki has; empty to look anew.
    """
    others: frozenset[str] | None = None
    for path in browsing.paths(vault.root):
        data = (vault.root / "wiki" / path).read_bytes()
        key = _key("page", data)
        shown: Iterable[str] | None = kept.take(key)
        if shown is not None:
            held.pages += 1
        else:
            text = data.decode("utf-8", "replace")
            page = pages.parse(text)
            wrong = checks.of_text(text, f"wiki/{path}", page)
            held.problems += wrong
            shown = sorted({line.id for _, line in page.claims})
            if not wrong:
                kept.keep(key, shown)
        strange = [id for id in shown if id not in ids]
        if strange and others is None:
            others = _made(vault, kept, made)
        held.problems += [
            Problem(
                f"wiki/{path}", "unknown-claim", f"no source yields the claim {id} any more; `wikimem compile` mends the page"
            )
            for id in strange
            if id not in (others or ())
        ]


def _made(vault: Vault, kept: _Kept, key: str) -> frozenset[str]:
    """The ids of all claims of the wiki: what people split off, and what was concluded from others, stand in no claims file.

    To know them the wiki is folded; most pages show nothing of the kind.
    """
    told: Iterable[str] | None = kept.take(key) if key else None
    if told is None:
        wiki = memory.load(vault.root, vault.ledger, vault.settings.vocabulary).wiki
        told = sorted({claim.id for subject in wiki.subjects.values() for claim in subject.claims})
        if key:
            kept.keep(key, told)
    return frozenset(told)


class _Kept:
    """What an earlier proof found right, by key, and what this one does.

    Args:
        vault: the vault.
        anew: believe nothing of the earlier one.
    """

    def __init__(self, vault: Vault, anew: bool) -> None:
        self._vault = vault
        self._old = {} if anew else _load(vault)
        self._new: dict[str, Any] = {}

    def take(self, key: str) -> Any:
        """What is kept under a key; None if nothing is."""
        found = self._old.get(key)
        if found is not None:
            self._new[key] = found
        return found

    def keep(self, key: str, told: Any) -> None:
        """Keep what was found to be right just now."""
        self._new[key] = told

    def save(self) -> None:
        """Write it down for the next proof, if it is not what stands there; one that cannot be written spares nothing."""
        if self._new.keys() == self._old.keys():
            return
        with suppress(OSError):
            path = self._vault.work / KEPT
            temporary = path.with_suffix(".tmp")
            temporary.write_bytes(orjson.dumps({"program": _program(), "right": self._new}))
            temporary.replace(path)


def _load(vault: Vault) -> dict[str, Any]:
    try:
        told = orjson.loads((vault.root / ".wikimem" / KEPT).read_bytes())
        return dict(told["right"]) if told["program"] == _program() else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


@cache
def _program() -> str:
    """What changes when any module of wikimem does: another program may find something else to be right."""
    told = sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        stat = path.stat()
        told.update(f"{path}\n{stat.st_size}\n{stat.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
    return told.hexdigest()


def _key(kind: str, *parts: bytes) -> str:
    told = sha256(kind.encode())
    for part in parts:
        told.update(b"\x00%d\x00" % len(part))
        told.update(part)
    return told.hexdigest()
