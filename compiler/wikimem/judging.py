"""Judging: which pairs a change of the claims calls for, asked of the model and folded in. Nothing is written here.

Names first, since what is one subject decides which claims are held against each other; then the claims of each subject
that changed. What rules decide without asking is told in `core.pairs`.

Two sides that only sources of the built-in rules yield are judged by these rules, whoever compiles now: what was compiled
for nothing does not begin to cost because a paid model was chosen since.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from wikimem.core import fold, judgements, linking, pairs
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.claims import Claim, Mention
from wikimem.core.fold import Wiki
from wikimem.core.judgements import Judgement, Relation
from wikimem.core.questions import Question, Reply, Task
from wikimem.core.vocabulary import Vocabulary
from wikimem.edges.models import Model, Paid
from wikimem.edges.models.rules import Rules
from wikimem.edges.prompts import Prompts
from wikimem.errors import ModelFailed, ModelPaused
from wikimem.memory import Memory

_FREE = frozenset({Rules.name, "code"})
"""By whom sources were compiled that cost nothing, as their stamps say."""

_Couple = tuple[Claim, Claim] | tuple[Mention, Mention]


@dataclass(frozen=True, slots=True)
class Linked:
    """A memory after a change.

    Args:
        memory: with the new judgements, folded.
        added: the judgements that are to be kept.
        read: tokens that the model read.
        wrote: tokens that it wrote.
    """

    memory: Memory
    added: tuple[Judgement, ...]
    read: int
    wrote: int


class Linker:
    """Links one change after the other; remembers the names it has seen, so that a change costs what it touches.

    Args:
        model: who judges.
        prompts: how it is asked.
        vocabulary: the vault's.
        wiki: what was folded before.
        jobs: how many questions are asked at once.
    """

    def __init__(self, model: Model, prompts: Prompts, vocabulary: Vocabulary, wiki: Wiki, jobs: int = 1) -> None:
        self._model, self._prompts, self._vocabulary, self._jobs = model, prompts, vocabulary, jobs
        self._mentions: dict[str, Mention] = {}
        self._blocks: dict[pairs.Block, set[str]] = defaultdict(set)
        self._read = self._wrote = 0
        self._rules = Rules()
        self._know(claim.mention for subject in wiki.subjects.values() for claim in subject.claims)

    def link(self, memory: Memory, files: Mapping[str, ClaimFile], owners: Mapping[str, str], everything: bool = False) -> Linked:
        """The memory with other claims files.

        Args:
            memory: before the change.
            files: all claims files after it.
            owners: who owns a turn that several sources hold.
            everything: look at all pairs, not only at those with something new: for a wiki that others changed as well.

        Raises:
            ModelFailed: the model gave no usable answer.
        """
        self._read = self._wrote = 0
        before = fold.empty(self._vocabulary) if everything else memory.wiki
        every = list(memory.judged)
        added: list[Judgement] = []

        def again(wiki: Wiki) -> Wiki:
            return fold.again(wiki, files.values(), judgements.settled([*every, *added]), self._vocabulary, owners)

        wiki = again(memory.wiki)
        fresh = self._know(claim.mention for key in fold.touched(before, wiki) for claim in _claims(wiki, key))
        # All of them: their judgements may have gone with those that are made anew.
        names = self._names(judgements.settled(every), None if everything else fresh)
        found, kept = self._judge(Task.MENTIONS, names, "mentions", _paid_names(wiki, files))
        if found:
            added += found
            wiki = again(wiki)
        facts = self._facts(before, wiki, judgements.settled([*every, *added]))
        found, more = self._judge(Task.CLAIMS, facts, "claims", lambda claim: _is_paid(claim, files))
        if found:
            added += found
            wiki = again(wiki)
        kept += more
        linked = Memory(dict(files), (*memory.judged, *kept), wiki, memory.problems)
        return Linked(linked, tuple(kept), self._read, self._wrote)

    def apart(self) -> Linker:
        """A linker that knows what this one knows, and of which this one learns nothing."""
        other = copy(self)
        other._mentions = dict(self._mentions)
        other._blocks = defaultdict(set, {block: set(ids) for block, ids in self._blocks.items()})
        return other

    def _know(self, mentions: Iterable[Mention]) -> set[str]:
        """Remember mentions; the ids of those that are new."""
        new: set[str] = set()
        for mention in mentions:
            if mention.id not in self._mentions:
                self._mentions[mention.id] = mention
                new.add(mention.id)
                for block in pairs.blocks(mention):
                    self._blocks[block].add(mention.id)
        return new

    def _names(self, judged: Mapping[judgements.Pair, Judgement], fresh: set[str] | None) -> Sequence[_Couple]:
        """The pairs of names that need a judgement."""
        if fresh is None:
            near = set(self._mentions)
        else:
            near = {other for id in fresh for block in pairs.blocks(self._mentions[id]) for other in self._blocks[block]}
        return pairs.needed_mentions((self._mentions[id] for id in near), judged, fresh)

    def _facts(self, before: Wiki, wiki: Wiki, judged: Mapping[judgements.Pair, Judgement]) -> Sequence[_Couple]:
        """The pairs of claims that need a judgement."""
        found: list[_Couple] = []
        for key in fold.touched(before, wiki):
            if key in wiki.subjects:
                fresh = _fresh(before, wiki, key)
                found += pairs.needed(wiki.subjects[key].claims, judged, self._vocabulary, fresh)
        return found

    def _judge(
        self, task: Task, found: Sequence[_Couple], of: str, is_paid: Callable[[Any], bool]
    ) -> tuple[list[Judgement], list[Judgement]]:
        """Judgements of pairs, in their order, and those of them that are to be kept.

        Args:
            is_paid: whether one side of a pair comes from a source that a model was asked about.
        """
        free = [not (is_paid(one) or is_paid(other)) for one, other in found]
        questions = [self._prompts.question(task, couple) for couple in found]
        told = iter(self._ask([question for question, is_free in zip(questions, free, strict=True) if not is_free]))
        made: list[Judgement] = []
        kept: list[Judgement] = []
        for (one, other), question, is_free in zip(found, questions, free, strict=True):
            model = self._rules if is_free else self._model
            reply = model.ask(question) if is_free else next(told)
            self._read += reply.read
            self._wrote += reply.wrote
            try:
                judgement = linking.read(reply.content, (one.id, other.id), of, model.name)
            except ValueError as wrong:
                raise ModelFailed(model.name, f"about a pair of {of}: {wrong}") from None
            made.append(judgement)
            # What the rules find unrelated of their own, they will find again, at no price.
            if not is_free or judgement.relation not in (Relation.UNRELATED, Relation.DIFFERENT):
                kept.append(judgement)
        return made, kept

    def _ask(self, questions: Sequence[Question]) -> list[Reply]:
        """Replies, in order; where one fails, the others are asked all the same, since they are kept."""
        if not questions or not isinstance(self._model, Paid):
            return [self._model.ask(question) for question in questions]
        found: list[Reply] = []
        failed: list[Exception] = []
        for reply in self._model.ask_many(questions, self._jobs):
            if isinstance(reply, Exception):
                failed.append(reply)
            else:
                found.append(reply)
        if failed:
            # What is wrong says more than what is waited for.
            raise next((error for error in failed if not isinstance(error, ModelPaused)), failed[0])
        return found


def _claims(wiki: Wiki, key: str) -> tuple[Claim, ...]:
    return wiki.subjects[key].claims if key in wiki.subjects else ()


def _fresh(before: Wiki, wiki: Wiki, key: str) -> Container[str] | None:
    """The ids of a subject's claims that are new; None where two subjects became one, so that all are held together."""
    old, new = before.subjects.get(key), wiki.subjects[key]
    if old is None or old.mentions != new.mentions:
        known = [before.subjects[mention] for mention in new.mentions if mention in before.subjects]
        if len(known) > 1:
            return None
        old = known[0] if known else None
    had = {claim.id for claim in old.claims} if old else set()
    return {claim.id for claim in new.claims} - had


def _is_paid(claim: Claim, files: Mapping[str, ClaimFile]) -> bool:
    """Whether a source that proves a claim was compiled by another model than the built-in rules."""
    return any(one.source in files and files[one.source].stamp.model not in _FREE for one in claim.evidence)


def _paid_names(wiki: Wiki, files: Mapping[str, ClaimFile]) -> Callable[[Mention], bool]:
    """Tells whether a claim about a mention comes from another model than the built-in rules."""
    return lambda mention: any(_is_paid(claim, files) for claim in wiki.ground.claims.get(mention.id, ()))
