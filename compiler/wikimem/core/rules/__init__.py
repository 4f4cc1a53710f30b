"""The built-in model `rules`: what a session says that is worth keeping, found by structure and words; no key, no network."""

from __future__ import annotations

from itertools import chain
from typing import Any

from wikimem.core.rules import chats, decisions, meetings, outcomes, reports, standing, statements, values
from wikimem.core.rules.judge import judge_claims, judge_mentions
from wikimem.core.rules.statements import Statement
from wikimem.core.views import View

__all__ = ["extract", "judge_claims", "judge_mentions"]


def extract(view: View) -> dict[str, Any]:
    """A reply to the task `extract`."""
    return statements.reply(_found(view), reports.asked(view), reports.outcome(view))


def _found(view: View) -> list[Statement]:
    found = [*values.found(view)]
    if meetings.is_one(view):
        return [*found, *meetings.found(view)]
    named = any(one.turn.name for one in view.spoken if one.is_person)
    if all(one.is_person for one in view.spoken) and not named:
        return [*found, *standing.noted(view)]
    if chats.is_one(view):
        found += chats.found(view)
        return found if named else [*found, *_told(view)]
    ran = outcomes.ran(view)
    done = (outcomes.procedures(view, ran), outcomes.fixes(view, ran), outcomes.events(view), reports.found(view))
    return [*found, *_told(view), *chain(*done)]


def _told(view: View) -> list[Statement]:
    """What persons decided, and what else they said that stands; of one turn only the decision."""
    decided = [*decisions.found(view)]
    answered = {words.at for decision in decided for words in decision.words}
    return [*decided, *(one for one in standing.found(view) if one.words[0].at not in answered)]
