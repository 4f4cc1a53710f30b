"""Compile: sources become a wiki, one reviewable commit a source, newest first.

Screen, extract, admit, link, fold, render, validate, commit: the steps stand in `extracting`, `judging`, `rendering` and
`committing`. A source whose extraction fails stays pending with its reason, and the others go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from wikimem import batching, indexing, meaning, memory, proposing, receipts, reflecting, settled, taking, withholding
from wikimem.committing import Writer
from wikimem.core import edits, messages, spending
from wikimem.core.fold import Wiki
from wikimem.core.sources import Sidecar
from wikimem.core.spending import NOTHING, Spent, Terms
from wikimem.core.zones import Zone
from wikimem.edges.models import Model, Paid
from wikimem.errors import ModelFailed, ModelPaused, PagesBroken, Problem, UsageError, WikimemError
from wikimem.extracting import AHEAD, Extracted, Extractor, Unmade, each, elsewhere, extractor_of, misplaced
from wikimem.holding import Held, hold
from wikimem.reflecting import Before
from wikimem.rendering import Shelf
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Wish:
    """What a call asks for.

    Args:
        since: only sources that began on this day or later, `2026-08-14`; '' for all.
        project: only sources of this project's slug; '' for all.
        limit: at most so many, newest first; 0 for all.
        jobs: how many questions are asked at once; 0 for as many as the settings say.
        dry_run: say what would be compiled, and what it would cost; ask nobody, write nothing.
        model: the name of the model, instead of the one that the settings name; '' for that.
        budget: what this run may spend, `2.50usd` or `300k`; '' for what the settings say.
        background: whether nobody waits for this run, so that the day's limit for such work holds.
        record: a folder in which every reply is recorded, for `recorded:<dir>`; '' for none.
        take_edits: also take hand edits that are in no commit yet.
        batch: ask beforehand, in batches at half the price, and wait for them.
        only: only sources of these ids; None for all. What is captured while batches are at work waits for the next ones.
    """

    since: str = ""
    project: str = ""
    limit: int = 0
    jobs: int = 0
    dry_run: bool = False
    model: str = ""
    budget: str = ""
    background: bool = False
    record: str = ""
    take_edits: bool = False
    batch: bool = False
    only: frozenset[str] | None = None


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
        paused: whether it only waits: for a budget, a quota, or the reply to a packet.
        waiting: how many of its claims wait for a person to look at them.
        withheld: how many wait since they may be sensitive; they are in no file of the wiki.
    """

    source: str
    commit: str
    claims: int
    refused: int
    changed: str
    reason: str = ""
    paused: bool = False
    waiting: int = 0
    withheld: int = 0


@dataclass(slots=True)
class Compiled:
    """The report of a compile; grows while it runs.

    Args:
        dry_run: whether nothing was written.
        model: who compiled.
        pending: sources that were to be compiled, in order.
        outcomes: one for each that was tried.
        first: whether the vault had no claims before: then the report of what stands out is worth showing.
        edits: what people changed by hand, a sentence each, and is kept from now on.
        settled: the commit that mended pages before anything was compiled; empty if none was needed.
        spent: what the model's answers cost, all sources and judgements together.
        expected: with `dry_run`, what they are expected to cost, by source.
        filtered: pending sources that `since`, `project` or `limit` passed over.
        uncommitted: pages that people changed and did not commit, vault-relative; not looked for in the background.
        problems: pages that were left alone, lines that could not be used.
        notes: what else the user should know.
    """

    dry_run: bool
    model: str
    pending: tuple[Sidecar, ...] = ()
    outcomes: list[Outcome] = field(default_factory=list)
    first: bool = False
    edits: tuple[str, ...] = ()
    settled: str = ""
    spent: Spent = NOTHING
    expected: dict[str, Spent] = field(default_factory=dict)
    filtered: int = 0
    uncommitted: tuple[str, ...] = ()
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def code(self) -> int:
        """What a command line ends with: 1 if something is wrong, 3 if sources only wait, else 0."""
        if self.problems or any(one.reason and not one.paused for one in self.outcomes):
            return 1
        return 3 if any(one.paused for one in self.outcomes) else 0

    def as_json(self) -> dict[str, Any]:
        """The report as plain values; the shape is stable."""
        return {
            "dry_run": self.dry_run,
            "model": self.model,
            "pending": [sidecar.id for sidecar in self.pending],
            "first": self.first,
            "edits": list(self.edits),
            "settled": self.settled,
            "filtered": self.filtered,
            "uncommitted": list(self.uncommitted),
            "outcomes": [
                {
                    "source": one.source,
                    "commit": one.commit,
                    "claims": one.claims,
                    "refused": one.refused,
                    "changed": one.changed,
                    "reason": one.reason,
                    "paused": one.paused,
                    "waiting": one.waiting,
                    "withheld": one.withheld,
                }
                for one in self.outcomes
            ],
            "spent": self.spent.as_json(),
            "expected": {source: spent.as_json() for source, spent in self.expected.items()},
            "problems": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.problems],
            "notes": self.notes,
        }


