"""The fold: all claims and judgements to all subjects, each with its timeline, slug and neighbours. Pure; not markdown.

`again` folds only the subjects whose claims or judgements changed and gives what folding everything would give: the
same sources in any order, in any number of runs, make the same wiki. What it costs hardly grows with the wiki.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from wikimem.core import claims as claim_values
from wikimem.core import cold, rulings, scopes, slugs, texts, worth
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.claims import Claim
from wikimem.core.cold import Cold, Record, Result, Step
from wikimem.core.judgements import Judgement, Pair, Relation
from wikimem.core.rulings import Rulings
from wikimem.core.slugs import Named
from wikimem.core.subjects import NAME, Name, Subject, made, make_subject
from wikimem.core.vocabulary import SHIPPED, Vocabulary

RELATED = 12
"""Neighbours of a subject at most."""


@dataclass(frozen=True, slots=True)
class _Ground:
    """What a wiki was folded from, so that the next fold finds what changed.

    Args:
        files: by source id.
        claims: by mention id, each claim once a source.
        judged: by pair.
        owners: who owns a turn that several sources hold.
        groups: the mentions judged to be one, by each of them; a mention that stands alone is not in it.
        names: the keys of the subjects of each name.
        raw: the files as they were given, before people's edits were applied.
        ruled: what people's edits say.
        left: the files as people's edits left them, with what stays on cards.
        slight: the claims that may have to stay on their card, by source.
        alone: the ids of those that do.
        results: what consolidation left.
    """

    files: Mapping[str, ClaimFile] = field(default_factory=dict)
    claims: Mapping[str, tuple[Claim, ...]] = field(default_factory=dict)
    judged: Mapping[Pair, Judgement] = field(default_factory=dict)
    owners: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, frozenset[str]] = field(default_factory=dict)
    names: Mapping[Name, frozenset[str]] = field(default_factory=dict)
    raw: Mapping[str, ClaimFile] = field(default_factory=dict)
    ruled: Rulings = rulings.NONE
    left: Mapping[str, ClaimFile] = field(default_factory=dict)
    slight: Mapping[str, tuple[Claim, ...]] = field(default_factory=dict)
    alone: Mapping[str, frozenset[str]] = field(default_factory=dict)
    results: tuple[Record, ...] = ()

    def group(self, mention: str) -> frozenset[str]:
        return self.groups.get(mention) or frozenset({mention})


@dataclass(frozen=True, slots=True)
class Wiki:
    """All subjects by key, with the slug of each and the keys of its neighbours, nearest first; what consolidation gave, and the
    pages that it made of what several subjects tell (`own`), which have slugs too."""

    subjects: Mapping[str, Subject]
    slugs: Mapping[str, str]
    related: Mapping[str, tuple[str, ...]]
    vocabulary: Vocabulary
    ground: _Ground = field(compare=False, repr=False)
    cold: Cold = field(default_factory=Cold)
    own: Mapping[str, Subject] = field(default_factory=dict)

    def path(self, key: str) -> str:
        """The path of a page below `wiki/`."""
        return f"{slugs.FOLDERS[self.page(key).type]}/{self.slugs[key]}.md"

    def page(self, key: str) -> Subject:
        """What the page of a key is about: a subject, or what consolidation made a page of."""
        found = self.subjects.get(key)
        return self.own[key] if found is None else found

    @property
    def pages(self) -> Mapping[str, Subject]:
        """All that has a page, by key."""
        return {**self.subjects, **self.own} if self.own else self.subjects


def empty(vocabulary: Vocabulary = SHIPPED) -> Wiki:
    """The wiki of no source."""
    return Wiki({}, {}, {}, vocabulary, _Ground())


def whole(
    files: Iterable[ClaimFile],
    judged: Mapping[Pair, Judgement],
    vocabulary: Vocabulary = SHIPPED,
    owners: Mapping[str, str] | None = None,
    results: Iterable[Record] = (),
) -> Wiki:
    """The wiki of all claims files.

    Args:
        files: one a source, in any order.
        judged: one judgement a pair (`judgements.settled`).
        vocabulary: the vault's.
        owners: who owns a turn that several sources hold: identity to source id; the smallest id where it does not say.
        results: what consolidation left, in any order.
    """
    return again(rested(empty(vocabulary), results), files, judged, vocabulary, owners)


def rested(wiki: Wiki, results: Iterable[Record]) -> Wiki:
    """The wiki with other results of consolidation."""
    told = tuple(results)
    ground = replace(wiki.ground, results=told)
    moved = {record.about[0] for record in {*_reflections(wiki.ground.results)} ^ {*_reflections(told)}}
    if any(mention in ground.claims for mention in moved):
        return _remade(wiki, ground, {other for mention in moved for other in ground.group(mention)})
    return _with_own(replace(wiki, ground=ground))


def _with_own(wiki: Wiki) -> Wiki:
    """The wiki with what its results of consolidation give for its subjects."""
    rest = cold.effective(wiki.subjects, wiki.ground.results, wiki.ground.group)
    own = {key: made(one, wiki.ground.ruled) for key, one in rest.own.items()}
    taken = {key: wiki.slugs[key] for key in wiki.subjects}
    return replace(wiki, cold=rest, own=own, slugs=slugs.beside(taken, map(_named, own.values())))


def _named(subject: Subject) -> Named:
    return Named(subject.key, subject.title, subject.type, subject.scope)


def again(
    old: Wiki,
    files: Iterable[ClaimFile],
    judged: Mapping[Pair, Judgement],
    vocabulary: Vocabulary = SHIPPED,
    owners: Mapping[str, str] | None = None,
) -> Wiki:
    """The wiki of all claims files, taking from an older one the subjects that did not change. Arguments as `whole`.

    Files that are the very values the older wiki was folded from are not looked at again. What consolidation left is the
    older wiki's.
    """
    results = old.ground.results
    if old.vocabulary != vocabulary:
        old = empty(vocabulary)
    raw = {file.stamp.source: file for file in files}
    ruled = _ruled(old.ground, raw)
    every = {**judged, **{one.pair: one for one in ruled.judged}}
    left = _effective(old.ground, raw, ruled)
    slight = _slight(old.ground, left) if vocabulary.sparing else {}
    alone = worth.on_cards(left, slight, ruled.kept | _lifted(slight, ruled))
    ground, mentions = _ground(old.ground, _worthy(old.ground, left, alone), every, dict(owners or {}))
    mentions |= _renamed(old.ground, ground, ruled)
    ground = replace(ground, raw=raw, ruled=ruled, left=left, slight=slight, alone=alone, results=results)
    mentions |= _reflecting(old.ground, ground, mentions)
    return _remade(old, ground, mentions)


def _remade(old: Wiki, ground: _Ground, mentions: set[str]) -> Wiki:
    """The wiki of a ground, with the subjects of some mentions made anew."""
    ruled, vocabulary = ground.ruled, old.vocabulary
    stale = {min(old.ground.group(mention)) for mention in mentions}
    fresh = {min(ground.group(mention)): ground.group(mention) for mention in mentions if mention in ground.claims}
    about = _about(ground.judged) if fresh else {}
    concluded = _concluded(ground, fresh)
    subjects = {key: subject for key, subject in old.subjects.items() if key not in stale}
    for key, group in fresh.items():
        said = [claim for mention in sorted(group) for claim in ground.claims[mention]]
        made = make_subject(key, group, said, ground.owners, about, vocabulary, ruled, concluded.get(key, {}).values())
        known = old.subjects.get(key)
        subjects[key] = known if known == made else made
    changed = {key for key in stale | fresh.keys() if old.subjects.get(key) is not subjects.get(key)}
    names, moved = _names(ground.names, changed, old.subjects, subjects)
    ground = replace(ground, names=names)
    related = {key: near for key, near in old.related.items() if key in subjects}
    for key, subject in subjects.items():
        if key in changed or _may_name(subject, moved):
            related[key] = _named_in(subject, names, subjects)
    return _with_own(Wiki(subjects, slugs.assign(map(_named, subjects.values())), related, vocabulary, ground))


def _reflections(results: Iterable[Record]) -> Iterator[Result]:
    return (one for one in results if isinstance(one, Result) and one.step is Step.REFLECTIONS)


def _reflecting(old: _Ground, new: _Ground, mentions: set[str]) -> set[str]:
    """The mentions of subjects that show a reflection on some mentions, or one that people ruled on since."""
    was, now = old.ruled.hidden, new.ruled.hidden
    ruled = {id for id in was.keys() | now.keys() if was.get(id) != now.get(id)} if old.ruled is not new.ruled else set()
    found = {(was.get(id) or now[id])[1].mention.id for id in ruled}
    for record in _reflections(new.results):
        if any(not new.group(mention).isdisjoint(mentions) for mention in record.about):
            found.add(record.about[0])
    return {other for mention in found for other in (*old.group(mention), *new.group(mention))}


def _concluded(ground: _Ground, fresh: Container[str]) -> Mapping[str, Mapping[str, Claim]]:
    """What consolidation concluded of some subjects, by their key and the id of the claim; without what is void or ruled out."""
    found: dict[str, dict[str, Claim]] = defaultdict(dict)
    for record in sorted(_reflections(ground.results), key=lambda one: cold.write([one])):
        key = min(ground.group(record.about[0]))
        groups = [ground.group(each) for each in cold.keys_of(record, ground.group)]
        if key not in fresh or any(min(group) not in ground.claims for group in groups):
            continue
        told = [[claim for mention in group for claim in ground.claims.get(mention, ())] for group in groups]
        united = [[claim_values.distinct(claim, ground.owners) for claim in claim_values.united(each).values()] for each in told]
        made = cold.concluded(record, united[0], {claim.id: claim for each in united for claim in each})
        if made is not None and not rulings.hides(made, ground.ruled):
            found[key].setdefault(made.id, made)
    return found


def touched(old: Wiki, new: Wiki) -> tuple[str, ...]:
    """The keys of subjects whose pages may differ between two wikis, gone ones included, sorted."""
    moved = {key for key in new.pages if not _is_alike(key, old, new)} | (old.pages.keys() - new.pages.keys())
    found = moved | {key for key, page in new.own.items() if old.own.get(key) != page or old.cold.of(key) != new.cold.of(key)}
    found |= {key for key in new.own if not moved.isdisjoint(new.cold.beside.get(key, ()))}
    for key, subject in new.subjects.items():
        near = new.related[key]
        if (
            old.subjects.get(key) is not subject
            or near != old.related[key]
            or not moved.isdisjoint(near)
            or old.cold.of(key) != new.cold.of(key)
            or not moved.isdisjoint(new.cold.beside.get(key, ()))
        ):
            found.add(key)
    return tuple(sorted(found))


def _is_alike(key: str, old: Wiki, new: Wiki) -> bool:
    before = old.subjects.get(key) or old.own.get(key)
    # A page that changes its type moves to another folder, whatever its name.
    return before is not None and before.title == new.page(key).title and old.path(key) == new.path(key)


def _ruled(old: _Ground, raw: Mapping[str, ClaimFile]) -> Rulings:
    """What the edits in all files say; the very value of before, if they are the same."""
    made = {source: file for source, file in raw.items() if file.edits}
    before = {source: file for source, file in old.raw.items() if file.edits}
    if made.keys() == before.keys() and all(before[source] is file for source, file in made.items()):
        return old.ruled
    return rulings.of((source, line, edit) for source, file in made.items() for line, edit in file.edits)


def _effective(old: _Ground, raw: Mapping[str, ClaimFile], ruled: Rulings) -> dict[str, ClaimFile]:
    """The files as people's edits left them; the very values of before where nothing changed."""
    found: dict[str, ClaimFile] = {}
    for source, file in raw.items():
        known = old.raw.get(source) is file
        if known and old.ruled is ruled:
            found[source] = old.left[source]
            continue
        claims = rulings.apply(file.claims, ruled)
        made = file if claims is file.claims else replace(file, claims=claims)
        # An edit of one claim must not make every file another one.
        found[source] = old.left[source] if known and old.left[source] == made else made
    return found


