"""Dating: whether the words that a draft quotes tell a date at all. Mostly not what date: that is the reader's to say.

A model likes to give every claim a beginning, mostly the day of the session. A date that nobody gave stays unknown: it is
taken off, the claim stays, and the refusal says so. So it is with the day beside the one that `yesterday` means by the clock
of whoever said it: a model that reckons in another time zone is off by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import date

from wikimem.core import moments, texts
from wikimem.core.claimfiles import Refusal
from wikimem.core.claims import UNKNOWN, Bound, Holds
from wikimem.core.drafts import Draft, Quote
from wikimem.core.rules import dates
from wikimem.core.screening import Screened
from wikimem.core.turns import Turn

_MONTHS = (
    "jan(?:uary)? feb(?:ruary)? mar(?:ch)? apr(?:il)? may june? july? aug(?:ust)? sept?(?:ember)? oct(?:ober)? nov(?:ember)? "
    "dec(?:ember)?"
)
_DAYS = "mon tues? wed(?:nes)? thu(?:rs)? fri sat(?:ur)? sun"
_UNITS = "hours?|days?|weeks?|months?|years?|quarters?|sprints?|mornings?|afternoons?|evenings?|nights?|weekends?"
_WHEN = re.compile(
    rf"\b(?:{'|'.join(_MONTHS.split())}|(?:{'|'.join(_DAYS.split())})(?:day)?s?|{_UNITS}|q[1-4]|"
    r"today|tonight|yesterday|tomorrow|now(?:adays)?|anymore|currently|just|recently|since|until|till|ago|as of|from now|"
    r"already|spring|summer|autumn|winter|christmas|easter|noon|midnight|\d{1,2}(?::\d\d)? ?[ap]m|\d{1,2}:\d\d)\b",
    re.IGNORECASE,
)
_NUMERIC = re.compile(
    r"\b(?:\d{4}-\d\d(?:-\d\d)?|(?<![\d.])\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?(?![\d.])|\d{1,2}(?:st|nd|rd|th))\b"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_REACH = 240
"""Characters around a quote in which a date may stand that it depends on."""


def tells(words: str, moment: str) -> bool:
    """Whether words tell some date, and if they name years, the moment's."""
    if any(letter.isalpha() and ord(letter) > 0x24F for letter in words):
        # Of scripts whose words for time are not listed here, nothing can be said.
        return True
    years = set(_YEAR.findall(words))
    return moment[:4] in years or bool(_WHEN.search(words) or (_NUMERIC.search(words) and not years))


def undated(drafts: Iterable[Draft], session: Screened) -> tuple[tuple[Draft, ...], tuple[Refusal, ...]]:
    """The drafts without dates that no words near their quotes tell, and a refusal by rule `undated` for each one taken off."""
    found: list[Draft] = []
    refused: list[Refusal] = []
    for draft in drafts:
        quotes = tuple(_weighed(quote, session, refused) for quote in draft.quotes)
        found.append(replace(draft, quotes=quotes))
    return tuple(found), tuple(refused)


def _beside(moment: str, words: str, turn: Turn) -> str:
    """The one day that words mean relative to when they were said, if a moment is on the day before or after; else empty."""
    spans = dates.found(words, turn.clock)
    if len(spans) != 1 or not spans[0].relative or spans[0].until or len(spans[0].moment) != 10 or len(moment) < 10:
        return ""
    # A time without an offset was read off the same clock; one with an offset may be of any.
    if len(moment) > 10 and not moments.is_bare(moment):
        return ""
    meant, told = date.fromisoformat(spans[0].moment), date.fromisoformat(moment[:10])
    return meant.isoformat() if abs((told - meant).days) == 1 else ""


def _weighed(quote: Quote, session: Screened, refused: list[Refusal]) -> Quote:
    place = session.at(quote.at)
    if quote.holds == UNKNOWN or place is None:
        return quote
    words = place[1].words
    span = texts.find(quote.words, words)
    near = words[max(0, span[0] - _REACH) : span[1] + _REACH] if span else words[: 2 * _REACH]
    bounds = []
    for name, bound in (("from", quote.holds.start), ("until", quote.holds.end)):
        reason = ""
        if bound.moment and not tells(near, bound.moment):
            reason = f"{name} {bound.moment} was taken off: no words near the quote tell a date"
        elif name == "from" and (meant := _beside(bound.moment, quote.words, place[1].turn)):
            reason = f"from {bound.moment} was taken off: by the clock of whoever said it, the words mean {meant}"
        if reason:
            # Without its text: whether that may be told is weighed later.
            refused.append(Refusal("undated", quote.at, reason))
            bound = Bound()
        bounds.append(bound)
    return replace(quote, holds=Holds(*bounds))
