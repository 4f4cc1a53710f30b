"""Doctor: whether this installation can do its work: programs, settings, the vault, its repository, locks, index, agents.

It looks and advises; it mends nothing. What is wrong *in* the wiki is told by `lint`, with the sources by `verify`.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from wikimem import indexing, install, receipts, verify
from wikimem import vault as vaults
from wikimem.core import checkups
from wikimem.core.checkups import Checkup, State
from wikimem.edges import harnesses, installs
from wikimem.errors import BadSettings, NoVault, UsageError, WorldError
from wikimem.lookup import found as found_vault
from wikimem.vault import Vault

_EXTRAS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "mcp": (("mcp",), "the MCP server"),
    "anthropic": (("anthropic",), "batches of Anthropic's models"),
    "history": (("git_filter_repo",), "`wikimem forget --history`"),
    "dense": (("huggingface_hub", "numpy", "onnxruntime", "tokenizers"), "recall by meaning"),
}
_LOCKS = {"lock": "writes to the vault", "compile.lock": "compiles", "site.lock": "builds the site"}
_LOST_AT_MOST = 5


@dataclass(frozen=True, slots=True)
class Examined:
    """What was looked at.

    Args:
        checkups: in the order of the report.
    """

    checkups: tuple[Checkup, ...]

    @property
    def state(self) -> State:
        """The gravest state of all."""
        return checkups.gravest(self.checkups)

    @property
    def code(self) -> int:
        """The exit code: 1 if something is broken."""
        return int(self.state is State.BROKEN)

    def as_json(self) -> dict[str, Any]:
        """The checkups as plain values; the shape is stable."""
        return {"state": self.state.value, "checkups": [each.as_json() for each in self.checkups]}


def examine(named: str | None = None, start: Path | None = None, environ: Mapping[str, str] = os.environ) -> Examined:
    """Look at everything; what cannot be looked at because of something else is left out.

    Args:
        named: the vault; None for the one that the folder means.
        start: the folder; the current one if not given.
        environ: where `WIKIMEM_VAULT` may stand.
    """
    checked = [*_programs(start or Path.cwd()), *_config()]
    vault, told = _vault(named, start, environ)
    checked += told
    if vault is not None:
        checked += [*_folder(vault), *_repository(vault), *_locks(vault), *_unfinished(vault), *_index(vault), *_meaning(vault)]
    return Examined((*checked, *_agents()))


def _programs(folder: Path) -> Iterator[Checkup]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield checkups.ok("python", f"{version}, {sys.executable}")
    from wikimem.edges.repo import health

    yield health.version(folder)
    for name, (modules, what) in _EXTRAS.items():
        missing = [module for module in modules if find_spec(module) is None]
        if missing and name == "history" and shutil.which("git-filter-repo"):
            missing = []
        told = f"not installed; for {what}: pip install 'wikimem[{name}]'" if missing else f"installed, for {what}"
        yield checkups.ok(f"extra {name}", told)


def _config() -> Iterator[Checkup]:
    path = vaults.user_config()
    try:
        routes = vaults.user_routes()
    except (BadSettings, OSError) as error:
        yield checkups.broken("config", str(error), f"Correct {path}; until then hooks and sweep capture nothing.")
        return
    if not path.exists():
        yield checkups.ok("config", f"none ({path})")
        return
    yield checkups.ok("config", f"{path}: {len(routes.to)} routes, {len(routes.never)} patterns of never")
    for route in routes.to:
        if not (Path(route.vault) / vaults.MARKER).is_file():
            advice = f"Make it with `wikimem init {route.vault}`, or correct the route in {path}."
            yield checkups.broken("route", f"{', '.join(route.patterns)} leads to {route.vault}, which is no vault", advice)


def _vault(named: str | None, start: Path | None, environ: Mapping[str, str]) -> tuple[Vault | None, list[Checkup]]:
    try:
        root, how = found_vault(named, start, environ)
    except NoVault:
        return None, [
            checkups.look("vault", f"none is meant by {start or Path.cwd()}", "`wikimem init NAME` makes one; --vault names one.")
        ]
    except UsageError as error:
        return None, [checkups.broken("vault", str(error), "Name another folder with --vault or WIKIMEM_VAULT.")]
    told = [checkups.ok("vault", f"{root.resolve()}: {how}")]
    try:
        vault = vaults.open_at(root)
    except (UsageError, OSError) as error:
        return None, [*told, checkups.broken("settings", str(error), "Nothing works with this vault until they are corrected.")]
    settings = vault.settings
    said = f"{settings.kind}, isolation {settings.isolation}, model {settings.model}, zone {settings.zone.name}"
    return vault, [*told, checkups.ok("settings", said)]


def _folder(vault: Vault) -> Iterator[Checkup]:
    folder = vault.root / ".wikimem"
    try:
        with tempfile.TemporaryFile(dir=folder if folder.is_dir() else vault.root):
            pass
    except OSError as error:
        advice = "Give yourself the right to write there, or make room on the disk."
        yield checkups.broken("work folder", f"{folder} cannot be written to ({error.strerror or error})", advice)
        return
    yield checkups.ok("work folder", f"{folder} can be written to")


def _repository(vault: Vault) -> Iterator[Checkup]:
    try:
        with vault.repository() as repo:
            yield from repo.examine()
            known = vault.ledger.all()
            for problem in verify.lost(vault, repo, known)[:_LOST_AT_MOST]:
                yield checkups.broken("lost source", f"{problem.where}: {problem.message}", "Bring it back before you go on.")
            has_remote = bool(repo.remotes)
    except (UsageError, WorldError) as error:
        yield checkups.broken("repository", str(error), "Until then nothing can be captured or compiled.")
        return
    if has_remote and vault.settings.kind != "shared":
        yield _routed(vault)


def _routed(vault: Vault) -> Checkup:
    """Whether sessions come into a vault that leaves this machine."""
    try:
        routes = vaults.user_routes()
    except BadSettings:
        return checkups.look("sessions", "whether they come here is unknown, for the config cannot be read", "See config above.")
    if any(Path(route.vault).resolve() == vault.root for route in routes.to):
        return checkups.ok("sessions", "a route sends sessions here, though the vault has a remote")
    advice = f'If they are to, write [[routes]] with match and vault = "{vault.root}" into {vaults.user_config()}.'
    return checkups.look("sessions", "the vault has a remote and no route names it: hooks and sweep do not write here", advice)


def _locks(vault: Vault) -> Iterator[Checkup]:
    from filelock import FileLock, Timeout

    held = []
    for name, what in _LOCKS.items():
        path = vault.root / ".wikimem" / name
        if not path.is_file():
            continue
        lock = FileLock(path)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            held.append(what)
        except OSError:
            continue  # told above: the folder cannot be written to
        else:
            lock.release()
    if held:
        advice = "It frees what it holds when it ends, however it ends."
        yield checkups.look("vault lock", f"another process {' and '.join(held)} now", advice)
    else:
        yield checkups.ok("vault lock", "no other process works on the vault")


def _unfinished(vault: Vault) -> Iterator[Checkup]:
    for told in receipts.unfinished(vault):
        yield checkups.broken("forgetting", told, "`wikimem forget` without a name finishes it.")


def _index(vault: Vault) -> Iterator[Checkup]:
    wrong = indexing.state(vault.root, vault.ledger, vault.settings.vocabulary)
    for problem in wrong:
        advice = "The next recall or ingest mends it; nothing but time is lost."
        yield checkups.look("index", problem.message, advice)
    if not wrong:
        yield checkups.ok("index", "in step with sources and wiki")


def _meaning(vault: Vault) -> Iterator[Checkup]:
    if not vault.settings.dense:
        return
    missing = [module for module in _EXTRAS["dense"][0] if find_spec(module) is None]
    if missing:
        advice = "pip install 'wikimem[dense]', or take `dense` out of [recall]."
        yield checkups.broken("recall by meaning", f"the settings want it, and {', '.join(missing)} is not installed", advice)


_FREE = re.compile(r'"start"\s*\]| start"')
"""A hook that names no vault, so that each session uses the one that its folder means."""


def _agents() -> Iterator[Checkup]:
    known = installs.listed(install.records())
    for record, files in known.items():
        agent = record.rpartition("-")[0]
        yield _agent(agent, files)
    if any(_FREE.search(path.read_text("utf-8", "replace")) for files in known.values() for path in files if path.is_file()):
        yield from _default()
    if not known:
        yield checkups.ok("agents", "none has hooks of wikimem; `wikimem install AGENT` adds them")


def _default() -> Iterator[Checkup]:
    """Which vault sessions in folders that mean none are remembered in."""
    with suppress(BadSettings):
        place = vaults.default_place()
        if (place / vaults.MARKER).is_file():
            yield checkups.ok("default vault", f"{place} is for sessions in folders that mean no other")
            return
        advice = f'Write default = "DIR" into {vaults.user_config()}, or run `wikimem install AGENT` again in your vault.'
        told = "there is none: sessions in folders that mean no vault are not remembered"
        yield checkups.look("default vault", told, advice)


def _agent(agent: str, files: tuple[Path, ...]) -> Checkup:
    name, advice = f"agent {agent}", f"`wikimem install {agent}` puts it right; `--uninstall` takes it away."
    gone = [str(path) for path in files if not path.is_file()]
    if gone:
        return checkups.look(name, f"{', '.join(gone)} is not there any more", advice)
    texts = {path: path.read_bytes().decode("utf-8", "replace") for path in files}
    silent = [str(path) for path, text in texts.items() if "wikimem" not in text]
    if silent:
        return checkups.look(name, f"nothing of wikimem stands in {', '.join(silent)} any more", advice)
    programs = sorted({program for path, text in texts.items() for program in harnesses.interpreters(path, text)})
    lost = [program for program in programs if shutil.which(program) is None]
    if lost:
        return checkups.broken(name, f"its hooks run {', '.join(lost)}, which is not there: it remembers nothing", advice)
    return checkups.ok(name, f"installed, run by {', '.join(programs)}" if programs else "installed")
