"""Editing by command: merge, split, rename, alias, settle, reject and keep. Each is a hand edit like one on a page.

It becomes a source, is compiled at once, and outlives every recompile. What it is about is named by page or by claim id.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from wikimem import browsing, extracting, indexing, taking
from wikimem.committing import Writer
from wikimem.core import edits, texts
from wikimem.core.claims import Claim, Mention
from wikimem.core.edits import Edit, Kept, Merged, Named, Operation, Parted, Rejected, Settled, Split
from wikimem.core.fold import Wiki
from wikimem.core.subjects import Subject
from wikimem.errors import NoClaim, Problem, UsageError
from wikimem.vault import Vault


@dataclass(frozen=True, slots=True)
class Edited:
    """What a command did.

    Args:
        words: the operations, a sentence each.
        source: the source that keeps them.
        commit: the commit of the pages; empty if nothing on them changed.
        changed: what the wiki says differently, `+1 ~0 -1`.
        problems: pages that were left alone.
    """

    words: tuple[str, ...]
    source: str
    commit: str
    changed: str
    problems: tuple[Problem, ...]

    def as_json(self) -> dict[str, Any]:
        """The result as plain values; the shape is stable."""
        return {
            "edits": list(self.words),
            "source": self.source,
            "commit": self.commit,
            "changed": self.changed,
            "problems": [str(each) for each in self.problems],
        }


Plan = Callable[[Wiki], Sequence[tuple[str, Operation]]]
"""From the wiki as it is: pages (below `wiki/`, or empty) and what is to be done."""


def merge(vault: Vault, page: str, into: str) -> Edited:
    """Make one subject of two; the second gives the title.

    Raises:
        NoPage: one of them is no page.
        UsageError: they are the same, or of different scopes.
    """

    def plan(wiki: Wiki) -> Sequence[tuple[str, Operation]]:
        one, other = _subject(vault, wiki, page), _subject(vault, wiki, into)
        if one.key == other.key:
            raise UsageError(f"{page!r} and {into!r} are one page already.")
        if one.scope != other.scope:
            raise UsageError(
                f"{one.title} belongs to {one.scope or 'no scope'}, {other.title} to {other.scope or 'none'}: two things."
            )
        first, second = mention(one), mention(other)
        path = wiki.path(other.key)
        return [(path, Merged(first, second)), (path, Named(second, "title", other.title))]

    return do(vault, plan)


def split(vault: Vault, page: str, claims: Sequence[str], title: str) -> Edited:
    """Move claims of a page to a subject of another name.

    Args:
        claims: their ids.
        title: the other subject's name.

    Raises:
        NoPage, NoClaim: the page, or a claim on it, is not there.
    """

    def plan(wiki: Wiki) -> Sequence[tuple[str, Operation]]:
        subject = _subject(vault, wiki, page)
        own = {claim.id: claim for claim in subject.claims}
        wrong = next((id for id in claims if id not in own), "")
        if wrong or not claims:
            raise NoClaim(wrong or "''", f"{subject.title} has no such claim")
        one = mention(subject)
        other = Mention(subject.scope, subject.type, title)
        return [(wiki.path(subject.key), Split(one, other, tuple(edits.target(own[id]) for id in claims)))]

    return do(vault, plan)


def rename(vault: Vault, page: str, title: str) -> Edited:
    """Give a page another title; the old one stays an alias.

    Raises:
        NoPage: there is no such page.
    """
    return do(vault, lambda wiki: _named(vault, wiki, page, "title", title))


def alias(vault: Vault, page: str, name: str, remove: bool = False) -> Edited:
    """Give a page a further name, or take one away.

    Raises:
        NoPage: there is no such page.
    """
    return do(vault, lambda wiki: _named(vault, wiki, page, "unalias" if remove else "alias", name))


def settle(vault: Vault, winner: str) -> Edited:
    """End a conflict: the claim of this id holds, those it is in conflict with ended.

    Raises:
        NoClaim: there is no such claim, or it is in no conflict.
    """

    def plan(wiki: Wiki) -> Sequence[tuple[str, Operation]]:
        for subject in wiki.subjects.values():
            for standing in subject.standings:
                if winner in (standing.claim.id, *standing.same) and standing.rivals:
                    by_id = {one.claim.id: one.claim for one in subject.standings}
                    path = wiki.path(subject.key)
                    won = edits.target(standing.claim)
                    return [(path, Settled(won, edits.target(by_id[rival]))) for rival in standing.rivals]
        raise NoClaim(winner, "it is in no conflict; `wikimem lint` lists the conflicts")

    return do(vault, plan)


def reject(vault: Vault, claim: str, reason: str = "") -> Edited:
    """Take a claim out of the wiki, for ever, however another model words it.

    Raises:
        NoClaim: there is no such claim.
    """

    def plan(wiki: Wiki) -> Sequence[tuple[str, Operation]]:
        subject, found = shown(wiki, claim)
        return [(wiki.path(subject.key), Rejected(edits.target(found), reason))]

    return do(vault, plan)


def keep(vault: Vault, claim: str) -> Edited:
    """Bring back a claim that was rejected or removed, or that was made one with another, or lift one from its session's card.

    Raises:
        NoClaim: a claim of this id neither was taken away nor made one with another, nor stays on a card.
    """

    def plan(wiki: Wiki) -> Sequence[tuple[str, Operation]]:
        wanted = claim.strip().strip("[^]`")
        found = wiki.ground.ruled.hidden.get(wanted)
        if found is not None:
            return [("", Kept(found[1]))]
        if parted := _parted(wiki, wanted):
            return parted
        aside = next((each for file in wiki.ground.left.values() for each in file.claims if each.id == wanted), None)
        if aside is None or not any(wanted in ids for ids in wiki.ground.alone.values()):
            raise NoClaim(
                claim, "nobody removed or rejected a claim of this id, none was made one with another, and none stays on a card"
            )
        return [("", Kept(edits.target(aside)))]

    return do(vault, plan)


def _parted(wiki: Wiki, wanted: str) -> Sequence[tuple[str, Operation]]:
    """That a claim says another thing than the claim that is shown for it, and than all others that it is shown for."""
    for subject in wiki.subjects.values():
        for standing in subject.standings:
            if wanted in standing.same:
                by_id = {claim.id: claim for claim in subject.claims}
                others = [id for id in (standing.claim.id, *standing.same) if id != wanted]
                path, own = wiki.path(subject.key), edits.target(by_id[wanted])
                return [(path, Parted(own, edits.target(by_id[id]))) for id in others]
    return ()


def _named(vault: Vault, wiki: Wiki, page: str, key: str, value: str) -> Sequence[tuple[str, Operation]]:
    if not value.strip():
        raise UsageError("A page needs a name that is not empty.")
    subject = _subject(vault, wiki, page)
    aliases = [texts.key(name) for name in subject.aliases]
    if key == "title" and texts.normal(value) == subject.title:
        raise UsageError(f"{subject.title} has this title already.")
    if key == "alias" and texts.key(value) in (texts.key(subject.title), *aliases):
        raise UsageError(f"{value!r} is a name of {subject.title} already.")
    if key == "unalias" and texts.key(value) not in aliases:
        raise UsageError(f"{value!r} is no alias of {subject.title}.")
    return [(wiki.path(subject.key), Named(mention(subject), key, value))]


def _subject(vault: Vault, wiki: Wiki, page: str) -> Subject:
    found = browsing.find(vault.root, page)
    for key, subject in wiki.subjects.items():
        path = wiki.path(key)
        if found.path == path or found.path.startswith(f"{path.removesuffix('.md')}/"):
            return subject
    raise UsageError(f"{page!r} is a page of your own, which no claim stands behind; edit it as you like.")


def mention(subject: Subject) -> Mention:
    """The mention that a subject is known by: the first said."""
    return min(subject.claims, key=lambda claim: (claim.said or "~", claim.id)).mention


def shown(wiki: Wiki, id: str) -> tuple[Subject, Claim]:
    """A claim that some page shows, and the subject of the page.

    Raises:
        NoClaim: there is none of this id.
    """
    wanted = id.strip().strip("[^]")
    for subject in wiki.subjects.values():
        for claim in subject.claims:
            if claim.id == wanted:
                return subject, claim
    raise NoClaim(id, "no page shows a claim of this id")


def do(vault: Vault, plan: Plan) -> Edited:
    """Make edits of a plan, as one source and one commit of pages.

    Args:
        vault: the vault.
        plan: what is to be done.

    Raises:
        UsageError: the plan does not fit the wiki.
        WorldError: git stands in the way.
    """
    problems: list[Problem] = []
    extractor = extracting.extractor_of(vault, "rules")
    with vault.compiling(), vault.repository() as repo:
        with vault.writing():
            repo.recover()
            repo.check_idle()
            vault.ledger.forget_cache()
        writer = Writer(vault, repo, extractor, problems.append)
        wiki = writer.memory.wiki
        made = taking.numbered((Edit(operation, repo.user, vault.now(), page) for page, operation in plan(wiki)), wiki)
        titles = {id: subject.title for subject in wiki.subjects.values() for id in subject.mentions}
        words = tuple(edits.words(edit, titles) for edit in made)
        taken = taking.keep(vault, repo, made, problems.append, words)
        done = writer.write([extractor.extract(vault.ledger, taken.source)], "compile", f"{taken.source} (edit)")
        wiki = writer.memory.wiki
    with indexing.refresh(vault.root, vault.ledger, vault.settings.vocabulary, wiki):
        pass
    from wikimem.core import messages

    return Edited(words, taken.source, done.id, messages.trailer(done.diff), tuple(problems))
