"""Whatever happens to a file (cut, glued, reordered, changed): no importer raises, and no intact record is lost."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents import DAY, event, named, read
from agents import codex as codex_line
from conftest import turns_of
from makers import MAKERS, anthropic, gemini, hermes
from wikimem.edges import importers
from wikimem.edges.importers import Head, LineFormat

MARK = "sentinel-"


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4), max_leaves=8
)


def changed(value: Any, dice: random.Random, other: Any) -> Any:
    """A JSON value with one place of it replaced, removed or doubled."""
    if isinstance(value, dict) and value:
        key = dice.choice(list(value))
        match dice.randrange(4):
            case 0:
                return {name: each for name, each in value.items() if name != key}
            case 1:
                return {**value, key: other}
            case _:
                return {**value, key: changed(value[key], dice, other)}
    if isinstance(value, list) and value:
        place = dice.randrange(len(value))
        return [*value[:place], changed(value[place], dice, other), *value[place:]]
    return other


@pytest.mark.parametrize("format", sorted(MAKERS))
@settings(max_examples=120, deadline=None)
@given(seed=st.integers(0, 1 << 32), other=VALUES, count=st.integers(1, 8))
def test_no_damage_costs_an_intact_record(format: str, seed: int, other: Any, count: int) -> None:
    dice = random.Random(seed)
    lines: list[bytes] = []
    wanted: set[str] = set()
    for number in range(1, count + 1):
        words = f"{MARK}{number}-{dice.randrange(1 << 30)}."
        record = MAKERS[format](words, number)
        data = json.dumps(record, ensure_ascii=dice.random() < 0.5).encode("utf-8", "replace")
        kind = dice.randrange(7)
        if kind == 0:
            lines.append(data[: dice.randrange(len(data))])
        elif kind == 1:
            lines.append(json.dumps(changed(record, dice, other)).encode("utf-8", "replace"))
        elif kind == 2:
            cut = json.dumps(MAKERS[format]("torn", number)).encode()
            # A cut inside a string or a number; after a bracket or comma nobody can tell a record from a part of one.
            lines.append(cut[: dice.randrange(2, 12)].rstrip(b'{[,: "') + b'"x' + data)
            wanted.add(words)
        elif kind == 3:
            lines += [b"\x00\x00", bytes(dice.randrange(256) for _ in range(dice.randrange(30))).replace(b"\n", b"")]
        else:
            lines.append(data)
            wanted.add(words)
    dice.shuffle(lines)
    heard = "\n".join(turn.text for turn in turns_of(read(format, b"\n".join(lines))))
    assert not {words for words in wanted if words not in heard}


def gemini_document() -> dict[str, Any]:
    call = {
        "id": "c1",
        "name": "ask_user",
        "args": {"questions": [{"question": "q"}]},
        "status": "success",
        "result": [{"functionResponse": {"response": {"output": '{"answers":{"0":"a"}}'}}}],
    }
    messages = [gemini(f"{MARK}{n}", n) for n in range(3)]
    messages.append({**gemini("last", 4), "toolCalls": [call], "thoughts": [{"subject": "s", "description": "d"}]})
    return {"sessionId": "s-1", "projectHash": "ab", "startTime": DAY, "messages": messages}


def web_document() -> dict[str, Any]:
    return {"loglines": [anthropic(f"{MARK}{n}", n) for n in range(1, 4)]}


def hermes_document() -> dict[str, Any]:
    messages = [hermes(f"{MARK}{n}", n) for n in range(3)]
    return {"session_id": "h", "platform": "cli", "session_start": DAY, "messages": messages}


def opencode_document() -> dict[str, Any]:
    tool = {
        "type": "tool",
        "tool": "question",
        "callID": "c",
        "state": {
            "status": "completed",
            "input": {"questions": []},
            "output": "x",
            "metadata": {"answers": [["a"]]},
            "time": {"end": 1},
        },
    }
    info = {"id": "m", "role": "user", "sessionID": "s", "time": {"created": 1_777_881_600_000}, "path": {"cwd": "/h"}}
    parts = [{"id": "p", "type": "text", "text": MARK}, tool]
    session = {"id": "ses", "projectID": "p", "directory": "/h", "revert": {}, "time": {"created": 1}}
    return {"info": session, "messages": [{"info": info, "parts": parts}]}


DOCUMENTS = {
    "gemini-document": gemini_document,
    "claude-web": web_document,
    "hermes": hermes_document,
    "opencode": opencode_document,
}


ODD: tuple[Any, ...] = (None, [], {}, [1], {"a": [2]}, "x", "{", 3, True, -1e300, "7b22", "2026-05-04T08:00:00Z")


def everywhere(value: Any, other: Any) -> Iterator[Any]:
    """The value with another one in each of its places in turn."""
    yield other
    if isinstance(value, dict):
        for key in value:
            yield from ({**value, key: each} for each in everywhere(value[key], other))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from ([*value[:place], each, *value[place + 1 :]] for each in everywhere(inner, other))


QUESTIONS = {"questions": [{"id": "a", "question": "q", "header": "h"}]}
ASKED = '{"questions":[{"id":"a","question":"q"}]}'
ANSWERED = '{"answers":{"a":{"answers":["x"]}}}'
RICH: dict[str, list[Any]] = {
    "codex": [
        codex_line(
            0,
            "session_meta",
            {"id": "s", "source": {"subagent": {"thread_spawn": {"parent_thread_id": "p"}}}, "git": {"branch": "b"}},
        ),
        codex_line(0, "session_meta", {"id": "other", "timestamp": "x"}),
        codex_line(1, "turn_context", {"turn_id": "019df220-d260-7000-8000-00000000000a", "cwd": "/", "model": "m"}),
        codex_line(
            1, "response_item", {"type": "function_call", "name": "request_user_input", "arguments": ASKED, "call_id": "c"}
        ),
        codex_line(1, "response_item", {"type": "function_call_output", "call_id": "c", "output": ANSWERED, "success": True}),
        codex_line(
            1,
            "response_item",
            {"type": "custom_tool_call_output", "call_id": "d", "output": [{"type": "input_text", "text": "t"}]},
        ),
        codex_line(1, "response_item", {"type": "reasoning", "summary": [{"text": "t"}], "content": [{"text": "u"}]}),
        event(1, "exec_command_end", call_id="e", command=["ls"], stdout="o", stderr="e", exit_code=1),
        event(
            1,
            "mcp_tool_call_end",
            call_id="f",
            invocation={"server": "s", "tool": "t", "arguments": {}},
            result={"Ok": {"content": []}},
        ),
        event(1, "patch_apply_end", call_id="g", changes={"a": {}}, success=True),
        event(1, "item_completed", item={"type": "Reasoning", "summary_text": ["t"], "raw_content": []}),
        event(1, "item_completed", item={"type": "UserMessage", "content": [{"type": "text", "text": "t"}]}),
        event(1, "exited_review_mode", review_output={"overall_explanation": "o", "findings": [{"title": "t", "body": "b"}]}),
        event(1, "thread_goal_updated", goal={"objective": "o"}),
        event(1, "thread_rolled_back", num_turns=1),
        codex_line(1, "compacted", {"message": "m"}),
        {"id": "old", "timestamp": "2025-08-01T10:00:00.000Z", "git": {"branch": "b"}},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "t"}]},
    ],
    "codex-exec": [
        {"type": "thread.started", "thread_id": "t"},
        {"type": "item.started", "item": {"id": "i", "type": "command_execution", "command": "ls"}},
        {
            "type": "item.completed",
            "item": {"id": "i", "type": "mcp_tool_call", "server": "s", "tool": "t", "arguments": {}, "result": {}},
        },
    ],
    "pi": [
        {"type": "session", "id": "s", "version": 3, "cwd": "/", "branchedFrom": "/a_x.jsonl"},
        {
            "type": "message",
            "id": "a",
            "parentId": "b",
            "message": {
                "role": "assistant",
                "model": "m",
                "content": [{"type": "toolCall", "id": "c", "name": "n", "arguments": {}}, {"type": "thinking", "thinking": "t"}],
            },
        },
        {
            "type": "message",
            "message": {"role": "toolResult", "toolCallId": "c", "toolName": "n", "content": "x", "isError": True},
        },
        {"type": "message", "message": {"role": "bashExecution", "command": "ls", "output": "o", "exitCode": 1}},
        {"type": "custom_message", "customType": "c", "content": "x"},
        {"type": "compaction", "summary": "s"},
    ],
    "gemini": [
        {"sessionId": "s", "projectHash": "p", "kind": "main"},
        {"$set": {"messages": [gemini("x", 1)], "summary": "s"}},
        {"$rewindTo": "g1"},
        {
            "id": "t",
            "type": "gemini",
            "content": "x",
            "thoughts": [{"subject": "s"}],
            "toolCalls": [
                {
                    "id": "c",
                    "name": "ask_user",
                    "args": QUESTIONS,
                    "status": "success",
                    "result": [{"functionResponse": {"name": "n", "response": {"output": ANSWERED}}}],
                }
            ],
        },
        {
            "id": "u",
            "type": "user",
            "content": [{"text": "x"}, {"functionResponse": {"response": {"error": "e"}}}],
            "displayContent": "x",
        },
    ],
    "qwen": [
        {"uuid": "a", "type": "system", "subtype": "rewind", "systemPayload": {"targetUuid": "b"}},
        {
            "uuid": "c",
            "type": "system",
            "subtype": "slash_command",
            "systemPayload": {"rawCommand": "/ask x", "phase": "invocation"},
        },
        {"uuid": "d", "type": "system", "subtype": "chat_compression", "systemPayload": {"info": {"summary": "s"}}},
        {"uuid": "e", "type": "assistant", "message": {"parts": [{"functionCall": {"id": "c", "name": "n", "args": {}}}]}},
        {
            "uuid": "f",
            "type": "tool_result",
            "message": {"parts": [{"functionResponse": {"name": "n"}}]},
            "toolCallResult": {"status": "error"},
        },
    ],
    "kimi": [
        {
            "type": "context.append_message",
            "message": {"role": "tool", "content": [{"text": "x"}], "toolCallId": "c", "origin": {"kind": "x"}},
        },
        {
            "type": "context.append_loop_event",
            "event": {"type": "tool.call", "toolCallId": "c", "name": "AskUserQuestion", "args": QUESTIONS},
        },
        {
            "type": "context.append_loop_event",
            "event": {"type": "tool.result", "toolCallId": "c", "result": {"output": ANSWERED}},
        },
        {
            "type": "permission.record_approval_result",
            "toolCallId": "d",
            "toolName": "ExitPlanMode",
            "result": {"decision": "approved", "selectedLabel": "ok", "feedback": "f"},
        },
        {"type": "context.append_loop_event", "event": {"type": "tool.call", "toolCallId": "d", "display": {"plan": "p"}}},
        {"type": "context.append_loop_event", "event": {"type": "tool.result", "toolCallId": "d", "result": {"output": "o"}}},
    ],
    "copilot": [
        {
            "type": "session.start",
            "data": {"sessionId": "s", "context": {"cwd": "/", "repository": "a/b", "repositoryHost": "h"}},
        },
        {
            "type": "assistant.message",
            "data": {"content": "x", "toolRequests": [{"toolCallId": "c", "name": "ask_user", "arguments": "{}"}]},
        },
        {
            "type": "tool.execution_complete",
            "data": {"toolCallId": "c", "success": True, "result": {"content": "User responded: x"}},
        },
        {"type": "user.message", "data": {"content": "x", "source": "user", "delivery": "steering"}, "id": "e"},
        {"type": "session.snapshot_rewind", "data": {"upToEventId": "e"}},
    ],
    "droid": [
        {"type": "session_start", "id": "s", "title": "t", "cwd": "/", "version": 2},
        {
            "type": "message",
            "id": "m",
            "message": {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "c", "content": [{"type": "text", "text": "t"}], "is_error": True}
                ],
            },
        },
        {"type": "tool_result", "session_id": "s", "toolCallId": "c", "value": {"stdout": "o", "exitCode": 1}},
        {"type": "completion", "session_id": "s", "finalText": "f"},
    ],
    "cursor": [
        {"role": "assistant", "message": {"content": [{"type": "tool_use", "name": "n", "input": {}, "id": "c"}]}},
        {"role": "user", "message": {"content": [{"type": "tool-result", "content": [{"type": "text", "text": "t"}]}]}},
    ],
    "hermes-lines": [
        {"role": "session_meta", "session_id": "s", "model_config": {"cwd": "/"}},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "function": {"name": "n", "arguments": "{}"}}]},
    ],
}


@pytest.mark.parametrize("format", sorted(RICH))
def test_another_value_in_any_place_of_any_record_makes_no_importer_raise(format: str) -> None:
    for number, record in enumerate(RICH[format]):
        for other in ODD:
            lines = [json.dumps(each).encode() for each in everywhere(record, other)]
            whole = [json.dumps(each).encode() for each in RICH[format]]
            read(format, b"\n".join([*whole[:number], *lines, *whole[number + 1 :]]))


@pytest.mark.parametrize("format", sorted(DOCUMENTS))
def test_another_value_in_any_place_of_a_document_makes_no_importer_raise(format: str, tmp_path: Path) -> None:
    container = importers.named(format)
    assert isinstance(container, importers.Container)
    path = tmp_path / "x.json"
    for other in ODD:
        for each in everywhere(DOCUMENTS[format](), other):
            path.write_bytes(json.dumps(each).encode())
            for found in container.conversations(path):
                assert isinstance(found, str) or b"".join(importers.canonical.write(found))


@pytest.mark.parametrize("format", sorted(MAKERS))
@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\ud83d"])
def test_what_other_languages_call_a_line_end_ends_no_record(format: str, separator: str) -> None:
    data = b"".join(
        json.dumps(MAKERS[format](f"one{separator}two {n}", n), ensure_ascii=separator == "\ud83d").encode() + b"\r\n"
        for n in (1, 2)
    )
    heard = [turn.text for turn in turns_of(read(format, data))]
    assert len(heard) == 2 and all("one" in text and f"two {n}" in text for n, text in enumerate(heard, 1))


@pytest.mark.parametrize("format", [format.name for format in importers.FORMATS if isinstance(format, LineFormat)])
@settings(max_examples=60, deadline=None)
@given(data=st.binary(max_size=400) | st.text(max_size=400).map(lambda text: text.encode("utf-8", "replace")))
def test_no_bytes_make_an_importer_raise(format: str, data: bytes) -> None:
    read(format, data)
    named(format).recognise(Head("x", data, whole=True))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 1 << 32))
def test_aider_keeps_each_prompt_whatever_the_answers_between_hold(seed: int) -> None:
    dice = random.Random(seed)
    bits = [
        b"```python\n",
        b"```\n",
        b"> quoted\n",
        b"#### heading\n",
        b"text  \n",
        b"\n",
        b"~~~\n",
        b"# aider chat\n",
        b"> out  \n",
        b"\xff\x00\n",
    ]
    data, wanted = b"# aider chat started at 2026-05-04 08:00:00\n\n", []
    for number in range(4):
        wanted.append(f"Prompt {number} of {seed}.")
        answer = b"".join(dice.choice(bits) for _ in range(dice.randrange(8)))
        data += b"\n#### " + wanted[-1].encode() + b"  \n\n" + answer + b"\n"
    heard = [turn.text for turn in turns_of(read("aider", data)) if turn.speaker.value == "human"]
    assert all(any(words in text for text in heard) for words in wanted)


@pytest.mark.parametrize("format", sorted(DOCUMENTS))
@settings(max_examples=120, deadline=None)
@given(seed=st.integers(0, 1 << 32), other=VALUES)
def test_no_change_of_a_document_makes_its_importer_raise(
    format: str, seed: int, other: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    dice = random.Random(seed)
    value: Any = DOCUMENTS[format]()
    for _ in range(dice.randrange(1, 4)):
        value = changed(value, dice, other)
    data = json.dumps(value).encode("utf-8", "replace")
    if dice.random() < 0.3:
        data = data[: dice.randrange(len(data) + 1)]
    path = tmp_path_factory.getbasetemp() / f"{format}.json"
    path.write_bytes(data)
    container = importers.named(format)
    assert isinstance(container, importers.Container)
    container.recognise(Head("x.json", data, whole=True))
    for found in container.conversations(path):
        assert isinstance(found, str) or b"".join(importers.canonical.write(found))


@pytest.mark.parametrize("format", ["opencode", "cursor-database"])
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 1 << 32), other=VALUES)
def test_no_change_of_a_databases_values_makes_its_importer_raise(
    format: str, seed: int, other: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    dice = random.Random(seed)
    path = tmp_path_factory.getbasetemp() / f"{format}.db"
    path.unlink(missing_ok=True)
    base = sqlite3.connect(path)
    if format == "opencode":
        message, part = opencode_document()["messages"][0]["info"], opencode_document()["messages"][0]["parts"][1]
        base.execute("CREATE TABLE session(id, parent_id, directory, title, version, revert, time_created, time_updated)")
        base.execute("CREATE TABLE message(id, session_id, time_created, data)")
        base.execute("CREATE TABLE part(id, message_id, session_id, data)")
        base.execute("INSERT INTO session VALUES('s',NULL,'/h','t','1','{}',1,1)")
        base.execute("INSERT INTO message VALUES('m','s',1,?)", (json.dumps(changed(message, dice, other)),))
        base.execute("INSERT INTO part VALUES('p','m','s',?)", (json.dumps(changed(part, dice, other)),))
    else:
        composer = {"createdAt": 1, "fullConversationHeadersOnly": [{"bubbleId": "b", "type": 2}], "conversation": []}
        tool = {"name": "ask_question", "rawArgs": '{"questions":[]}', "result": '{"answers":{}}', "status": "completed"}
        bubble = {
            "type": 2,
            "text": MARK,
            "thinking": {"text": "t"},
            "toolFormerData": tool,
            "timingInfo": {"clientStartTime": 1},
        }
        base.execute("CREATE TABLE cursorDiskKV(key, value)")
        base.execute("INSERT INTO cursorDiskKV VALUES('composerData:c',?)", (json.dumps(changed(composer, dice, other)),))
        base.execute("INSERT INTO cursorDiskKV VALUES('bubbleId:c:b',?)", (json.dumps(changed(bubble, dice, other)).encode(),))
    base.commit()
    base.close()
    container = importers.named(format)
    assert isinstance(container, importers.Container)
    for found in container.conversations(path):
        assert isinstance(found, str) or b"".join(importers.canonical.write(found))
