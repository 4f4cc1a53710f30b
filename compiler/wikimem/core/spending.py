"""Spending: what calls to models cost, and on what terms a person lets them be made. Values only; the ledger is in `edges`."""

from __future__ import annotations

import re
from dataclasses import dataclass

MICROS = 1_000_000
"""Money is counted in millionths of a US dollar, so that sums are exact."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What some calls cost.

    Args:
        calls: how many replies were received.
        read: tokens that the models read.
        wrote: tokens that they wrote.
        cached: tokens of `read` that the provider had in its prompt cache.
        micros: money, in millionths of a US dollar.
        unpriced: calls of which nobody knows the price.
    """

    calls: int = 0
    read: int = 0
    wrote: int = 0
    cached: int = 0
    micros: int = 0
    unpriced: int = 0

    @property
    def tokens(self) -> int:
        """All tokens, read and written."""
        return self.read + self.wrote

    def as_json(self) -> dict[str, int | float]:
        """As plain values; money in dollars."""
        return {
            "calls": self.calls,
            "tokens_in": self.read,
            "tokens_out": self.wrote,
            "tokens_cached": self.cached,
            "usd": self.micros / MICROS,
            "unpriced_calls": self.unpriced,
        }

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.calls + other.calls,
            self.read + other.read,
            self.wrote + other.wrote,
            self.cached + other.cached,
            self.micros + other.micros,
            self.unpriced + other.unpriced,
        )


NOTHING = Spent()


@dataclass(frozen=True, slots=True)
class Limit:
    """How much may be spent: money in millionths of a US dollar, or tokens; both None for no limit."""

    micros: int | None = None
    tokens: int | None = None

    def __bool__(self) -> bool:
        return self.micros is not None or self.tokens is not None

    def __str__(self) -> str:
        return money(self.micros) if self.micros is not None else f"{self.tokens:,} tokens"

    def is_over(self, spent: Spent) -> bool:
        """Whether so much is more than allowed."""
        over = self.micros is not None and spent.micros > self.micros
        return over or (self.tokens is not None and spent.tokens > self.tokens)


NO_LIMIT = Limit()


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms a model is asked; all of one machine, from `wikimem.local.toml` and the command line.

    Args:
        budget: what one run may spend.
        daily: what background work may spend on one day.
        background: whether this is background work.
        api_base: where a LiteLLM model is served, for servers of one's own; empty for its provider's address.
        seconds: how long one call may take.
        per_minute: calls that may begin in one minute; 0 for as many as there are.
        price: dollars for a million tokens read and written, where LiteLLM knows no price; None for unknown.
        record: a folder in which every reply is recorded, for `recorded:<dir>`; empty for none.
        again: whether sources are asked about that are compiled already.
    """

    budget: Limit = NO_LIMIT
    daily: Limit = NO_LIMIT
    background: bool = False
    api_base: str = ""
    seconds: float = 600.0
    per_minute: float = 0.0
    price: tuple[float, float] | None = None
    record: str = ""
    again: bool = False


AS_EVER = Terms()
"""The terms where nobody says otherwise."""

_MONEY = re.compile(r"(?:\$ ?(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?) ?(?:usd|\$))", re.IGNORECASE)
_TOKENS = re.compile(r"(\d+(?:\.\d+)?)(?: ?([km])(?: ?tokens?)?| ?tokens?)", re.IGNORECASE)


def limit(text: str) -> Limit:
    """A limit as a person writes it: `2.50usd`, `$2.50`, `300k`, `2M tokens`, `50000 tokens`; '' for none.

    Raises:
        ValueError: it is none of these; the text says what is.
    """
    told = text.strip().replace(",", "").replace("_", "")
    if not told:
        return NO_LIMIT
    if found := _MONEY.fullmatch(told):
        return Limit(micros=round(float(found[1] or found[2]) * MICROS))
    if found := _TOKENS.fullmatch(told):
        return Limit(tokens=round(float(found[1]) * {"k": 1_000, "m": 1_000_000}.get((found[2] or "").lower(), 1)))
    raise ValueError(f"{text!r} is no budget; write money as 2.50usd, or tokens as 300k or 50000 tokens")


def money(micros: int) -> str:
    """Money for a person: `$1.25`; small sums with four places."""
    dollars = micros / MICROS
    return f"${dollars:.2f}" if dollars >= 1 or micros == 0 else f"${dollars:.4f}"
