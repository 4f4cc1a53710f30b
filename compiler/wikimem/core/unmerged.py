"""Unmerged: what was only said on a branch of somebody's code that is known not to be merged ranks lower, and says so.

Of most sessions nothing is known, and nothing is said: the branch is the default one, is gone, or its repository is not here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from wikimem.core.answers import Answer, Told
from wikimem.core.passages import Hit

LOWER = 0.5
"""What the score of an answer is worth that only an unmerged branch gives."""
PLAIN = frozenset({"", "HEAD", "main", "master"})
"""Branches that are never said to be unmerged: the default ones, and those that are none."""

_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Unmerged:
    """The sessions that were held on such branches.

    Args:
        branches: the branch, by source id; others are merged, or nothing is known of them.
        here: the branch that whoever asks is on: for them, what was said there does not rank lower.
    """

    branches: Mapping[str, str] = field(default_factory=dict)
    here: str = ""

    def of(self, sources: Iterable[str]) -> str:
        """The branches that all of some sources were on, as one name; empty if any of them was elsewhere."""
        found = [self.branches.get(source, "") for source in sources] if self.branches else []
        names = sorted(set(found))
        return ", ".join(names)[:_LONGEST] if names and all(names) else ""

    def lowered(self, answers: Iterable[Answer]) -> tuple[Answer, ...]:
        """Answers, best first, with those behind that only such branches give."""
        if not self.branches:
            return tuple(answers)
        out: list[Answer] = []
        behind: list[Answer] = []
        for answer in answers:
            branch = self.of(sources(answer))
            if branch and branch != self.here:
                behind.append(replace(answer, score=answer.score * LOWER))
                continue
            while behind and behind[0].score >= answer.score:
                out.append(behind.pop(0))
            out.append(answer)
        return (*out, *behind)


NONE = Unmerged()


def sources(answer: Answer) -> tuple[str, ...]:
    """The sources that an answer is from; none of what people wrote on a page."""
    match answer:
        case Hit(passage):
            return (passage.source,)
        case Told():
            return tuple(dict.fromkeys(one.source for told in answer.statements for one in told.claim.evidence))
        case _:
            return ()


def mark(branch: str) -> str:
    """What is said of something that only such a branch gives."""
    return f"branch {' '.join(branch.split())}, not merged"
