"""Answers by rule: the claims that recall finds best, as they stand. Words nothing itself."""

from __future__ import annotations

from typing import Any

from wikimem.core.consolidation.views import Replying


def reply(asked: Replying) -> dict[str, Any]:
    """A reply to the task `reply`."""
    return {"sentences": [{"text": line.text, "claims": [line.id]} for line in asked.lines if len(line.text) <= _LONGEST]}


_LONGEST = 400
