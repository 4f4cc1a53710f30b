"""Consolidate: what many sessions told becomes leads, links and conclusions, a commit a step. Adds; takes nothing away.

A model (or the built-in rules) proposes, `core.consolidation.checks` decides, and what is taken rests on claims. What was
proposed from the same claims before is not asked again, so that a second pass over a settled wiki asks nobody and commits
nothing. A pass that was killed goes on where it was: each step is committed by itself, and replies of models are kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from wikimem import identifying, indexing, receipts
from wikimem.committing import Writer
from wikimem.compile import mend
from wikimem.core import cold, spending
from wikimem.core.cold import Record, Refused, Result, Step
from wikimem.core.consolidation import answers, checks, leads, links, maps, procedures, profiles, reflections, themes, views
from wikimem.core.consolidation.views import Ask, Draft
from wikimem.core.fold import Wiki
from wikimem.core.policies import Way
from wikimem.core.questions import Question, Reply, Task
from wikimem.core.spending import NOTHING, Spent
from wikimem.edges.models import Model, Paid
from wikimem.errors import ModelFailed, ModelPaused, PagesBroken, Problem, UsageError, WikimemError
from wikimem.extracting import Extractor, extractor_of
from wikimem.identifying import Identities
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo

STEPS: Mapping[Step, Callable[[Wiki, bool], Iterator[Ask]]] = {
    Step.LEADS: leads.asks,
    Step.PROCEDURES: procedures.asks,
    Step.LINKS: links.asks,
    Step.PROFILES: profiles.asks,
    Step.REFLECTIONS: reflections.asks,
    Step.THEMES: themes.asks,
    Step.ANSWERS: lambda wiki, strict: iter(()),
    Step.MAPS: maps.asks,
}
"""What each step that asks by page asks of a wiki; in a strict vault (true) no scope may learn of another. Identities are
asked about by pair: see `identifying`; answers ask the log of recalls, too."""
HOUSEKEEPING = (Step.ANSWERS, Step.MAPS)
"""What `--only housekeeping` means; links that people wrote are made to follow their pages before it, as `lint --fix` does."""

_TASKS = {
    Step.LEADS: Task.LEAD,
    Step.LINKS: Task.RELATE,
    Step.REFLECTIONS: Task.REFLECT,
    Step.ANSWERS: Task.REPLY,
}
_RULES = "rules"
_CODE = "code"
_NOTHING = ("nothing", "there was nothing to propose")


@dataclass(frozen=True, slots=True)
class Wish:
    """What a call asks for.

    Args:
        only: the name of one step; '' for all.
        model: the name of the model, instead of the one that the settings name.
        budget: what this run may spend, `2.50usd` or `300k`; '' for what the settings say.
        background: whether nobody waits for this run, so that the day's limit for such work holds.
        dry_run: say what would be asked, and what it would cost; ask nobody, write nothing.
        anew: ask also where nothing changed since it was asked last, another model for example.
    """

    only: str = ""
    model: str = ""
    budget: str = ""
    background: bool = False
    dry_run: bool = False
    anew: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """What became of one step.

    Args:
        step: its name.
        asked: pages that were looked at, since their claims changed; of identities, pairs.
        taken: proposals that were taken.
        refused: proposals that were refused, by the name of the rule.
        held: proposals that wait for a person.
        commit: the commit; empty if nothing changed.
        reason: why it was not finished; empty if it was.
        paused: whether it only waits: for a budget, a quota, or the reply to a packet.
    """

    step: str
    asked: int
    taken: int = 0
    refused: Mapping[str, int] = field(default_factory=dict)
    commit: str = ""
    reason: str = ""
    paused: bool = False
    held: int = 0


@dataclass(slots=True)
class Consolidated:
    """The report of a pass.

    Args:
        dry_run: whether nothing was written.
        model: who was asked.
        steps: one for each step.
        spent: what the model's answers cost; with `dry_run`, what they are expected to cost.
        problems: pages that were left alone, lines that could not be used.
        notes: what else the user should know.
    """

    dry_run: bool
    model: str
    steps: list[Done] = field(default_factory=list)
    spent: Spent = NOTHING
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def code(self) -> int:
        """What a command line ends with: 1 if something is wrong, 3 if a step only waits, else 0."""
        if self.problems or any(one.reason and not one.paused for one in self.steps):
            return 1
        return 3 if any(one.paused for one in self.steps) else 0

    def as_json(self) -> dict[str, Any]:
        """The report as plain values; the shape is stable."""
        return {
            "dry_run": self.dry_run,
            "model": self.model,
            "steps": [
                {
                    "step": one.step,
                    "asked": one.asked,
                    "taken": one.taken,
                    "refused": dict(one.refused),
                    "held": one.held,
                    "commit": one.commit,
                    "reason": one.reason,
                    "paused": one.paused,
                }
                for one in self.steps
            ],
            "spent": self.spent.as_json(),
            "problems": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.problems],
            "notes": self.notes,
        }


def consolidate(
    vault: Vault, wish: Wish, progress: Callable[[str], None] = lambda step: None, model: Model | None = None
) -> Consolidated:
    """Make one pass over the wiki.

    Args:
        vault: the vault.
        wish: what to do.
        progress: told the name of each step.
        model: who is asked, instead of the one that the settings name.

    Raises:
        UsageError: there is no such step, or the settings name no usable model.
        WorldError: git or another process stands in the way; what was committed before stays.
    """
    steps = [step for step in Step if wish.only in ("", step) or (wish.only == "housekeeping" and step in HOUSEKEEPING)]
    if not steps:
        raise UsageError(f"--only: there is no step {wish.only!r}; there are {', '.join(Step)}, and housekeeping.")
    extractor = _extractor(vault, wish, model)
    report = Consolidated(wish.dry_run, extractor.model.name)
    with vault.compiling(), vault.repository() as repo:
        if not wish.dry_run:
            with vault.writing():
                report.notes += receipts.recovered(vault, repo)
            mend(vault, repo, extractor, report.problems, _moved(vault) if {*HOUSEKEEPING} <= {*steps} else None)
        writer = _writer(vault, repo, extractor, report)
        for step in steps:
            progress(step)
            if wish.dry_run:
                _estimate(vault, writer, extractor, step, wish, report)
                continue
            writer.catch_up()
            if step is Step.IDENTITIES:
                report.steps.append(_identified(vault, writer, extractor, wish))
            else:
                report.steps.append(_Pass(vault, writer, extractor, step, wish).run())
        if isinstance(extractor.model, Paid) and not wish.dry_run:
            report.spent = extractor.model.spent
    if not wish.dry_run:
        with suppress(WikimemError, OSError):
            # An index that is behind is brought up by the next recall.
            indexing.refresh(vault.root, vault.ledger, vault.settings.vocabulary, writer.memory.wiki).close()
    return report


def _moved(vault: Vault) -> Mapping[str, str]:
    """Where links that people wrote should lead now, by the path they have."""
    from wikimem.lint import lint

    return lint(vault).moved


def _extractor(vault: Vault, wish: Wish, model: Model | None) -> Extractor:
    try:
        budget = spending.limit(wish.budget) if wish.budget else vault.settings.terms.budget
    except ValueError as wrong:
        raise UsageError(f"--budget: {wrong}.") from None
    return extractor_of(
        vault, model or wish.model, replace(vault.settings.terms, budget=budget, background=wish.background, again=wish.anew)
    )


def _writer(vault: Vault, repo: Repo, extractor: Extractor, report: Consolidated) -> Writer:
    def tell(problem: Problem) -> None:
        if problem not in report.problems:
            report.problems.append(problem)

    return Writer(vault, repo, extractor, tell)


def _identified(vault: Vault, writer: Writer, extractor: Extractor, wish: Wish) -> Done:
    done = Identities(vault, writer, extractor, wish.anew).run()
    refused = Counter(one.rule for one in done.refused)
    why = identifying.why(done.failed)
    reason, paused = ("", False) if why is None else (str(why), isinstance(why, ModelPaused))
    return Done(Step.IDENTITIES, done.asked, len(done.taken), dict(refused), done.commit, reason, paused, len(done.held))


def _estimate(vault: Vault, writer: Writer, extractor: Extractor, step: Step, wish: Wish, report: Consolidated) -> None:
    if step is Step.IDENTITIES:
        pairs = Identities(vault, writer, extractor, wish.anew)
        if isinstance(extractor.model, Paid):
            report.spent += extractor.model.estimate(pairs.questions)
        report.steps.append(Done(step, len(pairs.wanted)))
        return
    found = _Pass(vault, writer, extractor, step, wish)
    wanted = found.wanted()
    if isinstance(extractor.model, Paid):
        report.spent += extractor.model.estimate([question for _, question in found.questions(wanted)])
    report.steps.append(Done(step, len(wanted)))


class _Pass:
    """One step of one pass."""

    def __init__(self, vault: Vault, writer: Writer, extractor: Extractor, step: Step, wish: Wish) -> None:
        self._vault, self._writer, self._extractor, self._step, self._wish = vault, writer, extractor, step, wish
        self._wiki = writer.memory.wiki
        self._records = self._wiki.ground.results

    def run(self) -> Done:
        """Ask, check and commit."""
        wanted = self.wanted()
        made: list[Record] = []
        answered: list[Ask] = []
        failed: list[ModelFailed] = []
        for ask, drafts in self._proposed(wanted):
            if isinstance(drafts, ModelFailed):
                failed.append(drafts)
                continue
            answered.append(ask)
            made += self._checked(ask, drafts)
        done = self._commit(wanted, answered, made)
        if not failed:
            return done
        # What is wrong says more than what is waited for.
        why = next((error for error in failed if not isinstance(error, ModelPaused)), failed[0])
        return replace(done, reason=str(why), paused=isinstance(why, ModelPaused))

    def wanted(self) -> list[Ask]:
        """What there is to ask: where claims changed since it was asked last."""
        mine = [one for one in self._living if one.step is self._step]
        undone = {one.basis for one in mine if isinstance(one, Refused) and one.rule == cold.UNDONE}
        if self._wish.anew:
            return [ask for ask in self._every if ask.basis not in undone]
        known = {(self._about(one), one.basis) for one in mine}
        worded = self._worded if self._extractor.model.name == _RULES else frozenset()
        new = (ask for ask in self._every if (ask.about, ask.basis) not in known and ask.basis not in undone)
        return [ask for ask in new if ask.about not in worded]

    @cached_property
    def _every(self) -> tuple[Ask, ...]:
        """What the step would ask, had nobody been asked before."""
        strict = self._vault.settings.isolation == "strict"
        if self._step is Step.ANSWERS:
            from wikimem import recurring

            return tuple(answers.asks(self._wiki, strict, recurring.repeated(self._vault, self._wiki)))
        return tuple(STEPS[self._step](self._wiki, strict))

    @cached_property
    def _worded(self) -> frozenset[str]:
        """The pages for which a model found words that still hold: the built-in rules have no better ones."""
        subjects, group = self._wiki.subjects, self._wiki.ground.group
        free = (_RULES, _CODE)
        made = [one for one in self._living if isinstance(one, Result) and one.step is self._step and one.by not in free]
        return frozenset(self._about(one) for one in made if cold.holds(one, subjects, group))

    def _about(self, record: Record) -> str:
        if isinstance(record, Result) and record.page is not None:
            return record.page.id
        return min(self._wiki.ground.group(record.about[0]))

    def questions(self, wanted: Iterable[Ask]) -> list[tuple[Ask, Question]]:
        """The questions to a model, of those that ask one."""
        question = self._extractor.prompts.question
        return [(ask, question(_TASKS[ask.step], ask.asked)) for ask in wanted if ask.asked is not None]

    @cached_property
    def _living(self) -> tuple[Record, ...]:
        subjects, group = self._wiki.subjects, self._wiki.ground.group
        return tuple(one for one in self._records if not cold.is_void(one, subjects, group))

    def _proposed(self, wanted: Sequence[Ask]) -> Iterator[tuple[Ask, tuple[Draft, ...] | ModelFailed]]:
        """What is proposed for each; of one that failed, why."""
        yield from ((ask, ask.drafts) for ask in wanted if ask.asked is None)
        asked = self.questions(wanted)
        for (ask, _), reply in zip(asked, self._replies([question for _, question in asked]), strict=True):
            if isinstance(reply, ModelFailed):
                yield ask, reply
                continue
            if isinstance(reply, Exception):
                raise reply
            try:
                yield ask, views.read(ask, reply.content)
            except ValueError as wrong:
                about = ask.page.name if ask.page else self._wiki.path(ask.about)
                yield ask, ModelFailed(self._extractor.model.name, f"about {about}: {wrong}")

    def _replies(self, questions: Sequence[Question]) -> list[Reply | Exception]:
        model = self._extractor.model
        if isinstance(model, Paid):
            return model.ask_many(questions, self._extractor.jobs)
        found: list[Reply | Exception] = []
        for question in questions:
            try:
                found.append(model.ask(question))
            except ModelFailed as error:
                found.append(error)
        return found

    def _checked(self, ask: Ask, drafts: Iterable[Draft]) -> Iterator[Record]:
        by = self._extractor.model.name if ask.asked is not None else _CODE
        ledger = self._vault.ledger.all()
        sources = {source for source in self._writer.memory.files if source in ledger}
        taken = False
        for draft in drafts:
            why = checks.check(draft, self._wiki, sources)
            taken = True
            if why is not None:
                yield Refused(self._step, draft.about, *why, ask.basis, by)
            else:
                rests = checks.rests(draft, self._wiki)
                made = Result(
                    self._step, draft.about, draft.said, rests, ask.basis, by, draft.stance, draft.confidence, draft.page
                )
                against = self._against(made)
                yield Refused(self._step, draft.about, "policy", against, ask.basis, by) if against else made
        if not taken and by not in (_RULES, _CODE):
            # It was paid for, and is not to be asked again.
            yield Refused(self._step, (ask.about,), *_NOTHING, ask.basis, by)

    def _against(self, made: Result) -> str:
        """Why the vault's policy does not let in by itself what a result would say; empty if it does."""
        if made.step is not Step.REFLECTIONS:
            return ""
        policy = self._vault.settings.policy
        found = (one for one in self._writer.weighed(records=[made]) if policy.way(one) is not Way.COMMIT)
        return next((f"{one.risk}: it {one.reason}" if one.reason else f"{one.risk}" for one in found), "")

    def _commit(self, wanted: Sequence[Ask], answered: Iterable[Ask], made: Sequence[Record]) -> Done:
        """Put what was answered in the place of what stood there; drop what is void, and what the step asks for no more."""
        again = {ask.about for ask in answered}
        left = [ask for ask in self._every if ask.about not in again]
        there, bases = {ask.about for ask in left}, {ask.basis for ask in left}
        kept = [one for one in self._living if one.step is not self._step or self._about(one) in there or one.basis in bases]
        records = tuple(sorted({*kept, *made}, key=lambda one: cold.write([one])))
        results = [one for one in made if isinstance(one, Result)]
        refused = Counter(one.rule for one in made if isinstance(one, Refused) and one.rule != _NOTHING[0])
        done = Done(self._step, len(wanted), len(results), dict(refused))
        if {*records} == {*self._records}:
            return done
        number = len({self._about(one) for one in results})
        about = f"{self._step} of {number} page{'' if number == 1 else 's'}" if number else f"{self._step}, out of date"
        try:
            return replace(done, commit=self._writer.rest(records, self._step, about).id)
        except PagesBroken as broken:
            return replace(done, reason=str(broken))
