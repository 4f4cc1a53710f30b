"""Rendering: what a wiki's pages should be, held against what stands on disk and in git. Decides; writes nothing.

People's lines are carried over. A page that somebody has changed and not committed, that a merge broke, or on which a
claim was reworded by hand is left alone and named; the others go on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from wikimem.core import catalogue, checks, handwork, indexes, keep, pages, slugs, splits
from wikimem.core.fold import Wiki
from wikimem.core.indexes import Written
from wikimem.core.pages import Kept, Page
from wikimem.errors import Problem

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo

EDITION = "3"
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

    `held` are pages that are to be left alone, each with the reason.
    """

    def __init__(self, root: Path, repo: Repo) -> None:
        self._root, self._repo = root, repo
        self._committed = repo.paths("wiki")
        self.listed = Written()
        self.held: dict[str, Problem] = {}
        self._disk: dict[str, str] = {}
        self._gone: set[str] = set()

    def is_gone(self, path: str) -> bool:
        """Whether a person deleted a file of the commit, and said that this may be committed."""
        return path in self._gone

    def committed(self) -> Mapping[str, str]:
        """Path to blob id of everything under `wiki/` in the current commit."""
        return self._committed

    def trust(self, paths: Iterable[str]) -> None:
        """Take what is on disk for what the commit has: a person said that it may be committed."""
        for path in paths:
            data, clean = self.read(path)
            if not clean and data is not None:
                self._committed[path] = self._repo.blob_id(data)
            elif not clean:
                del self._committed[path]
                self._gone.add(path)

    def landed(self, change: Mapping[str, bytes], deletes: Iterable[str]) -> None:
        """Note what a commit of ours changed."""
        self._committed |= {path: self._repo.blob_id(data) for path, data in change.items()}
        for path in deletes:
            self._committed.pop(path, None)
            self._gone.discard(path)

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

    def uncommitted(self) -> tuple[str, ...]:
        """The pages that are on disk not as the current commit has them, sorted."""
        top = self._root / "wiki"
        every = {path.relative_to(top).as_posix() for folder in slugs.FOLDERS.values() for path in (top / folder).rglob("*.md")}
        every |= {path.removeprefix("wiki/") for path in self._committed}
        pages = (f"wiki/{path}" for path in every if catalogue.is_page(path))
        return tuple(sorted(path for path in pages if not self.read(path)[1]))

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
        subject = old.page(key)
        heir = _heir((claim.id for claim in subject.claims), subject.mentions, home)
        olds |= {path: _Old(heir, page) for path, page in was.items()}
    texts = _texts(new, keys)
    notes = {path: _notes(shelf, path) for key, made in now.items() for path in made if path not in olds and key not in new.own}
    if any(notes.values()):
        # A page of ours that is not where it belongs: somebody's edits keep it there.
        home = _home(new, new.pages)
        texts |= _texts(new, new.subjects)
        olds |= {path: _Old(_heir(ids, (), home), None) for path, ids in notes.items() if ids}
    return _rendered(shelf, new, now, olds, texts)


def whole(shelf: Shelf, wiki: Wiki, paths: Mapping[str, str]) -> Rendered:
    """What becomes of all pages: those that are not what the claims give are written anew, those of nobody deleted."""
    now = _pages(wiki, wiki.pages, paths)
    home = _home(wiki, wiki.pages)
    own = {path: key for key in wiki.own for path in now[key]}
    olds: dict[str, _Old] = {}
    for path in shelf.committed():
        name = path.removeprefix(_TOP)
        if not catalogue.is_page(name):
            continue
        if name in own:
            olds[name] = _Old(own[name], None)
        elif ids := _notes(shelf, name):
            olds[name] = _Old(_heir(ids, (), home), None)
        elif heir := _taken(shelf, wiki, name, home):
            olds[name] = _Old(heir, None)
    return _rendered(shelf, wiki, now, olds, _texts(wiki, wiki.subjects))


def _notes(shelf: Shelf, path: str) -> tuple[str, ...]:
    """The ids of the claims that a page proves."""
    data, _ = shelf.read(f"{_TOP}{path}")
    return tuple(pages.parse((data or b"").decode("utf-8", "surrogateescape")).notes)


def _taken(shelf: Shelf, wiki: Wiki, path: str, home: Mapping[str, str]) -> str:
    """The subject that has the claims of a page which a person made; empty if it has none that were taken."""
    page = pages.parse((shelf.read(f"{_TOP}{path}")[0] or b"").decode("utf-8", "surrogateescape"))
    mention = handwork.of_page(path, page)
    heir = home.get(mention.id, "") if mention else ""
    said = {claim.text for claim in wiki.subjects[heir].claims} if heir else set()
    return heir if heir and handwork.without(page, said) is not page else ""


def _pages(wiki: Wiki, keys: Iterable[str], paths: Mapping[str, str]) -> dict[str, dict[str, Page]]:
    return {key: splits.all_pages(wiki, key, wiki.cold, paths) for key in keys if key in wiki.pages}


def _heir(claims: Iterable[str], mentions: Iterable[str], home: Mapping[str, str]) -> str:
    """The subject that a page's lines go to: of its mentions, else the one that has most of its claims; empty for none."""
    found = Counter(home[id] for id in mentions if id in home) or Counter(home[id] for id in claims if id in home)
    return min(found, key=lambda each: (-found[each], each), default="")


def _home(wiki: Wiki, keys: Iterable[str]) -> dict[str, str]:
    """The key of the subject that has a claim or a mention, by the id of either."""
    every = wiki.pages
    subjects = [every[key] for key in keys if key in every]
    claims = {claim.id: subject.key for subject in subjects for claim in subject.claims}
    return claims | {mention: subject.key for subject in subjects for mention in subject.mentions}


