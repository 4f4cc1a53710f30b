"""Share: claims, judgements and excerpts of some sources go to a shared vault, after a look at exactly what becomes visible.

What is shared of a source is a source of its own there: its excerpt, which never changes. What is shared of it later, where
that needs further turns, becomes one more. Risk decides there as everywhere: what must be looked at first waits for review.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikimem import extracting, indexing, memory, proposing
from wikimem import vault as vaults
from wikimem.committing import Writer
from wikimem.core import claimfiles, excerpts, masking, sharing, sources
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.claims import Claim
from wikimem.core.sharing import Asked, Chosen
from wikimem.core.sources import Member, Sidecar
from wikimem.core.turns import Turn
from wikimem.edges import ledger
from wikimem.errors import Problem, SecretLeft, UsageError
from wikimem.extracting import Extracted
from wikimem.memory import Memory
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo


@dataclass(frozen=True, slots=True)
class Visible:
    """What becomes visible of one source.

    Args:
        source: its id here.
        there: the id of its excerpt there.
        scope: what it belongs to.
        turns: what is shown of the session, in order.
        claims: what is claimed from it.
        left: why claims stay here, with how many.
    """

    source: str
    there: str
    scope: str
    turns: tuple[Turn, ...]
    claims: tuple[Claim, ...]
    left: Mapping[str, int]

    def as_json(self) -> dict[str, Any]:
        """The source as plain values; the shape is stable."""
        return {
            "source": self.source,
            "there": self.there,
            "scope": self.scope,
            "turns": [
                {"at": t.at, "speaker": t.speaker.value, "name": t.name, "said": t.said, "text": t.text} for t in self.turns
            ],
            "claims": [{"id": c.id, "text": c.text, "stance": c.stance.value} for c in self.claims],
            "left": dict(self.left),
        }


@dataclass(slots=True)
class Sharing:
    """What is, or would be, shared.

    Args:
        to: the shared vault's folder.
        done: whether it was done, not only looked at.
        sources: those of which something becomes visible.
        nothing: ids of sources of which nothing does, with why claims stay here.
        pairs: how many judgements go along.
        commit: the commit of the wiki there; empty if nothing on it changed.
        waiting: how many claims wait there for a review.
        problems: what stood in the way there.
    """

    to: str
    done: bool = False
    sources: list[Visible] = field(default_factory=list)
    nothing: dict[str, Mapping[str, int]] = field(default_factory=dict)
    pairs: int = 0
    commit: str = ""
    waiting: int = 0
    problems: list[Problem] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The report as plain values; the shape is stable."""
        return {
            "to": self.to,
            "done": self.done,
            "sources": [one.as_json() for one in self.sources],
            "nothing": {source: dict(left) for source, left in self.nothing.items()},
            "pairs": self.pairs,
            "commit": self.commit,
            "waiting": self.waiting,
            "problems": [str(each) for each in self.problems],
        }


@dataclass(frozen=True, slots=True)
class _Parcel:
    """What is to be written there for one source.

    Args:
        visible: what becomes visible.
        sidecar: of the excerpt.
        files: content by path, of what is not there yet.
        file: the claims file.
    """

    visible: Visible
    sidecar: Sidecar
    files: Mapping[str, bytes]
    file: ClaimFile


