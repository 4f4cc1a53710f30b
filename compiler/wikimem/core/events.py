"""Events of agents' sessions, in the words of each agent: what its hook is given, and what it takes as an answer. Pure.

claude-code    JSON on stdin; context is added by `hookSpecificOutput.additionalContext`
codex          the same
cursor         JSON on stdin; context is added by `additional_context`, at the start of a session only
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wikimem.core import texts

START, PROMPT, TURN, COMPACT, END = "start", "prompt", "turn", "compact", "end"
EVENTS = (START, PROMPT, TURN, COMPACT, END)
AGENTS = ("claude-code", "codex", "cursor")

_ASKED = 2000
"""Characters of a prompt that are looked up: its beginning and its end, between which logs are pasted."""
_WORDS = 3

_NAMES = {START: "SessionStart", PROMPT: "UserPromptSubmit"}
_RESUMED = "resume"


@dataclass(frozen=True, slots=True)
class Event:
    """What an agent tells at an event.

    Args:
        agent: its name, one of `AGENTS`.
        session: the session's id; may be empty.
        cwd: the folder it is held in; may be empty.
        transcript: the file it is kept in; empty if the agent does not tell.
        prompt: what was typed, at a prompt.
        resumed: whether the session goes on with all it was told before.
    """

    agent: str
    session: str = ""
    cwd: str = ""
    transcript: str = ""
    prompt: str = ""
    resumed: bool = False


def read(agent: str, told: object) -> Event:
    """The event in what a hook was given; what is missing or of another type counts as empty.

    Args:
        agent: one of `AGENTS`.
        told: the JSON value on its stdin.
    """
    values: Mapping[str, Any] = told if isinstance(told, dict) else {}

    def text(*names: str) -> str:
        return next((values[name] for name in names if isinstance(values.get(name), str) and values[name]), "")

    roots = values.get("workspace_roots")
    root = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
    return Event(
        agent=agent,
        session=text("session_id", "conversation_id"),
        cwd=text("cwd") or root,
        transcript=text("transcript_path"),
        prompt=text("prompt"),
        resumed=values.get("source") == _RESUMED,
    )


def asked(event: Event) -> str:
    """What of a prompt is looked up; empty for one of too few words to ask anything."""
    whole = event.prompt.strip()
    told = whole if len(whole) <= _ASKED else f"{whole[: _ASKED // 2]}\n{whole[-_ASKED // 2 :]}"
    return told if len(set(texts.words(told))) >= _WORDS else ""


def answer(agent: str, event: str, text: str) -> Mapping[str, Any] | None:
    """What a hook prints so that the agent reads a text; None where that agent takes none at this event.

    Args:
        agent: one of `AGENTS`.
        event: one of `EVENTS`.
        text: may be empty.
    """
    if not text or event not in _NAMES:
        return None
    if agent == "cursor":
        return {"additional_context": text} if event == START else None
    return {"hookSpecificOutput": {"hookEventName": _NAMES[event], "additionalContext": text}}
