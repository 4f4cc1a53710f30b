"""Reconciling: which claims of two clones wait for a person, since their union does what neither side let in by itself.

What either side did on its own was weighed there, when it was compiled; people may have approved it. So of the union only what
comes of both together is weighed: what differs from one side and did not already differ there from what both began with. The
policy is that of a compile. Whichever side unites, the same claims wait.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from wikimem import withholding
from wikimem.core import memory_diff, risks
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.claims import Claim
from wikimem.core.fold import Wiki
from wikimem.core.judgements import Judgement
from wikimem.core.memory_diff import Change, PageDiff
from wikimem.core.policies import Finding, Policy, Way
from wikimem.judging import Linked
from wikimem.memory import Memory


@dataclass(frozen=True, slots=True)
class Sides:
    """What is united.

    Args:
        base: gives the wiki that both began with; asked only where something is to be weighed.
        sides: what each side remembers.
    """

    base: Callable[[], Wiki]
    sides: tuple[Memory, Memory]


@dataclass(slots=True)
class Reconciled:
    """What the union is without what waits.

    Args:
        files: the claims files, by source.
        linked: the memory of them.
        waiting: by source, a claims file of what waits alone.
        judged: judgements that were made on the way.
    """

    files: dict[str, ClaimFile]
    linked: Linked
    waiting: dict[str, ClaimFile] = field(default_factory=dict)
    judged: tuple[Judgement, ...] = ()


def sift(
    policy: Policy,
    told: Sides,
    files: Mapping[str, ClaimFile],
    link: Callable[[Mapping[str, ClaimFile]], Linked],
    recorded: Callable[[str], str],
) -> Reconciled:
    """Take out of the union what the policy does not let in by itself.

    Args:
        policy: what becomes of which risk.
        told: both sides.
        files: the claims files of the union, by source.
        link: the memory of some claims files; may be asked several times.
        recorded: when a source was taken in; of two claims that only one of can stay, the later waits.

    Raises:
        ModelFailed: a pair could not be judged.
    """
    left = dict(files)
    found = Reconciled(left, link(left))
    while True:
        after = found.linked.memory.wiki
        fresh = [_fresh(left, side.files) for side in told.sides]
        held = [
            _held(policy, told, number, after, frozenset(id for ids in fresh[number].values() for id in ids)) for number in (0, 1)
        ]
        number = _later(held, fresh, recorded)
        if number is None:
            return found
        for source, ids in fresh[number].items():
            taken = [claim for claim in left[source].claims if claim.id in ids and claim.id in held[number]]
            if taken:
                _take(found, source, taken, held[number], policy)
        found.linked = link(left)
        found.judged = tuple(dict.fromkeys((*found.judged, *found.linked.added)))


def settle(
    policy: Policy,
    before: Memory,
    linked: Linked,
    link: Callable[[Mapping[str, ClaimFile]], Linked],
    recorded: Callable[[str], str],
) -> Reconciled:
    """Take out of a memory what the policy does not let in, of claims that were held against each other only now.

    A join or a merge by git may leave pairs that nobody judged. Of two claims the one that was taken in last is weighed.

    Args:
        policy: what becomes of which risk.
        before: the memory without the new judgements.
        linked: the memory with them.
        link: as for `sift`.
        recorded: as for `sift`.

    Raises:
        ModelFailed: a pair could not be judged.
    """
    found = Reconciled(dict(before.files), linked, judged=linked.added)
    while pairs := [one.pair for one in found.judged if one.of == "claims"]:
        taken_in = _taken_in(found.files, {id for pair in pairs for id in pair}, recorded)
        late = frozenset(max((taken_in.get(id, ("", "")), id) for id in pair)[1] for pair in pairs)
        after = found.linked.memory.wiki
        held = _unfit(policy, memory_diff.between(before.wiki, after), before.wiki, after, late)
        moved = False
        for source, file in before.files.items():
            left = found.files[source].claims
            taken = [claim for claim in left if claim.id in held] if not file.edits else []
            if taken:
                _take(found, source, taken, held, policy)
                moved = True
        if not moved:
            return found
        found.linked = link(found.files)
        found.judged = tuple(dict.fromkeys((*found.judged, *found.linked.added)))
    return found


def _taken_in(files: Mapping[str, ClaimFile], ids: set[str], recorded: Callable[[str], str]) -> dict[str, tuple[str, str]]:
    """When each of some claims was first taken in, and by which source."""
    found: dict[str, tuple[str, str]] = {}
    for source, file in files.items():
        for claim in file.claims:
            if claim.id in ids:
                when = (recorded(source), source)
                found[claim.id] = min(when, found.get(claim.id, when))
    return found


def _fresh(files: Mapping[str, ClaimFile], known: Mapping[str, ClaimFile]) -> dict[str, frozenset[str]]:
    """What each source of the union yields more than on one side; what people wrote themselves is never held back."""
    found = {}
    for source, file in files.items():
        before = known.get(source)
        ids = frozenset({claim.id for claim in file.claims} - {claim.id for claim in (before.claims if before else ())})
        if ids and not file.edits:
            found[source] = ids
    return found


def _held(policy: Policy, told: Sides, number: int, after: Wiki, fresh: frozenset[str]) -> dict[str, Finding]:
    """The claims that one side did not have and that are not let in, each with the reason."""
    mine, other = told.sides[number].wiki, told.sides[1 - number].wiki
    diff = memory_diff.between(mine, after)
    if not _unfit(policy, diff, mine, after, fresh):
        return {}
    known = {_key(change) for page in memory_diff.between(told.base(), other) for change in page.changes}
    together = tuple(_without(page, known) for page in diff)
    return _unfit(policy, together, mine, after, fresh)


def _unfit(policy: Policy, diff: tuple[PageDiff, ...], before: Wiki, after: Wiki, fresh: frozenset[str]) -> dict[str, Finding]:
    findings = risks.weigh(diff, before, after, fresh, policy.many)
    return {one.claim: one for one in findings if one.claim and policy.way(one) is not Way.COMMIT}


def _without(page: PageDiff, known: set[tuple[str, ...]]) -> PageDiff:
    return replace(page, changes=tuple(change for change in page.changes if _key(change) not in known))


def _key(change: Change) -> tuple[str, ...]:
    """What makes a change the same one elsewhere: its kind and the claims that it names; others may prove them there."""
    return (type(change).__name__, *(claim.id if claim else "" for claim in risks.named(change)))


def _later(held: list[dict[str, Finding]], fresh: list[dict[str, frozenset[str]]], recorded: Callable[[str], str]) -> int | None:
    """The side whose claims wait: the one with the claim that was taken in last; None if none has to."""
    last = [
        max(((recorded(source), source) for source, ids in told.items() if not ids.isdisjoint(wanted)), default=None)
        for wanted, told in zip(held, fresh, strict=True)
    ]
    known = [(when, number) for number, when in enumerate(last) if when is not None]
    return max(known)[1] if known else None


def _take(found: Reconciled, source: str, taken: list[Claim], why: Mapping[str, Finding], policy: Policy) -> None:
    file = found.files[source]
    found.files[source] = withholding.without(file, taken, [why[claim.id] for claim in taken], policy)
    kept = tuple(claim for claim in taken if policy.way(why[claim.id]) is Way.REVIEW)
    before = found.waiting.get(source)
    found.waiting[source] = replace(file, claims=(*(before.claims if before else ()), *kept), refusals=(), edits=())
