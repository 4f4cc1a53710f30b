"""Line sets: files that are sets of JSON lines, so that git's `union` merge of two of them is right. Not what the lines mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import orjson

from wikimem.errors import Problem

T = TypeVar("T")


def read(data: bytes, where: str, one: Callable[[Any], T], rule: str, message: str) -> tuple[set[T], tuple[Problem, ...]]:
    """What the lines of a file say, each once, and a problem for each line that says nothing.

    Args:
        data: the file; empty lines are passed over.
        where: its path.
        one: makes a value of a line's JSON; a `ValueError`, `KeyError`, `TypeError` or `AttributeError` if it cannot.
        rule, message: of the problems.
    """
    found: set[T] = set()
    problems: list[Problem] = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            found.add(one(orjson.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError):
            problems.append(Problem(f"{where}:{number}", rule, message))
    return found, tuple(problems)
