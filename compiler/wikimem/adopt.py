"""Adopt: what people wrote down for their agents becomes sources, a turn a statement, with author and date from git.

A file is one source; adopted again unchanged it is known, changed it is a new source whose unchanged statements are the
same turns. The claims follow when it is compiled (`core.adopted.extract`). The files themselves are never written to.
"""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikimem import bans, capture, indexing
from wikimem.core import adopted, bullets, exports, lines, projects, sources, times
from wikimem.core.bullets import Document, Statement
from wikimem.core.claims import TYPES
from wikimem.core.projects import Packages
from wikimem.core.sources import Sidecar
from wikimem.core.tombstones import Tombstones
from wikimem.core.turns import Form, Speaker, Turn
from wikimem.edges import ledger, upstream, written
from wikimem.edges.importers import Conversation
from wikimem.edges.written import File
from wikimem.errors import Problem, UsageError, WikimemError
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Message, Repo, Written

FORMAT = adopted.FORMAT
_LISTED = 100
_DATES = ("timestamp", "modified", "updated", "created", "date")


@dataclass(frozen=True, slots=True)
class Taken:
    """A file and what becomes of it.

    Args:
        where: its path.
        kind: one of those in `edges.written`.
        statements: how many it makes.
        dated: how many of them have a date.
        source: the id of its source; empty in a dry run of a new one.
        fresh: whether the source is new.
        noise: what states nothing, by kind.
    """

    where: str
    kind: str
    statements: int
    dated: int
    source: str
    fresh: bool
    noise: dict[str, int]


@dataclass(slots=True)
class Adoption:
    """What an adoption saw and did; `as_json` is its stable shape."""

    taken: list[Taken] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    masked: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    commit: str = ""
    dry_run: bool = False

    def as_json(self) -> dict[str, Any]:
        """The report as plain values."""
        return {
            "files": [
                {
                    "path": each.where,
                    "kind": each.kind,
                    "statements": each.statements,
                    "dated": each.dated,
                    "source": each.source,
                    "new": each.fresh,
                    "noise": each.noise,
                }
                for each in self.taken
            ],
            "statements": sum(each.statements for each in self.taken if each.fresh),
            "masked": dict(self.masked),
            "problems": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.problems],
            "commit": self.commit,
            "dry_run": self.dry_run,
            "notes": self.notes,
        }


def adopt(vault: Vault, paths: tuple[Path, ...], dry_run: bool = False) -> Adoption:
    """Take what people wrote down in the named files and folders.

    Args:
        vault: the vault.
        paths: files, or folders in which known names and kinds are looked for.
        dry_run: read and count, write nothing.

    Raises:
        UsageError: a path does not exist, nothing below the paths can be adopted, or the vault is shared.
        WorldError: the vault is locked, or git stands in the way; nothing is lost.
    """
    vault.takes_sessions()
    for path in paths:
        if not path.exists():
            raise UsageError(f"{upstream.shown(path)} does not exist. Name a file or folder that people wrote notes in.")
    found = list(written.below(list(paths), vault.root))
    if not found:
        raise UsageError(
            f"Nothing to adopt below {', '.join(map(upstream.shown, paths))}: no CLAUDE.md, AGENTS.md, rules, MEMORY.md folder, "
            "Obsidian vault or OKF bundle. Name a note itself to adopt it."
        )
    with vault.writing(), vault.repository() as repo:
        report = Adoption(dry_run=dry_run)
        if not dry_run:
            # What an interrupted run left is finished or cleared first, the staging area included.
            recovered = repo.recover()
            report.notes += [*recovered.sentences, *map(str, recovered.left)]
            repo.check_idle()
            vault.ledger.forget_cache()
        run = _Run(vault, report, repo.tombstones())
        try:
            for file in found:
                run.take(file)
            if not dry_run:
                run.commit(repo)
        finally:
            shutil.rmtree(run.staging, ignore_errors=True)
    return run.report


