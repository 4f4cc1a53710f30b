"""Privacy: whether a draft tells of somebody who takes no part in the talk, and what a vault does with it. Not masking.

`keep` stores it like any other; `card` keeps it off the pages and shows it on the card of its session alone; `refuse` keeps
no word of it. By words of kinship and by names, so what is told of an unnamed `he` is not seen. Transcripts keep everything.

Every start of the program asks for the choices alone, so the lists of words are read only where something is judged.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikimem.core import texts
from wikimem.core.turns import Speaker

if TYPE_CHECKING:
    from wikimem.core.drafts import Draft, Found, Gate

KEEP, CARD, REFUSE = "keep", "card", "refuse"
CHOICES = (KEEP, CARD, REFUSE)
RULE = "third-person"
"""The rule by which such drafts are refused."""

_OF_PEOPLE = frozenset({"lead", "owner", "release-manager", "leads", "member", "partner", "child", "relation"})
_USER = "user:"


def refused(draft: Draft, found: tuple[Found, ...], gate: Gate) -> str:
    """The reason not to store a draft nor its words; empty if there is none."""
    return _reason(draft, gate) if gate.third_persons == REFUSE else ""


def carded(draft: Draft, found: tuple[Found, ...], gate: Gate) -> str:
    """The reason to keep a draft off the pages; empty if there is none."""
    return _reason(draft, gate) if gate.third_persons == CARD else ""


def hushed(text: str, gate: Gate) -> str:
    """What a session was about, without the words where these must not be kept and tell of somebody else."""
    if gate.third_persons != REFUSE:
        return text
    from wikimem.core import people

    speakers = _speakers(gate)
    told = (people.of(sentence) for sentence in _SENTENCE.split(text))
    third = any(one is not None and (not one.name or people.is_third(one.name, speakers)) for one in told)
    return _HUSHED if third else text


_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_HUSHED = "(It tells of a person who takes no part in the talk.)"


def _reason(draft: Draft, gate: Gate) -> str:
    return "it tells of a person who takes no part in the talk" if _is_third(draft, _speakers(gate)) else ""


def _speakers(gate: Gate) -> frozenset[str]:
    turns = (heard.turn for heard in gate.session.heard)
    names = {turn.name for turn in turns if turn.speaker is Speaker.HUMAN and turn.name}
    return frozenset(names | ({gate.me} if gate.me else set()))


def _is_third(draft: Draft, speakers: frozenset[str]) -> bool:
    from wikimem.core import people

    mention = draft.mention
    if mention.type == "person":
        # A user whose name nobody told may be called by any; their relatives are somebody else's.
        own = mention.scope.startswith(_USER) and "'s " not in mention.name.replace("’", "'") and not speakers
        return not own and people.is_third(mention.name, speakers)
    words = set(texts.words(draft.text))
    if draft.attribute in _OF_PEOPLE and not any(set(texts.words(name)) & words for name in speakers):
        return True
    for quote in draft.quotes:
        told = people.of(" ".join(quote.words.split()))
        if told is not None and (not told.name or people.is_third(told.name, speakers)):
            return True
    return False
