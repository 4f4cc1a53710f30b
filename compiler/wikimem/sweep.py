"""Sweep: what the known tools have kept since the last time goes to the vaults it belongs to. Safe to run every minute.

It looks where tools keep sessions and leaves the rest to `ingest`: only what is settled is taken, only what is new, and
nothing of it when another process writes to the vault just now. The user's config says which session belongs to which
vault, and which to none; sessions that our own compiler ran belong to none.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from wikimem import vault as vaults
from wikimem.core.reports import Report
from wikimem.core.routes import Routes
from wikimem.edges import homes
from wikimem.edges.sharing import has_remote
from wikimem.errors import NotAVault, Problem, VaultLocked
from wikimem.ingest import ingest
from wikimem.intake import Wish
from wikimem.vault import Vault

NEVER = "the user's config says never"
ELSEWHERE = "it belongs to another vault"
NO_ROUTE = "no route of the user's config leads here"
REMOTE = "this vault has a remote, and no route of the user's config leads here"
SHARED = "it is shared, and receives only what `wikimem share` sends"


@dataclass(frozen=True, slots=True)
class Swept:
    """What a sweep did.

    Args:
        looked: where it looked.
        reports: what was taken by each vault, by its folder; the one that takes what has no route is first.
        busy: vaults that another process was writing to; the next sweep serves them.
        problems: what is wrong with the user's config.
    """

    looked: tuple[Path, ...]
    reports: Mapping[Path, Report]
    busy: tuple[Path, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether anything needs a person."""
        return bool(self.problems) or any(report.problems for report in self.reports.values())

    def as_json(self) -> dict[str, Any]:
        """The sweep as plain values; the shape is stable."""
        return {
            "looked": [str(path) for path in self.looked],
            "vaults": {str(root): report.as_json() for root, report in self.reports.items()},
            "busy": [str(root) for root in self.busy],
            "problems": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.problems],
        }


def sweep(
    vault: Vault | None,
    routes: Routes | None = None,
    since: str = "",
    dry_run: bool = False,
    progress: Callable[[str], None] = lambda path: None,
    environ: Mapping[str, str] = os.environ,
    ended: frozenset[str] = frozenset(),
    own: tuple[Path, ...] = (),
) -> Swept:
    """Take what is settled and new from where the known tools keep sessions.

    Args:
        vault: takes what no route sends elsewhere, unless it is itself the end of a route: then what that one says. None
            for the ends of routes alone.
        routes: which session belongs where; as the user's config has it, if not given.
        since: only files written on this day or later, `2026-08-14`; '' for all.
        dry_run: read and report, write nothing.
        progress: told the path of each file that is read.
        environ: where the tools' folders may have been moved.
        ended: as in `intake.Wish`.
        own: further files, which are for this vault alone.

    Raises:
        BadSettings: the user's config cannot be read.
        WorldError: git stands in the way.
    """
    routes = vaults.user_routes() if routes is None else routes
    served, problems = _vaults(vault, routes)
    places = homes.sessions(environ)
    reports: dict[Path, Report] = {}
    busy: list[Path] = []
    for each in served:
        if each.settings.kind == "shared":
            problems.append(Problem(str(each.root), "shared", SHARED))
            continue
        leaves = has_remote(each.root)
        folders = (sidecar.cwd for sidecar in each.ledger.all().values())
        wish = Wish(
            (*places, *homes.beside_code(folders), *(own if vault is not None and each.root == vault.root else ())),
            since=since,
            dry_run=dry_run,
            named=False,
            refuses=_refuses(each.root, routes, served, leaves),
            rules=_digest(routes, leaves),
            wait=0,
            ended=ended,
        )
        try:
            reports[each.root] = ingest(each, wish, progress)
        except VaultLocked:
            busy.append(each.root)
    return Swept(tuple(places), reports, tuple(busy), tuple(problems))


def _vaults(vault: Vault | None, routes: Routes) -> tuple[list[Vault], list[Problem]]:
    """The vaults to serve, and the routes that lead to none."""
    found = {vault.root: vault} if vault is not None else {}
    problems = []
    for route in routes.to:
        root = Path(route.vault).resolve()
        if root in found:
            continue
        try:
            found[root] = vaults.open_at(root, vault.clock) if vault is not None else vaults.open_at(root)
        except NotAVault as error:
            problems.append(Problem(str(vaults.user_config()), "route", f"a route leads nowhere: {error}"))
    return list(found.values()), problems


def _refuses(root: Path, routes: Routes, served: list[Vault], leaves: bool) -> Callable[[Mapping[str, str]], str]:
    """Why a vault does not take a session; `leaves` says that it has a remote."""
    ends = {Path(route.vault).resolve() for route in routes.to}

    def refuse(facts: Mapping[str, str]) -> str:
        cwd, remote = facts.get("cwd", ""), facts.get("remote", "")
        if routes.forbids(cwd, remote):
            return NEVER
        told = routes.vault(cwd, remote)
        if told:
            return "" if Path(told).resolve() == root else ELSEWHERE
        # A vault that is for some projects alone never gets what nobody assigned.
        if root in ends:
            return NO_ROUTE
        # What is committed there goes elsewhere sooner or later, and nobody is to be surprised by that.
        if leaves:
            return REMOTE
        return "" if root == served[0].root else ELSEWHERE

    return refuse


def _digest(routes: Routes, leaves: bool) -> str:
    return sha256(f"{routes!r} {leaves}".encode("utf-8", "replace")).hexdigest()[:16]
