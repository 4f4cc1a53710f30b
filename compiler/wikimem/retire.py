"""Retire: old sources lose their raw bytes by rule, and their claims stay, each quote attested by a hash taken before.

What was said is gone from `sources/` then, line by line, so that citations keep their numbers; what was learned stays, with
the words that prove it. Git's history keeps the bytes; `forget --history` is what takes them from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from typing import Any

from wikimem import memory, removing
from wikimem.core import ages, claimfiles, emptying, excerpts, filed, sources, texts
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.emptying import Place
from wikimem.core.sessions import Session
from wikimem.core.sources import Sidecar
from wikimem.edges import ledger as ledgers
from wikimem.errors import Problem, UsageError
from wikimem.removing import Removal
from wikimem.vault import Vault

_NEAR = 1
_KEPT = ("edit", filed.FORMAT, excerpts.FORMAT)
"""What people did to the wiki, answers that they filed, and what is only an excerpt already."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a call asks for.

    Args:
        older_than: how long ago a session must have ended: `90d`, `26w`, `18m`, `2y`.
        keep_cited: keep the lines that claims cite, and those next to them.
        yes: do it; else only tell.
    """

    older_than: str
    keep_cited: bool = False
    yes: bool = False


@dataclass(slots=True)
class Retired:
    """What a retirement found, and did.

    Args:
        dry_run: whether it only looked.
        before: the day before which sessions ended that are retired.
        commit: the commit; empty if none was made.
        sources: the sources that lose their bytes, with how many.
        quotes: how many quotes are attested.
        kept: lines that stay since claims cite them.
        skipped: old sources that stay as they are, each with the reason.
        problems: what else the user should know.
    """

    dry_run: bool
    before: str
    commit: str = ""
    sources: dict[str, int] = field(default_factory=dict)
    quotes: int = 0
    kept: int = 0
    skipped: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The report as plain values; the shape is stable."""
        return {
            "dry_run": self.dry_run,
            "before": self.before,
            "commit": self.commit,
            "sources": self.sources,
            "quotes": self.quotes,
            "kept": self.kept,
            "skipped": self.skipped,
            "problems": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.problems],
        }


def retire(vault: Vault, wish: Wish, progress: Callable[[str], None] = lambda source: None) -> Retired:
    """Take the raw bytes of old sources out of the vault, or tell of which.

    Args:
        vault: the vault.
        wish: which.
        progress: told the id of each source that is read.

    Raises:
        UsageError: the age is none.
        WorldError: git or another process stands in the way; nothing is retired.
    """
    before = _before(vault.clock().date(), wish.older_than)
    report = Retired(not wish.yes, before)
    with vault.compiling(), vault.repository() as repo:
        with vault.writing():
            if wish.yes:
                repo.recover()
                repo.check_idle()
            vault.ledger.forget_cache()
        remembered = memory.load(vault.root, vault.ledger, vault.settings.vocabulary)
        made = Removal(remembered)
        for sidecar in vault.ledger.all().values():
            when = (sidecar.ended or sidecar.started or sidecar.recorded)[:10]
            if sidecar.format in _KEPT or when >= before:
                continue
            progress(sidecar.id)
            _one(vault, sidecar, remembered.files.get(sidecar.id), wish.keep_cited, report, made)
        if wish.yes and report.sources:
            subject = f"retire: {len(report.sources)} source{'s' if len(report.sources) != 1 else ''} from before {before}"
            about = (
                f"{sum(report.sources.values()):,} bytes went; {report.quotes} quotes are attested by hash, and all claims stay."
            )
            made.settled = False
            report.commit = removing.commit(vault, repo, made, "retire", subject, about, report.sources, report.problems.append)
    return report


def _before(today: date, age: str) -> str:
    try:
        return ages.before(today, age)
    except ValueError as wrong:
        raise UsageError(str(wrong)) from None


def _one(vault: Vault, sidecar: Sidecar, file: ClaimFile | None, keep: bool, report: Retired, made: Removal) -> None:
    """Retire one source, or say why not."""
    if file is None:
        report.skipped[sidecar.id] = "nothing was compiled from it yet"
        return
    if sidecar.retired and (keep or not any((vault.root / each.path).read_bytes().strip() for each in emptying.files(sidecar))):
        return
    if wrong := next(iter(vault.ledger.check(sidecar.id)), None):
        report.skipped[sidecar.id] = wrong.message
        return
    session = vault.ledger.read(sidecar.id)
    attested = set(sidecar.attested)
    cited: set[Place] = set()
    for at, identity, quote in _quotes(file):
        mark = sources.attest(at, identity, quote)
        if mark not in attested and not _stands(session, at, identity, quote):
            report.skipped[sidecar.id] = f"the words of a claim do not stand at {at}; `wikimem verify` tells more"
            return
        attested.add(mark)
        if place := emptying.place(at):
            cited |= {(place[0], place[1] + step) for step in range(-_NEAR, _NEAR + 1)}
    digests: dict[str, str] = {}
    size = 0
    for each in emptying.files(sidecar):
        data = (vault.root / each.path).read_bytes()
        kept = {line for name, line in cited if name == each.name} if keep else set()
        left = emptying.only(data, kept, each.first)
        if left != data:
            made.writes[each.path] = left
            digests[each.path] = sha256(left).hexdigest()
            size += len(data) - len(left)
            report.kept += sum(bool(line) for line in left.split(b"\n"))
    if not digests:
        return
    report.sources[sidecar.id] = size
    report.quotes += len(attested)
    after = replace(
        emptying.restamped(sidecar, digests), retired=sidecar.retired or sidecar.content, attested=tuple(sorted(attested))
    )
    made.writes[sidecar.paths()[0]] = ledgers.render(after)
    stamped = replace(file, stamp=replace(file.stamp, sha256=after.content))
    made.writes[memory.path(sidecar.id)] = claimfiles.write(stamped)


def _quotes(file: ClaimFile) -> Iterator[tuple[str, str, str]]:
    for claim in file.claims:
        for one in claim.evidence:
            yield one.at, one.turn, one.quote
            if one.proposal is not None:
                yield one.proposal.at, one.proposal.turn, one.proposal.quote


def _stands(session: Session, at: str, identity: str, quote: str) -> bool:
    turn = next((turn for turn in session.turns if turn.at == at), None)
    return turn is not None and identity in ("", turn.identity) and texts.find(quote, turn.text) is not None


def text(report: Retired) -> str:
    """The report as lines for a person."""
    number = len(report.sources)
    noun = f"source{'s' if number != 1 else ''} from before {report.before}"
    if not number:
        lines = [f"No source from before {report.before} is left to be retired."]
    elif report.dry_run:
        lines = [f"Would retire {number} {noun}: {sum(report.sources.values()):,} bytes. Nothing was changed; --yes does it."]
    else:
        lines = [f"Retired {number} {noun}: {sum(report.sources.values()):,} bytes went, in commit {report.commit[:12]}."]
    if number:
        lines.append(f"All claims stay; {report.quotes} quotes are attested by hash; {report.kept} cited lines stay.")
        lines.append("Git's history keeps the bytes.")
    lines += [f"Left as it is: {source}: {why}." for source, why in list(report.skipped.items())[:10]]
    return "\n".join(lines) + "\n"
