"""Pairs: which two claims, or two mentions, need a judgement, and what rules decide without asking. Not the judge.

Which pairs need one is a pure, symmetric function of all claims, in canonical order (the smaller id first), so that any
machine that compiles the same sources asks the same questions. How judgements are kept is told in `judgements`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import combinations

from wikimem.core import texts
from wikimem.core.claims import Claim, Kind, Mention
from wikimem.core.judgements import Judgement, Pair, Relation, pair
from wikimem.core.vocabulary import Vocabulary

_STOP = frozenset(
    texts.words(
        """a an and are as at be been but by for from had has have he her his i in is it its my no not of on or our she
        so that the their them they this to was we were will with you your never always also only user uses use"""
    )
)
_COUNTED = texts.words("zero one two three four five six seven eight nine ten eleven twelve")
_NUMBERS = {word: str(number) for number, word in enumerate(_COUNTED)}
_SIMILAR_TEXT = 0.4
_SIMILAR_NAME = 0.84
_SIMILAR_WORD = 0.65


def by_rule(one: Claim, other: Claim, vocabulary: Vocabulary) -> Relation | None:
    """What rules decide of two claims of one subject; None where they decide nothing.

    Equal text: the same. Two values of one `single` attribute: the later replaces the earlier. Two texts that name the
    same value may only be two wordings, so these are left to a judge.
    """
    if texts.key(one.text) == texts.key(other.text):
        return Relation.SAME
    if _both_values(one, other, vocabulary) and not _same_value(one, other):
        return Relation.REPLACES
    return None


def by_default(one: Claim, other: Claim, vocabulary: Vocabulary) -> Relation | None:
    """What is taken to be so until a judgement says otherwise: values of one `single` attribute replace each other."""
    return Relation.REPLACES if _both_values(one, other, vocabulary) else None


def relations(claims: Sequence[Claim], judged: Mapping[Pair, Judgement], vocabulary: Vocabulary) -> dict[Pair, Relation]:
    """The relations among the claims of one subject: judgements first, then rules; `unrelated` ones are left out."""
    found: dict[Pair, Relation] = {}
    ids = {claim.id for claim in claims}
    for one, other in _rule_candidates(claims, vocabulary):
        decided = by_rule(one, other, vocabulary) or by_default(one, other, vocabulary)
        if decided is not None:
            found[pair(one.id, other.id)] = decided
    for key in _judged_among(ids, judged):
        relation = judged[key].relation
        if relation in (Relation.UNRELATED, Relation.DIFFERENT):
            found.pop(key, None)
        else:
            found[key] = relation
    return found


def _judged_among(ids: set[str], judged: Mapping[Pair, Judgement]) -> list[Pair]:
    if len(ids) * (len(ids) - 1) // 2 < len(judged):
        return [key for key in combinations(sorted(ids), 2) if key in judged]
    return sorted(key for key in judged if key[0] in ids and key[1] in ids)


def _rule_candidates(claims: Sequence[Claim], vocabulary: Vocabulary) -> Iterator[tuple[Claim, Claim]]:
    """The pairs a rule could decide: equal texts, and values of one `single` attribute."""
    groups: dict[tuple[str, str], list[Claim]] = defaultdict(list)
    for claim in claims:
        if claim.rests:
            continue
        groups[("text", texts.key(claim.text))].append(claim)
        if vocabulary.is_single(claim.attribute):
            groups[("attribute", _attribute(claim, vocabulary))].append(claim)
    for group in groups.values():
        yield from combinations(sorted(group, key=lambda claim: claim.id), 2)


def needed(
    claims: Sequence[Claim],
    judged: Mapping[Pair, Judgement],
    vocabulary: Vocabulary,
    fresh: Container[str] | None = None,
) -> tuple[tuple[Claim, Claim], ...]:
    """The pairs of claims of one subject that need a judgement and have none, in canonical order.

    Args:
        claims: all claims of one resolved subject.
        judged: all judgements.
        vocabulary: which attributes are `single`.
        fresh: ids of new claims: only pairs with one of them are looked for; all pairs if None.
    """
    # What was concluded from claims is held against none of them.
    claims = [claim for claim in claims if not claim.rests]
    by_word: dict[str, list[Claim]] = defaultdict(list)
    carrying = {claim.id: content(claim.text) - _silent(claim) for claim in claims}
    for claim in claims:
        for word in carrying[claim.id]:
            by_word[word].append(claim)
        if vocabulary.is_single(claim.attribute):
            by_word[f"\x00{_attribute(claim, vocabulary)}"].append(claim)
    found: dict[Pair, tuple[Claim, Claim]] = {}
    for group in by_word.values():
        for one, other in _couples(group, fresh):
            key = pair(one.id, other.id)
            if key in found or key in judged or one.id == other.id:
                continue
            if by_rule(one, other, vocabulary) is None and _similar(one, other, carrying, vocabulary):
                found[key] = (one, other) if one.id < other.id else (other, one)
    return tuple(found[key] for key in sorted(found))


def _couples(group: Sequence[Claim], fresh: Container[str] | None) -> Iterator[tuple[Claim, Claim]]:
    """The pairs of a group, of those with a fresh claim only; what one new claim costs grows with the group, not its square."""
    if fresh is None:
        yield from combinations(group, 2)
        return
    for one in group:
        if one.id in fresh:
            yield from ((one, other) for other in group if other is not one)


def _silent(claim: Claim) -> frozenset[str]:
    """Words that nearly all claims about a subject have: a person's or a project's name, which tells nothing of what is said."""
    mention = claim.mention
    told = mention.scope.rpartition(":")[2]
    return content(f"{told} {mention.name}" if mention.type in ("person", "project") else told)


def _similar(one: Claim, other: Claim, carrying: Mapping[str, frozenset[str]], vocabulary: Vocabulary) -> bool:
    if _both_values(one, other, vocabulary):
        return True
    mine, theirs = carrying[one.id], carrying[other.id]
    smaller = min(len(mine), len(theirs))
    return bool(smaller) and len(mine & theirs) / smaller >= _SIMILAR_TEXT


def _both_values(one: Claim, other: Claim, vocabulary: Vocabulary) -> bool:
    """Whether both tell the value of one `single` attribute; what happened once is no value."""
    if Kind.EPISODIC in (one.kind, other.kind) or not vocabulary.is_single(one.attribute):
        return False
    return _attribute(one, vocabulary) == _attribute(other, vocabulary)


def _attribute(claim: Claim, vocabulary: Vocabulary) -> str:
    found = vocabulary.find(claim.attribute)
    return found.name if found else claim.attribute


_DATE = re.compile(r"\b\d{4}-\d\d(?:-\d\d)?\b")
_VALUE = re.compile(r"`[^`]+`|\b\d[\d.,]*\b|[^\W\d_]+")


def _same_value(one: Claim, other: Claim) -> bool:
    mine, theirs = values(one.text), values(other.text)
    return bool(mine) and mine == theirs


def values(text: str) -> frozenset[str]:
    """The numbers and code spans of a text, without dates."""
    words = _VALUE.findall(_DATE.sub(" ", text))
    plain = (_NUMBERS.get(word.casefold(), word).strip("`.,") for word in words)
    return frozenset(word for word, raw in zip(plain, words, strict=True) if word[:1].isdigit() or raw[0] == "`")


def dates(text: str) -> frozenset[str]:
    """The dates of a text."""
    return frozenset(found[0] for found in _DATE.finditer(text))


def content(text: str) -> frozenset[str]:
    """The words that carry a text, plurals and numbers folded; dates tell when, not what."""
    folded = (_NUMBERS.get(word, word) for word in texts.words(_DATE.sub(" ", text)))
    return frozenset(_stem(word) for word in folded if word not in _STOP and (len(word) > 1 or word.isdigit()))


def _stem(word: str) -> str:
    """A word without its ending: rough, the same for both sides of a pair."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


