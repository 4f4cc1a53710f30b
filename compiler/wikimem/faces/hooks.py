"""The face towards agents' hooks: `python -m wikimem.faces.hooks AGENT EVENT`, with the agent's JSON on stdin.

An agent must never notice that something is wrong with its memory: whatever happens, the exit code is 0, nothing but an
answer is printed, and what failed stands in `.wikimem/hooks.log`. Little is imported before it is known that there is
something to do.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikimem.core.events import Event
    from wikimem.vault import Vault

LIMITS = {"start": 5.0, "prompt": 3.0, "turn": 5.0, "compact": 5.0, "end": 1.2}
"""Seconds after which a hook gives up without a word, unless `WIKIMEM_HOOK_SECONDS` gives it more. Claude Code ends a
session's last hook after 1.5."""

WORK = "work"
"""Instead of an agent: do what is due in a vault."""

_INPUT = 16 << 20
_LOG = 256 << 10


def main(args: list[str] | None = None) -> int:
    """Run one hook; always 0."""
    told = sys.argv[1:] if args is None else args
    if len(told) < 2 or (os.environ.get("WIKIMEM_DISABLE") and told[0] != WORK):
        return 0
    try:
        if told[0] == WORK:
            _work(told[1])
        else:
            _end_in_time(LIMITS.get(told[1], 5.0))
            _hook(told[0], told[1], told[2] if len(told) > 2 else "")
    except Exception as error:
        # Nothing of ours may disturb an agent.
        _log(told, error)
    return 0


def command(agent: str, event: str, vault: str = "") -> tuple[str, ...]:
    """The command that an agent runs at an event."""
    return (sys.executable, "-m", "wikimem.faces.hooks", agent, event, *([vault] if vault else []))


def _hook(agent: str, event: str, named: str) -> None:
    import json

    from wikimem.core import events

    if agent not in events.AGENTS or event not in events.EVENTS:
        return
    try:
        told = events.read(agent, json.loads(sys.stdin.buffer.read(_INPUT)))
    except ValueError:
        told = events.read(agent, None)
    if event == events.PROMPT and not events.asked(told):
        return
    from pathlib import Path

    from wikimem import lookup
    from wikimem.errors import NoVault

    try:
        root = lookup.find(named or None, Path(told.cwd) if told.cwd else None)
    except NoVault:
        return
    from wikimem import attend
    from wikimem.vault import open_at

    if not attend.is_forbidden(told):
        _answer(open_at(root), agent, event, told)


def _answer(vault: Vault, agent: str, event: str, told: Event) -> None:
    import orjson

    from wikimem import attend
    from wikimem.core import events

    text = ""
    if event == events.START and not told.resumed:
        text = attend.start(vault, told)
    elif event == events.PROMPT:
        text = attend.prompt(vault, told)
    answer = events.answer(agent, event, text)
    if answer is not None:
        sys.stdout.buffer.write(orjson.dumps(answer) + b"\n")
        sys.stdout.buffer.flush()
    if event == events.PROMPT:
        return
    if attend.may_keep(vault, told):
        if event != events.START:
            attend.keep(vault, told, ended=event == events.END)
        from wikimem import background

        background.due(vault.root, (sys.executable, "-m", "wikimem.faces.hooks", WORK, str(vault.root)))


def _work(root: str) -> None:
    """What is due in the background; its own process calls this."""
    import time
    from pathlib import Path

    from wikimem import background
    from wikimem import vault as vaults

    if hasattr(os, "nice"):
        os.nice(10)
    # What comes within a moment is done together.
    time.sleep(1.0)
    done = background.work(vaults.open_at(Path(root)))
    for problem in done.problems:
        _write(Path(root), problem)


def _end_in_time(seconds: float) -> None:
    """End the process, in silence, should it take longer."""
    import signal

    with suppress(ValueError):
        seconds = max(seconds, float(os.environ.get("WIKIMEM_HOOK_SECONDS", "")))
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, lambda *_: os._exit(0))
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _log(told: list[str], error: Exception) -> None:
    """Say in the vault's log what failed; where there is no vault, nowhere."""
    from pathlib import Path

    from wikimem import vault as vaults

    with suppress(Exception):
        root = Path(told[1]) if told[0] == WORK else vaults.find(told[2] if len(told) > 2 else None)
        _write(root, f"{' '.join(told[:2])}: {type(error).__name__}: {error}")


def _write(root: object, line: str) -> None:
    from datetime import UTC, datetime
    from pathlib import Path

    path = Path(str(root)) / ".wikimem" / "hooks.log"
    if path.exists() and path.stat().st_size > _LOG:
        path.replace(path.with_suffix(".log.1"))
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{now} {' '.join(line.split())}\n")


if __name__ == "__main__":
    sys.exit(main())
