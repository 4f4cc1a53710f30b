"""Rendering: what a wiki's pages should be, held against what stands on disk and in git. Decides; writes nothing.

People's lines are carried over. A page that somebody has changed and not committed, that a merge broke, or on which a
claim was reworded by hand is left alone and named; the others go on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping
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
        self._disk: dict[str, str] = {}

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
        known, here = self._committed.get(path), self._repo.blob_id(data)
        if known != here and b"\r\n" in data and known == self._repo.blob_id(data.replace(b"\r\n", b"\n")):
            # An editor saved it so, and git stores it without: for git, nothing is to be committed.
            self._disk[path] = here
            return data, True
        self._disk.pop(path, None)
        return data, known == here

    def expected(self, path: str) -> str | None:
        """The blob id of a file as it was read on disk; as the commit has it where both are the same."""
        return self._disk.get(path) or self._committed.get(path)


@dataclass(frozen=True, slots=True)
class _Old:
    """A page as it was: whose lines it holds.

    Args:
        heir: key of the subject that has its claims now; empty if none has.
        page: as it was rendered; None if that is unknown.
    """

    heir: str
    page: Page | None


def changed(shelf: Shelf, old: Wiki, new: Wiki, keys: Iterable[str], paths: Mapping[str, str]) -> Rendered:
    """What becomes of the pages of some subjects.

    Args:
        shelf: the pages as they stand.
        old: the wiki they were rendered from.
        new: what they are to show.
        keys: subjects that differ (`fold.touched`).
        paths: where each source lies, by id.
    """
    keys = tuple(keys)
    now = _pages(new, keys, paths)
    home = _home(new, keys)
    olds: dict[str, _Old] = {}
    for key, was in _pages(old, keys, paths).items():
        heir = _heir((claim.id for claim in old.subjects[key].claims), home, key)
        olds |= {path: _Old(heir, page) for path, page in was.items()}
    return _rendered(shelf, new, now, olds, _texts(old, keys) | _texts(new, keys))


def whole(shelf: Shelf, wiki: Wiki, paths: Mapping[str, str]) -> Rendered:
    """What becomes of all pages: those that are not what the claims give are written anew, those of nobody deleted."""
    keys = tuple(wiki.subjects)
    now = _pages(wiki, keys, paths)
    expected = {path for made in now.values() for path in made}
    home = _home(wiki, keys)
    olds: dict[str, _Old] = {}
    for path in shelf.committed():
        name = path.removeprefix(_TOP)
        if catalogue.is_page(name) and name not in expected:
            notes = pages.parse((shelf.read(path)[0] or b"").decode("utf-8", "surrogateescape")).notes
            # A page without a footnote of ours was made by a person.
            olds |= {name: _Old(_heir(notes, home), None)} if notes else {}
    return _rendered(shelf, wiki, now, olds, _texts(wiki, keys))


def _pages(wiki: Wiki, keys: Iterable[str], paths: Mapping[str, str]) -> dict[str, dict[str, Page]]:
    cold = Cold()
    return {key: splits.all_pages(wiki, key, cold, paths) for key in keys if key in wiki.subjects}


def _home(wiki: Wiki, keys: Iterable[str]) -> dict[str, str]:
    """The key of the subject that has a claim, by the claim's id."""
    return {claim.id: key for key in keys if key in wiki.subjects for claim in wiki.subjects[key].claims}


def _heir(claims: Iterable[str], home: Mapping[str, str], key: str = "") -> str:
    """The subject that has most of some claims, the one of the same key first; empty if none has any."""
    found = Counter(home[id] for id in claims if id in home)
    return min(found, key=lambda each: (-found[each], each != key, each), default="")


def _rendered(
    shelf: Shelf, wiki: Wiki, now: Mapping[str, Mapping[str, Page]], olds: Mapping[str, _Old], texts: Mapping[str, str]
) -> Rendered:
    out = Rendered()
    taken = {path for made in now.values() for path in made}
    done: set[str] = set()
    for key, made in now.items():
        main = next(iter(made))
        # A page that got another name, or is a part no more, takes its people's lines along.
        moved = [path for path, old in olds.items() if old.heir == key and path not in made]
        each = [
            _page(shelf, path, page, (path, *(moved if path == main else ())), olds, key, texts, out)
            for path, page in made.items()
        ]
        done |= {key} if all(each) else set()
    for path, old in olds.items():
        if path not in taken:
            _retire(shelf, path, old.heir, done, out)
    _index(shelf, wiki, out)
    return out


def _page(
    shelf: Shelf,
    path: str,
    page: Page,
    before: Iterable[str],
    olds: Mapping[str, _Old],
    key: str,
    texts: Mapping[str, str],
    out: Rendered,
) -> bool:
    """One page: what stood at its own path, or at others, gives the people's lines; false if it is left alone."""
    stood: list[tuple[Page, Page | None]] = []
    for other in before:
        where = f"{_TOP}{other}"
        data, clean = shelf.read(where)
        if data is None and clean:
            continue
        problem = _unfit(where, data, clean, texts)
        if problem is not None:
            out.left.append(problem)
            return False
        assert data is not None
        old = olds.get(other)
        # What stands at its path may be a page that goes elsewhere, with all its lines.
        if old is None or old.heir == key:
            stood.append((pages.parse(data.decode("utf-8", "surrogateescape")), old.page if old else None))
    text = pages.write(keep.carry_all(stood, page)).encode("utf-8", "surrogateescape")
    if shelf.read(f"{_TOP}{path}")[0] != text:
        out.writes[f"{_TOP}{path}"] = text
    return True


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


def _retire(shelf: Shelf, path: str, heir: str, done: Container[str], out: Rendered) -> None:
    """A page that no longer is one: deleted, unless it holds lines of a person that went nowhere."""
    where = f"{_TOP}{path}"
    data, clean = shelf.read(where)
    if data is None:
        return
    if not clean:
        out.left.append(_dirty(where))
    elif not heir and _has_people(data):
        out.left.append(Problem(where, "people", "no claim stands behind it any more, but people wrote on it; it is left"))
    elif not heir or heir in done:
        out.deletes.add(where)


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
    stale = (path for path in shelf.committed() if "/index" in path and _is_index(path) and path not in made)
    out.deletes.update(path for path in stale if shelf.read(path)[1])


def _is_index(path: str) -> bool:
    parts = path.split("/")
    inside = len(parts) > 2 and parts[1] in slugs.FOLDERS.values()
    return inside and (parts[2:] == ["index.md"] or parts[2] == "index")


def _texts(wiki: Wiki, keys: Iterable[str]) -> dict[str, str]:
    """What each claim of some subjects says, by id; of those that are shown for others as well."""
    return {claim.id: claim.text for key in keys if key in wiki.subjects for claim in wiki.subjects[key].claims}
