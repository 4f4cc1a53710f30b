"""No echo: what a session was told by its memory is no evidence in any agent's transcript; what the person says to it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agents import codex, conversations, item, opencode, read, said
from conftest import claude, jsonl, turns_of
from wikimem.attend import enclosed
from wikimem.core import screening
from wikimem.core.turns import Speaker, Turn

TOLD = enclosed(
    "- The ferry service is deployed from the blue lane. (fact)\n  [20260302-claude-code-1a2b3c4d:L1] 2026-03-02, human"
)
ASKED = "From which lane do we deploy?"
REACTION = "Done, we moved it to the amber lane on 2 June."

Written = Callable[[Path], list[Turn]]


def _claude(path: Path) -> list[Turn]:
    use = {"type": "tool_use", "id": "t1", "name": "mcp__wikimem__memory_search", "input": {"question": ASKED}}
    hook = {"type": "hook_additional_context", "content": [TOLD], "hookEvent": "UserPromptSubmit"}
    return turns_of(
        read(
            "claude-code",
            jsonl(
                claude(1, "user", f"<system-reminder>\nUserPromptSubmit hook additional context: {TOLD}\n</system-reminder>"),
                {**claude(2, "user", ""), "type": "attachment", "attachment": hook, "message": None},
                claude(3, "user", ASKED),
                claude(4, "assistant", [use], 3),
                claude(5, "user", [{"type": "tool_result", "tool_use_id": "t1", "content": TOLD}], 4),
                claude(6, "user", REACTION, 5),
            ),
        )
    )


def _codex(path: Path) -> list[Turn]:
    call = {"type": "function_call", "name": "mcp__wikimem__memory_search", "arguments": "{}", "call_id": "call_aa11bb22cc33"}
    return turns_of(
        read(
            "codex",
            jsonl(
                codex(0, "session_meta", {"id": "c-1", "cwd": "/home/sam/harbour"}),
                item(1, "developer", TOLD),
                item(2, "user", f"{TOLD}\n\n{ASKED}"),
                codex(3, "response_item", call),
                codex(3, "response_item", {"type": "function_call_output", "call_id": call["call_id"], "output": TOLD}),
                item(4, "user", REACTION),
            ),
        )
    )


def _gemini(path: Path) -> list[Turn]:
    call = {
        "id": "x",
        "name": "mcp_wikimem_memory_search",
        "args": {"question": ASKED},
        "status": "success",
        "result": [{"functionResponse": {"id": "x", "name": "mcp_wikimem_memory_search", "response": {"output": TOLD}}}],
    }

    def line(id: str, kind: str, content: object, **more: object) -> dict[str, object]:
        return {"id": id, "timestamp": "2026-06-03T09:00:00Z", "type": kind, "content": content, **more}

    head = {"sessionId": "g-1", "projectHash": "h", "startTime": "2026-06-03T09:00:00Z", "lastUpdated": "2026-06-03T09:00:00Z"}
    lines = (line("u1", "user", ASKED), line("g1", "gemini", "", toolCalls=[call]), line("u2", "user", REACTION))
    return turns_of(read("gemini", jsonl(head, *lines)))


def _opencode(path: Path) -> list[Turn]:
    base = opencode(path / "opencode.db")
    state = {"status": "completed", "input": {"question": ASKED}, "output": TOLD, "title": ""}
    said(base, 1, "user", {"type": "text", "text": f"{TOLD}\n{ASKED}"})
    said(base, 2, "assistant", {"type": "tool", "callID": "c1", "tool": "wikimem_memory_search", "state": state})
    said(base, 3, "user", {"type": "text", "text": REACTION})
    base.close()
    (told,) = conversations(path / "opencode.db")
    return list(told.turns)


def _cursor(path: Path) -> list[Turn]:
    def line(role: str, *blocks: dict[str, object]) -> dict[str, object]:
        return {"role": role, "message": {"content": list(blocks)}}

    use = {"type": "tool_use", "id": "t1", "name": "mcp_wikimem_memory_search", "input": {"question": ASKED}}
    return turns_of(
        read(
            "cursor",
            jsonl(
                line("user", {"type": "text", "text": f"<user_query>\n{ASKED}\n</user_query>"}),
                line("assistant", use),
                line("user", {"type": "tool_result", "tool_use_id": "t1", "content": TOLD}),
                line("user", {"type": "text", "text": f"<user_query>\n{REACTION}\n</user_query>"}),
            ),
        )
    )


def _shell(path: Path) -> list[Turn]:
    """An agent without the server, by command."""
    use = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "wikimem recall 'which lane'"}}
    grep = {"type": "tool_use", "id": "t2", "name": "Bash", "input": {"command": "grep -rn lane wiki/topics/deployment.md"}}
    return turns_of(
        read(
            "claude-code",
            jsonl(
                claude(1, "user", ASKED),
                claude(2, "assistant", [use], 1),
                claude(3, "user", [{"type": "tool_result", "tool_use_id": "t1", "content": "- deployed from the blue lane"}], 2),
                claude(4, "assistant", [grep], 3),
                claude(5, "user", [{"type": "tool_result", "tool_use_id": "t2", "content": "deployed from the blue lane"}], 4),
                claude(6, "user", REACTION, 5),
            ),
        )
    )


@pytest.mark.parametrize("written", [_claude, _codex, _gemini, _opencode, _cursor, _shell])
def test_what_the_memory_told_is_no_evidence_and_what_the_person_says_is(written: Written, tmp_path: Path) -> None:
    turns = written(tmp_path)
    screened = screening.screen(turns)
    assert any("blue lane" in turn.text for turn in turns)
    assert not any("blue lane" in heard.words for heard in screened.heard)
    human = [heard.words.strip() for heard in screened.heard if heard.turn.speaker is Speaker.HUMAN and heard.words.strip()]
    assert human == [ASKED, REACTION]
