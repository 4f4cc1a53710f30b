"""Maps: pages that list what there is in a scope, each with what is said of it. From claims alone.

A map is made where a page would otherwise be found through the index only. In a scope of few pages it lists them all; in a larger
one all of that page's kind, so that it is worth reading by itself: the commands, the files that people spoke of, the decisions.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from wikimem.core import cold
from wikimem.core.claims import Mention
from wikimem.core.cold import Sentence, Step
from wikimem.core.consolidation import views
from wikimem.core.consolidation.views import Ask, Draft
from wikimem.core.fold import Wiki
from wikimem.core.rules import relating
from wikimem.core.subjects import Subject
from wikimem.core.timeline import Standing

FEWEST, MOST = 3, 40
"""Pages of one map."""
FEW = 16
"""Pages of a scope that are listed together, of whatever kind they are."""
_ALL, _REST = "What is known", "Other subjects"
_KINDS = {
    "person": "People",
    "project": "Projects",
    "decision": "What was decided",
    "procedure": "Commands and procedures",
    "environment": "Environments",
    "gotcha": "What went wrong",
    "synthesis": "Answers and conclusions",
}
_TOPICS = (
    ("Flags and options", re.compile(r"--?[a-z][\w-]*")),
    ("Files", re.compile(r"[\w./@-]*\.[a-z]{1,5}|[\w.@-]*/[\w./@-]*", re.I)),
    ("Names in the code", re.compile(r"\w+(?:\.\w+)*\(\)|\w+(?:\.\w+)+|\w+_\w+|[a-z]+[A-Z]\w*|(?:[A-Z][a-z0-9]+){2,}")),
)


def asks(wiki: Wiki, strict: bool) -> Iterator[Ask]:
    """One proposal for each kind of which a page is found through the index only; arguments as `leads.asks`.

    In a strict vault none: what a scope may see of a page is told by the sessions that its lines cite, and these cite none.
    """
    if strict:
        return
    every = [subject for subject in views.chosen(wiki, strict) if views.holding(subject)]
    loose = loose_of(wiki)
    for scope in sorted({_home(subject) for subject in every}):
        groups: dict[str, list[Subject]] = defaultdict(list)
        for subject in every:
            if _home(subject) == scope:
                groups[kind(subject)].append(subject)
        if sum(map(len, groups.values())) <= FEW:
            groups = defaultdict(list, {_ALL: [subject for found in groups.values() for subject in found]})
        few = {name for name, found in groups.items() if len(found) < FEWEST and name not in (_REST, _ALL)}
        for name in sorted(few):
            groups[_REST] += [subject for subject in groups.pop(name) if subject.key in loose]
        for name, found in sorted(groups.items()):
            if any(subject.key in loose for subject in found):
                yield from _maps(name, scope, found, loose)


def _home(subject: Subject) -> str:
    """The scope of the map that it stands on: what a person tells all agents is of every project."""
    return "" if subject.scope.startswith("user:") else subject.scope


def loose_of(wiki: Wiki) -> frozenset[str]:
    """The keys of the subjects to which no page leads, maps not counted."""
    led = {other for near in wiki.related.values() for other in near}
    led |= {other for key, near in wiki.cold.beside.items() if not _is_map(wiki, key) for other in near}
    return frozenset(wiki.subjects.keys() - led)


def _is_map(wiki: Wiki, key: str) -> bool:
    return key in wiki.cold.own and wiki.cold.own[key].step is Step.MAPS


def kind(subject: Subject) -> str:
    """The title of the map that a subject would stand on."""
    if subject.type != "topic":
        return _KINDS[subject.type]
    return next((name for name, form in _TOPICS if form.fullmatch(subject.title)), _REST)


def _maps(name: str, scope: str, found: Iterable[Subject], loose: frozenset[str]) -> Iterator[Ask]:
    """The maps of one kind: those that nothing leads to first, so many on a page."""
    ordered = sorted(found, key=lambda subject: (subject.key not in loose, subject.title.casefold(), subject.key))
    parts = [ordered[first : first + MOST] for first in range(0, len(ordered), MOST)]
    # Where the loose ones fill several pages, one that has none of them is not needed.
    parts = [part for part in parts if any(subject.key in loose for subject in part)]
    where = f" of {scope.partition(':')[2]}" if scope else ""
    for number, part in enumerate(parts, 1):
        page = Mention(scope, "synthesis", f"{name}{where}{f' ({number})' if number > 1 else ''}")
        keys = tuple(subject.key for subject in part)
        said = tuple(_reason(subject) for subject in part)
        parts_of = (part_ for key, (text, ids) in zip(keys, said, strict=True) for part_ in (key, text, *ids))
        yield Ask(
            Step.MAPS, page.id, cold.basis(Step.MAPS, page.id, *parts_of), drafts=(Draft(Step.MAPS, keys, said, page=page),)
        )


def _reason(subject: Subject) -> Sentence:
    """What is said of a subject, in short: what was said of it first, so that it seldom changes."""
    standings = views.holding(subject)
    first: Standing = min(standings, key=lambda one: (one.claim.said or "~", one.claim.id))
    return (relating.short(subject.title, first.claim.text), (first.claim.id,))
