"""Themes: by which general words the lines of a person's page may be asked for, beside their own. From claims alone.

"What are her hobbies?" holds no word of "I signed up for a pottery class". Themes stand on no page: recall finds claims by
them, and with a claim the turns that prove it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from wikimem.core import cold
from wikimem.core.cold import Step
from wikimem.core.consolidation import views
from wikimem.core.consolidation.views import Ask, Draft
from wikimem.core.fold import Wiki
from wikimem.core.rules import theming


def asks(wiki: Wiki, strict: bool) -> Iterator[Ask]:
    """One proposal for each person of whom something with a theme is told; arguments as `leads.asks`."""
    for subject in views.chosen(wiki, strict):
        if subject.type != "person":
            continue
        found: dict[str, list[str]] = defaultdict(list)
        for standing in views.holding(subject):
            claim = standing.claim
            for theme in theming.themes(" ".join((claim.text, *(one.quote for one in claim.evidence)))):
                found[theme].append(claim.id)
        if found:
            said = tuple((theme, tuple(found[theme])) for theme, _ in theming.THEMES if theme in found)
            basis = cold.basis(Step.THEMES, *(part for theme, ids in said for part in (theme, *ids)))
            yield Ask(Step.THEMES, subject.key, basis, drafts=(Draft(Step.THEMES, (subject.key,), said),))
