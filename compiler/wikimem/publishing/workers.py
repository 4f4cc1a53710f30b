"""Workers: a function applied to many things, in several processes where that pays. Order is kept; errors come through."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from types import TracebackType
from typing import Any, Self, TypeVar

_T = TypeVar("_T")
_R = TypeVar("_R")

WORTH = 400
"""Things from which on it pays to start processes."""


class Workers:
    """Some processes, started when first needed.

    Args:
        jobs: how many; 0 for one a processor.
        begin: called in each process first, with `ready`.
    """

    def __init__(self, jobs: int, begin: Callable[..., None], ready: tuple[Any, ...]) -> None:
        self.jobs = jobs or os.cpu_count() or 1
        self._begin, self._ready = begin, ready
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        self._begin(*self._ready)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def map(self, function: Callable[[_T], _R], things: Sequence[_T], worth: int = WORTH) -> Iterator[_R]:
        """What the function gives for each thing, in order.

        Args:
            function: of a module, so that another process finds it.
            things: plain enough to be sent.
            worth: fewer things than this are done here.
        """
        if self.jobs < 2 or len(things) < worth:
            return map(function, things)
        if self._pool is None:
            # A forked process would inherit locks and half-read files.
            spawn = get_context("spawn")
            self._pool = ProcessPoolExecutor(self.jobs, mp_context=spawn, initializer=self._begin, initargs=self._ready)
        size = max(1, min(50, len(things) // (self.jobs * 8)))
        return self._pool.map(function, things, chunksize=size)
