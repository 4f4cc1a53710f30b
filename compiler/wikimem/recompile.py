"""Recompile: every source extracted anew, by the model and the prompts of now, in one commit whose diff is reviewed.

Claims that the new model only words or files otherwise keep their old words (`core.rewording`), so that the diff shows what
is really new; what people wrote, rejected, changed or judged stays in any case. With a branch, all of it happens in a working
tree of its own, and the branch is made when everything is done; without, on the current one.

`check` writes nothing: it says whether the wiki in the vault is what its sources give.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikimem import batching, extracting, indexing, memory, proposing, taking, withholding
from wikimem.committing import Writer
from wikimem.core import edits, excerpts, memory_diff, messages, rewording, spending
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.memory_diff import PageDiff
from wikimem.core.rewording import Found
from wikimem.core.sources import Sidecar
from wikimem.core.spending import NOTHING, Spent
from wikimem.edges.models import Model, Paid
from wikimem.errors import ModelPaused, Problem, UsageError, WikimemError
from wikimem.extracting import Extracted, Extractor, Unmade, each, extractor_of
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo

PAIRS = "pairs"
"""What waits, where it is no source."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a call asks for.

    Args:
        check: only say what would change.
        dry_run: only say what it would cost; ask nobody.
        branch: the branch to make; '' for a commit on the current one.
        model: the name of the model, instead of the one that the settings name; '' for that.
        prompts: a folder whose prompts win; None for those of the vault.
        reword: take the new words also of claims that were there before.
        budget: what may be spent, as for `compile`.
        jobs: how many questions are asked at once; 0 for as many as the settings say.
        batch: ask beforehand, in batches at half the price, and wait for them.
        only: only sources of these ids; None for all. What is captured while batches are at work stays pending.
    """

    check: bool = False
    dry_run: bool = False
    branch: str = ""
    model: str = ""
    prompts: Path | None = None
    reword: bool = False
    budget: str = ""
    jobs: int = 0
    batch: bool = False
    only: frozenset[str] | None = None


@dataclass(slots=True)
class Recompiled:
    """What a recompile found or did.

    Args:
        check: whether it only looked.
        model: who compiled.
        branch: the branch that was made; empty for none.
        sources: how many sources were extracted.
        commit: the commit; empty if nothing changed, or with `check`.
        found: claims of before that were drawn again, and of how many: `(38, 40)`.
        reworded: of those found, how many the model worded or filed otherwise.
        edits: what people changed by hand and no compile had taken yet, a sentence each.
        pages: what the wiki says differently now, or would.
        files: the wiki's files that are not what the sources give, sorted; with `check` only.
        excerpts: how many sources are only excerpts; their claims stay as they came.
        failed: sources that were not extracted, with the reason; what they gave before stays.
        waiting: sources (or `pairs`) that wait for a budget, a quota or a reply, with the reason.
        spent: what it cost.
        expected: with `dry_run`, what each source is expected to cost.
        problems: pages that were left alone, lines that could not be used.
    """

    check: bool
    model: str
    branch: str = ""
    sources: int = 0
    commit: str = ""
    found: tuple[int, int] = (0, 0)
    reworded: int = 0
    edits: tuple[str, ...] = ()
    pages: tuple[PageDiff, ...] = ()
    files: tuple[str, ...] = ()
    excerpts: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    waiting: dict[str, str] = field(default_factory=dict)
    spent: Spent = NOTHING
    expected: dict[str, Spent] | None = None
    problems: list[Problem] = field(default_factory=list)

    @property
    def counts(self) -> str:
        """How many claims were gained, corrected or reworded, and ended: `+3 ~1 -0`."""
        return messages.trailer(self.pages)

    @property
    def code(self) -> int:
        """What a command line ends with: 1 if something is wrong or `check` found a difference, 3 if something waits, else 0."""
        if self.problems or self.failed or (self.check and self.files):
            return 1
        return 3 if self.waiting else 0

    def as_json(self) -> dict[str, Any]:
        """The report as plain values; the shape is stable."""
        return {
            "check": self.check,
            "model": self.model,
            "branch": self.branch,
            "sources": self.sources,
            "commit": self.commit,
            "counts": self.counts,
            "claims_before": self.found[1],
            "claims_found_again": self.found[0],
            "claims_reworded": self.reworded,
            "edits": list(self.edits),
            "pages": memory_diff.as_json(self.pages),
            "files": list(self.files),
            "excerpts": self.excerpts,
            "failed": self.failed,
            "waiting": self.waiting,
            "spent": self.spent.as_json(),
            "expected": {source: spent.as_json() for source, spent in (self.expected or {}).items()},
            "problems": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.problems],
        }


def recompile(
    vault: Vault,
    wish: Wish,
    progress: Callable[[str], None] = lambda source: None,
    model: Model | None = None,
    tell: Callable[[str], None] = lambda said: None,
) -> Recompiled:
    """Extract every source again.

    Args:
        vault: the vault.
        wish: how.
        progress: told the id of each source.
        model: who is asked, instead of the one that is named.
        tell: told how far batches are, a sentence each.

    Raises:
        UsageError: the settings name no usable model, or none that has batches; or no such branch can be made.
        BatchAwaited: it was interrupted while batches were at work.
        WorldError: git or another process stands in the way; nothing is committed.
    """
    extractor = _extractor(vault, wish, model)
    report = Recompiled(wish.check, extractor.model.name)
    if wish.dry_run:
        report.expected = _expected(vault, extractor, report, wish.batch)
        return report
    if wish.batch:
        every = tuple(vault.ledger.all().values())
        _ahead(vault, wish, extractor, every, tell)
        wish = replace(wish, only=frozenset(sidecar.id for sidecar in every))
    with vault.compiling(), vault.repository() as repo:
        if wish.branch:
            repo.check_branch(wish.branch)
        with vault.writing():
            if not wish.check:
                repo.recover()
                repo.check_idle()
            vault.ledger.forget_cache()
        try:
            if wish.branch and not wish.check:
                _aside(vault, repo, wish, extractor, report, progress)
            else:
                writer = _here(vault, repo, wish, extractor, report, progress)
                if not wish.check:
                    with suppress(WikimemError, OSError):
                        # An index that is behind is brought up by the next recall.
                        indexing.refresh(vault.root, vault.ledger, vault.settings.vocabulary, writer.memory.wiki).close()
        except ModelPaused as pause:
            report.waiting[PAIRS] = str(pause)
        if isinstance(extractor.model, Paid):
            report.spent = extractor.model.spent
    return report


def _extractor(vault: Vault, wish: Wish, model: Model | None) -> Extractor:
    if wish.prompts is not None and not wish.prompts.is_dir():
        raise UsageError(f"--prompts: there is no folder {wish.prompts}.")
    try:
        budget = spending.limit(wish.budget) if wish.budget else vault.settings.terms.budget
    except ValueError as wrong:
        raise UsageError(f"--budget: {wrong}.") from None
    terms = replace(vault.settings.terms, budget=budget, again=True)
    return extractor_of(vault, model or wish.model, terms, wish.jobs, wish.prompts)


def _expected(vault: Vault, extractor: Extractor, report: Recompiled, batch: bool) -> dict[str, Spent]:
    """What each source is expected to cost; nothing where the model costs nothing."""
    found: dict[str, Spent] = {}
    priced = batching.priced(vault, extractor, batch)
    if priced is not None:
        for sidecar in vault.ledger.all().values():
            try:
                found[sidecar.id] = priced(extractor.questions(vault.ledger, sidecar.id))
            except OSError as error:
                report.problems.append(Problem(sidecar.path, "unreadable", f"it cannot be read: {error.strerror or error}"))
    return found


def _ahead(vault: Vault, wish: Wish, extractor: Extractor, every: Sequence[Sidecar], tell: Callable[[str], None]) -> None:
    """Have everything asked in batches; the branch is looked at first, since a day later is too late."""
    with vault.repository() as repo:
        if wish.branch:
            repo.check_branch(wish.branch)
        writer = Writer(vault, repo, extractor, lambda problem: None)
        extractor = _amending(vault, wish, extractor, writer, every, lambda found: None)

        def link(other: Extractor, made: Sequence[Extracted]) -> None:
            asking = Writer(vault, repo, other, lambda problem: None)
            asking.link({**writer.memory.files, **{one.file.stamp.source: one.file for one in made}}, anew=True)

        batching.ahead(vault, extractor, every, link, tell)


def _amending(
    vault: Vault, wish: Wish, extractor: Extractor, writer: Writer, every: Sequence[Sidecar], told: Callable[[Found], None]
) -> Extractor:
    """The extractor, keeping the words of what was claimed before."""
    # Also edits that were only just taken.
    byhand = [extractor.extract(vault.ledger, sidecar.id).file for sidecar in every if sidecar.format == "edit"]
    ruled = rewording.bound(byhand, writer.memory.judged)
    return replace(extractor, amend=rewording.amended(writer.memory.files, ruled, wish.reword, told, extractor.me))


def _is_wanted(wish: Wish, sidecar: Sidecar) -> bool:
    """Whether a source is taken; hand edits always are, since nobody is asked about them."""
    return wish.only is None or sidecar.id in wish.only or sidecar.format == "edit"


def _aside(
    vault: Vault, repo: Repo, wish: Wish, extractor: Extractor, report: Recompiled, progress: Callable[[str], None]
) -> None:
    """Do it in a working tree of its own, and make the branch when all is done: what waits makes no half of one."""
    if not repo.head:
        return
    with repo.aside(vault.work / "aside") as folder:
        other = Vault(folder, vault.settings, vault.clock)
        with other.repository() as its:
            before = its.head
            _here(other, its, wish, extractor, report, progress)
            # Of a commit on no branch it is told how to give it one; it gets one here.
            report.problems[:] = [problem for problem in report.problems if problem.rule != "detached-head"]
            if its.head != before:
                repo.branch(wish.branch, its.head)
                report.branch = wish.branch


def _here(
    vault: Vault, repo: Repo, wish: Wish, extractor: Extractor, report: Recompiled, progress: Callable[[str], None]
) -> Writer:
    """Do it in the vault's own folder, in one commit (and one more for hand edits that no compile has taken yet)."""
    if not wish.check:
        known = memory.load(vault.root, vault.ledger, extractor.vocabulary)
        taken = taking.take(vault, repo, known, report.problems.append)
        report.edits = tuple(edits.words(edit) for edit in taken.edits)
    writer = Writer(vault, repo, extractor, report.problems.append)
    # What was retired, or is an excerpt, cannot be read again: its claims are kept.
    there = vault.ledger.all().values()
    every = tuple(one for one in there if _is_wanted(wish, one) and not one.retired and one.format != excerpts.FORMAT)
    report.excerpts = sum(one.format == excerpts.FORMAT for one in there)
    before = writer.memory.files
    told: list[Found] = []
    extractor = _amending(vault, wish, extractor, writer, every, told.append)
    made: list[Extracted] = []
    for sidecar, one in each(extractor, vault.ledger, every, extractor.jobs):
        progress(sidecar.id)
        if isinstance(one, Unmade):
            (report.waiting if one.paused else report.failed)[sidecar.id] = one.reason
        else:
            made.append(_still(vault, one, before.get(sidecar.id)))
    report.found = (sum(one.again for one in told), sum(one.before for one in told))
    report.reworded = sum(one.reworded for one in told)
    report.sources = len(made)
    if wish.check:
        report.pages, report.files = writer.compare(made)
    elif made and not (wish.branch and report.waiting):
        about = f"{len(made)} sources, extracted anew by {extractor.model.name}."
        # A branch is looked at as a whole.
        done = writer.write(made, "recompile", about, anew=True, sift=not wish.branch)
        settled = writer.settle()
        report.commit, report.pages = done.id or settled.id, done.diff
        if not wish.branch:
            report.problems += proposing.refresh(vault, repo, writer)
    return writer


def _still(vault: Vault, made: Extracted, before: ClaimFile | None) -> Extracted:
    """What was extracted, without what waits for a person: that waits on."""
    file = withholding.still(made.file, before)
    return (
        made
        if file is made.file
        else replace(made, file=file, card=extracting.carded(vault.ledger, file, vault.settings.sensitive))
    )
