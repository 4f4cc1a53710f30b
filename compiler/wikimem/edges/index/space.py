"""The numbers of one search: the passages of the turns first, then the documents of the wiki. Only a view of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from operator import and_
from typing import Any

from wikimem.core import scopes, statements
from wikimem.core.queries import Within
from wikimem.core.statements import Statement
from wikimem.edges.index import schema
from wikimem.edges.index.reading import Snapshot

_LAST = 99_999_999


class Space:
    """Two snapshots side by side; `turns` numbers are the first one's own.

    Args:
        turns: of the sources.
        wiki: of subjects and pages; None if the vault has none.
        within: what the search is confined to.
    """

    def __init__(self, turns: Snapshot, wiki: Snapshot | None, within: Within) -> None:
        self.turns = turns
        self.wiki = wiki if wiki is not None and wiki.count else None
        self.within = within
        self.base = turns.count
        self._read: dict[int, Statement] = {}
        self._known: dict[str, dict[str, Statement]] = {}

    @property
    def count(self) -> int:
        """How many passages rarity is reckoned over."""
        return self.turns.count or (self.wiki.count if self.wiki else 0)

    @property
    def words(self) -> int:
        """How many words all passages have together."""
        return sum(segment.words for side in (self.turns, self.wiki) if side is not None for segment in side.segments)

    def is_turn(self, number: int) -> bool:
        """Whether a number is that of a turn."""
        return number < self.base

    @property
    def seen(self) -> frozenset[int]:
        """The numbers of what the scope that asks may see under strict isolation."""
        return frozenset().union(*(self.having("scope", scope) for scope in scopes.lineage(self.within.scope)))

    def is_claim(self, number: int) -> bool:
        """Whether a number that was ranked is that of a claim."""
        return self.wiki is not None and number >= self.base and number - self.base not in self.wiki.having("kind", "prose")

    def beside(self, number: int, far: int) -> Sequence[int]:
        """As `Snapshot.beside`; nothing stands beside what is no turn."""
        return self.turns.beside(number, far) if number < self.base else ()

    def having(self, field: str, term: str) -> frozenset[int]:
        """As `Snapshot.having`, of both."""
        found = self.turns.having(field, term)
        if self.wiki is None:
            return found
        more = self.wiki.having(field, term, self.base)
        return found | more if found and more else found or more

    def said(self, number: int) -> int:
        """As `Snapshot.said`."""
        if number < self.base or self.wiki is None:
            return self.turns.said(number)
        return self.wiki.said(number - self.base)

    def session(self, number: int) -> int:
        """A number that the passages of one source share; one of its own for what is no turn."""
        return self.turns.session(number) if number < self.base else number

    def size(self, number: int) -> int:
        """How many words a passage has."""
        if number < self.base or self.wiki is None:
            return self.turns.size(number)
        return self.wiki.size(number - self.base)

    def body(self, number: int) -> tuple[Any, ...]:
        """What is stored of a document of the wiki."""
        assert self.wiki is not None
        return self.wiki.body(number - self.base)

    def turns_of(self, number: int) -> list[int]:
        """The numbers of the turns that prove a claim, as far as they are in the index, in the order of the proof."""
        found = []
        for source, at in self.body(number)[1]:
            for turn in self.turns.marked(f"{source}:{at}"):
                passage = self.turns.passage(turn)
                if (passage.source, passage.at) == (source, at):
                    found.append(turn)
        return found

    def statement(self, number: int) -> Statement | None:
        """The claim of a number, as it was known at the moment asked for; None if nothing of it was."""
        if number not in self._read:
            self._read[number] = self._seen(statements.unpack(self.body(number)[2], self.within.zone))
        found = self._read[number]
        if not self.within.known:
            return found
        then = self._then(self.body(number)[0])
        return next((then[member.id] for member in found.members if member.id in then), None)

    def by_id(self, unit: str, id: str) -> tuple[int, Statement] | None:
        """A standing of a subject by the id of a claim in it, with its number."""
        if self.wiki is None:
            return None
        if self.within.known:
            found = self._then(unit).get(id)
            return (self._number(found, unit), found) if found is not None else None
        for number in self.wiki.marked(id):
            told = self.statement(self.base + number) if _is_claim(self.wiki.body(number)) else None
            if told is not None and told.id == id:
                return self.base + number, told
        return None

    def by_claim(self, id: str) -> Statement | None:
        """A standing by the id of the claim that is shown for it, whatever the subject."""
        found = self.by_id("", id) if not self.within.known else None
        return found[1] if found is not None else None

    def _then(self, unit: str) -> dict[str, Statement]:
        """The standings of a subject at the moment of knowledge, by the id of each claim in them."""
        if unit not in self._known:
            self._known[unit] = self._fold(unit)
        return self._known[unit]

    def _fold(self, unit: str) -> dict[str, Statement]:
        assert self.wiki is not None
        told = []
        relations: statements.Relations = {}
        for number in self.wiki.having("source", unit):
            body = self.wiki.body(number)
            if _is_claim(body):
                told.append(statements.unpack(body[2], self.within.zone))
            else:
                relations = statements.unpack_relations(body[2])
        captured = self.within.captured
        recorded = {source: when for source, (when, _) in captured.items()}
        whose = {source: scope for source, (_, scope) in captured.items()}
        then = statements.known(told, relations, self.within.known, recorded, whose)
        return {member.id: self._seen(one) for one in then for member in one.members}

    def _seen(self, statement: Statement) -> Statement:
        within = self.within
        return statements.veiled(statement, within.scope) if within.strict else statement

    def _number(self, statement: Statement, unit: str) -> int:
        """The number of the document that holds a claim of a standing: another claim may be shown for it now."""
        assert self.wiki is not None
        ids = {member.id for member in statement.members}
        for number in self.wiki.having("source", unit):
            body = self.wiki.body(number)
            if _is_claim(body) and not ids.isdisjoint(
                member.id for member in statements.unpack(body[2], self.within.zone).members
            ):
                return self.base + number
        return -1

    def allowed(self) -> set[int] | None:
        """The numbers that may answer; None for all. Known before ranking, so that no limit cuts it short.

        It is no frozenset: only with a set does Python walk the smaller side of `keys() & allowed`.
        """
        within = self.within
        having = [("kind", within.kind)] if within.kind else []
        having += [("speaker", within.speaker.value)] if within.speaker is not None else []
        every = [self.having(field, term) for field, term in having]
        every += [self.seen] if within.strict else []
        sets = sorted(every, key=len)
        kept = set(sets[0]).intersection(*sets[1:]) if sets else None
        if within.since or within.until or within.timed:
            then = self._then_said()
            kept = then if kept is None else kept & then
        if within.known and self.wiki is not None and kept is not None:
            # Nobody knows when people wrote what stands on a page.
            kept -= self.having("kind", "prose")
        return kept

    def _then_said(self) -> set[int]:
        """What was said in the days asked for; what nobody dated may answer where only a moment is asked for."""
        within = self.within
        ranged = bool(within.since or within.until)
        first = max(schema.day(within.since), schema.UNKNOWN + 1) if ranged else schema.UNKNOWN
        until = schema.day(within.until) if within.until else _LAST
        last = min(until, schema.day(within.zone.day(f"{within.timed}Z"))) if within.timed else until
        found: set[int] = set()
        for segment in self.turns.segments:
            found.update(_within_days(segment.base, segment.day, segment.day, first, last))
        # Of a claim, `at` asks when it held, not when it was said.
        last = min(until, schema.day(within.zone.day(f"{within.zone.last(within.known)}Z"))) if within.known else until
        for segment in self.wiki.segments if self.wiki else ():
            found.update(_within_days(self.base + segment.base, segment.day, segment.last, first, last))
        return found


def _within_days(base: int, early: Sequence[int], late: Sequence[int], first: int, last: int) -> Iterator[int]:
    """The numbers, from a base, of documents that began by a last day and did not end before a first one.

    `schema.UNKNOWN` is before every day, so what nobody dated is among them only where the first day is not given.
    """
    numbers = range(base, base + len(early))
    begun = map(last.__ge__, early)
    if first <= schema.UNKNOWN:
        return compress(numbers, begun)
    return compress(numbers, map(and_, begun, map(first.__le__, late)))


def _is_claim(body: tuple[Any, ...]) -> bool:
    """Whether a stored document is a claim: unit, citations and statement; that of a unit has its key in their place."""
    return len(body) == 3 and isinstance(body[1], tuple)


def may_answer(statement: Statement, within: Within) -> bool:
    """Whether a claim may be shown: what it is proved by was said as asked, and it held when asked."""
    if within.strict and not scopes.sees(within.scope, statement.scope):
        return False
    if within.at and not statements.holds_at(statement, within.at):
        return False
    if not (within.since or within.until or within.speaker):
        return True
    return any(
        (within.speaker is None or one.speaker == within.speaker.value)
        and (not within.since or (one.said and one.day >= within.since))
        and (not within.until or (one.said and one.day <= within.until))
        for one in statement.claim.evidence
    )
