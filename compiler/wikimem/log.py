"""Log: what was done to the vault and by whom, newest first, read from git's history alone. It computes no difference.

What each commit of ours changed stands in its trailers, so the log of ten thousand commits is one call of git.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Commit

BY_HAND = "by hand"
"""The operation of a commit that wikimem did not make."""

_NAMED = 100
"""Sources that a commit names at most; one that names so many may stand for more."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One commit of the vault.

    Args:
        commit: its id.
        when: when it was made, in the vault's zone.
        op: what was done: `ingest`, `compile`, `edit`, `forget`, …; `by hand` for a commit that a person made.
        who: its author.
        sources: the sources that it names.
        changed: claims gained, corrected and ended, `+3 ~1 -0`; empty where it does not say.
        risk: of what it changed; empty where it does not say.
        subject: its first line.
    """

    commit: str
    when: str
    op: str
    who: str
    sources: tuple[str, ...]
    changed: str
    risk: str
    subject: str

    def as_json(self) -> dict[str, Any]:
        """The entry as plain values; the shape is stable."""
        return {
            "commit": self.commit,
            "when": self.when,
            "op": self.op,
            "who": self.who,
            "sources": list(self.sources),
            "changed": self.changed,
            "risk": self.risk,
            "subject": self.subject,
        }


@dataclass(frozen=True, slots=True)
class Logged:
    """The log.

    Args:
        entries: newest first.
        shallow: whether older commits are missing in this clone.
    """

    entries: tuple[Entry, ...]
    shallow: bool

    def as_json(self) -> dict[str, Any]:
        """The log as plain values; the shape is stable."""
        return {"shallow": self.shallow, "entries": [each.as_json() for each in self.entries]}


def log(vault: Vault, limit: int = 20, scope: str = "") -> Logged:
    """What was done to the vault.

    Args:
        vault: the vault.
        limit: at most so many commits; 0 for all.
        scope: only commits about sources of this scope alone; '' for all. A commit that names no source is of none.

    Raises:
        WorldError: git cannot answer.
    """
    with vault.repository() as repo:
        # What a commit is about is only known when it is read, so with a scope all are.
        commits = repo.log(("sources", "wiki", "wikimem.toml"), limit=0 if scope else limit, merges=True)
        shallow = repo.shallow
    entries = [_entry(vault, commit) for commit in commits]
    if scope:
        own = {source for source, sidecar in vault.ledger.all().items() if sidecar.scope == scope}
        entries = [each for each in entries if each.sources and len(each.sources) < _NAMED and own.issuperset(each.sources)]
    return Logged(tuple(entries[:limit] if limit else entries), shallow)


def _entry(vault: Vault, commit: Commit) -> Entry:
    return Entry(
        commit.id,
        vault.zone.told(commit.when),
        commit.trailer("Wiki-Op") or BY_HAND,
        commit.author,
        tuple(value for name, value in commit.trailers if name == "Source"),
        commit.trailer("Claims"),
        commit.trailer("Risk"),
        commit.subject,
    )
