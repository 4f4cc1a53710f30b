"""Demand: which of the claims that stay on their card were asked for, as a log of recalls tells. Pure; it lifts nothing.

A claim on a card is in no index: a recall gives the turn that proves it. So it counts as asked for when a turn that it stands on
was among the answers to a question half of whose words it has, on two occasions, or when somebody said that the turn was of use.
What place the turn had among the answers plays no part: a log tells them in the order shown, which is that of their sessions.
An occasion is a session, or a day where the session is unknown. What a hook put before an agent unasked counts for nothing, and
neither does what the claim's own session asked; nor what somebody found misleading or stale.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from wikimem.core import pairs, recalls, texts, words
from wikimem.core.claims import Claim
from wikimem.core.recalls import Feedback, Log, Recall

OCCASIONS = 2
_UNASKED = frozenset({"hook"})
_SHARED = 2
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Asked:
    """A question by which a turn was found.

    Args:
        session: of the agent that asked; empty if unknown.
        occasion: the session, else the day.
        words: what it asked for, as `pairs.content`; None where the question was not kept.
        used: whether somebody said that the turn was of use.
    """

    session: str
    occasion: str
    words: frozenset[str] | None
    used: bool


def asked(log: Log, day: Callable[[str], str]) -> dict[str, tuple[Asked, ...]]:
    """The questions by citation of the turn, or id of the claim, that answered them.

    Args:
        log: the log.
        day: of a moment of the log, in the vault's zone.
    """
    found: dict[str, list[Asked]] = defaultdict(list)
    said: dict[str, list[Feedback]] = defaultdict(list)
    for one in log.feedback:
        said[one.recall].append(one)
    wrong: set[str] = set()
    for recall in log.recalls:
        if recall.channel in _UNASKED:
            continue
        judged = recalls.united(said[recall.id]) if recall.id in said else None
        used = frozenset(judged.used or ()) if judged else frozenset[str]()
        wrong |= {*judged.misled, *judged.stale} if judged else set()
        for id in dict.fromkeys((*recall.ids, *used)):
            found[id].append(_one(recall, day, id in used))
    return {id: tuple(told) for id, told in found.items() if id not in wrong}


def _one(recall: Recall, day: Callable[[str], str], used: bool) -> Asked:
    asked_for = " ".join(word for word in texts.words(recall.question) if word not in words.STOP)
    content = pairs.content(asked_for) if recall.question else None
    return Asked(recall.session, recall.session or day(recall.time), content, used)


def wanted(claims: Iterable[Claim], questions: Mapping[str, Collection[Asked]], session: Callable[[str], str]) -> Iterator[Claim]:
    """Those of some claims that were asked for.

    Args:
        claims: claims that stay on their card.
        questions: as `asked` gives them.
        session: the session that a source is of; empty if unknown.
    """
    for claim in claims:
        own = {session(one.source) for one in claim.evidence} - {""}
        places = dict.fromkeys((claim.id, *(f"{one.source}:{one.at}" for one in claim.evidence)))
        told = [one for place in places for one in questions.get(place, ()) if one.session not in own]
        meant = [one for one in told if _means(one, claim)]
        if any(one.used for one in meant) or len({one.occasion for one in meant if one.words is not None}) >= OCCASIONS:
            yield claim


def _means(one: Asked, claim: Claim) -> bool:
    """Whether a question has words of a claim, and not of its subject's name alone: a turn may prove several claims."""
    if one.words is None:
        return True
    name, text = pairs.content(claim.mention.name), pairs.content(claim.text)
    rest, shared = one.words - name, one.words & (name | text)
    enough = len(shared) >= max(min(_SHARED, len(one.words)), _HALF * len(one.words), 1)
    return enough and (not rest or not rest.isdisjoint(text))