def _rendered(
    shelf: Shelf, wiki: Wiki, now: Mapping[str, Mapping[str, Page]], olds: Mapping[str, _Old], texts: Mapping[str, str]
) -> Rendered:
    out = Rendered()
    held = _held(shelf, now, olds, texts, out)
    said = frozenset(texts.values())
    for key, made in now.items():
        if key in held:
            continue
        for number, (path, page) in enumerate(made.items()):
            where = f"{_TOP}{path}"
            before = (path, *(_moved(key, made, olds) if number == 0 else ()))
            stood = _stood(shelf, before, key, olds, said)
            text = pages.write(keep.carry_all(stood, page)).encode("utf-8", "surrogateescape")
            if shelf.read(where)[0] != text:
                out.writes[where] = text
    taken = {path for made in now.values() for path in made}
    for path, old in olds.items():
        if path not in taken and old.heir not in held:
            _retire(shelf, path, old.heir, out)
    _index(shelf, wiki, out)
    return out


def _moved(key: str, made: Container[str], olds: Mapping[str, _Old]) -> tuple[str, ...]:
    """The pages whose lines a subject's first page takes along: of another name, of another subject, parts no more."""
    return tuple(path for path, old in olds.items() if old.heir == key and path not in made)


def _held(
    shelf: Shelf,
    now: Mapping[str, Mapping[str, Page]],
    olds: Mapping[str, _Old],
    texts: Mapping[str, str],
    out: Rendered,
) -> set[str]:
    """The subjects whose pages are left alone, each with a problem that says why."""
    held: set[str] = set()
    for key, made in now.items():
        for path in (*made, *_moved(key, made, olds)):
            where = f"{_TOP}{path}"
            problem = shelf.held.get(where) or _unfit(where, *shelf.read(where), texts)
            if problem is not None:
                out.left.append(problem)
                held.add(key)
    waiting = True
    while waiting:
        # A page whose lines cannot go where they belong keeps its place, and whoever wants that waits as well.
        waiting = False
        for key, made in now.items():
            others = {path: olds[path].heir for path in made if path in olds and olds[path].heir not in ("", key)}
            stuck = next((path for path, heir in others.items() if heir in held or heir not in now), None)
            if key not in held and stuck is not None:
                told = "the page that is to come here waits until the one that stands here can go"
                out.left.append(Problem(f"{_TOP}{stuck}", "waits", told))
                held.add(key)
                waiting = True
    return held


def _stood(
    shelf: Shelf, before: Iterable[str], key: str, olds: Mapping[str, _Old], said: Container[str]
) -> Iterator[tuple[Page, Page | None]]:
    """The pages whose people's lines a subject takes over, without those that became claims, each with how it was rendered."""
    for path in before:
        data, _ = shelf.read(f"{_TOP}{path}")
        old = olds.get(path)
        # What stands in its place may be a page that goes elsewhere, with all its lines.
        if data is not None and (old is None or old.heir in ("", key)):
            page = handwork.without(pages.parse(data.decode("utf-8", "surrogateescape")), said)
            yield page, old.page if old else None


def _unfit(path: str, data: bytes | None, clean: bool, texts: Mapping[str, str]) -> Problem | None:
    """Why a page is not to be written again; None if it may be."""
    if not clean:
        return _dirty(path)
    if data is None:
        return None
    text = data.decode("utf-8", "surrogateescape")
    broken = next((problem for problem in checks.of_text(text, path) if problem.rule in checks.BROKEN), None)
    if broken is not None:
        return broken
    said = frozenset(texts.values())
    for _, line in pages.parse(text).claims:
        if texts.get(line.id, line.text) != line.text and line.text not in said:
            told = f"the line of claim {line.id} was reworded by hand; the page is left as it is, so that the words stay"
            return Problem(path, "edited", told)
    return None


def _dirty(path: str) -> Problem:
    return Problem(path, "uncommitted", "it was changed and not committed; commit or undo that, and compile again")


def _retire(shelf: Shelf, path: str, heir: str, out: Rendered) -> None:
    """A page that no longer is one: deleted, unless it holds lines of a person that went nowhere."""
    where = f"{_TOP}{path}"
    data, clean = shelf.read(where)
    if data is None:
        out.deletes |= {where} if shelf.is_gone(where) else set()
    elif not clean:
        out.left.append(_dirty(where))
    elif not heir and has_people(data):
        out.left.append(Problem(where, "people", "no claim stands behind it any more, but people wrote on it; it is left"))
    else:
        out.deletes.add(where)


def has_people(data: bytes) -> bool:
    """Whether a page holds lines of its own that people wrote."""
    return any(isinstance(line, Kept) for line in pages.parse(data.decode("utf-8", "surrogateescape")).lines)


def _index(shelf: Shelf, wiki: Wiki, out: Rendered) -> None:
    # Before anything was compiled there is nothing to list.
    listed = indexes.all_pages(wiki, wiki.cold, shelf.listed) if wiki.ground.files else {}
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
    inside = len(parts) > 2 and parts[1] in (*slugs.FOLDERS.values(), indexes.ARCHIVE)
    return inside and (parts[2:] == ["index.md"] or parts[2] == "index")


def _texts(wiki: Wiki, keys: Iterable[str]) -> dict[str, str]:
    """What each claim of some subjects says, by id; of those that are shown for others as well."""
    return {claim.id: claim.text for key in keys if key in wiki.subjects for claim in wiki.subjects[key].claims}
