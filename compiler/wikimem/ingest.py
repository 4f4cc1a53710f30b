"""Ingest: transcripts become immutable sources, in one commit a run.

Gather, decide, then write: every file is read once and staged, then the run's sources are committed together. What was
captured before, has not changed or lies still open costs one look at its size and time.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from wikimem import bans, capture, glances, growth, indexing, meaning, receipts
from wikimem.capture import Staged
from wikimem.core import projects, sources
from wikimem.core.reports import Report
from wikimem.core.sources import Member, Raw, Sidecar
from wikimem.core.tombstones import Tombstones
from wikimem.core.turns import Turn
from wikimem.core.zones import Zone
from wikimem.edges import importers, ledger, lines, upstream
from wikimem.edges.importers import Container, Conversation, Format, Head, LineFormat
from wikimem.edges.upstream import Found
from wikimem.errors import Problem, UsageError, WikimemError
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Message, Repo

_LISTED = 100
_MENDED = frozenset({"stale-lock", "recovered"})


@dataclass(frozen=True, slots=True)
class Wish:
    """What a call asks for.

    Args:
        paths: files and folders.
        since: take only what was written on this day or later, `2026-08-14`; '' for all.
        project: take only sessions of this project's slug; '' for all.
        limit: take at most so many files, newest first; 0 for all.
        dry_run: read and report, write nothing.
        format: read every file as this format instead of recognising it; '' to recognise.
        scope: what all of it belongs to, `project:checkout`, instead of what the files tell; '' for what they tell.
        named: whether a person named the paths; a file that was is settled, and taken whatever it belongs to.
        refuses: why a session with these facts (`cwd`, `remote`) is not for this vault; '' if it is.
        rules: what `refuses` goes by; sessions that it left out are looked at again when this changes.
        wait: how many seconds to wait for another process that writes to the vault.
        ended: resolved paths of sessions of which somebody knows that they ended; they are settled without having been quiet.
    """

    paths: tuple[Path, ...]
    since: str = ""
    project: str = ""
    limit: int = 0
    dry_run: bool = False
    format: str = ""
    scope: str = ""
    named: bool = True
    refuses: Callable[[Mapping[str, str]], str] = lambda facts: ""
    rules: str = ""
    wait: float = 30.0
    ended: frozenset[str] = frozenset()


OURS = "a session that our own compiler ran"
"""Why a file is left out that holds a prompt of ours and a model's answer to it."""


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
            shutil.rmtree(run.staging, ignore_errors=True)
    return run.report


