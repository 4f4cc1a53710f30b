"""The view of a session: what extraction reads of it. Prose whole, the heads of calls and results, errors whole.

Pure, made from a screened session; what is no evidence is not in it. A model reads `text(view)`; the built-in rules read
the same view as values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wikimem.core import actions
from wikimem.core.actions import Action
from wikimem.core.screening import Screened
from wikimem.core.turns import Form, Speaker, Turn

CALL, RESULT = 160, 240
"""Characters of a tool call and of a result that are shown."""


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
    """

    source: str
    scope: str
    title: str
    me: str
    started: str
    spoken: tuple[Spoken, ...]

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
    """The view as a model reads it: a line a turn, with locator, speaker and time; an empty line between exchanges."""
    return "\n\n".join("\n".join(_lines(exchange)) for exchange in view.exchanges())


def _lines(exchange: Iterable[Spoken]) -> Iterable[str]:
    for one in exchange:
        turn = one.turn
        kind = {Form.CALL: " calls", Form.RESULT: " returns"}.get(turn.form, "")
        # A model's own name says nothing about what it says.
        name = f" {turn.name}" if turn.name and (turn.speaker is not Speaker.ASSISTANT or turn.form is Form.CALL) else ""
        mark = f" ({turn.mark}{': ' + ' '.join(turn.about.split()) if turn.about else ''})" if turn.mark else ""
        failed = " failed" if turn.error else ""
        said = f" {turn.said}" if turn.said else ""
        yield f"[{turn.at}] {turn.speaker.value}{name}{kind}{failed}{mark}{said}: {one.words.strip()}"
