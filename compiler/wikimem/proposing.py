"""Proposing: what waits for a person, as branches `memory/<scope>/<day>` that hold the commit it would be.

What a branch proposes is what its claims files hold more than the commit it was built on. So a proposal is a thing of git:
it survives restarts, goes to other machines, and is made anew, never merged as text, where the wiki has moved on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wikimem import extracting, memory, withholding
from wikimem.committing import Writer
from wikimem.core import claimfiles, fold, judgements, messages, risks, rulings, slugs
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.claims import Claim
from wikimem.core.fold import Wiki
from wikimem.core.judgements import Judgement
from wikimem.core.tombstones import Tombstones
from wikimem.errors import ModelFailed, PagesBroken, Problem, ShallowClone
from wikimem.extracting import Extracted
from wikimem.memory import Memory
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo

TOP = "memory/"
"""What the names of the branches begin with."""
_AHEAD = "it was built on sources that are not here yet; `wikimem sync` gets them, then run this again"


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one branch proposes.

    Args:
        name: of the branch, `memory/project-checkout/2026-08-14`.
        tips: its commits, here and at remotes; none if it is not made yet.
        claims: what waits, by source.
        judged: judgements about it that were made already.
        fresh: whether its commits hold other than that.
        ahead: whether a commit of it was built on sources that this clone has not got yet.
    """

    name: str
    tips: tuple[str, ...]
    claims: Mapping[str, tuple[Claim, ...]]
    judged: tuple[Judgement, ...]
    fresh: bool = False
    ahead: bool = False

    @property
    def number(self) -> int:
        """How many claims wait."""
        return sum(map(len, self.claims.values()))


def branch(scope: str, day: str) -> str:
    """The name of the branch for what concerns a scope and was compiled on a day, `2026-08-14`."""
    return f"{TOP}{slugs.slug(scope, 'scope', scope) if scope else 'no-scope'}/{day}"


def check_whole(repo: Repo) -> None:
    """Refuse to go on where a proposal cannot be read.

    Raises:
        ShallowClone: the clone does not have what it was built on.
    """
    if cut := _cut(repo, repo.proposals(TOP)):
        raise ShallowClone(min(cut))


def _cut(repo: Repo, tips: Mapping[str, Iterable[str]]) -> frozenset[str]:
    """The proposals that were built on what a shallow clone does not have."""
    head = repo.head
    if not head or not repo.shallow:
        return frozenset()
    return frozenset(name for name, every in tips.items() if not all(repo.built_on(tip, head) for tip in every))


def gather(vault: Vault, repo: Repo, remembered: Memory) -> tuple[Proposal, ...]:
    """All proposals with what of them still waits, by name; those with nothing left are among them, and those that a shallow
    clone cannot read are not.

    Args:
        vault: the vault.
        repo: its repository.
        remembered: what the claims files give now.

    Raises:
        GitFailed: a branch cannot be read.
    """
    found: dict[str, Proposal] = {}
    head = repo.head
    stones = repo.tombstones()
    every_tip = repo.proposals(TOP) if head else {}
    for name, tips in ((name, every_tip[name]) for name in every_tip.keys() - _cut(repo, every_tip)):
        claims: dict[str, dict[str, Claim]] = defaultdict(dict)
        told = [_proposed(repo, head, tip) for tip in tips]
        for each in told:
            for source, every in each.claims.items():
                waiting = (claim for claim in every if _waits(claim, source, remembered) and not _is_forgotten(claim, stones))
                claims[source] |= {claim.id: claim for claim in waiting}
        kept = {source: tuple(every.values()) for source, every in sorted(claims.items()) if every}
        judged = tuple(dict.fromkeys(one for each in told for one in each.judged))
        held = max(sum(map(len, each.claims.values())) for each in told)
        unknown = {source for source in claims if source not in remembered.files}
        ahead = any(_is_ahead(repo, head, tip, unknown) for tip in tips) if unknown else False
        found[name] = Proposal(name, tuple(tips), kept, judged, fresh=held != sum(map(len, kept.values())), ahead=ahead)
    known = {(source, claim.id) for each in found.values() for source, every in each.claims.items() for claim in every}
    for source, (aside, more) in withholding.laid_aside(vault).items():
        for claim in aside:
            if (source, claim.id) in known or not _waits(claim, source, remembered):
                continue
            name = branch(claim.mention.scope, vault.now()[:10])
            had = found.get(name) or Proposal(name, (), {}, ())
            together = {**had.claims, source: (*had.claims.get(source, ()), claim)}
            judged = tuple(dict.fromkeys((*had.judged, *more)))
            found[name] = replace(had, claims=dict(sorted(together.items())), judged=judged, fresh=True)
    return tuple(found[name] for name in sorted(found))