def _slight(old: _Ground, left: Mapping[str, ClaimFile]) -> dict[str, tuple[Claim, ...]]:
    """The slight claims of each source that has any; only files that are new are looked through."""
    known = {source for source, file in left.items() if old.left.get(source) is file}
    told = {source: old.slight.get(source, ()) if source in known else worth.slight(file) for source, file in left.items()}
    return {source: claims for source, claims in told.items() if claims}


def _lifted(slight: Mapping[str, tuple[Claim, ...]], ruled: Rulings) -> frozenset[str]:
    """The ids of the slight claims that were asked for."""
    if not ruled.lifted:
        return frozenset()
    return frozenset(one.id for claims in slight.values() for one in claims if rulings.is_lifted(one, ruled.lifted))


def _worthy(old: _Ground, left: Mapping[str, ClaimFile], alone: Mapping[str, frozenset[str]]) -> dict[str, ClaimFile]:
    """The files without what stays on cards; the very values of before where nothing changed."""
    found: dict[str, ClaimFile] = {}
    for source, file in left.items():
        out = alone.get(source, frozenset())
        if old.left.get(source) is file and old.alone.get(source, frozenset()) == out:
            found[source] = old.files[source]
        else:
            found[source] = replace(file, claims=tuple(each for each in file.claims if each.id not in out)) if out else file
    return found


