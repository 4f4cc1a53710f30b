"""Judging: which pairs a change of the claims calls for, asked of the model and folded in. Nothing is written here.

Names first, since what is one subject decides which claims are held against each other; then the claims of each subject
that changed. What rules decide without asking is told in `core.pairs`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from wikimem.core import fold, judgements, linking, pairs
from wikimem.core.claimfiles import ClaimFile
from wikimem.core.claims import Claim, Mention
from wikimem.core.fold import Wiki
from wikimem.core.judgements import Judgement, Relation
from wikimem.core.questions import Task
from wikimem.core.vocabulary import Vocabulary
from wikimem.edges.models import Model
from wikimem.edges.prompts import Prompts
from wikimem.errors import ModelFailed
from wikimem.memory import Memory


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
    """

    def __init__(self, model: Model, prompts: Prompts, vocabulary: Vocabulary, wiki: Wiki) -> None:
        self._model, self._prompts, self._vocabulary = model, prompts, vocabulary
        self._mentions: dict[str, Mention] = {}
        self._blocks: dict[pairs.Block, set[str]] = defaultdict(set)
        self._read = self._wrote = 0
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
        found = self._names(judgements.settled(every), None if everything else fresh)
        if found:
            added += found
            wiki = again(wiki)
        found = self._facts(before, wiki, judgements.settled([*every, *added]))
        if found:
            added += found
            wiki = again(wiki)
        kept = tuple(one for one in added if _is_kept(one))
        linked = Memory(dict(files), (*memory.judged, *kept), wiki, memory.problems)
        return Linked(linked, kept, self._read, self._wrote)

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

    def _names(self, judged: Mapping[judgements.Pair, Judgement], fresh: set[str] | None) -> list[Judgement]:
        if fresh is None:
            near = set(self._mentions)
        else:
            near = {other for id in fresh for block in pairs.blocks(self._mentions[id]) for other in self._blocks[block]}
        found = pairs.needed_mentions((self._mentions[id] for id in near), judged, fresh)
        return [self._ask(Task.MENTIONS, pair, (pair[0].id, pair[1].id), "mentions") for pair in found]

    def _facts(self, before: Wiki, wiki: Wiki, judged: Mapping[judgements.Pair, Judgement]) -> list[Judgement]:
        found: list[Judgement] = []
        for key in fold.touched(before, wiki):
            if key not in wiki.subjects:
                continue
            fresh = _fresh(before, wiki, key)
            needed = pairs.needed(wiki.subjects[key].claims, judged, self._vocabulary, fresh)
            found += [self._ask(Task.CLAIMS, pair, (pair[0].id, pair[1].id), "claims") for pair in needed]
        return found

    def _ask(
        self, task: Task, values: tuple[Claim, Claim] | tuple[Mention, Mention], pair: judgements.Pair, of: str
    ) -> Judgement:
        reply = self._model.ask(self._prompts.question(task, values))
        self._read += reply.read
        self._wrote += reply.wrote
        try:
            return linking.read(reply.content, pair, of, self._model.name)
        except ValueError as wrong:
            raise ModelFailed(self._model.name, f"about a pair of {of}: {wrong}") from None


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


def _is_kept(judgement: Judgement) -> bool:
    """Whether a judgement is written down: what the built-in rules find unrelated, they find again at no price."""
    return judgement.by != "rules" or judgement.relation not in (Relation.UNRELATED, Relation.DIFFERENT)
