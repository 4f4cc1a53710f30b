"""Verify: the proof that the sources are what was captured, that none was changed or removed, and no secret stands in them.

It reads and reports; it mends nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wikimem.core import masking
from wikimem.core.sources import Sidecar
from wikimem.edges import importers
from wikimem.errors import Problem
from wikimem.vault import Vault

_BLOCK = 4 << 20


@dataclass(frozen=True, slots=True)
class Proof:
    """What was proved.

    Args:
        sources: how many sources were checked.
        bytes: how many bytes of theirs.
        since: since which commit `sources/` is proved to have only grown.
        problems: all that is wrong, in order of place.
    """

    sources: int
    bytes: int
    since: str
    problems: tuple[Problem, ...]

    def as_json(self) -> dict[str, Any]:
        """The proof as plain values; the shape is stable."""
        return {
            "sources": self.sources,
            "bytes": self.bytes,
            "since": self.since,
            "problems": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.problems],
        }


def verify(vault: Vault, against: str = "") -> Proof:
    """Check every source's bytes, every commit that touched `sources/`, and what an interrupted run left.

    Args:
        vault: the vault.
        against: also prove that every source of this commit is here unchanged; '' for no such check.

    Raises:
        WorldError: git cannot answer.
    """
    ledger = vault.ledger
    ledger.forget_cache()
    known = ledger.all()
    problems = list(ledger.problems)
    size = 0
    for source, sidecar in known.items():
        wrong = list(ledger.check(source))
        problems += wrong
        if not wrong:
            found, secret = _secrets(vault, sidecar)
            size += found
            problems += secret
    problems += ledger.strays()
    with vault.repository() as repo:
        proved, since = repo.immutable(against=against or None)
        problems += proved
        stored = repo.paths("sources")
    for sidecar in known.values():
        missing = [path for path in sidecar.paths() if path not in stored]
        if missing:
            problems.append(
                Problem(missing[0], "not-committed", "it is in no commit yet; `wikimem ingest` finishes an interrupted run")
            )
    return Proof(len(known), size, since, tuple(problems))


def _secrets(vault: Vault, sidecar: Sidecar) -> tuple[int, list[Problem]]:
    format = importers.named(sidecar.format)
    json = format.json if isinstance(format, importers.LineFormat) else True
    size = 0
    problems = []
    for path in sidecar.paths()[1:]:
        with (vault.root / path).open("rb") as file:
            while data := file.read(_BLOCK):
                data += file.readline()
                size += len(data)
                left = masking.left(data, json and path.endswith(".jsonl"))
                if left:
                    kinds = ", ".join(sorted(left))
                    problems.append(Problem(path, "secret", f"it holds what looks like {kinds}, by rules newer than its capture"))
                    break
    return size, problems
