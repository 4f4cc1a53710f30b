"""The built-in model `rules`: what a session says that is worth keeping, found by structure and words; no key, no network."""

from __future__ import annotations

from typing import Any

from wikimem.core.rules import chats, decisions, meetings, outcomes, standing, statements, values
from wikimem.core.rules.judge import judge_claims, judge_mentions
from wikimem.core.views import View

__all__ = ["extract", "judge_claims", "judge_mentions"]


def extract(view: View) -> dict[str, Any]:
    """A reply to the task `extract`."""
    found = [*values.found(view)]
    if meetings.is_one(view):
        return statements.reply([*found, *meetings.found(view)], "", "")
    talk = chats.is_one(view)
    if talk:
        found += chats.found(view)
    if not talk or not any(one.turn.name for one in view.spoken if one.is_person):
        found += standing.found(view)
    if not talk:
        ran = outcomes.ran(view)
        found += [*decisions.found(view), *outcomes.procedures(view, ran), *outcomes.fixes(view, ran), *outcomes.events(view)]
    return statements.reply(found, "", "")
