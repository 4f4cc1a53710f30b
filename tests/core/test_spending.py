"""Spending: limits as people write them, and when one is over."""

from __future__ import annotations

import pytest

from wikimem.core import spending
from wikimem.core.spending import Limit, Spent


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("", Limit()),
        ("2.50usd", Limit(micros=2_500_000)),
        ("2.50 USD", Limit(micros=2_500_000)),
        ("$2.50", Limit(micros=2_500_000)),
        ("0.05$", Limit(micros=50_000)),
        ("300k", Limit(tokens=300_000)),
        ("2M tokens", Limit(tokens=2_000_000)),
        ("50,000 tokens", Limit(tokens=50_000)),
        ("1.5m", Limit(tokens=1_500_000)),
    ],
)
def test_a_limit_is_money_or_tokens(text: str, limit: Limit) -> None:
    assert spending.limit(text) == limit
    assert bool(limit) == bool(text)


@pytest.mark.parametrize("text", ["5", "five dollars", "-2usd", "2eur", "k", "tokens", "1..5usd"])
def test_what_could_be_either_is_asked_back(text: str) -> None:
    with pytest.raises(ValueError, match=r"2\.50usd.*300k"):
        spending.limit(text)


def test_a_limit_is_over_when_more_was_spent() -> None:
    spent = Spent(2, 900, 100, 0, 5_000)
    assert not Limit(tokens=1_000).is_over(spent)
    assert Limit(tokens=999).is_over(spent)
    assert not Limit(micros=5_000).is_over(spent)
    assert Limit(micros=4_999).is_over(spent)
    assert not Limit().is_over(spent)
