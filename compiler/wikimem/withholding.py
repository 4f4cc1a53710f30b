"""Withholding: which new claims of a source wait for a person, by the vault's policy, and where until they are proposed.

What waits is in no claims file, on no page and on no card: only a refusal without its words stands for it. It lies in the
vault's own ignored folder until a branch proposes it, so that nothing is lost between the one and the other.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from wikimem.core import claimfiles, judgements, memory_diff, risks
from wikimem.core.claimfiles import POLICY, REVIEW, ClaimFile, Refusal
from wikimem.core.claims import Claim
from wikimem.core.fold import Wiki
from wikimem.core.judgements import Judgement
from wikimem.core.memory_diff import Late, PageDiff
from wikimem.core.policies import Finding, Policy, Way
from wikimem.judging import Linked
from wikimem.vault import Vault


@dataclass(frozen=True, slots=True)
class Sifted:
    """Claims files without what waits.

    Args:
        files: of the sources that come in, by id.
        linked: the memory with them.
        diff: what the wiki says differently then.
        findings: the risks of that.
        waiting: the claims that wait, by source.
        judged: judgements that were made on the way.
    """

    files: Mapping[str, ClaimFile]
    linked: Linked
    diff: tuple[PageDiff, ...]
    findings: tuple[Finding, ...]
    waiting: Mapping[str, tuple[Claim, ...]]
    judged: tuple[Judgement, ...]


def sift(
    policy: Policy,
    before: Wiki,
    known: Mapping[str, ClaimFile],
    made: Mapping[str, ClaimFile],
    link: Callable[[Mapping[str, ClaimFile]], Linked],
) -> Sifted:
    """Take out of claims files what the policy does not let in by itself.

    Args:
        policy: what becomes of which risk.
        before: the wiki without them.
        known: all claims files of before.
        made: those that come in, by source.
        link: the memory with all of these files; may be asked several times.

    Raises:
        ModelFailed: a pair could not be judged.
    """
    files = dict(made)
    waiting: dict[str, tuple[Claim, ...]] = {}
    judged: list[Judgement] = []
    while True:
        linked = link({**known, **files})
        judged += linked.added
        diff = memory_diff.between(before, linked.memory.wiki)
        fresh = frozenset(id for source, file in files.items() for id in _fresh(file, known.get(source)))
        findings = risks.weigh(diff, before, linked.memory.wiki, fresh, policy.many)
        held = {one.claim: one for one in findings if one.claim and policy.way(one) is not Way.COMMIT}
        if not held:
            return Sifted(files, linked, diff, findings, waiting, tuple(dict.fromkeys(judged)))
        held |= _overtaken(diff, held, fresh)
        for source, file in files.items():
            taken = [claim for claim in file.claims if claim.id in held and claim.id in _fresh(file, known.get(source))]
            if taken:
                files[source] = without(file, taken, [held[claim.id] for claim in taken], policy)
                kept = tuple(claim for claim in taken if policy.way(held[claim.id]) is Way.REVIEW)
                waiting[source] = (*waiting.get(source, ()), *kept)


def _fresh(file: ClaimFile, before: ClaimFile | None) -> frozenset[str]:
    """The ids of what a source did not yield before; what people wrote themselves is never held back from them."""
    if file.edits:
        return frozenset()
    return frozenset({claim.id for claim in file.claims} - {claim.id for claim in (before.claims if before else ())})


def _overtaken(diff: Iterable[PageDiff], held: Mapping[str, Finding], fresh: frozenset[str]) -> dict[str, Finding]:
    """What the same source said and took back by a claim that waits: alone it would pass for true."""
    return {
        change.claim.id: held[change.by.id]
        for page in diff
        for change in page.changes
        if isinstance(change, Late) and change.by is not None and change.by.id in held
        if change.claim.id in fresh and change.claim.id not in held
    }


def without(file: ClaimFile, taken: Sequence[Claim], why: Sequence[Finding], policy: Policy) -> ClaimFile:
    """A claims file without some claims, each of which leaves a refusal that holds no word of it."""
    ids = {claim.id for claim in taken}
    left = [
        Refusal(REVIEW if policy.way(one) is Way.REVIEW else POLICY, claim.evidence[0].at, f"{one.risk}: it {one.reason}")
        if one.reason
        else Refusal(REVIEW if policy.way(one) is Way.REVIEW else POLICY, claim.evidence[0].at, f"{one.risk}")
        for claim, one in zip(taken, why, strict=True)
    ]
    kept = tuple(claim for claim in file.claims if claim.id not in ids)
    return replace(file, claims=kept, refusals=tuple(sorted({*file.refusals, *left})))


def still(made: ClaimFile, before: ClaimFile | None) -> ClaimFile:
    """A claims file that was made anew, without what waits or was refused by policy: that waits on, as it was worded."""
    held = [one for one in before.refusals if one.rule in (REVIEW, POLICY)] if before else []
    if before is None or not held:
        return made
    places = {one.at for one in held}
    known = {claim.id for claim in before.claims}
    kept = tuple(claim for claim in made.claims if claim.id in known or claim.evidence[0].at not in places)
    return replace(made, claims=kept, refusals=tuple(sorted({*made.refusals, *held})))


def with_claims(file: ClaimFile, claims: Iterable[Claim], open_: Iterable[Claim] = ()) -> ClaimFile:
    """A claims file with claims that waited.

    Args:
        file: as it is.
        claims: what was decided.
        open_: what waits on, of the same source: for the rest no refusal is left.
    """
    added = {claim.id: claim for claim in claims}
    places = {claim.evidence[0].at for claim in added.values()} - {
        claim.evidence[0].at for claim in open_ if claim.id not in added
    }
    refusals = tuple(one for one in file.refusals if one.rule != REVIEW or one.at not in places)
    own = {claim.id: claim for claim in file.claims}
    return replace(file, claims=tuple((own | added)[id] for id in sorted(own | added)), refusals=refusals)


def lay_aside(vault: Vault, file: ClaimFile, claims: Iterable[Claim], judged: Iterable[Judgement], add: bool = False) -> None:
    """Keep the claims of a source that wait, and what was judged about them, until they are proposed.

    Args:
        vault: the vault.
        file: the source's claims file.
        claims: what waits.
        judged: judgements, also about others.
        add: keep also what was laid aside of this source before.
    """
    if add and (before := laid_aside(vault).get(file.stamp.source)):
        claims = {claim.id: claim for claim in (*before[0], *claims)}.values()
        judged = dict.fromkeys((*before[1], *judged))
    folder = vault.work / "review"
    folder.mkdir(exist_ok=True)
    source, waiting = file.stamp.source, tuple(claims)
    ids = {claim.id for claim in waiting} | {claim.mention.id for claim in waiting}
    about = judgements.write(one for one in judged if not ids.isdisjoint(one.pair))
    _write(folder / f"{source}.pairs", about)
    _write(folder / f"{source}.jsonl", claimfiles.write(ClaimFile(file.stamp, waiting)))


def _write(path: Path, data: bytes) -> None:
    temporary = path.with_name(f"{path.name}.tmp")
    with temporary.open("wb") as opened:
        opened.write(data)
        opened.flush()
        os.fsync(opened.fileno())
    temporary.replace(path)


def laid_aside(vault: Vault) -> dict[str, tuple[tuple[Claim, ...], tuple[Judgement, ...]]]:
    """What waits and is not proposed yet, and what was judged about it, by source."""
    found: dict[str, tuple[tuple[Claim, ...], tuple[Judgement, ...]]] = {}
    for path in sorted((vault.root / ".wikimem" / "review").glob("*.jsonl")):
        file, _ = claimfiles.read(path.read_bytes(), path.name)
        pairs = path.with_suffix(".pairs")
        if file is not None:
            judged = judgements.read(pairs.read_bytes(), pairs.name)[0] if pairs.exists() else ()
            found[file.stamp.source] = file.claims, judged
    return found


def clear(vault: Vault, sources: Iterable[str]) -> None:
    """Remove what is proposed now."""
    for source in sources:
        for ending in ("jsonl", "pairs"):
            (vault.root / ".wikimem" / "review" / f"{source}.{ending}").unlink(missing_ok=True)
