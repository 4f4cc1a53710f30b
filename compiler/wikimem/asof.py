"""As of: the wiki as it was known by a date, and a subject as it stood at one. Reads only; the two clocks of the memory."""

from __future__ import annotations

from dataclasses import replace

from wikimem import memory
from wikimem.core import fold, judgements, moments, rulings, timeline
from wikimem.core.fold import Wiki
from wikimem.core.subjects import Subject
from wikimem.core.timeline import Interval, Retracted
from wikimem.errors import BadMoment
from wikimem.memory import Memory
from wikimem.vault import Vault


def page(vault: Vault, path: str, known: str = "") -> tuple[Wiki, Subject | None]:
    """The wiki that the claims files give, and the subject of a page of today in it; None if nothing was known of it.

    Args:
        vault: the vault.
        path: of the page, or of a part of it, below `wiki/`.
        known: only with what had been said by the end of this date or time; '' for all. The names of the pages, and which
            claims are whose, are those of today.

    Raises:
        BadMoment: it is no date.
    """
    check(known, "--known")
    remembered = memory.load(vault.root, vault.ledger, vault.settings.vocabulary)
    now = _subject(remembered.wiki, path)
    if not known or now is None:
        return remembered.wiki, now
    then = _wiki(vault, remembered, known)
    own = set(now.mentions)
    return then, next((one for one in then.subjects.values() if not own.isdisjoint(one.mentions)), None)


def _wiki(vault: Vault, remembered: Memory, known: str) -> Wiki:
    recorded = {source: sidecar.recorded for source, sidecar in vault.ledger.all().items()}
    until = vault.zone.last(known)
    edits = [(source, line, edit) for source, file in remembered.files.items() for line, edit in file.edits]
    made, undone = rulings.known(edits, until), rulings.undone(edits, until)
    files = [
        replace(
            file,
            claims=() if source in undone else timeline.known(file.claims, known, recorded),
            edits=made.get(source, ()),
        )
        for source, file in remembered.files.items()
    ]
    owners = memory.Ownership(vault.ledger).of({file.stamp.source: file for file in files})
    return fold.whole(files, judgements.settled(remembered.judged), vault.settings.vocabulary, owners)


def check(moment: str, option: str) -> None:
    """Refuse what is no date.

    Raises:
        BadMoment: it is none.
    """
    if moment and not moments.is_moment(moment):
        raise BadMoment(option.lstrip("-"), moment)


def _subject(found: Wiki, path: str) -> Subject | None:
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
