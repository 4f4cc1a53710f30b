"""Site: the memory as a folder of plain files to look at, built anew as far as anything changed. No server, no network.

What is read is the vault alone: its pages, its sources, its commits. Under `strict` isolation no page names or links a page
of another scope; a site of one scope holds its pages, those of no scope, and its sessions, and nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import orjson

from wikimem import assets, browsing
from wikimem.core import moments, scopes
from wikimem.core.sites import addresses, changes
from wikimem.core.sites.changes import Brief, Step
from wikimem.core.sites.entries import Entry, Near
from wikimem.core.sites.fronts import Visit
from wikimem.core.sites.leaves import Stop
from wikimem.edges import cycles
from wikimem.edges.sites.book import Book
from wikimem.edges.sites.folder import Folder
from wikimem.errors import BadAddress
from wikimem.publishing import drawing, gathering, indexing, overviews, steps
from wikimem.publishing.drawing import ChangeTask, Files, Moment, PageTask, SessionTask
from wikimem.publishing.gathering import Ground
from wikimem.publishing.indexing import Document
from wikimem.publishing.overviews import Site
from wikimem.publishing.workers import Workers
from wikimem.vault import Vault

EDITION = "2"
"""Raised whenever the same vault gives another site: the next build then draws everything."""

HISTORY = 12
"""Commits that a page shows."""
LATEST = 20
"""Commits that the home page and the feed look at."""
BACK = 60
"""Pages that link to one, as it shows them at most."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What to build.

    Args:
        base: the address the site will have, for its feed and for machines; empty for none.
        out: the folder; `_site` in the vault if it is None.
        scope: only what belongs to it or to none; empty for all.
        jobs: processes; 0 for one a processor.
    """

    base: str = ""
    out: Path | None = None
    scope: str = ""
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class Built:
    """A site that was built.

    Args:
        out: its folder.
        pages, sessions, commits: how many it shows.
        written, removed: how many files were.
    """

    out: str
    pages: int
    sessions: int
    commits: int
    written: int
    removed: int

    def as_json(self) -> dict[str, Any]:
        """The figures as plain values; the shape is stable."""
        return {name: getattr(self, name) for name in ("out", "pages", "sessions", "commits", "written", "removed")}


def build(vault: Vault, wish: Wish, progress: Callable[[str], None] = lambda doing: None) -> Built:
    """Build the site, or what of it changed.

    Args:
        vault: the vault.
        wish: what to build.
        progress: told what is being done.

    Raises:
        BadAddress: the base is no address.
        BadTemplate: a template of the vault cannot be used.
        NotASite: the folder holds files of somebody else.
        VaultLocked: another process is building.
    """
    base = _base(wish.base)
    out = (wish.out or vault.root / "_site").absolute()
    folders = assets.folders("site", vault.root)
    with vault.publishing(), cycles.rarely():
        folder = Folder(out)
        ready = (vault.root, out, folders, base, vault.root.name, vault.zone)
        # In another zone everything reads otherwise.
        edition = EDITION if vault.zone.is_utc else f"{EDITION} {vault.zone.name}"
        book_path = vault.work / f"site-{_digest([str(out)])[:8]}.db"
        with Book.open(book_path, edition) as book, Workers(wish.jobs, drawing.begin, ready) as workers:
            return _Build(vault, wish, folder, book, workers, progress).run()


class _Build:
    """One build: what was gathered, and what becomes of it."""

    def __init__(
        self, vault: Vault, wish: Wish, folder: Folder, book: Book, workers: Workers, progress: Callable[[str], None]
    ) -> None:
        self._vault, self._wish, self._folder, self._book = vault, wish, folder, book
        self._workers, self._progress = workers, progress
        self._strict = vault.settings.isolation == "strict"
        self._stamps = folder.stamps()
        self._records = {name: orjson.loads(value) for name, value in book.all("outputs").items() if ":" in name}
        self._look = [drawing.desk().templates.digest, drawing.desk().base, drawing.desk().title, wish.scope, self._strict]
        self._owned: dict[str, Step] = {}
        self._kept: set[str] = set()
        self._drawn: set[str] = set()
        self._touched: set[str] = set()

    def run(self) -> Built:
        """Gather, draw, write the overviews, and sweep up."""
        self._progress("reading the wiki")
        ground = gathering.gather(self._vault.root, self._book, self._workers)
        foreign = self._foreign(ground)
        entries = {
            path: entry
            for path, entry in ground.entries.items()
            if self._is_ours(entry.scope) and foreign.isdisjoint((*entry.claims, *entry.past))
        }
        briefs = self._commits(entries)
        self._progress("drawing sessions")
        visits, stops = self._sessions(ground, entries)
        links = {path: self._linked(entry, entries) for path, entry in entries.items()}
        self._progress("drawing pages")
        self._pages(ground, entries, links, stops, briefs)
        self._progress("drawing changes")
        self._changes(briefs, entries, stops)
        self._progress("writing overviews and index")
        site = Site(entries, visits, briefs, tuple(map(self._step, briefs[:LATEST])), links)
        names = set(overviews.write(drawing.desk(), site, self._sheet))
        names.add(self._everything(entries))
        names |= self._index(ground, entries, visits)
        return self._finish(site, names)

    def _is_ours(self, scope: str) -> bool:
        return not self._wish.scope or scope in ("", *scopes.lineage(self._wish.scope))

    def _foreign(self, ground: Ground) -> frozenset[str]:
        """The ids of claims that other scopes' sessions prove: a page of no scope that shows one is not for this one."""
        if not self._strict or not self._wish.scope:
            return frozenset()
        known = self._vault.ledger.all()
        others = (ids for source, ids in ground.claims.items() if source in known and not self._is_ours(known[source].scope))
        return frozenset(id for ids in others for id in ids)

    def _commits(self, entries: Mapping[str, Entry]) -> Sequence[Brief]:
        """The commits in brief. A site of one scope has them without what belongs to others."""
        briefs = steps.gather(self._vault, self._book, self._workers)
        if not self._wish.scope:
            return briefs
        owned = (_own(steps.load(self._book, brief, entries)) for brief in briefs)
        self._owned = {step.brief.id: step for step in owned if step.pages}
        return [step.brief for step in self._owned.values()]

    def _step(self, brief: Brief, only: Container[str] | None = None) -> Step:
        """A commit with what it changed."""
        return self._owned[brief.id] if self._wish.scope else steps.load(self._book, brief, only)

    def _linked(self, entry: Entry, entries: Mapping[str, Entry]) -> tuple[str, ...]:
        """The pages that one names: under strict isolation only of its own scope, or of none."""
        named = (path for path in entry.links if path in entries and path != entry.path)
        return tuple(path for path in named if not self._strict or entries[path].scope in ("", *scopes.lineage(entry.scope)))

    def _sessions(self, ground: Ground, entries: Mapping[str, Entry]) -> tuple[list[Visit], dict[str, Stop]]:
        places: dict[str, str] = {}
        for entry in entries.values():
            for id in entry.past:
                places.setdefault(id, entry.path)
        places |= {id: entry.path for entry in entries.values() for id in entry.claims}
        known = self._vault.ledger.all()
        scope = self._wish.scope
        ours = [sidecar for sidecar in known.values() if not scope or browsing.is_open(sidecar, scope)]
        visits: dict[str, Visit] = {}
        tasks: dict[str, SessionTask] = {}
        keys: dict[str, str] = {}
        for sidecar in ours:
            card = ground.cards.get(sidecar.id)
            yielded = ground.claims.get(sidecar.id)
            titles = {id: (path, entries[path].title) for id in yielded or () if (path := places.get(id))}
            visit = Visit(
                source=sidecar.id,
                title=card.title if card else "",
                scope=sidecar.scope,
                started=self._vault.zone.told(sidecar.started or (card.started if card else "")),
                asked=card.asked if card else "",
                outcome=card.outcome if card else "",
                claims=-1 if yielded is None else len(yielded),
            )
            visits[sidecar.id] = visit
            name = f"session:{sidecar.id}"
            claims = ground.digests.get(_claims_path(sidecar.id), "")
            keys[name] = self._key([sidecar.content, claims, _told(visit), sorted(titles.items())])
            if not self._is_fresh(name, keys[name]):
                tasks[name] = SessionTask(visit, titles)
        for source, title, beyond, files in self._workers.map(drawing.session, list(tasks.values()), 24):
            self._done(f"session:{source}", keys[f"session:{source}"], files, title=title, parts=beyond)
        stops = {}
        for source, visit in visits.items():
            record = self._records[f"session:{source}"]
            visits[source] = replace(visit, title=record["title"])
            stops[source] = Stop(source, record["title"], visit.started, record["parts"])
        ordered = sorted(visits.values(), key=lambda visit: (moments.floor(visit.started), visit.source), reverse=True)
        return ordered, stops

    def _pages(
        self,
        ground: Ground,
        entries: Mapping[str, Entry],
        links: Mapping[str, Sequence[str]],
        stops: Mapping[str, Stop],
        briefs: Sequence[Brief],
    ) -> None:
        back: dict[str, list[str]] = defaultdict(list)
        for path, named in links.items():
            for other in named:
                if not self._strict or entries[path].scope in ("", *scopes.lineage(entries[other].scope)):
                    back[other].append(path)
        moved: dict[str, list[Brief]] = defaultdict(list)
        for brief in briefs:
            for path in brief.paths:
                moved[path].append(brief)
        parts: dict[str, list[str]] = defaultdict(list)
        for path, entry in entries.items():
            if entry.is_part:
                parts[entry.whole].append(path)
        claims = {source: ground.digests[_claims_path(source)] for source in ground.claims}
        keys: dict[str, str] = {}
        due: list[str] = []
        for path, entry in entries.items():
            keys[path] = self._key(
                [
                    ground.digests[path],
                    [ground.digests[part] for part in parts[path]],
                    [claims.get(source, "") for source in entry.sources],
                    [(other, entries[other].title, entries[other].aliases) for other in links[path]],
                    [(other, entries[other].title) for other in back[path][:BACK]],
                    [(stop.source, stop.title, stop.started, stop.parts) for stop in _seen(entry, stops)],
                    [brief.id for brief in moved[entry.whole]],
                ]
            )
            if not self._is_fresh(f"page:{path}", keys[path]):
                due.append(path)
        history = self._moments({path: moved[path][:HISTORY] for path in due if not entries[path].is_part})
        slim = {path: Near(path, entry.title, entry.aliases) for path, entry in entries.items()}
        tasks = [
            PageTask(
                entry=entries[path],
                parts=tuple(entries[part] for part in parts[path]),
                near=tuple(slim[other] for other in links[path]),
                back=tuple(slim[other] for other in back[path][:BACK]),
                stops={stop.source: stop for stop in _seen(entries[path], stops)},
                history=tuple(history.get(path, ())),
                earlier=0 if entries[path].is_part else max(0, len(moved[path]) - HISTORY),
            )
            for path in due
        ]
        for path, files in self._workers.map(drawing.page, tasks):
            self._drawn.add(path)
            self._done(f"page:{path}", keys[path], files)

    def _moments(self, wanted: Mapping[str, Sequence[Brief]]) -> Mapping[str, list[Moment]]:
        """What some commits changed on some pages, newest first; each commit is looked at once."""
        pages: dict[str, set[str]] = defaultdict(set)
        for path, briefs in wanted.items():
            for brief in briefs:
                pages[brief.id].add(path)
        every = {brief.id: brief for briefs in wanted.values() for brief in briefs}
        found: dict[tuple[str, str], Moment] = {}
        for brief in every.values():
            day = moments.written(brief.when)
            for page in self._step(brief, pages[brief.id]).pages:
                found[page.path, brief.id] = Moment(brief.id, day, brief.told, page.changes, page.other)
        return {path: [found[path, brief.id] for brief in briefs] for path, briefs in wanted.items()}

    def _changes(self, briefs: Sequence[Brief], entries: Mapping[str, Entry], stops: Mapping[str, Stop]) -> None:
        tasks: dict[str, ChangeTask] = {}
        keys: dict[str, str] = {}
        for brief in briefs:
            titles = {path: entries[path].title for path in brief.paths if path in entries}
            seen = {source: stops[source] for source in (*brief.cited, brief.source) if source in stops}
            name = f"change:{brief.id}"
            keys[name] = self._key([brief.subject, titles, [(stop.source, stop.title, stop.parts) for stop in seen.values()]])
            if not self._is_fresh(name, keys[name]):
                tasks[name] = ChangeTask(self._step(brief), titles, seen)
        for commit, files in self._workers.map(drawing.change, list(tasks.values())):
            self._done(f"change:{commit}", keys[f"change:{commit}"], files)

    def _sheet(self, template: str, name: str, values: Mapping[str, Any], key: Any) -> None:
        """Draw a sheet of a list, unless it shows what it showed; see `overviews.Press`."""
        told = f"list:{name}"
        digest = self._key([key])
        if not self._is_fresh(told, digest):
            self._done(told, digest, drawing.desk().page(template, name, values))

    def _everything(self, entries: Mapping[str, Entry]) -> str:
        last = self._book.some("outputs", ["everything"]).get("everything", [])
        sizes = dict(last)
        told = overviews.everything(self._folder, sorted(entries), sizes, frozenset(self._drawn), [path for path, _ in last])
        self._book.keep("outputs", {"everything": list(told.items())})
        return "llms-full.txt"

    def _index(self, ground: Ground, entries: Mapping[str, Entry], visits: Iterable[Visit]) -> frozenset[str]:
        documents = {
            path: Document(entry.file, entry.title, entry.folder, entry.scope, entry.summary) for path, entry in entries.items()
        }
        for visit in visits:
            path = addresses.session(visit.source).removesuffix(".html") + ".md"
            if path in ground.digests:
                documents[path] = Document(visit.file, visit.title, "sessions", visit.scope, visit.asked)
        return indexing.write(self._folder, self._book, documents, ground.changed)

    def _finish(self, site: Site, names: set[str]) -> Built:
        """Remove what no page gives any more, and keep what the next build must know."""
        self._book.drop("outputs", [name for name in self._records if name not in self._kept])
        wanted = {file for name in self._kept for file in self._records[name]["files"]} | names
        removed = self._folder.sweep(wanted, self._stamps)
        written = sum(self._folder.stamp(name) != self._stamps.get(name) for name in names | self._touched)
        pages = sum(not entry.is_part for entry in site.entries.values())
        return Built(str(self._folder.root), pages, len(site.visits), len(site.briefs), written, removed)

    def _is_fresh(self, name: str, key: str) -> bool:
        record = self._records.get(name)
        self._kept.add(name)
        if record is None or record["key"] != key:
            return False
        return all(self._stamps.get(file) == (stamp[0], stamp[1]) for file, stamp in record["files"].items())

    def _done(self, name: str, key: str, files: Files, **more: Any) -> None:
        self._records[name] = {"key": key, "files": files, **more}
        self._touched.update(files)
        self._book.keep("outputs", {name: self._records[name]})

    def _key(self, told: list[Any]) -> str:
        return _digest([*self._look, *told])


def _digest(told: list[Any]) -> str:
    return blake2b(orjson.dumps(told), digest_size=16).hexdigest()


def _told(visit: Visit) -> list[Any]:
    return [visit.title, visit.scope, visit.started, visit.asked, visit.outcome, visit.claims]


def _own(step: Step) -> Step:
    """A commit of which some pages are left out; its subject may name those, so it is said anew."""
    brief, titles = step.brief, ", ".join(page.title for page in step.pages[:3])
    return changes.step(brief.id, brief.when, titles, brief.source, step.pages)


def _seen(entry: Entry, stops: Mapping[str, Stop]) -> list[Stop]:
    return [stops[source] for source in entry.sources if source in stops]


def _claims_path(source: str) -> str:
    day = source.split("-", 1)[0]
    return f".claims/{f'{day[:4]}/{day[4:6]}' if day.isdigit() else 'undated'}/{source}.jsonl"


def _base(told: str) -> str:
    if not told:
        return ""
    parts = urlsplit(told)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise BadAddress(told)
    return told.rstrip("/") + "/"
