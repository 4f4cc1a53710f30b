"""Identities: pairs of names and of claims that may be one, all over a wiki, and what no judge may make one. Not the judge.

Linking holds what is new against what is near it. Here all is held together once more: pairs that were never judged, since
a judge failed or two pages became one later, and pairs that are near only when word forms and order are left aside. Whoever
judges, these rules refuse `same` where two statements differ in what matters: merged, one of them would be lost.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from wikimem.core import pairs, texts
from wikimem.core.claims import Claim, Mention
from wikimem.core.consolidation import views
from wikimem.core.fold import Wiki
from wikimem.core.judgements import Judgement, Pair, Relation, pair
from wikimem.core.subjects import Subject
from wikimem.core.vocabulary import Vocabulary

_NEAR = 0.5
_COMMON = 64
_STEM = 4


def names(wiki: Wiki, judged: Mapping[Pair, Judgement], strict: bool) -> tuple[tuple[Mention, Mention], ...]:
    """The pairs of names that nobody judged yet and that could be of one thing, in canonical order.

    Args:
        wiki: as it is.
        judged: the judgements that stand.
        strict: whether no scope may learn of another.
    """
    by_id = {
        claim.mention.id: claim.mention
        for subject in views.chosen(wiki, strict)
        for claim in sorted(subject.claims, key=lambda claim: (claim.said or "~", claim.id), reverse=True)
    }
    found = {pair(one.id, other.id): None for one, other in pairs.needed_mentions(by_id.values(), judged)}
    grouped: dict[tuple[str, str, frozenset[str]], list[str]] = defaultdict(list)
    for id, mention in by_id.items():
        # "Retry" and "retries": only who is asked then knows whether it is one word.
        stems = frozenset(word[:_STEM] for word in pairs.content(mention.name))
        grouped[mention.scope, mention.type, stems].append(id)
    for (_, _, words), ids in grouped.items():
        if words:
            found |= {key: None for key in combinations(sorted(ids), 2) if key not in judged}
    group = wiki.ground.group
    return tuple((by_id[one], by_id[other]) for one, other in sorted(found) if other not in group(one))


def facts(wiki: Wiki, judged: Mapping[Pair, Judgement], strict: bool) -> tuple[tuple[Claim, Claim], ...]:
    """The pairs of claims of one subject that nobody judged yet and that are near each other; arguments as `names`.

    Of claims that are one already, one stands for all.
    """
    found: dict[Pair, tuple[Claim, Claim]] = {}
    home = {id: one.claim.id for each in wiki.subjects.values() for one in each.standings for id in (one.claim.id, *one.same)}
    known = {pair(home[one], home[other]) for one, other in judged if one in home and other in home}
    for subject in views.chosen(wiki, strict):
        shown = [one.claim for one in subject.standings if not one.claim.rests]
        for one, other in (*pairs.needed(shown, judged, wiki.vocabulary), *_alike(shown, wiki.vocabulary)):
            key = pair(one.id, other.id)
            if key not in known and one.mention.scope == other.mention.scope:
                found[key] = (one, other) if one.id < other.id else (other, one)
    return tuple(found[key] for key in sorted(found))


def _alike(claims: Sequence[Claim], vocabulary: Vocabulary) -> Iterator[tuple[Claim, Claim]]:
    """The pairs that are spelled alike, whatever words they share: "config" and "configuration", a typing error."""
    pieces = {claim.id: _pieces(claim.text) for claim in claims}
    grouped: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        for piece in pieces[claim.id]:
            grouped[piece].append(claim)
    seen: set[Pair] = set()
    for piece in sorted(grouped):
        # What very many have in common brings no two of them together.
        group = grouped[piece] if len(grouped[piece]) <= _COMMON else []
        for one, other in combinations(group, 2):
            mine, theirs = pieces[one.id], pieces[other.id]
            key = pair(one.id, other.id)
            if key in seen or 2 * min(len(mine), len(theirs)) < max(len(mine), len(theirs)):
                continue
            seen.add(key)
            if len(mine & theirs) >= _NEAR * len(mine | theirs) and pairs.by_rule(one, other, vocabulary) is None:
                yield one, other


def _pieces(text: str) -> frozenset[str]:
    key = texts.key(text)
    return frozenset(key[place : place + 3] for place in range(len(key) - 2))


@dataclass(frozen=True, slots=True)
class Couple:
    """Two claims, or two names, that somebody judged.

    Args:
        one, other: in canonical order.
        relation: the judgement.
        subjects: of which they are.
        sources: ids of the sources that there are, and that were not retired.
        vocabulary: which attributes mean the same.
    """

    one: Claim | Mention
    other: Claim | Mention
    relation: Relation
    subjects: tuple[Subject, ...]
    sources: Container[str]
    vocabulary: Vocabulary

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The two, where they are claims that are judged the same; else none."""
        found = tuple(each for each in (self.one, self.other) if isinstance(each, Claim))
        return found if self.relation is Relation.SAME else ()


def _relation(couple: Couple) -> str:
    mentions = isinstance(couple.one, Mention)
    if mentions != isinstance(couple.other, Mention) or couple.one.id == couple.other.id:
        return "these are not two of a kind"
    fits = couple.relation in (Relation.SAME, Relation.DIFFERENT) if mentions else couple.relation is not Relation.DIFFERENT
    return "" if fits else "two of this kind do not stand so to each other"


