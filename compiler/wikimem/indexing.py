"""Keeping the search indexes in step with sources, claims and pages: by difference, in batches, newest first.

An index is a cache. Whatever is wrong with it, the answer is to build it again; nothing here can lose a source or a
page. There are two: one of the turns, and one of the wiki, which a vault has as soon as it has claims or pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from wikimem import reflecting
from wikimem.core.answers import Told
from wikimem.core.identity import Holder, owners
from wikimem.core.queries import Within
from wikimem.core.sessions import Session
from wikimem.core.sources import Sidecar
from wikimem.core.statements import Statement
from wikimem.core.vocabulary import SHIPPED, Vocabulary
from wikimem.core.zones import UTC, Zone
from wikimem.edges import spool
from wikimem.edges.index import Batch, Found, Index, Unusable
from wikimem.edges.ledger import Ledger
from wikimem.errors import Problem
from wikimem.reflecting import Before

if TYPE_CHECKING:
    from wikimem.core.fold import Wiki

_TURNS = 2000


@dataclass(frozen=True, slots=True)
class Shelves:
    """The open indexes of a vault.

    Args:
        turns: of its sources.
        wiki: of its claims and pages; None if it has none.
        done: what ends their use instead of closing them; None to close them.
    """

    turns: Index
    wiki: Index | None
    done: Callable[[], None] | None = None

    def search(
        self,
        question: str,
        limit: int | None,
        within: Within,
        context: int = 0,
        listing: bool = False,
        meaning: Mapping[str, float] | None = None,
    ) -> Found:
        """As `Index.search`, in both together."""
        return self.turns.search(question, limit, within, context, listing, wiki=self.wiki, meaning=meaning)

    def claims(self, words: str, limit: int, within: Within) -> tuple[tuple[Statement, ...], tuple[Problem, ...]]:
        """The claims that some words, or the id of a claim, mean, best first, each for itself; and what was unreadable."""
        if self.wiki is None:
            return (), ()
        if (told := self.turns.claim(words.strip(), within, self.wiki)) is not None:
            return (told,), ()
        found = self.turns.search(words, limit, replace(within, kind="claim"), listing=True, wiki=self.wiki)
        return tuple(hit.first for hit in found.hits if isinstance(hit, Told)), found.problems

    def doubt(self) -> None:
        """Something could not be read: look, at the next opening, whether all is there, and make anew what is not."""
        self.turns.doubt()
        if self.wiki is not None:
            self.wiki.doubt()
            reflecting.doubt(self.turns.root)

    def close(self) -> None:
        """Close their files."""
        self.turns.close()
        if self.wiki is not None:
            self.wiki.close()

    def __enter__(self) -> Shelves:
        return self

    def __exit__(self, *_: object) -> None:
        (self.done or self.close)()


def folder(root: Path) -> Path:
    """Where a vault's index lies."""
    return root / ".wikimem" / "index"


def key(sidecar: Sidecar, zone: Zone = UTC) -> str:
    """What changes when a source's content does, its package, or the zone that its days are told in."""
    place = f"-{sidecar.place}" if sidecar.place else ""
    return f"{sidecar.sha256[:16]}-{len(sidecar.members)}{'' if zone.is_utc else f'-{zone.name}'}{place}"


def behind(index: Index, known: Mapping[str, Sidecar], zone: Zone = UTC) -> tuple[list[str], list[str]]:
    """Sources that the index lacks, newest first, and sources that it holds and the vault does not."""
    there = index.known()
    missing = [source for source, sidecar in known.items() if there.get(source) != key(sidecar, zone)]
    missing.sort(key=lambda source: (known[source].started, source), reverse=True)
    return missing, [source for source in there if source not in known]


