"""Undo: what a commit, a source or a claim brought into the wiki goes out again, as a commit and as a verdict that lasts.

The verdict is a hand edit like any other, so no compile and no recompile brings back what was undone; undoing the undoing
does. Sources and history stay as they are: what nobody is to read again is a matter of `forget`. What consolidation made rests
on claims and is no claim: see `unmaking`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from wikimem import editing, memory, pairing
from wikimem.consolidate import STEPS
from wikimem.core import edits, judgements
from wikimem.core.cold import Step
from wikimem.core.edits import Edit, Kept, Operation, Rejected, Undone
from wikimem.core.fold import Wiki
from wikimem.core.judgements import Judgement, Relation
from wikimem.editing import Edited
from wikimem.errors import CannotUndo, UsageError
from wikimem.vault import Vault

_CLAIM = re.compile(r"\[?\^?([a-z2-7]{12})\]?\Z")
_COMMIT = re.compile(r"[0-9a-f]{7,64}\Z|HEAD(?:[~^]\d*)*\Z")
_APART = (Relation.UNRELATED, Relation.DIFFERENT)
_LISTED = 100
_SHORTEST = 6
_WAYS = {
    "recompile": "it worded many sources anew; `git revert {}` brings the claims of before back, and compiling keeps them",
    "sync": "it joined two clones; undo what came in with it, by source or by its own commit",
    "forget": "what was forgotten is gone; a bundle or another clone may still have it",
    "retire": "what was retired is gone; git's history still has it: `git show {}^:PATH`",
    "rerender": "it took in nothing: it only wrote pages as their claims have them",
    "init": "it made the vault",
    "consolidate": "it only wrote what claims give; `git revert {}` takes it back until the next pass",
}


def undo(vault: Vault, name: str) -> Edited:
    """Take out of the wiki what a commit, a source or a claim brought in; or bring back what was undone.

    Args:
        vault: the vault.
        name: a commit, a source (a shortened id will do), or the id of a claim.

    Raises:
        UsageError: it names nothing, or more than one thing.
        CannotUndo: it names a commit that undoing does not apply to; the sentence says what does.
        WorldError: git stands in the way.
    """
    wanted = name.strip()
    if not wanted:
        raise UsageError("Nothing is named to be undone. Name a commit, a source or a claim.")
    if commit := _consolidated(vault, wanted):
        from wikimem.unmaking import unmake

        return unmake(vault, commit)
    pairs = _pairs(vault, wanted)
    if pairs:
        return editing.do(vault, lambda wiki: _apart(wiki, wanted, pairs))
    sources = _sources(vault, wanted)
    if sources:
        made: list[Undone] = []

        def plan(wiki: Wiki) -> Sequence[tuple[str, Operation]]:
            made.extend(_undone(wiki, source) for source in sources)
            return [("", each) for each in made]

        done = editing.do(vault, plan)
        told = (
            edits.words(Edit(each, "", "")) if each.source == source else f"Brought back: {edits.given(source)}"
            for source, each in zip(sources, made, strict=True)
        )
        return replace(done, words=tuple(told))
    claim = _CLAIM.match(wanted)
    if claim is None:
        raise UsageError(f"{name!r} is no commit, no source and no claim of this vault. `git log --oneline` lists the commits.")
    return editing.do(vault, lambda wiki: _verdict(wiki, claim[1]))


def _pairs(vault: Vault, name: str) -> tuple[Judgement, ...]:
    """What a commit of consolidation judged to be one; nothing for any other name."""
    if not _COMMIT.match(name) or vault.ledger.find(name):
        return ()
    with vault.repository() as repo:
        commit = repo.resolve(name)
        (told,) = (repo.log((), commit, limit=1) if commit else ()) or (None,)
        if told is None or told.id != commit or told.trailer("Step") != Step.IDENTITIES:
            return ()
        new, old = repo.paths(memory.PAIRS, commit), repo.paths(memory.PAIRS, f"{commit}^")
        texts = repo.contents([blob for path, blob in {*new.items()} ^ {*old.items()}])
    was, now = (
        {one for path, blob in side.items() if blob in texts for one in judgements.read(texts[blob], path)[0]}
        for side in (old, new)
    )
    return tuple(sorted((one for one in now - was if one.relation not in _APART), key=lambda one: one.pair))


def _apart(wiki: Wiki, name: str, made: Sequence[Judgement]) -> Sequence[tuple[str, Operation]]:
    """That each two of them are two."""
    found = [
        each for of in ("mentions", "claims") for each in pairing.apart(wiki, [one.pair for one in made if one.of == of], of)
    ]
    if not found:
        raise CannotUndo(name, "what it made one is gone")
    return found


def _verdict(wiki: Wiki, claim: str) -> Sequence[tuple[str, Operation]]:
    """A claim is rejected; one that was taken away comes back."""
    hidden = wiki.ground.ruled.hidden.get(claim)
    if hidden is not None:
        return [("", Kept(hidden[1]))]
    subject, found = editing.shown(wiki, claim)
    return [(wiki.path(subject.key), Rejected(edits.target(found), "undone"))]


def _undone(wiki: Wiki, source: str) -> Undone:
    """What a source gave counts no more; where that is so already, what made it so."""
    if source not in wiki.ground.ruled.undone:
        return Undone(source)
    by = [
        (edit.said, edit.nth, maker)
        for maker, file in wiki.ground.raw.items()
        for _, edit in file.edits
        if edit.operation == Undone(source) and maker not in wiki.ground.ruled.undone
    ]
    return Undone(max(by)[2])


def _consolidated(vault: Vault, name: str) -> str:
    """The commit that is meant, if it is one that gave results of consolidation, and no source has that name; else empty."""
    if not _COMMIT.match(name) or (len(name) >= _SHORTEST and vault.ledger.find(name)):
        return ""
    with vault.repository() as repo:
        commit = repo.resolve(name)
        told = next(iter(repo.log((), commit, limit=1)), None) if commit else None
    return commit if told is not None and told.id == commit and told.trailer("Step") in [*STEPS] else ""


def _sources(vault: Vault, name: str) -> tuple[str, ...]:
    """The sources that are meant: the named one, or those that a commit took in; none if it is neither."""
    found = vault.ledger.find(name) if len(name) >= _SHORTEST else []
    with vault.repository() as repo:
        commit = repo.resolve(name) if _COMMIT.match(name) else ""
        if len(found) + bool(commit) > 1:
            what = [*found[:5], *([f"commit {commit[:12]}"] if commit else [])]
            raise UsageError(f"{name!r} may mean {', '.join(what)}. Name one of them in full.")
        if found:
            return (found[0],)
        if not commit:
            return ()
        (told,) = repo.log((), commit, limit=1) or (None,)
    if told is None or told.id != commit:
        raise CannotUndo(name, "it is a merge; undo what came in with it, by source or by its own commit")
    operation = told.trailer("Wiki-Op")
    if not operation:
        raise CannotUndo(name, f"a person made it; `git revert {commit[:12]}` undoes it, and compiling keeps that")
    if operation in _WAYS:
        raise CannotUndo(name, _WAYS[operation].format(commit[:12]))
    named = tuple(value for key, value in told.trailers if key == "Source")
    known = vault.ledger.all()
    gone = [source for source in named if source not in known]
    if not named or len(named) >= _LISTED or gone:
        why = "its sources are gone" if gone else "it names no source" if not named else "it names more sources than it lists"
        raise CannotUndo(name, f"{why}; undo by source instead")
    return named
