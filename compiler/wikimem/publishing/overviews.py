"""Overviews: the files that tell of the whole site: home, lists, commits by date, feed, graph, and what machines read first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from wikimem.core import moments, slugs
from wikimem.core.sites import fronts, lookup, twins
from wikimem.core.sites.changes import Brief, Step
from wikimem.core.sites.entries import Entry
from wikimem.core.sites.fronts import Sheet, Visit
from wikimem.edges.sites.folder import Folder
from wikimem.publishing.drawing import Desk

LOG = 2000


@dataclass(frozen=True, slots=True)
class Site:
    """What a site shows.

    Args:
        entries: its pages by path.
        visits: its sessions, newest first.
        briefs: its commits, newest first.
        latest: the newest of them with all they changed.
        links: the pages that each page names, of this site.
    """

    entries: Mapping[str, Entry]
    visits: Sequence[Visit]
    briefs: Sequence[Brief]
    latest: Sequence[Step]
    links: Mapping[str, Sequence[str]]


class Press(Protocol):
    """Draws a file from a template, unless what it shows (`key`) is what it showed last; its name is noted as wanted."""

    def __call__(self, template: str, name: str, values: Mapping[str, Any], key: Any) -> None: ...


def write(desk: Desk, site: Site, press: Press) -> frozenset[str]:
    """Write them all.

    Returns:
        The names of the files that the press did not draw.
    """
    listed = fronts.listed(site.entries.values())
    by_folder: dict[str, list[Entry]] = {folder: [] for folder in slugs.FOLDERS.values()}
    by_scope: dict[str, list[Entry]] = defaultdict(list)
    for entry in listed:
        by_folder[entry.folder].append(entry)
        by_scope[entry.scope].append(entry)
    by_folder = {folder: mine for folder, mine in by_folder.items() if mine}
    home = fronts.home(site.entries, site.visits, site.latest)
    values = {"home": home, "pages": len(listed), "sessions": len(site.visits)}
    names = set(desk.page("home.html", "index.html", values))
    for folder, mine in by_folder.items():
        _pages(press, f"{folder}/index.html", mine, {"heading": folder.capitalize(), "scope": "", "visits": ()})
    for count in home.scopes:
        visits = [visit for visit in site.visits if visit.scope == count.name][: fronts.SHEET]
        _pages(press, count.file, by_scope[count.name], {"heading": count.name, "scope": count.name, "visits": visits})
    _list(press, "sessions.html", fronts.sheets("sessions/index.html", site.visits, lambda visit: fronts.month(visit.day)))
    by_month = fronts.sheets("changes/index.html", site.briefs, lambda brief: fronts.month(moments.written(brief.when)))
    _list(press, "changes.html", by_month)
    names |= desk.page("graph.html", "graph.html", {"most": _most(site)}).keys()
    names |= _machines(desk, site, by_folder)
    for name, data in desk.templates.static().items():
        names |= desk.write(f"assets/{name}", data).keys()
    return frozenset(names)


def _pages(press: Press, file: str, listed: Sequence[Entry], more: Mapping[str, Any]) -> None:
    _list(press, "pages.html", fronts.sheets(file, listed, fronts.letter), more)


def _list(press: Press, template: str, sheets: Sequence[Sheet], more: Mapping[str, Any] | None = None) -> None:
    """A list in its sheets."""
    total = sum(len(sheet.items) for sheet in sheets)
    places = [(sheet.label, sheet.file) for sheet in sheets]
    for sheet in sheets:
        values = {"items": sheet.items, "label": sheet.label, "sheets": places, "total": total, **(more or {})}
        # Only what the list shows of a page: it need not be drawn again for any other change.
        key = [_shown(values["visits"]) if "visits" in values else [], _shown(sheet.items), places, total]
        press(template, sheet.file, values, key)


def _shown(items: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for item in items:
        match item:
            case Entry():
                found.append([item.path, item.title, item.type, item.scope, item.status, item.summary])
            case Visit():
                found.append([item.source, item.title, item.scope, item.day, item.claims])
            case Brief():
                found.append([item.id, item.subject])
    return found


def _titles(site: Site) -> dict[str, str]:
    return {path: entry.title for path, entry in site.entries.items()}


def _most(site: Site) -> list[tuple[Entry, int]]:
    """The pages with the most links, for the list beside the graph."""
    degree: dict[str, int] = {path: len(named) for path, named in site.links.items()}
    for named in site.links.values():
        for path in named:
            degree[path] = degree.get(path, 0) + 1
    ranked = sorted((path for path in site.links if degree[path]), key=lambda path: (-degree[path], path))
    return [(site.entries[path], degree[path]) for path in ranked[:100]]


def _machines(desk: Desk, site: Site, by_folder: Mapping[str, Sequence[Entry]]) -> set[str]:
    names: set[str] = set()
    texts = {
        "index.md": twins.index(desk.title, site.entries.values()),
        "log.md": twins.log(site.briefs[:LOG]),
        "llms.txt": twins.llms(desk.title, desk.base, by_folder),
    }
    texts |= {f"{folder}/index.md": twins.folder(folder, listed) for folder, listed in by_folder.items()}
    for name, text in texts.items():
        names |= desk.write(name, text.encode("utf-8", "replace")).keys()
    names |= desk.write("data/graph.js", _graph(site)).keys()
    feed = {"steps": site.latest, "titles": _titles(site)}
    return names | desk.page("feed.xml", "feed.xml", feed).keys()


def _graph(site: Site) -> bytes:
    paths = [path for path in sorted(site.links) if not site.entries[path].is_part]
    number = {path: at for at, path in enumerate(paths)}
    kinds = sorted({site.entries[path].folder for path in paths})
    scopes = sorted({site.entries[path].scope for path in paths})
    nodes = [
        [entry.file, entry.title, kinds.index(entry.folder), scopes.index(entry.scope), len(entry.claims)]
        for entry in (site.entries[path] for path in paths)
    ]
    pairs = {tuple(sorted((number[one], number[other]))) for one in paths for other in site.links[one] if other in number}
    edges = sorted(pair for pair in pairs if pair[0] != pair[1])
    return lookup.script("graph", "", {"kinds": kinds, "scopes": scopes, "nodes": nodes, "edges": edges})


def everything(
    folder: Folder, paths: Iterable[str], sizes: Mapping[str, int], changed: frozenset[str], last: Sequence[str]
) -> dict[str, int]:
    """Write `llms-full.txt`: every page's markdown, one after the other. Unchanged pieces are taken from the last one.

    Args:
        folder: the site's.
        paths: of all pages, in order.
        sizes: bytes of each page in the last file.
        changed: pages that are drawn anew.
        last: the paths of the last file, in its order; empty for none.

    Returns:
        Bytes of each page in this file, in its order.
    """
    old = folder.read("llms-full.txt") or b""
    if len(old) != sum(sizes.get(path, 0) for path in last):
        last, old = (), b""
    place: dict[str, tuple[int, int]] = {}
    start = 0
    for path in last:
        place[path] = (start, start + sizes[path])
        start += sizes[path]
    ordered = list(paths)
    pieces = []
    for path in ordered:
        if path in place and path not in changed:
            pieces.append(old[slice(*place[path])])
        else:
            pieces.append(f"<!-- {path} -->\n".encode("utf-8", "replace") + (folder.read(path) or b"") + b"\n")
    folder.write("llms-full.txt", b"".join(pieces))
    return {path: len(piece) for path, piece in zip(ordered, pieces, strict=True)}
