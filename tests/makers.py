"""The smallest record of each format of JSON lines, with some words in it: what tests that go over all formats share."""

from __future__ import annotations

import html
import json
import sqlite3
from collections.abc import Callable
from typing import Any

from agents import DAY, item
from conftest import claude


def codex(words: str, n: int) -> dict[str, Any]:
    return item(n, "user" if n % 2 else "assistant", words)


def stream(words: str, n: int) -> dict[str, Any]:
    return {"type": "item.completed", "item": {"id": f"item_{n}", "type": "agent_message", "text": words}}


def pi(words: str, n: int) -> dict[str, Any]:
    message = {"role": "user" if n % 2 else "assistant", "content": [{"type": "text", "text": words}]}
    return {"type": "message", "id": f"e{n}", "parentId": f"e{n - 1}", "timestamp": f"{DAY}T08:00:{n:02}Z", "message": message}


def gemini(words: str, n: int) -> dict[str, Any]:
    return {
        "id": f"g{n}",
        "timestamp": f"{DAY}T08:00:{n:02}Z",
        "type": "user" if n % 2 else "gemini",
        "content": [{"text": words}],
    }


def qwen(words: str, n: int) -> dict[str, Any]:
    return {
        "uuid": f"q{n}",
        "parentUuid": f"q{n - 1}",
        "sessionId": "s",
        "timestamp": f"{DAY}T08:00:{n:02}Z",
        "type": "user" if n % 2 else "assistant",
        "message": {"parts": [{"text": words}]},
    }


def kimi(words: str, n: int) -> dict[str, Any]:
    if n % 2:
        return {
            "type": "turn.prompt",
            "input": [{"type": "text", "text": words}],
            "origin": {"kind": "user"},
            "time": 1_777_881_600_000 + n,
        }
    part = {"type": "content.part", "uuid": f"p{n}", "part": {"type": "text", "text": words}}
    return {"type": "context.append_loop_event", "event": part, "time": 1_777_881_600_000 + n}


def copilot(words: str, n: int) -> dict[str, Any]:
    kind = "user.message" if n % 2 else "assistant.message"
    return {"type": kind, "data": {"content": words}, "id": f"e{n}", "timestamp": f"{DAY}T08:00:{n:02}Z"}


def droid(words: str, n: int) -> dict[str, Any]:
    message = {"role": "user" if n % 2 else "assistant", "content": [{"type": "text", "text": words}]}
    return {"type": "message", "id": f"m{n}", "timestamp": f"{DAY}T08:00:{n:02}Z", "message": message}


def cursor(words: str, n: int) -> dict[str, Any]:
    return {"role": "user" if n % 2 else "assistant", "message": {"content": [{"type": "text", "text": words}]}}


def hermes(words: str, n: int) -> dict[str, Any]:
    return {"role": "user" if n % 2 else "assistant", "content": words, "timestamp": f"{DAY}T08:00:{n:02}Z"}


def anthropic(words: str, n: int) -> dict[str, Any]:
    return claude(n, "user" if n % 2 else "assistant", [{"type": "text", "text": words}], n - 1)


MAKERS = {
    "codex": codex,
    "codex-exec": stream,
    "pi": pi,
    "openclaw": pi,
    "gemini": gemini,
    "qwen": qwen,
    "kimi": kimi,
    "copilot": copilot,
    "droid": droid,
    "cursor": cursor,
    "hermes-lines": hermes,
    "claude-code": anthropic,
}


def document(format: str, said: list[str]) -> tuple[str, bytes] | None:
    """A whole file of any format in which some words are said, one after the other: its name and bytes; None for no such format.

    Args:
        format: its name.
        said: what is said, by the person and the assistant in turn; lines without newlines.
    """
    if format in MAKERS:
        made = MAKERS[format]
        head = {"pi": PI, "openclaw": PI, "gemini": GEMINI, "droid": DROID, "copilot": COPILOT}.get(format, [])
        records = [*head, *(made(words, number) for number, words in enumerate(said, 1))]
        return f"{format}.jsonl", b"".join(json.dumps(each).encode() + b"\n" for each in records)
    text = TEXTS.get(format)
    if text is not None:
        return text[0], text[1](said).encode()
    if format == "cursor-database":
        return "state.vscdb", _cursor_database(said)
    value = DOCUMENTS.get(format)
    return (value[0], json.dumps(value[1](said)).encode()) if value is not None else None