def _renamed(old: _Ground, new: _Ground, ruled: Rulings) -> set[str]:
    """The mentions whose subjects are named, or whose conflicts are settled, otherwise than before."""
    moved = rulings.touched(old.ruled, ruled)
    was, now = old.ruled.settled, ruled.settled
    changed = {id for id in was.keys() | now.keys() if was.get(id) != now.get(id)}
    if changed:
        moved |= {mention for mention, said in new.claims.items() if any(claim.id in changed for claim in said)}
    found = {mention for mention in moved if mention in new.claims}
    return found | {other for mention in found for other in new.groups.get(mention, ())}


def _ground(
    old: _Ground, files: Mapping[str, ClaimFile], judged: Mapping[Pair, Judgement], owners: Mapping[str, str]
) -> tuple[_Ground, set[str]]:
    """The new ground, and the mentions whose subjects it may change."""
    changed = {source for source in old.files.keys() | files.keys() if old.files.get(source) is not files.get(source)}
    touched: dict[str, list[Claim]] = defaultdict(list)
    for source in changed:
        for file in (old.files.get(source), files.get(source)):
            for claim in file.claims if file else ():
                touched.setdefault(claim.mention.id, [])
                if file is files.get(source):
                    touched[claim.mention.id].append(claim)
    claims = dict(old.claims)
    for mention, added in touched.items():
        kept = [claim for claim in old.claims.get(mention, ()) if claim.evidence[0].source not in changed]
        claims[mention] = (*kept, *added)
        if not claims[mention]:
            del claims[mention]
    mentions = set(touched) | _by_owner(old.owners, owners, claims)
    groups = old.groups
    differing = {key for key in old.judged.keys() | judged.keys() if old.judged.get(key) != judged.get(key)}
    if differing or any(mention not in old.claims or mention not in claims for mention in mentions):
        groups = _groups(claims, judged)
        every = groups.keys() | old.groups.keys()
        mentions |= {mention for mention in every if groups.get(mention) != old.groups.get(mention)}
    if differing:
        ids = {id for key in differing for id in key}
        mentions |= {mention for mention, said in claims.items() if any(claim.id in ids for claim in said)}
    # What becomes of one mention of a subject concerns the others.
    mentions |= {other for mention in mentions for other in (*old.groups.get(mention, ()), *groups.get(mention, ()))}
    return _Ground(files, claims, dict(judged), owners, groups, old.names), mentions


