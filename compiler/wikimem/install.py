"""Install: an agent gets a memory, once: hooks, the MCP server and a skill in its own settings, and can lose it again.

Safe to repeat. After `uninstall` every file that nobody else touched is byte for byte what it was before.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from wikimem import assets, brief, lookup
from wikimem.core import configs
from wikimem.edges import harnesses, installs
from wikimem.edges.installs import Block, Json, Part, Written
from wikimem.errors import UsageError
from wikimem.vault import Vault

_CODEX = "Codex asks once whether it may run new hooks: open it and say yes under /hooks."
_OWN_MEMORY = (
    "Claude Code's own memory is on too: it keeps notes that Claude writes to itself, a folder for each project. "
    "wikimem keeps what was said, with the words that prove it, over all projects and agents. Both may run; `wikimem adopt` "
    'takes in what is there, and "autoMemoryEnabled": false in its settings switches the other one off.'
)
_NO_SERVER = "The MCP server is left out, because the package mcp is not installed: `pip install 'wikimem[mcp]'`, then again."


@dataclass(frozen=True, slots=True)
class Installation:
    """What was done.

    Args:
        agent: for which.
        files: what became of each file.
        shown: with `dry_run`, what would stand in each file, by path.
        notes: what the user should know.
    """

    agent: str
    files: tuple[Written, ...]
    shown: Mapping[str, str]
    notes: tuple[str, ...]

    @property
    def failed(self) -> bool:
        """Whether a file was left as it was because it could not be changed."""
        return any(each.what == "left" for each in self.files)

    def as_json(self) -> dict[str, Any]:
        """The installation as plain values; the shape is stable."""
        return {
            "agent": self.agent,
            "files": [{"path": str(each.path), "what": each.what, "why": each.why} for each in self.files],
            "shown": dict(self.shown),
            "notes": list(self.notes),
        }


def install(
    agent: str,
    vault: Vault | None,
    named: bool = False,
    project: Path | None = None,
    uninstall: bool = False,
    dry_run: bool = False,
    environ: Mapping[str, str] = os.environ,
) -> Installation:
    """Give an agent a memory, or take it away.

    Args:
        agent: one of `edges.harnesses.AGENTS`.
        vault: the vault that its brief comes from; None if there is none yet.
        named: whether hooks and server always use this vault, instead of the one that the session's folder means.
        project: the project's folder, for `agents-md`; the current one if not given.
        uninstall: take it out.
        dry_run: only say what would stand where.
        environ: names that move an agent's folder, and the home.

    Raises:
        UsageError: there is no such agent.
    """
    if agent not in harnesses.AGENTS:
        raise UsageError(f"{agent!r} is no agent that is known here; known are {', '.join(harnesses.AGENTS)}.")
    wanted = harnesses.Wanted(
        python=sys.executable,
        vault=str(vault.root) if vault is not None and named else "",
        skill=assets.read("skills", "memory-recall/SKILL.md"),
        memory=str(brief.memory_file(vault)) if vault is not None else "",
        project=(project or Path.cwd()).resolve(),
        # Whatever was installed is to be taken out, also where the server could not run any more.
        server=uninstall or find_spec("mcp") is not None,
    )
    parts = harnesses.parts(agent, wanted, environ)
    if dry_run:
        return Installation(agent, (), {str(part.path): _shown(part) for part in parts}, _notes(agent, wanted, environ))
    known = installs.Installed(_place(agent, wanted, environ))
    # Of what is to be taken out, a file that is not there is nothing to tell of.
    files = known.take(parts) if uninstall else known.put(parts)
    if uninstall:
        files = [each for each in files if each.what != "unchanged" or each.path.exists()]
        return Installation(agent, tuple(files), {}, ())
    notes = _notes(agent, wanted, environ)
    if vault is not None:
        brief.renew(vault)
        notes = (*_meant(vault, named), *notes)
    return Installation(agent, tuple(files), {}, notes)


def _meant(vault: Vault, named: bool) -> tuple[str, ...]:
    """Which sessions the vault is for. Sessions in a folder that means no vault would be lost without a word."""
    if named:
        return (f"All sessions use {vault.root}.",)
    if _is_of_code(vault):
        return (f"Sessions in the repository around {vault.root} use it; `wikimem --vault DIR install …` gives it all.",)
    if vault.settings.kind == "private" and lookup.choose_default(vault.root):
        return (f"{vault.root} is your default vault now: sessions in folders that mean no other one use it.",)
    default = lookup.default_place()
    if default.resolve() == vault.root:
        return (f"Sessions in folders that mean no other vault use {vault.root}, your default.",)
    if (default / lookup.MARKER).is_file():
        return (f"Sessions in folders that mean no vault use {default}, your default, not {vault.root}.",)
    return (f"Only sessions in {vault.root}, and those that a route of your config sends there, use it.",)


def _is_of_code(vault: Vault) -> bool:
    """Whether a vault lies in somebody's code: a linked worktree of it, or a folder in it."""
    from wikimem.edges.repo.place import locate

    place = locate(vault.root)
    return place is not None and (place.git != place.common or place.top != vault.root.resolve())


def records() -> Path:
    """The folder that tells what is installed on this machine, a file for each agent; it need not exist."""
    from platformdirs import user_data_path

    return user_data_path("wikimem", appauthor=False) / "installs"


def _notes(agent: str, wanted: harnesses.Wanted, environ: Mapping[str, str]) -> tuple[str, ...]:
    notes = []
    if not wanted.server and agent != "agents-md":
        notes.append(_NO_SERVER)
    if agent == "codex":
        notes.append(_CODEX)
    if agent == "claude-code" and harnesses.own_memory(environ):
        notes.append(_OWN_MEMORY)
    return tuple(notes)


def _shown(part: Part) -> str:
    if isinstance(part, Json):
        return configs.added("", part.changes)
    if isinstance(part, Block):
        return configs.with_block("", part.block, part.comment)
    return part.text


def _place(agent: str, wanted: harnesses.Wanted, environ: Mapping[str, str]) -> Path:
    from hashlib import sha256

    told = environ.get("HOME", "") if agent != "agents-md" else str(wanted.project)
    name = f"{agent}-{sha256(told.encode()).hexdigest()[:8]}"
    return records() / f"{name}.json"
