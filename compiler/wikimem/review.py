"""Review: what waits for a person, by risk and reach, and what they decide about it: approve, reject or edit, several at once.

An item is what one proposal says of one page. Approved claims enter their claims files as if they had never waited; rejected
and edited ones do too, with a ruling that hides or rewords them, so that no recompile brings them back otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import orjson

from wikimem import confiding, extracting, indexing, memory, pairing, proposing, taking
from wikimem.committing import Committed, Writer
from wikimem.confiding import Withheld
from wikimem.core import edits, judgements, memory_diff, messages, risks
from wikimem.core.claims import Claim
from wikimem.core.cold import Held, pair_of
from wikimem.core.edits import Changed, Edit, Operation, Rejected, Statement
from wikimem.core.fold import Wiki
from wikimem.core.judgements import Judgement
from wikimem.core.memory_diff import PageDiff
from wikimem.core.policies import Finding, Risk
from wikimem.errors import NoItem, Problem, UsageError
from wikimem.extracting import Extracted
from wikimem.memory import Memory
from wikimem.proposing import Proposal
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo

_LISTED = "review.json"


@dataclass(frozen=True, slots=True)
class Item:
    """What one proposal says of one page.

    Args:
        number: its place in the list, from 1.
        branch: the proposal's.
        title: the page's.
        page: its path below `wiki/`.
        risk: the greatest of its changes.
        reasons: why, as clauses.
        claims: ids of the claims that wait, with what each says, by source.
        why: of each of these claims what it does, as a clause, by id; those that only add have none.
        change: what the page would say otherwise, and the words that prove it, the riskiest first.
        pair: two claims, or two names, that would be made one, as `id id`; empty where claims wait.
    """

    number: int
    branch: str
    title: str
    page: str
    risk: Risk
    reasons: tuple[str, ...]
    claims: Mapping[str, tuple[Claim, ...]]
    why: Mapping[str, str]
    change: PageDiff
    pair: str = ""

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its claims, sorted, each once; of a pair both in one."""
        if self.pair:
            return (self.pair,)
        return tuple(sorted({claim.id for every in self.claims.values() for claim in every}))

    @property
    def waiting(self) -> tuple[Claim, ...]:
        """Its claims by id, each once."""
        found = {claim.id: claim for every in self.claims.values() for claim in every}
        return tuple(found[id] for id in sorted(found))

    @property
    def reach(self) -> int:
        """How many claims of the page it touches, old and new."""
        return max(len(self.change.changes), len(self.ids))

    def as_json(self) -> dict[str, Any]:
        """The item as plain values; the shape is stable."""
        return {
            "number": self.number,
            "branch": self.branch,
            "title": self.title,
            "page": self.page,
            "risk": self.risk.value,
            "reasons": list(self.reasons),
            "claims": list(self.ids),
            "why": dict(self.why),
            "reach": self.reach,
            "changes": memory_diff.as_json([self.change]),
        }


