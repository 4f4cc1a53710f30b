"""Checks: the rules by which a proposal of consolidation is refused, in order. Whoever proposes, these decide.

Adding one is one function and one line. None of them repairs anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass

from wikimem.core import cold, scopes, texts
from wikimem.core.claims import TYPES, Claim, Stance
from wikimem.core.cold import STALE, Rests, Step
from wikimem.core.consolidation.views import Draft
from wikimem.core.fold import Wiki
from wikimem.core.timeline import Standing

LONGEST = 400
"""Characters of a sentence at most."""
SUREST = 90
"""Hundredths of confidence of a reflection at most."""
SENTENCES = 5
"""Sentences of a lead at most."""
_LISTS = (Step.PROFILES, Step.THEMES, Step.MAPS)
"""Steps that give a line for each of something, however many there are."""


@dataclass(frozen=True, slots=True)
class Case:
    """A proposal as the rules see it.

    Args:
        draft: the proposal.
        wiki: as it is.
        sources: ids of the sources that there are, and that were not retired.
        standings: all standings of the subjects it is about, by the ids of their claims.
    """

    draft: Draft
    wiki: Wiki
    sources: Container[str]
    standings: dict[str, Standing]

    @property
    def cited(self) -> tuple[str, ...]:
        """The ids of the claims that it cites, each once."""
        return tuple(dict.fromkeys(id for _, ids in self.draft.said for id in ids))

    def claims(self, ids: Iterable[str]) -> Iterator[Claim]:
        """The claims of ids, as far as they are known."""
        return (self.standings[id].claim for id in ids if id in self.standings)


def _step(case: Case) -> str:
    return "" if case.draft.step in [*Step] else "there is no such step"


def _about(case: Case) -> str:
    about = case.draft.about
    sized = cold.fits(case.draft.step, about) if case.draft.page is None else bool(about)
    fits = sized and len(about) == len(set(about)) and all(key in case.wiki.subjects for key in about)
    return "" if fits else "it is about a page that is not there"


def _page(case: Case) -> str:
    page = case.draft.page
    if page is None:
        return ""
    if page.type not in TYPES or not page.key[2] or page.name != texts.normal(page.name) or len(page.name) > LONGEST:
        return "it would make a page without a title of one plain line, or of no known type"
    return "there is a page of that name already" if page.id in case.wiki.subjects else ""


def _level(case: Case) -> str:
    draft = case.draft
    if draft.step != Step.REFLECTIONS:
        return "it has a stance, and tells what is so" if draft.stance or draft.confidence else ""
    if draft.stance not in [one for one in Stance if not one.firm]:
        return "what is concluded can only be an inference or an opinion"
    return "" if 0 < draft.confidence <= SUREST else f"it is surer than {SUREST / 100:g}, or not sure at all"


def _text(case: Case) -> str:
    said = case.draft.said
    if not said or not all(texts.words(text) for text, _ in said):
        return "there is no text in it"
    if any(text != texts.normal(text) or len(text) > LONGEST or text.endswith(STALE) for text, _ in said):
        return f"a sentence is longer than {LONGEST} characters, or more than plain text in one line"
    most = {Step.LINKS.value: 1, Step.REFLECTIONS.value: 2}.get(
        case.draft.step, len(said) if case.draft.step in _LISTS else SENTENCES
    )
    return "" if len(said) <= most else f"it has more than {most} sentences"


def _ghosts(case: Case) -> str:
    if not all(ids for _, ids in case.draft.said):
        return "a sentence cites no claim"
    return "" if all(id in case.standings for id in case.cited) else "it cites a claim that these pages do not have"


def _concluded(case: Case) -> str:
    return "it rests on what was concluded itself" if any(claim.rests for claim in case.claims(case.cited)) else ""


def _again(case: Case) -> str:
    """Whether people took away what was concluded from most of the same words, however it is worded now."""
    if case.draft.step != Step.REFLECTIONS:
        return ""
    places = {one.footing[:2] for claim in case.claims(case.draft.said[0][1]) for one in claim.evidence}
    ground = case.wiki.ground
    group = ground.group(case.draft.about[0])
    for _, target in ground.ruled.hidden.values():
        told = {footing[:2] for footing in target.footings}
        if target.concluded and target.mention.id in group and 2 * len(places & told) > len(told):
            return "people took it away before"
    return ""


def _holding(case: Case) -> str:
    if case.draft.step == Step.REFLECTIONS:
        # That it happened again and again stays so when it has ended.
        return ""
    ended = any(case.standings[id].current is None for id in case.cited)
    return "it cites a claim that does not hold now" if ended else ""


def _sources(case: Case) -> str:
    sources = {one.source for claim in case.claims(case.cited) for one in claim.evidence}
    return "" if all(source in case.sources for source in sources) else "a source that it rests on is closed or missing"


def _distinct(case: Case) -> str:
    if case.draft.step == Step.REFLECTIONS:
        sources = {one.source for claim in case.claims(case.draft.said[0][1]) for one in claim.evidence}
        return "" if len(sources) > 1 else "it rests on one source, and needs two"
    if case.draft.step != Step.PROCEDURES:
        return ""
    # What helped once is told of a runbook too; that it worked, it must have more than once.
    worked = case.cited if case.draft.page is None else case.draft.said[0][1]
    alone = any(len({one.source for one in claim.evidence}) < 2 for claim in case.claims(worked))
    return "it rests on one source, and needs two" if alone else ""


def _scope(case: Case) -> str:
    page = case.draft.page
    own = page.scope if page is not None else case.wiki.subjects[case.draft.about[0]].scope
    told = {case.wiki.subjects[key].scope for key in case.draft.about}
    told |= {claim.mention.scope for claim in case.claims(case.cited)}
    foreign = told - {"", *scopes.lineage(own)}
    if case.draft.step == Step.MAPS and not own:
        # What a person tells all agents is of no project.
        foreign = {one for one in foreign if not one.startswith("user:")}
    return "it would tell one scope of another" if foreign else ""


def _attribute(case: Case) -> str:
    if case.draft.step != Step.PROFILES:
        return ""
    mixed = any(len({claim.attribute for claim in case.claims(ids)}) > 1 for _, ids in case.draft.said)
    return "one line mixes two attributes" if mixed else ""


def _stance(case: Case) -> str:
    if case.draft.step == Step.REFLECTIONS:
        return ""
    raised = any(not claim.stance.firm for claim in case.claims(case.cited))
    return "it tells an inference or an opinion as if it were so" if raised else ""


_NUMBER = re.compile(r"\d+")


def _proved(case: Case) -> str:
    if case.draft.step == Step.PROCEDURES:
        # How often it ran is counted by code and stands in no claim.
        return ""
    for text, ids in case.draft.said:
        claims = [*case.claims(ids)]
        # In how many sessions, and how often, can be counted.
        counted = {str(len(claims)), str(len({one.source for claim in claims for one in claim.evidence}))}
        counted |= {str(sum(len(claim.evidence) for claim in claims))}
        words = [*counted] if case.draft.step == Step.REFLECTIONS else []
        words += [case.wiki.subjects[key].title for key in case.draft.about]
        for standing in (case.standings[id] for id in ids):
            claim, current = standing.claim, standing.current
            words += [claim.text, *(one.quote for one in claim.evidence), *(one.day for one in claim.evidence)]
            words += [claim.zone.shown(current.start.moment)] if current else []
        if not {*_NUMBER.findall(text)} <= {*_NUMBER.findall(" ".join(words))}:
            return "it tells a number that the claims it cites do not"
    return ""


Rule = Callable[[Case], str]

RULES: tuple[tuple[str, Rule], ...] = (
    ("unknown-step", _step),
    ("unknown-page", _about),
    ("bad-page", _page),
    ("bad-level", _level),
    ("bad-text", _text),
    ("unknown-claim", _ghosts),
    ("concluded-claim", _concluded),
    ("rejected", _again),
    ("ended-claim", _holding),
    ("closed-source", _sources),
    ("one-source", _distinct),
    ("mixed-scopes", _scope),
    ("mixed-attributes", _attribute),
    ("raised-stance", _stance),
    ("unproved-number", _proved),
)
"""Name and rule, in the order in which they are asked."""


def check(draft: Draft, wiki: Wiki, sources: Container[str]) -> tuple[str, str] | None:
    """The rule that refuses a proposal and why, without any of its words; None if it may be taken.

    Args:
        draft: the proposal.
        wiki: as it is.
        sources: ids of the sources that there are, and that were not retired.
    """
    case = Case(draft, wiki, sources, _standings(draft, wiki))
    for name, rule in RULES:
        if why := rule(case):
            return name, why
    return None


def rests(draft: Draft, wiki: Wiki) -> Rests:
    """What a proposal rests on: the claims it cites with all their sources, none of them lost."""
    by_id = {claim.id: claim for key in draft.about for claim in wiki.subjects[key].claims}
    return cold.rests_on(by_id[id] for _, ids in draft.said for id in ids)


def _standings(draft: Draft, wiki: Wiki) -> dict[str, Standing]:
    """The standings of the pages a proposal is about, by the ids of the claims that are shown."""
    subjects = [wiki.subjects[key] for key in draft.about if key in wiki.subjects]
    return {one.claim.id: one for subject in subjects for one in subject.standings}
