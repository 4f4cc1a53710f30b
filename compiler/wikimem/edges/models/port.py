"""The port to models: one method. What is asked and answered is told in `core.questions`."""

from __future__ import annotations

from typing import Protocol

from wikimem.core.questions import Question, Reply


class Model(Protocol):
    """Whoever answers questions.

    Args:
        name: as the settings name it; stands in claims files and commits.
        edition: changes when the same question may be answered otherwise for another reason than its prompt; may be empty.
        reads_prompts: whether answers depend on the prompt files.
        parallel: how many questions it takes well at once by itself.
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
