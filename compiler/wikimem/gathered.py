"""Gathered: the sources of one ingest before they are committed, beside those that the vault has. It decides nothing.

What was staged becomes a source here: it gets its id, its sidecar and its paths, and is counted in the report.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from wikimem import capture, glances
from wikimem.capture import Staged
from wikimem.core import sources
from wikimem.core.reports import Report
from wikimem.core.sensitive import MARKED
from wikimem.core.sources import Member, Raw, Sidecar
from wikimem.core.tombstones import Tombstones
from wikimem.edges import ledger, lines
from wikimem.edges.importers import Format, LineFormat
from wikimem.edges.upstream import Found
from wikimem.errors import Problem
from wikimem.vault import Vault

_LISTED = 5


class Gathered:
    """What one run takes.

    Args:
        vault: the vault.
        scope: what all of it belongs to, instead of what the files tell; '' for what they tell.
        report: where it is counted.
        stones: of what was forgotten.

    Attributes:
        writes: the files of the new sources, by path from the vault's root.
        staging: a folder for files on their way.
        known: all sources, old and new, by id.
        hashes: of all their files, before masking.
        by_session: the same sources by the session that their tool named.
    """

    def __init__(self, vault: Vault, scope: str, report: Report, stones: Tombstones) -> None:
        self.vault, self.scope, self.report, self.stones = vault, scope, report, stones
        self.writes: dict[str, Path | bytes] = {}
        self.staging = vault.work / "staging" / "ingest"
        shutil.rmtree(self.staging, ignore_errors=True)
        self.staging.mkdir(parents=True)
        self.known: dict[str, Sidecar] = dict(vault.ledger.all())
        self.hashes = {member.raw.sha256 for each in self.known.values() for member in each.members}
        self.hashes |= {each.raw.sha256 for each in self.known.values()}
        self.by_session: dict[str, list[Sidecar]] = {}
        for each in self.known.values():
            self.by_session.setdefault(each.session, []).append(each)
        self._remotes: dict[str, str] = {}
        self._count = 0

    def captured(self, found: Found, format: LineFormat, session: str) -> tuple[int, Sidecar | None]:
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

    def longer(self, staged: Staged, session: str) -> Sidecar | None:
        """The source that the file is only the beginning of: its tool cut it, and we keep the longer; None if there is none."""
        for each in self.by_session.get(session, []):
            if each.raw.bytes <= staged.raw.bytes or len(staged.parts) != 1 or each.continues:
                continue
            stored = self.vault.root / each.path
            size = staged.parts[0][0].stat().st_size
            if stored.is_file() and stored.stat().st_size >= size:
                with stored.open("rb") as kept, staged.parts[0][0].open("rb") as cut:
                    if all(kept.read(len(block)) == block for block in lines.blocks(cut)):
                        return each
        return None

    def keep(
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
        masked = Counter(staged.masked)
        kept = [
            Member(f"part-{number}{suffix}", sha, Raw(0, ""), line) for number, (_, sha, line) in enumerate(staged.parts[1:], 2)
        ]
        for name, each in members:
            masked.update(each.masked)
            kept.append(Member(name, each.parts[0][1], each.raw))
            staged.account.merge(each.account)
        sidecar = self._sidecar(source, format, suffix, staged, hint, continues, day)
        sidecar = replace(sidecar, masked=masked, members=tuple(kept))
        sidecar = sources.placed(sidecar, self.vault.settings.packages)
        paths = iter(sidecar.paths())
        self.writes[next(paths)] = ledger.render(sidecar)
        for path, staged_file in zip(paths, _files(staged, members), strict=True):
            self.writes[path] = staged_file
        self.known[source] = sidecar
        self.hashes.add(staged.raw.sha256)
        self.hashes.update(each.raw.sha256 for _, each in members)
        self.by_session.setdefault(sidecar.session, []).append(sidecar)
        self.report.added.append(sidecar)
        self._report(found, staged, members, masked)
        return sidecar

    def _sidecar(
        self, source: str, format: str, suffix: str, staged: Staged, hint: Mapping[str, str], continues: str, day: str
    ) -> Sidecar:
        """What is known of a source besides its members: what its records say, else where the file lies."""
        facts = {name: hint[name] for name in ("cwd", "parent", "remote") if name in hint} | staged.facts
        cwd, parent = facts.get("cwd", ""), facts.get("parent", "")
        told = {name: value for name, value in hint.items() if name not in ("session", "cwd", "parent")}
        return Sidecar(
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
            remote=self.remote(cwd) or facts.get("remote", ""),
            branch=facts.get("branch", ""),
            parent=parent if parent != facts.get("session") else "",
            continues=continues,
            hint=told | ({"scope": self.scope} if self.scope else {}),
        )

    def _report(self, found: Found, staged: Staged, members: Sequence[tuple[str, Staged]], masked: Counter[str]) -> None:
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

    def complain(self, found: Found, staged: Staged, format: Format) -> None:
        if staged.unclosed:
            told = f"`{MARKED}` without an end in {', '.join(staged.unclosed[:_LISTED])}: it is not masked, and what is claimed"
            told += " there waits for `wikimem review`; `wikimem forget SOURCE` takes it out again"
            self.report.problems.append(Problem(found.where, "unclosed-private", told))
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

    def remote(self, cwd: str) -> str:
        if cwd not in self._remotes:
            from wikimem.edges.repo import remote_of

            self._remotes[cwd] = remote_of(cwd) if cwd and Path(cwd).is_dir() else ""
        return self._remotes[cwd]

    def name(self) -> str:
        self._count += 1
        return f"f{self._count}"


def _files(staged: Staged, members: Sequence[tuple[str, Staged]]) -> Iterator[Path]:
    yield from (path for path, _, _ in staged.parts)
    yield from (each.parts[0][0] for _, each in members)
