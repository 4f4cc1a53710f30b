"""Compile: sources become a wiki, one reviewable commit a source, newest first.

Screen, extract, admit, link, fold, render, validate, commit: the steps stand in `extracting`, `judging`, `rendering` and
`committing`. A source whose extraction fails stays pending with its reason, and the others go on.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from wikimem import indexing, memory
from wikimem.committing import Writer, is_settled
from wikimem.core import messages
from wikimem.core.fold import Wiki
from wikimem.core.sources import Sidecar
from wikimem.edges.models import Model
from wikimem.errors import ModelFailed, PagesBroken, Problem, WikimemError
from wikimem.extracting import Extracted, each, extractor_of
from wikimem.holding import Held, hold
from wikimem.vault import Vault


@dataclass(frozen=True, slots=True)
class Wish:
    """What a call asks for.

    Args:
        since: only sources that began on this day or later, `2026-08-14`; '' for all.
        project: only sources of this project's slug; '' for all.
        limit: at most so many, newest first; 0 for all.
        jobs: how many sources are extracted at once.
        dry_run: say what would be compiled; ask nobody, write nothing.
    """

    since: str = ""
    project: str = ""
    limit: int = 0
    jobs: int = 1
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one source.

    Args:
        source: its id.
        title: what the session is called; empty where it was not read.
        commit: the commit; empty if it was held back.
        claims: how many it yields.
        refused: how many drafts were refused.
        changed: what the wiki says differently, `+3 ~1 -0`.
        reason: why it was held back; empty if it was not.
    """

    source: str
    commit: str
    claims: int
    refused: int
    changed: str
    reason: str = ""


@dataclass(slots=True)
class Compiled:
    """The report of a compile; grows while it runs.

    Args:
        dry_run: whether nothing was written.
        model: who compiled.
        pending: sources that were to be compiled, in order.
        outcomes: one for each that was tried.
        settled: the commit that mended pages before anything was compiled; empty if none was needed.
        filtered: pending sources that `since`, `project` or `limit` passed over.
        problems: pages that were left alone, lines that could not be used.
        notes: what else the user should know.
    """

    dry_run: bool
    model: str
    pending: tuple[Sidecar, ...] = ()
    outcomes: list[Outcome] = field(default_factory=list)
    settled: str = ""
    filtered: int = 0
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The report as plain values; the shape is stable."""
        return {
            "dry_run": self.dry_run,
            "model": self.model,
            "pending": [sidecar.id for sidecar in self.pending],
            "settled": self.settled,
            "filtered": self.filtered,
            "outcomes": [
                {
                    "source": one.source,
                    "commit": one.commit,
                    "claims": one.claims,
                    "refused": one.refused,
                    "changed": one.changed,
                    "reason": one.reason,
                }
                for one in self.outcomes
            ],
            "problems": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.problems],
            "notes": self.notes,
        }


def compile(
    vault: Vault, wish: Wish, progress: Callable[[str], None] = lambda source: None, model: Model | None = None
) -> Compiled:
    """Compile what is pending.

    Args:
        vault: the vault.
        wish: what to take.
        progress: told the id of each source that is compiled.
        model: who is asked, instead of the one that the settings name.

    Raises:
        UsageError: the settings name no usable model.
        WorldError: git or another process stands in the way; what was committed before stays.
    """
    extractor = extractor_of(vault, model)
    report = Compiled(wish.dry_run, extractor.model.name)
    if wish.dry_run:
        report.pending, report.filtered = _pending(vault, wish)
        return report
    with vault.compiling(), vault.repository() as repo:
        with vault.writing():
            recovered = repo.recover()
            report.notes += [*recovered.sentences, *map(str, recovered.left)]
            repo.check_idle()
            vault.ledger.forget_cache()
        report.pending, report.filtered = _pending(vault, wish)
        settled = is_settled(vault, repo)
        if settled and not report.pending:
            return report
        writer = Writer(vault, repo, extractor, _once(report.problems))
        if not settled:
            report.settled = writer.settle().id
        for sidecar, made in each(extractor, vault.ledger, report.pending, wish.jobs):
            progress(sidecar.id)
            report.outcomes.append(_take(vault, writer, sidecar, made))
    _index(vault, writer.memory.wiki)
    return report


def _index(vault: Vault, wiki: Wiki) -> None:
    """Make what was compiled findable; an index that is behind is brought up by the next recall."""
    with suppress(WikimemError, OSError):
        indexing.refresh(vault.root, vault.ledger, vault.settings.vocabulary, wiki).close()


def _pending(vault: Vault, wish: Wish) -> tuple[tuple[Sidecar, ...], int]:
    every = memory.pending(vault.root, vault.ledger)
    wanted = [each for each in every if _is_wanted(each, wish)]
    taken = tuple(wanted[: wish.limit] if wish.limit else wanted)
    return taken, len(every) - len(taken)


def _is_wanted(sidecar: Sidecar, wish: Wish) -> bool:
    if wish.since and sidecar.started[:10] < wish.since:
        return False
    return not wish.project or sidecar.project == wish.project


def _take(vault: Vault, writer: Writer, sidecar: Sidecar, made: Extracted | str) -> Outcome:
    if isinstance(made, str):
        hold(vault, Held(sidecar.id, sidecar.content, made))
        return Outcome(sidecar.id, "", 0, 0, "", made)
    try:
        done = writer.write([made], "compile", _about(sidecar))
    except (ModelFailed, PagesBroken) as error:
        hold(vault, Held(sidecar.id, sidecar.content, str(error)))
        return Outcome(sidecar.id, "", 0, 0, "", str(error))
    return Outcome(sidecar.id, done.id, len(made.file.claims), len(made.file.refusals), messages.trailer(done.diff))


def _about(sidecar: Sidecar) -> str:
    project = sidecar.project
    told = [sidecar.started[:10], sidecar.format, *([f"project {project}"] if project else [])]
    return f"{sidecar.id} ({', '.join(word for word in told if word)})"


def _once(problems: list[Problem]) -> Callable[[Problem], None]:
    """Adds each problem once: a page that is left alone is met again with each source."""
    return lambda problem: None if problem in problems else problems.append(problem)
