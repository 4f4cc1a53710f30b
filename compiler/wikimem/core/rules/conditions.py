"""Conditions: whether a sentence says something only for a case that it names (`if the audit passes`). Not whether it came.

What holds on a condition is no fact, no decision and has no date: it is quoted with its condition, or not at all.
"""

from __future__ import annotations

import re

_NO_CONDITION = re.compile(
    r"\b(?:as|even|see|seeing|check(?:ed|ing)?|know|knew|knows|ask(?:ed|s|ing)?|wonder(?:ed|ing|s)?|tell|told|say|sure|test|"
    r"verify|decide|remember|curious|care|doubt|matter|unclear|what)(?: me| us)? if\b|\bif (?:not|any|anything|possible|"
    r"needed|necessary|so|ever|nothing else|i(?:'m| am) (?:not mistaken|honest|right)|i remember|you (?:will|like|ask me|"
    r"know what i mean))\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|unless|provided(?: that)?|providing that|assuming(?: that)?|supposing|as long as|so long as|on (?:the )?condition|"
    r"in case|depend(?:s|ing)? on|subject to|only (?:when|once|after)|in the event)\b",
    re.IGNORECASE,
)
_ONCE = re.compile(r"\b(?:once|as soon as) (?:the|we|i|it|they|that|this|you|our|my|all|he|she|[A-Z])", re.IGNORECASE)
_PLAN = re.compile(
    r"\b(?:will|won't|would|wouldn't|then|going to|gonna|plan(?:s|ned)? to|shall|intend(?:s|ed)? to|decided|agreed|"
    r"let's(?! (?:not|always|never|only)\b))\b|"
    r"\b\w+'(?:ll|d)\b",
    re.IGNORECASE,
)


def named(text: str) -> bool:
    """Whether a sentence names a condition, whatever it says for that case."""
    return _CONDITION.search(_NO_CONDITION.sub(" ", _plain(text))) is not None


def planned(text: str) -> bool:
    """Whether a sentence tells what is to be done, or would be so, in a case that need not come."""
    plain = _plain(text)
    bare = _NO_CONDITION.sub(" ", plain)
    if _PLAN.search(plain) is None:
        return False
    return _CONDITION.search(bare) is not None or (_ONCE.search(bare) is not None and _WILL.search(plain) is not None)


_WILL = re.compile(r"\b(?:will|won't|would)\b|\b\w+'(?:ll|d)\b", re.IGNORECASE)


def _plain(text: str) -> str:
    return text.replace("’", "'")
