"""Keeping the search index in step with the sources: by difference, in batches, newest first.

The index is a cache. Whatever is wrong with it, the answer is to build it again; nothing here can lose a source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from wikimem.core import projects
from wikimem.core.identity import Holder, owners
from wikimem.core.sessions import Session
from wikimem.core.sources import Sidecar
from wikimem.edges.index import Batch, Index, Unusable
from wikimem.edges.ledger import Ledger

_TURNS = 2000


def folder(root: Path) -> Path:
    """Where a vault's index lies."""
    return root / ".wikimem" / "index"


def key(sidecar: Sidecar) -> str:
    """What changes when a source's content does."""
    return f"{sidecar.sha256[:16]}-{len(sidecar.members)}"


def behind(index: Index, known: Mapping[str, Sidecar]) -> tuple[list[str], list[str]]:
    """Sources that the index lacks, newest first, and sources that it holds and the vault does not."""
    there = index.known()
    missing = [source for source, sidecar in known.items() if there.get(source) != key(sidecar)]
    missing.sort(key=lambda source: (known[source].started, source), reverse=True)
    return missing, [source for source in there if source not in known]


def refresh(root: Path, ledger: Ledger) -> Index:
    """The vault's index, brought in step with its sources.

    Raises:
        VaultLocked: another process is writing to the index and did not end in time.
    """
    known = ledger.all()
    place = folder(root)
    place.mkdir(parents=True, exist_ok=True)
    index = Index.open(place)
    if isinstance(index, Unusable) or index.problems:
        if isinstance(index, Index):
            index.close()
        fresh = Index.rebuild(place)
        _fill(fresh, ledger, known, list(known)[::-1])
        return fresh.publish()
    missing, gone = behind(index, known)
    index.remove(gone)
    _fill(index, ledger, known, missing)
    return index


def _fill(index: Index, ledger: Ledger, known: Mapping[str, Sidecar], missing: list[str]) -> None:
    waiting: list[Batch] = []
    size = 0
    for batch in _batches(ledger, known, missing):
        waiting.append(batch)
        size += len(batch.turns)
        if size >= _TURNS:
            index.add(waiting)
            waiting, size = [], 0
    index.add(waiting)


def _batches(ledger: Ledger, known: Mapping[str, Sidecar], missing: list[str]) -> Iterator[Batch]:
    """What to index, source by source; sources that may hold copies of each other are read together."""
    kin: dict[str, list[str]] = {}
    for source, sidecar in known.items():
        for name in {sidecar.session, sidecar.parent} - {""}:
            kin.setdefault(name, []).append(source)
    done: set[str] = set()
    for source in missing:
        if source in done:
            continue
        names = {known[source].session, known[source].parent} - {""}
        family = sorted({source, *(other for name in names for other in kin[name])})
        sessions = {each: found for each in family if (found := _read(ledger, each)) is not None}
        owned = owners([_holder(known[each], session) for each, session in sessions.items()])
        for each, session in sessions.items():
            if each in done:
                continue
            done.add(each)
            copies = {turn.at for turn in session.turns if owned.get(turn.identity, each) != each}
            scope = projects.scope(known[each].remote, known[each].cwd)
            yield Batch(each, key(known[each]), scope, session.turns, session.dead | copies)


def _read(ledger: Ledger, source: str) -> Session | None:
    try:
        return ledger.read(source)
    except OSError:
        # `verify` tells of a source that cannot be read; the others are searched all the same.
        return None


def _holder(sidecar: Sidecar, session: Session) -> Holder:
    turns = [(turn.identity, turn.said) for turn in session.turns]
    return Holder(sidecar.id, sidecar.session, sidecar.parent, turns)
