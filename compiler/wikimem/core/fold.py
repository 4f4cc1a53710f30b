"""The fold: all claims and judgements to all subjects, each with its timeline, slug and neighbours. Pure; not markdown.

`again` folds only the subjects whose claims or judgements changed and gives what folding everything would give: the
same sources in any order, in any number of runs, make the same wiki.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from wikimem.core import claims as claim_values
from wikimem.core import pairs, slugs, texts, timeline
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.claims import Claim, Mention
from wikimem.core.judgements import Judgement, Pair, Relation
from wikimem.core.slugs import Named
from wikimem.core.timeline import Standing
from wikimem.core.vocabulary import SHIPPED, Vocabulary

RELATED = 12
"""Neighbours of a subject at most."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What one page is about.

    Args:
        key: its identity: the smallest id of its mentions.
        scope: its scope; empty for none.
        type: one of `claims.TYPES`.
        title: the name it was first mentioned by.
        aliases: its other names, sorted.
        mentions: ids of all its mentions, sorted.
        claims: all its claims by id.
        judged: the judgements among them.
        standings: its timeline.
        words: the words of its claims: what could name another subject.
    """

    key: str
    scope: str
    type: str
    title: str
    aliases: tuple[str, ...]
    mentions: tuple[str, ...]
    claims: tuple[Claim, ...]
    judged: tuple[Judgement, ...]
    standings: tuple[Standing, ...]
    words: frozenset[str]

    @property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """Its names as words, without those too short to be looked for in a text."""
        named = (texts.words(name) for name in (self.title, *self.aliases))
        return tuple(sorted({words for words in named if len("".join(words)) >= 3}))


@dataclass(frozen=True, slots=True)
class Wiki:
    """All subjects by key, with the slug of each and the keys of its neighbours, nearest first."""

    subjects: Mapping[str, Subject]
    slugs: Mapping[str, str]
    related: Mapping[str, tuple[str, ...]]
    vocabulary: Vocabulary

    def path(self, key: str) -> str:
        """The path of a subject's page below `wiki/`."""
        return f"{slugs.FOLDERS[self.subjects[key].type]}/{self.slugs[key]}.md"


EMPTY = Wiki({}, {}, {}, SHIPPED)


def whole(
    files: Iterable[ClaimFile],
    judged: Mapping[Pair, Judgement],
    vocabulary: Vocabulary = SHIPPED,
    owners: Mapping[str, str] | None = None,
) -> Wiki:
    """The wiki of all claims files.

    Args:
        files: one a source, in any order.
        judged: one judgement a pair (`judgements.settled`).
        vocabulary: the vault's.
        owners: who owns a turn that several sources hold: identity to source id; the smallest id where it does not say.
    """
    return again(Wiki({}, {}, {}, vocabulary), files, judged, vocabulary, owners)


def again(
    old: Wiki,
    files: Iterable[ClaimFile],
    judged: Mapping[Pair, Judgement],
    vocabulary: Vocabulary = SHIPPED,
    owners: Mapping[str, str] | None = None,
) -> Wiki:
    """The wiki of all claims files, taking from an older one the subjects that did not change. Arguments as `whole`."""
    if old.vocabulary != vocabulary:
        old = Wiki({}, {}, {}, vocabulary)
    every = [claim for file in files for claim in file.claims]
    about = _by_id(judged)
    owned = dict(owners or {})
    subjects: dict[str, Subject] = {}
    for key, mentions, claims in _groups(every, judged):
        here = tuple(claim_values.distinct(claim, owned) for claim in claim_values.united(claims).values())
        judgements = _among({claim.id for claim in here}, about)
        known = old.subjects.get(key)
        if known and known.claims == here and known.judged == judgements and known.mentions == mentions:
            subjects[key] = known
        else:
            subjects[key] = _subject(key, mentions, here, judgements, vocabulary)
    named = (Named(subject.key, subject.title, subject.type, subject.scope) for subject in subjects.values())
    return Wiki(subjects, slugs.assign(named), _neighbours(subjects, old), vocabulary)


def touched(old: Wiki, new: Wiki) -> tuple[str, ...]:
    """The keys of subjects whose pages may differ between two wikis, gone ones included, sorted."""
    moved = {key for key in new.subjects if not _is_alike(key, old, new)} | (old.subjects.keys() - new.subjects.keys())
    found = set(moved)
    for key, subject in new.subjects.items():
        near = new.related[key]
        if old.subjects.get(key) != subject or near != old.related[key] or not moved.isdisjoint(near):
            found.add(key)
    return tuple(sorted(found))