def _by_owner(old: Mapping[str, str], new: Mapping[str, str], claims: Mapping[str, Iterable[Claim]]) -> set[str]:
    """The mentions with evidence in a turn that has another owner now."""
    moved = {turn for turn in old.keys() | new.keys() if old.get(turn) != new.get(turn)}
    if not moved:
        return set()
    return {mention for mention, said in claims.items() if any(one.turn in moved for claim in said for one in claim.evidence)}


def _groups(living: Mapping[str, object], judged: Mapping[Pair, Judgement]) -> dict[str, frozenset[str]]:
    """The mentions that were judged to be one, by each of them."""
    home: dict[str, frozenset[str]] = {}
    apart: dict[str, set[str]] = defaultdict(set)
    for (one, other), judgement in judged.items():
        if judgement.relation is Relation.DIFFERENT:
            apart[one].add(other)
            apart[other].add(one)
    for (one, other), judgement in sorted(judged.items()):
        if judgement.of != "mentions" or judgement.relation is not Relation.SAME:
            continue
        if one not in living or other not in living:
            continue
        mine, theirs = home.get(one, frozenset({one})), home.get(other, frozenset({other}))
        # Two that were judged different never meet through a third.
        if all(apart[mention].isdisjoint(theirs) for mention in mine if mention in apart):
            home |= dict.fromkeys(mine | theirs, mine | theirs)
    return home


