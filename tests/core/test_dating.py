"""Dating: a date that no words tell is taken off a draft; one that they tell stays."""

from __future__ import annotations

import pytest

from wikimem.core import dating


@pytest.mark.parametrize(
    ("words", "moment"),
    [
        ("Priya is release manager from 1 March.", "2026-03-01"),
        ("Since this morning the API runs on port 9090.", "2026-02-20"),
        ("we moved on Fridays", "2026-02-20"),
        ("it ends 2027", "2027"),
        ("in 2025-06 we switched", "2025-06"),
        ("two weeks ago", "2026-02-06"),
        ("by the 3rd", "2026-03-03"),
        ("am 3. März 2026 umgezogen", "2026-03-03"),
        ("私たちは三月に引っ越した", "2026-03"),
        ("it no longer does that now", "2026-02-20"),
    ],
)
def test_words_that_tell_a_date(words: str, moment: str) -> None:
    assert dating.tells(words, moment)


@pytest.mark.parametrize(
    ("words", "moment"),
    [
        ("The paid plan has no limit.", "2026-03-02"),
        ("we cap it at 3 attempts on port 8080", "2026-03-02"),
        ("use version 2.14.1 of the parser", "2026-03-02"),
        ("it was founded in 1998", "2026-03-02"),
        ("maybe, if the marchers decide to", "2026-03-02"),
    ],
)
def test_words_that_tell_none(words: str, moment: str) -> None:
    assert not dating.tells(words, moment)