PI = [{"type": "session", "id": "s", "version": 3, "cwd": "/h", "timestamp": f"{DAY}T08:00:00Z"}]
GEMINI = [{"sessionId": "s", "projectHash": "p", "kind": "main", "startTime": f"{DAY}T08:00:00Z"}]
DROID = [{"type": "session_start", "id": "s", "title": "t", "cwd": "/h"}]
COPILOT = [{"type": "session.start", "data": {"sessionId": "s"}, "id": "e0", "timestamp": f"{DAY}T08:00:00Z"}]


def _canonical(said: list[str]) -> str:
    lines: list[dict[str, Any]] = [{"wikimem": 1, "session": "c", "title": "t", "started": f"{DAY}T08:00:00Z", "cwd": ""}]
    for n, words in enumerate(said):
        lines.append({"id": f"w{n}", "speaker": "human", "name": "Ada", "time": f"{DAY}T08:00:{n % 60:02}Z", "text": words})
    return "".join(json.dumps(line) + "\n" for line in lines)


def _whatsapp(said: list[str]) -> str:
    return "".join(f"[24/05/2026, 08:{n % 60:02}:00] Ada: {words}\n" for n, words in enumerate(said))


def _phone(stamp: str) -> Callable[[list[str]], str]:
    return lambda said: "".join(f"{stamp.format(n % 60)} - Ada: {words}\n" for n, words in enumerate(said))


def _lines(said: list[str]) -> str:
    messages = [{"role": "user" if n % 2 == 0 else "assistant", "content": words} for n, words in enumerate(said)]
    return json.dumps({"messages": messages}) + "\n"


def _webvtt(said: list[str]) -> str:
    cues = [f"00:{n % 60:02}:00.000 --> 00:{n % 60:02}:05.000\n<v Ada>{words}\n" for n, words in enumerate(said)]
    return "WEBVTT\n\n" + "\n".join(cues)


def _zoom(said: list[str]) -> str:
    return "".join(f"08:{n % 60:02}:00\t From Ada to Everyone : {words}\n" for n, words in enumerate(said))


def _specstory(said: list[str]) -> str:
    turns = (f"_**{'User' if n % 2 == 0 else 'Assistant'}**_\n\n{words}\n\n---\n\n" for n, words in enumerate(said))
    return f"<!-- Generated by SpecStory -->\n\n# Talk ({DAY} 08:00:00)\n\n" + "".join(turns)


def _aider(said: list[str]) -> str:
    turns = (f"#### {words}\n\n" if n % 2 == 0 else f"{words}\n\n" for n, words in enumerate(said))
    return f"# aider chat started at {DAY} 08:00:00\n\n" + "".join(turns)


def _signal(said: list[str]) -> str:
    return "".join(f"[{DAY}, 08:{n % 60:02}] Ada: {words}\n" for n, words in enumerate(said))


def _minutes(said: list[str]) -> str:
    talk = (f"**{'Ada' if n % 2 == 0 else 'Bo'}**: {words}\n" for n, words in enumerate(said))
    return f"---\ntitle: Weekly\ndate: {DAY}\n---\n\n# Weekly\n\n" + "".join(talk)


def _cursor_export(said: list[str]) -> str:
    talk = (f"**{'User' if n % 2 == 0 else 'Cursor'}**\n\n{words}\n\n---\n\n" for n, words in enumerate(said))
    return "# Talk\n_Exported on 4/5/2026 at 12:55:28 GMT+3 from Cursor (1.0.0)_\n\n---\n\n" + "".join(talk)


def _note(said: list[str]) -> str:
    return "# A note\n\n" + "\n\n".join(said) + "\n"


