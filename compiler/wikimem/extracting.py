"""Extracting: one source to its claims file and its card. Context-free: depends on the source, the model and the prompts.

So sources extract in parallel, in any order, on any machine. Nothing is written here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from wikimem.assets import folders
from wikimem.core import (
    adopted,
    cards,
    claimfiles,
    discretion,
    edits,
    excerpts,
    extraction,
    filed,
    gate,
    masking,
    privacy,
    sensitive,
    views,
)
from wikimem.core.claimfiles import ClaimFile, Episode, Refusal, Stamp
from wikimem.core.claims import Claim
from wikimem.core.drafts import Draft, Gate
from wikimem.core.questions import Question, Reply, Task
from wikimem.core.screening import Screened
from wikimem.core.sensitive import Sensitive
from wikimem.core.sessions import Session
from wikimem.core.sources import Sidecar
from wikimem.core.spending import Terms
from wikimem.core.views import View
from wikimem.core.vocabulary import Vocabulary
from wikimem.core.zones import UTC, Zone
from wikimem.edges import byhand, models
from wikimem.edges.ledger import Ledger
from wikimem.edges.models import Model, Paid
from wikimem.edges.prompts import Prompts
from wikimem.errors import Excerpted, ModelFailed, ModelPaused, ReplyAwaited, TooLong
from wikimem.vault import Vault

_READERS: Mapping[str, Callable[[View], Mapping[str, Any]]] = {adopted.FORMAT: adopted.extract, filed.FORMAT: filed.extract}
_READ = "1"
"""Formats whose statements are claims as they stand, read by code whoever compiles; and the edition of that code."""


_SMALLEST = 4_000
"""Characters of a window that is not halved any more when a model finds it too long."""


@dataclass(frozen=True, slots=True)
class Extractor:
    """Who extracts, and with what.

    Args:
        model: who is asked.
        prompts: how.
        vocabulary: the attributes of the vault.
        me: what the person who types is called; may be empty.
        window: tokens of a session that are read in one question.
        jobs: how many questions are asked at once.
        zone: the time zone of the vault.
        sensitive: what waits for a person's approval.
        amend: what is done to what a model made of a source, before anything is made from it.
        third_persons: what becomes of what is told of people who take no part; one of `privacy.CHOICES`.
    """

    model: Model
    prompts: Prompts
    vocabulary: Vocabulary
    me: str
    window: int = 60_000
    jobs: int = 1
    zone: Zone = UTC
    sensitive: Sensitive = sensitive.SHIPPED
    amend: Callable[[ClaimFile], ClaimFile] = lambda file: file
    third_persons: str = privacy.KEEP

    def stamp(self, sidecar: Sidecar) -> Stamp:
        """What a claims file of a source says that it was made from, if it were made now."""
        prompts, model = self.prompts.digest if self.model.reads_prompts else self.model.edition, self.model.name
        if sidecar.format in (*_READERS, "edit"):
            prompts, model = _READ, "code"
        # What people wrote into pages tells its dates; nothing of it is resolved.
        zone = "" if self.zone.is_utc or sidecar.format == "edit" else self.zone.name
        settings = _digest(self.vocabulary, self.third_persons, self.sensitive)
        return Stamp(sidecar.id, sidecar.content, prompts, model, settings, zone=zone, place=sidecar.place)

    def extract(self, ledger: Ledger, source: str) -> Extracted:
        """The claims file and the card of a source.

        Raises:
            ModelFailed: the model gave no usable answer, or the source is only an excerpt.
            OSError: a file of the source cannot be read.
        """
        sidecar = ledger.all()[source]
        if sidecar.format == excerpts.FORMAT:
            raise Excerpted(source)
        session = ledger.read(source)
        screened = gate.screen(session.turns, session.dead)
        told = facts(sidecar, session)
        view = views.of(source, screened, told, self.me)
        stamp = self.stamp(sidecar)
        if sidecar.format == "edit":
            made = byhand.read(ledger, source, session)
            file = ClaimFile(stamp, edits.claims(made, {turn.at: turn for turn in session.turns}), edits=made)
            return Extracted(self._back(file, source), self._card(sidecar, screened, told, file), 0, 0)
        if not view.spoken:
            # Nobody need be asked about a session in which nothing counts.
            return Extracted(ClaimFile(stamp), self._card(sidecar, screened, told, ClaimFile(stamp)), 0, 0)
        reader = _READERS.get(sidecar.format)
        heard = [_Heard(view, Reply(reader(view)))] if reader else self._hear(view)
        drafts, episode, malformed = _merged(heard, told["scope"], self.me, stamp.model)
        drafts, dates = (drafts, ()) if reader else self._dated(drafts, screened)
        asked = self._gate(sidecar, session, screened)
        admitted, refused = gate.admit(drafts, asked)
        episode = Episode(privacy.hushed(episode.asked, asked), privacy.hushed(episode.outcome, asked))
        hush = self.sensitive
        refusals = tuple(sorted({*(_hushed(one, hush) for one in (*malformed, *dates)), *refused}))
        # What a model tells of the whole session may tell what waits for a person's approval.
        silent = any(one.rule == sensitive.RULE for one in refusals) or discretion.of(screened, refusals, hush).hides_any(episode)
        episode = Episode() if silent else episode
        file = self._back(ClaimFile(stamp, admitted, refusals, episode), source)
        file = self._back(self.amend(file), source)
        read, wrote = sum(one.reply.read for one in heard), sum(one.reply.wrote for one in heard)
        withheld = self._back(ClaimFile(stamp, gate.withheld(drafts, asked)), source).claims
        return Extracted(file, self._card(sidecar, screened, told, file), read, wrote, withheld)

    def _card(self, sidecar: Sidecar, screened: Screened, told: dict[str, str], file: ClaimFile) -> str:
        return card(sidecar, screened, told, file, self.zone, self.sensitive)

    def _gate(self, sidecar: Sidecar, session: Session, screened: Screened) -> Gate:
        channel = _is_channel(self.sensitive, sidecar, session.title)
        return Gate(screened, self.vocabulary, leaks, self.zone, self.me, self.third_persons, self.sensitive, channel)

    def _back(self, file: ClaimFile, source: str) -> ClaimFile:
        """The file, read back, so that it is the very value that the next run reads from disk."""
        found, problems = claimfiles.read(claimfiles.write(file), source, self.zone)
        if found is None or problems:
            raise ModelFailed(self.model.name, f"its claims do not read back: {'; '.join(map(str, problems))}")
        return found

    def questions(self, ledger: Ledger, source: str) -> tuple[Question, ...]:
        """What would be asked about a source; nothing where nothing in it counts.

        Raises:
            OSError: a file of the source cannot be read.
        """
        if ledger.all()[source].format in (*_READERS, "edit", excerpts.FORMAT):
            return ()
        session = ledger.read(source)
        told = facts(ledger.all()[source], session)
        view = views.of(source, gate.screen(session.turns, session.dead), told, self.me)
        return tuple(self.prompts.question(Task.EXTRACT, each) for each in self._windows(view)) if view.spoken else ()

    def refusals(self, ledger: Ledger, source: str, content: Any) -> tuple[Refusal, ...]:
        """What would be refused of a reply about a source, if it came from the model; the reply fits the schema.

        Raises:
            OSError: a file of the source cannot be read.
        """
        session = ledger.read(source)
        screened = gate.screen(session.turns, session.dead)
        drafts, _, malformed = extraction.read(content, facts(ledger.all()[source], session)["scope"], self.me)
        drafts, dates = self._dated(drafts, screened)
        return (*malformed, *dates, *gate.admit(drafts, self._gate(ledger.all()[source], session, screened))[1])

    def _dated(self, drafts: tuple[Draft, ...], screened: Screened) -> tuple[tuple[Draft, ...], tuple[Refusal, ...]]:
        """The drafts without dates that a model made up; the built-in rules take theirs from the words."""
        if not self.model.reads_prompts:
            return drafts, ()
        from wikimem.core import dating

        return dating.undated(drafts, screened)

    def _windows(self, view: View) -> tuple[View, ...]:
        if not self.model.reads_prompts:
            return (view,)
        return views.windows(views.brief(view), round(self.window * views.SIGNS))

    def _hear(self, view: View) -> list[_Heard]:
        """The replies about each window; all of them are asked before one that is awaited holds the source back."""
        heard: list[_Heard] = []
        awaited: ReplyAwaited | None = None
        for window in self._windows(view):
            try:
                heard += self._ask(window)
            except ReplyAwaited as waits:
                awaited = awaited or waits
        if awaited is not None:
            raise awaited
        return heard

    def _ask(self, window: View) -> list[_Heard]:
        """The reply about a window; where it is too long, about its halves."""
        try:
            return [_Heard(window, self.model.ask(self.prompts.question(Task.EXTRACT, window)))]
        except TooLong:
            own = replace(window, spoken=window.spoken[window.earlier :], earlier=0)
            size = len(views.text(own))
            halves = views.windows(own, size * 3 // 5) if size > _SMALLEST else ()
            if len(halves) < 2:
                raise
        return [one for half in halves for one in self._ask(half)]


@dataclass(frozen=True, slots=True)
class _Heard:
    """A window of a session, and the reply about it."""

    window: View
    reply: Reply


def _merged(heard: Sequence[_Heard], scope: str, me: str, model: str) -> tuple[tuple[Draft, ...], Episode, tuple[Refusal, ...]]:
    """What the replies about all windows of a session say together.

    Raises:
        ModelFailed: a reply is not of the form.
    """
    drafts: list[Draft] = []
    refusals: list[Refusal] = []
    episodes: list[Episode] = []
    for one in heard:
        try:
            found, episode, malformed = extraction.read(one.reply.content, scope, me)
        except ValueError as wrong:
            raise ModelFailed(model, str(wrong)) from None
        own = {spoken.turn.at for spoken in one.window.spoken[one.window.earlier :]}
        before = {spoken.turn.at for spoken in one.window.spoken[: one.window.earlier]} - own
        # What stands only in the part that the window before read was taken there.
        drafts += [draft for draft in found if not draft.quotes or any(quote.at not in before for quote in draft.quotes)]
        refusals += malformed
        episodes.append(episode)
    asked = next((one.asked for one in episodes if one.asked), "")
    outcome = next((one.outcome for one in reversed(episodes) if one.outcome), "")
    return tuple(drafts), Episode(asked, outcome), tuple(refusals)


@dataclass(frozen=True, slots=True)
class Unmade:
    """Why a source gave nothing.

    Args:
        reason: one sentence.
        paused: whether nothing is wrong: a budget, a quota, or a reply that is awaited.
    """

    reason: str
    paused: bool = False


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a source gives.

    Args:
        file: its claims file.
        card: the text of its card.
        read: tokens that the model read.
        wrote: tokens that it wrote.
        withheld: claims that are sensitive and in no file: a person decides; None if nobody looked.
    """

    file: ClaimFile
    card: str
    read: int
    wrote: int
    withheld: tuple[Claim, ...] | None = None


