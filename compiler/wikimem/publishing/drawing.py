"""Drawing: one page, one session, one commit as files of the site. Runs in any process; decides nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

import orjson

from wikimem import memory
from wikimem.core import claimfiles, moments, pages
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.claims import Claim
from wikimem.core.sites import addresses, conversations, leaves, twins
from wikimem.core.sites.changes import Change, Step
from wikimem.core.sites.conversations import Part
from wikimem.core.sites.entries import Entry, Near
from wikimem.core.sites.fronts import Visit
from wikimem.core.sites.leaves import Around, Stop
from wikimem.core.zones import Zone
from wikimem.edges.ledger import Ledger
from wikimem.edges.sites.folder import Folder
from wikimem.edges.sites.templates import Templates

Files = dict[str, tuple[int, int]]
"""Size and time of files that were written, by name."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A commit, seen from one page."""

    commit: str
    day: str
    subject: str
    changes: tuple[Change, ...]
    other: int


@dataclass(frozen=True, slots=True)
class PageTask:
    """A page to be drawn.

    Args:
        entry: its own.
        parts: its further pages.
        near: pages it may link to.
        back: pages that link to it.
        stops: the sessions it names.
        history: its commits, newest first, those that are shown.
        earlier: how many more there are.
    """

    entry: Entry
    parts: tuple[Entry, ...]
    near: tuple[Near, ...]
    back: tuple[Near, ...]
    stops: Mapping[str, Stop]
    history: tuple[Moment, ...]
    earlier: int


@dataclass(frozen=True, slots=True)
class SessionTask:
    """A session to be drawn; `places` tells the page of each of its claims, with the page's title."""

    visit: Visit
    places: Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ChangeTask:
    """A commit to be drawn; `titles` tells which of its pages are in the site, `visits` its sessions."""

    step: Step
    titles: Mapping[str, str]
    stops: Mapping[str, Stop]


class Desk:
    """What drawing needs, once a process.

    Args:
        root: the vault's folder.
        out: the site's folder.
        folders: where templates are looked for.
        base: the site's address, empty or ending in a slash.
        title: what the site is called.
        zone: of the vault.
    """

    def __init__(self, root: Path, out: Path, folders: Sequence[Path], base: str, title: str, zone: Zone) -> None:
        self.root = root
        self.folder = Folder(out)
        self.templates = Templates(folders)
        self.base, self.title = base, title
        self.ledger = Ledger(root, zone)
        self.file = lru_cache(maxsize=400)(self._file)

    def page(self, template: str, name: str, values: Mapping[str, Any]) -> Files:
        """Draw one HTML file."""
        up = "../" * name.count("/")
        told = {
            "site": self.title,
            "base": self.base,
            "root": up,
            "here": name,
            "address": addresses,
            "day": moments.written,
            **values,
        }
        return self.write(name, self.templates.render(template, told))

    def write(self, name: str, data: bytes) -> Files:
        """Write one file; its size and time."""
        self.folder.write(name, data)
        stat = (self.folder.root / name).stat()
        return {name: (stat.st_size, stat.st_mtime_ns)}

    def _file(self, source: str) -> ClaimFile | None:
        try:
            data = (self.root / memory.path(source)).read_bytes()
        except FileNotFoundError:
            return None
        return claimfiles.read(data, source, self.ledger.zone)[0]


_desks: list[Desk] = []


def begin(root: Path, out: Path, folders: Sequence[Path], base: str, title: str, zone: Zone) -> None:
    """Prepare this process; what `Workers` calls first."""
    _desks[:] = [Desk(root, out, folders, base, title, zone)]


def desk() -> Desk:
    """The desk of this process."""
    return _desks[0]


