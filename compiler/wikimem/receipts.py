"""Receipts: what a forget found and did, as counts and sentences, and the note by which one that was cut short is finished.

The note is the only place where pieces of what was forgotten stand afterwards; it is deleted last.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from wikimem.clearing import Cleared
from wikimem.core.needles import Needles
from wikimem.errors import Problem
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo, Residue, Rewritten, Tracked

_NOTE = "forgetting.json"
TOP = "memory/"
UNFINISHED = (
    "A `wikimem forget` was cut short: copies of it may still lie beside git. `wikimem forget`, with no name, finishes it."
)


@dataclass(slots=True)
class Forgotten:
    """What a forget found, and did.

    Args:
        dry_run: whether it only looked.
        resumed: whether it finished what an earlier run had begun.
        again: whether all of it was forgotten before, and now goes from history.
        commit: the commit; empty if none was made.
        sources: the sources that go as a whole, with how many files each has.
        lines: those that lose lines, with how many.
        claims: claims that nothing yields any more.
        pairs: judgements about them.
        cold: results of consolidation that rested on them.
        pages_gone: pages, below `wiki/`, that go.
        pages_changed: pages that lose something.
        cards: cards of sessions that go.
        edits: edits of people that said it again.
        peoples: pages on which people's own lines stay without claims, or lose the text that was named.
        cleared: what lay beside git.
        residue: what of git's history holds it, as it is afterwards.
        rewritten: what rewriting history did; None without it.
        tracked: branches of remotes that had it when they were last seen.
        copies: sources that stay and hold some of the same turns, with how many.
        same: claims that stay since other sources say the same.
        only: of a page, sources that support nothing else.
        needles: how many pieces were looked for.
        left_files: files below the vault that still hold one.
        left_objects: objects of git that do; looked for only when history was rewritten.
        problems: what else the user should know.
    """

    dry_run: bool
    resumed: bool = False
    again: bool = False
    commit: str = ""
    sources: dict[str, int] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    claims: int = 0
    pairs: int = 0
    cold: int = 0
    pages_gone: tuple[str, ...] = ()
    pages_changed: tuple[str, ...] = ()
    cards: int = 0
    edits: int = 0
    peoples: tuple[str, ...] = ()
    cleared: Cleared = field(default_factory=Cleared)
    residue: Residue | None = None
    rewritten: Rewritten | None = None
    tracked: tuple[Tracked, ...] = ()
    copies: dict[str, int] = field(default_factory=dict)
    same: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    needles: int = 0
    left_files: tuple[str, ...] = ()
    left_objects: tuple[str, ...] = ()
    problems: list[Problem] = field(default_factory=list)

    @property
    def anything(self) -> bool:
        """Whether there is anything to forget."""
        return bool(self.sources or self.lines or self.peoples)

    @property
    def code(self) -> int:
        """What a command line ends with: 1 if something still holds it that should not, or nothing was found, else 0."""
        found = self.anything or self.resumed or self.again
        return 1 if self.left_files or self.left_objects or not found else 0

    def as_json(self) -> dict[str, Any]:
        """The report as plain values; the shape is stable."""
        residue, rewritten = self.residue, self.rewritten
        return {
            "dry_run": self.dry_run,
            "resumed": self.resumed,
            "again": self.again,
            "commit": self.commit,
            "sources": self.sources,
            "lines": self.lines,
            "claims": self.claims,
            "pairs": self.pairs,
            "cold": self.cold,
            "pages_gone": list(self.pages_gone),
            "pages_changed": list(self.pages_changed),
            "cards": self.cards,
            "edits": self.edits,
            "peoples": list(self.peoples),
            "cleared": self.cleared.as_json(),
            "history": {
                "commits": len(residue.commits) if residue else 0,
                "branches": list(residue.branches) if residue else [],
                "tags": list(residue.tags) if residue else [],
                "remotes": list(residue.remotes) if residue else [],
                "stashes": list(residue.stashes) if residue else [],
                "reflogs": list(residue.reflogs) if residue else [],
                "notes": bool(residue and residue.notes),
                "worktrees": list(residue.worktrees) if residue else [],
                "commands": list(commands(self)),
                "rewritten": list(rewritten.refs) if rewritten else [],
                "left": list(rewritten.left) if rewritten else [],
            },
            "copies": self.copies,
            "same": list(self.same),
            "only": list(self.only),
            "needles": self.needles,
            "left_files": list(self.left_files),
            "left_objects": list(self.left_objects),
            "problems": [{"where": p.where, "rule": p.rule, "message": p.message} for p in self.problems],
        }


@dataclass(frozen=True, slots=True)
class Note:
    """What is needed to finish a forget after its commit.

    Args:
        stone: the tombstone's path in the vault.
        tombstone: its content.
        sources: ids of the sources that go or change.
        whole: of those that go.
        paths: their files, claims files and cards, in the vault.
        needles: what gives a copy away.
        history: whether history is to be made anew.
        claims: how many claims go.
    """

    stone: str
    tombstone: str
    sources: tuple[str, ...]
    whole: tuple[str, ...]
    paths: tuple[str, ...]
    needles: Needles
    history: bool
    claims: int


def write(vault: Vault, note: Note) -> None:
    """Put the note down, readable for its owner alone."""
    told = {
        "stone": note.stone,
        "tombstone": note.tombstone,
        "sources": note.sources,
        "whole": note.whole,
        "paths": note.paths,
        "texts": note.needles.texts,
        "ids": note.needles.ids,
        "words": note.needles.words,
        "history": note.history,
        "claims": note.claims,
    }
    path = vault.work / _NOTE
    temporary = path.with_suffix(".new")
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(orjson.dumps(told))
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def read(vault: Vault) -> Note | None:
    """The note of a run that was cut short; None if there is none."""
    try:
        told = orjson.loads((vault.work / _NOTE).read_bytes())
        sought = Needles(tuple(told["texts"]), tuple(told["ids"]), told["words"])
        sources, whole, paths = (tuple(told[name]) for name in ("sources", "whole", "paths"))
        return Note(told["stone"], told["tombstone"], sources, whole, paths, sought, told["history"], told["claims"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def drop(vault: Vault) -> None:
    """Delete the note."""
    for name in (_NOTE, "forgetting.new"):
        (vault.work / name).unlink(missing_ok=True)


def unfinished(vault: Vault) -> tuple[str, ...]:
    """A sentence if a forget was cut short; else none."""
    return (UNFINISHED,) if (vault.root / ".wikimem" / _NOTE).exists() else ()


def recovered(vault: Vault, repo: Repo) -> list[str]:
    """Put right what a run that was cut short left behind, before anything is written; what was found, in sentences.

    Raises:
        GitBusy: a merge, rebase or the like is in progress; it names it and how to end it.
    """
    found = repo.recover()
    notes = [*found.sentences, *map(str, found.left), *unfinished(vault)]
    repo.check_idle()
    vault.ledger.forget_cache()
    return notes


def amount(report: Forgotten) -> str:
    """How much goes: `1 source, 4 lines of 2 others, 7 claims`."""
    told = [_count(len(report.sources), "source")] if report.sources else []
    if report.lines:
        told.append(
            f"{_count(sum(report.lines.values()), 'line')} of {_count(len(report.lines), 'other source' if told else 'source')}"
        )
    told += [_count(report.claims, "claim")] if report.claims else []
    return ", ".join(told) or "people's lines"


def text(report: Forgotten) -> str:
    """The receipt, or where it stands, as lines for a person; no word of what it was."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Forgotten) -> Iterator[str]:
    if not report.anything and not report.resumed and not report.again:
        yield "Nothing of the vault holds it."
        return
    if report.again:
        yield "What was not in the vault's files any more goes from git's history as well."
    elif report.dry_run:
        yield f"Would forget {amount(report)}. Nothing was changed; --yes does it."
    else:
        finished = " (an earlier run, finished now)" if report.resumed else ""
        yield f"Forgotten: {amount(report)}{f', in commit {report.commit[:12]}' if report.commit else ''}{finished}."
    yield from (f"  source {source}: {_count(files, 'file')}" for source, files in report.sources.items() if files)
    for source, number in _some(report.lines):
        yield f"  source {source}: {_count(number, 'line')} emptied, all others keep their numbers"
    yield from (f"  page {path}: goes" for path in report.pages_gone)
    yield from (f"  page {path}: loses what only this said" for path in report.pages_changed)
    for number, noun in ((report.cards, "card"), (report.pairs, "judgement"), (report.cold, "result of consolidation")):
        if number:
            yield f"  {_count(number, noun)}"
    if report.edits:
        yield f"  {_count(report.edits, 'hand edit')} that repeated it, or that say again what is left without it"
    yield from (f"  {path}: lines of people; only what is theirs stays" for path in report.peoples)
    yield from _beside(report)
    yield from _elsewhere(report)
    yield from _history(report)
    if not report.dry_run:
        yield from _proof(report)


