"""Taking: hand edits that stand on the pages become a source of their own, so that every later compile keeps them.

Committed edits are taken by each compile; uncommitted ones only when somebody says so. Nothing of a page is changed here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from wikimem.core import edits, masking, sources
from wikimem.core.edits import Edit, Lifted
from wikimem.core.fold import Wiki
from wikimem.core.sources import Raw, Sidecar
from wikimem.edges import ledger
from wikimem.errors import Problem, SecretLeft
from wikimem.looking import Looking
from wikimem.memory import Memory
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Repo

_LISTED = 20


@dataclass(frozen=True, slots=True)
class Taken:
    """What was taken.

    Args:
        source: the id of the new source; empty if nobody edited anything.
        commit: the commit that holds it.
        edits: the edits, in order.
        pages: the pages that are in no commit as they stand and may be written over now, vault-relative.
        held: pages to be left alone, vault-relative, each with the reason.
    """

    source: str
    commit: str
    edits: tuple[Edit, ...]
    pages: tuple[str, ...] = ()
    held: Mapping[str, Problem] = field(default_factory=dict)


def take(vault: Vault, repo: Repo, remembered: Memory, report: Callable[[Problem], None], uncommitted: bool = False) -> Taken:
    """Find what people did to the pages, and keep it as a source.

    Args:
        vault: the vault.
        repo: its repository; the caller holds the lock of `vault.compiling`.
        remembered: what the claims files give now.
        report: told what could not be kept.
        uncommitted: also take what is on disk and in no commit yet.

    Raises:
        SecretLeft: an edit holds a secret; nothing is taken.
        WorldError: git stands in the way; nothing is taken.
    """
    looking = Looking(vault, repo, remembered.wiki, uncommitted)
    made = numbered((*looking.reverted(), *looking.edits()), remembered.wiki)
    if not made:
        return Taken("", "", (), looking.dirty, looking.held)
    return replace(keep(vault, repo, made, report), pages=looking.dirty, held=looking.held)


def numbered(made: Iterable[Edit], wiki: Wiki) -> tuple[Edit, ...]:
    """Edits, each once, told apart from earlier ones that were said in the same second."""
    known = Counter(edit.said for file in wiki.ground.raw.values() for _, edit in file.edits)
    return tuple(replace(edit, nth=known[edit.said]) for edit in dict.fromkeys(made))


def keep(vault: Vault, repo: Repo, made: tuple[Edit, ...], report: Callable[[Problem], None], words: Sequence[str] = ()) -> Taken:
    """Keep edits as one source, in one commit; the very same edits again are kept once.

    Args:
        vault: the vault.
        repo: its repository.
        made: the edits.
        report: told what was left alone.
        words: each of them in words, for the commit; else as the edits tell themselves.

    Raises:
        SecretLeft: an edit holds a secret; nothing is kept.
        WorldError: git stands in the way; nothing is kept.
    """
    from wikimem.edges.repo import Change, Message

    known = vault.ledger.all()
    sidecar, data = source_of(made, known, vault.now())
    source = sidecar.id
    if source in known:
        return Taken(source, "", made)
    paths = sidecar.paths()
    change = Change({paths[0]: ledger.render(sidecar), paths[1]: data}, frozenset(), dict.fromkeys(paths))
    names = ", ".join(dict.fromkeys(edit.by for edit in made if edit.by)) or "somebody"
    number = len(made)
    subject = f"edit: {number} change{'s' if number != 1 else ''} by {names}"
    if all(isinstance(edit.operation, Lifted) for edit in made):
        subject = f"edit: {number} claim{'s' if number != 1 else ''} that {'were' if number != 1 else 'was'} asked for"
    told = [
        f"{edit.name} {edit.page}: {said}"
        for edit, said in zip(made[:_LISTED], words or [edits.words(edit) for edit in made], strict=False)
    ]
    told += [f"and {number - _LISTED} more"] if number > _LISTED else []
    trailers = (("Wiki-Op", "edit"), ("Source", source))
    with vault.writing():
        commit = repo.commit(change, Message(subject, "\n".join(told), trailers), report=report)
    vault.ledger.forget_cache()
    return Taken(source, commit, made)


def source_of(made: tuple[Edit, ...], known: Mapping[str, Sidecar], recorded: str) -> tuple[Sidecar, bytes]:
    """The source that edits become: sidecar and bytes. The very same edits give the same source.

    Args:
        made: the edits, at least one.
        known: all sources, by id.
        recorded: when it is kept.

    Raises:
        SecretLeft: an edit holds a secret.
    """
    data = b"".join(edits.write(edit) for edit in made)
    left = masking.left(data, json=True)
    if left:
        raise SecretLeft("An edit of the wiki", ", ".join(sorted(left)))
    digest = sha256(data).hexdigest()
    started, ended = made[0].said, made[-1].said
    taken = {each.id: each.raw.sha256 for each in known.values()}
    whose = edits.scope(made, {source: each.scope for source, each in known.items()})
    sidecar = Sidecar(
        id=sources.identify(min(edit.said for edit in made)[:10], "edit", digest, taken),
        format="edit",
        suffix=".jsonl",
        sha256=digest,
        raw=Raw(len(data), digest),
        recorded=recorded,
        started=min(started, ended),
        ended=max(started, ended),
        hint={"scope": whose} if whose else {},
    )
    return sidecar, data
