"""Looking: all pages of a vault held against their claims, to find what people did to them. Takes nothing, writes nothing.

What stands on a page is read by `core.handwork`; whether a person made it so, where that is not plain, by `origins`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from wikimem import memory, origins
from wikimem.core import catalogue, checks, edits, handwork, pages, splits
from wikimem.core.claims import Claim
from wikimem.core.edits import Changed, Deleted, Edit, Kept, Operation, Undone
from wikimem.core.fold import Wiki
from wikimem.core.handwork import Difference
from wikimem.core.pages import Page
from wikimem.core.slugs import FOLDERS
from wikimem.core.subjects import Subject
from wikimem.errors import Problem
from wikimem.origins import Past
from wikimem.rendering import Shelf
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo

_TOP = "wiki/"


class Looking:
    """One look at all pages: what stands on them, whose they are, and what is edited.

    Args:
        vault: the vault.
        repo: its repository.
        wiki: what the claims files give.
        uncommitted: whether what is in no commit counts.
        shelf: the pages as they stand, if not as on disk.
        ref: the commit whose history tells who made them so.
    """

    def __init__(
        self, vault: Vault, repo: Repo, wiki: Wiki, uncommitted: bool, shelf: Shelf | None = None, ref: str = "HEAD"
    ) -> None:
        self._vault, self._repo, self._wiki, self._uncommitted = vault, repo, wiki, uncommitted
        self._shelf = shelf if shelf is not None else Shelf(vault.root, repo)
        self._past = Past(vault, repo, ref)
        self._paths = {source: sidecar.path for source, sidecar in vault.ledger.all().items()}
        self._foreign: set[str] = set()
        self.held: dict[str, Problem] = {}

    @cached_property
    def dirty(self) -> tuple[str, ...]:
        """The pages that are in no commit as they stand, if such pages are to be taken."""
        return tuple(f"{_TOP}{path}" for path in self._every if not self._shelf.read(f"{_TOP}{path}")[1] and self._uncommitted)

    @cached_property
    def _every(self) -> tuple[str, ...]:
        """The paths below `wiki/` of all pages, committed or only on disk."""
        found = {path.removeprefix(_TOP) for path in self._shelf.committed()}
        if self._uncommitted:
            top = self._vault.root / "wiki"
            found |= {path.relative_to(top).as_posix() for folder in FOLDERS.values() for path in (top / folder).rglob("*.md")}
        return tuple(sorted(path for path in found if catalogue.is_page(path)))

    def reverted(self) -> tuple[Edit, ...]:
        """The edits of others that somebody reverted: their claims file stood in the wiki once, and was taken away."""
        found = []
        for sidecar in memory.pending(self._vault.root, self._vault.ledger):
            if sidecar.format != "edit":
                continue
            last = next(iter(self._repo.log([memory.path(sidecar.id)], limit=1)), None)
            if last is not None:
                said = _later(origins.utc(last.when), sidecar.ended)
                found.append(Edit(Undone(sidecar.id), last.author, said))
        return tuple(sorted(found, key=lambda edit: edit.said))

    def edits(self) -> tuple[Edit, ...]:
        """What people did to the pages, in order of the pages."""
        made = {key: splits.all_pages(self._wiki, key, self._wiki.cold, self._paths) for key in self._wiki.pages}
        ours = {path for pages_ in made.values() for path in pages_}
        strays: dict[str, list[str]] = {}
        found: list[Edit] = []
        for path in self._every:
            if path not in ours:
                found += self._stray(path, strays)
        for key, own in made.items():
            for path in own:
                heir = self._heir(path) if key not in self._wiki.own else ""
                if heir not in ("", key):
                    # The page of another subject, which is held in a place that is to be this one's.
                    strays.setdefault(heir, []).append(path)
                    self._foreign.add(path)
        for key in sorted(made, key=self._wiki.path):
            found += self._of_subject(key, made[key], strays.get(key, []))
        return tuple(dict.fromkeys(found))

    def _page(self, path: str) -> tuple[Page | None, bool]:
        """A page as it stands, None if there is none, and whether it is to be looked at."""
        data, clean = self._shelf.read(f"{_TOP}{path}")
        if not clean and not self._uncommitted:
            # Half a page is typed: its edits are taken when they are committed.
            return None, False
        if data is None:
            return None, True
        text = data.decode("utf-8", "surrogateescape")
        if any(problem.rule in checks.BROKEN for problem in checks.of_text(text, path)):
            return None, False
        return pages.parse(text), True

    def _heir(self, path: str) -> str:
        """The subject that has most of the claims on a page; empty if it shows none."""
        page, _ = self._page(path)
        shown = [self._home[line.id] for _, line in page.claims if line.id in self._home] if page is not None else []
        found = Counter(shown)
        return min(found, key=lambda key: (-found[key], key), default="")

    def _stray(self, path: str, strays: dict[str, list[str]]) -> list[Edit]:
        """The edits on a page that is no subject's; one with claims of ours is noted for the subject that has most of them."""
        page, fit = self._page(path)
        if page is None or not fit:
            return []
        heir = self._heir(path)
        if heir:
            strays.setdefault(heir, []).append(path)
            return []
        if page.notes:
            return []
        mention = handwork.of_page(path, page)
        known = next((each for each in self._wiki.subjects.values() if mention and mention.id in each.mentions), None)
        subject = known or (handwork.nobody(mention) if mention else None)
        if subject is None:
            return []
        return self._made(subject, path, handwork.new_page(subject, path, page), {path: page})

    def _of_subject(self, key: str, made: Mapping[str, Page], strays: list[str]) -> list[Edit]:
        """The edits on the pages of one subject."""
        subject = self._wiki.page(key)
        same = True
        for path, page in made.items():
            data, clean = self._shelf.read(f"{_TOP}{path}")
            if not clean and not self._uncommitted:
                return []
            same = same and data == pages.write(page).encode("utf-8", "surrogateescape")
        if same and not strays:
            return []
        found: dict[str, Page] = {}
        for path in (*(path for path in made if path not in self._foreign), *strays):
            stands, fit = self._page(path)
            if not fit:
                return []
            if stands is not None:
                found[path] = stands

        def elsewhere(id: str) -> bool:
            return any(path not in found and path not in self._shared for path in self._cited.get(id, ()))

        ours, there = tuple(made.items()), tuple(found.items())
        differing = handwork.differences(subject, ours, there, self._yielded, self._home, elsewhere)
        return self._made(subject, next(iter(made)), differing, found)

    def _made(self, subject: Subject, main: str, differing: Iterable[Difference], found: Mapping[str, Page]) -> list[Edit]:
        """The differences that are edits, each with who made it and when."""
        there = handwork.marks(tuple(found.items()))
        out: list[Edit] = []
        for each in differing:
            dirty = any(not self._shelf.read(f"{_TOP}{path}")[1] for path in (each.path, *found))
            origin = self._past.origin(subject, main, each.key, there.get(each.key, ""), dirty)
            operation = each.operation or handwork.reworded(origin.was, there.get(each.key, ""))
            if isinstance(operation, Kept) and operation.target.claim in self._on_cards:
                # It stood there before the vault became sparing with pages; `keep` asks for it.
                continue
            if not each.certain and origin.byhand is None:
                told = "a claim is missing here, and the history that would tell whether somebody removed it was not fetched"
                self.held[f"{_TOP}{main}"] = Problem(f"{_TOP}{main}", "shallow", f"{told}; run `git fetch --unshallow`")
            elif operation is not None and (each.certain or origin.byhand):
                said = self._after(operation, origin.said)
                out.append(Edit(self._beside(operation), origin.by, said, each.path))
        return out

    def _beside(self, operation: Operation) -> Operation:
        """The operation with what else stands on the words of its claim."""
        match operation:
            case Changed(about, _) | Deleted(about, _):
                claim = self._yielded.get(about.claim)
                if claim is None:
                    return operation
                places = {one.source for one in claim.evidence}
                files = [self._wiki.ground.files[source] for source in sorted(places) if source in self._wiki.ground.files]
                return replace(operation, target=edits.target(claim, [other for file in files for other in file.claims]))
        return operation

    def _after(self, operation: Operation, said: str) -> str:
        """When an edit was made: after all that were made of the same thing before, whatever their clocks said."""
        return _later(said, max((self._edited.get(name, "") for name in edits.about(operation)), default=""))

    @cached_property
    def _edited(self) -> Mapping[str, str]:
        """When each claim or name was last edited, by id."""
        found: dict[str, str] = {}
        for file in self._wiki.ground.raw.values():
            for _, edit in file.edits:
                for name in edits.about(edit.operation):
                    found[name] = max(found.get(name, ""), edit.said)
        return found

    @cached_property
    def _yielded(self) -> Mapping[str, Claim]:
        return origins.raw_claims(self._wiki)

    @cached_property
    def _on_cards(self) -> frozenset[str]:
        return frozenset(id for ids in self._wiki.ground.alone.values() for id in ids)

    @cached_property
    def _home(self) -> Mapping[str, str]:
        """The key of the subject that has a claim, by the claim's id."""
        return {claim.id: key for key, subject in self._wiki.subjects.items() for claim in subject.claims}

    @cached_property
    def _shared(self) -> frozenset[str]:
        """The pages that show claims of others: a claim that stands there was not moved there."""
        return frozenset(self._wiki.path(key) for key in self._wiki.own)

    @cached_property
    def _cited(self) -> Mapping[str, tuple[str, ...]]:
        """The pages that show each claim, by id."""
        cited: dict[str, list[str]] = {}
        for path in self._every:
            data, _ = self._shelf.read(f"{_TOP}{path}")
            for key in handwork.marks([(path, pages.parse((data or b"").decode("utf-8", "surrogateescape")))]):
                cited.setdefault(key.removeprefix("claim:"), []).append(path)
        return {id: tuple(paths) for id, paths in cited.items()}


def _later(said: str, before: str) -> str:
    """A moment, or the second after another one where it is not later than that; both in UTC, to the second."""
    if said > before:
        return said
    return (datetime.fromisoformat(before) + timedelta(seconds=1)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