@dataclass(frozen=True, slots=True)
class Review:
    """All that waits: the riskiest first, then what reaches furthest; and what may be sensitive, by the places it was said."""

    items: tuple[Item, ...]
    withheld: tuple[Withheld, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The list as plain values; the shape is stable."""
        return {"items": [item.as_json() for item in self.items], "withheld": [one.as_json() for one in self.withheld]}


@dataclass(frozen=True, slots=True)
class Decided:
    """What a decision did.

    Args:
        done: what became of each claim, a sentence each.
        commit: the commit of the wiki; empty if nothing on it changed.
        changed: what the wiki says differently, `+1 ~0 -1`.
        left: how many items wait still.
        problems: pages that were left alone, proposals that could not be brought up to date.
    """

    done: tuple[str, ...]
    commit: str
    changed: str
    left: int
    problems: tuple[Problem, ...]

    def as_json(self) -> dict[str, Any]:
        """The result as plain values; the shape is stable."""
        return {
            "done": list(self.done),
            "commit": self.commit,
            "changed": self.changed,
            "left": self.left,
            "problems": [str(each) for each in self.problems],
        }


def pending(vault: Vault, fetch: bool = False, remote: str = "") -> Review:
    """What waits for a person; the numbers of this list stay good until the next one.

    Args:
        vault: the vault.
        fetch: look first which proposals the remote has.
        remote: its name; '' for `origin` or the only one.

    Raises:
        NoRemote, RemoteFailed: it is to be asked, and cannot be.
        GitFailed: git cannot answer.
        ShallowClone: a proposal was built on what this clone does not have.
    """
    vault.ledger.forget_cache()
    with vault.repository() as repo:
        if fetch:
            repo.fetch_proposals(repo.remote(remote)[0], proposing.TOP)
        proposing.check_whole(repo)
        remembered = memory.load(vault.root, vault.ledger, vault.settings.vocabulary)
        items = _items(vault, remembered, proposing.gather(vault, repo, remembered))
    held = confiding.waiting(vault, remembered, len(items) + 1)
    listed = {item.number: list(item.ids) for item in items} | {one.number: [one.place] for one in held}
    path = vault.work / _LISTED
    temporary = path.with_suffix(".tmp")
    temporary.write_bytes(orjson.dumps(listed, option=orjson.OPT_NON_STR_KEYS))
    temporary.replace(path)
    return Review(items, held)


def show(vault: Vault, named: Sequence[str]) -> Review:
    """Some of what waits, each in full.

    Args:
        named: numbers as last listed, ids of claims, places (`SOURCE:L12`) and `sensitive`, or nothing for all.

    Raises:
        NoItem: nothing of that name waits.
    """
    with vault.repository() as repo:
        proposing.check_whole(repo)
        remembered = memory.load(vault.root, vault.ledger, vault.settings.vocabulary)
        items = _items(vault, remembered, proposing.gather(vault, repo, remembered))
    held = confiding.waiting(vault, remembered, len(items) + 1)
    if not named:
        return Review(items, held)
    private, wanted = _sorted(vault, items, held, named)
    return Review(tuple(item for item in items if not wanted.isdisjoint(item.ids)), private)


def approve(vault: Vault, named: Sequence[str]) -> Decided:
    """Let claims in.

    Args:
        named: numbers as last listed, ids of claims, `all`; of what may be sensitive also places, `SOURCE:L12`. `all` has
            none of that in it, `sensitive` all.

    Raises:
        NoItem: nothing of that name waits.
        WorldError: git stands in the way.
    """
    return _decide(vault, named, lambda claim: None, "approved", confiding.approve)


def reject(vault: Vault, named: Sequence[str], reason: str = "") -> Decided:
    """Keep claims out for ever, however a model words them; see `approve`.

    Args:
        reason: why, for whoever reads the history; may be empty.
    """
    return _decide(vault, named, lambda claim: Rejected(edits.target(claim), reason), "rejected", confiding.bar)


def edit(vault: Vault, named: str, text: str) -> Decided:
    """Let a claim in with other words; see `approve`.

    Raises:
        UsageError: the item holds several claims, or the words are empty.
    """
    if not text.strip():
        raise UsageError("A claim needs words; to keep it out, reject it.")

    def reworded(claim: Claim) -> Operation:
        told = Statement(claim.mention, claim.attribute, claim.kind, claim.stance, text, claim.evidence[0].holds, claim.step)
        return Changed(edits.target(claim), told)

    return _decide(vault, [named], reworded, "reworded", confiding.reworded(text), alone=True, into=f" → {text}")


Ruling = Callable[[Claim], Operation | None]
"""What a person says of a claim that enters its claims file; None where it is let in as it is."""


def _decide(
    vault: Vault,
    named: Sequence[str],
    ruling: Ruling,
    verb: str,
    private: Callable[[Withheld], tuple[Operation, ...]],
    alone: bool = False,
    into: str = "",
) -> Decided:
    problems: list[Problem] = []
    extractor = extracting.extractor_of(vault)
    with vault.compiling(), vault.repository() as repo:
        with vault.writing():
            repo.recover()
            repo.check_idle()
            proposing.check_whole(repo)
            vault.ledger.forget_cache()
        writer = Writer(vault, repo, extractor, problems.append)
        writer.catch_up()
        found = proposing.gather(vault, repo, writer.memory)
        items = _items(vault, writer.memory, found)
        held, wanted = _sorted(vault, items, confiding.waiting(vault, writer.memory, len(items) + 1), named)
        pairs = [one for one in pairing.waiting(writer.memory.wiki) if one.basis in wanted]
        if alone and pairs:
            raise UsageError(f"{named[0]} is a pair, which has no words of its own; approve or reject it.")
        if alone:
            _one(named[0], held, wanted)
        chosen = _chosen(found, wanted)
        every = {claim.id: claim for claims in chosen.values() for claim in claims}
        words = tuple(f"{verb}: {claim.text}{into}" for claim in every.values())
        words += tuple(
            f"{verb}: {told}{into}" for one in held for told in ([claim.text for claim in one.claims] or [_elsewhere(one)])
        )
        words += tuple(f"{verb}: {pairing.words(writer.memory.wiki, one)}" for one in pairs)
        apart = _apart(writer.memory.wiki, pairs) if verb == "rejected" else []
        operations = [operation for claim in every.values() if (operation := ruling(claim)) is not None]
        operations += [*apart, *(operation for one in held for operation in private(one))]
        files = proposing.files(writer.memory, chosen, proposing.by_source(found))
        told = taking.numbered((Edit(each, repo.user, vault.now()) for each in operations), writer.memory.wiki)
        files, still = confiding.files(vault, files, held, writer.memory, told)
        made = [*_ruled(vault, repo, told, problems), *proposing.extracted(vault, files)]
        judged = _among(writer.memory, chosen, found)
        done = Committed("", (), 0)
        if made:
            done = writer.write(made, "review", f"{len(words)} {verb}.", sift=False, more=judged)
        if pairs and not apart:
            done = pairing.approve(writer, pairs)
        for stamp, claims in still.items():
            confiding.lay_aside(vault, stamp, claims)
        problems += proposing.refresh(vault, repo, writer)
        left = len(_items(vault, writer.memory, proposing.gather(vault, repo, writer.memory)))
        left += len(confiding.waiting(vault, writer.memory))
        wiki = writer.memory.wiki
    with suppress(OSError):
        indexing.refresh(vault.root, vault.ledger, vault.settings.vocabulary, wiki).close()
    return Decided(words, done.id, messages.trailer(done.diff), left, tuple(problems))


def _one(name: str, held: Sequence[Withheld], wanted: set[str]) -> None:
    """Make sure that a name means one claim, whose words are here."""
    ids = sorted({*wanted, *(claim.id for one in held for claim in one.claims)})
    if len(ids) > 1:
        raise UsageError(f"{name} holds {len(ids)} claims; name one by its id: {', '.join(ids)}")
    if not ids:
        raise UsageError(f"{name}: its claim was compiled elsewhere; `wikimem recompile` finds it here.")


def _elsewhere(one: Withheld) -> str:
    """What stands for a claim whose words are on another machine."""
    return f"what {one.place} claims; `wikimem recompile` looks for it here"


def _ruled(vault: Vault, repo: Repo, told: tuple[Edit, ...], problems: list[Problem]) -> list[Extracted]:
    """What the person says of the claims, kept as a source of its own; nothing where they let them in as they are."""
    if not told:
        return []
    taken = taking.keep(vault, repo, told, problems.append)
    return [extracting.extractor_of(vault, "rules").extract(vault.ledger, taken.source)]


def _apart(wiki: Wiki, pairs: Iterable[Held]) -> list[Operation]:
    """That the two of each pair are two."""
    return [operation for one in pairs for _, operation in pairing.apart(wiki, [pair_of(one)], one.of)]


def _among(remembered: Memory, chosen: Mapping[str, Sequence[Claim]], found: Iterable[Proposal]) -> tuple[Judgement, ...]:
    """The judgements of proposals whose both sides are known once these claims are in."""
    known = [
        *(claim for file in remembered.files.values() for claim in file.claims),
        *(c for each in chosen.values() for c in each),
    ]
    ids = {claim.id for claim in known} | {claim.mention.id for claim in known}
    return judgements.living((one for each in found for one in each.judged), ids)


def _chosen(found: Iterable[Proposal], wanted: set[str]) -> dict[str, tuple[Claim, ...]]:
    """The claims of these ids, by source."""
    every = proposing.by_source(found)
    picked = {source: tuple(claim for claim in claims if claim.id in wanted) for source, claims in every.items()}
    return {source: claims for source, claims in picked.items() if claims}


def _sorted(
    vault: Vault, items: Sequence[Item], held: Sequence[Withheld], named: Sequence[str]
) -> tuple[tuple[Withheld, ...], set[str]]:
    """What is meant of what may be sensitive, and the ids of the other claims that are meant."""
    listed = _last_list(vault) or {str(one.number): [one.place] for one in held}
    private = confiding.chosen(held, named, listed)
    if not private and [*named] == [confiding.ALL]:
        raise NoItem(confiding.ALL)
    others = [name for name in named if name not in private]
    wanted = _named(vault, items, others) if others or not private else set()
    return tuple(dict.fromkeys(one for every in private.values() for one in every)), wanted


def _named(vault: Vault, items: Sequence[Item], named: Sequence[str]) -> set[str]:
    """The ids of the claims that are meant."""
    waiting = {id for item in items for id in item.ids}
    listed = _last_list(vault) or {str(item.number): list(item.ids) for item in items}
    found: set[str] = set()
    for name in named:
        wanted = name.strip().strip("[^]")
        ids = waiting if wanted == "all" else waiting.intersection([wanted] if wanted in waiting else listed.get(wanted, ()))
        if not ids:
            raise NoItem(name)
        found |= ids
    if not found:
        raise NoItem("")
    return found


def _last_list(vault: Vault) -> dict[str, list[str]]:
    """The ids of the claims of each item, by the number that the person saw last."""
    try:
        told = orjson.loads((vault.root / ".wikimem" / _LISTED).read_bytes())
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def _items(vault: Vault, remembered: Memory, found: Iterable[Proposal]) -> tuple[Item, ...]:
    """What waits, an item a page and proposal."""
    made = [item for proposal in found if proposal.number for item in _of(vault, remembered, proposal)]
    made += [_pair(remembered, one) for one in pairing.waiting(remembered.wiki)]
    made.sort(key=lambda item: (-item.risk.rank, -item.reach, item.branch, item.page))
    return tuple(replace(item, number=number) for number, item in enumerate(made, 1))


def _pair(remembered: Memory, held: Held) -> Item:
    """The item of a pair."""
    subject, change = pairing.change(remembered, held)
    risk, _, reason = held.risk.partition(": it ")
    reasons = tuple(each for each in (reason, held.reason) if each)
    page = remembered.wiki.path(subject.key)
    return Item(0, "", change.title, page, Risk(risk), reasons, {}, {}, change, held.basis)


def _of(vault: Vault, remembered: Memory, proposal: Proposal) -> Iterable[Item]:
    """The items of a proposal."""
    before, after = remembered.wiki, proposing.folded(remembered, proposal)
    diff = memory_diff.between(before, after)
    changes = {page.path: page for page in diff}
    waiting = {claim.id: claim for claims in proposal.claims.values() for claim in claims}
    findings: dict[str, list[Finding]] = {}
    for finding in risks.weigh(diff, before, after, frozenset(waiting), vault.settings.policy.many):
        findings.setdefault(finding.page, []).append(finding)
    for (page, title), ids in sorted(_pages(after, waiting).items()):
        told = sorted((one for one in findings.get(page, []) if one.claim in ids), key=lambda one: -one.risk.rank)
        why = {one.claim: one.reason for one in reversed(told) if one.reason}
        claims = {source: tuple(claim for claim in every if claim.id in ids) for source, every in proposal.claims.items()}
        yield Item(
            number=0,
            branch=proposal.name,
            title=title,
            page=page,
            risk=risks.greatest(told),
            reasons=tuple(dict.fromkeys(one.reason for one in told if one.reason)),
            claims={source: every for source, every in claims.items() if every},
            why=why,
            change=_by_risk(changes.get(page, PageDiff(page, title, ())), told),
        )


def _by_risk(page: PageDiff, told: Iterable[Finding]) -> PageDiff:
    """The changes of a page, those first that claims of the greatest risk bring about."""
    ranks: dict[str, int] = {}
    for one in told:
        ranks[one.claim] = max(one.risk.rank, ranks.get(one.claim, 0))

    def rank(change: memory_diff.Change) -> int:
        return max((ranks.get(claim.id, -1) for claim in risks.named(change) if claim), default=-1)

    return replace(page, changes=tuple(sorted(page.changes, key=lambda change: -rank(change))))


def _pages(wiki: Wiki, waiting: Mapping[str, Claim]) -> dict[tuple[str, str], set[str]]:
    """The ids of the claims that wait, by path and title of the page they would stand on."""
    home = {claim.id: subject for subject in wiki.subjects.values() for claim in subject.claims}
    found: dict[tuple[str, str], set[str]] = {}
    for id, claim in waiting.items():
        subject = home.get(id)
        place = (wiki.path(subject.key), subject.title) if subject else ("", claim.mention.name)
        found.setdefault(place, set()).add(id)
    return found
