"""Rejections: what people looked at and decided against. A decision that says so, never a decision for what it names.

The thing that was turned down stands in the sentence, or in the one before where this one says `it`; else nothing is known
of what was rejected, and nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wikimem.core.claims import Kind
from wikimem.core.rules import acts, conditions, dates, names, sentences
from wikimem.core.rules.names import Name
from wikimem.core.rules.sentences import LONGEST, Sentence
from wikimem.core.rules.standing import MARKS, placed, speaker
from wikimem.core.rules.statements import Statement, Words, quoted
from wikimem.core.views import Spoken, View

_WHO = r"(?:we|i|the team|they)(?:'ve| have| had)?(?: (?:also|just|already|finally|then|briefly|seriously|once|all|therefore))*"
_THING = r"(?P<thing>[^,.;:!?]{2,60}?)"
_LOOKED = (
    r"(?:looked (?:at|into)|considered|evaluated|tried(?: out)?|thought about|discussed|weighed|tested|investigated|compared|"
    r"toyed with|explored|reviewed|prototyped|debated)"
)
_AGAINST = (
    r"(?:(?:decided|voted|chose|opted|came down|settled|agreed) (?:against|not to)\b|rejected\b|ruled\b.{0,20}\bout\b|"
    r"turned\b.{0,20}\bdown\b|dropped (?:it|the idea|that)\b|discarded\b|dismissed\b|passed on\b|gave up on\b|did(?: not|n't) "
    r"(?:take|choose|pick|adopt|go (?:with|for))\b|(?:will not|won't|are not going to|aren't going to) (?:use|take|adopt|go "
    r"with)\b|said no\b)"
)
_FOR = (
    r"(?:using|adopting|taking|choosing|buying|going with|moving to|switching to|having|adding|introducing|building|the use of)"
)
_USE = (
    r"(?:use|adopt|take|choose|buy|go (?:with|for)|move to|switch to|have|add|introduce|migrate to|build on|pick|rely on|support)"
)
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b{_WHO} {_LOOKED} (?:at )?(?:{_FOR} )?{_THING}(?:,? (?:but|and|yet)|;|,)(?: (?:in the end|finally|then|eventually|we|"
        rf"i|have|had|they|ultimately))* {_AGAINST}",
        rf"\b{_WHO} (?:decided|voted|chose|opted) against (?:{_FOR} )?{_THING}(?= (?:because|since|as|for|due|after|when|last|"
        r"in|on|and|but)\b|[,.;:!?]|$)",
        rf"\b{_WHO} (?:decided|chose|opted|agreed) (?:not to|to not) {_USE} {_THING}(?= (?:because|since|as|for|due|after|when|"
        r"last|in|on|and|but)\b|[,.;:!?]|$)",
        rf"\b{_WHO} (?:rejected|ruled out|turned down|discarded|dismissed|passed on) (?:{_FOR} )?{_THING}(?= (?:because|since|"
        r"as|for|due|after|when|last|in|on|and|but)\b|[,.;:!?]|$)",
        rf"^(?:the )?{_THING} (?:is|was|were|has been|got) (?:considered|discussed|evaluated|looked at)(?:,? (?:but|"
        rf"and)) (?:(?:was|"
        r"then|finally|we|it was) )*(?:rejected|ruled out|turned down|dropped|discarded|dismissed|decided against)",
    )
)
_HINTS = (
    "against",
    "not to",
    "to not",
    "reject",
    "ruled",
    "turned",
    "dropped",
    "discard",
    "dismiss",
    "passed on",
    "gave up",
    "n't",
)
_POINTER = re.compile(r"(?i)^(?:it|that|this|them|those|these|one|him|her|you)\b")
_WHAT_FOR = re.compile(r"\s+(?:for|as|in|on|with|because|since|instead)\s+")
_OF_IT = re.compile(r"(?:the|its|their|our) (?-i:[a-z])[a-z-]+(?: [a-z-]+)?$")
_ARTICLE = re.compile(r"(?i)^(?:(?:the|an?|our|(?:idea|option|proposal|plan|notion|use) (?:of|for|to use))\s+)+")
_OUT = frozenset({"question", "joke", "fiction", "report of others", "supposes"})


def of(text: str) -> str:
    """What a sentence says was turned down; `it` where it only points at it, empty where nothing was."""
    plain = text.replace("’", "'")
    if not any(hint in plain for hint in _HINTS) or conditions.named(plain):
        return ""
    found = next((match for form in _FORMS if (match := form.search(plain))), None)
    if found is None:
        return ""
    told = found["thing"].strip()
    thing = _WHAT_FOR.split(_ARTICLE.sub("", told), maxsplit=1)[0]
    # Who looks at the costs of something decides against that.
    side = found.re is _FORMS[0] and _OF_IT.match(told) is not None
    return "it" if side or _POINTER.match(thing) else thing


def found(view: View) -> Iterator[Statement]:
    """What the persons of a session say they decided against."""
    for one in view.spoken:
        if not one.is_person or one.turn.mark not in MARKS or len(one.words) > 12_000:
            continue
        before: Sentence | None = None
        for sentence in sentences.cut(one.words):
            made = _statement(view, one, sentence, before)
            if made is not None:
                yield made
            before = sentence


def _statement(view: View, one: Spoken, sentence: Sentence, before: Sentence | None) -> Statement | None:
    thing = of(sentence.text) if len(sentence.text) <= LONGEST else ""
    if not thing or acts.objection(sentence.text) in _OUT:
        return None
    start = sentence.start
    if thing == "it":
        if before is None or before.paragraph != sentence.paragraph or sentence.end - before.start > LONGEST:
            return None
        about = names.of_clause(before.text)
        start = before.start
    else:
        about = named(thing)
    if about is None:
        return None
    words = one.words[start : sentence.end]
    told = dates.told(words, one.turn.clock)
    about = placed(about, view)
    return Statement(
        "rejected",
        about,
        f"{speaker(view, one)} on {about.label}, which was considered and rejected: {quoted(told.shown)}",
        (Words(one.turn.at, words),),
        Kind.SEMANTIC,
        attribute="decision",
    )


def named(thing: str) -> Name | None:
    """The subject that a thing makes: a name in it, else its few words."""
    found = names.coded(thing) or names.of_clause(thing)
    if found is not None and (found.code or found.name[:1].isupper() or found.name.casefold() == thing.casefold()):
        return found
    return Name("topic", thing) if len(thing.split()) <= 4 and thing[:1].isalpha() else found
