"""Forget: a source, a page, a claim or a text goes from everything that wikimem writes, and does not come back.

Without `yes` it only tells where it stands. With it: one commit takes it out of sources, claims, pages and cards; what lies
beside git is cleared; a tombstone keeps it out. History is made anew only when that is asked for. A note in `.wikimem/` is
written first and deleted last, so that the next run finishes what was cut short.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from wikimem import choosing, clearing, compile, forgetting, memory, past, proposing, receipts, removing, tracing
from wikimem.choosing import Choice
from wikimem.core import cards, emptying, tombstones
from wikimem.core.emptying import Place
from wikimem.edges.models import Model
from wikimem.errors import CannotForget, ModelFailed, UsageError
from wikimem.extracting import Extractor, extractor_of
from wikimem.forgetting import Plan
from wikimem.memory import Memory
from wikimem.receipts import Forgotten, Note
from wikimem.removing import Removal
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo, Rewritten


@dataclass(frozen=True, slots=True)
class Wish:
    """What a call asks for.

    Args:
        names: sources, pages, ids of claims.
        words: a text; '' for none.
        yes: do it; else only tell.
        history: also make history anew without it.
        bundle: where a copy of the old history goes; needed for that.
        receipt: a file that the receipt is written to; None for none.
    """

    names: tuple[str, ...] = ()
    words: str = ""
    yes: bool = False
    history: bool = False
    bundle: Path | None = None
    receipt: Path | None = None


def forget(
    vault: Vault, wish: Wish, progress: Callable[[str], None] = lambda doing: None, model: Model | None = None
) -> Forgotten:
    """Forget something, or tell where it stands.

    Args:
        vault: the vault.
        wish: what.
        progress: told what is being done.
        model: who judges pairs of claims that meet for the first time, unless it is paid; else the next compile does.

    Raises:
        UsageError: nothing is named, or a name means nothing, or more than one thing.
        CannotForget: something stands in the way; the sentence says whether anything was done.
        WorldError: git or another process stands in the way.
    """
    if wish.history and not wish.yes:
        wish = replace(wish, history=False)
    if wish.receipt is not None and not wish.receipt.resolve().parent.is_dir():
        raise UsageError(f"There is no folder {wish.receipt.parent} for the receipt. Make it, or name another file.")
    with vault.compiling(), vault.repository() as repo:
        with vault.writing():
            if wish.yes:
                repo.recover()
                repo.check_idle()
            vault.ledger.forget_cache()
        note = receipts.read(vault)
        if note is not None and (wish.yes or not (wish.names or wish.words)):
            finished = _finish(vault, repo, note, progress)
            if not (wish.names or wish.words):
                return _told(vault, wish, finished)
        extractor = extractor_of(vault, model)
        if wish.yes:
            with suppress(ModelFailed):
                compile.mend(vault, repo, extractor, [])
        gone = past.named(repo, wish.names) if wish.names and not wish.words else ()
        if gone:
            return _told(vault, wish, _out_of_history(vault, repo, gone, wish, progress))
        remembered = memory.load(vault.root, vault.ledger, extractor.vocabulary)
        progress("looking where it stands")
        chosen = choosing.choose(vault, remembered, wish.names, wish.words)
        report = _do(vault, repo, remembered, chosen, extractor, wish, progress)
    return _told(vault, wish, report)


def enforce(vault: Vault, repo: Repo, fresh: Iterable[str], model: Model | None = None) -> Forgotten | None:
    """Take out what came in by a sync and was forgotten on the other side: copies of turns, and edits that tell of it.

    Args:
        vault: the vault; the caller holds the lock of `vault.compiling`.
        repo: its repository.
        fresh: ids of the sources that one side had and the other had not.
        model: as for `forget`.

    Returns:
        What was done; None if there was nothing to do.

    Raises:
        CannotForget, WorldError: something stands in the way.
    """
    stones = repo.tombstones()
    known = vault.ledger.all()
    lines: dict[str, frozenset[Place]] = {}
    for source in sorted(set(fresh) & known.keys()):
        if known[source].format != "edit":
            found = (emptying.place(turn.at) for turn in vault.ledger.read(source).turns if stones.has_turn(turn.identity))
            if places := frozenset(place for place in found if place is not None):
                lines[source] = places
    extractor = extractor_of(vault, model)
    remembered = memory.load(vault.root, vault.ledger, extractor.vocabulary)
    choice = Choice(lines=lines, past=stones.sources - known.keys())
    report = _do(vault, repo, remembered, choice, extractor, Wish(yes=True), lambda doing: None)
    return report if report.anything else None


def _do(
    vault: Vault,
    repo: Repo,
    remembered: Memory,
    chosen: Choice,
    extractor: Extractor,
    wish: Wish,
    progress: Callable[[str], None],
) -> Forgotten:
    """Plan, count, and if it is wished commit and clear."""
    folder = repo.staging / "forget"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        plan = forgetting.plan(vault, remembered, chosen, folder)
        made = removing.removal(vault, repo, remembered, plan, extractor)
        report, note = _counted(vault, repo, remembered, plan, made, wish)
        if wish.yes and wish.history and wish.words and not report.anything:
            return _out_of_history(vault, repo, (), wish, progress)
        if not wish.yes or not report.anything:
            return report
        _bundle(repo, wish, progress)
        receipts.write(vault, note)
        _commit(vault, repo, plan, made, note, report)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return _finish(vault, repo, note, progress, report)


def _bundle(repo: Repo, wish: Wish, progress: Callable[[str], None]) -> None:
    """Write the copy of the old history, if history is to be made anew.

    Raises:
        CannotForget: that could not be done, or not be undone; nothing was changed.
    """
    if wish.history:
        repo.check_rewriting(wish.bundle)
        progress("writing the bundle")
        repo.bundle(wish.bundle or Path())


def _out_of_history(vault: Vault, repo: Repo, names: Sequence[str], wish: Wish, progress: Callable[[str], None]) -> Forgotten:
    """Take what was forgotten already out of history as well.

    Raises:
        UsageError: that was not asked for, and there is nothing else to do.
    """
    if not wish.yes or not wish.history:
        told = "; `--history --bundle FILE --yes` takes it out of git's history as well"
        raise UsageError(f"{', '.join(names)} was forgotten already{told}.")
    folder = repo.staging / "forget"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        note = past.note(vault, repo, names, wish.words, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    _bundle(repo, wish, progress)
    receipts.write(vault, note)
    report = Forgotten(dry_run=False, sources=dict.fromkeys(names, 0), again=True, needles=note.needles.number)
    if names:
        made = Removal(memory.load(vault.root, vault.ledger, vault.settings.vocabulary), {note.stone: note.tombstone.encode()})
        made.expected[note.stone] = None
        subject = f"forget: {len(names)} source{'s' if len(names) != 1 else ''}, out of history"
        report.commit = removing.commit(vault, repo, made, "forget", subject, "", names, report.problems.append)
    return _finish(vault, repo, note, progress, report)


def _told(vault: Vault, wish: Wish, report: Forgotten) -> Forgotten:
    if wish.receipt is not None and not report.dry_run:
        wish.receipt.write_text(receipts.text(report), "utf-8")
    return report


def _counted(vault: Vault, repo: Repo, remembered: Memory, plan: Plan, made: Removal, wish: Wish) -> tuple[Forgotten, Note]:
    """Where it stands, and the note by which it is finished if it is cut short."""
    choice, known = plan.choice, vault.ledger.all()
    sought = tracing.sought(vault, remembered, plan, made)
    sources = frozenset((*choice.whole, *choice.lines))
    gone, lost = removing.gone(remembered.wiki, made.memory.wiki)
    changed = [path for source in sources for path in (*known[source].paths(), memory.path(source), f"wiki/{cards.path(source)}")]
    residue = repo.residue(changed) if changed else None
    kin = tracing.kin(vault, plan)
    stone = tracing.tombstone(vault, repo, plan, kin, residue.commits if residue and wish.history else ())
    report = Forgotten(
        dry_run=not wish.yes,
        sources={source: len(known[source].paths()) for source in sorted(choice.whole)},
        lines={source: len(lines) for source, lines in sorted(choice.lines.items())},
        claims=len(plan.claims),
        pairs=made.pairs,
        cold=made.cold,
        pages_gone=gone,
        pages_changed=lost,
        cards=sum(f"wiki/{cards.path(source)}" in made.deletes for source in choice.whole),
        edits=plan.edits,
        peoples=tuple(made.peoples),
        cleared=clearing.clear(vault, sought, sources, choice.whole, dry_run=True),
        residue=residue,
        tracked=residue.tracked if residue else (),
        copies={source: len(shared) for source, shared in kin.items()},
        same=tuple(sorted(tracing.same(remembered, plan))),
        only=choice.only,
        needles=sought.number,
    )
    note = Note(
        stone=tombstones.path(stone),
        tombstone=tombstones.write(stone).decode(),
        sources=tuple(sorted(sources)),
        whole=tuple(sorted(choice.whole)),
        paths=tuple(changed),
        needles=sought,
        history=wish.history,
        claims=len(plan.claims),
    )
    return report, note


def _commit(vault: Vault, repo: Repo, plan: Plan, made: Removal, note: Note, report: Forgotten) -> None:
    made.writes[note.stone] = note.tombstone.encode()
    made.expected[note.stone] = None
    subject = f"forget: {receipts.amount(report)}"
    about = "Taken out of sources, claims, pages and cards; a tombstone keeps it out. The commit says no word of what it was."
    named = (*plan.choice.whole, *plan.choice.lines)
    report.commit = removing.commit(vault, repo, made, "forget", subject, about, named, report.problems.append)


def _finish(vault: Vault, repo: Repo, note: Note, progress: Callable[[str], None], report: Forgotten | None = None) -> Forgotten:
    """Clear what lies beside git, make history anew if that was asked for, search, and take the note away.

    Raises:
        CannotForget: the commit was never made; nothing is forgotten.
    """
    if report is None:
        report = Forgotten(dry_run=False, resumed=True, needles=note.needles.number, claims=note.claims)
        if note.sources and note.stone not in repo.paths(tombstones.FOLDER):
            receipts.drop(vault)
            raise CannotForget("an earlier run was cut short before anything was changed", "Run the same command again.")
        report.sources = dict.fromkeys(note.whole, 0)
        report.lines = {source: 0 for source in note.sources if source not in note.whole}
    if not report.tracked and note.paths:
        report.tracked = repo.residue(note.paths).tracked
    progress("clearing what lies beside git")
    report.cleared = clearing.clear(vault, note.needles, frozenset(note.sources), frozenset(note.whole))
    proposing.purge(vault, repo, frozenset(note.sources), note.needles.stand_in)
    if note.history:
        progress("rewriting history")
        report.rewritten = _rewrite(vault, repo, note)
    progress("searching for what is left")
    report.left_files = clearing.search(vault.root, note.needles)
    if note.history:
        report.left_objects = tuple(sorted(repo.holding(note.needles.stand_in)))
    residue = repo.residue(note.paths) if note.paths else None
    if residue is not None:
        # The commit that took it out touches it as well, and holds nothing of it.
        report.residue = replace(residue, commits=tuple(each for each in residue.commits if each != report.commit))
    receipts.drop(vault)
    return report


def _rewrite(vault: Vault, repo: Repo, note: Note) -> Rewritten:
    from wikimem.edges.repo import Unwanted

    ids = tuple(source.encode() for source in note.whole)
    held = repo.holding(lambda data: note.needles.stand_in(data) or any(each in data for each in ids))
    now = frozenset(repo.paths().values())
    blobs = {name for name, kind in held.items() if kind == "blob"} | repo.blobs_of(note.paths)
    texts = repo.holding(note.needles.stand_in)
    commits = frozenset(name for name, kind in texts.items() if kind in ("commit", "tag"))
    folder = repo.staging / "rewriting"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        return repo.rewrite(
            Unwanted(frozenset(blobs) - now, commits, note.sources, note.needles.exact, note.needles.loose), folder
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)
