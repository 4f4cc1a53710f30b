"""Notes: what would be asked of a model is taken down instead of asked, so that it can be asked all at once.

A reply that must be put right is not taken down: of those there are few, and nobody waits a day for one. It is left to whoever
asks the question in earnest.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from wikimem.core import linking
from wikimem.core.questions import Question, Reply, Task
from wikimem.core.spending import NO_LIMIT
from wikimem.edges.models import till as tills
from wikimem.edges.models.asking import Asker
from wikimem.edges.models.pace import Pace
from wikimem.edges.models.port import Call, Said
from wikimem.edges.models.purse import Purse
from wikimem.errors import ModelFailed, ReplyAwaited

ALIKE = {
    Task.CLAIMS: (linking.CLAIMS, {"reason": "", "relation": "unrelated"}),
    Task.MENTIONS: (linking.MENTIONS, {"reason": "", "relation": "different"}),
}
"""Of questions about pairs: the schema of one, and the reply that leaves everything as it is."""


class Notes:
    """A voice that says nothing and takes down what it is asked.

    Args:
        asker: whose questions they are.
    """

    def __init__(self, asker: Asker) -> None:
        self.name, self.price = asker.name, asker.voice.price
        self.taken: dict[str, Call] = {}
        self._lock = Lock()

    def count(self, text: str) -> int:
        """Nothing is spent."""
        return 0

    def say(self, call: Call) -> Said:
        """Take it down, unless it is a repair.

        Raises:
            ReplyAwaited: always.
        """
        if not call.bad:
            with self._lock:
                self.taken[tills.key(call, self.name)] = call
        raise ReplyAwaited(call.about)


class Gatherer(Asker):
    """Asks nobody; of pairs it goes on as if each were of two things, to learn what else will be asked.

    Args:
        notes: where questions are taken down.
        asker: whose questions they are.
    """

    def __init__(self, notes: Notes, asker: Asker) -> None:
        purse = Purse(asker.till, NO_LIMIT, NO_LIMIT, "", background=False)
        super().__init__(notes, asker.till, purse, Pace(), asker.now, withheld=dict(asker.withheld))

    def ask_many(self, questions: Sequence[Question], jobs: int) -> list[Reply | Exception]:
        """See `Paid`."""
        return [
            Reply(ALIKE[question.task][1]) if isinstance(reply, ModelFailed) and question.task in ALIKE else reply
            for question, reply in zip(questions, super().ask_many(questions, jobs), strict=True)
        ]
