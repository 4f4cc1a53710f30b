"""Texts: folding, and finding a quote in its source."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wikimem.core import texts


@given(st.text())
@example("0 ¨")
@example("a\u200b b")
@example("\u00a8")
@example("\x1f\u2cef")
def test_a_text_is_found_in_itself(text: str) -> None:
    if " ".join(texts.fold(text).text.split()):
        assert texts.find(text, text) is not None


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("cap it at three", "we cap  it\nat three.", "cap  it\nat three"),
        ("‘three’", "only 'three' count", "'three'"),
        ("cap", "capacity", None),
        ("the cap … three", "the cap is three", None),
        ("a ¨ b", "x a  ¨  b", "a  ¨  b"),
    ],
)
def test_a_quote_stands_in_one_piece_at_word_boundaries(quote: str, text: str, found: str | None) -> None:
    span = texts.find(quote, text)
    assert (None if span is None else text[slice(*span)]) == found


_SIGNS = st.text(alphabet="ab1 \t\n`'“’.-–é\u0301\u200b\u00bc\u00a0中\x1c", max_size=12)


@given(_SIGNS, _SIGNS, _SIGNS)
def test_whether_a_quote_stands_is_what_finding_it_tells(before: str, quote: str, after: str) -> None:
    for text in (before + quote + after, f"{before} {quote} {after}", before + after):
        assert texts.stands(quote, text) == (texts.find(quote, text) is not None)