Block = tuple[str, str, str]
"""Scope, type and a piece of a name."""


def blocks(mention: Mention) -> frozenset[Block]:
    """What two mentions must share one of to be looked at as a pair at all."""
    name = mention.key[2]
    return frozenset((mention.scope, mention.type, word) for word in {*name.split(), name[:4]})


def needed_mentions(
    mentions: Iterable[Mention], judged: Mapping[Pair, Judgement], fresh: Container[str] | None = None
) -> tuple[tuple[Mention, Mention], ...]:
    """The pairs of mentions that need a judgement and have none: same scope and type, similar but unequal name.

    Args:
        mentions: all of them.
        judged: all judgements.
        fresh: ids of new mentions: only pairs with one of them are looked for; all pairs if None.
    """
    by_id = {mention.id: mention for mention in sorted(mentions, reverse=True)}
    names = {id: mention.key[2] for id, mention in by_id.items()}
    grouped: dict[Block, list[str]] = defaultdict(list)
    for id, mention in by_id.items():
        for block in blocks(mention):
            grouped[block].append(id)
    found: set[Pair] = set()
    for group in grouped.values():
        new = group if fresh is None else [id for id in group if id in fresh]
        for one in new:
            for other in group:
                key = pair(one, other)
                if one != other and key not in found and key not in judged and _near(names[one], names[other]):
                    found.add(key)
    return tuple((by_id[one], by_id[other]) for one, other in sorted(found))


def similar_names(one: str, other: str) -> bool:
    """Whether two names could be of one thing: the words of one are among the other's, or the spelling is near."""
    return _near(texts.key(one), texts.key(other))


_DIGITS = re.compile(r"\d+")


def _near(mine: str, theirs: str) -> bool:
    if mine == theirs:
        return False
    words, others = set(mine.split()), set(theirs.split())
    shorter, longer = (words, others) if len(words) <= len(others) else (others, words)
    if shorter <= longer and any(len(word) >= 3 for word in shorter):
        return True
    size, other_size = len(mine), len(theirs)
    if min(size, other_size) < 5 or 2 * min(size, other_size) < _SIMILAR_NAME * (size + other_size):
        return False
    # Numbers tell things apart that are spelled alike.
    if _DIGITS.findall(mine) != _DIGITS.findall(theirs):
        return False
    if not _alike(mine, theirs, _SIMILAR_NAME):
        return False
    # Of as many words, one that is spelled like none of the other's makes another thing, however long the rest is.
    return len(words) != len(others) or all(any(_alike(word, other, _SIMILAR_WORD) for other in longer) for word in shorter)


def _alike(mine: str, theirs: str, least: float) -> bool:
    # SequenceMatcher is not symmetric; sorted, it is.
    first, second = sorted((mine, theirs))
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return matcher.quick_ratio() >= least and matcher.ratio() >= least
