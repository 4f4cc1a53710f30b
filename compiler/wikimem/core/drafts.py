"""Drafts: claims as extraction proposes them, and what the rules of the gate are asked with. Values only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from wikimem.core.claims import UNKNOWN, Holds, Kind, Mention, Stance
from wikimem.core.screening import Heard, Screened
from wikimem.core.sensitive import SHIPPED, Sensitive
from wikimem.core.vocabulary import Vocabulary
from wikimem.core.zones import UTC, Zone


class Action(StrEnum):
    """What becomes of a draft."""

    STORE = "store"
    IGNORE = "ignore"
    DEFER = "defer"
    REQUIRE_APPROVAL = "require_approval"


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that a draft rests on.

    Args:
        at: the locator of their turn.
        words: as the draft quotes them.
        speaker: who the draft says said them; empty if it does not.
        holds: when the claim holds, as these words tell.
        proposal: locator and words of what they accept; None usually.
    """

    at: str
    words: str
    speaker: str = ""
    holds: Holds = UNKNOWN
    proposal: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A claim as extraction proposes it; `sensitive` if it says that the claim is. The rest as in `Claim`."""

    mention: Mention
    attribute: str
    kind: Kind
    stance: Stance
    text: str
    quotes: tuple[Quote, ...]
    confidence: int = 0
    step: int = 0
    code: tuple[str, ...] = ()
    sensitive: bool = False


@dataclass(frozen=True, slots=True)
class Gate:
    """What the rules know besides the draft.

    Args:
        session: the session that the draft was extracted from, screened.
        vocabulary: the vault's.
        leaks: whether a text holds a secret.
        zone: of the vault: in which a day that a draft tells begins and ends.
        me: what the person who types is called; empty if nobody told.
        third_persons: what becomes of what is told of people who take no part; one of `privacy.CHOICES`.
        sensitive: what the vault holds to be sensitive.
        channel: whether everything in this session is.
    """

    session: Screened
    vocabulary: Vocabulary
    leaks: Callable[[str], bool] = lambda text: False
    zone: Zone = UTC
    me: str = ""
    third_persons: str = "keep"
    sensitive: Sensitive = SHIPPED
    channel: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A quote and the turn it names; `span` is where it stands in the words that may be quoted, None if it does not."""

    quote: Quote
    number: int
    heard: Heard
    span: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule about whole drafts: what becomes of one it objects to, and the check, which gives a reason or ''."""

    name: str
    action: Action
    check: Callable[[Draft, tuple[Found, ...], Gate], str]
