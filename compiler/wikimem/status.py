"""Status: what a vault holds, what waits to be compiled, and what lies outside that its tool will soon delete.

Reads only, and opens no transcript but one that may be captured already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import orjson

from wikimem import browsing, extracting, holding, memory
from wikimem.core import excerpts
from wikimem.core.sources import Sidecar
from wikimem.edges import upstream
from wikimem.errors import Problem, WikimemError
from wikimem.rendering import Shelf
from wikimem.vault import Vault


@dataclass(frozen=True, slots=True)
class Status:
    """The state of a vault.

    Args:
        root: its folder.
        kind: `private` or `shared`.
        sources: how many.
        bytes: of the original files they stand for.
        retired: how many of them were retired, so that their bytes are not here any more.
        formats: sources by format.
        projects: sources by project; '(none)' for those without one.
        first: day of the earliest session; '' if none has a date.
        last: day of the latest.
        uncaptured: session files of Claude Code that this vault has not looked at, or not since they changed.
        oldest_days: age of the oldest of them, in days.
        kept_days: after how many days Claude Code deletes a session.
        kept_by_default: whether nobody set that.
        pending: how many sources are not compiled yet.
        held: those of them that could not be compiled when last tried, with the reason.
        outdated: how many were compiled by another model, prompt, vocabulary, schema or time zone than would be used now.
        elsewhere: how many of them had their dates resolved in another time zone.
        misplaced: how many of them have claims of another package than the settings now say.
        zone: the time zone in which days are told.
        review: how many claims wait for a person to look at them.
        uncommitted: pages that people changed and did not commit, below the vault.
        withheld: in how many places something was said that waits for a person, since it may be sensitive.
        claims: how many claims their files hold.
        pages: how many pages the wiki has.
        model: who compiles.
        unfinished: whether an interrupted run left something for the next one to finish.
        problems: sidecars that cannot be read.
    """

    root: str
    kind: str
    sources: int
    bytes: int
    retired: int
    formats: Counter[str]
    projects: Counter[str]
    first: str
    last: str
    uncaptured: int
    oldest_days: int
    kept_days: int
    kept_by_default: bool
    pending: int
    held: Mapping[str, str]
    outdated: int
    elsewhere: int
    misplaced: int
    zone: str
    review: int
    uncommitted: tuple[str, ...]
    withheld: int
    claims: int
    pages: int
    model: str
    unfinished: bool
    problems: tuple[Problem, ...]

    def as_json(self) -> dict[str, Any]:
        """The status as plain values; the shape is stable."""
        return {
            "vault": self.root,
            "kind": self.kind,
            "zone": self.zone,
            "sources": self.sources,
            "bytes": self.bytes,
            "retired": self.retired,
            "formats": dict(self.formats),
            "projects": dict(self.projects),
            "first": self.first,
            "last": self.last,
            "claude_code": {
                "uncaptured": self.uncaptured,
                "oldest_days": self.oldest_days,
                "kept_days": self.kept_days,
                "kept_by_default": self.kept_by_default,
            },
            "wiki": {
                "pending": self.pending,
                "held": dict(self.held),
                "outdated": self.outdated,
                "elsewhere": self.elsewhere,
                "misplaced": self.misplaced,
                "review": self.review,
                "uncommitted": list(self.uncommitted),
                "withheld": self.withheld,
                "claims": self.claims,
                "pages": self.pages,
                "model": self.model,
            },
            "unfinished": self.unfinished,
            "problems": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.problems],
        }


def status(vault: Vault) -> Status:
    """What the vault holds now."""
    known = vault.ledger.all()
    days = sorted(vault.zone.day(each.started) for each in known.values() if each.started)
    home = upstream.claude_home()
    kept, default = upstream.claude_days(home)
    waiting = _uncaptured(vault, known)
    oldest = min(waiting, default=0)
    age = (vault.clock() - datetime.fromtimestamp(oldest / 1e9, UTC)).days if waiting else 0
    missing = {each.id: each.content for each in memory.pending(vault.root, vault.ledger)}
    extractor = extracting.extractor_of(vault)
    made = memory.stamps(vault.root)
    # What an excerpt was drawn from is not here, nor what was retired, so nothing here makes it anew.
    again = {source: one for source, one in known.items() if not one.retired and one.format != excerpts.FORMAT}
    done = {source: stamp for source, stamp in made.items() if source not in missing}
    outdated = sum(source in again and stamp != extractor.stamp(again[source]) for source, stamp in made.items())
    return Status(
        root=str(vault.root),
        kind=vault.settings.kind,
        sources=len(known),
        retired=sum(bool(each.retired) for each in known.values()),
        bytes=sum(each.raw.bytes for each in known.values() if not each.continues),
        formats=Counter(each.format for each in known.values()),
        projects=Counter(each.project or "(none)" for each in known.values()),
        first=days[0] if days else "",
        last=days[-1] if days else "",
        uncaptured=len(waiting),
        oldest_days=age,
        kept_days=kept,
        kept_by_default=default,
        pending=len(missing),
        held={source: one.reason for source, one in holding.held(vault).items() if missing.get(source) == one.content},
        outdated=outdated - sum(source in made and source in again for source in missing),
        elsewhere=extracting.elsewhere(done, extractor, known),
        misplaced=extracting.misplaced(done, known),
        zone=vault.zone.name,
        review=memory.waiting(vault.root),
        uncommitted=_uncommitted(vault),
        withheld=memory.withheld(vault.root),
        claims=memory.count(vault.root),
        pages=sum(1 for _ in browsing.paths(vault.root)),
        model=vault.settings.model,
        unfinished=(vault.root / ".wikimem" / "journal").exists(),
        problems=tuple(vault.ledger.problems),
    )


def _uncommitted(vault: Vault) -> tuple[str, ...]:
    """The pages that people changed and did not commit; none where git cannot tell."""
    with suppress(WikimemError), vault.repository() as repo:
        return Shelf(vault.root, repo).uncommitted()
    return ()


def _uncaptured(vault: Vault, known: Mapping[str, Sidecar]) -> list[int]:
    """Times of Claude Code's session files that no ingest has seen as they are now, and whose bytes no source has."""
    folder = upstream.claude_home() / "projects"
    if not folder.is_dir():
        return []
    try:
        seen = orjson.loads((vault.root / ".wikimem" / "seen.json").read_bytes())["files"]
    except (OSError, ValueError, KeyError, TypeError):
        seen = {}
    captured = {(each.raw.bytes, each.raw.sha256) for each in known.values()}
    sizes = {size for size, _ in captured}
    waiting = []
    for found in upstream.below([folder], vault.root):
        entry = seen.get(found.key)
        same = isinstance(entry, dict) and entry.get("stamp", [])[:2] == [found.size, found.mtime]
        if found.path.suffix != ".jsonl" or same:
            continue
        # The same session may lie elsewhere, too, or have been touched.
        if found.size not in sizes or (found.size, upstream.digest(found.path)) not in captured:
            waiting.append(found.mtime)
    return waiting
