"""Tracing: by what copies of something that goes are known: pieces to look for, sources that hold the same turns, a tombstone."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from wikimem.core import emptying, needles, tombstones
from wikimem.core.needles import Needles
from wikimem.core.tombstones import Tombstone
from wikimem.forgetting import Plan
from wikimem.memory import Memory
from wikimem.removing import Removal
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo

_KIN = 24
_COMMITS = 20


def sought(vault: Vault, remembered: Memory, plan: Plan, made: Removal) -> Needles:
    """What gives a copy away: pieces of what goes that no source that stays says as well."""
    left = {mention for subject in made.memory.wiki.subjects.values() for mention in subject.mentions}
    names = [claim.mention.name for file in remembered.files.values() for claim in file.claims if claim.mention.id not in left]
    wanted = needles.of(plan.turns, plan.claims, dict.fromkeys(names), plan.choice.words)
    kept = "\n".join(each for file in plan.files.values() for claim in file.claims for each in (claim.text, claim.mention.name))
    said = {text for text in wanted.texts if text in kept}
    open_ = {text: tuple(needles.forms(text)) for text in wanted.texts if text not in said}
    for sidecar in plan.ledger.all().values():
        for file in emptying.files(sidecar):
            data = plan.writes.get(file.path)
            if not isinstance(data, bytes):
                with suppress(OSError):
                    data = (vault.root / file.path).read_bytes()
            if isinstance(data, bytes):
                said |= {text for text, forms in open_.items() if any(form in data for form in forms)}
        for text in said & open_.keys():
            del open_[text]
    return wanted.without(said)


def same(remembered: Memory, plan: Plan) -> set[str]:
    """Claims that lose a witness and stay, since other sources say the same."""
    had = {
        claim.id
        for source, file in remembered.files.items()
        for claim in file.claims
        if any(plan.choice.takes(source, one.at) for one in claim.evidence)
    }
    return had & {claim.id for file in plan.files.values() for claim in file.claims}


def kin(vault: Vault, plan: Plan) -> dict[str, frozenset[str]]:
    """Sources that stay and hold turns that go: forks, resumed sessions, exports. The identities they share, by source."""
    known = vault.ledger.all()
    ids = {turn.identity for turn in plan.turns}
    if not ids:
        return {}
    every = [turn.identity for turn in plan.turns if not turn.identity.startswith("~")]
    probes = [each.encode() for each in dict.fromkeys((*every[:: max(1, len(every) // _KIN)], *every[-2:]))]
    gone = {known[source].session for source in (*plan.choice.whole, *plan.choice.lines) if source in known} - {""}
    found = {}
    for source, sidecar in plan.ledger.all().items():
        if source in plan.choice.lines or sidecar.format == "edit":
            continue
        files = (vault.root / file.path for file in emptying.files(sidecar))
        near = sidecar.session in gone or sidecar.parent in gone
        if near or any(_holds(path, probes) for path in files):
            with suppress(OSError):
                shared = ids & {turn.identity for turn in plan.ledger.read(source).turns}
                if shared:
                    found[source] = frozenset(shared)
    return found


def _holds(path: Path, probes: Sequence[bytes]) -> bool:
    try:
        data = path.read_bytes()
    except OSError:
        return False
    return any(probe in data for probe in probes)


def tombstone(vault: Vault, repo: Repo, plan: Plan, kin: Mapping[str, frozenset[str]], commits: Sequence[str]) -> Tombstone:
    """What keeps it out: hashes of the files, and of the turns that nothing holds any more."""
    known = vault.ledger.all()
    salt = repo.tombstones().salt or secrets.token_hex(16)
    kept = frozenset(identity for shared in kin.values() for identity in shared)
    turns = {turn.identity for turn in plan.turns} - kept
    raws = {
        tombstones.raw(salt, raw.bytes, raw.sha256)
        for source in plan.choice.whole
        if known[source].format != "edit"
        for raw in (known[source].raw, *(member.raw for member in known[source].members))
        if raw.bytes
    }
    return Tombstone(
        salt=salt,
        when=vault.now(),
        sources=tuple(sorted(plan.choice.whole)),
        emptied=tuple(sorted(plan.choice.lines)),
        raws=tuple(sorted(raws)),
        turns=tuple(sorted(tombstones.key(salt, turn) for turn in turns)),
        commits=tuple(commits[:_COMMITS]),
    )
