"""Leads: two to five sentences at the head of a page that has enough to be summed up. What is asked, not who words it."""

from __future__ import annotations

from collections.abc import Iterator

from wikimem.core import cold
from wikimem.core.cold import Step
from wikimem.core.consolidation import views
from wikimem.core.consolidation.views import Ask, Leading
from wikimem.core.fold import Wiki

FEWEST = 3
"""Claims that a page must show, to get a lead: one that repeats the page is none."""
_MOST = 80


def asks(wiki: Wiki, strict: bool) -> Iterator[Ask]:
    """One question for each page; none for one whose lead a person wrote, nor for procedures, of which runs are told.

    Args:
        wiki: as it is.
        strict: whether no scope may learn of another.
    """
    for subject in views.chosen(wiki, strict):
        standings = views.holding(subject)
        if len(standings) < FEWEST or subject.lead or subject.type == "procedure":
            continue
        newest = sorted(standings, key=lambda one: (one.claim.said, one.claim.id), reverse=True)[:_MOST]
        sheet = views.sheet(subject, sorted(newest, key=lambda one: one.claim.id))
        told = [part for line in sheet.lines for part in (line.id, line.since)]
        yield Ask(Step.LEADS, subject.key, cold.basis(Step.LEADS, subject.title, *told), Leading(sheet))
