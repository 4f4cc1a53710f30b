"""The built-in model `rules`: what a session says that is worth keeping, found by structure and words; no key, no network."""

from __future__ import annotations

from typing import Any

from wikimem.core.rules import standing, statements
from wikimem.core.views import View


def extract(view: View) -> dict[str, Any]:
    """A reply to the task `extract`."""
    return statements.reply(standing.found(view), "", "")
