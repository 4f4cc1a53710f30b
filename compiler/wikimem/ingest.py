"""Ingest: transcripts become immutable sources, in one commit a run.

Gather, decide, then write: every file is read once and staged, then the run's sources are committed together. What was
captured before, has not changed or lies still open costs one look at its size and time.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from wikimem import branching, glances, indexing, meaning, receipts
from wikimem.core import projects
from wikimem.core.reports import Report
from wikimem.core.tombstones import Tombstones
from wikimem.core.zones import Zone
from wikimem.edges import importers, upstream
from wikimem.edges.upstream import Found
from wikimem.errors import Problem, UsageError, WikimemError
from wikimem.gathered import Gathered
from wikimem.intake import Intake, Wish
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Message, Repo

_LISTED = 100
_MENDED = frozenset({"stale-lock", "recovered"})


def ingest(vault: Vault, wish: Wish, progress: Callable[[str], None] = lambda path: None) -> Report:
    """Capture what is new among the named files and folders.

    Args:
        vault: the vault.
        wish: what to take.
        progress: told the path of each file that is read.

    Raises:
        UsageError: a path does not exist, the format is unknown, or the vault is shared.
        WorldError: the vault is locked, or git stands in the way; nothing is lost.
    """
    vault.takes_sessions()
    for path in wish.paths:
        if not path.exists():
            raise UsageError(f"{upstream.shown(path)} does not exist. Name a file or folder that holds transcripts.")
        if not path.is_file() and not path.is_dir():
            raise UsageError(f"{upstream.shown(path)} is neither a file nor a folder. Name one that holds transcripts.")
    if wish.format and importers.named(wish.format, vault.settings.formats) is None:
        known = ", ".join(sorted(format.name for format in importers.FORMATS))
        raise UsageError(f"{wish.format!r} is no format. Known formats: {known}.")
    if wish.scope and not projects.is_scope(wish.scope):
        raise UsageError(f"{wish.scope!r} is no scope. Write it as project:NAME, user:NAME or agent:NAME.")
    with vault.writing(wish.wait), vault.repository() as repo:
        notes: list[str] = []
        if not wish.dry_run:
            # What an interrupted run left is finished or cleared first, the staging area included.
            notes += receipts.recovered(vault, repo)
        run = _Run(vault, wish, progress, repo.tombstones())
        run.report.notes += notes
        try:
            run.gather()
            if not wish.dry_run:
                run.commit(repo)
                run.remember()
                run.index()
        finally:
            shutil.rmtree(run.gathered.staging, ignore_errors=True)
    if not wish.dry_run:
        branching.refresh(vault, branching.AT_ONCE)
    return run.report


class _Run:
    """One ingest: which files are looked at, and what is left when all were."""

    def __init__(self, vault: Vault, wish: Wish, progress: Callable[[str], None], stones: Tombstones) -> None:
        self.vault, self.wish, self.progress = vault, wish, progress
        self.report = Report(dry_run=wish.dry_run)
        self.gathered = Gathered(vault, wish.scope, self.report, stones)
        self.seen = _read_seen(vault)
        self._intake = Intake(self.gathered, wish, self.seen)

    def gather(self) -> None:
        """Look at every file; stage what is new."""
        taken = 0
        home = upstream.claude_home()
        self.report.kept_days, _ = upstream.claude_days(home)
        for found in upstream.below(list(self.wish.paths), self.vault.root, self.wish.named):
            self._note_expiry(found, home)
            if self.wish.since and _day(found.mtime, self.vault.zone) < self.wish.since:
                self.report.filtered += 1
                continue
            family = glances.stamp(found)
            entry = self.seen.get(found.key)
            if entry and entry["stamp"] == family and self._still(entry, found):
                continue
            if self.wish.limit and taken >= self.wish.limit:
                self.report.filtered += 1
                continue
            taken += self._taken(found, family)
        # What another file may tell better waits until all others are taken.
        for found, family in self._intake.waiting():
            self._taken(found, family)

    def _taken(self, found: Found, family: list[Any]) -> int:
        self.progress(found.where)
        try:
            return self._intake.take(found, family)
        except OSError as error:
            self.report.problems.append(Problem(found.where, "unreadable", f"it cannot be read: {error.strerror or error}"))
        except WikimemError as error:
            self.report.problems.append(Problem(found.where, "not-kept", str(error)))
        return 0

    def commit(self, repo: Repo) -> None:
        """Commit what was staged, in one commit; without anything new, nothing."""
        if not self.gathered.writes:
            return
        from wikimem.edges.repo import Change

        change = Change(self.gathered.writes, frozenset(), dict.fromkeys(self.gathered.writes))
        self.report.commit = repo.commit(change, _message(self.report), report=self._told)
        self.vault.ledger.forget_cache()

    def _told(self, problem: Problem) -> None:
        """What the commit had to say: what it mended is a note, what it left alone is a problem."""
        if problem.rule in _MENDED:
            self.report.notes.append(f"{problem.where}: {problem.message}")
        else:
            self.report.problems.append(problem)

    def index(self) -> None:
        """Make what was captured findable; a failure costs the next recall some time, nothing else."""
        try:
            indexing.refresh_turns(self.vault.root, self.vault.ledger).close()
            self.report.notes += [f"{told.where}: {told.message}" for told in meaning.refresh(self.vault)]
        except (WikimemError, OSError) as error:
            self.report.notes.append(f"The index could not be brought up: {error}")

    def remember(self) -> None:
        """Keep size and time of what was looked at, so that the next run opens none of it."""
        path = self.vault.work / "seen.json"
        temporary = path.with_suffix(".tmp")
        temporary.write_bytes(orjson.dumps({"edition": importers.EDITION, "files": self.seen}))
        temporary.replace(path)

    def _still(self, entry: dict[str, Any], found: Found) -> bool:
        if entry["left"]:
            if found.named or self.wish.format or entry.get("rules", self.wish.rules) != self.wish.rules:
                return False
            self.report.left_out[found.where] = entry["left"]
            return True
        # A file that gave nothing may give something when it is read as another format.
        if all(source in self.gathered.known for source in entry["sources"]) and (entry["sources"] or not self.wish.format):
            self.report.unchanged += 1
            return True
        return False

    def _note_expiry(self, found: Found, home: Path) -> None:
        if found.path.suffix == ".jsonl" and home / "projects" in found.path.parents:
            age = (self.vault.clock() - datetime.fromtimestamp(found.mtime / 1e9, UTC)).days
            if age >= self.report.kept_days - 7:
                self.report.expiring.append(found.where)


def _day(mtime: int, zone: Zone) -> str:
    return zone.day(datetime.fromtimestamp(mtime / 1e9, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))


def _read_seen(vault: Vault) -> dict[str, Any]:
    try:
        told = orjson.loads((vault.work / "seen.json").read_bytes())
    except (OSError, ValueError):
        return {}
    # Another edition of the importers may recognise what this one did not.
    if not isinstance(told, dict) or told.get("edition") != importers.EDITION or not isinstance(told.get("files"), dict):
        return {}
    return {
        path: entry
        for path, entry in told["files"].items()
        if isinstance(entry, dict) and {"stamp", "left", "sources"} <= entry.keys()
    }


def _message(report: Report) -> Message:
    from wikimem.edges.repo import Message

    formats = Counter(each.format for each in report.added)
    number = len(report.added)
    subject = f"ingest: {number} source{'s' if number != 1 else ''} ({', '.join(f'{k} {v}' for k, v in formats.most_common())})"
    speakers = ", ".join(f"{name} {count}" for name, count in report.account.speakers.most_common())
    body = [f"{report.account.records} records, {report.account.turns} turns ({speakers})."]
    if report.masked:
        body.append("Masked: " + ", ".join(f"{kind} {count}" for kind, count in sorted(report.masked.items())) + ".")
    if report.account.damaged:
        body.append(f"Damaged pieces kept as they are: {report.account.damaged}.")
    listed = report.added[:_LISTED]
    if number > len(listed):
        body.append(f"The first {len(listed)} sources are named below, {number - len(listed)} more are in the diff.")
    trailers = (("Wiki-Op", "ingest"), *(("Source", each.id) for each in listed))
    return Message(subject, "\n".join(body), trailers)
