"""Matching: patterns from outside, searched for without letting one take for ever, and files spared that cannot match."""

from __future__ import annotations

import re
from collections.abc import Callable

import regex  # type: ignore[import-untyped]  # it ships no types

from wikimem.errors import NotOnShelf

_LONGEST = 300
_PLAIN = re.compile(r"(?:[\w \-',/|]|\\[^\w\s])+")
_WORD = re.compile(r"[A-Za-z0-9]{2,}")


def matcher(pattern: str, path: str) -> Callable[[str], tuple[int, int] | None]:
    """Where a pattern matches a text first.

    It is regex's and not re's because only that can be stopped: a pattern from outside may take for ever.
    """
    if not pattern.strip() or len(pattern) > _LONGEST:
        raise NotOnShelf(path or "the shelf", f"a pattern has 1 to {_LONGEST} characters")
    try:
        compiled = regex.compile(pattern, regex.IGNORECASE | regex.MULTILINE)
    except (regex.error, RecursionError, OverflowError, MemoryError):
        compiled = regex.compile(regex.escape(pattern), regex.IGNORECASE)

    def first(text: str) -> tuple[int, int] | None:
        found = compiled.search(text, timeout=1.0)
        return found.span() if found else None

    return first


def lacks(data: bytes | None, pattern: str) -> bool:
    """Whether stored bytes cannot hold what a plain pattern asks for: reading their turns can be spared then."""
    if data is None or not pattern.isascii() or not _PLAIN.fullmatch(pattern):
        return False
    folded = data.lower()
    return not any(
        all(word.lower().encode() in folded for word in _WORD.findall(choice)) for choice in pattern.split("|") if choice
    )
