"""As of: the wiki as it was known by a date, and a subject as it stood at one. Reads only; the two clocks of the memory."""

from __future__ import annotations

from dataclasses import replace

from wikimem import memory
from wikimem.core import fold, judgements, moments, timeline
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.fold import Wiki
from wikimem.core.subjects import Subject
from wikimem.core.timeline import Interval, Retracted
from wikimem.errors import UsageError
from wikimem.vault import Vault


def wiki(vault: Vault, known: str = "") -> Wiki:
    """The wiki that the claims files give.

    Args:
        vault: the vault.
        known: only with what had been said by the end of this date or time; '' for all.

    Raises:
        UsageError: it is no date.
    """
    check(known, "--known")
    remembered = memory.load(vault.root, vault.ledger, vault.settings.vocabulary)
    if not known:
        return remembered.wiki
    recorded = {source: sidecar.recorded for source, sidecar in vault.ledger.all().items()}
    until = vault.zone.last(known)
    files = [_known(file, known, until, recorded) for file in remembered.files.values()]
    owners = memory.Ownership(vault.ledger).of({file.stamp.source: file for file in files})
    return fold.whole(files, judgements.settled(remembered.judged), vault.settings.vocabulary, owners)


def _known(file: ClaimFile, known: str, until: str, recorded: dict[str, str]) -> ClaimFile:
    made = tuple((line, edit) for line, edit in file.edits if moments.floor(edit.said) <= until)
    return replace(file, claims=timeline.known(file.claims, known, recorded), edits=made)


def check(moment: str, option: str) -> None:
    """Refuse what is no date.

    Raises:
        UsageError: it is none.
    """
    if moment and not moments.is_moment(moment):
        raise UsageError(f"{option}: {moment!r} is no date. Write 2026, 2026-03, 2026-03-24 or 2026-03-24T10:00Z.")


def subject(found: Wiki, path: str) -> Subject | None:
    """The subject whose page, or part of it, has this path below `wiki/`; None if there is none."""
    for key, one in found.pages.items():
        own = found.path(key)
        if path == own or path.startswith(f"{own.removesuffix('.md')}/"):
            return one
    return None


def at(one: Subject, moment: str) -> Subject:
    """The subject with only what held at the end of a date or time, each claim in the stretch in which it did."""
    standings = []
    for standing in timeline.at(one.standings, moment):
        instant = standing.claim.zone.last(moment)
        held = [stretch for stretch in standing.intervals if _covers(stretch, instant)] or list(standing.intervals[:1])
        now = replace(held[-1], ending=None)
        standings.append(replace(standing, intervals=(now,), rivals=()))
    return replace(one, standings=tuple(standings))


def _covers(stretch: Interval, instant: str) -> bool:
    return not isinstance(stretch.ending, Retracted) and stretch.covers(instant)
