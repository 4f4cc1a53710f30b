"""Lint: what a person should look at in the wiki: conflicts, stale values and answers, broken pages, links to nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from wikimem import browsing, filing, memory
from wikimem.core import checks, links, stale
from wikimem.core.fold import Wiki
from wikimem.core.links import Link
from wikimem.core.stale import Stale
from wikimem.errors import NoPage, Problem
from wikimem.vault import Vault


@dataclass(frozen=True, slots=True)
class Conflict:
    """Claims that cannot all hold, and that nobody ordered.

    Args:
        page: vault-relative.
        claims: id and text of each.
    """

    page: str
    claims: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Linted:
    """What was found.

    Args:
        conflicts: each once.
        problems: broken pages and links.
        stale: claims that still give a value which was superseded elsewhere; warnings. Their pages are vault-relative.
    """

    conflicts: tuple[Conflict, ...]
    problems: tuple[Problem, ...]
    stale: tuple[Stale, ...] = ()

    @property
    def is_clean(self) -> bool:
        """Whether there is nothing to look at."""
        return not (self.conflicts or self.problems or self.stale)

    def as_json(self) -> dict[str, Any]:
        """The findings as plain values; the shape is stable."""
        return {
            "conflicts": [
                {"page": one.page, "claims": [{"id": id, "text": text} for id, text in one.claims]} for one in self.conflicts
            ],
            "stale": [
                {
                    "page": one.page,
                    "claim": {"id": one.claim[0], "text": one.claim[1]},
                    "value": one.value,
                    "ended": {"page": one.ended_page, "id": one.ended[0], "text": one.ended[1]},
                    "now": {"id": one.now[0], "text": one.now[1]},
                }
                for one in self.stale
            ],
            "problems": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.problems],
        }


def lint(vault: Vault) -> Linted:
    """Look at the whole wiki."""
    remembered = memory.load(vault.root, vault.ledger, vault.settings.vocabulary)
    problems = [*remembered.problems, *_pages(vault), *filing.stale(vault, remembered.wiki)]
    old = (replace(one, page=f"wiki/{one.page}", ended_page=f"wiki/{one.ended_page}") for one in stale.found(remembered.wiki))
    return Linted(tuple(_conflicts(remembered.wiki)), tuple(problems), tuple(old))


def _conflicts(wiki: Wiki) -> Iterator[Conflict]:
    for key in sorted(wiki.subjects, key=wiki.path):
        texts = {one.claim.id: one.claim.text for one in wiki.subjects[key].standings}
        seen: set[str] = set()
        for standing in wiki.subjects[key].standings:
            if standing.rivals and standing.claim.id not in seen:
                group = tuple(sorted((standing.claim.id, *standing.rivals)))
                seen.update(group)
                yield Conflict(f"wiki/{wiki.path(key)}", tuple((id, texts[id]) for id in group))


def _pages(vault: Vault) -> Iterator[Problem]:
    for name in browsing.paths(vault.root):
        text = (vault.root / "wiki" / name).read_bytes().decode("utf-8", "replace")
        yield from checks.of_text(text, f"wiki/{name}")
        for link in links.find(text, f"wiki/{name}"):
            if not _leads(vault, link):
                yield Problem(f"wiki/{name}:{link.line + 1}", "dead-link", f"it links to {link.target}, which is not there")


def _leads(vault: Vault, link: Link) -> bool:
    """Whether a link leads to something. What a wikilink names may be a page by any of its names, or another file."""
    if not link.wiki:
        return (vault.root / link.path).is_file()
    try:
        browsing.find(vault.root, link.path)
    except NoPage:
        return "." in link.path or link.path.startswith(("sources/", "sessions/"))
    return True