class _Run:
    """One adoption: the files on their way to a commit."""

    def __init__(self, vault: Vault, report: Adoption, stones: Tombstones) -> None:
        self.vault, self.report, self.stones = vault, report, stones
        self.staging = vault.work / "staging" / "adopt"
        shutil.rmtree(self.staging, ignore_errors=True)
        self.staging.mkdir(parents=True)
        self.known = dict(vault.ledger.all())
        self.added: list[Sidecar] = []
        self.writes: dict[str, Path | bytes] = {}

    def take(self, file: File) -> None:
        """Stage one file; what stands in the way of it is a problem of the report."""
        where = upstream.shown(file.path)
        try:
            size = file.path.stat().st_size
            if size > written.LARGEST:
                self._problem(where, "too-large", f"it has {size} bytes, more than anybody writes by hand; it was left out")
                return
            text = file.path.read_bytes().decode("utf-8", "replace")
        except OSError as error:
            self._problem(where, "unreadable", f"it cannot be read: {error.strerror or error}")
            return
        if exports.MADE in text or lines.CITE.search(text):
            self._problem(where, "our-own", "an export of ours made it; what it says is in the wiki already")
            return
        document = bullets.document(text)
        if not document.statements:
            if text.strip():
                self._problem(where, "no-statements", "it states nothing: no bullet, no paragraph; it was left out")
            return
        told = bans.conversation(self.stones, _conversation(file, document, self.vault.settings.packages))
        if told is None:
            self._problem(where, "forgotten", bans.FORGOTTEN)
            return
        try:
            staged = capture.conversation(told, self.staging, f"f{len(self.report.taken)}")
        except WikimemError as error:
            self._problem(where, "not-kept", str(error))
            return
        known = next((each for each in self.known.values() if each.raw.sha256 == staged.raw.sha256), None)
        sidecar = known or self._keep(told, staged)
        self.report.masked.update(staged.masked if known is None else {})
        dated = sum(bool(turn.said) for turn in told.turns)
        shown = sidecar.id if known or not self.report.dry_run else ""
        noise = dict(document.noise)
        self.report.taken.append(Taken(where, file.kind, len(told.turns), dated, shown, known is None, noise))

    def _problem(self, where: str, rule: str, message: str) -> None:
        self.report.problems.append(Problem(where, rule, message))

    def _keep(self, told: Conversation, staged: capture.Staged) -> Sidecar:
        from wikimem.edges.repo import remote_of

        path, digest, _ = staged.parts[0]
        taken = {each.id: each.raw.sha256 for each in self.known.values()}
        sidecar = Sidecar(
            id=sources.identify(staged.day, FORMAT, staged.raw.sha256, taken),
            format=FORMAT,
            suffix=".jsonl",
            sha256=digest,
            raw=staged.raw,
            recorded=self.vault.now(),
            started=staged.facts.get("started", ""),
            ended=staged.facts.get("ended", ""),
            session=told.session,
            cwd=told.cwd,
            remote=remote_of(told.cwd) if told.cwd else "",
            masked=Counter(staged.masked),
        )
        side, main = sidecar.paths()
        self.writes[side], self.writes[main] = ledger.render(sidecar), path
        self.known[sidecar.id] = sidecar
        self.added.append(sidecar)
        return sidecar

    def commit(self, repo: Repo) -> None:
        """Commit what was staged, and make it findable."""
        if not self.writes:
            return
        from wikimem.edges.repo import Change

        change = Change(self.writes, frozenset(), dict.fromkeys(self.writes))
        self.report.commit = repo.commit(change, _message(self.added, self.report), report=self.report.problems.append)
        self.vault.ledger.forget_cache()
        try:
            indexing.refresh_turns(self.vault.root, self.vault.ledger).close()
        except (WikimemError, OSError) as error:
            self.report.notes.append(f"The index could not be brought up: {error}")