def facts(sidecar: Sidecar, session: Session) -> dict[str, str]:
    """What is known of a session besides its turns: `scope`, `title` (`named`, if its tool gave it one), `started`."""
    started = sidecar.started or session.facts.get("started", "")
    named = session.facts.get("title", "")
    return {"scope": sidecar.scope, "title": session.title, "named": named, "started": started}


def elsewhere(stamps: Mapping[str, Stamp], extractor: Extractor, known: Mapping[str, Sidecar]) -> int:
    """How many sources had relative dates resolved in another time zone than they would be now.

    Args:
        stamps: of the claims files, by source id.
        extractor: who would extract.
        known: all sources.
    """
    return sum(stamp.zone != extractor.stamp(known[source]).zone for source, stamp in stamps.items() if source in known)


def misplaced(stamps: Mapping[str, Stamp], known: Mapping[str, Sidecar]) -> int:
    """How many sources have claims of another package than the settings now say, or of none. Arguments as `elsewhere`."""
    return sum(stamp.place != known[source].place for source, stamp in stamps.items() if source in known)


def card(
    sidecar: Sidecar,
    screened: Screened,
    told: dict[str, str],
    file: ClaimFile,
    zone: Zone,
    hush: Sensitive = sensitive.SHIPPED,
) -> str:
    """The text of a source's card; what waits for a person's approval does not stand on it."""
    others = tuple(one for one in file.refusals if one.rule == privacy.RULE and one.text and not hush.words(one.text))
    made = replace(cards.of(sidecar.id, screened, file.claims, file.episode, told, sidecar.path, zone), others=others)
    if _is_channel(hush, sidecar, told["title"]):
        hidden = sensitive.HIDDEN
        made = replace(made, title=hidden, asked=hidden, outcome="", files=(), commands=(), others=())
    else:
        made = discretion.of(screened, file.refusals, hush).card(made)
    return cards.write(made)


