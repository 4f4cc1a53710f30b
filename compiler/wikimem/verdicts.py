"""Verdicts: what becomes of people's edits when what they are about is forgotten. Decides; writes nothing.

An edit names its claim by footing: source, locator, quoted words. One whose claim rests on forgotten words alone says them
again, so it goes with them; one whose claim rests on others as well is said again without them, in a source of its own. What
a person stated by themselves is theirs and stays.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace

from wikimem.choosing import Choice
from wikimem.core import emptying
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.edits import (
    Added,
    Approved,
    Barred,
    Changed,
    Deleted,
    Edit,
    Kept,
    Lifted,
    Merged,
    Named,
    Parted,
    Rejected,
    Settled,
    Split,
    Target,
    Undone,
)


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of people's edits.

    Args:
        dropped: lines that go, by source.
        said_again: edits that are said again without what was forgotten.
    """

    dropped: Mapping[str, frozenset[int]]
    said_again: tuple[Edit, ...]


def left(files: Mapping[str, ClaimFile], choice: Choice, yielded: Container[str], mentions: Container[str]) -> Left:
    """What is left of the edits in some claims files.

    Args:
        files: all claims files as they are.
        choice: what goes.
        yielded: ids of the claims that other sources than edits still yield afterwards.
        mentions: ids of the names that sources still name afterwards.
    """
    every = [(source, line, edit) for source, file in files.items() for line, edit in file.edits if source not in choice.whole]
    dropped = {(source, line) for source, line, _ in every if choice.takes(source, f"L{line}")}
    stated = {(source, line): edit for source, line, edit in every}
    while True:
        gone = _Gone(choice, frozenset(dropped), yielded, mentions, _named(stated, dropped))
        more = {place for place, edit in stated.items() if place not in dropped and gone.reduce(edit) is None}
        if not more:
            break
        dropped |= more
    again = []
    for place, edit in stated.items():
        if place not in dropped and (reduced := gone.reduce(edit)) != edit:
            assert reduced is not None
            dropped.add(place)
            again.append(reduced)
    found: dict[str, set[int]] = {}
    for source, line in dropped:
        found.setdefault(source, set()).add(line)
    return Left({source: frozenset(lines) for source, lines in found.items()}, tuple(again))


def _named(stated: Mapping[tuple[str, int], Edit], dropped: Container[tuple[str, int]]) -> frozenset[str]:
    """The names that people's own statements name."""
    told = (edit.operation for place, edit in stated.items() if place not in dropped)
    return frozenset(one.statement.mention.id for one in told if isinstance(one, Added | Changed))


@dataclass(frozen=True, slots=True)
class _Gone:
    """What is gone."""

    choice: Choice
    dropped: frozenset[tuple[str, int]]
    yielded: Container[str]
    mentions: Container[str]
    named: frozenset[str]

    def reduce(self, edit: Edit) -> Edit | None:
        """The edit without what is gone; the same one where nothing of it is; None where nothing of it is left."""
        match edit.operation:
            case Changed(about, statement) if about.concluded and self._target(about) is None:
                # The words are the person's own.
                return replace(edit, operation=Added(statement))
            case Changed(about, _) | Deleted(about, _) | Kept(about) | Lifted(about) | Rejected(about, _):
                kept = self._target(about)
                return None if kept is None else edit if kept == about else _with(edit, replace(edit.operation, target=kept))
            case Settled(winner, loser):
                won, lost = self._target(winner), self._target(loser)
                if won is None or lost is None:
                    return None
                return edit if (won, lost) == (winner, loser) else _with(edit, Settled(won, lost))
            case Parted(first, second):
                kept_one, kept_other = self._target(first), self._target(second)
                if kept_one is None or kept_other is None:
                    return None
                return edit if (kept_one, kept_other) == (first, second) else _with(edit, Parted(kept_one, kept_other))
            case Named(mention, _, _):
                return edit if self._is_named(mention.id) else None
            case Merged(one, other):
                return edit if self._is_named(one.id) and self._is_named(other.id) else None
            case Split(one, other, claims):
                kept_claims = tuple(each for claim in claims if (each := self._target(claim)) is not None)
                if not kept_claims or not self._is_named(one.id):
                    return None
                return edit if kept_claims == claims else _with(edit, Split(one, other, kept_claims))
            case Undone(source):
                return None if self.choice.takes(source, "") else edit
            case Approved(_, source, at) | Barred(_, source, at):
                return None if self._is_gone(source, at) else edit
            case Added():
                return edit

    def _is_named(self, mention: str) -> bool:
        return mention in self.mentions or mention in self.named

    def _target(self, about: Target) -> Target | None:
        kept = tuple(footing for footing in about.footings if not self._is_gone(footing[0], footing[1]))
        if len(kept) == len(about.footings):
            return about
        if about.concluded:
            return None
        if not kept and about.claim not in self.yielded:
            return None
        # What else stood on the same words may have gone with them.
        return replace(about, footings=kept, beside=())

    def _is_gone(self, source: str, at: str) -> bool:
        place = emptying.place(at)
        return self.choice.takes(source, at) or (place is not None and (source, place[1]) in self.dropped)


def _with(edit: Edit, operation: Changed | Deleted | Kept | Lifted | Rejected | Settled | Split | Parted) -> Edit:
    return replace(edit, operation=operation)


def places(lines: Iterable[int]) -> frozenset[emptying.Place]:
    """Lines of an edit source as places."""
    return frozenset(("", line) for line in lines)