def compile(
    vault: Vault,
    wish: Wish,
    progress: Callable[[str], None] = lambda source: None,
    model: Model | None = None,
    tell: Callable[[str], None] = lambda said: None,
) -> Compiled:
    """Compile what is pending.

    Args:
        vault: the vault.
        wish: what to take.
        progress: told the id of each source that is compiled.
        model: who is asked, instead of the one that the settings name.
        tell: told how far batches are, a sentence each.

    Raises:
        UsageError: the settings name no usable model, or none that has batches.
        BatchAwaited: it was interrupted while batches were at work.
        WorldError: git or another process stands in the way; what was committed before stays.
    """
    extractor = extractor_of(vault, model or wish.model, _terms(vault, wish), wish.jobs)
    report = Compiled(wish.dry_run, extractor.model.name)
    if wish.dry_run:
        report.pending, report.filtered = _pending(vault, wish)
        _estimate(vault, extractor, report, wish.batch)
        return report
    if wish.batch:
        asked, _ = _pending(vault, wish)
        batching.ahead(vault, extractor, asked, partial(_link, vault), tell)
        wish = replace(wish, only=frozenset(sidecar.id for sidecar in asked))
    with vault.compiling(), vault.repository() as repo:
        with vault.writing():
            report.notes += receipts.recovered(vault, repo)
        report.pending, report.filtered = _pending(vault, wish)
        whole = settled.is_settled(vault, repo)
        if whole and not report.pending and not wish.take_edits and not withholding.laid_aside(vault):
            report.uncommitted = _uncommitted(vault, repo, wish)
            return report
        claims = reflecting.look(vault.root, vault.ledger, vault.settings.vocabulary).claims
        writer = Writer(vault, repo, extractor, _once(report.problems))
        before = Before(writer.memory.wiki, claims)
        report.first = not writer.memory.files and bool(report.pending)
        if not whole or wish.take_edits:
            report.edits = _by_hand(vault, repo, writer, wish.take_edits, report)
        if not whole or report.edits:
            report.settled = writer.settle().id
        report.pending, report.filtered = _pending(vault, wish)
        report.outcomes += _taken(vault, extractor, writer, report.pending, progress)
        report.problems += proposing.refresh(vault, repo, writer)
        report.uncommitted = _uncommitted(vault, repo, wish)
        if isinstance(extractor.model, Paid):
            report.spent = extractor.model.spent
        report.notes += [*_elsewhere(vault, extractor, writer), *_misplaced(vault, writer)]
    _index(vault, writer.memory.wiki, before)
    return report


def _taken(
    vault: Vault, extractor: Extractor, writer: Writer, pending: Sequence[Sidecar], progress: Callable[[str], None]
) -> Iterator[Outcome]:
    """What became of each pending source, in order; where asking costs time, pairs of several are judged together."""
    ahead = AHEAD if isinstance(extractor.model, Paid) else 1
    for group in _batched(each(extractor, vault.ledger, pending, extractor.jobs), ahead):
        if len(group) > 1:
            writer.foresee([made for _, made in group if isinstance(made, Extracted)])
        for sidecar, made in group:
            progress(sidecar.id)
            yield _take(vault, writer, sidecar, made)


def mend(
    vault: Vault,
    repo: Repo,
    extractor: Extractor,
    problems: list[Problem],
    moved: Mapping[str, str] | None = None,
) -> str:
    """Take people's committed edits and make every page what its claims give, if that is not so already.

    Args:
        vault: the vault; the caller holds the lock of `vault.compiling`.
        repo: its repository.
        extractor: who links.
        problems: pages that were left alone are added here.
        moved: where people's links are to lead, by the old path, both below `wiki/`; with it all pages are looked at anyway.

    Returns:
        The commit that mended pages; empty if none was needed.

    Raises:
        ModelFailed: pairs that others left to be judged could not be.
        WorldError: git stands in the way.
    """
    if moved is None and settled.is_settled(vault, repo):
        return ""
    report = Compiled(False, extractor.model.name, problems=problems)
    writer = Writer(vault, repo, extractor, _once(problems))
    _by_hand(vault, repo, writer, False, report)
    return writer.settle(moved or {}).id


def _uncommitted(vault: Vault, repo: Repo, wish: Wish) -> tuple[str, ...]:
    """Pages that wait for a person to commit them; nobody is told of them in the background."""
    return () if wish.background else Shelf(vault.root, repo).uncommitted()


def _by_hand(vault: Vault, repo: Repo, writer: Writer, uncommitted: bool, report: Compiled) -> tuple[str, ...]:
    """What people changed on the pages, taken as a source and compiled before anything is written over."""
    taken = taking.take(vault, repo, writer.memory, report.problems.append, uncommitted)
    writer.trust(taken.pages)
    writer.hold(taken.held)
    byhand = [each for each in memory.pending(vault.root, vault.ledger) if each.format == "edit"]
    for sidecar in reversed(byhand):
        made = extractor_of(vault, "rules").extract(vault.ledger, sidecar.id)
        report.outcomes.append(_take(vault, writer, sidecar, made))
    return tuple(edits.words(edit) for edit in taken.edits)


