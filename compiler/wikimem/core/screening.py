"""Screening: which words of one session may be evidence, and why the others may not. Pure; one source alone.

Nothing is dropped: every turn stays, with the words that may be quoted from it (perhaps none) and the rule that took
the rest. What our own tools returned, or what was read from a vault, is recognised by what stands in the session
itself: the names of calls, the paths in them, and the citations that only our pages and answers carry.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass

from wikimem.core.turns import Form, Speaker, Turn

BLOCK = "wikimem-memory"
"""The tag that encloses memory put into a prompt: `<wikimem-memory>…</wikimem-memory>`."""

TASK = "<wikimem-task"
"""What a prompt of our own compiler begins with: a session that starts so is ours, and no evidence at all."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A turn, screened.

    Args:
        turn: as it was said.
        words: what may be quoted from it; empty if nothing may.
        rule: the rule that took all of it, or `injected` or `pasted` where only a part was taken; empty if none did.
    """

    turn: Turn
    words: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Screened:
    """A session, screened.

    Args:
        heard: all its turns in order.
        recalled: what came from a memory, by the number of the turn it came in.
    """

    heard: tuple[Heard, ...]
    recalled: tuple[tuple[int, str], ...]

    def at(self, locator: str) -> tuple[int, Heard] | None:
        """The turn of a locator, with its number; None if there is none."""
        return next(((n, heard) for n, heard in enumerate(self.heard) if heard.turn.at == locator), None)


@dataclass(frozen=True, slots=True)
class _Session:
    dead: Container[str]
    calls: Mapping[str, Turn]
    ours: bool


_Rule = tuple[str, Callable[[Turn, _Session], bool]]


def screen(turns: Iterable[Turn], dead: Container[str] = ()) -> Screened:
    """The session with what may be quoted from each turn.

    Args:
        turns: all turns of one source, in order.
        dead: locators of turns on rewound branches.
    """
    every = tuple(turns)
    calls = {turn.call: turn for turn in every if turn.form is Form.CALL and turn.call}
    first = next((turn for turn in every if turn.at not in dead), None)
    session = _Session(dead, calls, first is not None and first.text.lstrip().startswith(TASK))
    heard: list[Heard] = []
    recalled: list[tuple[int, str]] = []
    for number, turn in enumerate(every):
        rule = next((name for name, holds in RULES if holds(turn, session)), "")
        if rule:
            heard.append(Heard(turn, "", rule))
            if rule in ("own-tool", "vault"):
                recalled.append((number, turn.text))
            continue
        words, injected = _without_memory(turn.text)
        recalled += [(number, text) for text in injected]
        kept = _own_words(words) if turn.speaker is Speaker.HUMAN else words
        heard.append(Heard(turn, kept, "injected" if injected else "pasted" if kept != words else ""))
    return Screened(tuple(heard), tuple(recalled))


def _is_own_session(turn: Turn, session: _Session) -> bool:
    return session.ours


def _is_rewound(turn: Turn, session: _Session) -> bool:
    return turn.at in session.dead


def _is_harness(turn: Turn, session: _Session) -> bool:
    return turn.speaker is Speaker.HARNESS


_SUMMARISER = "agent-acompact-"
"""Claude Code has summaries of compactions written by a sub-agent of this name: its prompt and reply retell the session."""


def _is_summary(turn: Turn, session: _Session) -> bool:
    return turn.speaker is Speaker.SUMMARY or turn.at.startswith(_SUMMARISER)


def _is_thinking(turn: Turn, session: _Session) -> bool:
    return turn.form is Form.THINKING


_OWN_CALL = re.compile(r"(?:^|[^a-z])wikimem(?:$|[^a-z])", re.IGNORECASE)
_OWN_COMMAND = re.compile(r"(?:^|[;&|(\s\"'`/\\])wikimem(?:\.exe)?\s+[a-z]|-m\s+wikimem\b")


def _is_own_tool(turn: Turn, session: _Session) -> bool:
    if turn.form not in (Form.CALL, Form.RESULT):
        return False
    call = turn if turn.form is Form.CALL else session.calls.get(turn.call)
    return any(
        _OWN_CALL.search(one.name) is not None or (one.form is Form.CALL and _OWN_COMMAND.search(one.text) is not None)
        for one in (turn, call)
        if one is not None
    )


_FOLDERS = "people|projects|topics|decisions|procedures|environments|gotchas|syntheses|sessions"
_VAULT_PATH = re.compile(
    rf"\bwiki[/\\]+(?:index\.md|(?:{_FOLDERS})[/\\]|\.claims\b)"
    r"|\bsources[/\\]+\d{4}[/\\]+\d\d[/\\]+\d{8}-[\w-]+-[0-9a-f]{8}"
    r"|\.wikimem[/\\]"
)
_CITED = re.compile(
    r"\[\^[a-z2-7]{12}\]|\"claim\": ?\"[a-z2-7]{12}\"|\b\d{8}-[a-z][\w-]*-[0-9a-f]{8}:L\d+"
    r"|\[[0-9a-f]{8,64}:(?:[\w./-]+/)?L\d+(?:-\d+)?\]"  # as a recall cites
)


def _cites(text: str) -> bool:
    """Whether a text holds a citation of the wiki; what every citation holds is looked for first, since most texts hold none."""
    return any(sign in text for sign in ("[^", '"claim"', ":L", "/L")) and _CITED.search(text) is not None


def _is_vault(turn: Turn, session: _Session) -> bool:
    if turn.form is not Form.RESULT:
        return False
    call = session.calls.get(turn.call)
    return _cites(turn.text) or (call is not None and _VAULT_PATH.search(call.text) is not None)


RULES: tuple[_Rule, ...] = (
    ("own-session", _is_own_session),
    ("rewound", _is_rewound),
    ("harness", _is_harness),
    ("summary", _is_summary),
    ("thinking", _is_thinking),
    ("own-tool", _is_own_tool),
    ("vault", _is_vault),
)
"""What makes a whole turn no evidence, in the order in which it is asked."""


_INJECTED = re.compile(rf"<{BLOCK}\b[^>]*>.*?(?:</{BLOCK}>|\Z)", re.DOTALL)


def _without_memory(text: str) -> tuple[str, list[str]]:
    """The text without memory that was put into it, and that memory."""
    if "wikimem" not in text and not _cites(text):
        return text, []
    taken = [match[0] for match in _INJECTED.finditer(text)]
    left = _INJECTED.sub("\n", text)
    kept: list[str] = []
    quoted = False  # whether the line stands under a citation, as what it cites
    for line in left.split("\n"):
        quoted = _cites(line) or (quoted and line.startswith("> "))
        (taken if quoted else kept).append(line)
    return "\n".join(kept), taken


_PLAN = re.compile(r"\s*(?:please\s+)?(?:implement|execute|follow|carry out)\s+(?:the\s+following|this)\s+plan\b", re.I)
_HEADING = re.compile(r"^#{1,4} \S", re.MULTILINE)
_LONG, _SHORT = 1200, 80


def _own_words(text: str) -> str:
    """What a person typed themselves, without a plan or review of an agent that they pasted below it."""
    plan = _PLAN.match(text)
    if plan is not None:
        end = text.find("\n", plan.end())
        first = text if end < 0 else text[:end]
        return first if len(first) <= plan.end() + _SHORT else text[: plan.end()]
    headings = list(_HEADING.finditer(text))
    if len(headings) >= 3 or (len(headings) == 2 and len(text) > _LONG):
        return text[: headings[0].start()]
    return text
