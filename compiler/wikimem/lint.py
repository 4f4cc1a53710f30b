"""Lint: what a person should look at in the wiki: conflicts, broken pages, links to nowhere, pages nobody stands behind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from wikimem import browsing, memory
from wikimem.core import checks, pages
from wikimem.core.fold import Wiki
from wikimem.errors import Problem
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
    """

    conflicts: tuple[Conflict, ...]
    problems: tuple[Problem, ...]

    def as_json(self) -> dict[str, Any]:
        """The findings as plain values; the shape is stable."""
        return {
            "conflicts": [
                {"page": one.page, "claims": [{"id": id, "text": text} for id, text in one.claims]} for one in self.conflicts
            ],
            "problems": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.problems],
        }


def lint(vault: Vault) -> Linted:
    """Look at the whole wiki."""
    remembered = memory.load(vault.root, vault.ledger, vault.settings.vocabulary)
    problems = [*remembered.problems, *_pages(vault)]
    return Linted(tuple(_conflicts(remembered.wiki)), tuple(problems))


def _conflicts(wiki: Wiki) -> Iterator[Conflict]:
    for key in sorted(wiki.subjects, key=wiki.path):
        texts = {one.claim.id: one.claim.text for one in wiki.subjects[key].standings}
        seen: set[str] = set()
        for standing in wiki.subjects[key].standings:
            if standing.rivals and standing.claim.id not in seen:
                group = tuple(sorted((standing.claim.id, *standing.rivals)))
                seen.update(group)
                yield Conflict(f"wiki/{wiki.path(key)}", tuple((id, texts[id]) for id in group))


_LINK = re.compile(r"\]\((?P<target>[^()\s#]+\.md)(?:#[^()\s]*)?\)")


def _pages(vault: Vault) -> Iterator[Problem]:
    for name in browsing.paths(vault.root):
        path = vault.root / "wiki" / name
        text = path.read_bytes().decode("utf-8", "replace")
        yield from checks.of_text(text, f"wiki/{name}")
        hidden = pages.verbatim(text.split("\n"))
        for number, line in enumerate(text.split("\n")):
            for link in () if number in hidden else _LINK.finditer(line):
                target = link["target"]
                if "://" not in target and not (path.parent / target).is_file():
                    told = f"it links to {target}, which is not there"
                    yield Problem(f"wiki/{name}:{number + 1}", "dead-link", told)
