"""Seeking: a question looked into step by step, by a model that says where to look and code that looks. Writes nothing.

Each step asks the model with all that was seen; each look is made on the shelf, or in the index; each span that it gives
is held against its file. It ends when nothing more is to be looked at, or a limit is reached.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from wikimem.core import inquiries
from wikimem.core.inquiries import Do, Glimpse, Inquiry, Look, Premise, Seen, Step
from wikimem.core.questions import Question, Reply, Task
from wikimem.core.shelving import Resolved
from wikimem.edges.prompts import Prompts
from wikimem.edges.shelf import Shelf
from wikimem.errors import ModelFailed, NotOnShelf


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far a question is looked into.

    Args:
        steps: how often the model is asked.
        characters: of all that is seen, cards apart.
        seconds: until no further step begins.
    """

    steps: int = 8
    characters: int = 80_000
    seconds: float = 180.0


@dataclass(frozen=True, slots=True)
class Tools:
    """What a question is looked into with.

    Args:
        shelf: the files.
        search: the best lines of the index for some words.
        ask: asks the model.
        prompts: words the steps.
        model: its name.
        clock: seconds that pass.
    """

    shelf: Shelf
    search: Callable[[str], tuple[Glimpse, ...]]
    ask: Callable[[Question], Reply]
    prompts: Prompts
    model: str
    clock: Callable[[], float] = time.monotonic


@dataclass(slots=True)
class Trail:
    """What came of looking; grows while it lasts.

    Args:
        spans: the words that answer, held against their files, the best first.
        premise: whether what the question takes for granted is so.
        note: a sentence of the model on it; may be empty.
        looks: every look, in words.
        steps: how often the model was asked.
        read, wrote: tokens.
        dropped: spans that do not stand, a clause each.
        stopped: the limit that ended it; empty if none did.
    """

    spans: tuple[Resolved, ...] = ()
    premise: Premise = Premise.UNKNOWN
    note: str = ""
    looks: list[str] = field(default_factory=list)
    steps: int = 0
    read: int = 0
    wrote: int = 0
    dropped: tuple[str, ...] = ()
    stopped: str = ""


def seek(inquiry: Inquiry, tools: Tools, bounds: Bounds) -> Trail:
    """Look into a question.

    Args:
        inquiry: the question with the cards.
        tools: what it is looked into with.
        bounds: how far.

    Raises:
        ModelFailed: the model gave no usable reply.
        OSError: a file cannot be read.
    """
    trail = Trail()
    end = tools.clock() + bounds.seconds
    room = bounds.characters
    while True:
        step = _ask(inquiry, tools, trail)
        trail.premise, trail.note = step.premise, step.note
        spans, trail.dropped = _resolved(step, tools.shelf)
        trail.spans = spans or trail.spans
        wrong = [Seen(Look(Do.READ, "a span that was given"), others=(why,)) for why in trail.dropped]
        if not step.looks and (not wrong or spans):
            return trail
        trail.stopped = _limit(inquiry, tools.clock() > end, room, bounds)
        if trail.stopped:
            return trail
        seen = [_look(look, tools, inquiry) for look in step.looks]
        trail.looks += [look.words for look in step.looks]
        room -= sum(len(one.text) for one in seen)
        inquiry = inquiry.after((*seen, *wrong))


def _limit(inquiry: Inquiry, late: bool, room: int, bounds: Bounds) -> str:
    if inquiry.left <= 1:
        return f"the limit of {bounds.steps} steps was reached"
    if late:
        return f"the limit of {bounds.seconds:g} s was reached"
    return f"the limit of {bounds.characters // 1000} kB was reached" if room <= 0 else ""


def _ask(inquiry: Inquiry, tools: Tools, trail: Trail) -> Step:
    reply = tools.ask(tools.prompts.question(Task.SEEK, inquiry))
    trail.steps += 1
    trail.read += reply.read
    trail.wrote += reply.wrote
    try:
        return inquiries.read(reply.content)
    except ValueError as wrong:
        raise ModelFailed(tools.model, str(wrong)) from None


def _resolved(step: Step, shelf: Shelf) -> tuple[tuple[Resolved, ...], tuple[str, ...]]:
    """The spans that stand, each once, and why the others do not."""
    stand: dict[tuple[str, str], Resolved] = {}
    dropped: list[str] = []
    for span in step.spans:
        found = shelf.resolve(span)
        if isinstance(found, str):
            dropped.append(found)
        else:
            stand.setdefault((found.cite, found.words), found)
    return tuple(stand.values()), tuple(dropped)


def _look(look: Look, tools: Tools, inquiry: Inquiry) -> Seen:
    """What a look gives; a refusal is something seen too."""
    if any(one.look == look for one in inquiry.seen):
        return Seen(look, others=("this was looked at before",))
    try:
        return _seen(look, tools)
    except NotOnShelf as refused:
        return Seen(look, others=(str(refused),))


def _seen(look: Look, tools: Tools) -> Seen:
    shelf = tools.shelf
    match look.do:
        case Do.SEARCH:
            return Seen(look, tools.search(look.pattern))
        case Do.GREP:
            found = shelf.grep(look.pattern, look.path)
            more = found.stopped or ("there is more; make the pattern or the path narrower" if found.next else "")
            return Seen(look, tuple(Glimpse(match.path, match.line) for match in found.matches), more=more)
        case Do.READ:
            sheet = shelf.read(look.path, look.first, look.last)
            lines = tuple(Glimpse(look.path, line) for line in sheet.lines)
            return Seen(look, lines, more=f"it goes on at line {sheet.next}" if sheet.next else "")
        case Do.LIST:
            listed = shelf.list(look.path)
            return Seen(look, others=tuple(map(inquiries.entry, listed.entries)), more="there is more" if listed.next else "")
        case Do.HISTORY:
            story = shelf.history(look.path)
            return Seen(look, others=tuple(map(inquiries.version, story.versions)), more="there is more" if story.next else "")