def share(vault: Vault, to: Path, named: Sequence[str] = (), project: str = "", yes: bool = False) -> Sharing:
    """Share some sources, or look at what would be shared.

    Args:
        vault: where they are.
        to: the shared vault's folder.
        named: ids of sources, which may be shortened; all of the project if none is named.
        project: only sources of this project's slug, and hand edits of its pages; '' for any.
        yes: do it; else only look.

    Raises:
        UsageError: the other vault is none that is shared, or a source is not there.
        SecretLeft: what would be shared holds a secret; nothing was written.
        WorldError: git stands in the way there.
    """
    target = _target(vault, to)
    vault.ledger.forget_cache()
    remembered = memory.load(vault.root, vault.ledger, vault.settings.vocabulary)
    asked = [_asked(vault, sidecar, project) for sidecar in _wanted(vault, named, project)]
    found = sharing.choose(remembered.wiki, asked, vault.settings.me, vault.settings.named)
    report = Sharing(str(target.root))
    scopes = {one.source: one.scope for one in asked}
    with target.compiling(), target.repository() as repo:
        with target.writing():
            repo.recover()
            repo.check_idle()
            target.ledger.forget_cache()
        writer = Writer(target, repo, extracting.extractor_of(target), report.problems.append)
        parcels: list[_Parcel] = []
        for one in found.sources:
            made = _parcel(vault, target, remembered, writer.memory, _new(one, target, repo, writer), scopes[one.source])
            if made is None:
                report.nothing[one.source] = one.left
            else:
                parcels.append(made)
        report.sources = [each.visible for each in parcels]
        ids = {claim.id for each in parcels for claim in each.file.claims} | _known(writer.memory)
        judged = tuple(one for one in found.judged if one.of == "mentions" or ids.issuperset(one.pair))
        report.pairs = len(judged)
        if yes and parcels:
            _commit_sources(target, repo, parcels, report)
            files = [each.file for each in parcels]
            made_all = [
                Extracted(file, extracting.carded(target.ledger, file, target.settings.sensitive), 0, 0) for file in files
            ]
            about = f"{len(files)} excerpt{'' if len(files) == 1 else 's'} that somebody shared."
            done = writer.write(made_all, "share", about, more=judged)
            report.problems += proposing.refresh(target, repo, writer)
            report.done, report.commit, report.waiting = True, done.id, done.waiting
    if report.done:
        indexing.refresh(target.root, target.ledger, target.settings.vocabulary, writer.memory.wiki).close()
    return report


def _target(vault: Vault, to: Path) -> Vault:
    target = vaults.open_at(to.expanduser(), vault.clock)
    if target.root == vault.root:
        raise UsageError("A vault is not shared with itself. Name the shared one with --to.")
    if target.settings.kind != "shared":
        raise UsageError(f'{to} is a private vault. `wikimem init --shared DIR` makes one to share with; or set kind = "shared".')
    return target


def _wanted(vault: Vault, named: Sequence[str], project: str) -> list[Sidecar]:
    known = vault.ledger.all()
    if not named and not project:
        raise UsageError("Name what to share: sources by id, or a project with --project.")
    chosen = [known[_one(vault, name)] for name in dict.fromkeys(named)] if named else list(known.values())
    if project:
        chosen = [each for each in chosen if each.project == project or (each.format == "edit" and not named)]
        if not any(each.project == project for each in chosen):
            raise UsageError(f"No source belongs to the project {project!r}. `wikimem status` lists the projects.")
    return [each for each in chosen if each.format != excerpts.FORMAT]


def _one(vault: Vault, name: str) -> str:
    found = vault.ledger.find(name)
    if len(found) != 1:
        raise UsageError(f"{name}: {'no source has' if not found else f'{len(found)} sources have'} this id.")
    return found[0]


def _asked(vault: Vault, sidecar: Sidecar, project: str) -> Asked:
    session = vault.ledger.read(sidecar.id)
    scope = f"project:{project}" if project else sidecar.scope
    return Asked(sidecar.id, scope, tuple(turn for turn in session.turns if turn.at not in session.dead))


def _new(one: Chosen, target: Vault, repo: Repo, writer: Writer) -> Chosen:
    """What is not there yet: neither on a page, nor waiting, nor decided against."""
    own = {each.id for each in _excerpts(target, one.source)}
    gone = {claim.id for source in own if (file := writer.memory.files.get(source)) for claim in file.claims}
    for proposal in proposing.gather(target, repo, writer.memory):
        gone |= {claim.id for source, claims in proposal.claims.items() if source in own for claim in claims}
    gone |= writer.memory.wiki.ground.ruled.hidden.keys()
    return replace(one, claims=tuple(claim for claim in one.claims if claim.id not in gone))


def _known(remembered: Memory) -> set[str]:
    return {claim.id for file in remembered.files.values() for claim in file.claims}


def _excerpts(target: Vault, source: str) -> list[Sidecar]:
    """The excerpts of a source that are there already."""
    return [each for each in target.ledger.all().values() if each.hint.get("excerpt_of") == source]


