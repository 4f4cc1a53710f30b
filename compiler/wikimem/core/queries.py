"""Queries: what a question, or a few words typed into a search, asks for. There is no query language to get wrong.

Every character is text: operators, wildcards, quotes and brackets never raise and never widen a search. Two things
are understood beside the words: double quotes around several words ask for them in that order, and dates ask for what
was said then.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from wikimem.core import words
from wikimem.core.turns import Speaker
from wikimem.core.zones import UTC, Zone

MOST = 48
"""Words of one query that count: a pasted page is known by its first ones."""
SOON = 21
"""Days after a date on which people still tell what happened then."""
BESIDE = 0.8
"""How near the day after a date is at most."""
_LONGEST = 20_000

_YEAR = "january february march april may june july august september october november december"
_MONTHS = _YEAR.split()
_MONTH = "|".join(f"{month}|{month[:3]}" for month in _MONTHS)
_DATE = re.compile(
    rf"""
      \b(?P<y1>\d{{4}})-(?P<m1>\d\d)(?:-(?P<d1>\d\d))?\b
    | \b(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m2>{_MONTH})\b\.?(?:,?\s+(?P<y2>(?:19|20)\d\d)\b)?
    | \b(?P<m3>{_MONTH})\b\.?\s+(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\s*[:\d])(?:,?\s+(?P<y3>(?:19|20)\d\d)\b)?
    | \b(?P<m4>{_MONTH})\b\.?,?\s+(?:of\s+)?(?P<y4>(?:19|20)\d\d)\b
    | \b(?:in|since|during|until|last|this|before|after|early|late|mid|of)[\s-]+(?P<m5>{"|".join(_MONTHS)})\b
      (?!\.?,?\s+(?:of\s+)?\d)
    | \b(?:in|since|during|of)\s+(?P<y6>(?:19|20)\d\d)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_QUOTED = re.compile(r'["“”„]([^"“”„]+)["“”„]')
_OWNER = re.compile(r"\b[^\W\d_]+['’]s\b")
_OWN = re.compile(r"\b(?:did|do|had|have|was|were|am|should) i\b|\bi(?:'ve| have)? (?:said|asked|told|wanted|decided|meant)\b")
_MANNER = re.compile(r"\bhow (?:do|can|should|must|would) (?:i|we|you|one)\b|\bhow to\b|\b(?:which|what|the) command\b")
_THEIRS = re.compile(r"\b(?:did|have|had|would|were) you\b|\byou(?:'ve| have)? (?:said|suggested|proposed|did|wrote)\b")


@dataclass(frozen=True, slots=True)
class Term:
    """One word that is looked for.

    Args:
        word: folded, as it was asked.
        root: its stem, as it is indexed.
        dated: whether it only belongs to a date of the question.
        owned: whether it only names whose something is (`Ann's plan`): who is asked about says it less often.
    """

    word: str
    root: str
    dated: bool = False
    owned: bool = False


