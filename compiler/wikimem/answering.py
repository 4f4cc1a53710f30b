"""Answering: the questions of an evaluation answered from their bundles by a model, and marked by the benchmark's protocol.

Who answers and who judges are models like any other: replies are kept and never paid for twice, a budget holds, and with
`handoff` they are packets that somebody answers; then the evaluation is run again.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from wikimem import extracting, solving
from wikimem import vault as vaults
from wikimem.assets import folders
from wikimem.core import bundles
from wikimem.core.evaluation import judging, marks
from wikimem.core.evaluation.cases import Case
from wikimem.core.evaluation.marks import Mark
from wikimem.core.queries import Within
from wikimem.core.questions import Reply, Task
from wikimem.core.solutions import Solution
from wikimem.core.spending import AS_EVER, NOTHING, Spent
from wikimem.edges import models
from wikimem.edges.index.schema import stem
from wikimem.edges.models import Model, Paid
from wikimem.edges.prompts import Prompts
from wikimem.errors import ModelFailed, NoVault, ReplyAwaited, UsageError
from wikimem.indexing import Shelves
from wikimem.meaning import Meaning
from wikimem.vault import Vault

BUDGET = 2000
"""Tokens of evidence that are answered from."""


@dataclass(frozen=True, slots=True)
class Answering:
    """Who answers and who judges.

    Args:
        model: who answers.
        judge: who judges.
        prompts: words both.
        budget: tokens of evidence.
        jobs: questions that are asked at once.
    """

    model: Model
    judge: Model
    prompts: Prompts
    budget: int = BUDGET
    jobs: int = 1

    @property
    def run(self) -> dict[str, Any]:
        """What is needed to answer again."""
        return {"answers": self.model.name, "judge": self.judge.name, "budget": self.budget}

    @property
    def spent(self) -> Spent:
        """What both were paid since they were named."""
        every = {id(one): one for one in (self.model, self.judge)}.values()
        return sum((one.spent for one in every if isinstance(one, Paid)), NOTHING)


def named(model: str, judge: str = "", vault: Vault | None = None, budget: int = BUDGET, jobs: int = 1) -> Answering:
    """Who answers and judges, by name.

    Args:
        model: who answers.
        judge: who judges; empty for the same.
        vault: whose prompts, terms, kept replies and packets are used; None for a folder of the user's own, without packets.
        budget, jobs: as in `Answering`.

    Raises:
        UnknownModel: there is none of that name.
        NoVault: packets need a vault in which they wait.
    """
    judge = judge or model
    if vault is not None:
        extractor = extracting.extractor_of(vault, model, jobs=jobs)
        other = extractor.model if judge == model else extracting.extractor_of(vault, judge).model
        return Answering(extractor.model, other, extractor.prompts, budget, jobs)
    if "handoff" in (model, judge):
        raise UsageError("Packets need a vault in which they wait. Name one: `wikimem --vault DIR eval …`.")
    from platformdirs import user_cache_path

    work = user_cache_path("wikimem", appauthor=False) / "eval"
    prompts = Prompts(folders("prompts", work), [])
    one = models.named(model, work, AS_EVER, vaults.moment)
    return Answering(one, one if judge == model else models.named(judge, work, AS_EVER, vaults.moment), prompts, budget, jobs)


def near(named_vault: str | None) -> Vault | None:
    """The vault that a call means, if there is one."""
    try:
        return vaults.open_at(vaults.find(named_vault))
    except NoVault:
        return None


def answer(
    shelves: Shelves,
    cases: Iterable[Case],
    dataset: str,
    haystack: str,
    who: Answering,
    within: Within,
    channel: Meaning | None = None,
) -> Iterator[Mark]:
    """Each case, answered and marked, in order.

    Args:
        shelves: the indexes of the vault.
        cases: the questions.
        dataset: the benchmark, whose protocol is used.
        haystack: what the vault is called in the marks.
        who: who answers and judges.
        within: what every question is confined to, besides the moment that the case names.
        channel: of meaning, where the vault has one.
    """
    # The search is not shared between threads; what is slow is the model.
    given = [_Given(case, *_bundle(shelves, case, who.budget, within, channel)) for case in cases]
    with ThreadPoolExecutor(max(1, who.jobs)) as pool:
        yield from pool.map(lambda one: _marked(one, dataset, haystack, who), given)


@dataclass(frozen=True, slots=True)
class _Given:
    case: Case
    bundle: bundles.Bundle
    seconds: float


def _bundle(shelves: Shelves, case: Case, budget: int, within: Within, channel: Meaning | None) -> tuple[bundles.Bundle, float]:
    start = time.perf_counter()
    asked = replace(within, at=case.at) if case.at else within
    near = channel.near(case.question) if channel is not None else None
    found = shelves.search(case.question, bundles.HITS, asked, context=1, meaning=near)
    return bundles.build(found.hits, budget), time.perf_counter() - start


def _marked(given: _Given, dataset: str, haystack: str, who: Answering) -> Mark:
    case = given.case
    blank = Mark(case, haystack, None, context=bundles.tokens(given.bundle.text))
    told = [f"asked on {case.today}" if case.today else "", f"as it was {case.at}" if case.at else ""]
    asked = solving.asked(case.question, given.bundle, "; ".join(word for word in told if word), case.options)
    replies: list[Reply] = []
    start = time.perf_counter()
    try:
        solution = solving.solve(lambda question: _kept(replies, who.model.ask(question)), who.prompts, asked, who.model.name)
    except ReplyAwaited:
        return replace(blank, waiting=1, problem="its reply is awaited")
    except ModelFailed as failed:
        return replace(blank, problem=failed.why)
    seconds = given.seconds + time.perf_counter() - start
    read, wrote = sum(one.read for one in replies), sum(one.wrote for one in replies)
    f1 = judging.f1(case, solution.short if solution.citations else "", stem)
    mark = replace(blank, solution=solution, f1=f1, read=read, wrote=wrote, seconds=seconds)
    return _judged(mark, dataset, solution, who)


def _judged(mark: Mark, dataset: str, solution: Solution, who: Answering) -> Mark:
    """The mark with its score: by the letter, or by the judge, criterion by criterion."""
    letter = marks.chosen(mark.case, solution)
    if letter is not None:
        return replace(mark, score=letter)
    scores: list[float] = []
    replies: list[Reply] = []
    waiting = 0
    for one in judging.of(dataset, mark.case, marks.said(solution)):
        try:
            reply = _kept(replies, who.judge.ask(who.prompts.question(Task.JUDGE, one)))
            scores.append(judging.read(reply.content))
        except ReplyAwaited:
            waiting += 1
        except (ModelFailed, ValueError) as failed:
            return replace(mark, problem=f"not judged: {failed.why if isinstance(failed, ModelFailed) else failed}")
    if waiting:
        return replace(mark, waiting=waiting, problem="its judgement is awaited")
    read, wrote = sum(one.read for one in replies), sum(one.wrote for one in replies)
    return replace(mark, score=sum(scores) / len(scores) if scores else None, judge_read=read, judge_wrote=wrote)


def _kept(replies: list[Reply], reply: Reply) -> Reply:
    replies.append(reply)
    return reply