def _page(couple: Couple) -> str:
    known = {id for subject in couple.subjects for id in (*subject.mentions, *(claim.id for claim in subject.claims))}
    if not {couple.one.id, couple.other.id} <= known:
        return "it is about something that no page has"
    if isinstance(couple.one, Claim) and len(couple.subjects) > 1:
        return "the two are about different things"
    return ""


def _scope(couple: Couple) -> str:
    return "it would make one of two scopes" if len({subject.scope for subject in couple.subjects}) > 1 else ""


def _sources(couple: Couple) -> str:
    closed = [one for claim in couple.claims for one in claim.evidence if one.source not in couple.sources]
    return "a source that it rests on is closed or missing" if closed else ""


def _attribute(couple: Couple) -> str:
    named = {_attribute_of(claim, couple.vocabulary) for claim in couple.claims} - {""}
    return "the two tell different attributes" if len(named) > 1 else ""


def _attribute_of(claim: Claim, vocabulary: Vocabulary) -> str:
    found = vocabulary.find(claim.attribute)
    return found.name if found is not None else claim.attribute


def _stance(couple: Couple) -> str:
    return "one would stand on other ground than it does" if len({claim.stance for claim in couple.claims}) > 1 else ""


def _kind(couple: Couple) -> str:
    if len({claim.kind for claim in couple.claims}) > 1:
        return "one happened, the other is so or is to be done"
    return "the two are different steps" if len({claim.step for claim in couple.claims}) > 1 else ""


def _number(couple: Couple) -> str:
    told = [couple.one, couple.other]
    if all(isinstance(each, Mention) for each in told):
        digits = {tuple(sorted(_DIGITS.findall(each.name))) for each in told if isinstance(each, Mention)}
        return "the names differ in a number" if couple.relation is Relation.SAME and len(digits) > 1 else ""
    return "the two tell different numbers, versions or code" if _differ(couple, pairs.values) else ""


_DIGITS = re.compile(r"\d+")
_MOMENTS = frozenset(
    texts.words(
        """january february march april june july august september october november december monday tuesday wednesday thursday
        friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays morning evening night nightly
        daily weekly monthly yearly hourly today tomorrow yesterday weekend weekday weekdays weekends first second third
        fourth fifth last next"""
    )
)


def _date(couple: Couple) -> str:
    def told(text: str) -> frozenset[str]:
        return pairs.dates(text) | (_MOMENTS & {*texts.words(text)})

    if _differ(couple, told):
        return "the two tell different days or times"
    starts = {
        frozenset(one.holds.start.moment for one in claim.evidence if one.holds.start.moment)
        for claim in couple.claims
        if claim.kind.value == "episodic"
    }
    return "the two happened at different times" if len(starts) > 1 else ""


_NEGATION = re.compile(r"\b(?:not|never|no|none|without|cannot|\w+n['’]t|neither|nor|stop|avoid|instead)\b", re.IGNORECASE)
_EXCEPTION = frozenset(
    texts.words(
        """but except excepting unless until only if when whenever while although though however otherwise besides apart before
        after during because rather maybe perhaps probably might could should must may usually sometimes often rarely seldom
        mostly nearly almost always all any some most every both either"""
    )
)


def _negation(couple: Couple) -> str:
    told = {len(_NEGATION.findall(claim.text)) for claim in couple.claims}
    return "only one of the two denies something" if len(told) > 1 else ""


def _exception(couple: Couple) -> str:
    def told(text: str) -> frozenset[str]:
        return _EXCEPTION & {*texts.words(text)}

    return "only one of the two has a condition or an exception" if _differ(couple, told) else ""


_NAMED = re.compile(r"(?<!^)(?<![.!?:“] )(?<!“)\b[A-Z][\w+#-]*|\b\w+(?:[_./]\w+)+\b|\b\w*[a-z][A-Z]\w*\b")


def _object(couple: Couple) -> str:
    """Whether each of two claims names something that the other does not."""
    if not couple.claims:
        return ""
    one, other = ([texts.key(word) for word in _NAMED.findall(claim.text)] for claim in couple.claims)
    mine, theirs = (
        [word for word in own if not any(_spelled(word, each) for each in rest)] for own, rest in ((one, other), (other, one))
    )
    return "the two name different things" if mine or theirs else ""


def _spelled(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return longer.startswith(shorter) and 2 * len(shorter) > len(longer)


def _differ(couple: Couple, told: Callable[[str], frozenset[str]]) -> bool:
    return len({told(claim.text) for claim in couple.claims}) > 1


Rule = Callable[[Couple], str]

RULES: tuple[tuple[str, Rule], ...] = (
    ("unknown-relation", _relation),
    ("unknown-claim", _page),
    ("mixed-scopes", _scope),
    ("closed-source", _sources),
    ("mixed-attributes", _attribute),
    ("raised-stance", _stance),
    ("mixed-kinds", _kind),
    ("other-number", _number),
    ("other-date", _date),
    ("other-negation", _negation),
    ("lost-exception", _exception),
    ("other-object", _object),
)
"""Name and rule, in the order in which they are asked."""


def check(couple: Couple) -> tuple[str, str] | None:
    """The rule that refuses a judgement and why, without a word of the two; None if it may be taken."""
    for name, rule in RULES:
        if why := rule(couple):
            return name, why
    return None


def homes(wiki: Wiki) -> dict[str, str]:
    """The key of the subject of each claim and of each mention, by their ids."""
    found = {claim.id: key for key, subject in wiki.subjects.items() for claim in subject.claims}
    return found | {mention: key for key, subject in wiki.subjects.items() for mention in subject.mentions}
