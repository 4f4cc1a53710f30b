"""The report of an ingest: what it saw, took, left and why. Values and their stable JSON shape; no layout."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from wikimem.core.sessions import Account
from wikimem.core.sources import Sidecar
from wikimem.errors import Problem


@dataclass(slots=True)
class Report:
    """What an ingest saw and did; `as_json` is its stable shape.

    Args:
        added: the new sources.
        unchanged: files known already.
        copies: files, or conversations, that hold what another one of this run holds.
        open: files whose session may still go on.
        left_out: files no importer took, with the reason.
        filtered: files passed over by `since`, `project` or `limit`.
        account: of all records read.
        masked: secrets by kind.
        problems: files that could not be read or kept.
        expiring: sessions that their tool deletes within a week, and the days it keeps them.
        commit: the commit made; '' if none was needed.
        notes: what was done about leftovers of an earlier run.
    """

    added: list[Sidecar] = field(default_factory=list)
    unchanged: int = 0
    copies: int = 0
    open: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    filtered: int = 0
    files: int = 0
    bytes: int = 0
    account: Account = field(default_factory=Account)
    masked: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)
    expiring: list[str] = field(default_factory=list)
    kept_days: int = 30
    commit: str = ""
    notes: list[str] = field(default_factory=list)
    dry_run: bool = False

    def projects(self) -> Counter[str]:
        """Sessions by project; '(none)' for those without one."""
        return Counter(each.project or "(none)" for each in self.added)

    def as_json(self) -> dict[str, Any]:
        """The report as plain values."""
        return {
            "added": [each.id for each in self.added],
            "unchanged": self.unchanged,
            "copies": self.copies,
            "open": self.open,
            "left_out": self.left_out,
            "filtered": self.filtered,
            "files": self.files,
            "bytes": self.bytes,
            "projects": dict(self.projects()),
            "records": self.account.records,
            "records_with_turns": self.account.turned,
            "turns": self.account.turns,
            "speakers": dict(self.account.speakers),
            "noise": dict(self.account.noise),
            "unknown": dict(self.account.unknown),
            "damaged": self.account.damaged,
            "damage": [
                {"file": where, "line": line, "offset": offset, "reason": reason}
                for where, line, offset, reason in self.account.damage
            ],
            "masked": dict(self.masked),
            "problems": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.problems],
            "expiring": self.expiring,
            "commit": self.commit,
            "dry_run": self.dry_run,
            "notes": self.notes,
        }