def _beside(report: Forgotten) -> Iterator[str]:
    cleared = report.cleared
    told = [
        "the search index (the next search builds it again)" if cleared.index else "",
        _count(cleared.replies, "kept reply", "kept replies") if cleared.replies else "",
        _count(cleared.packets, "work packet") if cleared.packets else "",
        _count(cleared.spool, "waiting file") if cleared.spool else "",
        _count(cleared.logs, "log") if cleared.logs else "",
        _count(cleared.caches, "cache") if cleared.caches else "",
        f"the built site, {_count(cleared.site, 'file')} of which held it" if cleared.site else "",
    ]
    if any(told):
        yield f"{'Would clear' if report.dry_run else 'Cleared'}: {', '.join(each for each in told if each)}."


def _elsewhere(report: Forgotten) -> Iterator[str]:
    for source, number in _some(report.copies):
        yield f"Stays: {source} holds {_count(number, 'turn')} of it as well, as a copy; name it too if that is to go."
    if report.same:
        yield f"Stays, since other sources say the same: {', '.join(report.same[:10])}{' and more' * (len(report.same) > 10)}."
    if report.only:
        yield f"Supports nothing else: {', '.join(report.only[:10])}; name it to forget the whole session."


def _history(report: Forgotten) -> Iterator[str]:
    found, rewritten = report.residue, report.rewritten
    if rewritten is not None:
        moved = ", ".join(rewritten.refs) or "nothing had to move"
        yield f"History was made anew: {moved}; the current commit is {rewritten.head[:12]}."
        yield from (f"  not by us: {each}" for each in rewritten.left)
        if rewritten.dropped:
            yield f"What remotes had is no longer known here: {', '.join(rewritten.dropped)}."
    if found is not None and found.commits:
        yield from _kept(report, found)
    yield from _remotes(report)


