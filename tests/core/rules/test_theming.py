"""Themes by rule: general words for plain ones, in whatever form they stand, and none for what is not there."""

from __future__ import annotations

import pytest

from wikimem.core.rules import theming


@pytest.mark.parametrize(
    ("text", "theme"),
    [
        ("I signed up for a pottery class.", "activities"),
        ("She swam in the lake.", "activities"),
        ("We adopted two puppies.", "pets"),
        ("Her nieces visited.", "family"),
        ("He was hired by a bakery.", "job"),
        ("They flew to Italy.", "travels"),
        ("She bought a necklace.", "items"),
    ],
)
def test_a_plain_word_has_its_general_ones(text: str, theme: str) -> None:
    assert theme in " ".join(theming.themes(text)).split()


@pytest.mark.parametrize("text", ["The port is 5432.", "Retries stop after 3 attempts.", "A catalogue of dogma.", ""])
def test_what_is_none_of_it_has_none(text: str) -> None:
    assert theming.themes(text) == ()


def test_each_theme_is_asked_by_words_that_no_claim_needs_to_hold() -> None:
    for theme, plain in theming.THEMES:
        assert theme and plain
        assert all(word.isalpha() and word.islower() for word in (*theme.split(), *plain.split()))