@dataclass(frozen=True, slots=True)
class When:
    """A date as a question gives it: year, month and day, 0 for what it leaves open."""

    year: int
    month: int
    day: int

    def near(self, day: str) -> float:
        """How near a day is: 1 for one of its days, less the later (and twice as soon the earlier) it is, 0 for far ones.

        What happened then is often told some days after. Without a year, only its own days are near.
        """
        if self.holds(day):
            return 1.0
        try:
            told = date.fromisoformat(day[:10])
            first = date(self.year, self.month or 1, self.day or 1)
            last = first if self.day else date(self.year, self.month or 12, monthrange(self.year, self.month or 12)[1])
        except ValueError:  # a day or a year that is not known, or does not exist
            return 0.0
        away = (told - last).days if told > last else 2 * (first - told).days
        return max(0.0, 1 - away / SOON) * BESIDE

    def holds(self, day: str) -> bool:
        """Whether `day` (`2026-08-14`; empty if unknown) is one of its days."""
        if len(day) < 10:
            return False
        given = (int(day[:4]), int(day[5:7]), int(day[8:10]))
        return all(asked in (0, told) for asked, told in zip((self.year, self.month, self.day), given, strict=True))


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for.

    Args:
        text: as it was asked.
        terms: each word once, in order; without the words that only make it a question, unless it has no others.
        phrases: runs of folded words that were quoted.
        dates: when it asks about.
        speaker: whose words it asks for, where it says so (`what did I say`, `what did you suggest`).
        manner: whether it asks how something is done (`how do I run …`, `which command …`).
    """

    text: str
    terms: tuple[Term, ...]
    phrases: tuple[tuple[str, ...], ...] = ()
    dates: tuple[When, ...] = ()
    speaker: Speaker | None = None
    manner: bool = False


def parse(text: str, stem: words.Stem) -> Query:
    """What a person or an agent asks for; never raises, whatever the text.

    Args:
        text: a question, or words.
        stem: the root of a folded word, the same that the index was made with.
    """
    asked = text[:_LONGEST]
    found = words.split(asked)
    telling = [word for word in found if word not in words.STOP] or found
    spans = [match for match in _DATE.finditer(asked) if _when(match)]
    rest = set(words.split(_DATE.sub(lambda match: " " if _when(match) else match[0], asked))) if spans else set(found)
    owned = set(words.split(" ".join(_OWNER.findall(asked)))) - set(words.split(_OWNER.sub(" ", asked)))
    terms = {root: Term(word, root, word not in rest, word in owned) for word in telling if (root := stem(word))}
    plain = asked.lower().replace("’", "'")
    manner = _MANNER.search(plain) is not None
    return Query(
        asked,
        tuple(terms.values())[:MOST],
        tuple(phrase for quoted in _QUOTED.findall(asked) if len(phrase := tuple(words.split(quoted))) > 1),
        tuple(dict.fromkeys(when for match in spans if (when := _when(match)))),
        None if manner else Speaker.HUMAN if _OWN.search(plain) else Speaker.ASSISTANT if _THEIRS.search(plain) else None,
        manner,
    )


def _when(match: re.Match[str]) -> When | None:
    """The date of a match; None for what has the shape of one and cannot be."""
    given = {name[0]: value for name, value in match.groupdict().items() if value}
    month = given.get("m", "0").lower()
    number = int(month) if month.isdigit() else 1 + next(i for i, name in enumerate(_MONTHS) if name.startswith(month[:3]))
    when = When(int(given.get("y", 0)), number, int(given.get("d", 0)))
    return when if when.month <= 12 and when.day <= 31 else None


@dataclass(frozen=True, slots=True)
class Within:
    """What a search is confined to.

    Args:
        scope: the project that asks, `project:checkout`; its passages rank first. Empty: none does.
        strict: whether only passages of that very scope are looked at, also when it is empty.
        since, until: the first and the last day, `2026-08-14`; passages of unknown day are then left out. Empty: open.
        speaker: who speaks; None: anybody.
        at: only claims that held at this moment; turns that were said by then come after them. Empty: whenever.
        known: only what had been said by this moment. Empty: all that was.
        kind: only `turn`, `claim` or `prose`. Empty: all of them.
        zone: in which days are told: those asked for, and those of what was said.
        captured: under `at` and `known`, when each source was taken in and the scope of its session, by source id.
    """

    scope: str = ""
    strict: bool = False
    since: str = ""
    until: str = ""
    speaker: Speaker | None = None
    at: str = ""
    known: str = ""
    kind: str = ""
    captured: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    zone: Zone = UTC

    @property
    def timed(self) -> str:
        """The last instant that something may have been said at; empty for any."""
        bounds = [self.zone.last(moment) for moment in (self.at, self.known) if moment]
        return min(bounds, default="")

    def said_by_then(self, said: str, source: str) -> bool:
        """Whether what was said at a time (empty if unknown), in a source, had been said by the moments asked for."""
        until = self.timed
        if not until:
            return True
        # Of what nobody dated it counts when it was taken in; what tells neither is hidden from no date.
        told = self.zone.floor(said) or self.zone.floor(self.captured.get(source, ("", ""))[0])
        return told <= until
