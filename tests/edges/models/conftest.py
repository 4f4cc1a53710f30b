"""What tests of models share: a question, and an asker around a voice that waits for nobody."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from edges.models.asked import Ask, view_of
from wikimem.assets import folders
from wikimem.core.questions import Question, Task
from wikimem.core.spending import NO_LIMIT, Limit, Terms
from wikimem.edges.models.asking import Asker
from wikimem.edges.models.litellm import LiteLLM
from wikimem.edges.models.pace import Pace
from wikimem.edges.models.port import Voice
from wikimem.edges.models.purse import Purse
from wikimem.edges.models.till import Till
from wikimem.edges.prompts import Prompts


@pytest.fixture
def prompts() -> Prompts:
    """The shipped prompts."""
    return Prompts(folders("prompts"), ["port", "retry-limit"])


@pytest.fixture
def question(prompts: Prompts) -> Question:
    """What is asked about a session of one turn."""
    return prompts.question(Task.EXTRACT, view_of("remember payment retries: Retries stop after 3 attempts."))


@pytest.fixture
def slept() -> list[float]:
    """Seconds that an asker of `asker` would have waited."""
    return []


@pytest.fixture
def asker(tmp_path: Path, slept: list[float]) -> Ask:
    """Makes an asker; every one of a test has the same till."""

    def make(voice: Voice, budget: Limit = NO_LIMIT, record: Path | None = None) -> Asker:
        till = Till(tmp_path / "replies")
        purse = Purse(till, budget, NO_LIMIT, "2026-07-01", background=False)
        clock = iter(range(10**9))
        pace = Pace(sleep=slept.append, clock=lambda: float(next(clock)) * 1000)
        return Asker(voice, till, purse, pace, lambda: "2026-07-01T09:00:00Z", record=record)

    return make


@pytest.fixture
def scripted() -> Callable[[str], LiteLLM]:
    """The model that a server plays, by the server's address."""
    return lambda base: LiteLLM("openai/scripted", Terms(api_base=base, seconds=0.5, price=(1.0, 4.0)))
