"""Diff: what the memory says differently between two commits, claim by claim, with the words that prove it. Reads only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wikimem import memory
from wikimem.core import memory_diff, messages
from wikimem.core.memory_diff import PageDiff
from wikimem.errors import BadRange, Problem, UsageError
from wikimem.vault import Vault

NEWEST = "HEAD~1..HEAD"
"""What is compared where nothing is named."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What two commits say differently.

    Args:
        before: id of the earlier commit.
        after: id of the later one.
        pages: by path.
        problems: what could not be read in either.
    """

    before: str
    after: str
    pages: tuple[PageDiff, ...]
    problems: tuple[Problem, ...]

    @property
    def counts(self) -> str:
        """How many claims were gained, corrected and ended: `+3 ~1 -0`."""
        return messages.trailer(self.pages)

    def as_json(self) -> dict[str, Any]:
        """The difference as plain values; the shape is stable."""
        return {
            "before": self.before,
            "after": self.after,
            "counts": self.counts,
            "pages": memory_diff.as_json(self.pages),
            "problems": [str(each) for each in self.problems],
        }


def diff(vault: Vault, told: str = NEWEST) -> Difference:
    """What the memory says differently.

    Args:
        vault: the vault.
        told: two commits, `A..B`; one alone means from it to now.

    Raises:
        BadRange: one of them is no commit.
        UsageError: nothing is named, and there is nothing to compare yet.
    """
    first, dots, last = told.partition("..")
    if last.startswith("."):
        raise BadRange(told, "three dots ask for a merge base, and a memory has none")
    with vault.repository() as repo:
        ids = []
        for ref in (first or "HEAD", (last or "HEAD") if dots else "HEAD"):
            found = repo.resolve(ref)
            if not found and told == NEWEST:
                raise UsageError("There is one commit yet, so there is nothing to compare; `wikimem ingest` makes the next.")
            if not found:
                raise BadRange(told, f"there is no commit {ref}")
            ids.append(found)
        before, after = (memory.at(repo, ref, vault.settings.vocabulary, vault.ledger) for ref in ids)
    pages = memory_diff.between(before.wiki, after.wiki)
    return Difference(ids[0], ids[1], pages, (*before.problems, *after.problems))
