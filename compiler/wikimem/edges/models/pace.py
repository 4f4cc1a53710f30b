"""The pace at which one service is asked, shared by all threads: its own limit, what it asks us to wait, and bounded retries."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from threading import Lock
from typing import TypeVar

from wikimem.edges.models.port import Busy
from wikimem.errors import ModelFailed, ModelPaused

T = TypeVar("T")

ATTEMPTS = 5
"""Calls until an error counts as one. Being told to slow down is none: then the whole wait is bounded."""

PATIENCE = 900.0
"""Seconds that one call waits at most for a service that says it is asked too often."""

_FIRST, _LONGEST = 1.0, 60.0


class Pace:
    """Lets calls through one after the other as fast as the service allows.

    Args:
        per_minute: calls that may begin in one minute; 0 for any number.
        sleep: waits so many seconds.
        clock: seconds that only grow.
    """

    def __init__(
        self, per_minute: float = 0.0, sleep: Callable[[float], None] = time.sleep, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._every = 60 / per_minute if per_minute > 0 else 0.0
        self._sleep, self._clock = sleep, clock
        self._lock, self._next = Lock(), 0.0

    def run(self, name: str, call: Callable[[], T]) -> T:
        """Call, and again while the service is busy.

        Raises:
            ModelFailed: it failed too often.
            ModelPaused: it asks to wait longer than anybody would.
        """
        from tenacity import RetryCallState, Retrying, retry_if_exception_type

        waited = 0.0

        def stop(state: RetryCallState) -> bool:
            busy = _busy(state)
            if busy.after is not None and busy.after > PATIENCE:
                return True
            return waited > PATIENCE if busy.limited else state.attempt_number >= ATTEMPTS

        def wait(state: RetryCallState) -> float:
            nonlocal waited
            busy = _busy(state)
            longest = min(_LONGEST, _FIRST * 2 ** min(state.attempt_number - 1, 10))
            seconds = random.uniform(longest / 2, longest)
            if busy.after is not None:
                # A little later than asked, each thread at another moment, so that they do not all come at once.
                seconds = busy.after + random.uniform(0, 0.1 * busy.after + 0.1)
            waited += seconds
            if busy.limited:
                self._hold(seconds if busy.after is None else busy.after)
            return seconds

        retrying = Retrying(
            retry=retry_if_exception_type(Busy),
            wait=wait,
            stop=stop,
            sleep=self._sleep,
            reraise=True,
            before=lambda _: self._turn(),
        )
        try:
            return retrying(call)
        except Busy as busy:
            if busy.limited:
                told = f" and asks to wait {busy.after:.0f} s" if busy.after else ""
                raise ModelPaused(
                    f"The model {name} says that it is asked too often{told} ({busy}). Compile again later."
                ) from None
            raise ModelFailed(name, f"{busy} ({ATTEMPTS} times)") from None

    def _hold(self, seconds: float) -> None:
        """Nobody asks for so long."""
        with self._lock:
            self._next = max(self._next, self._clock() + seconds)

    def _turn(self) -> None:
        """Wait for one's turn."""
        with self._lock:
            now = self._clock()
            turn = max(now, self._next)
            if self._every:
                self._next = turn + self._every
        if turn > now:
            self._sleep(turn - now)


def _busy(state: object) -> Busy:
    outcome = getattr(state, "outcome", None)
    error = outcome.exception() if outcome is not None else None
    assert isinstance(error, Busy)
    return error
