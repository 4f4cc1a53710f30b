"""Verify: the proof that sources are what was captured, and that each claim's words stand in them and on its page.

It reads and reports; it mends nothing.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from wikimem import browsing, memory, receipts
from wikimem.core import checks, masking, pages, sources, texts
from wikimem.core.claims import Evidence
from wikimem.core.sources import Sidecar
from wikimem.core.turns import Turn
from wikimem.edges import importers
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
        problems: all that is wrong, in order of place.
    """

    sources: int
    bytes: int
    quotes: int
    attested: int
    since: str
    problems: tuple[Problem, ...]

    def as_json(self) -> dict[str, Any]:
        """The proof as plain values; the shape is stable."""
        return {
            "sources": self.sources,
            "bytes": self.bytes,
            "quotes": self.quotes,
            "attested": self.attested,
            "since": self.since,
            "problems": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.problems],
        }


def verify(vault: Vault, against: str = "") -> Proof:
    """Check every source's bytes, every commit that touched `sources/`, every quote of a claim, and every page.

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
    problems += [Problem(".wikimem/forgetting.json", "unfinished-forget", told) for told in receipts.unfinished(vault)]
    with vault.repository() as repo:
        problems += lost(vault, repo, known)
    quotes, attested, wrong = _wiki(vault)
    return Proof(len(known), size, quotes, attested, since, (*problems, *wrong))


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


def _wiki(vault: Vault) -> tuple[int, int, list[Problem]]:
    """Quotes that are proved, how many of them by hash alone, and what is wrong with claims files and pages."""
    remembered = memory.load(vault.root, vault.ledger, vault.settings.vocabulary)
    problems = list(remembered.problems)
    standing = by_hash = 0
    for source, file in remembered.files.items():
        try:
            session = vault.ledger.read(source)
        except OSError:
            # That a source cannot be read was told above.
            continue
        turns = {turn.at: turn for turn in session.turns}
        attested = frozenset(vault.ledger.all()[source].attested)
        for claim in file.claims:
            for one in claim.evidence:
                wrong = _unproved(one, turns, attested)
                standing += not wrong
                by_hash += not wrong and bool(attested) and not all(_stands(turns.get(at), quote) for at, _, quote in _parts(one))
                if wrong:
                    problems.append(Problem(f"{memory.path(source)}, claim {claim.id}", "quote", wrong))
    ids = {claim.id for file in remembered.files.values() for claim in file.claims}
    ids |= {claim.id for subject in remembered.wiki.subjects.values() for claim in subject.claims}
    for path in browsing.paths(vault.root):
        text = (vault.root / "wiki" / path).read_bytes().decode("utf-8", "replace")
        page = pages.parse(text)
        problems += checks.of_text(text, f"wiki/{path}", page)
        shown = {line.id for _, line in page.claims}
        problems += [
            Problem(
                f"wiki/{path}", "unknown-claim", f"no source yields the claim {id} any more; `wikimem compile` mends the page"
            )
            for id in sorted(shown - ids)
        ]
    return standing, by_hash, problems


def _unproved(one: Evidence, turns: Mapping[str, Turn], attested: Container[str]) -> str:
    """Why a piece of evidence proves nothing; '' if it does. What a retired source held is proved by its hash."""
    open_ = [told for told in _parts(one) if sources.attest(*told) not in attested]
    if not open_:
        return ""
    for at, identity, quote in open_:
        turn = turns.get(at)
        if turn is None:
            return f"there is no turn {at} in its source"
        if identity and turn.identity != identity:
            return f"the turn at {at} is another one than was quoted"
        if texts.find(quote, turn.text) is None:
            return f"its words do not stand at {at}"
    turn = turns.get(one.at)
    return "" if turn is None or turn.speaker.value == one.speaker else f"{one.at} was not said by {one.speaker}"


def _parts(one: Evidence) -> tuple[tuple[str, str, str], ...]:
    """What a piece of evidence quotes: locator, identity of the turn and words of each part."""
    return ((one.at, one.turn, one.quote), *_accepted(one))


def _stands(turn: Turn | None, quote: str) -> bool:
    return turn is not None and texts.find(quote, turn.text) is not None


def _accepted(one: Evidence) -> tuple[tuple[str, str, str], ...]:
    return ((one.proposal.at, one.proposal.turn, one.proposal.quote),) if one.proposal else ()


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
