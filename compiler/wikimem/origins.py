"""Origins: which commit made pages say what they say now, and whether the claims of that commit would have said so.

A commit of ours shows what its own claims files give; whoever shows something else is a person. So an edit is told from
an older rendering, and from that of another machine, through merge, rebase and squash, without any trailer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wikimem import memory
from wikimem.core import catalogue, handwork, pages, slugs, splits, texts
from wikimem.core.claims import Claim, unite
from wikimem.core.fold import Wiki
from wikimem.core.handwork import Mark, Marks
from wikimem.core.pages import Page
from wikimem.core.subjects import Subject
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Commit, Repo

_NAMED = 40
"""Characters of a slug by which its pages are looked for in history: long names are cut, equal ones get an ending."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Who made a mark what it is.

    Args:
        by: the person's name; empty if unknown.
        said: when, as `Turn.said`.
        byhand: whether a person did; None where the history that would tell is not here.
        was: the claim of the mark as it was yielded then; None if it is no claim's, or none was.
    """

    by: str
    said: str
    byhand: bool | None
    was: Claim | None = None


class Past:
    """The history of the pages of one vault; what it read is kept for one run.

    Args:
        vault: the vault.
        repo: its repository.
        ref: the commit that it ends with.
    """

    def __init__(self, vault: Vault, repo: Repo, ref: str = "HEAD") -> None:
        self._vault, self._repo, self._ref = vault, repo, ref
        self._graphs: dict[tuple[str, ...], dict[str, Commit]] = {}
        self._marks: dict[tuple[str, tuple[str, ...], str], Marks] = {}
        self._wikis: dict[str, Wiki] = {}
        self._files: dict[tuple[str, str], Mapping[str, str]] = {}

    def origin(self, subject: Subject, path: str, key: str, now: Mark, dirty: bool) -> Origin:
        """Who made a mark of a subject what it is now.

        Args:
            subject: the subject.
            path: of its page, below `wiki/`.
            key: the mark.
            now: what it is.
            dirty: whether the pages are in no commit as they stand.
        """
        names = _names(subject, path)
        head = self._repo.head if self._ref == "HEAD" else self._ref
        if not head or (dirty and self._said(head, names, path).get(key, "") != now):
            return Origin(self._repo.user, self._vault.now(), True)
        graph = self._graph(names)
        first = next(iter(graph), "")
        if not first:
            return Origin(self._repo.user, self._vault.now(), None if self._repo.shallow else False)
        unknown = False
        last: Commit | None = None
        was: Claim | None = None
        for commit in self._makers(graph, first, names, path, key, now):
            ours, was = self._ours(commit.id, subject, path, key, now)
            last = commit
            if ours == now or self._is_mixed(commit, names, path, key, now):
                continue
            if not commit.parents and now == "":
                # Nothing was removed that had never been shown.
                unknown = unknown or self._repo.shallow
                continue
            return Origin(commit.author, utc(commit.when), True, was)
        who = (last.author, utc(last.when)) if last else (self._repo.user, self._vault.now())
        return Origin(*who, None if unknown else False, was)

    def _is_mixed(self, commit: Commit, names: tuple[str, ...], path: str, key: str, now: Mark) -> bool:
        """Whether a merge gave what none of its parents said from what they said each, without anybody's wish.

        A claim that stood in one section here and in another there can fall between two conflicts, and can come twice.
        """
        if len(commit.parents) < 2:
            return False
        told = [self._said(parent, names, path).get(key, "") for parent in commit.parents]
        if now == "":
            return len(set(told)) > 1
        return not isinstance(now, str) and all(any(line in said for said in told) for line in now)

    def _makers(
        self, graph: Mapping[str, Commit], first: str, names: tuple[str, ...], path: str, key: str, now: Mark
    ) -> Iterable[Commit]:
        """The commits that made a mark what it is: none of their parents has it so, or they have none."""
        waiting, seen = [first], {first}
        while waiting:
            commit = graph[waiting.pop()]
            parents = list(self._parents(graph, commit, names))
            alike = [parent for parent in parents if self._said(parent, names, path).get(key, "") == now]
            if not alike:
                yield commit
            waiting += [parent for parent in alike if parent not in seen]
            seen.update(alike)

    def _parents(self, graph: Mapping[str, Commit], commit: Commit, names: tuple[str, ...]) -> Iterable[str]:
        """A commit's parents; of one that left a merge's markers on a page, its parents: it says both sides at once."""
        for parent in commit.parents:
            if parent not in graph:
                continue
            paths = {each for name in names for each in self._pages(parent, name) if each.startswith(names)}
            told = self._repo.contents(self._pages(parent, path)[path] for path in paths).values()
            if any(b"\n<<<<<<< " in text for text in told):
                yield from self._parents(graph, graph[parent], names)
            else:
                yield parent

    def _graph(self, names: tuple[str, ...]) -> dict[str, Commit]:
        if names not in self._graphs:
            wanted = [f"wiki/{name}" for name in names]
            self._graphs[names] = {commit.id: commit for commit in self._repo.graph(wanted, self._ref)}
        return self._graphs[names]

    def _said(self, commit: str, names: tuple[str, ...], path: str) -> Marks:
        """What the pages of these names say in a commit; their first is that of the path, if there is one."""
        if (commit, names, path) not in self._marks:
            every = {each for name in names for each in self._pages(commit, name)}
            found = [each for each in every if each.startswith(names)]
            found.sort(key=lambda each: (each != path, each))
            told = dict(handwork.marks(self._read(commit, found)))
            if path not in every:
                told = {key: mark for key, mark in told.items() if ":" in key and not key.startswith("alias:")}
            self._marks[(commit, names, path)] = told
        return self._marks[(commit, names, path)]

    def _ours(self, commit: str, subject: Subject, path: str, key: str, now: Mark) -> tuple[Mark, Claim | None]:
        """What the claims of a commit give for a mark, as far as the pages of it do not say the same; and its claim."""
        wiki = self._wiki(commit)
        id = key.removeprefix("claim:") if key.startswith("claim:") else ""
        raw = [claim for file in wiki.ground.raw.values() for claim in file.claims if claim.id == id] if id else []
        was = unite(raw) if raw else None
        owners = (
            [each for each in wiki.subjects.values() if any(one.claim.id == id for one in each.standings)]
            if id
            else [each for each in wiki.pages.values() if not set(each.mentions).isdisjoint(subject.mentions)]
        )
        if not id:
            # What a head says of another subject, whose page this was then, proves nothing.
            owners = [each for each in owners if wiki.path(each.key) == path]
        if not owners:
            return ("" if id else now), was
        owner = owners[0]
        made = splits.all_pages(wiki, owner.key, wiki.cold, {})
        stands = handwork.marks(self._read(commit, [path for path in made if path in self._pages(commit, path)]))
        wanted = handwork.marks(tuple(made.items()))
        if id and not now and stands.get(key):
            # It stands where the subject had its pages then: nobody took it away.
            return "", was
        return wanted.get(key, ""), was

    def _wiki(self, commit: str) -> Wiki:
        if commit not in self._wikis:
            self._wikis[commit] = memory.at(self._repo, commit, self._vault.settings.vocabulary, self._vault.ledger).wiki
        return self._wikis[commit]

    def _pages(self, commit: str, near: str) -> Mapping[str, str]:
        """Path below `wiki/` and blob of each page in a commit that lies in the folder of a path."""
        folder = near.split("/", 1)[0]
        if (commit, folder) not in self._files:
            found = self._repo.paths(f"wiki/{folder}", commit).items()
            every = ((path.removeprefix("wiki/"), blob) for path, blob in found)
            self._files[(commit, folder)] = {path: blob for path, blob in every if catalogue.is_page(path)}
        return self._files[(commit, folder)]

    def _read(self, commit: str, paths: list[str]) -> list[tuple[str, Page]]:
        blobs = [self._pages(commit, path)[path] for path in paths]
        told = self._repo.contents(blobs)
        found = zip(paths, blobs, strict=True)
        return [(path, pages.parse(told[blob].decode("utf-8", "surrogateescape"))) for path, blob in found]


def raw_claims(wiki: Wiki) -> dict[str, Claim]:
    """What the sources of a wiki yield, by id, whatever people ruled; also what consolidation concluded and they left."""
    found: dict[str, list[Claim]] = {}
    for file in wiki.ground.raw.values():
        for claim in file.claims:
            found.setdefault(claim.id, []).append(claim)
    concluded = {claim.id: claim for subject in wiki.subjects.values() for claim in subject.claims if claim.rests}
    return concluded | {id: unite(same) for id, same in found.items()}


def _names(subject: Subject, path: str) -> tuple[str, ...]:
    """What the paths of a subject's pages begin with, now and before it or another got its name."""
    named = {(subject.type, subject.title)}
    named |= {(claim.mention.type, claim.mention.name) for claim in subject.claims}
    plain = {f"{slugs.FOLDERS[kind]}/{slugs.slug(name, kind, subject.key)[:_NAMED]}" for kind, name in named if texts.key(name)}
    return tuple(sorted(plain | {path.removesuffix(".md")}))


def utc(when: str) -> str:
    """A time of git, as `Turn.said` has it."""
    return datetime.fromisoformat(when).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
