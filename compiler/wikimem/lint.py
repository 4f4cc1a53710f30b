"""Lint: what a person should look at in the wiki: conflicts, stale values and answers, broken pages, links to nowhere; hints.

Nothing is changed. What was found is kept until a file of the wiki changes, so that looking again is quick.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from posixpath import relpath
from typing import Any

from wikimem import filing, indexing, memory, reflecting
from wikimem.core import splits, stale, texts, tidiness
from wikimem.core.claims import digest
from wikimem.core.fold import Wiki
from wikimem.core.stale import Stale
from wikimem.edges import cycles
from wikimem.errors import Problem
from wikimem.inspecting import Kept, Sheet
from wikimem.vault import Vault

_LONG = 2 * splits.TOKENS
"""Tokens from which a page is too long in spite of splitting: then it is people's own lines."""


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
        hints: what is worth a look though nothing is wrong: near-duplicates, orphans, long pages, unknown attributes, an index
            that is behind.
        moved: where pages lie to which people's links lead under an old name, by old path, both below `wiki/`.
    """

    conflicts: tuple[Conflict, ...]
    problems: tuple[Problem, ...]
    stale: tuple[Stale, ...] = ()
    hints: tuple[Problem, ...] = ()
    moved: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong; there may be hints."""
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
            "hints": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.hints],
        }


def lint(vault: Vault) -> Linted:
    """Look at the whole wiki."""
    with cycles.rarely():
        return _lint(vault)


def _lint(vault: Vault) -> Linted:
    kept = Kept(vault)
    sheets = kept.sheets()
    key = _key(vault)
    found = _read(told) if (told := kept.of_wiki(key)) is not None else _of_wiki(vault)
    kept.keep(key, _written(found))
    kept.save()
    dead, moved, linked = _links(vault, sheets)
    problems = [*found.problems, *(one for sheet in sheets.values() for one in sheet.problems), *dead]
    behind = [replace(one, where=".wikimem/index") for one in indexing.state(vault.root, vault.ledger, vault.settings.vocabulary)]
    hints = (*found.hints, *_of_pages(sheets, linked), *behind)
    return replace(found, problems=tuple(sorted(problems, key=lambda one: _place(one.where))), hints=hints, moved=moved)


def _key(vault: Vault) -> str:
    """What changes when the claims, the vocabulary or the sources do."""
    look = reflecting.look(vault.root, vault.ledger, vault.settings.vocabulary)
    return f"{look.claims}-{digest(' '.join(sorted(vault.ledger.all())))}"


def _of_wiki(vault: Vault) -> Linted:
    """What the claims tell, whatever the pages are."""
    remembered = memory.load(vault.root, vault.ledger, vault.settings.vocabulary)
    wiki = remembered.wiki
    problems = (*remembered.problems, *filing.stale(vault, wiki))
    old = (replace(one, page=f"wiki/{one.page}", ended_page=f"wiki/{one.ended_page}") for one in stale.found(wiki))
    return Linted(tuple(_conflicts(wiki)), problems, tuple(old), tidiness.hints(wiki))


def _conflicts(wiki: Wiki) -> Iterator[Conflict]:
    for key in sorted(wiki.subjects, key=wiki.path):
        said = {one.claim.id: one.claim.text for one in wiki.subjects[key].standings}
        seen: set[str] = set()
        for standing in wiki.subjects[key].standings:
            if standing.rivals and standing.claim.id not in seen:
                group = tuple(sorted((standing.claim.id, *standing.rivals)))
                seen.update(group)
                yield Conflict(f"wiki/{wiki.path(key)}", tuple((id, said[id]) for id in group))


def _links(vault: Vault, sheets: Mapping[str, Sheet]) -> tuple[list[Problem], dict[str, str], set[str]]:
    """Links to nowhere, where what they mean lies now as far as a name of it tells, and the pages that something links to."""
    names = _names(sheets)
    dead: list[Problem] = []
    moved: dict[str, str] = {}
    linked: set[str] = set()
    for where, sheet in sheets.items():
        for line, target, path, wiki in sheet.links:
            home = path if path in sheets else _only(names, path)
            if path in sheets or (wiki and home):
                linked |= {home} if home != where else set()
                continue
            if (vault.root / path).is_file() if not wiki else "." in path or path.startswith(("sources/", "sessions/")):
                continue
            told = f"it links to {target}, which is not there"
            if home and not wiki and path.startswith("wiki/"):
                moved[path.removeprefix("wiki/")] = home.removeprefix("wiki/")
                told += f"; {relpath(home, where.rpartition('/')[0])} has that name, and `wikimem lint --fix` makes it lead there"
            dead.append(Problem(f"{where}:{line + 1}", "dead-link", told))
    return dead, moved, linked


def _names(sheets: Mapping[str, Sheet]) -> Mapping[str, set[str]]:
    """The pages that a name may mean: path without its ending, slug, title or alias."""
    found: dict[str, set[str]] = defaultdict(set)
    for where, sheet in sheets.items():
        bare = where.removesuffix(".md")
        for name in (bare, bare.removeprefix("wiki/"), bare.rpartition("/")[2], sheet.title, *sheet.aliases):
            found[texts.key(name)].add(where)
    return found


def _only(names: Mapping[str, set[str]], path: str) -> str:
    """The one page that a link's target names; empty for none, or several."""
    bare = path.removesuffix(".md")
    for name in (bare, bare.rpartition("/")[2]):
        found = names.get(texts.key(name), set())
        if len(found) == 1:
            return next(iter(found))
    return ""


def _of_pages(sheets: Mapping[str, Sheet], linked: set[str]) -> Iterator[Problem]:
    for where, sheet in sheets.items():
        if sheet.claims == 0 and where not in linked:
            yield Problem(where, "orphan", "no claim stands on it and no page links to it; link to it, or delete it")
        if sheet.tokens > _LONG:
            told = f"it has about {sheet.tokens:,} tokens, of which claims take {splits.TOKENS:,} at most"
            yield Problem(where, "too-long", f"{told}; move some of what people wrote on it to another page")


def _place(where: str) -> tuple[str, int]:
    path, _, line = where.rpartition(":")
    return (path, int(line)) if line.isdigit() else (where, 0)


def _written(found: Linted) -> dict[str, Any]:
    return {
        "conflicts": [[one.page, one.claims] for one in found.conflicts],
        "problems": [[one.where, one.rule, one.message] for one in found.problems],
        "stale": [[one.page, one.claim, one.value, one.ended_page, one.ended, one.now] for one in found.stale],
        "hints": [[one.where, one.rule, one.message] for one in found.hints],
    }


def _read(told: Mapping[str, Any]) -> Linted:
    return Linted(
        tuple(Conflict(page, tuple((id, text) for id, text in claims)) for page, claims in told["conflicts"]),
        tuple(Problem(*one) for one in told["problems"]),
        tuple(
            Stale(page, (*claim,), value, ended_page, (*ended,), (*now,))
            for page, claim, value, ended_page, ended, now in told["stale"]
        ),
        tuple(Problem(*one) for one in told["hints"]),
    )