@dataclass(frozen=True, slots=True)
class _Told:
    """What one commit proposes: claims by source, and judgements."""

    claims: Mapping[str, tuple[Claim, ...]]
    judged: tuple[Judgement, ...]


def _is_ahead(repo: Repo, head: str, tip: str, unknown: Iterable[str]) -> bool:
    """Whether sources that are unknown here did not come here yet; else they were forgotten."""
    common = repo.base(head, tip)
    had = repo.paths(memory.CLAIMS, common) if common else {}
    return any(memory.path(source) not in had for source in unknown)


def _proposed(repo: Repo, head: str, tip: str) -> _Told:
    """What the claims files of a commit hold more than those of the commit it was built on."""
    base = repo.built_on(tip, head)
    if not base or base == tip:
        return _Told({}, ())
    old, new = repo.paths(memory.CLAIMS, base), repo.paths(memory.CLAIMS, tip)
    changed = {path: blob for path, blob in new.items() if old.get(path) != blob}
    texts = repo.contents([*changed.values(), *(old[path] for path in changed if path in old)])
    claims: dict[str, tuple[Claim, ...]] = {}
    judged: list[Judgement] = []
    for path, blob in changed.items():
        before = texts[old[path]] if path in old else b""
        if path.startswith(f"{memory.PAIRS}/"):
            had = set(judgements.read(before, path)[0])
            judged += [one for one in judgements.read(texts[blob], path)[0] if one not in had]
            continue
        file, was = claimfiles.read(texts[blob], path)[0], claimfiles.read(before, path)[0]
        if file is not None and was is not None:
            ids = {claim.id for claim in was.claims}
            claims[file.stamp.source] = tuple(claim for claim in file.claims if claim.id not in ids)
    return _Told({source: every for source, every in claims.items() if every}, tuple(judged))


def _waits(claim: Claim, source: str, remembered: Memory) -> bool:
    """Whether nobody has decided about a claim: not taken, not rejected, and its source is still here."""
    file = remembered.files.get(source)
    if file is None or any(known.id == claim.id for known in file.claims):
        return False
    return bool(rulings.apply((claim,), remembered.wiki.ground.ruled))


def _is_forgotten(claim: Claim, stones: Tombstones) -> bool:
    """Whether a claim rests on turns alone that were forgotten: a remote may still propose it."""
    return all(stones.has_turn(one.turn) for one in claim.evidence)


def files(remembered: Memory, claims: Mapping[str, Iterable[Claim]], rest: Mapping[str, Iterable[Claim]]) -> dict[str, ClaimFile]:
    """The claims files of the sources of some claims that waited, with these in them.

    Args:
        remembered: what is known.
        claims: what is taken in, by source.
        rest: all that waits, by source.
    """
    return {
        source: withholding.with_claims(remembered.files[source], every, rest.get(source, ())) for source, every in claims.items()
    }


def extracted(vault: Vault, made: Mapping[str, ClaimFile]) -> list[Extracted]:
    """Claims files, each with the card of its source."""
    return [
        Extracted(file, extracting.carded(vault.ledger, file, vault.settings.sensitive), 0, 0) for _, file in sorted(made.items())
    ]


def refresh(vault: Vault, repo: Repo, writer: Writer, every: bool = False) -> tuple[Problem, ...]:
    """Make the branches what they are to be: what is new gets into its branch, what is decided goes, one that is done is removed.

    Args:
        vault: the vault; the caller holds the lock of `vault.compiling`.
        repo: its repository.
        writer: what the wiki is now.
        every: also make anew those that were built on an older commit.

    Returns:
        What could not be proposed, and why; it waits until the next time.
    """
    found = gather(vault, repo, writer.memory)
    waiting = by_source(found)
    problems = []
    done = set(withholding.laid_aside(vault))
    for proposal in found:
        if proposal.ahead:
            # Made anew here, it would lose what this clone does not know.
            problems += [Problem(proposal.name, "proposal", _AHEAD)] if every or proposal.fresh else []
            done -= set(proposal.claims)
            continue
        if not proposal.number:
            with vault.writing():
                repo.drop(proposal.name)
            continue
        stale = every and any(repo.base(repo.head, tip) != repo.head for tip in proposal.tips)
        if not (proposal.fresh or len(proposal.tips) > 1 or stale):
            continue
        try:
            _make(vault, repo, writer, proposal, waiting)
        except (ModelFailed, PagesBroken) as error:
            problems.append(Problem(proposal.name, "proposal", f"it is not brought up to date yet: {error}"))
            done -= set(proposal.claims)
    writer.relearn()
    withholding.clear(vault, done)
    return tuple(problems)


