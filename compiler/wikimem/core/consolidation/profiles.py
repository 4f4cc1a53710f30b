"""Profiles: one line for each attribute of a person, a project or an environment that holds now. From claims alone.

They change when consolidation runs, and when a line of them ends, not with each session: what is put before every prompt
should stay the same, byte for byte, as long as it can.
"""

from __future__ import annotations

from collections.abc import Iterator

from wikimem.core import cold
from wikimem.core.cold import Step
from wikimem.core.consolidation import views
from wikimem.core.consolidation.views import Ask, Draft
from wikimem.core.fold import Wiki
from wikimem.core.subjects import Subject
from wikimem.core.timeline import Standing

LINES = 16
"""Lines of one profile at most."""
_TYPES = ("person", "project", "environment")
_LONGEST = 300


def asks(wiki: Wiki, strict: bool) -> Iterator[Ask]:
    """One proposal for each page that has a profile; arguments as `leads.asks`. What is said to agents counts as a person's."""
    for subject in views.chosen(wiki, strict):
        if subject.type not in _TYPES and not subject.scope.startswith("user:"):
            continue
        standings = _lines(wiki, subject)
        if not standings:
            continue
        said = tuple((one.claim.text, (one.claim.id,)) for one in standings)
        basis = cold.basis(Step.PROFILES, *(one.claim.id for one in standings))
        yield Ask(Step.PROFILES, subject.key, basis, drafts=(Draft(Step.PROFILES, (subject.key,), said),))


def _lines(wiki: Wiki, subject: Subject) -> list[Standing]:
    """The last said claim of each attribute, in the order of the vocabulary."""
    order = {attribute.name: number for number, attribute in enumerate(wiki.vocabulary.attributes)}
    last: dict[str, Standing] = {}
    for one in sorted(views.holding(subject), key=lambda one: (max(each.heard for each in one.claim.evidence), one.claim.id)):
        found = wiki.vocabulary.find(one.claim.attribute)
        if found is not None and len(one.claim.text) <= _LONGEST:
            last[found.name] = one
    return [last[name] for name in sorted(last, key=lambda name: order[name])][:LINES]