def state(root: Path, ledger: Ledger, vocabulary: Vocabulary = SHIPPED) -> tuple[Problem, ...]:
    """What is wrong with the vault's indexes: not made yet, damaged, of another version, or out of step. Changes nothing.

    Arguments as `refresh`, which mends all of it.
    """
    place = folder(root)
    if not (place / "current").exists():
        return (Problem(str(place), "index-missing", "there is no index yet"),) if ledger.all() else ()
    index = Index.open(place)
    if isinstance(index, Unusable):
        return (Problem(str(place), "index-damaged", index.why),)
    with index:
        missing, gone = behind(index, spool.joined(root, ledger).all(), ledger.zone)
        damaged = index.problems
    if damaged:
        return tuple(Problem(str(place), "index-damaged", one.message) for one in damaged)
    found = []
    if missing or gone:
        told = f"of the sessions it lacks {len(missing)}, and holds {len(gone)} that are gone"
        found.append(Problem(str(place), "index-behind", told))
    wiki = reflecting.opened(place)
    if isinstance(wiki, Unusable):
        found.append(Problem(str(place / "wiki"), "index-damaged", wiki.why))
    elif not reflecting.is_fresh(place, reflecting.look(root, ledger, vocabulary)):
        found.append(Problem(str(place / "wiki"), "index-behind", "the wiki changed since it was indexed"))
    if isinstance(wiki, Index):
        wiki.close()
    return tuple(found)


def refresh(
    root: Path,
    ledger: Ledger,
    vocabulary: Vocabulary = SHIPPED,
    wiki: Wiki | None = None,
    before: Before | None = None,
) -> Shelves:
    """The vault's indexes, brought in step with its sources, its claims and its pages.

    Args:
        root: the vault's folder.
        ledger: its sources.
        vocabulary: its attributes: the claims are folded with them.
        wiki: what the claims files on disk fold to, if the caller knows; otherwise they are read when they changed.
        before: an older wiki from which the caller came to it, if there is one.

    Raises:
        VaultLocked: another process is writing to an index and did not end in time.
    """
    turns = refresh_turns(root, ledger)
    try:
        return Shelves(turns, reflecting.refresh(folder(root), root, ledger, vocabulary, wiki, before))
    except BaseException:
        turns.close()
        raise


def refresh_turns(root: Path, ledger: Ledger) -> Index:
    """The index of the turns, brought in step with the sources and the spool. Arguments and errors as `refresh`."""
    ledger = spool.joined(root, ledger)
    known = ledger.all()
    place = folder(root)
    place.mkdir(parents=True, exist_ok=True)
    index = Index.open(place)
    # Looked at before it is asked for problems: damage shows when something is read.
    missing, gone = ([], []) if isinstance(index, Unusable) else behind(index, known, ledger.zone)
    if isinstance(index, Unusable) or index.problems:
        if isinstance(index, Index):
            index.close()
        fresh = Index.rebuild(place)
        _fill(fresh, ledger, known, list(known)[::-1])
        return fresh.publish()
    index.remove(gone)
    _fill(index, ledger, known, missing)
    return index


def _fill(index: Index, ledger: Ledger, known: Mapping[str, Sidecar], missing: list[str]) -> None:
    waiting: list[Batch] = []
    size = 0
    for batch in batches(ledger, known, missing):
        waiting.append(batch)
        size += len(batch.turns)
        if size >= _TURNS:
            index.add(waiting)
            waiting, size = [], 0
    index.add(waiting)


def batches(ledger: Ledger, known: Mapping[str, Sidecar], missing: list[str]) -> Iterator[Batch]:
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
            scope = known[each].scope
            skip = session.dead | copies | _echoes(session)
            yield Batch(each, key(known[each], ledger.zone), scope, session.turns, skip, ledger.zone)


def _echoes(session: Session) -> set[str]:
    """Locators of turns that only repeat the memory: what our tools were asked and returned, what was read from a vault."""
    told = ("wikimem" in turn.text or "wikimem" in turn.name or "wiki" in turn.text for turn in session.turns)
    if not any(told):
        return set()
    from wikimem.core import screening

    screened = screening.screen(session.turns, session.dead)
    return {heard.turn.at for heard in screened.heard if heard.rule in ("own-session", "own-tool", "vault")}


def _read(ledger: Ledger, source: str) -> Session | None:
    try:
        return ledger.read(source)
    except OSError:
        # `verify` tells of a source that cannot be read; the others are searched all the same.
        return None


def _holder(sidecar: Sidecar, session: Session) -> Holder:
    turns = [(turn.identity, turn.said) for turn in session.turns]
    return Holder(sidecar.id, sidecar.session, sidecar.parent, turns)
