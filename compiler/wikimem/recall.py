"""Recall and search: what is claimed, said and written, found with its place, without a model and without a network.

`recall` gives an agent a bundle of evidence within a budget, or nothing; `search` gives a person a list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wikimem import branching, indexing, keeping, meaning, noting, reflecting, resting
from wikimem.core import bundles, entries, moments, passages, scopes, succession, telling, texts
from wikimem.core.answers import Answer, Told, Written
from wikimem.core.bundles import Bundle
from wikimem.core.passages import Hit, Passage
from wikimem.core.queries import Within
from wikimem.core.statements import Statement
from wikimem.core.turns import Speaker
from wikimem.edges import spool
from wikimem.edges.index import Index, Unusable
from wikimem.errors import BadMoment, Problem, VaultLocked
from wikimem.indexing import Shelves
from wikimem.noting import Asked
from wikimem.vault import Vault

PATIENCE = 20_000_000
"""Bytes that are not indexed yet: more than this is not caught up with while somebody waits for an answer."""


_SMALL = "small-budget"
_NAME, _NEAR = 4, 100
"""Words of a name at most; and among how many answers it is looked for who has it."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """The answer to a recall.

    Args:
        question: as it was asked.
        bundle: the evidence; without entries, nothing relevant was found.
        problems: what could not be searched, such as an index that is behind.
        id: of this recall in the log, for `feedback`; empty where nothing is logged.
    """

    question: str
    bundle: Bundle
    problems: tuple[Problem, ...]
    id: str = ""

    @property
    def narrow(self) -> bool:
        """Whether something was found, and nothing of it fits into the budget."""
        return any(each.rule == _SMALL for each in self.problems)

    def as_json(self) -> dict[str, Any]:
        """The answer as plain values; the shape is stable."""
        told = bundles.as_dict(self.bundle, self.question)
        return {**told, "recall": self.id, "problems": [str(each) for each in self.problems]}


@dataclass(frozen=True, slots=True)
class Listed:
    """The answer to a search: hits, best first.

    Args:
        hits: turns, claims and pieces of pages.
        problems: as in `Recalled`.
    """

    hits: tuple[Answer, ...]
    problems: tuple[Problem, ...]

    def as_json(self) -> dict[str, Any]:
        """The list as plain values; the shape is stable."""
        return {"hits": [_as_dict(hit) for hit in self.hits], "problems": [str(each) for each in self.problems]}


def _as_dict(hit: Answer) -> dict[str, Any]:
    match hit:
        case Hit(passage):
            told: dict[str, Any] = {
                "kind": "turn",
                "cite": passage.cite,
                "said": passage.said,
                "speaker": passage.speaker.value,
                "name": passage.name,
                "scope": passage.scope,
                "text": passage.text,
            }
        case Told():
            told = entries.claim(hit.first) | {"text": hit.first.claim.text}
        case Written(prose):
            told = entries.piece(prose) | {"text": prose.text}
    return told | {"score": round(hit.score, 4)}


@dataclass(frozen=True, slots=True)
class Matched:
    """Claims that match some words, best first.

    Args:
        statements: the claims, each with its place in time, its page and all that proves it.
        problems: as in `Recalled`.
    """

    statements: tuple[Statement, ...]
    problems: tuple[Problem, ...]

    def as_json(self) -> dict[str, Any]:
        """The claims as plain values; the shape is stable."""
        told = [telling.full(statement) for statement in self.statements]
        return {"claims": told, "problems": [str(each) for each in self.problems]}


def recall(
    vault: Vault,
    question: str,
    scope: str = "",
    budget: int = bundles.BUDGET,
    at: str = "",
    known: str = "",
    patience: int = PATIENCE,
    channel: str = "python",
    session: str = "",
    folder: str = "",
) -> Recalled:
    """Evidence for a question: claims of the wiki with the turns that prove them, other turns, and what people wrote.

    Args:
        vault: the vault.
        question: any text.
        scope: the project that asks, `project:checkout`. What it said ranks first, then, for a package of it
            (`project:shop/packages/api`), what the whole project said; in a strict vault nothing else is found.
        budget: tokens of the rendered bundle, by a conservative estimate.
        at: a moment in the world, `2026-03` or `2026-03-24T10:00Z`: only claims that held then, as far as is known now.
        known: a moment of knowledge: only what had been said by then, as it was understood with that alone.
        patience: bytes of what is not indexed yet that are read for the answer at most; with 0, the indexes are taken as
            they are, and without any, nothing is found.
        channel, session: who asks, for the log of recalls (`noting`); without a channel, the caller notes it.
        folder: where whoever asks is at work. What was only said on another branch of the code there, one that is known
            not to be merged, ranks lower; all of such branches says so.

    Raises:
        BadMoment: `at` or `known` is no moment.
    """
    within = _within(vault, scope, at=_moment("at", at), known=_moment("known", known))
    shelves, problems = _open(vault, patience) if patience else _as_they_are(vault)
    if shelves is None:
        return Recalled(question, bundles.build((), budget), tuple(problems))
    sense, more = meaning.opened(vault)
    with shelves:
        near = sense.near(question) if sense is not None else None
        found = shelves.search(question, bundles.HITS, within, context=1, meaning=near)
        apart = branching.among(vault, found.hits, folder)
        answers, stale = resting.settled(vault.ledger, shelves, within, apart.lowered(succession.corrected(found.hits)))
        if found.problems:
            shelves.doubt()
    if not found.query.terms:
        literal, told = _literal(vault, question, within, bundles.HITS)
        bundle, wrong = bundles.build(literal, budget), (*problems, told)
    else:
        bundle, wrong = bundles.build(answers, budget, apart), (*problems, *more, *found.problems, *stale)
    if not bundle.entries and (answers if found.query.terms else literal):
        wrong = (
            *wrong,
            Problem("budget", _SMALL, f"something was found, but nothing of it fits into {budget} tokens; allow more"),
        )
    noted = noting.note(vault, Asked(question, scope, at, known, channel, session), bundle) if channel else ""
    return Recalled(question, bundle, wrong, noted)


def hits(
    vault: Vault, question: str, scope: str = "", at: str = "", known: str = "", limit: int = bundles.HITS
) -> tuple[Answer, ...]:
    """The answers to a question as they are ranked, without a bundle: for who looks further. Arguments as for `recall`.

    Raises:
        BadMoment: `at` or `known` is no moment.
    """
    within = _within(vault, scope, at=_moment("at", at), known=_moment("known", known))
    shelves, _ = _open(vault, PATIENCE)
    if shelves is None:
        return ()
    sense, _ = meaning.opened(vault)
    with shelves:
        near = sense.near(question) if sense is not None else None
        found = shelves.search(question, limit, within, meaning=near)
        apart = branching.among(vault, found.hits)
        return resting.settled(vault.ledger, shelves, within, apart.lowered(succession.corrected(found.hits)))[0]


def search(
    vault: Vault,
    words: str,
    scope: str = "",
    since: str = "",
    until: str = "",
    speaker: Speaker | None = None,
    limit: int = 10,
    at: str = "",
    known: str = "",
) -> Listed:
    """Turns, claims and pieces of pages that hold any of some words, best first.

    Args:
        vault: the vault.
        words: any text.
        scope: as for `recall`.
        since: first day, `2026-08-14`; '' for all. Of a claim its evidence counts; what has no date is then left out.
        until: last day.
        speaker: only what this speaker said.
        limit: at most so many.
        at: as for `recall`.
        known: as for `recall`.

    Raises:
        BadMoment: `at` or `known` is no moment.
    """
    within = _within(vault, scope, since, until, speaker, _moment("at", at), _moment("known", known))
    shelves, problems = _open(vault)
    with shelves:
        # What is only a name asks first what is claimed of whom it names, however often the name was said.
        name = texts.key(words) if len(words.split()) <= _NAME else ""
        found = shelves.search(words, max(limit, _NEAR) if name else limit, within, listing=True)
        if found.problems:
            shelves.doubt()
    if not found.query.terms:
        hits, told = _literal(vault, words, within, limit)
        return Listed(hits, (*problems, told))
    listed = branching.among(vault, found.hits).lowered(found.hits)
    ranked = sorted(listed, key=lambda hit: not _is_of(hit, name)) if name else [*listed]
    return Listed(tuple(ranked[:limit]), (*problems, *found.problems))


def _is_of(hit: Answer, name: str) -> bool:
    """Whether it tells a claim about what has this name."""
    if not isinstance(hit, Told):
        return False
    about = hit.statements[0].about
    return name in (texts.key(about.title), *map(texts.key, about.aliases))


def claims_matching(vault: Vault, words: str, limit: int = 3, scope: str = "") -> Matched:
    """The claims that a statement means, best first, also those that have ended.

    Args:
        vault: the vault.
        words: words of a claim, or its id.
        limit: at most so many.
        scope: as for `recall`.
    """
    shelves, problems = _open(vault)
    within = _within(vault, scope)
    with shelves:
        if shelves.wiki is None:
            return Matched((), tuple(problems))
        found, broken = shelves.claims(words, limit, within)
    return Matched(found, (*problems, *broken))


def _moment(name: str, moment: str) -> str:
    if moment and not moments.is_moment(moment):
        raise BadMoment(name, moment)
    return moment


def _literal(vault: Vault, words: str, within: Within, limit: int) -> tuple[tuple[Hit, ...], Problem]:
    """Turns that hold a text to the letter, newest source first: for texts without any word that an index could hold."""
    sought = words.strip()
    told = "it holds no word that can be looked up"
    if len(sought) < 2 or not sought.strip("*?% "):
        return (), Problem(repr(sought[:40]), "no-words", f"{told}; ask with a word")
    hits: list[Hit] = []
    read = 0
    known = sorted(vault.ledger.all().values(), key=lambda each: (each.started, each.id), reverse=True)
    for sidecar in known:
        scope = sidecar.scope
        read += sidecar.raw.bytes
        if len(hits) >= limit or read > PATIENCE:
            break
        if within.strict and not scopes.sees(within.scope, scope):
            continue
        session = vault.ledger.read(sidecar.id)
        for passage in passages.of(sidecar.id, scope, session.turns, session.dead, vault.zone):
            place = passage.text.find(sought)
            then = within.said_by_then(passage.said, sidecar.id)
            if place >= 0 and then and _fits(passage, within) and len(hits) < limit:
                hits.append(Hit(passage, 1.0, (place,), (), ()))
    return tuple(hits), Problem(
        repr(sought[:40]), "literal", f"{told}; the newest {min(read, PATIENCE) // 1000} kB were read for it"
    )


def _fits(passage: Passage, within: Within) -> bool:
    day = passage.day
    early, late = within.since and day < within.since, within.until and day > within.until
    return not (early or late or ((within.since or within.until) and not day)) and within.speaker in (None, passage.speaker)


def _within(
    vault: Vault,
    scope: str,
    since: str = "",
    until: str = "",
    speaker: Speaker | None = None,
    at: str = "",
    known: str = "",
) -> Within:
    captured = {}
    if at or known:
        every = vault.ledger.all().values()
        captured = {each.id: (each.recorded, each.scope) for each in every}
    return Within(
        scope, vault.settings.isolation == "strict", since, until, speaker, at, known, captured=captured, zone=vault.zone
    )


def _open(vault: Vault, patience: int = PATIENCE) -> tuple[Shelves, list[Problem]]:
    """The indexes, brought in step if that is quick; else as they are, and a word about it."""
    vault.ledger.look()
    kept = keeping.take(vault)
    if kept is not None:
        return kept, []
    turns, problems = _turns(vault, patience)
    try:
        wiki, mark = _wiki(vault, problems, patience)
    except BaseException:
        turns.close()
        raise
    shelves = Shelves(turns, wiki)
    return (shelves if problems else keeping.keep(vault, shelves, mark)), problems


def _as_they_are(vault: Vault) -> tuple[Shelves | None, list[Problem]]:
    """The indexes, whether in step or not; None if there is none that can be read."""
    kept = keeping.take_as_they_are(vault)
    if kept is not None:
        return kept, []
    place = indexing.folder(vault.root)
    turns = Index.open(place) if (place / "current").exists() else None
    if not isinstance(turns, Index):
        return None, [Problem(str(place), "no-index", "there is no index yet; `wikimem ingest` makes it")]
    wiki = reflecting.opened(place)
    return keeping.keep_as_they_are(vault, Shelves(turns, wiki if isinstance(wiki, Index) else None)), []


def _turns(vault: Vault, patience: int) -> tuple[Index, list[Problem]]:
    place = indexing.folder(vault.root)
    place.mkdir(parents=True, exist_ok=True)
    index = Index.open(place)
    known = spool.joined(vault.root, vault.ledger).all()
    if isinstance(index, Unusable):
        return indexing.refresh_turns(vault.root, vault.ledger), []
    missing, gone = indexing.behind(index, known, vault.zone)
    if not missing and not gone:
        return index, []
    size = sum(known[source].raw.bytes for source in missing)
    if size <= patience:
        index.close()
        try:
            return indexing.refresh_turns(vault.root, vault.ledger), []
        except VaultLocked:
            index = Index.open(place)
            if isinstance(index, Unusable):
                raise
    told = f"the index is behind by {len(missing)} sources; `wikimem ingest` brings it up"
    return index, [Problem(str(place), "index-behind", told)]


def _wiki(vault: Vault, problems: list[Problem], patience: int) -> tuple[Index | None, str]:
    place = indexing.folder(vault.root)
    now = reflecting.look(vault.root, vault.ledger, vault.settings.vocabulary)
    index = reflecting.opened(place)
    usable = index if isinstance(index, Index) else None
    if (index is None and not now.mark) or (usable is not None and reflecting.is_fresh(place, now)):
        return usable, now.mark
    if usable is None or reflecting.cost(place, now) <= patience:
        try:
            fresh = reflecting.refresh(place, vault.root, vault.ledger, vault.settings.vocabulary)
        except VaultLocked:
            pass
        else:
            if usable is not None:
                usable.close()
            return fresh, now.mark
    told = "claims and pages changed that are not in the index yet; `wikimem compile` brings it up"
    problems.append(Problem(str(place / "wiki"), "index-behind", told))
    return usable, now.mark