def _is_channel(rules: Sensitive, sidecar: Sidecar, title: str) -> bool:
    """Whether all that is said in a session waits for a person's approval."""
    facts = {"format": sidecar.format, "project": sidecar.project, "scope": sidecar.scope, "title": title}
    facts |= {"session": sidecar.session, "cwd": sidecar.cwd, "remote": sidecar.remote, "branch": sidecar.branch}
    return rules.channel(facts)


def carded(ledger: Ledger, file: ClaimFile, hush: Sensitive) -> str:
    """The text of the card of a claims file's source.

    Args:
        ledger: the sources.
        file: the claims file.
        hush: what waits for a person's approval.

    Raises:
        OSError: a file of the source cannot be read.
    """
    sidecar, session = ledger.all()[file.stamp.source], ledger.read(file.stamp.source)
    screened = gate.screen(session.turns, session.dead)
    return card(sidecar, screened, facts(sidecar, session), file, ledger.zone, hush)


def leaks(text: str) -> bool:
    """Whether a text holds a secret that masking would take."""
    return bool(masking.left(text.encode("utf-8", "replace"), json=False))


def _hushed(refusal: Refusal, hush: Sensitive) -> Refusal:
    """A refusal without its text, where that would tell a secret or something sensitive."""
    told = f"{refusal.text} {refusal.reason}"
    return replace(refusal, text="", reason="it does not fit the schema") if leaks(told) or hush.words(told) else refusal