TEXTS = {
    "wikimem": ("canonical.jsonl", _canonical),
    "whatsapp": ("WhatsApp Chat.txt", _whatsapp),
    "whatsapp-dmy": ("chat.txt", _phone("04/05/2026, 08:{:02}")),
    "whatsapp-mdy": ("chat.txt", _phone("5/24/26, 8:{:02} AM")),
    "openai-messages": ("messages.jsonl", _lines),
    "webvtt": ("call.vtt", _webvtt),
    "zoom-chat": ("meeting_saved_chat.txt", _zoom),
    "specstory": ("2026-05-04_08-00Z-talk.md", _specstory),
    "aider": (".aider.chat.history.md", _aider),
    "note": ("note.md", _note),
    "signal": ("export.txt", _signal),
    "minutes": ("minutes.md", _minutes),
    "cursor-export": ("cursor_talk.md", _cursor_export),
}


def _chatgpt(said: list[str]) -> Any:
    mapping: dict[str, Any] = {"n0": {"id": "n0", "message": None, "parent": None, "children": ["n1"]}}
    for n, words in enumerate(said, 1):
        message = {
            "id": f"n{n}",
            "author": {"role": "user" if n % 2 else "assistant"},
            "create_time": 1_777_881_600.0 + n,
            "content": {"content_type": "text", "parts": [words]},
        }
        mapping[f"n{n}"] = {"id": f"n{n}", "message": message, "parent": f"n{n - 1}", "children": [f"n{n + 1}"]}
    mapping[f"n{len(said)}"]["children"] = []
    told = {"title": "t", "create_time": 1_777_881_600.0, "update_time": 1_777_881_700.0, "mapping": mapping}
    return [{**told, "current_node": f"n{len(said)}", "id": "c1", "conversation_id": "c1"}]


def _claude_ai(said: list[str]) -> Any:
    messages = [
        {
            "uuid": f"m{n}",
            "sender": "human" if n % 2 == 0 else "assistant",
            "text": words,
            "content": [{"type": "text", "text": words}],
            "created_at": f"{DAY}T08:00:{n % 60:02}Z",
        }
        for n, words in enumerate(said)
    ]
    return [{"uuid": "c", "name": "t", "created_at": f"{DAY}T08:00:00Z", "chat_messages": messages}]


def _telegram(said: list[str]) -> Any:
    messages = [
        {
            "id": n,
            "type": "message",
            "date": f"{DAY}T08:00:{n % 60:02}",
            "date_unixtime": str(1_777_881_600 + n),
            "from": "Ada",
            "from_id": "user1",
            "text": words,
            "text_entities": [{"type": "plain", "text": words}],
        }
        for n, words in enumerate(said)
    ]
    return {"name": "Ada", "type": "personal_chat", "id": 7, "messages": messages}


def _gemini_document(said: list[str]) -> Any:
    messages = [gemini(words, n) for n, words in enumerate(said, 1)]
    return {"sessionId": "s-1", "projectHash": "ab", "startTime": f"{DAY}T08:00:00Z", "messages": messages}


def _web(said: list[str]) -> Any:
    return {"loglines": [anthropic(words, n) for n, words in enumerate(said, 1)]}


def _hermes_document(said: list[str]) -> Any:
    messages = [hermes(words, n) for n, words in enumerate(said)]
    return {"session_id": "h", "platform": "cli", "session_start": DAY, "messages": messages}


def _opencode(said: list[str]) -> Any:
    messages = []
    for n, words in enumerate(said):
        info = {"id": f"m{n}", "role": "user" if n % 2 == 0 else "assistant", "sessionID": "s", "path": {"cwd": "/h"}}
        info["time"] = {"created": 1_777_881_600_000 + n}
        messages.append({"info": info, "parts": [{"id": f"p{n}", "type": "text", "text": words}]})
    session = {"id": "ses", "projectID": "p", "directory": "/h", "time": {"created": 1_777_881_600_000}}
    return {"info": session, "messages": messages}


