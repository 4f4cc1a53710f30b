"""Why: what a statement of the wiki rests on: the claim, the quoted words, the session, and the commit that took it in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from wikimem import browsing, memory
from wikimem.core import telling, texts, words
from wikimem.core.claims import Claim, Evidence
from wikimem.core.statements import Statement
from wikimem.errors import Problem
from wikimem.recall import claims_matching
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Commit


@dataclass(frozen=True, slots=True)
class Proof:
    """One piece of evidence.

    Args:
        cite: `SOURCE:L120`.
        quote: the words.
        speaker: who said them.
        name: the person's name; empty if unknown.
        said: when; empty if unknown.
        told: the same, in the zone of the vault.
        session: what the session is called; empty if its source is gone.
        accepting: the proposal that the words accept; empty usually.
        commit: the commit that took the source's claims in; empty if it is in none yet.
        when: when that commit was made.
    """

    cite: str
    quote: str
    speaker: str
    name: str
    said: str
    told: str
    session: str
    accepting: str
    commit: str
    when: str


@dataclass(frozen=True, slots=True)
class Reason:
    """A claim and what it rests on.

    Args:
        claim: its id.
        text: what it says.
        stance: its stance.
        state: whether it holds, since when or until when, and what took its place, in words.
        page: vault-relative path of its page.
        proofs: its evidence, earliest first.
    """

    claim: str
    text: str
    stance: str
    state: str
    page: str
    proofs: tuple[Proof, ...]


@dataclass(frozen=True, slots=True)
class Reasons:
    """The claims that a statement means, best first: those alone that hold its very words, if any do; none if the wiki says
    nothing like it; and what was unreadable."""

    statement: str
    found: tuple[Reason, ...]
    problems: tuple[Problem, ...]

    def as_json(self) -> dict[str, Any]:
        """The reasons as plain values; the shape is stable."""
        return {
            "statement": self.statement,
            "claims": [asdict(one) for one in self.found],
            "problems": [str(each) for each in self.problems],
        }


def why(vault: Vault, statement: str, limit: int = 3, scope: str = "") -> Reasons:
    """What a statement rests on.

    Args:
        vault: the vault.
        statement: words of a claim, or its id with or without `[^…]`.
        limit: at most so many claims.
        scope: who asks, as for `recall`.
    """
    asked = statement.strip().strip("[^]")
    if all(word in words.STOP for word in texts.words(asked)):
        return Reasons(statement, (), ())
    matched = claims_matching(vault, asked, limit, scope)
    said = tuple(one for one in matched.statements if _says(one.claim, asked)) or matched.statements
    sources = {one.source for found in said for one in found.claim.evidence}
    known = vault.ledger.all()
    titles = {id: browsing.title(vault.root, known[id], vault.ledger.read(id)) for id in sources if id in known}
    with vault.repository() as repo:
        taken = {source: commits[-1] for source in sources if (commits := repo.log((memory.path(source),)))}
    return Reasons(statement, tuple(_reason(found, titles, taken) for found in said), matched.problems)


def _says(claim: Claim, asked: str) -> bool:
    """Whether a claim, or what it rests on, holds these very words; a single word says too little."""
    wanted = " ".join(texts.words(asked))
    told = (" ".join(texts.words(text)) for text in (claim.text, *(one.quote for one in claim.evidence)))
    return " " in wanted and any(f" {wanted} " in f" {text} " for text in told)


def _reason(found: Statement, titles: Mapping[str, str], taken: Mapping[str, Commit]) -> Reason:
    claim = found.claim
    proofs = tuple(_proof(one, titles, taken.get(one.source)) for one in claim.evidence)
    told = [telling.state(found), telling.dates(found), telling.ending(found)]
    return Reason(
        claim.id,
        claim.text,
        telling.ground(found) if claim.rests else claim.stance.value,
        ", ".join(word for word in told if word),
        found.page,
        proofs,
    )


def _proof(one: Evidence, titles: Mapping[str, str], commit: Commit | None) -> Proof:
    return Proof(
        cite=f"{one.source}:{one.at}",
        quote=one.quote,
        speaker=one.speaker,
        name=one.name,
        said=one.said,
        told=one.zone.told(one.said),
        session=titles.get(one.source, ""),
        accepting=one.proposal.quote if one.proposal else "",
        commit=commit.id if commit else "",
        when=one.zone.told(commit.when) if commit else "",
    )
