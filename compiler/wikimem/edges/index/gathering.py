"""Ranked numbers to answers: a claim with its turns, with those it ended, with those it contradicts. Each shown once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from wikimem.core import ranking, scopes, texts, words
from wikimem.core.answers import Answer, Told, Written
from wikimem.core.lifting import Rank
from wikimem.core.passages import Hit
from wikimem.core.statements import Statement
from wikimem.core.turns import Speaker
from wikimem.edges.index import schema
from wikimem.edges.index.space import Space, may_answer

_TELLING = 40
"""Characters from which on the same words of the same speaker are a copy, and not just said again."""
_STEPS = 16
"""How far a chain of claims that ended each other is followed."""


class Gathering:
    """The answers of one search, put together as the ranks are walked.

    Args:
        space: where the numbers lead.
        ranks: best first.
        wanted: the roots of the query's words.
        proving: the claims that each turn proves, best first, as far as they were keys of their turns.
        context: neighbours brought on each side of a turn.
    """

    def __init__(
        self, space: Space, ranks: Sequence[Rank], wanted: set[str], proving: Mapping[int, Sequence[int]], context: int
    ) -> None:
        self._space = space
        self._ranks = ranks
        self._wanted = wanted
        self._proving = proving
        self._context = context
        self._by_number = {rank.number: rank for rank in ranks}
        self._answers: list[Answer] = []
        self._place: dict[str, int] = {}
        """Where each claim that is shown stands among the answers."""
        self._said: dict[str, int] = {}
        """The texts of claims that are shown, each with its place among the answers."""
        self._taken: dict[int, int] = {}
        """Turns that stand behind a claim that is shown, and its place among the answers."""
        self._seen: set[str] = set()
        """Identities of turns that are shown."""
        self._texts: set[tuple[Speaker, str]] = set()
        """What they say: a session that was exported twice answers once."""

    def answers(self, limit: int | None, together: bool = True) -> list[Answer]:
        """The answers, best first.

        Args:
            limit: at most so many.
            together: whether claims and turns make one answer; otherwise each stands for itself.
        """
        for rank in self._ranks:
            if limit is not None and len(self._answers) >= limit:
                break
            if not self._space.is_turn(rank.number):
                self._document(rank, together)
            elif rank.number not in self._taken and not (together and self._as_claim(rank)):
                self._turn(rank, together)
        return self._answers

    def _document(self, rank: Rank, together: bool) -> None:
        if not self._space.is_claim(rank.number):
            piece = schema.prose(self._space.body(rank.number))
            self._answers.append(Written(piece, rank.score, self._spots(piece.text)))
        elif together:
            self._claim(rank, rank.number)
        else:
            told = self._space.statement(rank.number)
            if told is not None and may_answer(told, self._space.within):
                self._answers.append(Told((told,), rank.score, self._spots(told.claim.text)))

    def _turn(self, rank: Rank, beside: bool) -> None:
        hit = self._hit(rank)
        if hit is None or (hit.passage.identity and hit.passage.identity in self._seen) or not (hit.spots or beside):
            return
        said = (hit.passage.speaker, hit.passage.text)
        if beside and len(hit.passage.text) >= _TELLING and said in self._texts:
            return
        self._texts.add(said)
        self._seen.add(hit.passage.identity)
        self._answers.append(hit)

    def _hit(self, rank: Rank) -> Hit | None:
        """The turn of a rank; None if it was said later than asked."""
        within, turns = self._space.within, self._space.turns
        passage = turns.passage(rank.number)
        if not within.said_by_then(passage.said, passage.source):
            return None
        beside = [(number, turns.passage(number)) for number in turns.beside(rank.number, self._context)]
        then = [(number, one) for number, one in beside if within.said_by_then(one.said, one.source)]
        before = tuple(one for number, one in then if number < rank.number)
        after = tuple(one for number, one in then if number > rank.number)
        return Hit(passage, rank.score, self._spots(passage.text), before, after)

    def _as_claim(self, rank: Rank) -> bool:
        """Show a turn's claims in its place, where they cover what the turn does."""
        for number in self._proving.get(rank.number, ()):
            own = self._by_number.get(number)
            if own is not None and own.covered >= ranking.EXPLAINS * rank.covered and self._claim(rank, number):
                return True
        return False

    def _claim(self, rank: Rank, number: int) -> bool:
        """Show a claim at the place of a rank; False if it may not be shown."""
        told = self._space.statement(number)
        if told is None or not may_answer(told, self._space.within):
            return False
        if told.id in self._place:
            return True
        ender = self._ender(told, self._space.body(number)[0])
        head = told if ender is None else ender[1]
        number = number if ender is None else ender[0]
        before = () if ender is None else (told,)
        if head.id in self._place:
            self._add_before(head.id, told)
            self._take(told)
            return True
        group = self._group(head, self._space.body(number)[0])
        if group is None:
            return False
        if not (len(group) == 1 and not before and head.current and self._join(number, head)):
            self._show(rank, number, group, before)
        return True

    def _join(self, number: int, told: Statement) -> bool:
        """Show a claim with one that is shown: of the same subject by the same turns, or in the same words of another one."""
        twin = self._said.get(texts.key(told.claim.text), -1)
        places = {self._taken.get(turn, -1) for turn in self._space.turns_of(number)}
        place = twin if twin >= 0 else places.pop() if len(places) == 1 else -1
        if place < 0:
            return False
        shown = self._answers[place]
        assert isinstance(shown, Told)
        alike = twin >= 0 or shown.first.about.key == told.about.key
        if len(shown.statements) > 1 or not shown.first.current or not alike:
            return False
        self._answers[place] = replace(shown, also=(*shown.also, told))
        self._place[told.id] = place
        return True

    def _add_before(self, id: str, ended: Statement) -> None:
        place = self._place[id]
        shown = self._answers[place]
        assert isinstance(shown, Told)
        if shown.first.id == id:
            before = sorted((*shown.before, ended), key=lambda one: one.standing.intervals[-1].ends, reverse=True)
            self._answers[place] = replace(shown, before=tuple(before))
            self._place[ended.id] = place

    def _ender(self, told: Statement, unit: str) -> tuple[int, Statement] | None:
        """Of an ended claim, the one in whose answer it is told: that which ended it, in the end, and answers too."""
        found: tuple[int, Statement] | None = None
        seen = {told.id}
        while not self._space.within.at and not told.current and len(seen) < _STEPS:
            by = next((id for id in told.enders if id not in seen), "")
            ender = self._space.by_id(unit, by) if by else None
            if ender is None:
                break
            seen.add(by)
            told = ender[1]
            if self._answers_too(*ender) and may_answer(told, self._space.within):
                found = ender
        return found

    def _answers_too(self, number: int, told: Statement) -> bool:
        """Whether a claim has anything of what was asked, though it may rank too low to be among the ranks."""
        about = told.about
        return number in self._by_number or any(self._roots(text) for text in (told.claim.text, about.title, *about.aliases))

    def _group(self, told: Statement, unit: str) -> tuple[Statement, ...] | None:
        """A claim with all that it is in conflict with, directly or not; None if one of them may not be shown."""
        group = {told.id: told}
        waiting = list(told.standing.rivals)
        while waiting:
            id = waiting.pop(0)
            if id in group:
                continue
            rival = self._space.by_id(unit, id)
            if rival is None:
                return None
            if not may_answer(rival[1], self._space.within):
                if self._space.within.at and (
                    not self._space.within.strict or scopes.sees(self._space.within.scope, rival[1].scope)
                ):
                    continue  # it did not hold then: no conflict
                return None
            group[id] = rival[1]
            waiting += rival[1].standing.rivals
        return tuple(group.values())

    def _show(self, rank: Rank, number: int, group: tuple[Statement, ...], before: tuple[Statement, ...]) -> None:
        proof = [turn for turn in self._space.turns_of(number) if self._is_open(turn)]
        # The turn that the question found, else the first that proves the claim.
        best = max(proof, key=lambda turn: self._by_number[turn].score if turn in self._by_number else 0.0, default=None)
        turn = None
        if best is not None:
            turn = self._hit(self._by_number.get(best, Rank(best, 0.0, 0.0)))
            turn = None if turn is not None and turn.passage.identity in self._seen and turn.passage.identity else turn
        first = group[0]
        self._taken.update(dict.fromkeys(proof, len(self._answers)))
        for one in (*group[1:], *before):
            self._take(one)
        if turn is not None:
            self._seen.add(turn.passage.identity)
        for one in (*group, *before):
            self._place[one.id] = len(self._answers)
        self._said.setdefault(texts.key(first.claim.text), len(self._answers))
        spots = self._spots(first.claim.text)
        more = turn is not None and self._says_more(turn, first)
        self._answers.append(Told(group, rank.score, spots, before, (), turn, more))

    def _take(self, told: Statement) -> None:
        """Let the turns that prove a claim beside another one stand for that one's answer."""
        for one in told.claim.evidence:
            for turn in self._space.turns.marked(f"{one.source}:{one.at}"):
                self._taken.setdefault(turn, self._place.get(told.id, len(self._answers)))

    def _is_open(self, turn: int) -> bool:
        within = self._space.within
        return not within.strict or any(
            turn in self._space.turns.having("scope", scope) for scope in scopes.lineage(within.scope)
        )

    def _says_more(self, turn: Hit, told: Statement) -> bool:
        """Whether a turn holds words of the query that neither the claim nor its quote holds."""
        if not turn.spots:
            return False
        said = self._roots(turn.passage.text)
        return not said <= {*self._roots(told.claim.text), *self._roots(told.first.quote), *self._roots(told.about.title)}

    def _roots(self, text: str) -> set[str]:
        return self._wanted.intersection(schema.terms(text))

    def _spots(self, text: str) -> tuple[int, ...]:
        return tuple(words.places(text, self._wanted, schema.roots))


def sort_by_kind(answers: Sequence[Answer]) -> Iterator[Answer]:
    """Claims first: the others do not tell when what they say holds."""
    yield from (answer for answer in answers if isinstance(answer, Told))
    yield from (answer for answer in answers if not isinstance(answer, Told))