def _about(judged: Mapping[Pair, Judgement]) -> Mapping[str, list[Judgement]]:
    """Judgements of claims by the first of their two ids."""
    about: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in judged.values():
        if judgement.of == "claims":
            about[judgement.pair[0]].append(judgement)
    return about


def _names(
    old: Mapping[Name, frozenset[str]],
    changed: Iterable[str],
    before: Mapping[str, Subject],
    after: Mapping[str, Subject],
) -> tuple[Mapping[Name, frozenset[str]], Mapping[str, set[Name]]]:
    """The keys by name, and the names that came, went, or name a subject that is another now, by their first word."""
    names = dict(old)
    moved: dict[str, set[Name]] = defaultdict(set)
    for key in changed:
        was, now = before.get(key), after.get(key)
        gone, come = set(was.names if was else ()), set(now.names if now else ())
        alike = was is not None and now is not None and (was.scope, was.title) == (now.scope, now.title)
        for name in gone ^ come if alike else gone | come:
            moved[name[0]].add(name)
            keys = names.get(name, frozenset()) - {key} | ({key} if name in come else set())
            names[name] = keys
            if not keys:
                del names[name]
    return names, moved


def _may_name(subject: Subject, moved: Mapping[str, Iterable[Name]]) -> bool:
    """Whether a subject's claims hold all the words of one of these names, by its first word."""
    if moved.keys().isdisjoint(subject.words):
        return False
    return any(subject.words.issuperset(name) for first in moved.keys() & subject.words for name in moved[first])


def _named_in(subject: Subject, names: Mapping[Name, frozenset[str]], subjects: Mapping[str, Subject]) -> tuple[str, ...]:
    """The subjects that one's claims name, the most named first: within its own scope and those it is a part of, or of none."""
    times: dict[str, int] = defaultdict(int)
    seen = ("", *scopes.lineage(subject.scope))
    for standing in subject.standings:
        said = texts.words(standing.claim.text)
        for place in range(len(said)):
            for end in range(place + 1, min(place + NAME, len(said)) + 1):
                for key in names.get(said[place:end], ()):
                    times[key] += key != subject.key and subjects[key].scope in seen
    ranked = sorted((key for key in times if times[key]), key=lambda key: (-times[key], subjects[key].title, key))
    return tuple(ranked[:RELATED])