def _slack(said: list[str]) -> Any:
    texts = (html.escape(words, quote=False) for words in said)
    return [
        {"type": "message", "user": "U1", "text": words, "ts": f"{1_777_881_600 + n}.000100"} for n, words in enumerate(texts)
    ]


def _openai(said: list[str]) -> Any:
    messages = [{"role": "user" if n % 2 == 0 else "assistant", "content": words} for n, words in enumerate(said)]
    return {"model": "m", "messages": messages}


def _otel(said: list[str]) -> Any:
    """One span with all that was sent, as a text that holds JSON, and the last answer."""
    told = [
        {"role": "user" if n % 2 == 0 else "assistant", "parts": [{"type": "text", "content": words}]}
        for n, words in enumerate([*said, "Done."])
    ]
    values = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", "gen_ai.conversation.id": "c"}
    values |= {"gen_ai.input.messages": json.dumps(told[:-1]), "gen_ai.output.messages": json.dumps(told[-1:])}
    times = {"startTimeUnixNano": "1777881600000000000", "endTimeUnixNano": "1777881601000000000"}
    attributes = [{"key": key, "value": {"stringValue": value}} for key, value in values.items()]
    span = {"traceId": "a" * 32, "spanId": "b" * 16, "name": "chat", **times, "attributes": attributes, "events": []}
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {"name": "x"}, "spans": [span]}]}]}


def _langsmith(said: list[str]) -> Any:
    def message(kind: str, words: str) -> dict[str, Any]:
        path = ["langchain", "schema", "messages", f"{kind}Message"]
        return {"lc": 1, "type": "constructor", "id": path, "kwargs": {"content": words}}

    sent = [message("Human" if n % 2 == 0 else "AI", words) for n, words in enumerate(said)]
    got = {"generations": [[{"text": "Done.", "message": message("AI", "Done.")}]]}
    times = {"start_time": f"{DAY}T08:00:00", "end_time": f"{DAY}T08:00:09", "dotted_order": "20260504T080000"}
    place = {"trace_id": "r0", "session_id": "p", "parent_run_id": None, "extra": {"metadata": {"thread_id": "t"}}}
    return [{"id": "r0", "name": "step", "run_type": "llm", "inputs": {"messages": [sent]}, "outputs": got, **times, **place}]


def _cursor_database(said: list[str]) -> bytes:
    """The editor's database, with one conversation."""
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE cursorDiskKV(key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
    base.execute("CREATE TABLE ItemTable(key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
    own = "10a3d6b2-aa05-411a-b271-5945795e8229"
    ids = [f"4f426dcb-b394-4b36-bb2d-{n:012}" for n in range(len(said))]
    composer = {
        "composerId": own,
        "name": "Talk",
        "createdAt": 1_777_881_600_000,
        "lastUpdatedAt": 1_777_881_700_000,
        "fullConversationHeadersOnly": [{"bubbleId": each, "type": 1 + n % 2} for n, each in enumerate(ids)],
    }
    base.execute("INSERT INTO cursorDiskKV VALUES(?,?)", (f"composerData:{own}", json.dumps(composer)))
    for n, (each, words) in enumerate(zip(ids, said, strict=True)):
        bubble = {"bubbleId": each, "type": 1 + n % 2, "text": words, "createdAt": f"{DAY}T08:00:{n % 60:02}.000Z"}
        base.execute("INSERT INTO cursorDiskKV VALUES(?,?)", (f"bubbleId:{own}:{each}", json.dumps(bubble)))
    base.commit()
    made = base.serialize()
    base.close()
    return made


DOCUMENTS = {
    "chatgpt": ("conversations.json", _chatgpt),
    "claude-ai": ("conversations.json", _claude_ai),
    "telegram": ("result.json", _telegram),
    "gemini-document": ("session-2026.json", _gemini_document),
    "claude-web": ("web.json", _web),
    "hermes": ("hermes.json", _hermes_document),
    "opencode": ("ses.json", _opencode),
    "slack": ("2026-05-04.json", _slack),
    "openai-document": ("chat.json", _openai),
    "otel": ("traces.json", _otel),
    "langsmith": ("runs.json", _langsmith),
}
