"""The view of a session: what extraction reads of it. Prose whole, the heads of calls and results, errors whole.

Pure, made from a screened session; what is no evidence is not in it. A model reads `text(view)`; the built-in rules read
the same view as values. A long view is read in windows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from wikimem.core import actions
from wikimem.core.actions import Action, Deed
from wikimem.core.screening import Screened
from wikimem.core.turns import Form, Speaker, Turn

CALL, RESULT, BRIEF = 160, 240, 40
"""Characters of a tool call, of a result, and of one that only shows a file, that are shown."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """One turn, as extraction sees it.

    Args:
        number: of the turn in its session, from 0; turns that are no evidence are counted and not shown.
        turn: as it was said.
        words: what may be quoted from it, cut to what is shown.
        action: of a call, what it did.
    """

    number: int
    turn: Turn
    words: str
    action: Action | None = None

    @property
    def is_person(self) -> bool:
        """Whether a person said it."""
        return self.turn.speaker is Speaker.HUMAN


@dataclass(frozen=True, slots=True)
class View:
    """What extraction reads of one source.

    Args:
        source: the source's id.
        scope: of the session, `project:<slug>`; empty for none.
        title: what the session is called.
        me: what the person who types is called, from the settings; empty if nobody told.
        started: as `Turn.said`; empty if unknown.
        spoken: in order.
        earlier: how many of them were read in the window before, and are shown only to be understood.
    """

    source: str
    scope: str
    title: str
    me: str
    started: str
    spoken: tuple[Spoken, ...]
    earlier: int = 0

    def exchanges(self) -> tuple[tuple[Spoken, ...], ...]:
        """The view cut before each human turn that does not directly follow another one."""
        found: list[list[Spoken]] = []
        for one in self.spoken:
            if not found or (one.is_person and not found[-1][-1].is_person):
                found.append([])
            found[-1].append(one)
        return tuple(map(tuple, found))


def of(source: str, session: Screened, facts: Mapping[str, str], me: str = "") -> View:
    """The view of a session.

    Args:
        source: the source's id.
        session: screened.
        facts: any of `scope`, `title`, `started`.
        me: see `View`.
    """
    spoken = tuple(
        Spoken(number, heard.turn, _cut(heard.turn, heard.words), actions.of(heard.turn))
        for number, heard in enumerate(session.heard)
        if heard.words.strip()
    )
    return View(source, facts.get("scope", ""), facts.get("title", ""), me, facts.get("started", ""), spoken)


_ERROR = re.compile(r"(?i)\b(?:\w*(?:error|exception)s?|traceback|failed|failure|fatal|panic|exit (?:code|status)|exited with)\b")


def _cut(turn: Turn, words: str) -> str:
    match turn.form:
        case Form.CALL:
            return _head(words, CALL)
        case Form.RESULT:
            if len(words) <= RESULT:
                return words
            told = [line for line in words[RESULT:].splitlines() if turn.error or _ERROR.search(line)]
            return "\n".join([_head(words, RESULT), *_few(told)])
    return words


def _few(told: list[str]) -> list[str]:
    """Lines that tell of errors: the last ones say most, and a log may hold thousands."""
    return [_head(line, RESULT) for line in told[-12:]]


_WORD_CUT = re.compile(r"\w+\Z")


def _head(words: str, size: int) -> str:
    """The first characters, at most `size`; no word is cut, for half a word can be quoted by nobody."""
    if len(words) <= size:
        return words
    head = words[:size]
    return (_WORD_CUT.sub("", head) or head) if words[size].isalnum() else head


def text(view: View) -> str:
    """The view as a model reads it: a line a turn, with locator and speaker; an empty line between exchanges."""
    return "\n".join(part for part in texts(view) if part)


def texts(view: View) -> tuple[str, str]:
    """What was read in the window before, and what is to be read; see `text`."""
    lines = _Lines()
    earlier = "\n".join(lines.of(view.spoken[: view.earlier]))
    return earlier, "\n".join(lines.of(view.spoken[view.earlier :]))


class _Lines:
    """Writes turns; a day is told once, and the time of day where a person speaks: both cost a model as much as words."""

    def __init__(self) -> None:
        self._day = ""
        self._person = True

    def of(self, spoken: Iterable[Spoken]) -> list[str]:
        found: list[str] = []
        for one in spoken:
            if one.is_person and not self._person and found:
                found.append("")
            self._person = one.is_person
            day = one.turn.clock[:10]
            if day and day != self._day:
                self._day = day
                found.append(day)
            found.append(_line(one))
        return found


def _line(one: Spoken) -> str:
    turn = one.turn
    failed = " failed" if turn.error else ""
    mark = f" ({turn.mark}{': ' + ' '.join(turn.about.split()) if turn.about else ''})" if turn.mark else ""
    match turn.form:
        case Form.CALL:
            who = f"calls {turn.name}".rstrip()
        case Form.RESULT:
            who = "tool"
        case _:
            # A model's own name says nothing about what it says.
            name = f" {turn.name}" if turn.name and turn.speaker is not Speaker.ASSISTANT else ""
            clock = f" {turn.clock[11:16]}" if one.is_person and len(turn.clock) >= 16 else ""
            who = f"{turn.speaker.value}{name}{clock}"
    return f"[{turn.at}] {who}{failed}{mark}: {one.words.strip()}"


def brief(view: View) -> View:
    """The view without most of what calls returned that only looked at files, or wrote them: a claim cannot rest on that.

    What a file holds can be read again at any time, and then it is up to date; errors stay.
    """
    quiet = {one.turn.call for one in view.spoken if one.action is not None and one.action.deed is not Deed.RUN}
    return replace(
        view,
        spoken=tuple(
            replace(one, words=_head(one.words, BRIEF)) if _is_quiet(one.turn) and one.turn.call in quiet else one
            for one in view.spoken
        ),
    )


def _is_quiet(turn: Turn) -> bool:
    return turn.form is Form.RESULT and bool(turn.call) and not turn.error


SIGNS = 3.5
"""Characters of a view to a token, on the safe side: 3.6 to 3.9 were measured on sessions in English and code."""

OVERLAP = 0.1
"""How much of a window is shown again before the next one, as a part of its size."""


def windows(view: View, size: int, measure: Callable[[str], int] = len) -> tuple[View, ...]:
    """The view in windows, each small enough to be read at once; nothing is left out.

    A window ends between two exchanges where it can, else between two turns; one turn that is too long for any window is cut
    into pieces. Each window but the first begins with the end of the one before it, which was read there (`View.earlier`).

    Args:
        view: a whole view.
        size: how much of `measure` a window holds.
        measure: how long a text is: characters, or tokens.
    """
    pieces = [piece for one in view.spoken for piece in _pieces(one, size, measure)]
    lengths = [measure(_line(piece)) + 1 for piece in pieces]
    if sum(lengths) <= size or len(pieces) < 2:
        return (replace(view, spoken=tuple(pieces)),)
    found: list[View] = []
    start = 0
    while start < len(pieces):
        first = _overlap(lengths, start, int(size * OVERLAP))
        end = _end(pieces, lengths, start, size - sum(lengths[first:start]))
        found.append(replace(view, spoken=tuple(pieces[first:end]), earlier=start - first))
        start = end
    return tuple(found)


def _pieces(one: Spoken, size: int, measure: Callable[[str], int]) -> list[Spoken]:
    """A turn, in as many pieces as it needs to fit into half a window."""
    if measure(one.words) <= size // 2 or len(one.words) < 2:
        return [one]
    half = len(one.words) // 2
    at = max(one.words.rfind("\n", 0, half), one.words.rfind(" ", 0, half), 0) or half
    halves = (replace(one, words=one.words[:at]), replace(one, words=one.words[at:]))
    return [piece for each in halves if each.words.strip() for piece in _pieces(each, size, measure)]


def _overlap(lengths: Sequence[int], start: int, size: int) -> int:
    """Where a window that reads from `start` begins to show."""
    first = start
    while first > 0 and sum(lengths[first - 1 : start]) <= size:
        first -= 1
    return first


def _end(pieces: Sequence[Spoken], lengths: Sequence[int], start: int, size: int) -> int:
    """Where a window ends: at the last exchange that still fits and leaves it at least half full, else at the last turn."""
    end, used = start, 0
    while end < len(pieces) and (end == start or used + lengths[end] <= size):
        used += lengths[end]
        end += 1
    if end == len(pieces):
        return end
    seen = 0
    best = end
    for at in range(start + 1, end + 1):
        seen += lengths[at - 1]
        if seen >= size // 2 and pieces[at].is_person and not pieces[at - 1].is_person:
            best = at
    return best
