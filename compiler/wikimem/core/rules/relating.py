"""Reasons of links by rule: what the other page says of this one, or is about, in its own words. Judges nothing."""

from __future__ import annotations

import re
from typing import Any

from wikimem.core import texts
from wikimem.core.consolidation.views import Relating

_LONGEST = 160
_QUOTED = re.compile(r"[^:“]{1,60}? on (?P<what>[^:“]{1,80}): (?P<quote>“.+”)")


def relate(asked: Relating) -> dict[str, Any]:
    """A reply to the task `relate`."""
    own = {line.id for line in asked.page.lines}
    links = []
    for number, other in enumerate(asked.others, 1):
        line = next((line for line in other.lines if line.id not in own), None)
        # One line of many would be no reason, only a line.
        if line is not None and (other.tie != "named" or (other.whole and len(other.lines) == 1)):
            before = "in the same session: " if other.tie == "session" else ""
            before = f"also speaks of {' and '.join(f'“{word}”' for word in other.shared)}: " if other.shared else before
            links.append({"other": number, "text": before + short(other.title, line.text), "claims": [line.id]})
    return {"links": links}


def short(title: str, text: str) -> str:
    """What a claim says, without the title of its page, and cut where it is long."""
    return _short(_words(title, text))


def _words(title: str, text: str) -> str:
    """What a claim says, without the title of its page, which stands beside it."""
    found = _QUOTED.fullmatch(text)
    return found["quote"] if found and texts.key(found["what"].strip("`")) == texts.key(title) else text


def _short(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    cut = text[:_LONGEST].rsplit(" ", 1)[0].rstrip(" ,;:")
    # An open code span would take the rest of the page along.
    cut = cut if cut.count("`") % 2 == 0 else cut.rpartition("`")[0].rstrip()
    return f"{cut} …{'”' if cut.count('“') > cut.count('”') else ''}"
