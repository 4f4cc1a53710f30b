"""Worth: which claims stay on their session's card until somebody confirms them. Pure: the same claims, the same answer.

Slight is what a machine alone said and what one session alone knows: a single inference or opinion, a command that only looks
around, an event that git tells by itself. A second session that says the same, a person who says it, and whoever asks for it
(`wikimem keep`, or questions that it answered: `demand`) lift it onto a page. Nothing is deleted: the claims file has it all
the time.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from wikimem.core import pairs, texts
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.claims import Claim, Kind, Stance

_ALIKE = 0.75
_LOOKS = re.compile(
    r"`(?:cd|ls|ll|cat|head|tail|less|find|tree|rg|grep|wc|pwd|echo|which|whoami|date|clear|history|man"
    r"|git (?:status|log|diff|show|branch|fetch|pull|add|stash))\b(?![^`]*(?:&&|\||;))"
)


def is_slight(claim: Claim) -> bool:
    """Whether a claim by itself is not worth a page: no person said or accepted it, and it would hardly be missed."""
    # An answer is filed because a person said so.
    if any(one.speaker == "human" or one.proposal is not None or one.is_answer for one in claim.evidence):
        return False
    if not claim.stance.firm:
        return True
    if claim.stance is not Stance.EVIDENCE:
        return False
    if claim.kind is Kind.EPISODIC:
        return claim.attribute == "event"
    return claim.kind is Kind.PROCEDURAL and _LOOKS.match(claim.text) is not None


def slight(file: ClaimFile) -> tuple[Claim, ...]:
    """The slight claims of a source."""
    return tuple(claim for claim in file.claims if is_slight(claim))


def on_cards(
    files: Mapping[str, ClaimFile], slight_of: Mapping[str, Iterable[Claim]], kept: Collection[str] = ()
) -> dict[str, frozenset[str]]:
    """The ids of the claims that stay on their card, by source; sources without any are left out.

    Args:
        files: all claims files, as people left them, by source.
        slight_of: the slight claims of each, by source.
        kept: ids of claims that people kept, or that were asked for.
    """
    asked = {source: [claim for claim in claims if claim.id not in kept] for source, claims in slight_of.items()}
    near = _near({claim.mention.id for claims in asked.values() for claim in claims}, files)
    found = {}
    for source, claims in asked.items():
        alone = [claim.id for claim in claims if not any(_confirms(other, claim, source) for other in near[claim.mention.id])]
        if alone:
            found[source] = frozenset(alone)
    return found


def _near(mentions: Collection[str], files: Mapping[str, ClaimFile]) -> Mapping[str, list[Claim]]:
    """All claims about some mentions, by the mention's id."""
    found: dict[str, list[Claim]] = defaultdict(list)
    if mentions:
        for file in files.values():
            for claim in file.claims:
                if claim.mention.id in mentions:
                    found[claim.mention.id].append(claim)
    return found


def _confirms(other: Claim, claim: Claim, source: str) -> bool:
    """Whether a claim of another session, or of a person, says what a slight one says."""
    if all(one.source == source for one in other.evidence) and is_slight(other):
        return False
    if all(one.is_answer for one in other.evidence):
        return False
    turns = {one.turn for one in claim.evidence}
    if all(one.turn in turns for one in other.evidence):
        # A copy of the very turn: a fork, or an export made twice.
        return False
    if other.id == claim.id or texts.key(other.text) == texts.key(claim.text):
        return True
    return not claim.stance.firm and _share(pairs.content(other.text), pairs.content(claim.text)) >= _ALIKE


def _share(one: Collection[str], other: Collection[str]) -> float:
    """How much of all words of two texts both have."""
    mine, theirs = set(one), set(other)
    return len(mine & theirs) / len(mine | theirs) if mine | theirs else 0.0
