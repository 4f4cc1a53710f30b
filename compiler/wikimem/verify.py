"""Verify: the proof that sources are what was captured, and that each claim's words stand in them and on its page.

It reads and reports; it mends nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from wikimem import proving, receipts
from wikimem.core import masking, sources
from wikimem.core.sources import Sidecar
from wikimem.edges import cycles, importers
from wikimem.errors import Problem
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo

_BLOCK = 4 << 20


@dataclass(frozen=True, slots=True)
class Proof:
    """What was proved.

    Args:
        sources: how many sources were checked.
        bytes: how many bytes of theirs.
        quotes: how many pieces of evidence are proved.
        attested: how many of them by a hash alone, taken before the words were retired; the others stand in their turns.
        since: since which commit `sources/` is proved to have only grown.
        files, pages: of how many claims files and pages the bytes are those that an earlier verify found right, so that they
            were hashed and not looked at again.
        problems: all that is wrong, in order of place.
    """

    sources: int
    bytes: int
    quotes: int
    attested: int
    since: str
    files: int
    pages: int
    problems: tuple[Problem, ...]

    def as_json(self) -> dict[str, Any]:
        """The proof as plain values; the shape is stable."""
        return {
            "sources": self.sources,
            "bytes": self.bytes,
            "quotes": self.quotes,
            "attested": self.attested,
            "since": self.since,
            "kept": {"files": self.files, "pages": self.pages},
            "problems": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.problems],
        }


def verify(vault: Vault, against: str = "", anew: bool = False) -> Proof:
    """Check every source's bytes, every commit that touched `sources/`, every quote of a claim, and every page.

    Args:
        vault: the vault.
        against: also prove that every source of this commit is here unchanged; '' for no such check.
        anew: look at all claims files and pages again, also at those whose bytes an earlier verify found right. The bytes of
            sources are always looked at.

    Raises:
        WorldError: git cannot answer.
    """
    ledger = vault.ledger
    ledger.forget_cache()
    known = ledger.all()
    problems = list(ledger.problems)
    size = 0
    sound: set[str] = set()
    for source, sidecar in known.items():
        wrong = list(ledger.check(source))
        problems += wrong
        if not wrong:
            sound.add(source)
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
    problems += [Problem(".wikimem/forgetting.json", "unfinished-forget", told) for told in receipts.unfinished(vault)]
    with vault.repository() as repo:
        problems += lost(vault, repo, known)
    with cycles.rarely():
        held = proving.hold(vault, sound, anew)
    return Proof(len(known), size, held.quotes, held.attested, since, held.files, held.pages, (*problems, *held.problems))


def lost(vault: Vault, repo: Repo, known: Mapping[str, Sidecar]) -> list[Problem]:
    """Sources that were captured on this machine and are in the vault no more, though nobody forgot them: after a reset."""
    try:
        seen = orjson.loads((vault.root / ".wikimem" / "seen.json").read_bytes())["files"].values()
        captured = {source for entry in seen for source in entry["sources"]}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []
    gone = sorted(captured - known.keys() - repo.tombstones().sources)
    places = repo.last_with([f"{sources.folder(source)}/{source}.yaml" for source in gone])
    return [
        Problem(
            path,
            "source-lost",
            f"it was captured here once; commit {commit[:12]} of the reflog has it: `git checkout {commit[:12]} -- sources` "
            "brings it back"
            if commit
            else "it was captured here once, and no commit that git still knows of has it; ingest it again",
        )
        for path, commit in places.items()
    ]


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
