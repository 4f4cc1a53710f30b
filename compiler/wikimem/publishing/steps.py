"""Steps: the commits of the wiki as the site tells them. A commit never changes, so each is read once for ever."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import orjson

from wikimem.core.sites import changes
from wikimem.core.sites.changes import Step
from wikimem.edges.sites.book import Book

if TYPE_CHECKING:
    from wikimem.edges.repo import Commit, Repo

_AT_ONCE = 40


def gather(repo: Repo, book: Book) -> tuple[Step, ...]:
    """The commits that changed the wiki, newest first.

    Args:
        repo: the vault's repository.
        book: what was read before; brought up to date.
    """
    commits = repo.log(("wiki",))
    known = book.all("commits")
    missing = [commit for commit in commits if commit.id not in known]
    for start in range(0, len(missing), _AT_ONCE):
        made = {step.id: orjson.dumps(changes.plain(step)) for step in _read(repo, missing[start : start + _AT_ONCE])}
        book.keep("commits", made)
        known |= made
    book.drop("commits", known.keys() - {commit.id for commit in commits})
    return tuple(changes.of_plain(orjson.loads(known[commit.id])) for commit in commits)


def _read(repo: Repo, commits: Iterable[Commit]) -> Iterable[Step]:
    told = list(commits)
    changed = repo.changed((commit.id for commit in told), "wiki")
    wanted = {
        commit: [(path.removeprefix("wiki/"), *blobs) for path, *blobs in files if _counts(path)]
        for commit, files in changed.items()
    }
    texts = repo.contents(blob for files in wanted.values() for _, *blobs in files for blob in blobs if blob)
    for commit in told:
        files = (
            (path, *(texts[blob].decode("utf-8", "replace") if blob else "" for blob in blobs))
            for path, *blobs in wanted[commit.id]
        )
        sources = [value for name, value in commit.trailers if name == "Source"]
        pages = changes.between((path, before, after) for path, before, after in files)
        yield Step(commit.id, commit.when, commit.subject, sources[0] if len(sources) == 1 else "", pages)


def _counts(path: str) -> bool:
    return path.endswith(".md") and not path.startswith(("wiki/.claims/", "wiki/sessions/")) and not path.endswith("/index.md")
