"""Findings: what a memory tells at first sight, by project: what people keep saying, decisions, troubles, failing commands.

Counted over the claims of the wiki and the runs of commands; nothing here is stored, and nothing is judged.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta

from wikimem.core import texts
from wikimem.core.claims import Claim, Evidence, Kind, Stance, evidence_order
from wikimem.core.fold import Wiki
from wikimem.core.subjects import Subject
from wikimem.core.zones import UTC, Zone

MONTH = 31
"""Days that count as the last month, back from a project's newest session."""

_MOST = 8
_QUOTES = 3


@dataclass(frozen=True, slots=True)
class Ran:
    """One run of a command.

    Args:
        scope: of its session; empty for none.
        command: the command.
        passed: whether it passed.
        said: when, as `Turn.said`.
    """

    scope: str
    command: str
    passed: bool
    said: str


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quote: its words, who said them (empty if no name is known), the day, and where (`SOURCE:L12`)."""

    words: str
    who: str
    day: str
    cite: str


@dataclass(frozen=True, slots=True)
class Telling:
    """Something people keep saying, by the page it is about.

    Args:
        title: of the page.
        page: its path below `wiki/`.
        times: how often, each turn once.
        sessions: in how many sources.
        quotes: the latest ones, newest first.
    """

    title: str
    page: str
    times: int
    sessions: int
    quotes: tuple[Quoted, ...]


@dataclass(frozen=True, slots=True)
class Failing:
    """A command that failed: how often it ran and failed, and the day of the last failure."""

    command: str
    runs: int
    failed: int
    last: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What is found of one project.

    Args:
        scope: the project's; empty for what belongs to none.
        sessions: how many sources it has.
        first: day of its first session.
        last: day of its last one.
        tellings: what people said in more than one session, or at least three times, most often first.
        until: the day that its last month is counted back from: that of its last session; for none, that of all sessions.
        decisions: of the last month, newest first.
        troubles: gotchas met in more than one session, most often first.
        failing: commands that failed at least twice, most failures first.
    """

    scope: str
    sessions: int
    first: str
    last: str
    until: str
    tellings: tuple[Telling, ...]
    decisions: tuple[Telling, ...]
    troubles: tuple[Telling, ...]
    failing: tuple[Failing, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found."""
        return not (self.tellings or self.decisions or self.troubles or self.failing)


def of(wiki: Wiki, sources: Mapping[str, tuple[str, str]], runs: Iterable[Ran], zone: Zone = UTC) -> tuple[Finding, ...]:
    """The findings, the project with the most sessions first, what belongs to none last.

    Args:
        wiki: the folded wiki.
        sources: scope and start (as `Turn.said`; empty if unknown) of each session and note, by id.
        runs: all runs of commands whose outcome is known.
        zone: of the vault.
    """
    days: dict[str, list[str]] = defaultdict(list)
    for scope, started in sources.values():
        days[scope].append(zone.day(started))
    ran: dict[str, list[Ran]] = defaultdict(list)
    for run in runs:
        ran[run.scope].append(run)
    # What a person says of all their work, and of people and places, is found with what belongs to no project.
    latest = max((day for told in days.values() for day in told), default="")
    homes: dict[str, list[Subject]] = defaultdict(list)
    for subject in wiki.subjects.values():
        homes[subject.scope if subject.scope in days else ""].append(subject)
    scopes = sorted(days.keys() | ({""} if homes[""] else set()), key=lambda scope: (not scope, -len(days[scope]), scope))
    return tuple(_finding(wiki, scope, days[scope], latest, homes[scope], ran[scope], zone) for scope in scopes)


def _finding(
    wiki: Wiki, scope: str, days: list[str], latest: str, subjects: Iterable[Subject], runs: Iterable[Ran], zone: Zone
) -> Finding:
    dated = sorted(filter(None, days))
    until = dated[-1] if scope and dated else latest
    about = list(subjects)
    # A project's own page gathers what belongs to no narrower one: it is nothing that people repeat.
    narrow = [subject for subject in about if subject.type != "project"]
    tellings = [telling for subject in narrow if (telling := _telling(wiki, subject, _is_told)) and _is_often(telling)]
    troubles = [
        telling
        for subject in about
        if subject.type == "gotcha" and (telling := _telling(wiki, subject, _is_any)) and telling.sessions > 1
    ]
    since = (date.fromisoformat(until) - timedelta(days=MONTH)).isoformat() if until else ""
    decided = [(subject, _is_decided if subject.type == "decision" else _is_decision) for subject in about]
    decisions = [
        telling for subject, fits in decided if (telling := _telling(wiki, subject, fits)) and telling.quotes[0].day >= since
    ]
    decisions.sort(key=lambda telling: telling.title)
    decisions.sort(key=lambda telling: telling.quotes[0].day, reverse=True)
    return Finding(
        scope,
        len(days),
        dated[0] if dated else "",
        dated[-1] if dated else "",
        until,
        tuple(sorted(tellings, key=_often)[:_MOST]),
        tuple(decisions[:_MOST]),
        tuple(sorted(troubles, key=_often)[:_MOST]),
        _failing(runs, zone),
    )


def _often(telling: Telling) -> tuple[int, int, str]:
    return (-telling.sessions, -telling.times, telling.title)


def _is_often(telling: Telling) -> bool:
    return telling.sessions > 1 or telling.times > 2


def _is_told(claim: Claim) -> bool:
    """Whether a claim is what a person wants or says to be so: no event, no accepted proposal."""
    told = claim.stance in (Stance.FACT, Stance.PREFERENCE) and claim.kind is not Kind.EPISODIC
    return told and all(one.proposal is None for one in claim.evidence)


def _is_any(claim: Claim) -> bool:
    return True


def _is_decided(claim: Claim) -> bool:
    return claim.stance.firm


def _is_decision(claim: Claim) -> bool:
    accepted = any(one.proposal is not None for one in claim.evidence)
    return claim.stance.firm and (claim.attribute == "decision" or accepted)


def _telling(wiki: Wiki, subject: Subject, fits: Callable[[Claim], bool]) -> Telling | None:
    found = [_worded(claim, one) for claim in subject.claims if fits(claim) for one in claim.evidence]
    # The same words on one day are one utterance, which some tool copied from session to session.
    said = {_utterance(one): one for one in sorted(found, key=evidence_order)}
    if not said:
        return None
    newest = sorted(said.values(), key=lambda one: (one.heard, one.source, one.at), reverse=True)
    sessions = len({one.source for one in newest})
    return Telling(subject.title, wiki.path(subject.key), len(newest), sessions, tuple(_quoted(one) for one in newest[:_QUOTES]))


def _utterance(one: Evidence) -> tuple[str, str]:
    """What tells one utterance from others; all that one file has of a thing was written down once, however many lines it is."""
    written = _WRITTEN.match(one.source) is not None
    return ("", one.source) if written else (texts.key(one.quote), one.day or one.source)


_WRITTEN = re.compile(r"(?:\d{8}|undated)-(?:adopted|note)-")


def _worded(claim: Claim, one: Evidence) -> Evidence:
    """The evidence; where it only accepts something, with what was accepted as the claim has it."""
    return one if one.proposal is None and _SAYS_LITTLE.search(one.quote) is None else replace(one, quote=claim.text)


_SAYS_LITTLE = re.compile(r"(?i)^(?:user has approved|implement the following|yes\b|ok\b|do it\b)")


def _quoted(one: Evidence) -> Quoted:
    return Quoted(" ".join(one.quote.split()), one.name, one.day, f"{one.source}:{one.at}")


def _failing(runs: Iterable[Ran], zone: Zone) -> tuple[Failing, ...]:
    by_command: dict[str, list[Ran]] = defaultdict(list)
    for run in runs:
        by_command[run.command].append(run)
    found = []
    for command, every in by_command.items():
        failed = sorted(zone.day(run.said) for run in every if not run.passed)
        if len(failed) > 1:
            found.append(Failing(command, len(every), len(failed), failed[-1]))
    return tuple(sorted(found, key=lambda one: (-one.failed, one.runs, one.command))[:_MOST])
