"""Questions to a model, and its replies. Values only: who is asked, and how, is told in `edges.models`.

Each task has a schema that its replies must fit and a reader that turns them into values of the compiler. Whatever a
model says, only what its reader understood goes on; the rest becomes refusals with a rule and a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from wikimem.core.claims import Claim, Mention
from wikimem.core.consolidation.views import Leading, Reflecting, Relating, Replying
from wikimem.core.evaluation.judging import Judged
from wikimem.core.inquiries import Inquiry
from wikimem.core.solutions import Asked
from wikimem.core.views import View


class Task(StrEnum):
    """What is asked; each has a prompt file of its name."""

    EXTRACT = "extract"
    CLAIMS = "pair-claims"
    MENTIONS = "pair-mentions"
    SEEK = "seek"
    ANSWER = "answer"
    JUDGE = "judge"
    LEAD = "lead"
    RELATE = "relate"
    REFLECT = "reflect"
    REPLY = "reply"


PAIRS = (Task.CLAIMS, Task.MENTIONS)
"""Tasks about two of a kind, several of which are asked in one question."""
COMPILING = (Task.EXTRACT, *PAIRS)
"""Tasks of which the wiki is made; the others only read it."""

Values = (
    View | tuple[Claim, Claim] | tuple[Mention, Mention] | Inquiry | Asked | Judged | Leading | Relating | Reflecting | Replying
)

DATA = "<wikimem-data"
"""In a prompt, where what is asked ends and the data begins. What stands before it is the same for every question of a task."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a model.

    Args:
        task: what is asked.
        values: the inputs, as values.
        schema: JSON schema of the reply.
        prompt: renders the prompt; called only by models that read one.
        together: makes one question of several of its task, this one first; None for tasks of which each is asked alone. The
            reply to it holds `judgements`, each with the `pair` it is about, counted from 1.
    """

    task: Task
    values: Values
    schema: Mapping[str, Any]
    prompt: Callable[[], str] = field(compare=False)
    together: Callable[[Sequence[Question]], Question] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered.

    Args:
        content: the JSON value; its reader trusts nothing of it.
        read: tokens that the model read for it, now or when it was first asked.
        wrote: tokens that it wrote.
    """

    content: Any
    read: int = 0
    wrote: int = 0
