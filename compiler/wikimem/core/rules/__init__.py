"""The built-in model `rules`: what a session says that is worth keeping, found by structure and words; no key, no network."""

from __future__ import annotations

from typing import Any

from wikimem.core.rules import outcomes, standing, statements
from wikimem.core.rules.judge import judge_claims, judge_mentions
from wikimem.core.views import View

__all__ = ["extract", "judge_claims", "judge_mentions"]


def extract(view: View) -> dict[str, Any]:
    """A reply to the task `extract`."""
    ran = outcomes.ran(view)
    found = [*standing.found(view), *outcomes.procedures(view, ran), *outcomes.fixes(view, ran), *outcomes.events(view)]
    return statements.reply(found, "", "")