def _is_alike(key: str, old: Wiki, new: Wiki) -> bool:
    before = old.subjects.get(key)
    return before is not None and before.title == new.subjects[key].title and old.slugs[key] == new.slugs[key]


def _by_id(judged: Mapping[Pair, Judgement]) -> Mapping[str, list[Judgement]]:
    about: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in judged.values():
        if judgement.of == "claims":
            about[judgement.pair[0]].append(judgement)
    return about


def _among(ids: set[str], about: Mapping[str, list[Judgement]]) -> tuple[Judgement, ...]:
    found = (judgement for id in ids for judgement in about.get(id, ()) if judgement.pair[1] in ids)
    return tuple(sorted(found, key=lambda judgement: judgement.pair))


def _groups(every: Sequence[Claim], judged: Mapping[Pair, Judgement]) -> list[tuple[str, tuple[str, ...], list[Claim]]]:
    """The claims of each subject, with its key and mentions: mentions of one name are one, so are those judged so."""
    by_mention: dict[str, list[Claim]] = defaultdict(list)
    for claim in every:
        by_mention[claim.mention.id].append(claim)
    home = {id: frozenset({id}) for id in by_mention}
    apart = {key for key, judgement in judged.items() if judgement.relation is Relation.DIFFERENT}
    for (one, other), judgement in sorted(judged.items()):
        if judgement.of != "mentions" or judgement.relation is not Relation.SAME or {one, other} - home.keys():
            continue
        joined = home[one] | home[other]
        # Two that were judged different never meet through a third.
        if not any(first in joined and second in joined for first, second in apart):
            home |= dict.fromkeys(joined, joined)
    return [
        (min(group), tuple(sorted(group)), [claim for id in sorted(group) for claim in by_mention[id]])
        for group in sorted(set(home.values()), key=min)
    ]


def _subject(
    key: str,
    mentions: tuple[str, ...],
    claims: tuple[Claim, ...],
    judged: tuple[Judgement, ...],
    vocabulary: Vocabulary,
) -> Subject:
    relations = pairs.relations(claims, {judgement.pair: judgement for judgement in judged}, vocabulary)
    standings = timeline.fold(claims, relations)
    by_time = sorted(claims, key=lambda claim: (claim.said or "~", claim.id))
    first = by_time[0].mention
    names: dict[str, str] = {}
    for claim in by_time:
        names.setdefault(texts.key(claim.mention.name), texts.normal(claim.mention.name))
    names.pop(texts.key(first.name))
    return Subject(
        key=key,
        scope=first.scope,
        type=first.type,
        title=title(first),
        aliases=tuple(sorted(names.values())),
        mentions=mentions,
        claims=claims,
        judged=judged,
        standings=standings,
        words=frozenset(word for standing in standings for word in texts.words(standing.claim.text)),
    )


def title(mention: Mention) -> str:
    """A mention's name as a title: a name of several plain lower-case words gets a capital; any other stays."""
    name = texts.normal(mention.name)
    first, _, rest = name.partition(" ")
    return name[:1].upper() + name[1:] if rest and first.isalpha() and first.islower() else name


def _neighbours(subjects: Mapping[str, Subject], old: Wiki) -> dict[str, tuple[str, ...]]:
    """The subjects that each one's claims name: within its own scope, or of none."""
    entries = {(words, key) for key, subject in subjects.items() for words in subject.names}
    before = {(words, key) for key, subject in old.subjects.items() for words in subject.names}
    changed = {words[0] for words, _ in entries ^ before}
    by_word: dict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
    for words, key in sorted(entries):
        by_word[words[0]].append((words, key))
    found: dict[str, tuple[str, ...]] = {}
    for key, subject in subjects.items():
        if old.subjects.get(key) is subject and not changed & subject.words:
            found[key] = old.related[key]
        else:
            found[key] = _named_in(subject, by_word, subjects)
    return found


def _named_in(
    subject: Subject,
    by_word: Mapping[str, list[tuple[tuple[str, ...], str]]],
    subjects: Mapping[str, Subject],
) -> tuple[str, ...]:
    times: dict[str, int] = defaultdict(int)
    for standing in subject.standings:
        said = texts.words(standing.claim.text)
        for place, word in enumerate(said):
            for name, key in by_word.get(word, ()):
                if key != subject.key and said[place : place + len(name)] == name:
                    times[key] += subjects[key].scope in ("", subject.scope)
    ranked = sorted((key for key in times if times[key]), key=lambda key: (-times[key], subjects[key].title, key))
    return tuple(ranked[:RELATED])