def _conversation(file: File, document: Document, packages: Packages) -> Conversation:
    from wikimem.edges.repo import blame, remote_of

    known = blame(file.path)
    noted = file.kind not in ("instructions", "notes")
    title = document.title or file.path.stem
    top = _project(file)
    relative = upstream.shown(Path(file.path.resolve().name))
    if top is not None:
        relative = upstream.shown(file.path.resolve().relative_to(top))
    remote = remote_of(str(top)) if top is not None else ""
    project = projects.slug(remote, str(top)) if top is not None else ""
    # What stands in a package is of it; elsewhere below the top, of the whole.
    own = str(file.path.resolve().parent)
    cwd = own if top is not None and packages.path(remote, own) else str(top or "")
    session = f"adopted:{project}/{relative}" if project else f"adopted:{upstream.shown(file.path.resolve())}"
    day = next((day for key in _DATES if (day := times.day(times.utc(document.front.get(key, ""))))), "")
    turns: list[Turn] = []
    seen: Counter[str] = Counter()
    for statement in document.statements:
        turn = _turn(statement, document, file, session, noted)
        seen[turn.identity] += 1
        if seen[turn.identity] > 1:
            turn = replace(turn, identity=f"{turn.identity}-{seen[turn.identity]}")
        turns.append(_signed(turn, known[statement.line - 1 : statement.last], day))
    started = min((turn.said for turn in turns if turn.said), default="")
    return Conversation(session, title, started, tuple(turns), document.noise, cwd)


def _project(file: File) -> Path | None:
    """The top of the repository that a file of instructions belongs to; notes of a person belong to no project."""
    from wikimem.edges.repo import locate

    if file.kind in ("obsidian", "basic-memory", "okf"):
        return None
    place = locate(file.path.resolve().parent)
    return place.top if place is not None else None


def _turn(statement: Statement, document: Document, file: File, session: str, noted: bool) -> Turn:
    title = document.title or file.path.stem
    about = adopted.subject(statement.headings, title, noted)
    told = f"{about} :: {statement.parent}" if statement.parent else about
    type = document.front.get("type", "")
    mark = f"{adopted.MARK}:{type}" if type in TYPES else adopted.MARK
    key = "\x00".join((session, told, statement.text))
    identity = blake2b(key.encode("utf-8", "replace"), digest_size=12).hexdigest()
    # Claude writes its own memory: what stands there is what it made of a session, not what a person said.
    speaker = Speaker.ASSISTANT if file.kind == "claude-memory" else Speaker.HUMAN
    return Turn("", speaker, Form.PROSE, statement.text, identity=identity, mark=mark, about=told)


def _signed(turn: Turn, lines: tuple[Written, ...], day: str) -> Turn:
    """The turn with who wrote it last and when; the file's own date where git knows none."""
    last = max(lines, key=lambda line: line.said, default=None)
    if last is None or not last.said:
        return replace(turn, said=day)
    name = "" if turn.speaker is Speaker.ASSISTANT else last.name
    speaker = Speaker.HARNESS if last.name.endswith("[bot]") else turn.speaker
    return replace(turn, speaker=speaker, name=name, said=last.said)


def _message(added: list[Sidecar], report: Adoption) -> Message:
    from wikimem.edges.repo import Message

    kinds = Counter(each.kind for each in report.taken if each.fresh)
    number = len(added)
    subject = f"adopt: {number} file{'s' if number != 1 else ''} ({', '.join(f'{k} {v}' for k, v in kinds.most_common())})"
    body = f"{sum(each.statements for each in report.taken if each.fresh)} statements that people wrote down."
    if report.masked:
        body += "\nMasked: " + ", ".join(f"{kind} {count}" for kind, count in sorted(report.masked.items())) + "."
    trailers = (("Wiki-Op", "adopt"), *(("Source", each.id) for each in added[:_LISTED]))
    return Message(subject, body, trailers)
