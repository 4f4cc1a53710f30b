"""Background: what is due between two sessions: the index and the briefs follow, settled sessions are captured and compiled,
and what was asked for is lifted onto its page.

One process a vault at a time. Sessions are captured a few times a day, all that are settled together, so that the history
gets one commit for each of them and few more; until then they are found in the spool. Whatever fails is told and left for
the next run. To say that something is due, little is imported: an agent waits.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import orjson

from wikimem.core.sources import Sidecar
from wikimem.edges import spool
from wikimem.errors import VaultLocked, WikimemError
from wikimem.vault import Vault

SPACING = timedelta(hours=4)
"""Two captures of one day are so far apart."""

_ROUNDS = 5
_KEPT_DAYS = 30


@dataclass(frozen=True, slots=True)
class Done:
    """What a run did.

    Args:
        captured: ids of new sources.
        compiled: ids of sources that were compiled.
        waiting: copies of sessions that are not captured yet.
        problems: what failed, one sentence each.
    """

    captured: tuple[str, ...]
    compiled: tuple[str, ...]
    waiting: int
    problems: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The run as plain values; the shape is stable."""
        return {
            "captured": list(self.captured),
            "compiled": list(self.compiled),
            "waiting": self.waiting,
            "problems": list(self.problems),
        }


def due(root: Path, run: tuple[str, ...]) -> bool:
    """Say that something is due, and start a process for it unless one is at work already.

    Args:
        root: the vault's folder.
        run: the command that calls `work` for it.

    Returns:
        Whether a process was started. It goes on when the one that started it ends.
    """
    (root / ".wikimem").mkdir(exist_ok=True)
    _asked(root).touch()
    with _alone(root) as free:
        if not free:
            return False
    log = root / ".wikimem" / "background.log"
    with suppress(OSError):
        if log.stat().st_size > 1 << 20:
            log.replace(log.with_suffix(".log.1"))
    detached: dict[str, Any] = (
        {"creationflags": 0x00000008 | 0x00000200} if sys.platform == "win32" else {"start_new_session": True}
    )
    with log.open("ab") as out:
        process = subprocess.Popen(
            run,
            cwd=root,
            env={**os.environ, "WIKIMEM_DISABLE": "1"},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            **detached,
        )
    # Whoever lives longer than it must not keep it as a zombie.
    threading.Thread(target=process.wait, daemon=True).start()
    return True


def work(vault: Vault) -> Done:
    """Do what is due; nothing if another process is at it.

    Args:
        vault: the vault.
    """
    run = _Run(vault)
    with _alone(vault.root) as free:
        for _ in range(_ROUNDS if free else 0):
            began = _time(_asked(vault.root))
            run.round()
            if _time(_asked(vault.root)) == began:
                break
    return Done(
        tuple(run.captured),
        tuple(run.compiled),
        len(list(spool.every(vault.root))),
        tuple(dict.fromkeys(run.problems)),
    )