def by_source(found: Iterable[Proposal]) -> dict[str, tuple[Claim, ...]]:
    """All that waits, by source."""
    every: dict[str, tuple[Claim, ...]] = {}
    for proposal in found:
        for source, claims in proposal.claims.items():
            every[source] = (*every.get(source, ()), *claims)
    return every


def _make(vault: Vault, repo: Repo, writer: Writer, proposal: Proposal, waiting: Mapping[str, tuple[Claim, ...]]) -> str:
    """Build a proposal on the current commit and let its branch be there."""
    from wikimem.edges.repo import Message

    made = extracted(vault, files(writer.memory, proposal.claims, waiting))
    plan = writer.plan(made, sift=False, more=proposal.judged)
    before, after = writer.memory.wiki, plan.linked.memory.wiki
    fresh = frozenset(claim.id for claims in proposal.claims.values() for claim in claims)
    findings = risks.weigh(plan.diff, before, after, fresh, vault.settings.policy.many)
    trailers = (
        ("Wiki-Op", "propose"),
        *(("Source", source) for source in list(proposal.claims)[:100]),
        ("Claims", messages.trailer(plan.diff)),
        ("Risk", risks.trailer(findings)),
    )
    about = f"{proposal.number} claim{'' if proposal.number == 1 else 's'} that wait for a person to look at them."
    said = Message(messages.subject("propose", plan.diff, proposal.name), messages.body(about, plan.diff), trailers)
    with vault.writing():
        parents = [repo.head, *proposal.tips]
        return repo.propose(proposal.name, parents, plan.rendered.writes, sorted(plan.rendered.deletes), said)


def purge(vault: Vault, repo: Repo, sources: frozenset[str], stands: Callable[[bytes], bool]) -> None:
    """Take what was forgotten out of what waits: a branch that holds some of it goes, with all its commits; what else it proposed
    is laid aside, and proposed anew by the next run.

    Args:
        vault: the vault; the caller holds the lock of `vault.compiling`.
        repo: its repository, after the commit that forgets.
        sources: ids of the sources that were forgotten, in whole or in part.
        stands: whether something forgotten stands in some bytes.
    """
    if not repo.proposals(TOP) and not withholding.laid_aside(vault):
        return
    remembered = memory.load(vault.root, vault.ledger, vault.settings.vocabulary)
    kept: dict[str, list[Claim]] = defaultdict(list)
    judged: list[Judgement] = []
    found = gather(vault, repo, remembered)
    for proposal in found:
        told = [_proposed(repo, repo.head, tip) for tip in proposal.tips]
        mine = {source for each in told for source in each.claims} | set(proposal.claims)
        if not proposal.fresh and mine.isdisjoint(sources):
            continue
        for source, claims in proposal.claims.items():
            kept[source] += [claim for claim in claims if source not in sources or not stands(claimfiles.one(claim))]
        judged += proposal.judged
        with vault.writing():
            repo.drop(proposal.name)
    withholding.clear(vault, {*sources, *withholding.laid_aside(vault)})
    for source, left in kept.items():
        if left:
            withholding.lay_aside(vault, remembered.files[source], left, judged)


def folded(remembered: Memory, proposal: Proposal) -> Wiki:
    """The wiki with all that a proposal proposes; no model is asked, so pairs that nobody judged yet count as unrelated."""
    made = files(remembered, proposal.claims, proposal.claims)
    judged = judgements.settled((*remembered.judged, *proposal.judged))
    every = {**remembered.files, **made}
    owners = remembered.wiki.ground.owners
    return fold.again(remembered.wiki, every.values(), judged, remembered.wiki.vocabulary, owners)
