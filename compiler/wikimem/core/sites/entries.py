"""Entries: what the whole site must know of one page of the wiki: names, links, sources, what is in conflict. Not the page.

An entry depends on the page's own text alone, so it can be kept beside the hash of that text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from posixpath import dirname, join, normpath
from typing import Any, NamedTuple

from wikimem.core import lines, pages
from wikimem.core.footnotes import Footnote
from wikimem.core.lines import ClaimLine
from wikimem.core.pages import Page
from wikimem.core.sites import addresses

SUMMARY = 240
"""Characters of a summary that lists show."""


_LISTS = ("aliases", "links", "parts", "sources", "claims", "past")


@dataclass(frozen=True, slots=True)
class Entry:
    """One page file, as others refer to it.

    Args:
        path: below `wiki/`.
        title, type, scope, status, summary: as its head says; the type is the folder's where it says none.
        aliases: other names.
        links: paths of the pages that its Related section names.
        parts: paths of the further pages of one that is too long.
        sources: ids of the sources that its footnotes name, sorted.
        claims: ids of the claims it shows as holding.
        past: ids of those it shows as ended.
        conflicts: id and text of each claim in conflict, with the ids of its rivals.
        repeated: id, text and number of sessions of what people said more than once.
        label, told: title and summary as they stand in a markdown list.
    """

    path: str
    title: str
    type: str = ""
    scope: str = ""
    status: str = ""
    summary: str = ""
    aliases: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    past: tuple[str, ...] = ()
    conflicts: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    repeated: tuple[tuple[str, str, int], ...] = ()
    label: str = ""
    told: str = ""

    @property
    def file(self) -> str:
        """Its file in the site."""
        return addresses.page(self.path)

    @property
    def folder(self) -> str:
        """The folder of its type, `topics`."""
        return self.path.split("/", 1)[0]

    @property
    def is_part(self) -> bool:
        """Whether it is a further page of a long one."""
        return self.path.count("/") > 1

    @property
    def whole(self) -> str:
        """The path of the page that it is a part of; its own if it is none."""
        return f"{dirname(self.path)}.md" if self.is_part else self.path


class Near(NamedTuple):
    """A page as its neighbours know it; many are sent between processes, so it is small."""

    path: str
    title: str
    aliases: tuple[str, ...]

    @property
    def file(self) -> str:
        """Its file in the site."""
        return addresses.page(self.path)


def of(path: str, page: Page) -> Entry:
    """The entry of a page.

    Args:
        path: below `wiki/`.
        page: parsed.
    """
    notes = page.notes
    live = [line for _, line in page.claims if not line.struck]
    related = [line for section, line in page.placed() if isinstance(line, pages.Link) and section == "Related"]
    parts = [line for section, line in page.placed() if isinstance(line, pages.Link) and section != "Related"]
    title = page.title or path.rsplit("/", 1)[-1].removesuffix(".md")
    summary = _cut(_text(page, "summary"))
    return Entry(
        path=path,
        title=title,
        type=_text(page, "type"),
        scope=_text(page, "scope"),
        status=_text(page, "status"),
        summary=summary,
        aliases=_aliases(page),
        links=tuple(dict.fromkeys(_target(path, link.target) for link in related)),
        parts=tuple(dict.fromkeys(_target(path, link.target) for link in parts)),
        sources=tuple(sorted({source for note in notes.values() for source in _sources(note)})),
        claims=tuple(dict.fromkeys(line.id for line in live)),
        past=tuple(dict.fromkeys(line.id for _, line in page.claims if line.struck)),
        conflicts=tuple((line.id, line.text, line.tail.rivals) for line in live if line.tail.rivals),
        repeated=tuple(_repeated(live, notes)),
        label=lines.label(title),
        told=lines.escape(summary, start=False),
    )


def plain(entry: Entry) -> dict[str, Any]:
    """The entry as plain values, to be kept."""
    return {each.name: getattr(entry, each.name) for each in fields(entry)}


def of_plain(told: dict[str, Any]) -> Entry:
    """The entry of plain values."""
    for name in _LISTS:
        told[name] = tuple(told[name])
    told["conflicts"] = tuple((id, text, tuple(rivals)) for id, text, rivals in told["conflicts"])
    told["repeated"] = tuple((id, text, number) for id, text, number in told["repeated"])
    return Entry(**told)


def _text(page: Page, key: str) -> str:
    value = page.front.get(key, "")
    return value if isinstance(value, str) else ""


def _aliases(page: Page) -> tuple[str, ...]:
    value = page.front.get("aliases", ())
    return value if isinstance(value, tuple) else ()


def _cut(text: str) -> str:
    return text if len(text) <= SUMMARY else text[: SUMMARY - 1].rstrip() + "…"


def _target(path: str, target: str) -> str:
    return normpath(join(dirname(path), target))


def _sources(note: Footnote) -> list[str]:
    places = [note.place, *([note.accepting] if note.accepting else []), *note.also]
    found = (addresses.cited(place.target) for place in places)
    return [cited[0] for cited in found if cited]


def _repeated(live: Sequence[ClaimLine], notes: dict[str, Footnote]) -> list[tuple[str, str, int]]:
    """What people said in more than one session, of the claims that hold."""
    found = []
    for line in live:
        note = notes.get(line.id)
        if note is not None and note.speaker == "human" and note.stance in ("fact", "preference"):
            sessions = len(set(_sources(note)))
            if sessions > 1:
                found.append((line.id, line.text, sessions))
    return found