def page(task: PageTask) -> tuple[str, Files]:
    """Draw a page with its twins; its path and its files."""
    at = desk()
    entry = task.entry
    text = _text(at, entry)
    places = {id: each.path for each in (*task.parts, entry) for id in (*each.past, *each.claims)}
    around = Around(
        files={source: file for source in entry.sources if (file := at.file(source)) is not None},
        stops=task.stops,
        near={each.path: each for each in task.near},
        back=task.back,
        places=lambda id: places.get(id, ""),
    )
    parts = [pages.parse(_text(at, part)) for part in task.parts] if not entry.is_part else []
    leaf = leaves.of(entry, pages.parse(text), parts, around)
    linked = {near.path for near in (*task.near, *task.back)} | {part.path for part in task.parts}

    def follow(href: str) -> str:
        return _follow(href, entry, linked, task.stops)

    values = {"leaf": leaf, "entry": entry, "history": task.history, "earlier": task.earlier, "follow": follow}
    twin = twins.markdown(text, entry, task.stops).encode("utf-8", "replace")
    data = orjson.dumps(twins.plain(leaf), option=orjson.OPT_INDENT_2)
    files = at.page("page.html", entry.file, values)
    files |= at.write(entry.path, twin)
    files |= at.write(entry.path.removesuffix(".md") + ".json", data + b"\n")
    return entry.path, files


def session(task: SessionTask) -> tuple[str, str, dict[str, int], Files]:
    """Draw a session; its source and title, the part of each cited turn beyond the first part, and its files."""
    at = desk()
    read = at.ledger.read(task.visit.source)
    visit = task.visit if task.visit.title else replace(task.visit, title=read.title or task.visit.source)
    file = at.file(visit.source)
    places = {id: path for id, (path, _) in task.places.items()}
    parts = conversations.of(read, file, lambda id: places.get(id, ""), at.ledger.zone)
    beyond = conversations.cited_parts(parts)
    stop = Stop(visit.source, visit.title, visit.started, beyond)
    sheets = [(part.number, addresses.session(visit.source, part.number)) for part in parts]
    yielded = [_yielded(claim, task, stop) for claim in file.claims] if file else []
    ended = at.ledger.zone.told(at.ledger.all()[visit.source].ended)
    shared = {"visit": visit, "sheets": sheets, "claims": yielded, "ended": ended}
    files: Files = {}
    for part, (_, name) in zip(parts, sheets, strict=True):
        files |= at.page("session.html", name, {**shared, "part": part, "days": _days(part)})
    return visit.source, visit.title, beyond, files


def change(task: ChangeTask) -> tuple[str, Files]:
    """Draw a commit; its id and its files."""
    name = addresses.change(task.step.brief.id)
    values = {"step": task.step.brief, "pages": task.step.pages, "titles": task.titles, "stops": task.stops}
    return task.step.brief.id, desk().page("change.html", name, values)


def _text(at: Desk, entry: Entry) -> str:
    return (at.root / "wiki" / entry.path).read_bytes().decode("utf-8", "replace")


def _follow(href: str, entry: Entry, linked: set[str], stops: Mapping[str, Stop]) -> str:
    """Where a person's relative link leads in the site; empty where that is not in it."""
    path, _, fragment = href.partition("#")
    if not path:
        return href
    cited = addresses.cited(href)
    if cited is not None:
        stop = stops.get(cited[0])
        return addresses.link(stop.file(cited[1]), entry.file, addresses.turn(cited[1]) if cited[1] else "") if stop else ""
    target = normpath(join(dirname(entry.path), path))
    return addresses.link(addresses.page(target), entry.file, fragment) if target in linked else ""


def _yielded(claim: Claim, task: SessionTask, stop: Stop) -> dict[str, str]:
    here = addresses.session(task.visit.source)
    path, title = task.places.get(claim.id, ("", ""))
    at = claim.evidence[0].at
    return {
        "text": claim.text,
        "stance": claim.stance.value,
        "page": title,
        "href": addresses.link(addresses.page(path), here, addresses.claim(claim.id)) if path else "",
        "at": at,
        "turn": addresses.link(stop.file(at), here, addresses.turn(at)),
    }


def _days(part: Part) -> dict[str, str]:
    """The turns before which a new day begins, by locator."""
    found: dict[str, str] = {}
    last = ""
    for said in part.turns:
        day = moments.written(said.time)
        if day and day != last:
            found[said.at] = last = day
    return found
