"""Recompile: every source extracted anew, by the model and the prompts of now, in one commit whose diff is reviewed.

`check` writes nothing: it says whether the wiki in the vault is what its sources give.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from wikimem import indexing
from wikimem.committing import Writer
from wikimem.core import memory_diff, messages
from wikimem.core.memory_diff import PageDiff
from wikimem.edges.models import Model
from wikimem.errors import Problem, WikimemError
from wikimem.extracting import Extracted, Unmade, each, extractor_of
from wikimem.vault import Vault


@dataclass(slots=True)
class Recompiled:
    """What a recompile found or did.

    Args:
        check: whether it only looked.
        model: who compiled.
        sources: how many sources were extracted.
        commit: the commit; empty if nothing changed, or with `check`.
        pages: what the wiki says differently now, or would.
        files: the wiki's files that are not what the sources give, sorted; with `check` only.
        failed: sources that were not extracted, with the reason; what they gave before stays.
        problems: pages that were left alone, lines that could not be used.
    """

    check: bool
    model: str
    sources: int = 0
    commit: str = ""
    pages: tuple[PageDiff, ...] = ()
    files: tuple[str, ...] = ()
    failed: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def counts(self) -> str:
        """How many claims were gained, corrected and ended: `+3 ~1 -0`."""
        return messages.trailer(self.pages)

    def as_json(self) -> dict[str, Any]:
        """The report as plain values; the shape is stable."""
        return {
            "check": self.check,
            "model": self.model,
            "sources": self.sources,
            "commit": self.commit,
            "counts": self.counts,
            "pages": memory_diff.as_json(self.pages),
            "files": list(self.files),
            "failed": self.failed,
            "problems": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.problems],
        }


def recompile(
    vault: Vault,
    check: bool = False,
    jobs: int = 0,
    progress: Callable[[str], None] = lambda source: None,
    model: Model | str | None = None,
) -> Recompiled:
    """Extract every source again.

    Args:
        vault: the vault.
        check: only say what would change.
        jobs: how many questions are asked at once; 0 for as many as the settings say.
        progress: told the id of each source.
        model: who is asked, or the name, instead of the one that the settings name.

    Raises:
        UsageError: the settings name no usable model.
        WorldError: git or another process stands in the way; nothing is committed.
    """
    extractor = extractor_of(vault, model, jobs=jobs)
    report = Recompiled(check, extractor.model.name)
    with vault.compiling(), vault.repository() as repo:
        with vault.writing():
            if not check:
                repo.recover()
                repo.check_idle()
            vault.ledger.forget_cache()
        writer = Writer(vault, repo, extractor, report.problems.append)
        made: list[Extracted] = []
        for sidecar, one in each(extractor, vault.ledger, tuple(vault.ledger.all().values()), extractor.jobs):
            progress(sidecar.id)
            if isinstance(one, Unmade):
                report.failed[sidecar.id] = one.reason
            else:
                made.append(one)
        report.sources = len(made)
        if check:
            report.pages, report.files = writer.compare(made)
            return report
        if made:
            about = f"{len(made)} sources, extracted anew by {extractor.model.name}."
            done = writer.write(made, "recompile", about, anew=True)
            settled = writer.settle()
            report.commit, report.pages = done.id or settled.id, done.diff
    with suppress(WikimemError, OSError):
        # An index that is behind is brought up by the next recall.
        indexing.refresh(vault.root, vault.ledger, vault.settings.vocabulary, writer.memory.wiki).close()
    return report