def _index(vault: Vault, wiki: Wiki, before: Before) -> None:
    """Make what was compiled findable; an index that is behind is brought up by the next recall."""
    with suppress(WikimemError, OSError):
        indexing.refresh(vault.root, vault.ledger, vault.settings.vocabulary, wiki, before).close()
        meaning.refresh(vault)


def _link(vault: Vault, extractor: Extractor, made: Sequence[Extracted]) -> None:
    """Ask what taking in these sources will ask."""
    with vault.repository() as repo:
        Writer(vault, repo, extractor, lambda problem: None).foresee(made)


def _elsewhere(vault: Vault, extractor: Extractor, writer: Writer) -> list[str]:
    """A sentence, if dates were resolved in another time zone: days on the pages are of two zones then."""
    stamps = {source: file.stamp for source, file in writer.memory.files.items()}
    count = elsewhere(stamps, extractor, vault.ledger.all())
    if not count:
        return []
    told = f"{count} source{' was' if count == 1 else 's were'} compiled in another time zone than {vault.zone.name}"
    return [f"{told}; `wikimem recompile` dates what they tell anew."]


def _misplaced(vault: Vault, writer: Writer) -> list[str]:
    """A sentence, if claims are of other packages than the settings now say."""
    stamps = {source: file.stamp for source, file in writer.memory.files.items()}
    count = misplaced(stamps, vault.ledger.all())
    if not count:
        return []
    told = f"{count} source{' was' if count == 1 else 's were'} compiled before [projects] in wikimem.toml said what it says now"
    return [f"{told}; `wikimem recompile` moves what they tell to their packages."]


def _terms(vault: Vault, wish: Wish) -> Terms:
    terms = replace(vault.settings.terms, background=wish.background, record=wish.record)
    try:
        return replace(terms, budget=spending.limit(wish.budget)) if wish.budget else terms
    except ValueError as wrong:
        raise UsageError(f"--budget: {wrong}.") from None


def _estimate(vault: Vault, extractor: Extractor, report: Compiled, batch: bool) -> None:
    """What each pending source is expected to cost; a source that cannot be read costs nothing and is a problem."""
    priced = batching.priced(vault, extractor, batch)
    if priced is None:
        return
    for sidecar in report.pending:
        try:
            report.expected[sidecar.id] = priced(extractor.questions(vault.ledger, sidecar.id))
        except OSError as error:
            report.problems.append(Problem(sidecar.path, "unreadable", f"it cannot be read: {error.strerror or error}"))


def _batched(every: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    """The things in groups of so many, as they come."""
    left = iter(every)
    while group := tuple(islice(left, size)):
        yield group


def _pending(vault: Vault, wish: Wish) -> tuple[tuple[Sidecar, ...], int]:
    every = [each for each in memory.pending(vault.root, vault.ledger) if wish.only is None or each.id in wish.only]
    wanted = [each for each in every if _is_wanted(each, wish, vault.zone)]
    taken = tuple(wanted[: wish.limit] if wish.limit else wanted)
    return taken, len(every) - len(taken)


def _is_wanted(sidecar: Sidecar, wish: Wish, zone: Zone) -> bool:
    if wish.since and zone.day(sidecar.started) < wish.since:
        return False
    return not wish.project or sidecar.is_of(wish.project)


def _take(vault: Vault, writer: Writer, sidecar: Sidecar, made: Extracted | Unmade) -> Outcome:
    if isinstance(made, Unmade):
        hold(vault, Held(sidecar.id, sidecar.content, made.reason))
        return Outcome(sidecar.id, "", 0, 0, "", made.reason, made.paused)
    try:
        done = writer.write([made], "compile", _about(sidecar, vault.zone))
    except (ModelFailed, PagesBroken) as error:
        hold(vault, Held(sidecar.id, sidecar.content, str(error)))
        return Outcome(sidecar.id, "", 0, 0, "", str(error), isinstance(error, ModelPaused))
    changed, claims = messages.trailer(done.diff), len(made.file.claims) - done.waiting
    return Outcome(sidecar.id, done.id, claims, len(made.file.refusals), changed, waiting=done.waiting, withheld=done.withheld)


def _about(sidecar: Sidecar, zone: Zone) -> str:
    project = sidecar.project
    told = [zone.day(sidecar.started), sidecar.format, *([f"project {project}"] if project else [])]
    return f"{sidecar.id} ({', '.join(word for word in told if word)})"


def _once(problems: list[Problem]) -> Callable[[Problem], None]:
    """Adds each problem once: a page that is left alone is met again with each source."""
    return lambda problem: None if problem in problems else problems.append(problem)
