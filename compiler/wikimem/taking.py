"""Taking: hand edits that stand on the pages become a source of their own, so that every later compile keeps them.

Committed edits are taken by each compile; uncommitted ones only when somebody says so. Nothing of a page is changed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from wikimem import memory
from wikimem.core import checks, edits, handwork, masking, pages, sources, splits
from wikimem.core.claims import Claim
from wikimem.core.compose import Cold
from wikimem.core.edits import Deleted, Edit
from wikimem.core.fold import Wiki
from wikimem.core.pages import Page
from wikimem.core.sources import Raw, Sidecar
from wikimem.edges import ledger
from wikimem.errors import Problem, SecretLeft
from wikimem.memory import Memory
from wikimem.rendering import Shelf
from wikimem.vault import Vault

if TYPE_CHECKING:
    from wikimem.edges.repo import Commit, Repo

_LISTED = 20


@dataclass(frozen=True, slots=True)
class Taken:
    """What was taken.

    Args:
        source: the id of the new source; empty if nobody edited anything.
        commit: the commit that holds it.
        edits: the edits, in order.
        pages: the pages they stand on that are in no commit yet, vault-relative.
    """

    source: str
    commit: str
    edits: tuple[Edit, ...]
    pages: tuple[str, ...] = ()


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
    shelf = Shelf(vault.root, repo)
    made = found(vault, repo, shelf, remembered.wiki, uncommitted)
    dirty = tuple(path for path in shelf.committed() if path.endswith(".md") and not shelf.read(path)[1]) if uncommitted else ()
    if not made:
        return Taken("", "", (), dirty)
    return replace(keep(vault, repo, made, report), pages=dirty)


def found(vault: Vault, repo: Repo, shelf: Shelf, wiki: Wiki, uncommitted: bool = False, ref: str = "HEAD") -> tuple[Edit, ...]:
    """The edits that stand on the pages, in order. Nothing is kept.

    Args:
        vault: the vault.
        repo: its repository.
        shelf: the pages as they stand.
        wiki: what the claims files beside them give.
        uncommitted: whether what is in no commit yet counts.
        ref: the commit whose history tells what was shown before.
    """
    made: list[Edit] = []
    for key in sorted(wiki.subjects, key=wiki.path):
        made += _of_subject(vault, repo, shelf, wiki, key, uncommitted, ref)
    return tuple(dict.fromkeys(made))


def keep(vault: Vault, repo: Repo, made: tuple[Edit, ...], report: Callable[[Problem], None]) -> Taken:
    """Keep edits as one source, in one commit; the very same edits again are kept once.

    Raises:
        SecretLeft: an edit holds a secret; nothing is kept.
        WorldError: git stands in the way; nothing is kept.
    """
    from wikimem.edges.repo import Change, Message

    sidecar, data = source_of(made, vault.ledger.all(), vault.now())
    source = sidecar.id
    if source in vault.ledger.all():
        return Taken(source, "", made)
    paths = sidecar.paths()
    change = Change({paths[0]: ledger.render(sidecar), paths[1]: data}, frozenset(), dict.fromkeys(paths))
    names = ", ".join(dict.fromkeys(edit.by for edit in made if edit.by)) or "somebody"
    number = len(made)
    subject = f"edit: {number} change{'s' if number != 1 else ''} by {names}"
    told = [f"{edit.name} {edit.page}: {edits.words(edit)}" for edit in made[:_LISTED]]
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
    sidecar = Sidecar(
        id=sources.identify(min(edit.said for edit in made)[:10], "edit", digest, taken),
        format="edit",
        suffix=".jsonl",
        sha256=digest,
        raw=Raw(len(data), digest),
        recorded=recorded,
        started=min(started, ended),
        ended=max(started, ended),
    )
    return sidecar, data


def _of_subject(vault: Vault, repo: Repo, shelf: Shelf, wiki: Wiki, key: str, uncommitted: bool, ref: str) -> list[Edit]:
    """The edits on the pages of one subject."""
    subject = wiki.subjects[key]
    ours = splits.all_pages(wiki, key, Cold(), {})
    stood: list[tuple[str, Page]] = []
    dirty = False
    for path in ours:
        data, clean = shelf.read(f"wiki/{path}")
        if not clean and not uncommitted:
            # Half a page is typed: its edits are taken when they are committed.
            return []
        dirty |= not clean
        if data is not None:
            text = data.decode("utf-8", "surrogateescape")
            if any(problem.rule in checks.BROKEN for problem in checks.of_text(text, path)):
                return []
            stood.append((path, pages.parse(text)))
    made = list(handwork.operations(subject, stood))
    gone = handwork.missing(subject, stood)
    if not made and not gone:
        return []
    paths = [f"wiki/{path}" for path in ours] + [f"wiki/{wiki.path(key).removesuffix('.md')}"]
    main = next(iter(ours))
    whole = not stood and bool(gone)
    removed = [claim for claim in gone if _was_removed(repo, claim, paths, dirty, ref)]
    made += [(main, Deleted(edits.target(claim), whole)) for claim in removed]
    by, said = _author(vault, repo, paths, dirty, ref)
    return [Edit(operation, by, said, path) for path, operation in made]


def _was_removed(repo: Repo, claim: Claim, paths: list[str], dirty: bool, ref: str) -> bool:
    """Whether a claim that stands on no page now had been shown, and was taken off while some source yielded it.

    A commit of ours takes a claim off only together with what yields it; whoever takes it off otherwise is a person.
    """
    if dirty and claim.id in _shown(repo, "HEAD", paths):
        return True
    for commit in repo.log(paths, ref, merges=True):
        if claim.id in _shown(repo, commit.id, paths):
            return False
        if all(claim.id in _shown(repo, parent, paths) for parent in commit.parents) and commit.parents:
            return _yielded(repo, commit.id, claim)
    return False


def _shown(repo: Repo, ref: str, paths: Iterable[str]) -> frozenset[str]:
    """The ids of the claims that some pages show in a commit."""
    blobs = [blob for path in paths for blob in repo.paths(path, ref).values()]
    texts = repo.contents(blobs).values()
    return frozenset(line.id for text in texts for _, line in pages.parse(text.decode("utf-8", "replace")).claims)


def _yielded(repo: Repo, ref: str, claim: Claim) -> bool:
    """Whether a source that proves the claim yielded it in a commit."""
    for source in {one.source for one in claim.evidence}:
        data = repo.blob(memory.path(source), ref)
        if data is not None and f'{{"claim":"{claim.id}"'.encode() in data:
            return True
    return False


def _author(vault: Vault, repo: Repo, paths: Iterable[str], dirty: bool, ref: str) -> tuple[str, str]:
    """Who edited, and when: of what is committed, the last commit that touched the pages; else whoever runs this, now."""
    if dirty:
        return repo.user, vault.now()
    last: Commit | None = next(iter(repo.log(tuple(paths), ref, limit=1, merges=True)), None)
    if last is None:
        return repo.user, vault.now()
    moment = datetime.fromisoformat(last.authored).astimezone(UTC)
    return last.author, moment.strftime("%Y-%m-%dT%H:%M:%SZ")
