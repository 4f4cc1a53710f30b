"""Forgetting: what a vault is without what was chosen: sources, claims, judgements and edits. Computes; commits nothing.

A source that goes as a whole takes its claims along. One that loses lines is read again without them: by code where code
compiled it, else its claims stay as far as their words still stand, since no model is asked again in order to forget.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from wikimem import extracting, memory, taking, verdicts
from wikimem.choosing import Choice
from wikimem.core import claimfiles, emptying, excerpts, filed, gate, judgements, texts
from wikimem.core.claimfiles import ClaimFile, Episode
from wikimem.core.claims import Claim, Evidence
from wikimem.core.edits import Edit
from wikimem.core.emptying import Place
from wikimem.core.judgements import Judgement
from wikimem.core.sessions import Session
from wikimem.core.sources import Sidecar
from wikimem.core.turns import Turn
from wikimem.edges import ledger as ledgers
from wikimem.edges.ledger import Ledger
from wikimem.extracting import Extracted
from wikimem.memory import Memory
from wikimem.vault import Vault

_FREE = frozenset({"rules", "code"})


@dataclass(slots=True)
class Plan:
    """A vault without what was chosen.

    Args:
        choice: what goes, with the edits that go along.
        ledger: the sources as they will be.
        files: the claims files as they will be.
        judged: the judgements as they will be.
        made: the claims files, with their cards, that are not as they were.
        writes: new content of sources and sidecars, staged or as bytes, by path in the vault.
        deletes: files that go, by path.
        turns: the turns that go, of sessions; those of edits are no turns that come again.
        claims: the claims that no source yields any more.
        edits: how many edits of people go, or are said again without what goes.
    """

    choice: Choice
    ledger: Ledger
    files: dict[str, ClaimFile] = field(default_factory=dict)
    judged: tuple[Judgement, ...] = ()
    made: dict[str, Extracted] = field(default_factory=dict)
    writes: dict[str, Path | bytes] = field(default_factory=dict)
    deletes: set[str] = field(default_factory=set)
    turns: tuple[Turn, ...] = ()
    claims: tuple[Claim, ...] = ()
    edits: int = 0


def plan(vault: Vault, remembered: Memory, choice: Choice, folder: Path) -> Plan:
    """What the vault is without what was chosen.

    Args:
        vault: the vault.
        remembered: what it remembers.
        choice: what goes.
        folder: an empty folder in the staging area.

    Raises:
        OSError: a source cannot be read.
    """
    out = _planned(vault, remembered, choice, folder)
    while answers := _answers(vault.ledger, out, _gone(remembered, out.files)):
        lines = {source: found for source, found in choice.lines.items() if source not in answers}
        choice = replace(choice, whole=choice.whole | answers, lines=lines)
        _cleared(folder)
        out = _planned(vault, remembered, choice, folder)
    gone = claimfiles.ids(remembered.files.values()) - claimfiles.ids(out.files.values())
    out.judged = judgements.without(remembered.judged, gone)
    out.claims = _gone(remembered, out.files)
    return out


def _planned(vault: Vault, remembered: Memory, choice: Choice, folder: Path) -> Plan:
    """The sources and claims files without what was chosen, and without the edits that go along."""
    sessions = replace(choice, lines={source: lines for source, lines in choice.lines.items() if not _is_edit(source)})
    out = _without(vault, remembered, sessions, folder)
    mentions = {claim.mention.id for file in out.files.values() if not file.edits for claim in file.claims}
    yielded = {claim.id for file in out.files.values() if not file.edits for claim in file.claims}
    left = verdicts.left(remembered.files, choice, yielded, mentions)
    if not left.dropped:
        return out
    lines = dict(choice.lines)
    whole = set(choice.whole)
    for source, dropped in left.dropped.items():
        if len(dropped) == len(remembered.files[source].edits):
            whole.add(source)
            lines.pop(source, None)
        else:
            lines[source] = verdicts.places(dropped)
    _cleared(folder)
    out = _without(vault, remembered, replace(choice, whole=frozenset(whole), lines=lines), folder, left.said_again)
    out.edits = sum(len(dropped) for dropped in left.dropped.values())
    return out


def _cleared(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def _answers(ledger: Ledger, plan: Plan, claims: tuple[Claim, ...]) -> frozenset[str]:
    """Filed answers that rest on what goes: they repeat it, and can be asked for again."""
    choice = plan.choice
    marks = [*choice.whole, *choice.past, *(claim.id for claim in claims)]
    marks += [f"{source}:L{line}" for source, lines in choice.lines.items() for _, line in lines]
    wanted = [mark.encode() for mark in marks]
    found = set()
    for source, sidecar in ledger.all().items():
        if sidecar.format == filed.FORMAT and source not in choice.whole:
            data = (ledger.root / sidecar.path).read_bytes()
            if any(mark in data for mark in wanted):
                found.add(source)
    return frozenset(found)


def _is_edit(source: str) -> bool:
    return "-edit-" in source


def _gone(remembered: Memory, files: Mapping[str, ClaimFile]) -> tuple[Claim, ...]:
    left = {claim.id for file in files.values() for claim in file.claims}
    every = {claim.id: claim for file in remembered.files.values() for claim in file.claims if claim.id not in left}
    return tuple(every[id] for id in sorted(every))


def _without(vault: Vault, remembered: Memory, choice: Choice, folder: Path, said_again: Iterable[Edit] = ()) -> Plan:
    """The sources and claims files without what was chosen; edits that are said again become a source."""
    known = vault.ledger.all()
    staged = folder / "vault"
    out = Plan(choice, ledgers.Joined(vault.ledger, Ledger(staged, vault.ledger.zone, vault.ledger.packages), choice.whole))
    turns = [turn for source in sorted(choice.whole) if not _is_edit(source) for turn in vault.ledger.read(source).turns]
    for source in choice.whole:
        out.deletes |= {*known[source].paths(), memory.path(source)}
    for source, lines in sorted(choice.lines.items()):
        turns += _emptied(vault.ledger, known[source], lines, staged, out)
    made = tuple(said_again)
    if made:
        kept = {source: sidecar for source, sidecar in known.items() if source not in choice.whole}
        sidecar, data = taking.source_of(made, kept, vault.now())
        for path, content in zip(sidecar.paths(), (ledgers.render(sidecar), data), strict=True):
            _stage(staged, path, content, out)
    out.ledger.forget_cache()
    out.turns = tuple(turns)
    fresh = {*choice.lines, *([sidecar.id] if made else [])}
    for source in sorted(fresh):
        file = remembered.files.get(source)
        if file is not None or source not in known:
            out.made[source] = _made(vault, out.ledger, source, file, choice)
    out.files = {
        source: file for source, file in remembered.files.items() if source not in choice.whole and source not in choice.lines
    } | {source: one.file for source, one in out.made.items()}
    return out


def _emptied(ledger: Ledger, sidecar: Sidecar, lines: frozenset[Place], staged: Path, out: Plan) -> Iterator[Turn]:
    """Stage a source without some lines; the turns that stood on them."""
    if not _is_edit(sidecar.id):
        yield from (turn for turn in ledger.read(sidecar.id).turns if emptying.place(turn.at) in lines)
    digests = {}
    for file, numbers in emptying.by_file(sidecar, lines).items():
        data = emptying.without((ledger.root / file.path).read_bytes(), numbers, file.first)
        digests[file.path] = sha256(data).hexdigest()
        _stage(staged, file.path, data, out)
    for file in emptying.files(sidecar):
        if file.path not in digests:
            # The staged source is read as a whole.
            (staged / file.path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ledger.root / file.path, staged / file.path)
    _stage(staged, sidecar.paths()[0], ledgers.render(emptying.restamped(sidecar, digests)), out)


def _stage(staged: Path, path: str, data: bytes, out: Plan) -> None:
    file = staged / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    out.writes[path] = data


def _made(vault: Vault, ledger: Ledger, source: str, file: ClaimFile | None, choice: Choice) -> Extracted:
    """The claims file and card of a source that has other bytes now."""
    sidecar = ledger.all()[source]
    # Of a retired source and of an excerpt there is nothing to extract from.
    whole = not sidecar.retired and sidecar.format != excerpts.FORMAT
    if file is None or (file.stamp.model in _FREE and whole):
        return extracting.extractor_of(vault, "rules").extract(ledger, source)
    session = ledger.read(source)
    kept = _left(file, sidecar, choice) if sidecar.retired else standing(file, sidecar, session)
    screened = gate.screen(session.turns, session.dead)
    told = extracting.facts(sidecar, session)
    return Extracted(kept, extracting.card(sidecar, screened, told, kept, vault.zone, vault.settings.sensitive), 0, 0)


def standing(file: ClaimFile, sidecar: Sidecar, session: Session) -> ClaimFile:
    """A claims file without what does not stand in its source any more; what a model told of the whole session goes too."""
    turns = {turn.at: turn for turn in session.turns}
    claims = []
    for claim in file.claims:
        evidence = [one for one in (_stands(each, turns) for each in claim.evidence) if one is not None]
        if evidence:
            claims.append(claim.with_evidence(evidence))
    refusals = tuple(one for one in file.refusals if not one.at or one.at in turns)
    stamp = replace(file.stamp, sha256=sidecar.content)
    return replace(file, stamp=stamp, claims=tuple(claims), refusals=refusals, episode=Episode())


def _left(file: ClaimFile, sidecar: Sidecar, choice: Choice) -> ClaimFile:
    """The claims file of a retired source without what rests on lines that go; the rest is attested by hash."""
    claims = []
    for claim in file.claims:
        evidence = [one for one in claim.evidence if not any(choice.takes(sidecar.id, at) for at in _places(one))]
        if evidence:
            claims.append(claim.with_evidence(evidence))
    refusals = tuple(one for one in file.refusals if not choice.takes(sidecar.id, one.at))
    stamp = replace(file.stamp, sha256=sidecar.content)
    return replace(file, stamp=stamp, claims=tuple(claims), refusals=refusals, episode=Episode())


def _places(one: Evidence) -> tuple[str, ...]:
    return (one.at, one.proposal.at) if one.proposal else (one.at,)


def _stands(one: Evidence, turns: Mapping[str, Turn]) -> Evidence | None:
    """A piece of evidence with the identity that its turn has now; None if its words do not stand there any more."""
    turn = turns.get(one.at)
    if turn is None or texts.find(one.quote, turn.text) is None:
        return None
    proposal = one.proposal
    if proposal is not None:
        proposed = turns.get(proposal.at)
        if proposed is None or texts.find(proposal.quote, proposed.text) is None:
            return None
        proposal = replace(proposal, turn=proposed.identity)
    return replace(one, turn=turn.identity, proposal=proposal)
