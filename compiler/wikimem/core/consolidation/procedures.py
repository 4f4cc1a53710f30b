"""Procedures: how often a command was seen to work, and runbooks: commands that worked one after the other in several sessions.

From claims alone; nobody is asked. A runbook tells its steps in order, what people asked for when it was gone through, when it
worked last, in how many sessions the order was another one, and what failed on the way with what helped.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from wikimem.core import cold, pairs, texts
from wikimem.core.claims import Claim, Mention
from wikimem.core.cold import Sentence, Step
from wikimem.core.consolidation import views
from wikimem.core.consolidation.views import Ask, Draft
from wikimem.core.fold import Wiki
from wikimem.core.subjects import Subject
from wikimem.core.timeline import Standing

RUNS = 2
"""Sources that must have seen it."""
BOOKS = 4
"""Runbooks of one scope at most."""
_MOST = 3
_STEPS = 6
_COMMANDS = 8
"""Commands of one session that are looked at: the last ones."""
_FIXES = 2
_AGAINST = 2
"""How many runs of its order there must be for each that had another one."""
_TRIGGER, _SHARED, _ELSEWHERE = 3, 0.7, 0.2
"""Words of a trigger at most; the share of the runs that must have been asked for with it, and of other sessions that may."""


def asks(wiki: Wiki, strict: bool) -> Iterator[Ask]:
    """One proposal for each command that more than one session saw, and for each runbook; arguments as `leads.asks`."""
    subjects = [subject for subject in views.chosen(wiki, strict) if subject.type == "procedure"]
    for subject in subjects:
        if ask := _command(subject):
            yield ask
    for scope in sorted({subject.scope for subject in subjects}):
        yield from _books(wiki, scope, [subject for subject in subjects if subject.scope == scope])


def _command(subject: Subject) -> Ask | None:
    if subject.lead:
        return None
    standings = [one for one in views.holding(subject) if len(views.sources(one.claim)) >= RUNS]
    standings.sort(key=lambda one: (-len(views.sources(one.claim)), one.claim.id))
    lines = [views.line(one) for one in standings[:_MOST]]
    if not lines:
        return None
    said = tuple(
        (f"{line.text.rstrip('.')} in {line.sources} sessions{_when(one.claim)}.", (line.id,))
        for one, line in zip(standings, lines, strict=False)
    )
    parts = [part for id, sources in cold.rests_on(one.claim for one in standings[:_MOST]) for part in (id, *sources)]
    basis = cold.basis(Step.PROCEDURES, *parts, *(text for text, _ in said))
    return Ask(Step.PROCEDURES, subject.key, basis, drafts=(Draft(Step.PROCEDURES, (subject.key,), said),))


def _when(claim: Claim) -> str:
    days = sorted({one.day for one in claim.evidence if one.day})
    return "" if not days else f", on {days[0]}" if len(days) == 1 else f", from {days[0]} to {days[-1]}"


@dataclass(frozen=True, slots=True)
class _Run:
    """Commands that worked in one session, in order, each with its place; those of one place have no order."""

    source: str
    day: str
    places: Mapping[str, int]

    def has(self, steps: Sequence[str]) -> bool:
        """Whether it has all of the steps."""
        return all(step in self.places for step in steps)

    def follows(self, steps: Sequence[str]) -> bool:
        """Whether it has them in this order."""
        return self.has(steps) and all(self.places[one] < self.places[two] for one, two in pairwise(steps))


@dataclass(frozen=True, slots=True)
class _Book:
    """Steps in order, by the ids of their claims, with the runs that went through them so, and those that did otherwise."""

    steps: tuple[str, ...]
    runs: tuple[_Run, ...]
    otherwise: int


def _books(wiki: Wiki, scope: str, subjects: Iterable[Subject]) -> Iterator[Ask]:
    """The runbooks of a scope: of those that are part of a longer one, the longer; the most often gone through first."""
    commands: dict[str, tuple[Subject, Standing]] = {}
    for subject in subjects:
        for one in views.holding(subject):
            if one.claim.attribute == "command" and len(views.sources(one.claim)) >= RUNS:
                commands[one.claim.id] = (subject, one)
    runs = _runs(one.claim for _, one in commands.values())
    for book in _chosen(runs):
        named = [commands[id][0].title for id in book.steps]
        page = Mention(scope, "procedure", f"Runbook: {', then '.join(named)}")
        said = ((_lead(book, named, _trigger(wiki, scope, book)), book.steps), *_fixes(wiki, scope, named))
        keys = tuple(dict.fromkeys([commands[id][0].key for id in book.steps] + [key for key, _ in _fixed(wiki, scope, named)]))
        basis = cold.basis(Step.PROCEDURES, page.id, *(part for text, ids in said for part in (text, *ids)))
        yield Ask(Step.PROCEDURES, page.id, basis, drafts=(Draft(Step.PROCEDURES, keys, said, page=page),))


def _runs(claims: Iterable[Claim]) -> list[_Run]:
    places: dict[str, dict[str, int]] = defaultdict(dict)
    days: dict[str, str] = {}
    for claim in claims:
        for one in claim.evidence:
            line = views.line_of(one.at)
            if line and one.speaker != "tool":
                places[one.source][claim.id] = max(line, places[one.source].get(claim.id, 0))
                days[one.source] = max(one.day, days.get(one.source, ""))
    found = []
    for source in sorted(places):
        last = sorted(places[source].items(), key=lambda item: (-item[1], item[0]))[:_COMMANDS]
        found.append(_Run(source, days[source], dict(last)))
    return found


def _chosen(runs: Sequence[_Run]) -> list[_Book]:
    orders: set[tuple[str, ...]] = set()
    for run in runs:
        ordered = sorted(run.places, key=lambda id: (run.places[id], id))
        for size in range(2, min(_STEPS, len(ordered)) + 1):
            orders.update(steps for steps in combinations(ordered, size) if run.follows(steps))
    books = []
    for steps in orders:
        followed = tuple(run for run in runs if run.follows(steps))
        otherwise = sum(run.has(steps) for run in runs) - len(followed)
        # What is done in any order is no procedure.
        if len(followed) >= RUNS and len(followed) > _AGAINST * otherwise:
            books.append(_Book(steps, followed, otherwise))
    books.sort(key=lambda book: (-len(book.steps) * len(book.runs), book.otherwise, book.steps))
    taken: list[_Book] = []
    for book in books:
        if len(taken) < BOOKS and not any({*book.steps} <= {*other.steps} or {*other.steps} <= {*book.steps} for other in taken):
            taken.append(book)
    return taken


def _lead(book: _Book, named: Sequence[str], trigger: str) -> str:
    order = ", then ".join(f"`{name}`" for name in named)
    last = max((run.day for run in book.runs), default="")
    told = f"{order}: worked in this order in {len(book.runs)} sessions{f', last on {last}' if last else ''}"
    if book.otherwise:
        told += f"; in {book.otherwise} other{'' if book.otherwise == 1 else 's'} the order was another one"
    return f"{told}{f'. It was asked for with {trigger}' if trigger else ''}."


def _trigger(wiki: Wiki, scope: str, book: _Book) -> str:
    """The words with which people asked for it: in most of its sessions, and in few others of the scope."""
    mine = {run.source for run in book.runs}
    asked = {source: pairs.content(file.episode.asked) for source, file in wiki.ground.files.items() if file.episode.asked}
    own, others = [asked[source] for source in mine if source in asked], [asked[each] for each in asked if each not in mine]
    if len(own) < RUNS:
        return ""
    often, elsewhere = Counter(word for words in own for word in words), Counter(word for words in others for word in words)
    found = [
        word
        for word, count in often.items()
        if len(word) > 3 and count >= _SHARED * len(own) and count >= RUNS and elsewhere[word] <= _ELSEWHERE * len(others)
    ]
    found.sort(key=lambda word: (-often[word], elsewhere[word], word))
    return ", ".join(f"“{word}”" for word in found[:_TRIGGER])


def _fixed(wiki: Wiki, scope: str, named: Sequence[str]) -> list[tuple[str, Standing]]:
    """What failed of these commands and what helped, the last first, each with the page that tells it."""
    wanted = {texts.words(name) for name in named}
    found = [
        (subject.key, one)
        for subject in wiki.subjects.values()
        if subject.type == "gotcha" and subject.scope in ("", scope)
        for one in views.holding(subject)
        if one.claim.attribute == "fix" and _command_of(one.claim.text) in wanted and len(one.claim.text) <= 300
    ]
    found.sort(key=lambda each: each[1].claim.id)
    found.sort(key=lambda each: each[1].claim.said, reverse=True)
    return found[:_FIXES]


def _command_of(text: str) -> tuple[str, ...]:
    """The command that a fix is told of: what stands in its first code span."""
    return texts.words(text.split("`")[1]) if text.startswith("`") and text.count("`") > 1 else ()


def _fixes(wiki: Wiki, scope: str, named: Sequence[str]) -> tuple[Sentence, ...]:
    return tuple((one.claim.text, (one.claim.id,)) for _, one in _fixed(wiki, scope, named))
