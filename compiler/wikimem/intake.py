"""Intake: what becomes of one file on its way into the vault. Staged, left out, still open, or known already.

Files in lines are read once, from where the last source of their session ends; a container gives its conversations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from wikimem import bans, capture, glances, growth
from wikimem.capture import Staged
from wikimem.core import scopes
from wikimem.core.sources import Raw, Sidecar
from wikimem.core.turns import Turn
from wikimem.edges import importers, lines, upstream
from wikimem.edges.importers import Container, Conversation, Format, Head, LineFormat
from wikimem.edges.upstream import Found
from wikimem.errors import Problem, WikimemError
from wikimem.gathered import Gathered

OURS = "a session that our own compiler ran"
"""Why a file is left out that holds a prompt of ours and a model's answer to it."""


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


class Intake:
    """Looks at files one by one.

    Args:
        gathered: what the run takes; what is staged goes there.
        wish: what to take.
        seen: what is remembered of each file, by resolved path; brought up here.
    """

    def __init__(self, gathered: Gathered, wish: Wish, seen: dict[str, Any]) -> None:
        self._gathered, self._wish, self._seen = gathered, wish, seen
        self._vault, self._report = gathered.vault, gathered.report
        self._drawn: dict[tuple[str, str], growth.Held] = {}
        self._waiting: list[tuple[Found, list[Any]]] | None = []

    def waiting(self) -> list[tuple[Found, list[Any]]]:
        """The files that waited until all others were taken, since another may tell the same better; none waits from now on."""
        waiting, self._waiting = self._waiting or [], None
        return waiting

    def take(self, found: Found, family: list[Any]) -> int:
        """Stage one file; how many files that was (0 or 1)."""
        resolved, given = found.key, found
        found = glances.unpacked(found, self._gathered.staging / self._gathered.name())
        format = self._format(found)
        if isinstance(format, str):
            self._report.left_out[found.where] = format
            if found.named and found.size:
                advice = "nothing of it was kept; name its format with --format, or look whether it is a transcript"
                self._report.problems.append(Problem(found.where, "unrecognised", f"{format}; {advice}"))
            self._seen[resolved] = {"stamp": family, "left": format, "sources": []}
            return 0
        before = len(self._report.added)
        if isinstance(format, Container):
            self._seen[resolved] = self._container(found, format, family)
            return int(len(self._report.added) > before)
        if format.yields and self._waiting is not None:
            self._waiting.append((given, family))
            return 1
        ids = self._lines(found, format)
        if isinstance(ids, str):
            self._report.left_out[found.where] = ids
            self._seen[resolved] = {"stamp": family, "left": ids, "sources": [], "rules": self._wish.rules}
        elif ids is not None:
            self._seen[resolved] = {"stamp": family, "left": "", "sources": ids}
        return int(len(self._report.added) > before)

    def _format(self, found: Found) -> Format | str:
        """The file's format, or why it has none here."""
        if self._wish.format:
            return importers.named(self._wish.format, self._vault.settings.formats) or "unknown format"
        with found.path.open("rb") as file:
            data = file.read(glances.HEAD)
        if not data.strip(b"\xef\xbb\xbf\x00 \t\r\n") and found.size <= glances.HEAD:
            return "it is empty"
        format = importers.recognise(Head(found.path.name, data, len(data) == found.size), self._vault.settings.formats)
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
        if any(each.format == format.yields for each in self._gathered.by_session.get(session, [])):
            return f"{format.yields} has the same session, with more in it"
        if not self._is_over(found) and not self._quiet(datetime.fromtimestamp(found.mtime / 1e9, UTC)):
            # Just written to: its end may show that it goes on, and then nothing else of it needs to be read.
            newest = glances.newest(found, format)
            if newest.endswith("Z") and not self._quiet(datetime.fromisoformat(newest)):
                self._report.open.append(found.where)
                return None
        start, previous = self._gathered.captured(found, format, session)
        if previous is not None and previous.raw.bytes == found.size:
            return self._with_members(found, format, previous, session, hint)
        name = self._gathered.name()
        captured = capture.file(found.path, format, self._gathered.staging, name, start, hint=hint)
        staged = bans.staged(self._gathered.stones, found.path, format, captured, hint, start)
        if staged is None:
            return bans.FORGOTTEN
        if self._is_open(found, staged, staged.day or hint.get("date", "")) or self._is_filtered(staged.facts):
            return None
        if previous is None and staged.raw.sha256 in self._gathered.hashes:
            return self._known(each for each in self._gathered.known.values() if each.raw.sha256 == staged.raw.sha256)
        if previous is None and (longer := self._gathered.longer(staged, session)):
            self._known([longer])
            return []
        self._gathered.complain(found, staged, format)
        staged.facts["session"] = session or staged.facts.get("session", "")
        sidecar = self._gathered.keep(
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
        return self._wish.refuses({**facts, "cwd": cwd, "remote": self._gathered.remote(cwd) or facts.get("remote", "")})

    def _known(self, holders: Iterable[Sidecar]) -> list[str]:
        """Count what sources hold already: as unchanged, or as a copy of what this very run took. Their ids."""
        found = [each.id for each in holders]
        if found and not any(source in self._vault.ledger.all() for source in found):
            self._report.copies += 1
        else:
            self._report.unchanged += 1
        return found

    def _is_over(self, found: Found) -> bool:
        """Whether somebody said that the session in a file is settled: by naming it, or by telling that it ended."""
        return found.named or found.key in self._wish.ended

    def _quiet(self, moment: datetime) -> bool:
        """Whether a session that was written to at this moment has been quiet long enough to be settled."""
        return self._vault.clock() - moment >= timedelta(minutes=self._vault.settings.settle_minutes)

    def _with_members(self, found: Found, format: LineFormat, previous: Sidecar, session: str, hint: dict[str, str]) -> list[str]:
        """An unchanged session, whose sub-agents may still have grown: what is new of them is a source of its own."""
        fresh = [each for each in self._members(found) if each[1].raw.sha256 not in self._gathered.hashes]
        if not fresh:
            return self._known([previous])
        empty = Staged(raw=Raw(found.size, previous.raw.sha256))
        digest = fresh[0][1].raw.sha256
        path = self._gathered.staging / f"{self._gathered.name()}.1"
        path.write_bytes(b"")
        empty.parts.append((path, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", 1))
        empty.facts["session"] = session
        for _, each in fresh:
            empty.day = empty.day or each.day
        sidecar = self._gathered.keep(found, format.name, format.suffix, empty, hint, previous.id, fresh, digest)
        return [previous.id, sidecar.id]

    def _members(self, found: Found) -> list[tuple[str, Staged]]:
        staged = []
        for name, path in upstream.members(found.path):
            if path.suffix == ".jsonl":
                format = importers.named("claude-code")
                assert isinstance(format, LineFormat)
                staged.append((name, capture.file(path, format, self._gathered.staging, self._gathered.name(), where=name)))
            else:
                staged.append((name, capture.blob(path, self._gathered.staging, self._gathered.name())))
        left = ((name, bans.member(self._gathered.stones, each)) for name, each in staged)
        return [(name, each) for name, each in left if each is not None]

    def _container(self, found: Found, format: Container, family: list[Any]) -> dict[str, Any]:
        """Stage what is new of a container's conversations; what to remember of the file."""
        earlier = self._seen.get(found.key, {})
        stamps: dict[str, str] = {}
        if not earlier.get("left") and all(source in self._gathered.known for source in earlier.get("sources", [])):
            stamps = earlier.get("stamps", {})
        entry: dict[str, Any] = {"stamp": family, "left": "", "sources": list(earlier.get("sources", [])), "stamps": stamps}
        asked = format.changed(found.path, stamps) if format.changed and stamps else format.conversations(found.path)
        for told in asked:
            if isinstance(told, str):
                self._report.problems.append(Problem(found.where, "damaged-conversation", told))
                continue
            try:
                ids = self._conversation(found, format, told)
            except WikimemError as error:
                self._report.problems.append(Problem(f"{found.where}#{told.session}", "not-kept", str(error)))
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
            self._report.left_out[where] = refused
            return []
        newest = max((turn.said for turn in told.turns if turn.said.endswith("Z")), default="")
        if not found.named and newest and not self._quiet(datetime.fromisoformat(newest)):
            self._report.open.append(where)
            return None
        held = self._held(format, told)
        continued = held.chain[-1] if held.chain else ""
        if held.chain:
            fresh = growth.rest(told, held)
            if fresh is None:
                self._report.unchanged += 1
                return held.chain
            told = fresh
        left = bans.conversation(self._gathered.stones, told)
        if left is None:
            self._report.left_out[where] = bans.FORGOTTEN
            return []
        staged = capture.conversation(left, self._gathered.staging, self._gathered.name())
        if self._gathered.stones.has_raw(staged.raw.bytes, staged.raw.sha256):
            self._report.left_out[where] = bans.FORGOTTEN
            return []
        if self._is_filtered(staged.facts):
            return []
        same = [each for each in self._gathered.known.values() if each.raw.sha256 == staged.raw.sha256]
        if same:
            return self._known(same)
        self._gathered.complain(found, staged, format)
        added = self._gathered.keep(found, format.name, ".jsonl", staged, {}, continued, [])
        if told.session:
            for path, _, _ in staged.parts:
                with path.open("rb") as file:
                    held.add(added.id, lines.split(lines.blocks(file)))
            held.chain = list(dict.fromkeys(held.chain))
            self._drawn[format.name, told.session] = held
        return held.chain or [added.id]

    def _held(self, format: Container, told: Conversation) -> growth.Held:
        """What the sources of a conversation hold, those of this run included."""
        key = (format.name, told.session)
        if not told.session or key in self._drawn:
            return self._drawn.get(key, growth.Held())
        stored = [each for each in self._gathered.by_session.get(told.session, []) if each.format == format.name]
        return growth.held(self._vault.ledger, stored)

    def _is_open(self, found: Found, staged: Staged, day: str) -> bool:
        """Whether a session found in a folder may still go on."""
        # Where only the day is known, as of a meeting, a day that is over is as good as an end.
        if self._is_over(found) or (not staged.newest and "" < day < self._vault.zone.day(self._vault.now())):
            return False
        moment = staged.newest
        if moment.endswith("Z"):
            newest = datetime.fromisoformat(moment)
        else:
            newest = datetime.fromtimestamp(found.mtime / 1e9, UTC)
        if self._quiet(newest):
            return False
        self._report.open.append(found.where)
        return True

    def _is_filtered(self, facts: dict[str, str]) -> bool:
        if not self._wish.project:
            return False
        cwd = facts.get("cwd", "")
        told = self._wish.scope or self._vault.settings.packages.scope(self._gathered.remote(cwd), cwd)
        if scopes.holds(f"project:{self._wish.project}", told):
            return False
        self._report.filtered += 1
        return True
