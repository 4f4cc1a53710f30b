"""The judge of pairs: whether two claims, or two names, are the same, by their words alone. Never a guess that closes a claim."""

from __future__ import annotations

import re
from typing import Any

from wikimem.core import texts
from wikimem.core.claims import Claim, Kind, Mention
from wikimem.core.judgements import Relation
from wikimem.core.rules import names
from wikimem.core.vocabulary import SHIPPED

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
    single = one.attribute == other.attribute and SHIPPED.is_single(one.attribute)
    if single and _values(mine) and _values(mine) == _values(theirs):
        return Relation.SAME, f"both give the same {one.attribute}"
    if not (one.stance.firm and other.stance.firm) or Kind.EPISODIC in (one.kind, other.kind):
        return Relation.UNRELATED, "an event or an inference ends nothing"
    earlier, later = sorted((one, other), key=lambda claim: (_last_said(claim), claim.id))
    if not _last_said(earlier) or _last_said(earlier) == _last_said(later):
        return Relation.UNRELATED, "nobody tells which was said later"
    return _ended(earlier, later, single)


_NEVER = r"(?:never (?:used|had|ran|was|were|existed|been)|there (?:is|was|were|are) no\b|there (?:is|was) never)"
_DROPPED = (
    r"(?:no longer|not .{0,30}any ?more|dropped|removed|stopped using|got rid of|moved away from|replaced|(?:don'?t|do not) use)"
)
_ASSERTS = re.compile(r"\b(?:use|uses|used|using|have|has|run|runs|keep|keeps|is|are|with|through|via)\b", re.IGNORECASE)
_INSTEAD = re.compile(
    r"\bnot (?P<old>[\w.'-]+)|\b(?:instead of|rather than|replaces|replaced) (?:the |a )?(?P<other>[\w.'-]+)",
    re.IGNORECASE,
)


def _ended(earlier: Claim, later: Claim, single: bool) -> tuple[Relation, str]:
    """Whether the words of the later claim deny or end what the earlier one says."""
    old, new = _core(earlier), _core(later)
    name = re.escape(later.mention.name)
    if _NEGATION.search(old) is None and _ASSERTS.search(old) and re.search(rf"\b{name}\b", old, re.IGNORECASE):
        for pattern, relation in ((_NEVER, Relation.DENIES), (_DROPPED, Relation.REPLACES)):
            if re.search(rf"\b{pattern}.{{0,20}}\b{name}\b|\b{name}\b.{{0,20}}\b{pattern}", new, re.IGNORECASE):
                return relation, f"it says of {later.mention.name} what the other asserts"
    for match in _INSTEAD.finditer(new):
        value = match["old"] or match["other"]
        common = (_weighty(old) & _weighty(new)) - {value.casefold()}
        if (
            re.search(rf"\b{re.escape(value)}\b", old)
            and _NEGATION.search(old) is None
            and (single or (value[0].isdigit() and len(common) >= 2))
        ):
            return Relation.REPLACES, f"it corrects the value {value}"
    was, now = _given(earlier), _given(later)
    if was is not None and now is not None and was[0] == now[0] and was[1] != now[1]:
        return Relation.REPLACES, f"it gives the {was[0]} another value"
    return Relation.UNRELATED, "nothing in their words orders them"


_NOUNS = re.compile(r"\b(?P<noun>port|timeout|ttl|rate limit|retry limit|retention|version)\b", re.IGNORECASE)
_VERSIONED = re.compile(r"(?<![\w.])v?\d+(?:[.,]\d+)*(?![\w.]*\w)")
# Words with which one only says once more that something has a value; any other may name another thing that has one too.
_NEUTRAL = frozenset(
    texts.words(
        "at on to is are was be it its in for by with of as must should can may will has have needs need use uses used using set "
        "client clients user users everyone everybody consumer consumers service reach reaches reached connect connects "
        "connected connection talk talks listen listens listening run runs running serve serves served found find call calls "
        "default now today currently since always from new this morning then instead moved changed change here new seconds s "
        "second minutes minute ms days day hours hour number value"
    )
)


