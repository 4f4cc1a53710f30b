"""Questions to a model, and its replies. Values only: who is asked, and how, is told in `edges.models`.

Each task has a schema that its replies must fit and a reader that turns them into values of the compiler. Whatever a
model says, only what its reader understood goes on; the rest becomes refusals with a rule and a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from wikimem.core.claims import Claim, Mention
from wikimem.core.views import View


class Task(StrEnum):
    """What is asked; each has a prompt file of its name."""

    EXTRACT = "extract"
    CLAIMS = "pair-claims"
    MENTIONS = "pair-mentions"


Values = View | tuple[Claim, Claim] | tuple[Mention, Mention]


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a model.

    Args:
        task: what is asked.
        values: the inputs, as values.
        schema: JSON schema of the reply.
        prompt: renders the prompt; called only by models that read one.
    """

    task: Task
    values: Values
    schema: Mapping[str, Any]
    prompt: Callable[[], str] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered.

    Args:
        content: the JSON value; not yet held against the schema.
        read: tokens that the model read.
        wrote: tokens that it wrote.
    """

    content: Any
    read: int = 0
    wrote: int = 0
