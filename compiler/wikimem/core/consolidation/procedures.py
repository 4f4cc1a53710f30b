"""Procedures: that a command was seen to work, in how many sessions, from when to when. From claims alone; nobody is asked."""

from __future__ import annotations

from collections.abc import Iterator

from wikimem.core import cold
from wikimem.core.cold import Step
from wikimem.core.consolidation import views
from wikimem.core.consolidation.views import Ask, Draft
from wikimem.core.fold import Wiki

RUNS = 2
"""Sources that must have seen it."""
_MOST = 3


def asks(wiki: Wiki, strict: bool) -> Iterator[Ask]:
    """One proposal for each page of a procedure that more than one session saw; arguments as `leads.asks`."""
    for subject in views.chosen(wiki, strict):
        if subject.type != "procedure" or subject.lead:
            continue
        standings = [one for one in views.holding(subject) if len({each.source for each in one.claim.evidence}) >= RUNS]
        standings.sort(key=lambda one: (-len({each.source for each in one.claim.evidence}), one.claim.id))
        lines = [views.line(one) for one in standings[:_MOST]]
        if not lines:
            continue
        said = []
        for standing, line in zip(standings, lines, strict=False):
            days = sorted({one.day for one in standing.claim.evidence if one.day})
            when = "" if not days else f", on {days[0]}" if len(days) == 1 else f", from {days[0]} to {days[-1]}"
            said.append((f"{line.text.rstrip('.')} in {line.sources} sessions{when}.", (line.id,)))
        rests = cold.rests_on(one.claim for one in standings[:_MOST])
        parts = [part for id, sources in rests for part in (id, *sources)]
        basis = cold.basis(Step.PROCEDURES, *parts, *(text for text, _ in said))
        yield Ask(Step.PROCEDURES, subject.key, basis, drafts=(Draft(Step.PROCEDURES, (subject.key,), tuple(said)),))
