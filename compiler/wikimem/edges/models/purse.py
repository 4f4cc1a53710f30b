"""The purse of one run: what may still be spent. Asked before each call; several calls on their way are reserved for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from wikimem.core.spending import NO_LIMIT, Limit, Spent, money
from wikimem.edges.models.till import Till
from wikimem.errors import ModelPaused, UsageError


class Purse:
    """What one run spends, held against its budget, and against the day's limit for background work.

    Args:
        till: the ledger.
        budget: of this run.
        daily: of all background work on one day; asked only for background work.
        day: today, `2026-08-14`, UTC.
        background: whether this is background work.
    """

    def __init__(self, till: Till, budget: Limit, daily: Limit, day: str, background: bool) -> None:
        self._lock = Lock()
        self._budget, self._daily, self._day = budget, daily if background else NO_LIMIT, day
        self._spent = self._reserved = Spent()
        self._before = till.spent(day, background=True) if self._daily else Spent()

    @property
    def spent(self) -> Spent:
        """What this run has spent."""
        with self._lock:
            return self._spent

    def check(self, name: str, price: tuple[float, float] | None) -> None:
        """See that a budget of money can be kept.

        Raises:
            UsageError: nobody knows the price.
        """
        if price is None and (self._budget.micros is not None or self._daily.micros is not None):
            raise UsageError(
                f"The price of {name} is unknown, so a budget of money cannot be kept. Set `price_in` and `price_out` (dollars "
                "for a million tokens) under [compile] in wikimem.local.toml, or give the budget in tokens, such as 300k."
            )

    def note(self, spent: Spent) -> None:
        """Count what was spent already, whether there is room for it or not."""
        with self._lock:
            self._spent = self._spent + spent

    @contextmanager
    def reserve(self, expected: Spent) -> Iterator[list[Spent]]:
        """Room for one call; what it really cost is put into the list.

        Raises:
            ModelPaused: there is no room.
        """
        with self._lock:
            on_the_way = self._spent + self._reserved + expected
            if self._budget.is_over(on_the_way):
                raise ModelPaused(
                    _over(f"The budget of {self._budget} for this run", self._spent, "Compile again with a larger one.")
                )
            if self._daily.is_over(self._before + on_the_way):
                what = f"The daily limit of {self._daily} for background work"
                raise ModelPaused(_over(what, self._before + self._spent, "It goes on tomorrow, or run `wikimem compile`."))
            self._reserved = self._reserved + expected
        cost: list[Spent] = []
        try:
            yield cost
        finally:
            with self._lock:
                self._reserved = self._reserved + _negative(expected)
                self._spent = sum(cost, self._spent)


def _over(what: str, spent: Spent, advice: str) -> str:
    told = f"{spent.tokens:,} tokens" + (f", {money(spent.micros)}" if spent.micros else "")
    return f"{what} leaves no room for the next call ({told} spent). {advice}"


def _negative(spent: Spent) -> Spent:
    return Spent(-spent.calls, -spent.read, -spent.wrote, -spent.cached, -spent.micros, -spent.unpriced)
