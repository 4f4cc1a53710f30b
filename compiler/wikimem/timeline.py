"""Timeline: what held when, of one subject: each claim with its intervals, what ended it, and what proves it. Reads only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wikimem import asof, browsing
from wikimem.core.timeline import Interval, Retracted, Standing, Superseded
from wikimem.errors import UsageError
from wikimem.vault import Vault


@dataclass(frozen=True, slots=True)
class Stretch:
    """One interval of one claim.

    Args:
        attribute: its attribute; empty for none.
        text: what it says.
        start: as told; empty if unknown.
        end: as told, or when it was superseded; empty while open.
        basis: how the start is known.
        ending: `superseded by: …`, `never was so: …`, `ended`, or empty while it holds.
        claim: its id.
        cites: what proves it, `SOURCE:L12`, earliest first.
    """

    attribute: str
    text: str
    start: str
    end: str
    basis: str
    ending: str
    claim: str
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """The timeline of a subject: its title, its page, and the stretches by attribute and time."""

    title: str
    page: str
    stretches: tuple[Stretch, ...]

    def as_json(self) -> dict[str, Any]:
        """The timeline as plain values; the shape is stable."""
        names = ("attribute", "text", "start", "end", "basis", "ending", "claim")
        told = [{name: getattr(one, name) for name in names} | {"cites": list(one.cites)} for one in self.stretches]
        return {"title": self.title, "page": self.page, "stretches": told}


def timeline(vault: Vault, name: str, attribute: str = "", known: str = "", scope: str = "") -> Course:
    """What held when.

    Args:
        vault: the vault.
        name: a page's slug, path, title or alias.
        attribute: only claims of this attribute; '' for all.
        known: only what had been said by this date; '' for all.
        scope: who asks, as for `show`.

    Raises:
        NoPage: there is no such page.
        UsageError: it has no such attribute, or no claim.
    """
    asof.check(known, "--known")
    found = browsing.find(vault.root, name, browsing.seen_by(vault, scope))
    _, subject = asof.page(vault, found.path, known)
    if subject is None:
        raise UsageError(f"No claim stands behind {found.path}{f' as of {known}' if known else ''}.")
    texts = {one.claim.id: one.claim.text for one in subject.standings}
    wanted = vault.settings.vocabulary.find(attribute) if attribute else None
    slug = wanted.name if wanted else attribute
    rows = [
        (standing, interval)
        for standing in subject.standings
        for interval in standing.intervals
        if not attribute or standing.claim.attribute == slug
    ]
    if not rows:
        known_ones = ", ".join(sorted({one.claim.attribute for one in subject.standings if one.claim.attribute})) or "none"
        raise UsageError(f"{subject.title} has no claim of the attribute {attribute!r}; it has {known_ones}.")
    rows.sort(key=lambda row: (row[0].claim.attribute or "~", row[1].begins or "~", row[0].claim.id))
    return Course(subject.title, f"wiki/{found.path}", tuple(_stretch(*row, texts) for row in rows))


def _stretch(standing: Standing, interval: Interval, texts: dict[str, str]) -> Stretch:
    match interval.ending:
        case Superseded(by):
            ending = f"superseded by: {texts[by]}"
        case Retracted(by):
            ending = f"never was so: {texts[by]}"
        case None:
            ending = ""
        case _:
            ending = "ended"
    claim = standing.claim
    cites = tuple(f"{one.source}:{one.at}" for one in claim.evidence)
    start, end = claim.zone.shown(interval.start.moment), claim.zone.shown(interval.end.moment)
    return Stretch(claim.attribute, claim.text, start, end, interval.start.basis.value, ending, claim.id, cites)
