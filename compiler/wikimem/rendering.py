"""Rendering: what a wiki's pages should be, held against what stands on disk and in git. Decides; writes nothing.

People's lines are carried over. A page that somebody has changed and not committed, that a merge broke, or on which a
claim was reworded by hand is left alone and named; the others go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from wikimem.core import catalogue, checks, indexes, keep, pages, slugs, splits
from wikimem.core.compose import Cold
from wikimem.core.fold import Wiki
from wikimem.core.indexes import Written
from wikimem.core.pages import Kept, Page
from wikimem.errors import Problem

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo

EDITION = "1"
"""Raised whenever the same claims give other pages: the next compile then renders every page again."""

_TOP = "wiki/"


@dataclass(slots=True)
class Rendered:
    """What to write and delete, by vault-relative path, and what was left alone."""

    writes: dict[str, bytes] = field(default_factory=dict)
    deletes: set[str] = field(default_factory=set)
    left: list[Problem] = field(default_factory=list)


class Shelf:
    """The pages as they stand, on disk and in the current commit.

    Args:
        root: the vault's folder.
        repo: its repository.
    """

    def __init__(self, root: Path, repo: Repo) -> None:
        self._root, self._repo = root, repo
        self._committed = repo.paths("wiki")
        self.listed = Written()

    def committed(self) -> Mapping[str, str]:
        """Path to blob id of everything under `wiki/` in the current commit."""
        return self._committed

    def landed(self, change: Mapping[str, bytes], deletes: Iterable[str]) -> None:
        """Note what a commit of ours changed."""
        self._committed |= {path: self._repo.blob_id(data) for path, data in change.items()}
        for path in deletes:
            self._committed.pop(path, None)

    def read(self, path: str) -> tuple[bytes | None, bool]:
        """A file's bytes, None for no file, and whether the commit has the same."""
        try:
            data = (self._root / path).read_bytes()
        except FileNotFoundError:
            return None, path not in self._committed
        return data, self._committed.get(path) == self._repo.blob_id(data)


def changed(shelf: Shelf, old: Wiki, new: Wiki, keys: Iterable[str], paths: Mapping[str, str]) -> Rendered:
    """What becomes of the pages of some subjects.

    Args:
        shelf: the pages as they stand.
        old: the wiki they were rendered from.
        new: what they are to show.
        keys: subjects that differ (`fold.touched`).
        paths: where each source lies, by id.
    """
    out = Rendered()
    cold = Cold()
    for key in keys:
        was = splits.all_pages(old, key, cold, paths) if key in old.subjects else {}
        now = splits.all_pages(new, key, cold, paths) if key in new.subjects else {}
        _subject(shelf, was, now, _texts(old, new, key), out)
    _index(shelf, new, out)
    return out


def whole(shelf: Shelf, wiki: Wiki, paths: Mapping[str, str]) -> Rendered:
    """What becomes of all pages: those that are not what the claims give are written anew, those of nobody deleted."""
    out = Rendered()
    expected: set[str] = set()
    cold = Cold()
    for key in wiki.subjects:
        now = splits.all_pages(wiki, key, cold, paths)
        expected |= {f"{_TOP}{path}" for path in now}
        _subject(shelf, {}, now, _texts(wiki, wiki, key), out)
    for path in shelf.committed():
        if path not in expected and catalogue.is_page(path.removeprefix(_TOP)):
            _stray(shelf, path, out)
    _index(shelf, wiki, out)
    return out


def _subject(shelf: Shelf, was: Mapping[str, Page], now: Mapping[str, Page], texts: Mapping[str, str], out: Rendered) -> None:
    mains = (next(iter(was), ""), next(iter(now), ""))
    gone = [path for path in was if path not in now]
    for path, page in now.items():
        # A page that got another name takes its people's lines along.
        before = mains[0] if path == mains[1] and mains[0] not in ("", path) else path
        olds = [before, *(other for other in gone if other != before)] if path == mains[1] else [before]
        _page(shelf, path, page, {other: was.get(other) for other in olds}, texts, out)
    for path in gone:
        _retire(shelf, path, bool(now), out)


