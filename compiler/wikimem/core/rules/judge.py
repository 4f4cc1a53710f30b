"""The judge of pairs: whether two claims, or two names, are the same, by their words alone. Never a guess that closes a claim."""

from __future__ import annotations

import re
from typing import Any

from wikimem.core import texts
from wikimem.core.claims import Claim, Mention
from wikimem.core.judgements import Relation

_NEARLY = 0.9
_SAID = re.compile(r"“([^”]*)”")
_NUMBER = re.compile(r"\d[\d.,:]*")
_NEGATION = re.compile(r"\b(?:not|never|no|none|without|cannot|\w+n['’]t|neither|nor)\b", re.IGNORECASE)
_FILLERS = frozenset(
    texts.words("a an the just please so and but no ok okay yes well also actually really very again now we i you to of")
)


def judge_claims(one: Claim, other: Claim) -> dict[str, Any]:
    """A reply to the task `pair-claims` (`linking.CLAIMS`)."""
    relation, reason = _relation(one, other)
    return {"reason": reason, "relation": relation.value}


def _relation(one: Claim, other: Claim) -> tuple[Relation, str]:
    mine, theirs = _core(one), _core(other)
    if _equal(mine, theirs):
        return Relation.SAME, "their words are equal, or nearly so"
    return Relation.UNRELATED, "nothing in their words orders them"


def _core(claim: Claim) -> str:
    """What a claim says: the words that it quotes, else its text."""
    said = _SAID.search(claim.text)
    return said[1] if said is not None else claim.text


def _equal(mine: str, theirs: str) -> bool:
    if _NUMBER.findall(mine) != _NUMBER.findall(theirs) or _negations(mine) != _negations(theirs):
        return False
    ours, yours = _weighty(mine), _weighty(theirs)
    if not ours or not yours:
        return texts.key(mine) == texts.key(theirs)
    return len(ours & yours) >= _NEARLY * len(ours | yours)


def _negations(text: str) -> int:
    return len(_NEGATION.findall(text))


def _weighty(text: str) -> frozenset[str]:
    return frozenset(word for word in texts.words(text) if word not in _FILLERS)


def judge_mentions(one: Mention, other: Mention) -> dict[str, Any]:
    """A reply to the task `pair-mentions` (`linking.MENTIONS`)."""
    same = one.scope == other.scope and one.type == other.type and _spelled(one.name) == _spelled(other.name)
    if same:
        return {"reason": "the names differ in spelling only", "relation": Relation.SAME.value}
    return {"reason": "the names may be of two things", "relation": Relation.DIFFERENT.value}


_PLURAL = re.compile(r"(?<=[a-z]{3})(?<![su])s\b")


def _spelled(name: str) -> str:
    """A name without what only spelling changes: case, spaces, hyphens, a leading `@` or `./`, brackets of a call, a plural."""
    bare = texts.key(name).removeprefix("@").removeprefix("./").removesuffix("()").replace(" ", "").replace(".", ".")
    return bare if "." in bare or "/" in bare else _PLURAL.sub("", bare)
