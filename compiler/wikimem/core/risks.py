"""Risks: how much a change of the wiki can do harm, claim by claim, and why. Not what becomes of it: that is `policies`.

A risk is blamed on the new claim that brings it about, so that this claim alone can wait while the others go on.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from wikimem.core.claims import Claim, Kind, Stance
from wikimem.core.fold import Wiki
from wikimem.core.memory_diff import Change, Corrected, Disputed, Ended, Gained, Late, PageDiff, Reworded
from wikimem.core.policies import MANY, Finding, Risk
from wikimem.core.subjects import Subject

_OF_PAGE, _HALF = 3, 0.5
_DOUBTFUL = 40


@dataclass(frozen=True, slots=True)
class _Case:
    """A change, and what its risk depends on.

    Args:
        change: the change.
        type: the type of its page.
        crowded: how many claims are closed where that is too many, as a clause; empty otherwise.
    """

    change: Change
    type: str
    crowded: str


Rule = tuple[Risk, Callable[[_Case], str]]
"""How great the risk is, and the check, which gives the reason or ''."""


def _denies(case: _Case) -> str:
    return "denies what was held for true" if isinstance(case.change, Ended) and case.change.why == "retracted" else ""


def _against_a_hand(case: _Case) -> str:
    match case.change:
        case Corrected(old, new) | Ended(old, _, Claim() as new):
            against = old.by_hand and not new.by_hand
        case Disputed(claim, rivals):
            hands = [each.by_hand for each in (claim, *rivals)]
            against = any(hands) and not all(hands)
        case _:
            against = False
    return "speaks against what a person wrote here" if against else ""


def _crowded(case: _Case) -> str:
    return case.crowded if isinstance(case.change, Corrected | Ended) else ""


def _doubtful(case: _Case) -> str:
    told = case.change.claim if isinstance(case.change, Gained) else None
    return "is hardly sure" if told is not None and 0 < told.confidence < _DOUBTFUL else ""


def _disputes(case: _Case) -> str:
    return "is in conflict with another claim" if isinstance(case.change, Disputed) else ""


def _replaces(case: _Case) -> str:
    if isinstance(case.change, Corrected):
        return "replaces what held"
    return "ends what held" if isinstance(case.change, Ended) and case.change.why != "merged" else ""


def _weighty(case: _Case) -> str:
    if not isinstance(case.change, Gained | Reworded):
        return ""
    if case.type == "person":
        return "says something of a person"
    told = case.change.claim if isinstance(case.change, Gained) else case.change.new
    if case.type == "decision" or told.attribute == "decision":
        return "is a decision"
    policy = told.kind is Kind.PROCEDURAL and told.stance is Stance.FACT
    return "is a rule for others" if policy or told.stance is Stance.PREFERENCE else ""


RULES: tuple[Rule, ...] = (
    (Risk.HIGH, _denies),
    (Risk.HIGH, _against_a_hand),
    (Risk.HIGH, _crowded),
    (Risk.HIGH, _doubtful),
    (Risk.MEDIUM, _disputes),
    (Risk.MEDIUM, _replaces),
    (Risk.MEDIUM, _weighty),
)
"""The first that gives a reason says how great the risk is; what none objects to is low."""


def weigh(diff: Iterable[PageDiff], before: Wiki, after: Wiki, fresh: Container[str], many: int = MANY) -> tuple[Finding, ...]:
    """The risk of each change, in order of the pages.

    Args:
        diff: what changes.
        before: the wiki before it.
        after: the wiki after it.
        fresh: ids of the claims that can be blamed: those that come in.
        many: how many closings are too many.
    """
    diff = tuple(diff)
    total = sum(_closes(change) for page in diff for change in page.changes)
    homes = {wiki.path(key): subject for wiki in (before, after) for key, subject in wiki.subjects.items()}
    held = _held(before)
    found: list[Finding] = []
    for page in diff:
        subject = homes[page.path]
        closed = sum(_closes(change) for change in page.changes)
        crowded = _clause(total, closed, held.get(page.path, 0), many)
        for change in page.changes:
            risk, reason = _judged(_Case(change, subject.type, crowded))
            found += [Finding(claim, risk, reason, page.path, subject.type) for claim in _blamed(change, subject, fresh) or ("",)]
    return tuple(found)


def greatest(findings: Iterable[Finding]) -> Risk:
    """The greatest risk among some; low if there is none."""
    return max((finding.risk for finding in findings), key=lambda risk: risk.rank, default=Risk.LOW)


def trailer(findings: Sequence[Finding]) -> str:
    """The trailer `Risk` of a commit: `low`, or `high (denies what was held for true; replaces what held)`."""
    risk = greatest(findings)
    reasons = dict.fromkeys(one.reason for one in findings if one.reason and one.risk is risk)
    return f"{risk} ({'; '.join(reasons)})" if reasons else str(risk)


def _judged(case: _Case) -> tuple[Risk, str]:
    return next(((risk, reason) for risk, check in RULES if (reason := check(case))), (Risk.LOW, ""))


def _closes(change: Change) -> bool:
    return isinstance(change, Corrected) or (isinstance(change, Ended) and change.why != "merged")


def _clause(total: int, closed: int, had: int, many: int) -> str:
    if total >= many:
        return f"closes {total} claims at once"
    return f"closes {closed} of {had} claims of one page" if closed >= _OF_PAGE and closed >= _HALF * had else ""


def _held(wiki: Wiki) -> Mapping[str, int]:
    """How many claims hold on each page."""
    return {wiki.path(key): sum(one.current is not None for one in each.standings) for key, each in wiki.subjects.items()}


def _blamed(change: Change, subject: Subject, fresh: Container[str]) -> tuple[str, ...]:
    """The new claims that bring a change about: what it names, and what is shown as one with that."""
    same = {standing.claim.id: standing.same for standing in subject.standings}
    told = [claim for claim in named(change) if claim is not None]
    ids = dict.fromkeys(id for claim in told for id in (claim.id, *same.get(claim.id, ())))
    return tuple(id for id in ids if id in fresh)


def named(change: Change) -> Iterator[Claim | None]:
    """The claims that a change names, in an order of its own; None for a claim that it may name and does not."""
    match change:
        case Gained(claim):
            yield claim
        case Corrected(_, new) | Reworded(_, new):
            yield new
        case Ended(claim, _, by):
            yield from (claim, by)
        case Late(claim, _, by):
            yield from (claim, by)
        case Disputed(claim, rivals):
            yield from (claim, *rivals)
