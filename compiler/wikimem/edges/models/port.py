"""The ports to models. What is asked and answered is told in `core.questions`.

A `Model` answers questions with values. A `Voice` is what lies under most of them: text goes out, text comes back. All that
lies between (cache, budget, retries, repair) is done once, in `asking`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from wikimem.core.questions import DATA, Question, Reply, Task
from wikimem.core.spending import Spent


class Model(Protocol):
    """Whoever answers questions.

    Args:
        name: as the settings name it; stands in claims files and commits.
        edition: changes when the same question may be answered otherwise for another reason than its prompt; may be empty.
        reads_prompts: whether answers depend on the prompt files.
    """

    @property
    def name(self) -> str: ...
    @property
    def edition(self) -> str: ...
    @property
    def reads_prompts(self) -> bool: ...

    def ask(self, question: Question) -> Reply:
        """Answer one question. May be called from several threads.

        Raises:
            ModelFailed: there is no usable answer; the text says why and what to do.
        """
        ...


@runtime_checkable
class Paid(Protocol):
    """A model whose answers cost something, and that takes several questions in one call."""

    @property
    def spent(self) -> Spent:
        """What was spent since the model was named."""
        ...

    def estimate(self, questions: Sequence[Question]) -> Spent:
        """What answers would cost; those that are kept already cost nothing. Asks nobody."""
        ...

    def ask_many(self, questions: Sequence[Question], jobs: int) -> list[Reply | Exception]:
        """A reply to each, or why there is none; `jobs` calls at a time."""
        ...


@dataclass(frozen=True, slots=True)
class Call:
    """What a voice is given.

    Args:
        task: what is asked.
        prompt: the whole prompt.
        schema: JSON schema of the reply.
        about: what it is about, for people: a source's id, or empty.
        parts: where it holds several questions about pairs: what the reply to each is filed under, in order.
        bad: the first reply, where this call asks to repair it; empty for a first call.
        wrong: what is wrong with it, a line each.
    """

    task: Task
    prompt: str
    schema: Mapping[str, Any]
    about: str = ""
    parts: tuple[str, ...] = ()
    bad: str = ""
    wrong: str = ""

    @property
    def halves(self) -> tuple[str, str]:
        """The prompt's constant part, the same for all calls of a task, and the rest."""
        at = self.prompt.find(DATA)
        return (self.prompt[:at].rstrip(), self.prompt[at:]) if at > 0 else ("", self.prompt)

    @property
    def repair(self) -> str:
        """What is asked after a reply that cannot be used."""
        return (
            f"This reply cannot be used:\n{self.wrong}\n"
            "Answer the same question again: one whole JSON object of the schema, with these problems put right and "
            "everything else as it was. No prose, no fence."
        )

    @property
    def text(self) -> str:
        """All in one text, for voices that take one."""
        if not self.bad:
            return self.prompt
        return f"{self.prompt}\n\n<wikimem-reply>\n{self.bad}\n</wikimem-reply>\n\n{self.repair}"


@dataclass(frozen=True, slots=True)
class Said:
    """What a voice gave back.

    Args:
        text: what the model wrote; JSON, if all is well.
        finish: why it stopped: `stop`, `length`, `filter`, or what else the provider says.
        spent: what the call cost.
    """

    text: str
    finish: str
    spent: Spent


class Busy(Exception):
    """The other side cannot answer now and may later.

    Args:
        why: one clause.
        limited: whether it said that we ask too often.
        after: seconds that it asked to wait; None if it did not say.
    """

    def __init__(self, why: str, limited: bool = False, after: float | None = None) -> None:
        super().__init__(why)
        self.limited, self.after = limited, after


class Voice(Protocol):
    """Whoever turns a prompt into text."""

    @property
    def name(self) -> str: ...

    def say(self, call: Call) -> Said:
        """Ask. Called from several threads.

        Raises:
            Busy: it may work later.
            ModelFailed: it will not; `TooLong` where the question is too long, `ModelPaused` where a person must act first.
        """
        ...

    def count(self, text: str) -> int:
        """About how many tokens a text has."""
        ...

    @property
    def price(self) -> tuple[float, float] | None:
        """Dollars for a million tokens read and written; None if unknown."""
        ...