def _given(claim: Claim) -> tuple[str, str] | None:
    """The attribute and the one value that a claim gives its subject; None if it may give it to something else."""
    text = _DATE.sub(" ", _core(claim))
    values = [value[0].lstrip("v") for value in _VERSIONED.finditer(text)]
    noun = _NOUNS.search(text)
    if len(values) != 1 or _NEGATION.search(text):
        return None
    if SHIPPED.is_single(claim.attribute):
        known = SHIPPED.find(claim.attribute)
        return (known.name, values[0]) if known is not None else None
    if noun is None or claim.attribute:
        return None
    known = SHIPPED.find(noun["noun"])
    named = frozenset(texts.words(f"{claim.mention.name} {noun['noun']} {values[0]}"))
    left = frozenset(texts.words(text)) - named - _NEUTRAL - _FILLERS
    return (known.name, values[0]) if known is not None and not left else None


def _last_said(claim: Claim) -> str:
    return max((one.heard for one in claim.evidence if one.said), default="")


def _values(text: str) -> list[str]:
    return sorted(number.rstrip(".,:") for number in _NUMBER.findall(_DATE.sub(" ", text)))


_DATE = re.compile(r"\[[^\]]*\]|\b\d{4}-\d\d(?:-\d\d)?\b")


def _core(claim: Claim) -> str:
    """What a claim says: the words that it quotes, else its text."""
    said = _SAID.search(claim.text)
    return said[1] if said is not None else claim.text


def _equal(mine: str, theirs: str) -> bool:
    if _values(mine) != _values(theirs) or _negations(mine) != _negations(theirs):
        return False
    ours, yours = _weighty(mine), _weighty(theirs)
    if not ours or not yours:
        return texts.key(mine) == texts.key(theirs)
    if len(ours & yours) < _NEARLY * len(ours | yours) or not _EXCEPTIONS.isdisjoint(ours ^ yours):
        return False
    # One word instead of another is another thing, however long the rest; and who does it to whom is told by the order.
    return not (ours - yours and yours - ours) and _turned(_in_order(mine, ours & yours), _in_order(theirs, ours & yours))


_EXCEPTIONS = frozenset(
    texts.words(
        """but except unless until only if when whenever while although though however otherwise besides apart before after during
        instead maybe perhaps probably might could should must may usually sometimes often rarely mostly nearly almost always all
        any some most every both either"""
    )
)


def _in_order(text: str, words: frozenset[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in texts.words(text) if word in words))


def _turned(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two are the same words in the same order, or with a part of them put first: "after 3 attempts, retries stop"."""
    return any(one[place:] + one[:place] == other for place in range(len(one)))


def _negations(text: str) -> int:
    return len(_NEGATION.findall(text))


def _weighty(text: str) -> frozenset[str]:
    return frozenset(word for word in texts.words(text) if word not in _FILLERS)


def judge_mentions(one: Mention, other: Mention) -> dict[str, Any]:
    """A reply to the task `pair-mentions` (`linking.MENTIONS`)."""
    alike = one.scope == other.scope and one.type == other.type
    same = alike and (_spelled(one.name) == _spelled(other.name) or _one_file(one.name, other.name))
    if same:
        return {"reason": "the names differ in spelling only", "relation": Relation.SAME.value}
    return {"reason": "the names may be of two things", "relation": Relation.DIFFERENT.value}


_PLURAL = re.compile(r"(?<=[a-z]{3})(?<![su])s\b")


def _spelled(name: str) -> str:
    """A name without what only spelling changes: case, spaces, hyphens, a leading `@` or `./`, brackets of a call, a plural."""
    bare = texts.key(name).removeprefix("@").removeprefix("./").removesuffix("()").replace(" ", "")
    return bare if "." in bare or "/" in bare else _PLURAL.sub("", bare)


def _one_file(mine: str, theirs: str) -> bool:
    """Whether one name is a file and the other the same with some of its folders; names that many folders hold are not."""
    shorter, longer = sorted((mine, theirs), key=len)
    return "." in shorter and longer.endswith(f"/{shorter}") and "/" not in shorter and not names.is_common(shorter)