class _Run:
    """One run, and what it did."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self.captured: list[str] = []
        self.compiled: list[str] = []
        self.problems: list[str] = []

    def round(self) -> None:
        """Each step once; one that fails leaves the others."""
        self.vault.ledger.forget_cache()
        for step in (self.index, self.capture, self.compile, self.lift, self.tell):
            try:
                step()
            except VaultLocked:
                # Somebody else writes: the next run finds what is left.
                continue
            except (WikimemError, OSError) as error:
                self.problems.append(f"{step.__name__}: {error}")

    def index(self) -> None:
        """What is in the spool is found from now on."""
        from wikimem import indexing

        indexing.refresh(self.vault.root, self.vault.ledger, self.vault.settings.vocabulary).close()

    def capture(self) -> None:
        """Settled sessions become sources, if it is time."""
        state = _state(self.vault)
        if _may_capture(self.vault, state):
            from wikimem import notes
            from wikimem.sweep import sweep

            ended = frozenset(
                os.path.realpath(copy.hint[spool.PATH]) for copy in spool.every(self.vault.root) if spool.ENDED in copy.hint
            )
            lost = self.lost()
            noted = sorted(notes.folder(self.vault).glob("*.jsonl"))
            own = (*(spool.folder(self.vault.root) / copy.path for copy in lost), *noted)
            swept = sweep(self.vault, ended=ended | {os.path.realpath(path) for path in own}, own=own)
            reports = swept.reports.values()
            self.captured += [each.id for report in reports for each in report.added]
            self.problems += [str(problem) for problem in swept.problems]
            self.problems += [str(problem) for report in reports for problem in report.problems]
            if any(report.commit for report in reports):
                _remember(self.vault, state)
            if self.vault.root not in swept.busy:
                for copy in lost:
                    spool.drop(self.vault.root, copy)
                for path in noted:
                    path.unlink()
        self.prune()

    def lost(self) -> list[Sidecar]:
        """Copies whose files are gone: their tool dropped them before they were settled, so the copies become sources."""
        sessions = {sidecar.session for sidecar in self.vault.ledger.all().values()} - {""}
        copies = [copy for copy in spool.every(self.vault.root) if not Path(copy.hint[spool.PATH]).exists()]
        return [copy for copy in copies if copy.session not in sessions]

    def prune(self) -> None:
        """Remove copies of what is captured now, or of sessions that no vault took for a month."""
        held: dict[str, int] = {}
        for sidecar in self.vault.ledger.all().values():
            held[sidecar.session] = max(held.get(sidecar.session, 0), sidecar.raw.bytes)
        month = (self.vault.clock() - timedelta(days=_KEPT_DAYS)).strftime("%Y-%m-%d")
        for copy in spool.every(self.vault.root):
            captured = bool(copy.session) and held.get(copy.session, -1) >= copy.raw.bytes
            if captured or copy.ended[:10] < month or (copy.session in held and not Path(copy.hint[spool.PATH]).exists()):
                spool.drop(self.vault.root, copy)

    def compile(self) -> None:
        """What is captured and not compiled yet is compiled, within the day's limit."""
        from wikimem import compile as compiling
        from wikimem import memory

        if not memory.pending(self.vault.root, self.vault.ledger):
            return
        made = compiling.compile(self.vault, compiling.Wish(background=True))
        self.compiled += [outcome.source for outcome in made.outcomes if outcome.commit]
        failed = (outcome for outcome in made.outcomes if outcome.reason and not outcome.paused)
        self.problems += [f"{outcome.source}: {outcome.reason}" for outcome in failed]
        self.problems += [str(problem) for problem in made.problems]

    def lift(self) -> None:
        """What stays on cards and was asked for gets onto its page: once a day."""
        state, today = _state(self.vault), self.vault.now()[:10]
        if state.get("lifted") == today:
            return
        from wikimem.lift import lift

        self.problems += [str(problem) for problem in lift(self.vault).problems]
        _put(self.vault, {**_state(self.vault), "lifted": today})

    def tell(self) -> None:
        """What agents are told when a session begins follows the wiki."""
        from wikimem import branching, brief

        self.index()
        branching.refresh(self.vault)
        brief.renew(self.vault)


def _may_capture(vault: Vault, state: Mapping[str, Any]) -> bool:
    """Whether this run may capture: so many times a day, some hours apart."""
    times = [time for time in state.get("captures", []) if isinstance(time, str)]
    today = [time for time in times if time[:10] == vault.now()[:10]]
    if len(today) >= vault.settings.captures_a_day:
        return False
    spacing = min(SPACING, timedelta(days=1) / max(vault.settings.captures_a_day, 1) / 2)
    return not today or vault.clock() - datetime.fromisoformat(today[-1]) >= spacing


def _state(vault: Vault) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        told = orjson.loads((vault.work / "background.json").read_bytes())
        if isinstance(told, dict):
            return told
    return {}


def _remember(vault: Vault, state: Mapping[str, Any]) -> None:
    _put(vault, {**state, "captures": [*state.get("captures", [])[-9:], vault.now()]})


def _put(vault: Vault, state: Mapping[str, Any]) -> None:
    path = vault.work / "background.json"
    temporary = path.with_suffix(".tmp")
    temporary.write_bytes(orjson.dumps(dict(state)))
    temporary.replace(path)


@contextmanager
def _alone(root: Path) -> Iterator[bool]:
    """Whether no other process is at work, which stays so inside."""
    from filelock import FileLock, Timeout

    lock = FileLock(root / ".wikimem" / "background.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        yield False
        return
    try:
        yield True
    finally:
        lock.release()


def _asked(root: Path) -> Path:
    return root / ".wikimem" / "background.due"


def _time(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
