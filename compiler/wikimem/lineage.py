"""Lineage: the pages that a page's claims stood on before: what it was called, what was merged into it, what it was split from.

Read from git, by the claims themselves: where some left one page in the very commit in which they came to another, they
moved. What the commit says of itself does not count, so it holds after a squash as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikimem.core import catalogue, pages, slugs
from wikimem.core.lines import ClaimLine

if TYPE_CHECKING:
    from wikimem.edges.repo import Commit, Repo

Moved = Mapping[str, str]
"""Claims that came from another page: the ids they had there, and those they have now."""


@dataclass(frozen=True, slots=True)
class Forebear:
    """A page, with all its parts, as far as it counts for the one that is looked at.

    Args:
        path: vault-relative.
        commits: those that changed it and count, newest first.
        until: the commits that had it in them while it counted; None for all there are.
        claims: those of its claims that count; None for the whole page.
    """

    path: str
    commits: tuple[Commit, ...]
    until: frozenset[str] | None
    claims: Moved | None

    @property
    def files(self) -> tuple[str, str]:
        """The file and the folder of its parts."""
        return self.path, self.path.removesuffix(".md")


def of(repo: Repo, path: str) -> tuple[Forebear, ...]:
    """A page and its forebears, itself first.

    Args:
        repo: the repository.
        path: vault-relative.
    """
    found: list[Forebear] = []
    seen: set[tuple[str, str]] = set()
    waiting: list[tuple[str, str, Moved | None]] = [(path, "HEAD", None)]
    while waiting:
        one, ref, claims = waiting.pop(0)
        if (one, ref) in seen:
            continue
        seen.add((one, ref))
        commits = repo.log((one, one.removesuffix(".md")), ref)
        until = None if ref == "HEAD" else repo.ancestors(ref)
        found.append(Forebear(one, commits, until, claims))
        waiting += _before(repo, one, commits, claims)
    return tuple(found)


def alone(repo: Repo, path: str) -> tuple[Forebear, ...]:
    """A page without its forebears; arguments as for `of`."""
    return (Forebear(path, repo.log((path, path.removesuffix(".md"))), None, None),)


def _before(repo: Repo, path: str, commits: Iterable[Commit], claims: Moved | None) -> Iterator[tuple[str, str, Moved | None]]:
    """The pages that claims of a page came from: each with the commit it counts up to and the claims that came."""
    parents = {commit.id: commit.parent for commit in commits if commit.parent}
    changed = repo.changed(parents, "wiki")
    texts = repo.contents(blob for files in changed.values() for _, *blobs in files for blob in blobs if blob)
    for commit, files in changed.items():
        states = _by_page(files, texts)
        was, now = states.pop(path, ({}, {}))
        come = {id: text for id, text in now.items() if id not in was and (claims is None or id in claims)}
        for other, (before, after) in states.items() if come else ():
            left = {id: text for id, text in before.items() if id not in after}
            moved = {id: new for id, text in left.items() for new in _same(id, text, come)}
            if moved and after == {} and claims is None:
                yield other, parents[commit], None
            elif moved:
                yield other, parents[commit], {id: claims[new] if claims else new for id, new in moved.items()}


def _same(id: str, text: str, come: Mapping[str, str]) -> list[str]:
    """The claim that came and is this one: of the same id, else of the same words."""
    return [id] if id in come else [new for new, told in come.items() if told == text][:1]


def _by_page(
    files: Iterable[tuple[str, str, str]], texts: Mapping[str, bytes]
) -> dict[str, tuple[dict[str, str], dict[str, str]]]:
    """The claims, by id, of each page before and after a commit, its parts included."""
    found: dict[str, tuple[dict[str, str], dict[str, str]]] = {}
    for path, before, after in files:
        name = path.removeprefix("wiki/")
        folder, _, rest = name.partition("/")
        if folder not in slugs.FOLDERS.values() or not catalogue.is_page(name):
            continue
        slug = rest.split("/")[0].removesuffix(".md")
        states = found.setdefault(f"wiki/{folder}/{slug}.md", ({}, {}))
        for state, blob in zip(states, (before, after), strict=True):
            state.update(_claims(texts[blob]) if blob else {})
    return found


def _claims(text: bytes) -> dict[str, str]:
    lines = pages.parse(text.decode("utf-8", "replace")).lines
    return {line.id: line.text for line in lines if isinstance(line, ClaimLine)}