def _page(shelf: Shelf, path: str, page: Page, olds: Mapping[str, Page | None], texts: Mapping[str, str], out: Rendered) -> None:
    """One page: what stands at its path (or stood at others) gives the people's lines."""
    fresh = page
    here = f"{_TOP}{path}"
    for other, rendered in olds.items():
        data, clean = shelf.read(f"{_TOP}{other}")
        if data is None and clean:
            continue
        problem = _unfit(f"{_TOP}{other}", data, clean, texts)
        if problem is not None:
            out.left.append(problem)
            return
        assert data is not None
        fresh = keep.carry(pages.parse(data.decode("utf-8", "surrogateescape")), fresh, rendered)
    text = pages.write(fresh).encode("utf-8", "surrogateescape")
    data, clean = shelf.read(here)
    if not clean:
        out.left.append(_dirty(here))
    elif data != text:
        out.writes[here] = text


def _unfit(path: str, data: bytes | None, clean: bool, texts: Mapping[str, str]) -> Problem | None:
    """Why a page is not to be written again; None if it may be."""
    if not clean or data is None:
        return _dirty(path)
    text = data.decode("utf-8", "surrogateescape")
    broken = next((problem for problem in checks.of_text(text, path) if problem.rule in checks.BROKEN), None)
    if broken is not None:
        return broken
    for _, line in pages.parse(text).claims:
        if texts.get(line.id, line.text) != line.text:
            told = f"the line of claim {line.id} was reworded by hand; the page is left as it is, so that the words stay"
            return Problem(path, "edited", told)
    return None


def _dirty(path: str) -> Problem:
    return Problem(path, "uncommitted", "it was changed and not committed; commit or undo that, and compile again")


def _retire(shelf: Shelf, path: str, carried: bool, out: Rendered) -> None:
    """A page that no longer is one: deleted, unless it holds lines of a person that went nowhere."""
    where = f"{_TOP}{path}"
    data, clean = shelf.read(where)
    if data is None:
        return
    if not clean:
        out.left.append(_dirty(where))
    elif not carried and _has_people(data):
        out.left.append(Problem(where, "people", "its claims are gone, but people wrote on it; it is left for them"))
    elif not any(problem.where.startswith(where) for problem in out.left):
        out.deletes.add(where)


def _stray(shelf: Shelf, path: str, out: Rendered) -> None:
    """A page that no subject gives: one of ours from before is deleted; one that people made is theirs."""
    data, clean = shelf.read(path)
    if data is None or not clean or not pages.parse(data.decode("utf-8", "surrogateescape")).notes:
        return
    if _has_people(data):
        out.left.append(Problem(path, "people", "no claim stands behind it any more, but people wrote on it; it is left"))
    else:
        out.deletes.add(path)


def _has_people(data: bytes) -> bool:
    return any(isinstance(line, Kept) for line in pages.parse(data.decode("utf-8", "surrogateescape")).lines)


def _index(shelf: Shelf, wiki: Wiki, out: Rendered) -> None:
    # Before anything was compiled there is nothing to list.
    listed = indexes.all_pages(wiki, Cold(), shelf.listed) if wiki.ground.files else {}
    made = {f"{_TOP}{path}": text.encode("utf-8", "replace") for path, text in listed.items()}
    for path, text in made.items():
        data, clean = shelf.read(path)
        if data != text and clean:
            out.writes[path] = text
        elif not clean:
            out.left.append(_dirty(path))
    stale = (path for path in shelf.committed() if _is_index(path) and path not in made)
    out.deletes.update(path for path in stale if shelf.read(path)[1])


def _is_index(path: str) -> bool:
    parts = path.split("/")
    inside = len(parts) > 2 and parts[1] in slugs.FOLDERS.values()
    return inside and (parts[2:] == ["index.md"] or parts[2] == "index")


def _texts(old: Wiki, new: Wiki, key: str) -> dict[str, str]:
    """What each claim of a subject says, by id; of those that are shown for others as well."""
    found: dict[str, str] = {}
    for wiki in (old, new):
        if key in wiki.subjects:
            found |= {claim.id: claim.text for claim in wiki.subjects[key].claims}
    return found
