"""Asked: questions of fact in talk, and which sentence answers one. Not small talk, and not what is asked of an agent.

An answer may be worth more than its own words tell: `Since I was twelve` says something only with what was asked.
"""

from __future__ import annotations

import re

from wikimem.core.rules import acts, marks, sentences

_QUESTION = re.compile(
    r"^(?:(?:and|so|but|by the way|btw|oh|wow|hey|cool|nice|anyway|also|well|yeah)\b[\s,!.]*)*(?:what|where|when|who|which|"
    r"why|how (?:long|many|much|often|"
    r"old|did|do|does|are you (?:planning|going))|do you|did you|have you|are you|were you|got any|any|has|is there|is your|"
    r"can you|could you|tell me)\b",
    re.IGNORECASE,
)
_SMALL = re.compile(
    r"\b(?:how(?:'s| is| are| have| was| were)? (?:you|it going|things|your (?:day|week|weekend))|what'?s (?:up|new|"
    r"going on|on your mind|"
    r"happening)|what have you been up to|what about you|how about you|right|isn'?t it|huh|don'?t you|you know|do you think|"
    r"anything (?:new|else|fun|interesting|exciting)|how'?re|feel|feels|felt|advice|tips?|vision|since we|been up)\b",
    re.IGNORECASE,
)


def question(words: str) -> str:
    """The question that a turn ends with, if what is asked can be answered by a fact; empty otherwise."""
    every = sentences.cut(words.split("\n[picture:")[0])
    last = every[-1] if every else None
    if last is None or not last.text.endswith("?"):
        return ""
    core = marks.GREETS.sub("", last.text)
    told = len(core.split()) >= 3 and len(core) <= 120 and _QUESTION.match(core) and not _SMALL.search(core)
    return core if told else ""


_SAYS_NOTHING = re.compile(
    r"^(?:(?:yeah|yes|me too|i (?:did|do|have|am|can|would|will|was|could)(?:n't)?(?: too| actually)?(?=[.!,…]|$)|awesome|"
    r"exciting|amazing|"
    r"oops|hm+|well|great|perfect|nice|cool|good|incredible|fun|right|true|okay|ok|yep|yup|no|nope|sure|totally|definitely|"
    r"absolutely|exactly|of course|thanks|thank you|not yet|maybe|wow)\b"
    r"[\s,.!]*(?:(?-i:[A-Z])[a-z]+[.!]*)?)+$|^(?:that'?s|it'?s|it was|it is|sounds|good|great|glad|i appreciate|"
    r"thank)\b.*\b(?:great|amazing|"
    r"awesome|nice|cool|sweet|kind|question|wonderful|beautiful)\b",
    re.IGNORECASE,
)


def answers(asked: str, number: int, every: tuple[sentences.Sentence, ...]) -> bool:
    """Whether a sentence is the first of its turn that says something, so that it answers what was asked.

    An answer that points at what was asked about tells nothing where the question only points at it as well.
    """
    text = every[number].text
    if not asked or _says_nothing(text) or acts.asks(text) or acts.objection(text) in marks.REFUSED - {"few words"}:
        return False
    if leans(text) and _POINTS.search(asked):
        return False
    return all(_says_nothing(before.text) or len(before.text.split()) <= 3 for before in every[:number])


_EMPTY = 60
"""Characters of the longest sentence that may say nothing."""


def _says_nothing(text: str) -> bool:
    if len(text) > _EMPTY:
        return False
    return _SAYS_NOTHING.match(text) is not None or _SAYS_NOTHING.match(marks.ungreeted(text)) is not None


_FACTS = re.compile(
    r"\b(?:what|where|who|which|when|how (?:long|many|much|often|old|big|far)|what's|where's|who's)\b", re.IGNORECASE
)


def bonus(asked: str) -> int:
    """What an answer weighs more: most where a name, a place, a time or a number was asked for."""
    return 3 if _FACTS.search(asked) else 2


def leans(text: str) -> bool:
    """Whether an answer cannot be understood without its question: it is short, or points at what was asked about."""
    core = marks.GREETS.sub("", text)
    return len(core.split()) < 8 or _POINTS.search(core) is not None


_POINTS = re.compile(r"\b(?:it|them|that|those|these|one|ones|this|some|they|there)\b", re.IGNORECASE)
