"""Steps: the commits of the wiki as the site tells them. A commit never changes, so each is read once for ever."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from wikimem import vault as vaults
from wikimem.core.sites import changes
from wikimem.core.sites.changes import Brief, Step
from wikimem.core.zones import Zone
from wikimem.edges.sites.book import Book
from wikimem.publishing.workers import Workers
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Commit, Repo

_AT_ONCE = 20


def gather(vault: Vault, book: Book, workers: Workers) -> tuple[Brief, ...]:
    """The commits that changed pages of the wiki, newest first, in brief.

    Args:
        vault: whose repository it is.
        book: what was read before; brought up to date.
        workers: read what is new.
    """
    with vault.repository() as repo:
        commits = repo.log(("wiki",))
    known = book.all("briefs")
    missing = [commit for commit in commits if commit.id not in known]
    batches = [(vault.root, missing[start : start + _AT_ONCE]) for start in range(0, len(missing), _AT_ONCE)]
    for made in workers.map(read, batches, 3):
        briefs = {id: brief for id, (brief, _) in made.items()}
        book.keep("briefs", briefs)
        book.keep("commits", {id: pages for id, (_, pages) in made.items()})
        known |= briefs
    gone = known.keys() - {commit.id for commit in commits}
    book.drop("briefs", gone)
    book.drop("commits", gone)
    briefs_now = (changes.brief_of(orjson.loads(known[commit.id])) for commit in commits)
    return tuple(brief for brief in briefs_now if brief.paths)


def load(book: Book, brief: Brief, only: Container[str] | None = None) -> Step:
    """A commit with what it changed; on some pages alone where `only` names them."""
    return Step(brief, changes.pages_of(book.some("commits", [brief.id])[brief.id], only))


def read(asked: tuple[Path, Sequence[Commit]]) -> dict[str, tuple[bytes, bytes]]:
    """What some commits changed, by id, as it is kept.

    Args:
        asked: the vault's folder, and the commits.
    """
    root, commits = asked
    vault = vaults.open_at(root)
    with vault.repository() as repo:
        made = _steps(repo, commits, vault.zone)
        return {step.brief.id: (orjson.dumps(step.brief), orjson.dumps(step.pages)) for step in made}


def _steps(repo: Repo, commits: Sequence[Commit], zone: Zone) -> Iterator[Step]:
    changed = repo.changed((commit.id for commit in commits), "wiki")
    wanted = {
        commit: [(path.removeprefix("wiki/"), before, after) for path, before, after in files if _counts(path)]
        for commit, files in changed.items()
    }
    blobs = {blob for files in wanted.values() for _, before, after in files for blob in (before, after) if blob}
    texts = {"": "", **{blob: data.decode("utf-8", "replace") for blob, data in repo.contents(sorted(blobs)).items()}}
    for commit in commits:
        sources = [value for name, value in commit.trailers if name == "Source"]
        pages = changes.between((path, texts[before], texts[after]) for path, before, after in wanted[commit.id])
        yield changes.step(commit.id, zone.told(commit.when), commit.subject, sources[0] if len(sources) == 1 else "", pages)


def _counts(path: str) -> bool:
    return path.endswith(".md") and not path.startswith(("wiki/.claims/", "wiki/sessions/")) and not path.endswith("/index.md")
