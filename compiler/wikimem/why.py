"""Why: what a statement of the wiki rests on: the claim, the quoted words, the session, and the commit that took it in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from wikimem import memory
from wikimem.core import likeness, moments
from wikimem.core.claims import Evidence
from wikimem.core.fold import Wiki
from wikimem.core.subjects import Subject
from wikimem.core.timeline import Lapsed, Retracted, Standing, Superseded
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
    """The claims that a statement means, best first; none if the wiki says nothing like it."""

    statement: str
    found: tuple[Reason, ...]

    def as_json(self) -> dict[str, Any]:
        """The reasons as plain values; the shape is stable."""
        return {"statement": self.statement, "claims": [asdict(one) for one in self.found]}


def why(vault: Vault, statement: str, limit: int = 3) -> Reasons:
    """What a statement rests on.

    Args:
        vault: the vault.
        statement: words of a claim, or its id.
        limit: at most so many claims.
    """
    remembered = memory.load(vault.root, vault.ledger, vault.settings.vocabulary)
    found = likeness.nearest(remembered.wiki, statement, limit)
    sources = {one.source for _, standing in found for one in standing.claim.evidence}
    titles = {source: vault.ledger.read(source).title for source in sources if source in vault.ledger.all()}
    with vault.repository() as repo:
        taken = {source: commits[-1] for source in sources if (commits := repo.log((memory.path(source),)))}
    return Reasons(statement, tuple(_reason(remembered.wiki, *pair, titles, taken) for pair in found))


def _reason(wiki: Wiki, subject: Subject, standing: Standing, titles: Mapping[str, str], taken: Mapping[str, Commit]) -> Reason:
    claim = standing.claim
    proofs = tuple(_proof(one, titles, taken.get(one.source)) for one in claim.evidence)
    page = f"wiki/{wiki.path(subject.key)}"
    return Reason(claim.id, claim.text, claim.stance.value, _state(subject, standing), page, proofs)


def _proof(one: Evidence, titles: Mapping[str, str], commit: Commit | None) -> Proof:
    return Proof(
        cite=f"{one.source}:{one.at}",
        quote=one.quote,
        speaker=one.speaker,
        name=one.name,
        said=one.said,
        session=titles.get(one.source, ""),
        accepting=one.proposal.quote if one.proposal else "",
        commit=commit.id if commit else "",
        when=commit.when if commit else "",
    )


def _state(subject: Subject, standing: Standing) -> str:
    current = standing.current
    texts = {one.claim.id: one.claim.text for one in subject.standings}
    if current is not None:
        rivals = "; ".join(texts[rival] for rival in standing.rivals)
        since = moments.shown(current.start.moment)
        told = f"holds since {since}" if since else "holds"
        return f"{told}, in conflict with: {rivals}" if rivals else told
    last = standing.past[-1]
    until = moments.shown(last.end.moment)
    match last.ending:
        case Superseded(by):
            return f"ended{f' on {until}' if until else ''}, superseded by: {texts[by]}"
        case Retracted(by):
            return f"retracted by: {texts[by]}"
        case Lapsed() | None:
            return f"ended{f' on {until}' if until else ''}"
