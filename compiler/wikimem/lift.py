"""Lift: claims on cards that were asked for get onto a page. By hand or in the background, never by recall itself.

The log of recalls is this machine's own, and pages are made from what is in git alone. So what it tells is recorded as an edit
like any other, without a word of any question: it holds on every machine, outlives a recompile, and `undo` takes it back for
good. What a person rejected stays rejected, and what would do more than add to a page is left to a person.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikimem import extracting, indexing, taking
from wikimem.committing import Writer
from wikimem.core import demand, edits, memory_diff, recalls, risks, rulings
from wikimem.core.claimfiles import ClaimFile, Stamp
from wikimem.core.claims import Claim
from wikimem.core.demand import Asked
from wikimem.core.edits import Edit, Lifted
from wikimem.core.fold import Wiki
from wikimem.core.policies import Finding, Way
from wikimem.edges import recalls as logs
from wikimem.errors import Problem
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo


_NOWHERE = Stamp("undated-edit-00000000", "", "", "", "")


@dataclass(frozen=True, slots=True)
class Raised:
    """What was lifted.

    Args:
        dry_run: whether it only looked.
        claims: what the claims say that get onto a page, by id.
        left: claims that were asked for and stay on their card, by id, each with the reason.
        source: the source that keeps it; empty if nothing was lifted.
        commit: the commit of the pages.
        problems: pages that were left alone.
    """

    dry_run: bool
    claims: Mapping[str, str]
    left: Mapping[str, str]
    source: str = ""
    commit: str = ""
    problems: tuple[Problem, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The report as plain values; the shape is stable."""
        return {
            "dry_run": self.dry_run,
            "claims": dict(self.claims),
            "left": dict(self.left),
            "source": self.source,
            "commit": self.commit,
            "problems": [str(each) for each in self.problems],
        }


def lift(vault: Vault, dry_run: bool = False) -> Raised:
    """Put what was asked for onto its page.

    Args:
        vault: the vault.
        dry_run: only tell.

    Raises:
        SecretLeft: a claim holds a secret; nothing is lifted.
        WorldError: git or another process stands in the way; nothing is lifted.
    """
    questions = demand.asked(recalls.read(logs.lines(vault.root)), vault.zone.day)
    if not questions or not vault.settings.vocabulary.sparing:
        return Raised(dry_run, {}, {})
    problems: list[Problem] = []
    with vault.compiling(), vault.repository() as repo:
        with vault.writing():
            if not dry_run:
                repo.recover()
                repo.check_idle()
            vault.ledger.forget_cache()
        writer = Writer(vault, repo, extracting.extractor_of(vault, "rules"), problems.append)
        found = _wanted(vault, writer.memory.wiki, questions)
        chosen, left = _harmless(vault, writer, found)
        if dry_run or not chosen:
            return Raised(dry_run, {one.id: one.text for one in chosen}, left)
        source, commit = _write(vault, repo, writer, chosen, problems)
        wiki = writer.memory.wiki
    with indexing.refresh(vault.root, vault.ledger, vault.settings.vocabulary, wiki):
        pass
    return Raised(False, {one.id: one.text for one in chosen}, left, source, commit, tuple(problems))


def _wanted(vault: Vault, wiki: Wiki, questions: Mapping[str, Sequence[Asked]]) -> list[Claim]:
    """The claims that stay on their card, were asked for, and were never lifted before: what was undone stays so."""
    known = vault.ledger.all()
    before = rulings.placed(
        edit.operation.target for file in wiki.ground.raw.values() for _, edit in file.edits if isinstance(edit.operation, Lifted)
    )
    aside = (
        claim
        for source, ids in sorted(wiki.ground.alone.items())
        for claim in wiki.ground.left[source].claims
        if claim.id in ids and not rulings.is_lifted(claim, before)
    )
    every = demand.wanted(aside, questions, lambda source: known[source].session if source in known else "")
    return list({claim.id: claim for claim in every}.values())


def _harmless(vault: Vault, writer: Writer, found: Iterable[Claim]) -> tuple[list[Claim], dict[str, str]]:
    """Those of some claims that the vault's policy lets onto a page by themselves, and why the others stay."""
    chosen, left = list(found), dict[str, str]()
    before, policy = writer.memory.wiki, vault.settings.policy
    while chosen:
        told = ClaimFile(_NOWHERE, edits=tuple((number, edit) for number, edit in enumerate(_edits(vault, chosen), 1)))
        after = writer.link({**writer.memory.files, _NOWHERE.source: told}).memory.wiki
        ids = frozenset(one.id for one in chosen)
        findings = risks.weigh(memory_diff.between(before, after), before, after, ids, policy.many)
        held = {one.claim: _why(one) for one in findings if one.claim and policy.way(one) is not Way.COMMIT}
        if not held:
            break
        left |= held
        chosen = [one for one in chosen if one.id not in held]
    writer.relearn()
    return chosen, left


def _edits(vault: Vault, chosen: Iterable[Claim]) -> list[Edit]:
    return [Edit(Lifted(edits.target(one)), "", vault.now()) for one in chosen]


def _why(one: Finding) -> str:
    return f"{one.risk} risk: it {one.reason}" if one.reason else f"{one.risk} risk"


def _write(vault: Vault, repo: Repo, writer: Writer, chosen: Iterable[Claim], problems: list[Problem]) -> tuple[str, str]:
    """The source that keeps it, and the commit of the pages."""
    taken = taking.keep(vault, repo, taking.numbered(_edits(vault, chosen), writer.memory.wiki), problems.append)
    extracted = extracting.extractor_of(vault, "rules").extract(vault.ledger, taken.source)
    done = writer.write([extracted], "compile", f"{taken.source} (asked for)")
    return taken.source, done.id


def text(found: Raised) -> str:
    """The report as lines for a person."""
    if not found.claims and not found.left:
        return "Nothing that stays on a card was asked for."
    number = len(found.claims)
    noun = f"{number} claim{'s' if number != 1 else ''} that {'were' if number != 1 else 'was'} asked for"
    lines = [f"Would lift {noun}. Nothing was changed." if found.dry_run else f"Lifted {noun}."] if number else []
    lines += [f"  {id}: {said}" for id, said in found.claims.items()]
    lines += [f"Stays on its card: {id}, {why}; `wikimem keep {id}` lifts it." for id, why in found.left.items()]
    lines += [str(problem) for problem in found.problems]
    return "\n".join(lines)
