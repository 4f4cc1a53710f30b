"""Near-duplicates by rule: whether two claims, or two names, say one thing in nearly the same words. Rather no than a guess.

Linking knows two texts as one whose words are equal. Here word forms, a few words that mean the same, contractions and
what only frames a statement are left aside too; what is left must be the same words in the same order.
"""

from __future__ import annotations

import re
from typing import Any

from wikimem.core import pairs, texts
from wikimem.core.claims import Claim, Mention
from wikimem.core.judgements import Relation
from wikimem.core.rules import judge

_FEWEST = 3
_SAID = re.compile(r"“([^”]*)”")
_SHORT = (
    (re.compile(r"\b(?:can['’]t|cannot)\b", re.IGNORECASE), "can not"),
    (re.compile(r"\bwon['’]t\b", re.IGNORECASE), "will not"),
    (re.compile(r"n['’]t\b", re.IGNORECASE), " not"),
    (re.compile(r"['’](?:s|re|m|ve|ll|d)\b", re.IGNORECASE), ""),
)
_FRAME = frozenset(
    texts.words(
        """a an the just please so and ok okay yes well also actually really very again now then we i you they it its our my your
        their his her this that these those there here to of in on at for with by from as is are was were be been am do does did
        have has had will would shall can want wants need needs like sure make sure think thing please let lets us me"""
    )
)
_ALIKE = {
    word: group[0]
    for group in (
        ("use", "utilize", "utilise"),
        ("config", "configuration", "configurations", "configs"),
        ("repo", "repository", "repositories", "repos"),
        ("dir", "directory", "directories", "folder", "folders", "dirs"),
        ("docs", "documentation", "doc"),
        ("remove", "delete", "drop"),
        ("database", "db", "databases"),
        ("environment", "env"),
        ("parameter", "param"),
        ("argument", "arg"),
        ("application", "app"),
        ("authentication", "auth"),
        ("dependency", "dep"),
        ("begin", "start"),
        ("finish", "complete"),
        ("fast", "quick"),
        ("big", "large"),
        ("error", "failure"),
    )
    for word in group
}


def judge_claims(one: Claim, other: Claim) -> dict[str, Any]:
    """A reply to the task `pair-claims`: what linking says of the two, and `same` where they are near-duplicates."""
    told = judge.judge_claims(one, other)
    if told["relation"] == Relation.UNRELATED.value and _core(one) == _core(other) and len(_core(one)) >= _FEWEST:
        return {"reason": "their words differ in form only", "relation": Relation.SAME.value}
    return told


def _core(claim: Claim) -> tuple[str, ...]:
    """The words that carry what a claim says, in order, each in one form."""
    said = _SAID.search(claim.text)
    text = said[1] if said is not None else claim.text
    for pattern, instead in _SHORT:
        text = pattern.sub(instead, text)
    words = (word for word in texts.words(text) if word not in _FRAME)
    return tuple(_form(word) for word in words)


def _form(word: str) -> str:
    known = _ALIKE.get(word)
    if known is not None:
        return known
    (stem,) = pairs.content(word) or {word}
    return _ALIKE.get(stem, re.sub(r"(?:e|ie?|y)$", "", stem))


def judge_mentions(one: Mention, other: Mention) -> dict[str, Any]:
    """A reply to the task `pair-mentions`: as linking, and `same` for "retries of payments" and "payment retries"."""
    told = judge.judge_mentions(one, other)
    alike = one.scope == other.scope and one.type == other.type
    if alike and told["relation"] == Relation.DIFFERENT.value and _named(one.name) == _named(other.name) != ():
        return {"reason": "the names are of the same words", "relation": Relation.SAME.value}
    return told


_OF = re.compile(r"^(?P<what>[\w -]+?) (?:of|for) (?:the )?(?P<whose>[\w -]+)$", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Za-z][A-Za-z -]*")


def _named(name: str) -> tuple[str, ...]:
    """The words of a name in order, each in one form; none for a name that is no plain words: a file, a command, a flag."""
    if not _PLAIN.fullmatch(name):
        return ()
    turned = _OF.match(name)
    words = texts.words(f"{turned['whose']} {turned['what']}" if turned else name)
    return tuple(_form(word) for word in words if word not in ("a", "an", "the"))


def reply(one: Claim | Mention, other: Claim | Mention) -> dict[str, Any]:
    """A reply about two claims, or two names."""
    match (one, other):
        case (Claim(), Claim()):
            return judge_claims(one, other)
        case (Mention(), Mention()):
            return judge_mentions(one, other)
    raise AssertionError("a pair of two kinds")
