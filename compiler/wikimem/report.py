"""Report: what the memory tells at first sight: what people keep telling their agents, decisions, gotchas, failing commands.

It reads every source once, for the runs of commands; nothing is written.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from wikimem import extracting, memory
from wikimem.core import filed, findings, gate, scopes, views
from wikimem.core.findings import Finding, Ran
from wikimem.core.rules import outcomes
from wikimem.core.turns import Form
from wikimem.vault import Vault


@dataclass(frozen=True, slots=True)
class Found:
    """The report: a finding a project; those of which there is nothing to say are left out."""

    projects: tuple[Finding, ...]

    def as_json(self) -> dict[str, Any]:
        """The report as plain values; the shape is stable."""
        return {"projects": [asdict(one) for one in self.projects]}


def report(vault: Vault, project: str = "") -> Found:
    """What the memory tells at first sight.

    Args:
        vault: the vault.
        project: only this project's slug; '' for all.
    """
    remembered = memory.load(vault.root, vault.ledger, vault.settings.vocabulary)
    known = vault.ledger.all()
    # What a person did to the wiki itself is no session.
    said = {source: one for source, one in known.items() if one.format not in ("edit", filed.FORMAT)}
    sources = {source: (sidecar.scope, sidecar.started) for source, sidecar in said.items()}
    runs = []
    for source, sidecar in known.items():
        if project and not sidecar.is_of(project):
            continue
        try:
            session = vault.ledger.read(source)
        except OSError:
            # `verify` tells of sources that cannot be read.
            continue
        if not any(turn.form is Form.CALL for turn in session.turns):
            # Nothing ran there.
            continue
        screened = gate.screen(session.turns, session.dead)
        view = views.of(source, screened, extracting.facts(sidecar, session))
        told = (one for one in outcomes.ran(view) if one.passed is not None)
        runs += [Ran(sidecar.scope, one.run.command, bool(one.passed), one.result.turn.said) for one in told]
    every = findings.of(remembered.wiki, sources, runs, vault.zone)
    wanted = f"project:{project}" if project else ""
    return Found(tuple(one for one in every if not one.is_empty and (not wanted or scopes.holds(wanted, one.scope))))
