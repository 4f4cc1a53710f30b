"""Fronts: the home page and the lists: what is new, in conflict, ended lately, said again and again, and all there is. Values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, TypeVar

from wikimem.core import moments, slugs
from wikimem.core.sites import addresses
from wikimem.core.sites.changes import Change, PageChange, Step
from wikimem.core.sites.entries import Entry

NEW, CONFLICTS, ENDED, REPEATED = 8, 12, 10, 10
SHEET = 250
_T = TypeVar("_T")
_day = lru_cache(maxsize=1 << 14)(moments.written)


@dataclass(frozen=True, slots=True)
class Visit:
    """A session, as lists show it.

    Args:
        started: when, in the zone of the vault (`Zone.told`).
        asked, outcome: as its card tells them; empty if it has none.
        claims: how many it yields; -1 while it is not compiled.
    """

    source: str
    title: str
    scope: str
    started: str
    asked: str = ""
    outcome: str = ""
    claims: int = -1

    @property
    def day(self) -> str:
        """The day it began on; empty if unknown."""
        return _day(self.started)

    @property
    def file(self) -> str:
        """Its first file in the site."""
        return addresses.session(self.source)


@dataclass(frozen=True, slots=True)
class Conflict:
    """Claims of one page that cannot hold together: text and fragment of each."""

    entry: Entry
    claims: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """A claim that ended: on which page, by which commit, when."""

    day: str
    page: PageChange
    change: Change


@dataclass(frozen=True, slots=True)
class Count:
    """How many pages, and for a scope how many sessions, are listed in a file."""

    name: str
    file: str
    pages: int
    sessions: int = 0


@dataclass(frozen=True, slots=True)
class Home:
    """The home page."""

    steps: tuple[Step, ...]
    conflicts: tuple[Conflict, ...]
    more_conflicts: int
    ended: tuple[Ending, ...]
    repeated: tuple[tuple[Entry, str, str, int], ...]
    types: tuple[Count, ...]
    scopes: tuple[Count, ...]
    visits: tuple[Visit, ...]
    claims: int


def home(entries: Mapping[str, Entry], visits: Sequence[Visit], steps: Sequence[Step]) -> Home:
    """The home page.

    Args:
        entries: all pages by path.
        visits: all sessions, newest first.
        steps: the latest commits, newest first.
    """
    conflicts = list(_conflicts(entries.values()))
    said = [(entry, id, text, number) for entry in entries.values() for id, text, number in entry.repeated]
    said.sort(key=lambda each: (-each[3], each[0].path, each[1]))
    return Home(
        steps=tuple(step for step in steps if _is_news(step))[:NEW],
        conflicts=tuple(conflicts[:CONFLICTS]),
        more_conflicts=max(0, len(conflicts) - CONFLICTS),
        ended=tuple(islice(_ended(steps, entries), ENDED)),
        repeated=tuple(said[:REPEATED]),
        types=types(entries.values()),
        scopes=scopes(entries.values(), visits),
        visits=tuple(visits[:NEW]),
        claims=sum(len(entry.claims) for entry in entries.values()),
    )


def _is_news(step: Step) -> bool:
    """Whether a commit changed what the wiki says; one that told dates or names otherwise alone did not."""
    return any(change.kind != "dated" for page in step.pages for change in page.changes)


def _conflicts(entries: Iterable[Entry]) -> Iterator[Conflict]:
    for entry in sorted(entries, key=lambda entry: entry.path):
        if entry.conflicts:
            yield Conflict(entry, tuple((text, addresses.claim(id)) for id, text, _ in entry.conflicts[:4]))


def _ended(steps: Iterable[Step], entries: Mapping[str, Entry]) -> Iterator[Ending]:
    for step in steps:
        for page in step.pages:
            for change in page.changes:
                if change.kind in ("corrected", "retracted", "ended") and page.path in entries:
                    yield Ending(moments.written(step.brief.when), page, change)


def types(entries: Iterable[Entry]) -> tuple[Count, ...]:
    """The folders that have pages, in their order."""
    found = Counter(entry.folder for entry in entries if not entry.is_part)
    return tuple(
        Count(folder.capitalize(), f"{folder}/index.html", found[folder]) for folder in slugs.FOLDERS.values() if found[folder]
    )


def scopes(entries: Iterable[Entry], visits: Iterable[Visit]) -> tuple[Count, ...]:
    """The scopes that have pages or sessions, the largest first."""
    pages = Counter(entry.scope for entry in entries if entry.scope and not entry.is_part)
    sessions = Counter(visit.scope for visit in visits if visit.scope)
    found = [Count(scope, addresses.scope(scope), pages[scope], sessions[scope]) for scope in pages.keys() | sessions.keys()]
    return tuple(sorted(found, key=lambda count: (-count.pages, -count.sessions, count.name)))


def listed(entries: Iterable[Entry]) -> list[Entry]:
    """Pages by title, without the further pages of long ones."""
    return sorted((entry for entry in entries if not entry.is_part), key=lambda entry: (entry.title.casefold(), entry.path))


@dataclass(frozen=True, slots=True)
class Sheet:
    """A part of a list that a browser shows at once: what it is called, its file, and what is on it."""

    label: str
    file: str
    items: Sequence[Any]


def sheets(file: str, items: Sequence[_T], group: Callable[[_T], str]) -> list[Sheet]:
    """A list in sheets: one if it is short, else one a group, or several for a large one; one for nothing.

    A new item changes the sheets of its own group alone.

    Args:
        file: of the first sheet.
        items: in their order.
        group: what the sheet of an item is called, such as the first letter of its title.
    """
    if len(items) <= SHEET:
        return [Sheet("", file, items)]
    groups: dict[str, list[_T]] = {}
    for item in items:
        groups.setdefault(group(item), []).append(item)
    found: list[Sheet] = []
    for label, mine in groups.items():
        for number, start in enumerate(range(0, len(mine), SHEET), 1):
            name = f"{label} {number}" if number > 1 else label
            found.append(Sheet(name, addresses.lettered(file, name) if found else file, mine[start : start + SHEET]))
    return found


def letter(entry: Entry) -> str:
    """The first letter or digit of a page's title, as lists group by it."""
    first = next((sign for sign in entry.title if sign.isalnum()), "")
    return "0-9" if first.isdigit() else first.upper()[:1] or "…"


def month(day: str) -> str:
    """The month of a day, as lists group by it."""
    return day[:7] or "undated"
