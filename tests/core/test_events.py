"""Events: what the hooks of each agent are given and take."""

from __future__ import annotations

import pytest

from wikimem.core import events


def test_claude_code_tells_session_folder_transcript_and_prompt() -> None:
    told = {"session_id": "s", "cwd": "/w", "transcript_path": "/t.jsonl", "prompt": "go", "source": "resume"}
    event = events.read("claude-code", told)
    assert (event.session, event.cwd, event.transcript, event.prompt, event.resumed) == ("s", "/w", "/t.jsonl", "go", True)


def test_cursor_tells_a_conversation_and_roots() -> None:
    event = events.read("cursor", {"conversation_id": "c", "workspace_roots": ["/w", "/x"]})
    assert (event.session, event.cwd) == ("c", "/w")


@pytest.mark.parametrize("told", [None, 3, [], {"session_id": 4, "cwd": None, "workspace_roots": "x"}])
def test_what_is_missing_or_strange_counts_as_empty(told: object) -> None:
    assert events.read("codex", told) == events.Event("codex")


def test_context_is_answered_in_each_agents_words() -> None:
    told = events.answer("claude-code", events.PROMPT, "known")
    assert told == {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "known"}}
    assert events.answer("cursor", events.START, "known") == {"additional_context": "known"}
    assert events.answer("cursor", events.PROMPT, "known") is None
    assert events.answer("codex", events.TURN, "known") is None
    assert events.answer("codex", events.START, "") is None
