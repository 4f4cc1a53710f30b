"""Ask: a question answered from memory, each statement cited and each citation checked; or that memory does not tell.

What is asked is the evidence that a recall gives, quick or thorough, and nothing else. An answer can be filed back; it is
then an inference, and no evidence for the next one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from wikimem import extracting, filing, recall, solving, thorough
from wikimem.core.bundles import Bundle
from wikimem.core.filed import Filed, Rest
from wikimem.core.inquiries import Premise
from wikimem.core.shelving import Resolved
from wikimem.core.solutions import NOTHING, Asked, Solution, Verdict
from wikimem.edges.models import Model
from wikimem.errors import Problem, ReplyAwaited, UsageError
from wikimem.filing import Earlier, Kept
from wikimem.vault import Vault

BUDGET = 3000
"""Tokens of evidence that are answered from."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a call asks for.

    Args:
        scope, at, known: as for `recall`.
        model: who answers, or the name; None for the one that the settings name.
        effort: `quick` or `thorough`: how the evidence is looked for.
        save: whether the answer is filed.
        budget: tokens of evidence.
    """

    scope: str = ""
    at: str = ""
    known: str = ""
    model: Model | str | None = None
    effort: str = "quick"
    save: bool = False
    budget: int = BUDGET


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of a question.

    Args:
        question: as it was asked.
        solution: the answer, checked.
        model: who answered.
        given: the question with the evidence it was answered from.
        earlier: answers to the same question that were filed before, the newest first.
        kept: what filing did; None if the answer was not filed.
        waiting: the packet whose reply is awaited; empty if none is.
        problems: what could not be searched or does not stand.
    """

    question: str
    solution: Solution
    model: str
    given: Asked
    earlier: tuple[Earlier, ...] = ()
    kept: Kept | None = None
    waiting: str = ""
    problems: tuple[Problem, ...] = ()

    @property
    def code(self) -> int:
        """What a command line ends with: 0 for an answer, also that it is otherwise; 1 for none; 3 if it only waits."""
        if self.waiting:
            return 3
        return 1 if self.solution.verdict is Verdict.ABSENT else 0

    def as_json(self) -> dict[str, Any]:
        """The answer as plain values; the shape is stable."""
        told = self.solution
        return {
            "question": self.question,
            "verdict": "waiting" if self.waiting else told.verdict.value,
            "answer": told.text,
            "short": told.short,
            "citations": [
                {
                    "cite": one.spot.cite,
                    "quote": one.words,
                    "claim": one.spot.claim,
                    "stance": one.spot.stance,
                    "speaker": one.spot.speaker,
                    "name": one.spot.name,
                    "said": one.spot.said,
                }
                for one in told.citations
            ],
            "model": self.model,
            "earlier": [one.as_json() for one in self.earlier],
            "saved": self.kept.as_json() if self.kept else None,
            "waiting": self.waiting,
            "problems": [str(one) for one in self.problems],
        }


def ask(vault: Vault, question: str, wish: Wish | None = None) -> Answered:
    """The answer to a question.

    Args:
        vault: the vault.
        question: any text.
        wish: what else is asked for.

    Raises:
        UsageError: a date that is none, no model of that name, or an empty question.
        ModelFailed: the model gave no usable answer; nothing is lost.
        WorldError: with `save`, git or another process stands in the way.
    """
    wish = wish or Wish()
    if not question.strip():
        raise UsageError("Nothing was asked. Write the question after the command.")
    extractor = extracting.extractor_of(vault, wish.model)
    bundle, spans, problems = _evidence(vault, question, wish, extractor.model)
    dates = (f"as it was {wish.at}" if wish.at else "", f"as it was known {wish.known}" if wish.known else "")
    moments = "; ".join(date for date in dates if date)
    given = solving.asked(question, bundle, moments, spans=spans)
    earlier = filing.earlier(vault, question, wish.scope)
    told = Answered(question, NOTHING, extractor.model.name, given, earlier, problems=problems)
    try:
        solution = solving.solve(extractor.model.ask, extractor.prompts, given, extractor.model.name)
    except ReplyAwaited as waits:
        return replace(told, waiting=waits.packet)
    dropped = tuple(Problem("the answer", "citation", why) for why in solution.dropped)
    told = replace(told, solution=solution, problems=(*problems, *dropped))
    return _filed(vault, told, wish, moments) if wish.save else told


def _evidence(vault: Vault, question: str, wish: Wish, model: Model) -> tuple[Bundle, tuple[Resolved, ...], tuple[Problem, ...]]:
    """The bundle to answer from, what a thorough recall found besides, and what was wrong."""
    if wish.effort != "thorough":
        found = recall.recall(vault, question, wish.scope, wish.budget, wish.at, wish.known, channel="ask")
        return found.bundle, (), found.problems
    sought = thorough.recall_thoroughly(vault, question, wish.scope, wish.budget, wish.at, wish.known, model)
    problems = sought.problems
    if sought.trail is not None and sought.trail.premise is Premise.FALSE:
        note = sought.trail.note or "what the question takes for granted is not so"
        problems = (*problems, Problem("thorough", "premise", note))
    return sought.quick.bundle, sought.spans, problems


def _filed(vault: Vault, told: Answered, wish: Wish, moments: str) -> Answered:
    """The same, with the answer filed; none is not filed."""
    solution = told.solution
    if solution.verdict is Verdict.ABSENT:
        return replace(told, problems=(*told.problems, Problem("--save", "nothing", "there is no answer to file")))
    rests = tuple(Rest(one.spot.cite, one.words, one.spot.claim, one.spot.state) for one in solution.citations)
    now = vault.now()
    asked = (now, vault.zone.day(now), told.model, wish.scope, moments)
    answer = Filed(told.question, solution.text, solution.verdict.value, *asked, rests)
    problems: list[Problem] = []
    kept = filing.file(vault, answer, problems.append)
    if kept.refused:
        problems.append(Problem(kept.source, "no-claim", f"the answer is kept, but makes no claim ({kept.refused})"))
    return replace(told, kept=kept, problems=(*told.problems, *problems))
