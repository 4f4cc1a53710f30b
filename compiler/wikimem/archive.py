"""Archive: pages of which nothing has held for long are listed apart, by an edit with its date. No page moves or changes.

What people wrote on keeps its place in the index; so does what is not committed. `undo` brings a page back for good, a session
that says something new brings it back by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikimem import editing, memory, rendering
from wikimem.core import ages, archive
from wikimem.core.edits import Named, Operation
from wikimem.core.fold import Wiki
from wikimem.errors import Problem, UsageError
from wikimem.rendering import Shelf
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo


@dataclass(frozen=True, slots=True)
class Archived:
    """What was archived.

    Args:
        dry_run: whether it only looked.
        before: the day since which nothing held and nothing was said.
        pages: the pages, below `wiki/`.
        skipped: pages that keep their place, each with the reason.
        source: the source that keeps it; empty if nothing was done.
        commit: the commit of the indexes.
        problems: files that were left alone.
    """

    dry_run: bool
    before: str
    pages: tuple[str, ...]
    skipped: Mapping[str, str]
    source: str = ""
    commit: str = ""
    problems: tuple[Problem, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The report as plain values; the shape is stable."""
        return {
            "dry_run": self.dry_run,
            "before": self.before,
            "pages": list(self.pages),
            "skipped": dict(self.skipped),
            "source": self.source,
            "commit": self.commit,
            "problems": [str(each) for each in self.problems],
        }


def put(vault: Vault, older_than: str, yes: bool = False) -> Archived:
    """Archive pages, or tell which.

    Args:
        vault: the vault.
        older_than: for how long nothing of a page has held: `90d`, `26w`, `18m`, `2y`.
        yes: do it; else only tell.

    Raises:
        UsageError: the age is none.
        WorldError: git or another process stands in the way; nothing is archived.
    """
    try:
        before = ages.before(vault.clock().date(), older_than)
    except ValueError as wrong:
        raise UsageError(str(wrong)) from None
    vault.ledger.forget_cache()
    with vault.repository() as repo:
        wiki = memory.load(vault.root, vault.ledger, vault.settings.vocabulary).wiki
        pages, skipped = _due(vault, repo, wiki, before)
    if not yes or not pages:
        return Archived(not yes, before, tuple(pages), skipped)

    def plan(now: Wiki) -> Sequence[tuple[str, Operation]]:
        keys = [key for key in _keys(now, before) if now.path(key) in pages]
        if not keys:
            raise UsageError("Meanwhile somebody said something of each of these pages. Nothing was archived.")
        return [(now.path(key), Named(editing.mention(now.subjects[key]), archive.KEY, before)) for key in keys]

    done = editing.do(vault, plan)
    return Archived(False, before, tuple(pages), skipped, done.source, done.commit, done.problems)


def _due(vault: Vault, repo: Repo, wiki: Wiki, before: str) -> tuple[list[str], dict[str, str]]:
    """The pages that are to be archived, and those that are due and keep their place."""
    shelf = Shelf(vault.root, repo)
    pages: list[str] = []
    skipped: dict[str, str] = {}
    for key in _keys(wiki, before):
        path = wiki.path(key)
        data, clean = shelf.read(f"wiki/{path}")
        if not clean:
            skipped[path] = "it was changed and not committed"
        elif data is not None and rendering.has_people(data):
            skipped[path] = "people wrote on it"
        else:
            pages.append(path)
    return pages, skipped


def _keys(wiki: Wiki, before: str) -> list[str]:
    """The keys of the subjects that are due, by path; what somebody brought back stays until something new is said of it."""
    ground = wiki.ground
    back = [
        (edit.operation.mention.id, edit.said)
        for source in ground.ruled.undone
        if source in ground.raw
        for _, edit in ground.raw[source].edits
        if isinstance(edit.operation, Named) and edit.operation.key == archive.KEY
    ]
    return [
        key
        for key, subject in sorted(wiki.subjects.items(), key=lambda one: wiki.path(one[0]))
        if not subject.archived and archive.is_due(subject.claims, subject.standings, before)
        if not any(id in subject.mentions and archive.is_older(subject.claims, when) for id, when in back)
    ]


def text(report: Archived) -> str:
    """The report as lines for a person."""
    number = len(report.pages)
    noun = f"{number} page{'s' if number != 1 else ''} of which nothing has held since {report.before}"
    if not number:
        lines = [f"No page is left of which nothing has held since {report.before}."]
    elif report.dry_run:
        lines = [f"Would archive {noun}. Nothing was changed; --yes does it."]
    else:
        lines = [f"Archived {noun}; `wikimem undo {report.source}` brings them back."]
    lines += [f"  {path}" for path in report.pages]
    lines += [f"Stays in its index: {path}: {why}." for path, why in report.skipped.items()]
    return "\n".join((*lines, *map(str, report.problems))) + "\n"
