"""Identifying: names and claims all over the wiki that may be one, judged, checked, weighed, and kept as judgements of pairs.

What is judged `same` by whoever is asked is taken where no rule of `core.consolidation.identities` refuses it and the vault's
policy lets it in; else it waits for a person, or is left with the reason. No pair is asked about twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from wikimem.committing import Writer
from wikimem.core import linking
from wikimem.core.claims import Claim, Mention
from wikimem.core.cold import Held, Record, Refused, Step, is_void, pair_of
from wikimem.core.consolidation import identities
from wikimem.core.consolidation.identities import Couple
from wikimem.core.judgements import Judgement, Pair, Relation
from wikimem.core.policies import Finding, Policy, Risk, Way
from wikimem.core.questions import Question, Reply, Task
from wikimem.core.rulings import PERSON
from wikimem.edges.models import Paid
from wikimem.edges.models.rules import Rules
from wikimem.errors import ModelFailed, ModelPaused, PagesBroken
from wikimem.extracting import Extractor
from wikimem.vault import Vault

_APART = (Relation.UNRELATED, Relation.DIFFERENT)
_RISKY = ("person", "decision")


@dataclass(slots=True)
class Identified:
    """What became of the pairs.

    Args:
        asked: how many there were.
        taken: judgements that were taken, other than that two are two.
        refused: judgements that a rule or the policy refused.
        held: judgements that wait for a person.
        apart: judgements that two are two, which are kept so that nobody is asked again.
        failed: why some could not be judged.
        commit: the commit; empty if nothing changed.
    """

    asked: int
    taken: list[Judgement] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    apart: list[Judgement] = field(default_factory=list)
    failed: list[ModelFailed] = field(default_factory=list)
    commit: str = ""


@dataclass(frozen=True, slots=True)
class _Two:
    """A pair that is asked about."""

    one: Claim | Mention
    other: Claim | Mention

    @property
    def pair(self) -> Pair:
        return (self.one.id, self.other.id)

    @property
    def of(self) -> str:
        return "claims" if isinstance(self.one, Claim) else "mentions"

    @property
    def about(self) -> tuple[str, ...]:
        return (self.one.mention.id,) if isinstance(self.one, Claim) else self.pair


class Identities:
    """The step of one pass.

    Args:
        vault: the vault.
        writer: what it remembers, and who commits.
        extractor: who judges.
        anew: whether pairs that were judged to be two are asked about again.
    """

    def __init__(self, vault: Vault, writer: Writer, extractor: Extractor, anew: bool) -> None:
        self._vault, self._writer, self._extractor, self._anew = vault, writer, extractor, anew
        self._wiki = writer.memory.wiki

    @cached_property
    def wanted(self) -> tuple[_Two, ...]:
        """The pairs to ask about."""
        strict = self._vault.settings.isolation == "strict"
        judged = dict(self._wiki.ground.judged)
        if self._anew:
            judged = {key: one for key, one in judged.items() if one.by == PERSON or one.relation not in _APART}
        known = set() if self._anew else {pair_of(one) for one in self._living}
        found = [_Two(one, other) for one, other in identities.names(self._wiki, judged, strict)]
        found += [_Two(one, other) for one, other in identities.facts(self._wiki, judged, strict)]
        return tuple(two for two in found if two.pair not in known)

    @cached_property
    def _living(self) -> tuple[Record, ...]:
        """What was left of pairs before, and is still open."""
        subjects, group, judged = self._wiki.subjects, self._wiki.ground.group, self._wiki.ground.judged
        own = (one for one in self._wiki.ground.results if one.step is Step.IDENTITIES)
        return tuple(one for one in own if not is_void(one, subjects, group) and pair_of(one) not in judged)

    @property
    def questions(self) -> list[Question]:
        """What a model is asked; nothing of the built-in rules."""
        if isinstance(self._extractor.model, Rules):
            return []
        return [self._question(two) for two in self.wanted]

    def _question(self, two: _Two) -> Question:
        match (two.one, two.other):
            case (Claim() as one, Claim() as other):
                return self._extractor.prompts.question(Task.CLAIMS, (one, other))
            case (Mention() as first, Mention() as second):
                return self._extractor.prompts.question(Task.MENTIONS, (first, second))
        raise AssertionError("a pair of two kinds")

    def run(self) -> Identified:
        """Ask, check, weigh and commit."""
        done = Identified(len(self.wanted))
        made = [*self._checked(done)]
        self._weighed(made, done)
        self._commit(done)
        return done

    def _checked(self, done: Identified) -> Iterator[tuple[_Two, Judgement]]:
        """What was judged to be more than two of a kind, and no rule refuses."""
        by = self._extractor.model.name
        homes = identities.homes(self._wiki)
        ledger = self._vault.ledger.all()
        sources = {source for source in self._writer.memory.files if source in ledger}
        for two, reply in zip(self.wanted, self._replies(), strict=True):
            if isinstance(reply, ModelFailed):
                done.failed.append(reply)
                continue
            if isinstance(reply, Exception):
                raise reply
            try:
                judgement = linking.read(reply.content, two.pair, two.of, by)
            except ValueError as wrong:
                done.failed.append(ModelFailed(by, f"about a pair of {two.of}: {wrong}"))
                continue
            if judgement.relation in _APART:
                done.apart.append(judgement)
                continue
            keys = dict.fromkeys(homes[id] for id in two.pair)
            subjects = tuple(self._wiki.subjects[key] for key in keys)
            couple = Couple(two.one, two.other, judgement.relation, subjects, sources, self._wiki.vocabulary)
            if (why := identities.check(couple)) is not None:
                done.refused.append(_refused(two, *why, by))
            else:
                yield two, judgement

    def _replies(self) -> Sequence[Reply | Exception]:
        model = self._extractor.model
        if isinstance(model, Rules):
            # Its patterns take a tenth of a second to build.
            from wikimem.core.rules import merging

            return [Reply(merging.reply(two.one, two.other)) for two in self.wanted]
        if isinstance(model, Paid):
            return model.ask_many(self.questions, self._extractor.jobs)
        found: list[Reply | Exception] = []
        for question in self.questions:
            try:
                found.append(model.ask(question))
            except ModelFailed as error:
                found.append(error)
        return found

    def _weighed(self, made: Sequence[tuple[_Two, Judgement]], done: Identified) -> None:
        """Take what the policy lets in; of the others each is weighed alone."""
        policy = self._vault.settings.policy
        every = [judgement for _, judgement in made]
        if not every or all(policy.way(one) is Way.COMMIT for one in self._findings(every)):
            done.taken += every
            return
        for two, judgement in made:
            against = [one for one in self._findings([*done.taken, judgement]) if policy.way(one) is not Way.COMMIT]
            if not against:
                done.taken.append(judgement)
                continue
            worst = max(against, key=lambda one: (policy.way(one) is Way.REFUSE, one.risk.rank))
            _left(two, judgement, worst, policy, done)

    def _findings(self, made: Sequence[Judgement]) -> Iterator[Finding]:
        """The risks of some judgements together."""
        yield from self._writer.weighed(made)
        homes = identities.homes(self._wiki)
        for judgement in made:
            if judgement.of != "mentions":
                continue
            two = [self._wiki.subjects[homes[id]] for id in judgement.pair]
            titles = [any(id in self._wiki.ground.ruled.titles for id in subject.mentions) for subject in two]
            risk = Risk.HIGH if all(titles) else Risk.MEDIUM if {one.type for one in two} & {*_RISKY} else Risk.LOW
            reason = "makes one page of two that people named" if all(titles) else f"makes one page of two of a {two[0].type}"
            yield Finding("", risk, reason, self._wiki.path(two[0].key), two[0].type)

    def _commit(self, done: Identified) -> None:
        results = self._wiki.ground.results
        fresh: list[Record] = [*done.refused, *done.held]
        asked = {two.pair for two in self.wanted} if self._anew else set()
        kept = [one for one in self._living if pair_of(one) not in asked]
        records = (*(one for one in results if one.step is not Step.IDENTITIES), *kept, *fresh)
        # What the rules find to be two of their own, they will find again, at no price.
        apart = [] if isinstance(self._extractor.model, Rules) else done.apart
        if not (done.taken or apart) and {*records} == {*results}:
            return
        number = len(done.taken)
        about = f"{number} pair{'' if number == 1 else 's'} made one" if number else "pairs that wait or stay two"
        try:
            done.commit = self._writer.rest(records, Step.IDENTITIES, about, [*done.taken, *apart], self._anew).id
        except (PagesBroken, ModelFailed) as error:
            done.failed.append(error if isinstance(error, ModelFailed) else ModelFailed(self._extractor.model.name, str(error)))


def _refused(two: _Two, rule: str, reason: str, by: str) -> Refused:
    return Refused(Step.IDENTITIES, two.about, rule, reason, " ".join(two.pair), by)


def _left(two: _Two, judgement: Judgement, worst: Finding, policy: Policy, done: Identified) -> None:
    told = f"{worst.risk}{f': it {worst.reason}' if worst.reason else ''}"
    if policy.way(worst) is Way.REFUSE:
        done.refused.append(_refused(two, "policy", told, judgement.by))
    else:
        of, relation, basis = judgement.of, judgement.relation, " ".join(two.pair)
        done.held.append(Held(Step.IDENTITIES, two.about, of, relation, judgement.reason, told, basis, judgement.by))


def why(failed: Iterable[ModelFailed]) -> ModelFailed | None:
    """What of several failures is told: what is wrong says more than what is waited for."""
    every = [*failed]
    return next((error for error in every if not isinstance(error, ModelPaused)), every[0] if every else None)
