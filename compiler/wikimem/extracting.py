"""Extracting: one source to its claims file and its card. Context-free: depends on the source, the model and the prompts.

So sources extract in parallel, in any order, on any machine. Nothing is written here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from hashlib import sha256

from wikimem.assets import folders
from wikimem.core import cards, claimfiles, extraction, gate, masking, projects, views
from wikimem.core.claimfiles import ClaimFile, Refusal, Stamp
from wikimem.core.drafts import Gate
from wikimem.core.questions import Task
from wikimem.core.screening import Screened
from wikimem.core.sessions import Session
from wikimem.core.sources import Sidecar
from wikimem.core.vocabulary import Vocabulary
from wikimem.edges import models
from wikimem.edges.ledger import Ledger
from wikimem.edges.models import Model, Terms
from wikimem.edges.prompts import Prompts
from wikimem.errors import ModelFailed
from wikimem.vault import Vault


@dataclass(frozen=True, slots=True)
class Extractor:
    """Who extracts, and with what.

    Args:
        model: who is asked.
        prompts: how.
        vocabulary: the attributes of the vault.
        me: what the person who types is called; may be empty.
        window: tokens of a session that are read in one question.
    """

    model: Model
    prompts: Prompts
    vocabulary: Vocabulary
    me: str
    window: int = 60_000

    def stamp(self, sidecar: Sidecar) -> Stamp:
        """What a claims file of a source says that it was made from, if it were made now."""
        prompts = self.prompts.digest if self.model.reads_prompts else self.model.edition
        return Stamp(sidecar.id, sidecar.content, prompts, self.model.name, _digest(self.vocabulary))

    def extract(self, ledger: Ledger, source: str) -> Extracted:
        """The claims file and the card of a source.

        Raises:
            ModelFailed: the model gave no usable answer.
            OSError: a file of the source cannot be read.
        """
        sidecar = ledger.all()[source]
        session = ledger.read(source)
        screened = gate.screen(session.turns, session.dead)
        told = facts(sidecar, session)
        view = views.of(source, screened, told, self.me)
        stamp = self.stamp(sidecar)
        if not view.spoken:
            # Nobody need be asked about a session in which nothing counts.
            return Extracted(ClaimFile(stamp), card(sidecar, screened, told, ClaimFile(stamp)), 0, 0)
        reply = self.model.ask(self.prompts.question(Task.EXTRACT, view))
        try:
            drafts, episode, malformed = extraction.read(reply.content, told["scope"], self.me)
        except ValueError as wrong:
            raise ModelFailed(self.model.name, str(wrong)) from None
        admitted, refused = gate.admit(drafts, Gate(screened, self.vocabulary, leaks))
        refusals = tuple(sorted({*map(_hushed, malformed), *refused}))
        # Read back, so that it is the very value that the next run reads from disk.
        file, problems = claimfiles.read(claimfiles.write(ClaimFile(stamp, admitted, refusals, episode)), source)
        if file is None or problems:
            raise ModelFailed(self.model.name, f"its claims do not read back: {'; '.join(map(str, problems))}")
        return Extracted(file, card(sidecar, screened, told, file), reply.read, reply.wrote)


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a source gives.

    Args:
        file: its claims file.
        card: the text of its card.
        read: tokens that the model read.
        wrote: tokens that it wrote.
    """

    file: ClaimFile
    card: str
    read: int
    wrote: int


def facts(sidecar: Sidecar, session: Session) -> dict[str, str]:
    """What is known of a session besides its turns: `scope`, `title`, `started`."""
    started = sidecar.started or session.facts.get("started", "")
    return {"scope": projects.scope(sidecar.remote, sidecar.cwd), "title": session.title, "started": started}


def card(sidecar: Sidecar, screened: Screened, told: dict[str, str], file: ClaimFile) -> str:
    """The text of a source's card."""
    return cards.write(cards.of(sidecar.id, screened, file.claims, file.episode, told, sidecar.path))


def leaks(text: str) -> bool:
    """Whether a text holds a secret that masking would take."""
    return bool(masking.left(text.encode("utf-8", "replace"), json=False))


def _hushed(refusal: Refusal) -> Refusal:
    """A refusal without its text, where that would tell a secret."""
    return (
        replace(refusal, text="", reason="it does not fit the schema") if leaks(f"{refusal.text} {refusal.reason}") else refusal
    )


def _digest(vocabulary: Vocabulary) -> str:
    told = "\n".join(repr(attribute) for attribute in vocabulary.attributes)
    return sha256(told.encode()).hexdigest()[:12]


def extractor_of(vault: Vault, model: Model | str | None = None, terms: Terms | None = None) -> Extractor:
    """Who extracts for a vault, as its settings say.

    Args:
        vault: the vault.
        model: who is asked, or the name; None for the one that the settings name.
        terms: on what terms; None for those of the settings.

    Raises:
        UsageError: they name no usable model.
    """
    vocabulary = vault.settings.vocabulary
    attributes = [attribute.name for attribute in vocabulary.attributes if not attribute.volatile]
    prompts = Prompts(folders("prompts", vault.root), attributes)
    if model is None or isinstance(model, str):
        name, work = model or vault.settings.model, vault.root / ".wikimem"
        model = models.named(name, work, terms or vault.settings.terms, vault.now, lambda: prompts.digest)
    return Extractor(model, prompts, vocabulary, vault.settings.me, vault.settings.window)


def each(
    extractor: Extractor, ledger: Ledger, sidecars: Sequence[Sidecar], jobs: int
) -> Iterator[tuple[Sidecar, Extracted | str]]:
    """Each source in order with what it gives, or why it gives nothing; `jobs` at a time are on their way."""

    def work(sidecar: Sidecar) -> Extracted | str:
        try:
            return extractor.extract(ledger, sidecar.id)
        except ModelFailed as error:
            return str(error)
        except OSError as error:
            return f"{error.filename or sidecar.path} cannot be read: {error.strerror or error}. Run `wikimem verify`."

    if jobs <= 1:
        yield from ((sidecar, work(sidecar)) for sidecar in sidecars)
        return
    waiting: deque[tuple[Sidecar, Future[Extracted | str]]] = deque()
    todo = iter(sidecars)
    with ThreadPoolExecutor(jobs) as pool:
        try:
            while True:
                while len(waiting) < 2 * jobs and (sidecar := next(todo, None)) is not None:
                    waiting.append((sidecar, pool.submit(work, sidecar)))
                if not waiting:
                    return
                sidecar, future = waiting.popleft()
                yield sidecar, future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