def _parcel(vault: Vault, target: Vault, here: Memory, there: Memory, one: Chosen, scope: str) -> _Parcel | None:
    """What is to be written for a source; None if nothing is."""
    if not one.claims:
        return None
    known = _excerpts(target, one.source)
    for each in known:
        # Further claims on turns that are seen already need no further excerpt.
        seen = {turn.at for turn in target.ledger.read(each.id).turns}
        if seen.issuperset(sharing.quotes(one.claims)):
            file = there.files.get(each.id) or _empty(here.files[one.source], each)
            turns = tuple(turn for turn in one.turns if turn.at in seen)
            visible = Visible(one.source, each.id, scope, turns, one.claims, one.left)
            return _Parcel(visible, each, {}, _with(file, one.claims, each.id))
    wanted = sharing.quotes(one.claims)
    turns = _about(one.turns, wanted)
    files = excerpts.write(turns)
    for member, data in files.items():
        if left := masking.left(data, json=True):
            raise SecretLeft(f"The excerpt of {one.source}{f' ({member})' if member else ''}", ", ".join(sorted(left)))
    sidecar = _sidecar(vault.ledger.all()[one.source], files, scope, target.ledger.all())
    paths = sidecar.paths()
    contents = [ledger.render(sidecar), files[""], *(files[member.name.removesuffix(".jsonl")] for member in sidecar.members)]
    file = _with(_empty(here.files[one.source], sidecar), one.claims, sidecar.id)
    visible = Visible(one.source, sidecar.id, scope, turns, one.claims, one.left)
    return _Parcel(visible, sidecar, dict(zip(paths, contents, strict=True)), file)


def _about(turns: Sequence[Turn], quotes: Mapping[str, Iterable[str]]) -> tuple[Turn, ...]:
    """Of the turns of an excerpt those that some claims cite, with the ones beside them."""
    wanted = {near for number, turn in enumerate(turns) if turn.at in quotes for near in (number - 1, number, number + 1)}
    return tuple(turn for number, turn in enumerate(turns) if number in wanted)


def _sidecar(whole: Sidecar, files: Mapping[str, bytes], scope: str, taken: Mapping[str, Sidecar]) -> Sidecar:
    """The sidecar of an excerpt: the id is that of the whole, with more digits where an earlier excerpt has it."""
    stem, _, digits = whole.id.rpartition("-")
    full = whole.raw.sha256
    lengths = range(len(digits), len(full) + 1, 2)
    id = next(name for length in lengths if (name := f"{stem}-{full[:length]}") not in taken)
    members = tuple(
        Member(f"{name}.jsonl", sha256(data).hexdigest(), sources.Raw(len(data), sha256(data).hexdigest()))
        for name, data in sorted(files.items())
        if name
    )
    hint = {"scope": scope, "excerpt_of": whole.id, "format": whole.format, "whole": whole.content}
    return replace(
        whole,
        id=id,
        format=excerpts.FORMAT,
        suffix=".jsonl",
        sha256=sha256(files[""]).hexdigest(),
        cwd="",
        remote="",
        branch="",
        continues="",
        hint={name: value for name, value in hint.items() if value},
        masked={},
        members=members,
    )


def _empty(file: ClaimFile, sidecar: Sidecar) -> ClaimFile:
    return ClaimFile(replace(file.stamp, source=sidecar.id, sha256=sidecar.content))


def _with(file: ClaimFile, claims: Iterable[Claim], source: str) -> ClaimFile:
    """The claims file as it reads back, with these claims."""
    every = {claim.id: claim for claim in file.claims}
    every |= {claim.id: claim for claim in claims}
    made, _ = claimfiles.read(claimfiles.write(replace(file, claims=tuple(every.values()))), source)
    assert made is not None
    return made


def _commit_sources(target: Vault, repo: Repo, parcels: Sequence[_Parcel], report: Sharing) -> None:
    from wikimem.edges.repo import Change, Message

    writes: dict[str, Path | bytes] = {path: data for each in parcels for path, data in each.files.items()}
    if not writes:
        return
    number = sum(bool(each.files) for each in parcels)
    trailers = (("Wiki-Op", "share"), *(("Source", each.sidecar.id) for each in parcels[:100] if each.files))
    said = Message(f"share: {number} excerpt{'' if number == 1 else 's'}", "", trailers)
    with target.writing():
        repo.commit(Change(writes, frozenset(), dict.fromkeys(writes)), said, report=report.problems.append)
    target.ledger.forget_cache()
