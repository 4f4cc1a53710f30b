"""Bulk: many questions are asked at once, at half the price, and their replies filed as if they had been asked one by one.

What would be asked is found out by taking notes (`notes`), until nothing is left to ask: judgements follow from what was
extracted. The order for one batch: its file is there, it is sent, its id is kept, its replies are filed, its file goes.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from secrets import token_hex

import orjson

from wikimem.core import linking, replies
from wikimem.core.questions import Question
from wikimem.core.spending import Spent
from wikimem.edges.models.asking import Asker, share
from wikimem.edges.models.batches import Batch, Batches, Courier, Request, Stage
from wikimem.edges.models.notes import ALIKE, Gatherer, Notes
from wikimem.edges.models.port import Busy, Call, Model, Said
from wikimem.errors import BatchAwaited, ModelFailed, ModelPaused, TooLong, WorldError

MOST = 20_000
"""Requests of one batch; services take 50,000 and more."""

_LARGEST = 90_000_000
"""Bytes of one batch; services take 200 MB and more."""

_FIRST, _LONGEST, _SLOWER = 2.0, 300.0, 1.5
"""Seconds between two looks at a batch: at first, at most, and by how much more each time."""

_MISSED = 10
"""Looks in a row that may fail."""


class Bulk:
    """Asks what a model would be asked, in batches.

    Args:
        asker: the model; its cache, its purse.
        courier: who carries the batches.
        folder: where the files of batches lie.
        sleep: waits so many seconds.
        most: requests of one batch.
    """

    def __init__(
        self,
        asker: Asker,
        courier: Courier,
        folder: Path,
        sleep: Callable[[float], None] = time.sleep,
        most: int = MOST,
    ) -> None:
        self._asker, self._courier, self._folder, self._sleep, self._most = asker, courier, folder, sleep, most
        self._batches = Batches(folder)
        self._tell: Callable[[str], None] = lambda said: None

    def estimate(self, questions: Sequence[Question]) -> Spent:
        """What answers in a batch would cost; see `Paid`."""
        return self._priced(self._asker.estimate(questions))

    def fetch(self, ask: Callable[[Model], None], tell: Callable[[str], None]) -> None:
        """Have everything answered that somebody will ask; wait for it. What cannot be answered is withheld, with its reason.

        Args:
            ask: asks all of it of a model; called more than once, until it asks nothing new.
            tell: told how far it is, a sentence each.

        Raises:
            BatchAwaited: it was interrupted; the same call later goes on.
            ModelFailed: the service cannot be reached any more; likewise.
            WorldError: another process waits for batches of this vault.
        """
        self._tell = tell
        try:
            with self._alone():
                self._recover()
                tried: set[str] = set()
                while True:
                    asked = [one for one in self._gathered(ask) if one[0].key not in tried]
                    tried |= {request.key for request, _ in asked}
                    with ExitStack() as room:
                        self._send([one for one in asked if self._fits(one, room)])
                        waits = [batch for batch in self._batches.every(self._asker.name) if batch.id]
                        if not waits:
                            return
                        self._wait(waits)
        except KeyboardInterrupt:
            out = self._batches.every(self._asker.name)
            if not out:
                raise
            raise BatchAwaited(out[0].id or out[0].name, self._courier.service, "Stopped waiting for") from None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        from filelock import FileLock, Timeout

        self._folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self._folder / "lock")
        try:
            lock.acquire(timeout=1)
        except Timeout:
            raise WorldError(f"Another wikimem waits for batches in {self._folder}. Let it, or end it and run again.") from None
        try:
            yield
        finally:
            lock.release()

    def _gathered(self, ask: Callable[[Model], None]) -> list[tuple[Request, Call]]:
        """What would be asked now."""
        notes = Notes(self._asker)
        with suppress(ModelFailed):
            ask(Gatherer(notes, self._asker))
        found = [(Request(key, call.task, call.about, call.parts), call) for key, call in notes.taken.items()]
        # In an order that no threads decide.
        return sorted(found, key=lambda one: (one[0].task, one[0].about, one[0].key))

    def _fits(self, one: tuple[Request, Call], room: ExitStack) -> bool:
        """Whether there is money for a call; it is kept for it until `room` is left."""
        request, call = one
        self._asker.purse.check(self._asker.name, self._courier.price)
        try:
            room.enter_context(self._asker.purse.reserve(self._priced(self._asker.expected(call))))
        except ModelPaused as pause:
            self._withhold(request, pause)
            return False
        return True

    def _priced(self, spent: Spent) -> Spent:
        price = self._courier.price
        return replace(spent, micros=round(spent.read * price[0] + spent.wrote * price[1])) if price else spent

    def _send(self, asked: Sequence[tuple[Request, Call]]) -> None:
        lines: list[tuple[Request, bytes]] = []
        size = 0
        for request, call in asked:
            line = self._courier.line(request.key, call)
            if lines and (len(lines) >= self._most or size + len(line) > _LARGEST):
                self._post(lines)
                lines, size = [], 0
            lines.append((request, line))
            size += len(line)
        if lines:
            self._post(lines)

    def _post(self, lines: Sequence[tuple[Request, bytes]]) -> None:
        """Send one batch. Its file comes first, so that whatever happens after it is known that it may have been sent."""
        name, service = token_hex(8), self._courier.service
        requests = tuple(request for request, _ in lines)
        batch = Batch(name, self._asker.name, service, "", self._asker.now(), requests)
        self._batches.put(batch)
        unsure = False

        def send() -> str:
            nonlocal unsure
            # It may have been made although no answer came.
            id = self._courier.find(batch) if unsure else ""
            try:
                return id or self._courier.send(name, [line for _, line in lines])
            except Busy:
                unsure = True
                raise

        try:
            batch = replace(batch, id=self._asker.pace.run(self._asker.name, send))
        except ModelFailed as error:
            if not unsure:
                self._batches.drop(name)
            for request in requests:
                self._withhold(request, error)
            return
        self._batches.put(batch)
        for request in requests:
            self._withhold(request, BatchAwaited(batch.id, service))
        number = f"{len(lines)} request{'s' if len(lines) > 1 else ''}"
        self._tell(f"Sent {number} as batch {batch.id} to {service}; this can be interrupted and gone on with.")

    def _recover(self) -> None:
        """See to batches of which it is not known whether they were sent."""
        for batch in self._batches.every(self._asker.name):
            if not batch.id:
                id = self._asker.pace.run(self._asker.name, partial(self._courier.find, batch))
                if id:
                    self._batches.put(replace(batch, id=id))
                    continue
                self._batches.drop(batch.name)
                for request in batch.requests:
                    self._release(request)

    def _wait(self, waits: Sequence[Batch]) -> None:
        """Wait until batches have ended, and file what they gave."""
        pause, missed, told = _FIRST, 0, {batch.id: -1 for batch in waits}
        left = list(waits)
        while left:
            for batch in tuple(left):
                try:
                    stage = self._asker.pace.run(self._asker.name, partial(self._courier.look, batch.id))
                    if stage.end:
                        self._collect(batch, stage)
                        left.remove(batch)
                    elif stage.done != told[batch.id]:
                        told[batch.id] = stage.done
                        self._tell(f"Batch {batch.id}: {stage.done} of {len(batch.requests)} done.")
                    missed = 0
                except ModelPaused:
                    self._tell(f"To give up batch {batch.id} and ask anew, delete {self._batches.path(batch.name)}.")
                    raise
                except ModelFailed as error:
                    missed += 1
                    if missed >= _MISSED:
                        raise
                    self._tell(f"Batch {batch.id}: {error}")
            if left:
                self._sleep(random.uniform(pause / 2, pause))
                pause = min(_LONGEST, pause * _SLOWER)

    def _collect(self, batch: Batch, stage: Stage) -> None:
        """File what a batch gave; what it did not give is withheld."""
        left = {request.key: request for request in batch.requests}

        def read() -> list[tuple[str, Said | ModelFailed]]:
            return list(self._courier.replies(batch.id))

        found = self._asker.pace.run(self._asker.name, read)
        for key, said in found:
            request = left.pop(key, None)
            if request is None:
                continue
            if isinstance(said, Said):
                self._file(request, said)
            else:
                self._withhold(request, said)
        for request in left.values():
            self._withhold(request, self._missing(batch, stage))
        self._batches.drop(batch.name)
        self._tell(f"Batch {batch.id} {stage.end}: {len(batch.requests) - len(left)} of {len(batch.requests)} replies.")
        if len(left) < len(batch.requests):
            # What is here need not lie there.
            with suppress(Busy, ModelFailed):
                self._courier.clear(batch.id)

    def _missing(self, batch: Batch, stage: Stage) -> ModelFailed:
        if stage.end == "completed":
            return ModelFailed(self._asker.name, f"the batch {batch.id} ended without a reply to it that can be read")
        if stage.end == "failed":
            why = stage.why or "its service does not say why"
            told = f"the batch {batch.id} was not taken by its service ({why}); fewer sources at a time may be: --limit N"
            return ModelFailed(self._asker.name, told)
        how = "expired" if stage.end == "expired" else "was cancelled"
        return ModelPaused(f"The batch {batch.id} {how} before {self._courier.service} came to this. Run again.")

    def _file(self, request: Request, said: Said) -> None:
        """File a reply, once, and what it says of each pair."""
        asker = self._asker
        if asker.till.find(request.key) is None:
            call = Call(request.task, "", {}, request.about)
            asker.till.pay(request.key, call, asker.name, said, asker.now(), asker.background)
            asker.purse.note(said.spent)
        for key, text, read, wrote in _parts(request, said):
            if asker.till.find(key) is None:
                asker.till.file(key, asker.name, request.task.value, text, read, wrote)
        self._release(request)

    def _withhold(self, request: Request, why: ModelFailed) -> None:
        # One that is too long is asked in halves, which hold the same pairs.
        keys = (request.key,) if isinstance(why, TooLong) else request.keys
        self._asker.withheld |= dict.fromkeys(keys, why)

    def _release(self, request: Request) -> None:
        for key in request.keys:
            self._asker.withheld.pop(key, None)


def _parts(request: Request, said: Said) -> Iterable[tuple[str, str, int, int]]:
    """What a reply about several pairs says of each: what it is filed under, its text, its part of the tokens."""
    if not request.parts or said.finish != "stop":
        return
    schema = ALIKE[request.task][0]
    try:
        value = replies.value_of(said.text, linking.together(schema))
    except replies.Unreadable:
        return
    judged = value.get("judgements") if isinstance(value, dict) else None
    told = {one["pair"]: one for one in judged or () if isinstance(one, dict) and isinstance(one.get("pair"), int)}
    for number, key in enumerate(request.parts, 1):
        content = {name: each for name, each in told.get(number, {}).items() if name != "pair"}
        if not replies.problems(content, schema):
            read, wrote = (share(each, number, len(request.parts)) for each in (said.spent.read, said.spent.wrote))
            yield key, orjson.dumps(content).decode(), read, wrote
