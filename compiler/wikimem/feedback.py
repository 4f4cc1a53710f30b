"""Feedback: what became of a recall, said by a person or an agent, kept beside it in the log; and the figures of use.

The log lies outside the wiki (`noting`): feedback changes no claim and no page. Whoever finds that a claim is wrong rejects,
settles or edits it; feedback only counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from wikimem import memory, noting
from wikimem.core import moments, reactions, recalls, screening
from wikimem.core.evaluation import use
from wikimem.core.evaluation.use import Use
from wikimem.core.reactions import Reactions
from wikimem.core.recalls import Feedback, Log, Recall
from wikimem.edges import recalls as logs
from wikimem.errors import BadMoment, UsageError
from wikimem.vault import Vault

NONE = "none"
"""What `used` says where nothing was of use."""


class NoRecall(UsageError):
    """There is no such recall in the log, or none at all."""

    def __init__(self, named: str, why: str) -> None:
        told = f"{named!r} is no recall that is logged here" if named else "No recall is logged here"
        super().__init__(f"{told}: {why}.")


class NotGiven(UsageError):
    """Feedback names what the recall did not give."""

    def __init__(self, named: str, recall: Recall, many: bool) -> None:
        why = "is the beginning of several answers" if many else "is none of the answers"
        super().__init__(
            f"{named!r} {why} of recall {recall.id}, which gave {len(recall.ids)}; name one by its number, the id of its claim, "
            "or its citation, as `wikimem feedback` lists them. Nothing was recorded."
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said of a recall; nothing said: the recall is only shown.

    Args:
        used: answers that were of use, each by number, id or citation; `NONE` for none. None if nobody says.
        misled, stale: answers, named alike.
        missing: what should have been there, in words.
        good: whether it did its work; None if nobody says.
    """

    used: tuple[str, ...] | None = None
    misled: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    good: bool | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is said."""
        return self.used is None and not (self.misled or self.stale or self.missing) and self.good is None


@dataclass(frozen=True, slots=True)
class Judged:
    """A recall with all that was said of it; None if nothing was."""

    recall: Recall
    said: Feedback | None

    def as_json(self) -> dict[str, Any]:
        """Both as plain values; the shape is stable."""
        recall, said = self.recall, self.said
        return {
            "recall": recall.id,
            "time": recall.time,
            "question": recall.question,
            "hash": recall.hash,
            "scope": recall.scope,
            "ids": list(recall.ids),
            "beside": list(recall.beside),
            "tokens": recall.tokens,
            "channel": recall.channel,
            "session": recall.session,
            "feedback": None
            if said is None
            else {
                "used": None if said.used is None else list(said.used),
                "misled": list(said.misled),
                "stale": list(said.stale),
                "missing": list(said.missing),
                "good": said.good,
            },
        }


@dataclass(frozen=True, slots=True)
class Recent:
    """The last recalls, newest first."""

    judged: tuple[Judged, ...]

    def as_json(self) -> dict[str, Any]:
        """The recalls as plain values; the shape is stable."""
        return {"recalls": [one.as_json() for one in self.judged]}


@dataclass(frozen=True, slots=True)
class Asker:
    """Who speaks: in a strict vault, only recalls of this scope are seen; the last recall is that of the session, if known."""

    scope: str = ""
    session: str = field(default_factory=logs.session)


def feedback(vault: Vault, recall: str = "", verdict: Verdict | None = None, asker: Asker | None = None) -> Judged:
    """Record what became of a recall, and show it.

    Args:
        vault: the vault.
        recall: its id; empty for the last one.
        verdict: what is said; without, it is only shown.
        asker: who says it.

    Raises:
        NoRecall: there is none.
        NotGiven: an answer is named that the recall did not give.
        OSError: the log cannot be written.
    """
    verdict, asker = verdict or Verdict(), asker or Asker()
    log = _log(vault, asker.scope)
    found = _named(vault, log, recall, asker)
    if verdict.is_empty:
        return Judged(found, log.of(found.id))
    told = Feedback(
        recall=found.id,
        time=vault.now(),
        used=None if verdict.used is None else tuple(_given(found, one) for one in verdict.used if one != NONE),
        misled=tuple(_given(found, one) for one in verdict.misled),
        stale=tuple(_given(found, one) for one in verdict.stale),
        missing=tuple(noting.masked(one) for one in verdict.missing if one.strip()),
        good=verdict.good,
        session=asker.session,
    )
    logs.append(vault.root, told.time, recalls.write(told))
    return Judged(found, replace(log, feedback=(*log.feedback, told)).of(found.id))


def recent(vault: Vault, limit: int = 10, scope: str = "") -> Recent:
    """The last recalls with what was said of them.

    Args:
        vault: the vault.
        limit: at most so many.
        scope: in a strict vault, whose recalls are seen.
    """
    log = _log(vault, scope)
    return Recent(tuple(Judged(one, log.of(one.id)) for one in log.recalls[: -limit - 1 : -1]))


def figures(vault: Vault, since: str = "", scope: str = "") -> Use:
    """The figures of use: of the log, of people's reactions in the transcripts, and of claims that look like orders.

    Args:
        vault: the vault.
        since: only recalls and sessions of this day or later, `2026-08-14`; claims are all looked at.
        scope: in a strict vault, whose recalls, sessions and claims are counted.

    Raises:
        BadMoment: `since` is no date.
    """
    if since and not moments.is_moment(since):
        raise BadMoment("since", since)
    log = _log(vault, scope)
    kept = tuple(one for one in log.recalls if vault.zone.day(one.time) >= since)
    wiki = memory.load(vault.root, vault.ledger, vault.settings.vocabulary).wiki
    strict = vault.settings.isolation == "strict"
    claims = (one.claim for subject in wiki.subjects.values() for one in subject.standings)
    open_to = (claim for claim in claims if not strict or claim.mention.scope == scope)
    return use.of(replace(log, recalls=kept), _reactions(vault, since, scope if strict else None), open_to)


def purge(vault: Vault, needles: Sequence[str]) -> int:
    """Take every line out of the log that holds one of some texts: ids of sources or claims, or words, whatever their case.

    Returns:
        How many lines went.

    Raises:
        OSError: the log cannot be read or written.
    """
    wanted = [one.casefold() for one in needles if one]
    return logs.purge(vault.root, lambda line: any(one in line.casefold() for one in wanted)) if wanted else 0


def _log(vault: Vault, scope: str) -> Log:
    log = recalls.read(logs.lines(vault.root))
    if vault.settings.isolation != "strict":
        return log
    own = tuple(one for one in log.recalls if one.scope == scope)
    ids = {one.id for one in own}
    return replace(log, recalls=own, feedback=tuple(one for one in log.feedback if one.recall in ids))


def _named(vault: Vault, log: Log, recall: str, asker: Asker) -> Recall:
    if not log.recalls:
        off = vault.settings.log == "off"
        raise NoRecall(recall, '`log = "off"` stands under [recall] in the settings' if off else "none was made yet")
    if recall:
        found = [one for one in log.recalls if one.id == recall or (len(recall) > 3 and one.id.startswith(recall))]
        if len(found) != 1:
            raise NoRecall(recall, "`wikimem feedback --list` names the last ones")
        return found[0]
    own = [one for one in log.recalls if asker.session and one.session == asker.session]
    return (own or log.recalls)[-1]


def _given(recall: Recall, named: str) -> str:
    """The id of an answer by its number, its id, its citation, or their beginning."""
    if named.isdecimal() and 0 < int(named) <= len(recall.ids):
        return recall.ids[int(named) - 1]
    every = (*recall.ids, *recall.beside)
    if named in every:
        return named
    found = [one for one in every if len(named) > 3 and one.startswith(named)]
    if len(found) != 1:
        raise NotGiven(named, recall, bool(found))
    return found[0]


def _reactions(vault: Vault, since: str, scope: str | None) -> Iterator[tuple[str, Reactions]]:
    """Sessions in which a memory may have been recalled; the others are not taken apart."""
    for source, sidecar in vault.ledger.all().items():
        if vault.zone.day(sidecar.started) < since or (scope is not None and sidecar.scope != scope):
            continue
        if not any(b"wikimem" in line for line in vault.ledger.lines(source)):
            continue
        try:
            session = vault.ledger.read(source)
        except OSError:
            # `verify` tells of a source that cannot be read; the others are counted all the same.
            continue
        yield source, reactions.of(screening.screen(session.turns, session.dead))