class _Run:
    """One ingest: the files on their way, and what becomes of each."""

    def __init__(self, vault: Vault, wish: Wish, progress: Callable[[str], None], stones: Tombstones) -> None:
        self.vault, self.wish, self.progress = vault, wish, progress
        self.report = Report(dry_run=wish.dry_run)
        self.writes: dict[str, Path | bytes] = {}
        self.staging = vault.work / "staging" / "ingest"
        shutil.rmtree(self.staging, ignore_errors=True)
        self.staging.mkdir(parents=True)
        self.seen = _read_seen(vault)
        self.remotes: dict[str, str] = {}
        self.known: dict[str, Sidecar] = dict(vault.ledger.all())
        self.hashes = {member.raw.sha256 for each in self.known.values() for member in each.members}
        self.hashes |= {each.raw.sha256 for each in self.known.values()}
        self.held: dict[tuple[str, str], growth.Held] = {}
        self.by_session: dict[str, list[Sidecar]] = {}
        for each in self.known.values():
            self.by_session.setdefault(each.session, []).append(each)
        self.later: list[tuple[Found, list[Any]]] | None = []
        self.stones = stones
        self.count = 0

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
        waiting, self.later = self.later or [], None
        for found, family in waiting:
            self._taken(found, family)

    def _taken(self, found: Found, family: list[Any]) -> int:
        self.progress(found.where)
        try:
            return self._take(found, family)
        except OSError as error:
            self.report.problems.append(Problem(found.where, "unreadable", f"it cannot be read: {error.strerror or error}"))
        except WikimemError as error:
            self.report.problems.append(Problem(found.where, "not-kept", str(error)))
        return 0

    def commit(self, repo: Repo) -> None:
        """Commit what was staged, in one commit; without anything new, nothing."""
        if not self.writes:
            return
        from wikimem.edges.repo import Change

        change = Change(self.writes, frozenset(), dict.fromkeys(self.writes))
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
        if all(source in self.known for source in entry["sources"]) and (entry["sources"] or not self.wish.format):
            self.report.unchanged += 1
            return True
        return False

    def _note_expiry(self, found: Found, home: Path) -> None:
        if found.path.suffix == ".jsonl" and home / "projects" in found.path.parents:
            age = (self.vault.clock() - datetime.fromtimestamp(found.mtime / 1e9, UTC)).days
            if age >= self.report.kept_days - 7:
                self.report.expiring.append(found.where)

    def _take(self, found: Found, family: list[Any]) -> int:
        """Stage one file; how many files that was (0 or 1)."""
        resolved, given = found.key, found
        found = glances.unpacked(found, self.staging / self._name())
        format = self._format(found)
        if isinstance(format, str):
            self.report.left_out[found.where] = format
            if found.named and found.size:
                advice = "nothing of it was kept; name its format with --format, or look whether it is a transcript"
                self.report.problems.append(Problem(found.where, "unrecognised", f"{format}; {advice}"))
            self.seen[resolved] = {"stamp": family, "left": format, "sources": []}
            return 0
        before = len(self.report.added)
        if isinstance(format, Container):
            self.seen[resolved] = self._container(found, format, family)
            return int(len(self.report.added) > before)
        if format.yields and self.later is not None:
            self.later.append((given, family))
            return 1
        ids = self._lines(found, format)
        if isinstance(ids, str):
            self.report.left_out[found.where] = ids
            self.seen[resolved] = {"stamp": family, "left": ids, "sources": [], "rules": self.wish.rules}
        elif ids is not None:
            self.seen[resolved] = {"stamp": family, "left": "", "sources": ids}
        return int(len(self.report.added) > before)

    def _format(self, found: Found) -> Format | str:
        """The file's format, or why it has none here."""
        if self.wish.format:
            return importers.named(self.wish.format, self.vault.settings.formats) or "unknown format"
        with found.path.open("rb") as file:
            data = file.read(glances.HEAD)
        if not data.strip(b"\xef\xbb\xbf\x00 \t\r\n") and found.size <= glances.HEAD:
            return "it is empty"
        format = importers.recognise(Head(found.path.name, data, len(data) == found.size), self.vault.settings.formats)
        if format is None:
            return "no importer recognises it"
        if format.name == "note" and not found.named:
            # A folder of transcripts holds licences and read-me files too; nobody said those.
            return "plain text is taken as a note only when it is named itself, or with --format note"
        return format

    def _lines(self, found: Found, format: LineFormat) -> list[str] | str | None:
        """Stage a session in lines: its sources, or why it is left out; None if it is not settled or passed over."""
        hint = glances.hint(found, format)
        facts, first = glances.beginning(found, format)
        session = facts.get("session") or hint.get("session", "")
        if left := self._refused(found, {**hint, **facts}, first):
            return left
        if any(each.format == format.yields for each in self.by_session.get(session, [])):
            return f"{format.yields} has the same session, with more in it"
        if not self._is_over(found) and not self._quiet(datetime.fromtimestamp(found.mtime / 1e9, UTC)):
            # Just written to: its end may show that it goes on, and then nothing else of it needs to be read.
            newest = glances.newest(found, format)
            if newest.endswith("Z") and not self._quiet(datetime.fromisoformat(newest)):
                self.report.open.append(found.where)
                return None
        start, previous = self._captured(found, format, session)
        if previous is not None and previous.raw.bytes == found.size:
            return self._with_members(found, format, previous, session, hint)
        name = self._name()
        captured = capture.file(found.path, format, self.staging, name, start, hint=hint)
        staged = bans.staged(self.stones, found.path, format, captured, hint, start)
        if staged is None:
            return bans.FORGOTTEN
        if self._is_open(found, staged, staged.day or hint.get("date", "")) or self._is_filtered(staged.facts):
            return None
        if previous is None and staged.raw.sha256 in self.hashes:
            self.report.unchanged += 1
            return [each.id for each in self.known.values() if each.raw.sha256 == staged.raw.sha256]
        if previous is None and self._is_cut(staged, session):
            self.report.unchanged += 1
            return []
        self._complain(found, staged, format)
        staged.facts["session"] = session or staged.facts.get("session", "")
        sidecar = self._keep(
            found, format.name, format.suffix, staged, hint, previous.id if previous else "", self._members(found)
        )
        return [sidecar.id]

    def _refused(self, found: Found, facts: Mapping[str, str], first: Iterable[Turn]) -> str:
        """Why a session is not for this vault; '' if it is. A file that was named is what its person wants."""
        if found.named:
            return ""
        if glances.is_ours(first):
            return OURS
        cwd = facts.get("cwd", "")
        return self.wish.refuses({**facts, "cwd": cwd, "remote": self._remote(cwd) or facts.get("remote", "")})

    def _is_over(self, found: Found) -> bool:
        """Whether somebody said that the session in a file is settled: by naming it, or by telling that it ended."""
        return found.named or found.key in self.wish.ended

    def _quiet(self, moment: datetime) -> bool:
        """Whether a session that was written to at this moment has been quiet long enough to be settled."""
        return self.vault.clock() - moment >= timedelta(minutes=self.vault.settings.settle_minutes)

    def _captured(self, found: Found, format: LineFormat, session: str) -> tuple[int, Sidecar | None]:
        """Where the part begins that no source holds yet, and the source that holds what is before it."""
        rivals = [
            each for each in self.by_session.get(session, []) if each.format == format.name and 0 < each.raw.bytes <= found.size
        ]
        if not rivals:
            return 0, None
        length = capture.known_prefix(found.path, {each.raw.bytes: each.raw.sha256 for each in rivals})
        if not length:
            return 0, None
        previous = next(each for each in rivals if each.raw.bytes == length)
        return capture.record_start(found.path, length), previous

    def _with_members(self, found: Found, format: LineFormat, previous: Sidecar, session: str, hint: dict[str, str]) -> list[str]:
        """An unchanged session, whose sub-agents may still have grown: what is new of them is a source of its own."""
        fresh = [each for each in self._members(found) if each[1].raw.sha256 not in self.hashes]
        if not fresh:
            self.report.unchanged += 1
            return [previous.id]
        empty = Staged(raw=Raw(found.size, previous.raw.sha256))
        digest = fresh[0][1].raw.sha256
        path = self.staging / f"{self._name()}.1"
        path.write_bytes(b"")
        empty.parts.append((path, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", 1))
        empty.facts["session"] = session
        for _, each in fresh:
            empty.day = empty.day or each.day
        sidecar = self._keep(found, format.name, format.suffix, empty, hint, previous.id, fresh, digest)
        return [previous.id, sidecar.id]

    def _members(self, found: Found) -> list[tuple[str, Staged]]:
        staged = []
        for name, path in upstream.members(found.path):
            if path.suffix == ".jsonl":
                format = importers.named("claude-code")
                assert isinstance(format, LineFormat)
                staged.append((name, capture.file(path, format, self.staging, self._name(), where=name)))
            else:
                staged.append((name, capture.blob(path, self.staging, self._name())))
        left = ((name, bans.member(self.stones, each)) for name, each in staged)
        return [(name, each) for name, each in left if each is not None]

    def _container(self, found: Found, format: Container, family: list[Any]) -> dict[str, Any]:
        """Stage what is new of a container's conversations; what to remember of the file."""
        earlier = self.seen.get(found.key, {})
        stamps: dict[str, str] = {}
        if not earlier.get("left") and all(source in self.known for source in earlier.get("sources", [])):
            stamps = earlier.get("stamps", {})
        entry: dict[str, Any] = {"stamp": family, "left": "", "sources": list(earlier.get("sources", [])), "stamps": stamps}
        asked = format.changed(found.path, stamps) if format.changed and stamps else format.conversations(found.path)
        for told in asked:
            if isinstance(told, str):
                self.report.problems.append(Problem(found.where, "damaged-conversation", told))
                continue
            try:
                ids = self._conversation(found, format, told)
            except WikimemError as error:
                self.report.problems.append(Problem(f"{found.where}#{told.session}", "not-kept", str(error)))
                ids = None
            if ids is None:
                # Another look is needed, whether or not the file changes until then.
                entry["stamp"] = []
                continue
            entry["sources"] += [each for each in ids if each not in entry["sources"]]
            if told.stamp:
                stamps[told.session] = told.stamp
        return entry

    def _conversation(self, found: Found, format: Container, told: Conversation) -> list[str] | None:
        """Stage what is new of one conversation: the sources that hold it; None if it may still go on."""
        where = f"{found.where}#{told.session}"
        if refused := self._refused(found, {**told.facts, "cwd": told.cwd}, told.turns[:8]):
            self.report.left_out[where] = refused
            return []
        newest = max((turn.said for turn in told.turns if turn.said.endswith("Z")), default="")
        if not found.named and newest and not self._quiet(datetime.fromisoformat(newest)):
            self.report.open.append(where)
            return None
        held = self._held(format, told)
        continued = held.chain[-1] if held.chain else ""
        if held.chain:
            fresh = growth.rest(told, held)
            if fresh is None:
                self.report.unchanged += 1
                return held.chain
            told = fresh
        left = bans.conversation(self.stones, told)
        if left is None:
            self.report.left_out[where] = bans.FORGOTTEN
            return []
        staged = capture.conversation(left, self.staging, self._name())
        if self.stones.has_raw(staged.raw.bytes, staged.raw.sha256):
            self.report.left_out[where] = bans.FORGOTTEN
            return []
        if self._is_filtered(staged.facts):
            return []
        same = [each.id for each in self.known.values() if each.raw.sha256 == staged.raw.sha256]
        if same:
            self.report.unchanged += 1
            return same
        self._complain(found, staged, format)
        added = self._keep(found, format.name, ".jsonl", staged, {}, continued, [])
        if told.session:
            for path, _, _ in staged.parts:
                with path.open("rb") as file:
                    held.add(added.id, lines.split(lines.blocks(file)))
            held.chain = list(dict.fromkeys(held.chain))
            self.held[format.name, told.session] = held
        return held.chain or [added.id]

    def _held(self, format: Container, told: Conversation) -> growth.Held:
        """What the sources of a conversation hold, those of this run included."""
        key = (format.name, told.session)
        if not told.session or key in self.held:
            return self.held.get(key, growth.Held())
        stored = [each for each in self.by_session.get(told.session, []) if each.format == format.name]
        return growth.held(self.vault.ledger, stored)

    def _is_open(self, found: Found, staged: Staged, day: str) -> bool:
        """Whether a session found in a folder may still go on."""
        # Where only the day is known, as of a meeting, a day that is over is as good as an end.
        if self._is_over(found) or (not staged.newest and "" < day < self.vault.zone.day(self.vault.now())):
            return False
        moment = staged.newest
        if moment.endswith("Z"):
            newest = datetime.fromisoformat(moment)
        else:
            newest = datetime.fromtimestamp(found.mtime / 1e9, UTC)
        if self._quiet(newest):
            return False
        self.report.open.append(found.where)
        return True

    def _is_filtered(self, facts: dict[str, str]) -> bool:
        if not self.wish.project:
            return False
        cwd = facts.get("cwd", "")
        told = self.wish.scope or projects.scope(self._remote(cwd), cwd)
        if told == f"project:{self.wish.project}":
            return False
        self.report.filtered += 1
        return True

    def _is_cut(self, staged: Staged, session: str) -> bool:
        """Whether the file is only the beginning of what was captured before: its tool cut it, and we keep the longer."""
        for each in self.by_session.get(session, []):
            if each.raw.bytes <= staged.raw.bytes or len(staged.parts) != 1 or each.continues:
                continue
            stored = self.vault.root / each.path
            size = staged.parts[0][0].stat().st_size
            if stored.is_file() and stored.stat().st_size >= size:
                with stored.open("rb") as kept, staged.parts[0][0].open("rb") as cut:
                    if all(kept.read(len(block)) == block for block in lines.blocks(cut)):
                        return True
        return False

    def _complain(self, found: Found, staged: Staged, format: Format) -> None:
        if format.name == "note" and glances.is_error_page(staged.parts[0][0]):
            told = "it reads like an error page or a sign-in wall; kept, but `wikimem forget` takes it out again"
            self.report.problems.append(Problem(found.where, "error-page", told))
        if staged.account.turns == 0 and staged.account.records > 0 and staged.raw.bytes > 0:
            self.report.problems.append(
                Problem(
                    found.where,
                    "no-turns",
                    f"{staged.account.records} records and not one turn ({format.name}); kept, but its version may be unknown",
                )
            )

    def _keep(
        self,
        found: Found,
        format: str,
        suffix: str,
        staged: Staged,
        hint: dict[str, str],
        continues: str,
        members: Sequence[tuple[str, Staged]],
        digest: str = "",
    ) -> Sidecar:
        """Make a source of what was staged."""
        day = staged.day or hint.get("date", "")
        source = sources.identify(
            day, format, digest or staged.raw.sha256, {each.id: each.raw.sha256 for each in self.known.values()}
        )
        facts = {name: hint[name] for name in ("cwd", "parent", "remote") if name in hint} | staged.facts
        cwd = facts.get("cwd", "")
        told = {name: value for name, value in hint.items() if name not in ("session", "cwd", "parent")}
        if self.wish.scope:
            told["scope"] = self.wish.scope
        masked = Counter(staged.masked)
        kept = [
            Member(f"part-{number}{suffix}", sha, Raw(0, ""), line) for number, (_, sha, line) in enumerate(staged.parts[1:], 2)
        ]
        for name, each in members:
            masked.update(each.masked)
            kept.append(Member(name, each.parts[0][1], each.raw))
            staged.account.merge(each.account)
        parent = facts.get("parent", "")
        sidecar = Sidecar(
            id=source,
            format=format,
            suffix=suffix,
            sha256=staged.parts[0][1],
            raw=staged.raw,
            recorded=self.vault.now(),
            started=facts.get("started", "") or day,
            ended=facts.get("ended", "") or day,
            session=facts.get("session", "") or hint.get("session", ""),
            cwd=cwd,
            remote=self._remote(cwd) or facts.get("remote", ""),
            branch=facts.get("branch", ""),
            parent=parent if parent != facts.get("session") else "",
            continues=continues,
            hint=told,
            masked=masked,
            members=tuple(kept),
        )
        paths = iter(sidecar.paths())
        self.writes[next(paths)] = ledger.render(sidecar)
        for path, staged_file in zip(paths, _files(staged, members), strict=True):
            self.writes[path] = staged_file
        self.known[source] = sidecar
        self.hashes.add(staged.raw.sha256)
        self.hashes.update(each.raw.sha256 for _, each in members)
        self.by_session.setdefault(sidecar.session, []).append(sidecar)
        self.report.added.append(sidecar)
        self._count(found, staged, members, masked)
        return sidecar

    def _count(self, found: Found, staged: Staged, members: Sequence[tuple[str, Staged]], masked: Counter[str]) -> None:
        """Report what a source was made of."""
        report = self.report
        report.files += 1 + len(members)
        report.bytes += staged.raw.bytes + sum(each.raw.bytes for _, each in members)
        for damage in staged.account.damage:
            where, line, offset, reason = damage
            report.account.damage.append((f"{found.where}{'/' + where if where else ''}", line, offset, reason))
        staged.account.damage.clear()
        staged.account.strange = {k: f"{found.where}:{v}" for k, v in staged.account.strange.items()}
        report.account.merge(staged.account)
        report.masked.update(masked)

    def _remote(self, cwd: str) -> str:
        if cwd not in self.remotes:
            from wikimem.edges.repo import remote_of

            self.remotes[cwd] = remote_of(cwd) if cwd and Path(cwd).is_dir() else ""
        return self.remotes[cwd]

    def _name(self) -> str:
        self.count += 1
        return f"f{self.count}"


def _files(staged: Staged, members: Sequence[tuple[str, Staged]]) -> Iterator[Path]:
    yield from (path for path, _, _ in staged.parts)
    yield from (each.parts[0][0] for _, each in members)


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
