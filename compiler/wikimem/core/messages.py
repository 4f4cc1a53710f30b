"""Commit messages of the wiki: subject and body from what really changed. Not how git is told them."""

from __future__ import annotations

from collections.abc import Sequence

from wikimem.core import memory_diff
from wikimem.core.memory_diff import Corrected, Ended, Gained, Late, PageDiff, Reworded

_TITLES = 3
_LINES = 120


def counts(diff: Sequence[PageDiff]) -> tuple[int, int, int]:
    """How many claims were gained (also those that ended already), corrected (also those worded otherwise) and ended."""
    changes = [change for page in diff for change in page.changes]
    gained = sum(isinstance(change, Gained | Late) for change in changes)
    corrected = sum(isinstance(change, Corrected | Reworded) for change in changes)
    return gained, corrected, sum(isinstance(change, Ended) for change in changes)


def trailer(diff: Sequence[PageDiff]) -> str:
    """The counts as the trailer `Claims` has them: `+3 ~1 -0`."""
    gained, corrected, ended = counts(diff)
    return f"+{gained} ~{corrected} -{ended}"


def subject(op: str, diff: Sequence[PageDiff], otherwise: str) -> str:
    """The first line: the pages that say something else now, and how many claims.

    Args:
        op: the verb.
        diff: what changed; may be empty.
        otherwise: what to say where no claim did.
    """
    if not diff:
        return f"{op}: {otherwise}"
    by_weight = sorted(diff, key=lambda page: (-len(page.changes), page.path))
    titles = ", ".join(page.title for page in by_weight[:_TITLES])
    more = f" and {len(diff) - _TITLES} more" if len(diff) > _TITLES else ""
    return f"{op}: {titles}{more} ({trailer(diff)})"


def body(about: str, diff: Sequence[PageDiff]) -> str:
    """What changed, claim by claim, each with its proof; cut where it would be too long to be read."""
    lines = memory_diff.write(diff).splitlines()
    if len(lines) > _LINES:
        left = len(lines) - _LINES
        lines = [*lines[:_LINES], f"({left} more lines: `wikimem diff` shows all)"]
    return "\n".join([about, "", *lines] if lines else [about])
