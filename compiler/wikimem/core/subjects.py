"""Subjects: what one page is about, with its names, its claims and its timeline. Not the page, and not its slug."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from wikimem.core import archive, pairs, rulings, texts, timeline
from wikimem.core import claims as claim_values
from wikimem.core.claims import Claim, Kind, Mention
from wikimem.core.cold import Own
from wikimem.core.judgements import Judgement
from wikimem.core.rulings import Rulings
from wikimem.core.timeline import Interval, Standing
from wikimem.core.vocabulary import Vocabulary

NAME = 6
"""Words of a name that is looked for in texts at most."""

Name = tuple[str, ...]
"""A subject's name as words."""


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
        names: its names as words, without those too short or too long to be looked for in a text.
        summary: what a person said in its head; empty usually.
        lead: the line that a person wrote below its title; `-` for none, empty where nobody did.
        cited: standings of others that its lead cites; of a page that consolidation made, and that has no claims of its own.
        archived: the day since which nothing of it has held, if its page is in the archive; else empty.
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
    names: tuple[Name, ...]
    summary: str = ""
    lead: str = ""
    cited: tuple[Standing, ...] = ()
    archived: str = ""


def made(own: Own, ruled: Rulings = rulings.NONE) -> Subject:
    """A page that consolidation made, as a subject without claims of its own; arguments as `make_subject`."""
    key = own.page.id
    steps = [replace(own.standings[id], intervals=_now(own.standings[id]), rivals=()) for id in own.steps]
    shown = (replace(one, claim=replace(one.claim, kind=Kind.PROCEDURAL, step=number)) for number, one in enumerate(steps, 1))
    return Subject(
        key=key,
        scope=own.page.scope,
        type=own.page.type,
        title=rulings.named((key,), ruled.titles) or own.page.name,
        aliases=tuple(sorted(ruled.aliases.get(key, ()))),
        mentions=(key,),
        claims=(),
        judged=(),
        standings=tuple(shown),
        words=frozenset(),
        names=(),
        summary=rulings.named((key,), ruled.summaries),
        lead=rulings.named((key,), ruled.leads),
        cited=tuple(own.standings[id] for id in sorted(own.standings)),
    )


def _now(standing: Standing) -> tuple[Interval, ...]:
    return (standing.current,) if standing.current is not None else ()


def make_subject(
    key: str,
    mentions: Iterable[str],
    said: Iterable[Claim],
    owners: Mapping[str, str],
    about: Mapping[str, Iterable[Judgement]],
    vocabulary: Vocabulary,
    ruled: Rulings = rulings.NONE,
    concluded: Iterable[Claim] = (),
) -> Subject:
    """The subject of some mentions.

    Args:
        key: its identity.
        mentions: ids of its mentions.
        said: all claims about them, each once a source.
        owners: who owns a turn that several sources hold.
        about: judgements of claims by the first of their two ids; any others are passed over.
        vocabulary: the vault's.
        ruled: what people ruled.
        concluded: what consolidation concluded of them, each once.
    """
    own = tuple(sorted(mentions))
    told = [claim_values.distinct(claim, owners) for claim in claim_values.united(said).values()]
    claims = tuple(sorted((*told, *concluded), key=lambda claim: claim.id))
    ids = {claim.id for claim in claims}
    among = (judgement for id in ids for judgement in about.get(id, ()) if judgement.pair[1] in ids)
    judged = tuple(sorted(among, key=lambda judgement: judgement.pair))
    relations = pairs.relations(claims, {judgement.pair: judgement for judgement in judged}, vocabulary)
    standings = timeline.fold(claims, relations, ruled.settled)
    by_time = sorted(claims, key=lambda claim: (claim.said or "~", claim.id))
    first = by_time[0].mention
    names: dict[str, str] = {}
    for claim in by_time:
        names.setdefault(texts.key(claim.mention.name), texts.normal(claim.mention.name))
    titled = rulings.named(own, ruled.titles) or title(first)
    for name in (name for id in own for name in ruled.aliases.get(id, ())):
        names[texts.key(name)] = name
    for name in (titled, *(name for id in own for name in ruled.unaliased.get(id, ()))):
        names.pop(texts.key(name), None)
    aliases = tuple(sorted(names.values()))
    return Subject(
        key=key,
        scope=first.scope,
        type=rulings.named(own, ruled.types) or first.type,
        title=titled,
        aliases=aliases,
        mentions=own,
        claims=claims,
        judged=judged,
        standings=standings,
        words=frozenset(word for standing in standings for word in texts.words(standing.claim.text)),
        names=_findable((titled, *aliases)),
        summary=rulings.named(own, ruled.summaries),
        lead=rulings.named(own, ruled.leads),
        archived=archive.day_of(own, ruled.archived, claims, standings),
    )


def title(mention: Mention) -> str:
    """A mention's name as a title: a name of several plain lower-case words gets a capital; any other stays."""
    name = texts.normal(mention.name)
    if mention.type == "procedure":
        # A command is named as it is typed.
        return name
    first, _, rest = name.partition(" ")
    return name[:1].upper() + name[1:] if rest and first.isalpha() and first.islower() else name


def _findable(names: Iterable[str]) -> tuple[Name, ...]:
    found = {texts.words(name) for name in names}
    return tuple(sorted(words for words in found if len("".join(words)) >= 3 and len(words) <= NAME))
