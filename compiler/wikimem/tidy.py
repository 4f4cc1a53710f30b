"""Tidy: what `lint --fix` does: whatever can be mended without asking anybody, in one commit to be reviewed.

Pages are rendered as their claims give them, links of people's follow pages that have another name now, and the index is brought
in step. Conflicts, near-duplicates and whatever else needs a decision stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wikimem import compile, extracting, indexing
from wikimem.errors import Problem
from wikimem.lint import Linted, lint
from wikimem.vault import Vault


@dataclass(frozen=True, slots=True)
class Tidied:
    """What was mended.

    Args:
        commit: of the pages; empty if all were as they should be.
        links: how many dead links lead somewhere again.
        indexed: whether the index was out of step, and is not any more.
        left: pages that were left alone, with the reason.
        found: what there is to look at still.
    """

    commit: str
    links: int
    indexed: bool
    left: tuple[Problem, ...]
    found: Linted

    def as_json(self) -> dict[str, Any]:
        """As plain values; the shape is stable."""
        return {
            "commit": self.commit,
            "links": self.links,
            "indexed": self.indexed,
            "left": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.left],
            **self.found.as_json(),
        }


def tidy(vault: Vault) -> Tidied:
    """Mend what is safe and mechanical. Pages that somebody changed and did not commit are left alone.

    Raises:
        WorldError: git or another process stands in the way; what was committed before stays.
    """
    before = lint(vault)
    left: list[Problem] = []
    with vault.compiling(), vault.repository() as repo:
        with vault.writing():
            repo.recover()
            repo.check_idle()
            vault.ledger.forget_cache()
        commit = compile.mend(vault, repo, extracting.extractor_of(vault, "rules"), left, before.moved)
    behind = bool(indexing.state(vault.root, vault.ledger, vault.settings.vocabulary))
    if behind:
        indexing.refresh(vault.root, vault.ledger, vault.settings.vocabulary).close()
    after = lint(vault)
    return Tidied(commit, _dead(before) - _dead(after), behind, tuple(left), after)


def _dead(found: Linted) -> int:
    return sum(problem.rule == "dead-link" for problem in found.problems)
