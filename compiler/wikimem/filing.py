"""Filing: an answer from memory becomes a source and an inference on a page of its own; and whether it still holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from wikimem import extracting, indexing, memory
from wikimem.committing import Writer
from wikimem.core import filed, masking, sources, texts
from wikimem.core.filed import Filed
from wikimem.core.fold import Wiki
from wikimem.core.sources import Raw, Sidecar
from wikimem.core.timeline import Retracted, Standing
from wikimem.edges import concluded, ledger
from wikimem.errors import Problem, SecretLeft
from wikimem.vault import Vault


@dataclass(frozen=True, slots=True)
class Kept:
    """What filing did.

    Args:
        source: the source that keeps the answer.
        commit: the commit of the wiki; empty if the very same answer was there.
        page: the page it stands on, vault-relative; empty if the gate let no claim of it pass.
        refused: why it makes no claim; empty if it does.
    """

    source: str
    commit: str
    page: str
    refused: str = ""

    def as_json(self) -> dict[str, Any]:
        """As plain values; the shape is stable."""
        return {"source": self.source, "commit": self.commit, "page": self.page, "refused": self.refused}


@dataclass(frozen=True, slots=True)
class Earlier:
    """An answer that was filed before.

    Args:
        source: its source.
        answer: it.
        stale: what changed of what it rests on, a clause each; nothing where it still stands.
    """

    source: str
    answer: Filed
    stale: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """As plain values; the shape is stable."""
        told = self.answer
        return {"source": self.source, "asked": told.asked, "answer": told.text, "stale": list(self.stale)}


def file(vault: Vault, answer: Filed, report: Callable[[Problem], None]) -> Kept:
    """Keep an answer: its source in one commit, the page that shows it in another, which is the one to review.

    Args:
        vault: the vault.
        answer: it.
        report: told what was left alone.

    Raises:
        SecretLeft: it holds a secret; nothing is kept.
        WorldError: git or another process stands in the way; what was committed before stays.
    """
    extractor = extracting.extractor_of(vault, "rules")
    sidecar, data = source_of(vault, answer)
    with vault.compiling(), vault.repository() as repo:
        with vault.writing():
            repo.recover()
            repo.check_idle()
            vault.ledger.forget_cache()
            if sidecar.id not in vault.ledger.all():
                from wikimem.edges.repo import Change, Message

                paths = sidecar.paths()
                change = Change({paths[0]: ledger.render(sidecar), paths[1]: data}, frozenset(), dict.fromkeys(paths))
                subject = f"answer: {texts.normal(answer.question)[:60]}"
                trailers = (("Wiki-Op", "answer"), ("Source", sidecar.id))
                repo.commit(change, Message(subject, answer.words, trailers), report=report)
                vault.ledger.forget_cache()
        writer = Writer(vault, repo, extractor, report)
        made = extractor.extract(vault.ledger, sidecar.id)
        done = writer.write([made], "compile", f"{sidecar.id} (answer, by {answer.by})")
        wiki = writer.memory.wiki
    with indexing.refresh(vault.root, vault.ledger, vault.settings.vocabulary, wiki):
        pass
    page = next((f"wiki/{path}" for path in _pages(wiki, sidecar.id)), "")
    reasons = ["it waits to be reviewed"] if done.waiting else [f"{one.rule}: {one.reason}" for one in made.file.refusals]
    refused = "" if page else "; ".join(reasons) or "it says nothing new"
    return Kept(sidecar.id, done.id, page, refused)


def source_of(vault: Vault, answer: Filed) -> tuple[Sidecar, bytes]:
    """The source that an answer becomes: sidecar and bytes.

    Raises:
        SecretLeft: it holds a secret.
    """
    data = filed.write(answer)
    if left := masking.left(data, json=True):
        raise SecretLeft("The answer", ", ".join(sorted(left)))
    digest = sha256(data).hexdigest()
    taken = {each.id: each.raw.sha256 for each in vault.ledger.all().values()}
    sidecar = Sidecar(
        id=sources.identify(answer.asked[:10], filed.FORMAT, digest, taken),
        format=filed.FORMAT,
        suffix=".jsonl",
        sha256=digest,
        raw=Raw(len(data), digest),
        recorded=vault.now(),
        started=answer.asked,
        ended=answer.asked,
        hint={"scope": answer.scope} if answer.scope else {},
    )
    return sidecar, data


def earlier(vault: Vault, question: str, scope: str) -> tuple[Earlier, ...]:
    """Answers to the same question that were filed before, newest first, each with what changed since."""
    key = texts.key(filed.subject(question))
    found = [
        (source, answer)
        for source, answer in concluded.every(vault.ledger)
        if texts.key(filed.subject(answer.question)) == key and answer.scope == scope
    ]
    if not found:
        return ()
    states = _states(memory.load(vault.root, vault.ledger, vault.settings.vocabulary).wiki)
    told = [Earlier(source, answer, _stale(answer, states, vault)) for source, answer in found]
    return tuple(sorted(told, key=lambda one: (one.answer.asked, one.source), reverse=True))


def stale(vault: Vault, wiki: Wiki) -> Iterator[Problem]:
    """A problem for each filed answer that rests on something that changed since."""
    states: dict[str, str] | None = None
    for source, answer in concluded.every(vault.ledger):
        states = _states(wiki) if states is None else states
        if why := _stale(answer, states, vault):
            message = f"the answer filed for “{texts.normal(answer.question)}” is stale: {'; '.join(why)}. Ask again with --save"
            yield Problem(vault.ledger.all()[source].path, "stale-answer", message)


def _stale(answer: Filed, states: dict[str, str], vault: Vault) -> tuple[str, ...]:
    held = vault.ledger.all()
    told = [filed.changed(rest, states.get(rest.claim)) for rest in answer.rests]
    for rest in answer.rests:
        source = rest.cite.partition(":")[0]
        if not rest.claim and "/" not in source and source not in held:
            told.append(f"the source {source} is gone")
    return tuple(dict.fromkeys(why for why in told if why))


def _states(wiki: Wiki) -> dict[str, str]:
    """What each claim is now, by id, those that say the same as another one included."""
    return {
        id: _state(standing)
        for subject in wiki.subjects.values()
        for standing in subject.standings
        for id in (standing.claim.id, *standing.same)
    }


def _state(standing: Standing) -> str:
    """As `telling.state` has it."""
    if standing.current is not None:
        return "conflict" if standing.rivals else "current"
    return "retracted" if isinstance(standing.intervals[-1].ending, Retracted) else "ended"


def _pages(wiki: Wiki, source: str) -> Iterator[str]:
    for key, subject in wiki.subjects.items():
        if any(one.source == source for claim in subject.claims for one in claim.evidence):
            yield wiki.path(key)
