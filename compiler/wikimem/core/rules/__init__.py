"""The built-in model `rules`: what a session says that is worth keeping, by structure and words; no key, no network.

It answers the same schemas as any model, and the same session always gets the same answer. Where a paraphrase would be a
guess it quotes: the speaker, the subject, then the person's own clause, with relative dates resolved in brackets.
Rules, by module, in the order in which a reader meets them:

* `values`: an attribute in a plain sentence (a port, a retry limit, who leads what), and `6432 now, not 5432`.
* `constants`: a port, a timeout or a path that a person wants in code which the agent just wrote.
* `decisions`: answers in question dialogs, approved plans (as events), options taken by letter or number, a yes to a
  question that names a value, the answer to an open question on what should be.
* `rejections`: what was looked at and decided against, as a decision that says so.
* `standing`: corrections, rules, wishes and plain facts that a person tells an agent, after what it did; also notes.
* `outcomes`: commands that passed, failures that a change of one or two files ended, commits, pull requests, releases.
* `reports`: one cause that the agent told, as its inference.
* `meetings`, `chats`: what named people decide, plan, hold and promise, and what they say of themselves and others.
* `conditions`: what holds only if something else does is quoted with its condition and has no date; it is no decision.
* `overlaps`: two rules on one quote leave one statement, and a person has one page.
* `judge`: pairs of claims and of names; what words do not order stays unrelated.

What they miss: languages other than English; a rule without a mark of generality, contrast or objection; what is said
only by a pronoun or by the agent's words before; irony; tasks that state a rule in passing; long dictated sentences;
whose preference it is where several people share one name; commands that no list of tools knows; names that a
transcript by machine misheard. A sentence that leans on another turn is left out rather than completed.

Sentences and dates are cut and read here: libraries for them give no places, or one instant for `last week`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from wikimem.core.rules import (
    chats,
    constants,
    decisions,
    meetings,
    outcomes,
    overlaps,
    rejections,
    reports,
    standing,
    statements,
    values,
)
from wikimem.core.rules.judge import judge_claims, judge_mentions
from wikimem.core.rules.statements import Statement
from wikimem.core.views import View

__all__ = ["extract", "judge_claims", "judge_mentions"]


def extract(view: View) -> dict[str, Any]:
    """A reply to the task `extract` (`extraction.SCHEMA`)."""
    return statements.reply(_found(view), reports.asked(view), reports.outcome(view))


def _found(view: View) -> list[Statement]:
    stated = [*values.found(view)]
    given = [*stated, *(one for one in constants.found(view) if not any(_repeats(one, value) for value in stated))]
    said = [one for one in _said(view) if not any(_repeats(one, value) for value in given)]
    return [*given, *overlaps.once(overlaps.peopled(said, view))]


def _said(view: View) -> Iterator[Statement]:
    named = any(one.turn.name for one in view.spoken if one.is_person)
    if meetings.is_one(view):
        yield from meetings.found(view)
    elif all(one.is_person for one in view.spoken):
        yield from chats.found(view) if named else chain(rejections.found(view), standing.noted(view))
    else:
        talk = chats.is_one(view)
        if talk:
            yield from chats.found(view)
        if not (talk and named):
            yield from _told(view)
        ran = outcomes.ran(view)
        yield from chain(outcomes.procedures(view, ran), outcomes.fixes(view, ran), outcomes.events(view), reports.found(view))


def _told(view: View) -> Iterator[Statement]:
    """What persons decided, and what else they said that stands; of one turn only the decision."""
    decided = [*decisions.found(view), *rejections.found(view)]
    answered = {words.at for decision in decided for words in decision.words}
    yield from decided
    yield from (one for one in standing.found(view) if one.words[0].at not in answered)


_DIGITS = re.compile(r"\d+")


def _repeats(one: Statement, value: Statement) -> bool:
    """Whether a statement quotes the words that gave a value: a later value would end the one and not the other."""
    mine, theirs = one.words[0], value.words[0]
    if one.attribute == "decision" or mine.at != theirs.at or not (mine.words in theirs.words or theirs.words in mine.words):
        return False
    told = set(_DIGITS.findall(value.text))
    return not told or bool(told & set(_DIGITS.findall(mine.words)))