def _kept(report: Forgotten, found: Residue) -> Iterator[str]:
    """What of this repository holds it, reference by reference."""
    proposals = [name for name in found.branches if name.startswith(TOP)]
    also = [f"branch {name}" for name in found.branches if name not in proposals]
    also += [f"proposal {name}{' (goes as well)' * report.dry_run}" for name in proposals]
    also += [f"tag {name}" for name in found.tags]
    also += [f"stash entry {name}" for name in found.stashes]
    also += [f"the log of {name}" for name in found.reflogs]
    also += [f"the working tree {name}" for name in found.worktrees]
    also += ["git notes (not searched)"] if found.notes else []
    if report.rewritten is not None:
        return
    verb = "holds" if len(found.commits) == 1 else "hold"
    yield f"In git's history {_count(len(found.commits), 'commit')} {verb} it{', also by:' if also else '.'}"
    yield from (f"  {each}" for each in also)
    if report.dry_run:
        yield "  `--history --bundle FILE` makes history anew without it; stash entries and notes stay yours."
    else:
        yield "  It was left as it is; `--history` would have made it anew."


def _remotes(report: Forgotten) -> Iterator[str]:
    told = commands(report)
    if not told:
        return
    names = ", ".join(f"{one.remote}/{one.branch}" for one in report.tracked)
    yield f"Known to have had it: {names}. wikimem never changes a remote. Once everybody with a clone knows, whoever may push"
    yield "there gives these to git:"
    yield from (f"  {each}" for each in told)
    yield "  What the host keeps besides (requests, forks, caches) only its own support or settings remove."


def commands(report: Forgotten) -> tuple[str, ...]:
    """What whoever may push to the remotes gives to git, so that they do not have it any more; none if they never had it."""
    found = []
    rewritten = report.rewritten
    for one in report.tracked:
        if one.branch.startswith(TOP):
            found.append(f"git push {one.remote} --delete {one.branch}")
        elif rewritten is not None and f"refs/heads/{one.branch}" in rewritten.refs:
            lease = f"--force-with-lease={one.branch}:{one.tip}"
            found.append(f"git push {lease} {one.remote} refs/heads/{one.branch}:refs/heads/{one.branch}")
        elif rewritten is not None:
            found.append(f"git push --force-with-lease={one.branch}:{one.tip} {one.remote} --delete {one.branch}")
        else:
            found.append(f"(after --history here) git push --force-with-lease={one.branch}:{one.tip} {one.remote} {one.branch}")
    if rewritten is not None and report.tracked:
        remotes = dict.fromkeys(one.remote for one in report.tracked)
        tags = [name for name in rewritten.refs if name.startswith("refs/tags/")]
        found += [f"git push --force {remote} {' '.join(tags)}" for remote in remotes if tags]
    return tuple(found)


def _proof(report: Forgotten) -> Iterator[str]:
    if report.left_files:
        yield f"STILL THERE, in files that are not ours to change: {', '.join(report.left_files[:10])}."
    else:
        yield f"Proved: none of {_count(report.needles, 'distinctive piece')} of it stands in any file of the vault's folder."
    if report.rewritten is not None:
        if report.left_objects:
            yield f"STILL THERE, in {_count(len(report.left_objects), 'object')} of git; what holds them is named above."
        else:
            yield "Proved: none stands in any object of git, reachable or not."
    yield "Out of our reach: the files that the tools keep, other clones, remotes, vaults it was shared with, backups, exports."


def _some(told: dict[str, int], most: int = 10) -> Iterator[tuple[str, int]]:
    yield from [(source, number) for source, number in told.items() if number][:most]


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"
