"""Answers: a page for each question that is asked again and again, of claims that hold now. What is asked, not who words it.

Which questions those are is known only where they were asked, in a log that is in no commit; so what comes of it is kept as a
result, and a page that is there is looked at again by every pass, wherever it runs. It is evidence for nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from wikimem.core import cold, injections, masking, texts
from wikimem.core.claims import Mention
from wikimem.core.cold import Record, Result, Step
from wikimem.core.consolidation import views
from wikimem.core.consolidation.views import Ask, Replying
from wikimem.core.fold import Wiki
from wikimem.core.recalls import Recall

TIMES, SESSIONS = 3, 2
"""How often a question must have been asked, and in how many sessions."""
PAGES = 20
"""Pages of questions at most."""
CLAIMS = 3
"""Claims that an answer is made of at most."""
_LONGEST, _WORDS = 160, 2
_ANSWERS = 0.5
"""The share of a question's words that a claim must hold, to answer it."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """A question that was asked often, or has a page already.

    Args:
        question: as it was asked most.
        scope: who asked; empty for no project.
        claims: ids of the claims that recall finds for it, best first.
    """

    question: str
    scope: str
    claims: tuple[str, ...] = ()

    @property
    def page(self) -> Mention:
        """The page that it has, or would have."""
        return Mention(self.scope, "synthesis", self.question[:1].upper() + self.question[1:])


def repeated(recalls: Iterable[Recall], results: Iterable[Record]) -> tuple[Repeated, ...]:
    """The questions that have a page, and those asked most often; without their claims.

    Questions that differ in order or form of their words only are one. What looks like an order to an agent, or holds a secret,
    is none.
    """
    there = [one.page for one in results if isinstance(one, Result) and one.step is Step.ANSWERS and one.page is not None]
    asked: dict[tuple[str, frozenset[str]], list[Recall]] = defaultdict(list)
    for one in recalls:
        words = views.carrying(one.question)
        if len(words) >= _WORDS and not (one.at or one.known) and may_be_title(one.question):
            asked[one.scope, words].append(one)
    taken = {(page.scope, views.carrying(page.name)) for page in there}
    often = {
        key: found
        for key, found in asked.items()
        if key not in taken and len(found) >= TIMES and len({one.session for one in found if one.session}) >= SESSIONS
    }
    ranked = sorted(often.items(), key=lambda item: (-len(item[1]), item[1][0].time))
    new = [Repeated(_wording(found), scope) for (scope, _), found in ranked]
    old = sorted({Repeated(page.name, page.scope) for page in there}, key=lambda one: (one.scope, one.question))
    return (*old, *new[: max(PAGES - len(old), 0)])


def may_be_title(question: str) -> bool:
    """Whether a question can stand at the head of a page: short, without markup, an order to an agent, or a secret."""
    text = texts.normal(question)
    if len(text) > _LONGEST or "\n" in question.strip() or "[masked:" in text or injections.kind(text, person=False):
        return False
    return not masking.text(text.encode())[1]


def _wording(found: Iterable[Recall]) -> str:
    wordings = Counter(texts.normal(one.question) for one in found)
    return min(wordings, key=lambda wording: (-wordings[wording], wording))


def asks(wiki: Wiki, strict: bool, questions: Iterable[Repeated]) -> Iterator[Ask]:
    """One question for each that has claims which answer it.

    Args:
        wiki, strict: as for `leads.asks`.
        questions: each with the claims that recall finds for it.
    """
    home = {one.claim.id: subject for subject in views.chosen(wiki, strict) for one in views.holding(subject)}
    for asked in questions:
        found = [id for id in asked.claims if id in home and home[id].scope in ("", asked.scope)]
        if strict and not asked.scope:
            continue
        chosen = []
        for id in found:
            subject = home[id]
            standing = next(one for one in subject.standings if one.claim.id == id)
            if any(one.is_answer for one in standing.claim.evidence):
                continue
            quotes = (one.quote for one in standing.claim.evidence)
            if answers(asked.question, " ".join((subject.title, *subject.aliases, standing.claim.text, *quotes))):
                chosen.append((subject.key, views.line(standing)))
        if chosen := chosen[:CLAIMS]:
            lines = tuple(line for _, line in chosen)
            basis = cold.basis(Step.ANSWERS, asked.page.id, *(part for line in lines for part in (line.id, line.since)))
            others = tuple(key for key, _ in chosen)
            yield Ask(Step.ANSWERS, asked.page.id, basis, Replying(asked.question, lines), others, page=asked.page)


def answers(question: str, text: str) -> bool:
    """Whether a text holds so much of a question that it may answer it."""
    wanted = views.carrying(question)
    return len(wanted & views.carrying(text)) >= max(_ANSWERS * len(wanted), 1)
