"""The lexicon: word lists, written as text so that they can be read and sorted. Not a dictionary of any language."""

from __future__ import annotations


def words(text: str) -> tuple[str, ...]:
    """The words of a list that is written as text."""
    return tuple(text.split())