def _digest(vocabulary: Vocabulary, third_persons: str, sensitive: Sensitive) -> str:
    """What the settings say of claims: where that changes, what was extracted is outdated."""
    told = "\n".join(repr(attribute) for attribute in vocabulary.attributes) + sensitive.key
    told += f"\n{third_persons}" if third_persons != privacy.KEEP else ""
    return sha256(told.encode()).hexdigest()[:12]


def extractor_of(
    vault: Vault, model: Model | str | None = None, terms: Terms | None = None, jobs: int = 0, own: Path | None = None
) -> Extractor:
    """Who extracts for a vault, as its settings say.

    Args:
        vault: the vault.
        model: who is asked, or the name; None for the one that the settings name.
        terms: on what terms; None for those of the settings.
        jobs: how many questions are asked at once; 0 for as many as the settings say.
        own: a folder whose prompts win over those of the vault.

    Raises:
        UsageError: they name no usable model.
    """
    vocabulary = vault.settings.vocabulary
    attributes = [attribute.name for attribute in vocabulary.attributes if not attribute.volatile]
    prompts = Prompts([*([own] if own else []), *folders("prompts", vault.root)], attributes)
    if model is None or isinstance(model, str):
        name, work = model or vault.settings.model, vault.root / ".wikimem"
        model = models.named(name, work, terms or vault.settings.terms, vault.now, lambda: prompts.digest)
    told = vault.settings
    return Extractor(
        model,
        prompts,
        vocabulary,
        told.me,
        told.window,
        jobs or told.jobs,
        told.zone,
        told.sensitive,
        third_persons=told.third_persons,
    )


AHEAD = 16
"""Sources that are extracted before the first is committed, where asking costs time, so that pairs are judged together."""


def each(
    extractor: Extractor, ledger: Ledger, sidecars: Sequence[Sidecar], jobs: int
) -> Iterator[tuple[Sidecar, Extracted | Unmade]]:
    """Each source in order with what it gives, or why it gives nothing; `jobs` at a time are on their way."""

    def work(sidecar: Sidecar) -> Extracted | Unmade:
        try:
            return extractor.extract(ledger, sidecar.id)
        except ModelFailed as error:
            return Unmade(str(error), isinstance(error, ModelPaused))
        except OSError as error:
            return Unmade(f"{error.filename or sidecar.path} cannot be read: {error.strerror or error}. Run `wikimem verify`.")

    if jobs <= 1 and not isinstance(extractor.model, Paid):
        yield from ((sidecar, work(sidecar)) for sidecar in sidecars)
        return
    waiting: deque[tuple[Sidecar, Future[Extracted | Unmade]]] = deque()
    todo = iter(sidecars)
    # Also for one job: a call on its way is waited for and its reply kept, when the run is interrupted.
    with ThreadPoolExecutor(jobs) as pool:
        try:
            while True:
                while len(waiting) < max(2 * jobs, AHEAD) and (sidecar := next(todo, None)) is not None:
                    waiting.append((sidecar, pool.submit(work, sidecar)))
                if not waiting:
                    return
                sidecar, future = waiting.popleft()
                yield sidecar, future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
