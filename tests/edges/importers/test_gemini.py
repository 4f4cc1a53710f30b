"""Gemini CLI's sessions: documents, and lines that rewrite messages, reset and rewind; Qwen's, which have its messages."""

from __future__ import annotations

from pathlib import Path

import orjson

from agents import alive, at, conversations, facts, named, noise, read, recognised, spoken, told
from conftest import jsonl, turns_of
from wikimem.core.turns import Speaker
from wikimem.edges.importers import gemini

HEAD = {"sessionId": "8f0c2c1e-0000-4000-8000-00000000a001", "projectHash": "ab" * 32, "startTime": at(0), "kind": "main"}


def said(own: str, kind: str, content: object, minute: int = 1, **more: object) -> dict[str, object]:
    return {"id": own, "timestamp": at(minute), "type": kind, "content": content, **more}


CALL = {
    "id": "read_file-1777880000-abc",
    "name": "read_file",
    "args": {"path": "tide.csv"},
    "status": "error",
    "result": [{"functionResponse": {"name": "read_file", "response": {"error": "no such file"}}}],
}


def test_a_message_that_grows_counts_once_as_it_ended() -> None:
    records = read(
        "gemini",
        jsonl(
            HEAD,
            said("u1", "user", [{"text": "<session_context>\nToday is Monday.\n</session_context>"}]),
            said("u2", "user", [{"text": "Chart the tides."}]),
            said("g1", "gemini", "", 2),
            said("g1", "gemini", "Chart", 2),
            said(
                "g1",
                "gemini",
                "Charted.",
                2,
                toolCalls=[CALL],
                model="m",
                thoughts=[{"subject": "Plan", "description": "read it"}],
            ),
        ),
    )
    assert recognised("session.jsonl", jsonl(HEAD, said("u2", "user", "x"))) == "gemini"
    assert [(t.speaker.value, t.form.value, t.error) for t in turns_of(records)] == [
        ("harness", "prose", False),
        ("human", "prose", False),
        ("assistant", "thinking", False),
        ("assistant", "prose", False),
        ("assistant", "call", False),
        ("tool", "result", True),
    ]
    assert spoken(records, Speaker.ASSISTANT)[1] == ("", "Charted.")
    assert noise(records) == ["metadata", "gemini:blank", "replaced by a longer version"]


def test_what_was_rewound_is_dead_and_what_followed_lives() -> None:
    records = read(
        "gemini",
        jsonl(
            HEAD,
            said("u1", "user", "Use feet."),
            said("g1", "gemini", "Feet."),
            said("u2", "user", "And knots."),
            {"$rewindTo": "u1"},
            said("u3", "user", "Use metres."),
            said("g2", "gemini", "Metres."),
        ),
    )
    assert alive(records) == ["Use metres.", "Metres."]
    assert len(turns_of(records)) == 5


def test_a_list_of_messages_resets_and_repeats_nothing() -> None:
    one, two = said("u1", "user", "Use feet."), said("g1", "gemini", "Feet.")
    records = read(
        "gemini",
        jsonl(
            HEAD,
            one,
            two,
            said("u2", "user", "And knots."),
            {"$set": {"messages": [one, two]}},
            said("u3", "user", "And metres."),
            {
                "$set": {
                    "summary": "Units",
                    "messages": [one, two, said("u3", "user", "And metres."), said("u4", "user", "New in the list.")],
                }
            },
        ),
    )
    assert alive(records) == ["Use feet.", "Feet.", "And metres.", "New in the list."]
    assert facts(records)["title"] == "Units"


def test_far_behind_only_what_is_new_in_a_message_counts() -> None:
    many = [said(f"m{n:04}", "user", f"Reading {n}.", n % 60) for n in range(100)]
    again = said("m0000", "user", [{"text": "Reading 0."}, {"text": "With a note."}])
    records = read("gemini", jsonl(HEAD, *many, again, said("m0001", "user", "Reading 1.")))
    assert [text for _, text in spoken(records)] == [f"Reading {n}." for n in range(100)] + ["With a note."]


def test_a_sub_agents_prompts_and_places(tmp_path: Path) -> None:
    records = read("gemini", jsonl({**HEAD, "kind": "subagent"}, said("u1", "user", "Look for gauges.")))
    assert (spoken(records), spoken(records, Speaker.ASSISTANT)) == ([], [("prompt", "Look for gauges.")])
    chats = tmp_path / "tmp" / "abcd" / "chats"
    (chats / "parent-1").mkdir(parents=True)
    (chats.parent / ".project_root").write_text("/home/sam/tides\n")
    assert named("gemini").hint(chats / "parent-1" / "x.jsonl") == {"cwd": "/home/sam/tides", "parent": "parent-1"}
    assert named("gemini").hint(chats / "x.jsonl") == {"cwd": "/home/sam/tides"}


def test_a_document_is_one_conversation(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    asked = {
        "id": "ask_user-1777880000-q",
        "name": "ask_user",
        "args": {"questions": [{"question": "Which port?"}]},
        "status": "success",
        "result": [{"functionResponse": {"response": {"output": '{"answers":{"0":"Leith"}}'}}}],
    }
    cut = {**CALL, "status": "cancelled", "result": [], "resultDisplay": "stopped"}
    path.write_bytes(
        orjson.dumps(
            {
                **HEAD,
                "summary": "Ports",
                "messages": [
                    said(
                        "u1",
                        "user",
                        "See @tide.csv\n--- Content from referenced files ---\nI like knots.\n--- End of content ---",
                        displayContent="See @tide.csv",
                    ),
                    said("g1", "gemini", "", toolCalls=[asked, cut]),
                    said("i1", "info", "Request cancelled."),
                    {"hologram": 1},
                ],
            }
        )
    )
    (found,) = conversations(path)
    assert (found.session, found.title, found.started) == (HEAD["sessionId"], "Ports", "2026-05-04T08:00:00Z")
    assert told(found.turns) == [("", "See @tide.csv"), ("answer", "Leith")]
    (refused,) = [turn for turn in found.turns if turn.mark == "rejected"]
    assert refused.error
    assert dict(found.noise) == {"info": 1, "message without a type": 1}
    assert dict(found.unknown) == {"message without a type": 1}


def test_a_document_that_is_cut_short_gives_its_whole_messages(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    whole = orjson.dumps({**HEAD, "messages": [said("u1", "user", "Kept."), said("u2", "user", "Lost.")]})
    path.write_bytes(whole[: whole.index(b"Lost")])
    found = list(gemini.conversations(path))
    assert isinstance(found[0], str) and "cut short" in found[0]
    assert isinstance(found[1], gemini.Conversation) and told(found[1].turns) == [("", "Kept.")]


def test_a_saved_history_has_neither_ids_nor_times(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint-x.json"
    path.write_bytes(
        orjson.dumps([{"role": "user", "parts": [{"text": "Hello."}]}, {"role": "model", "parts": [{"text": "Hi."}]}])
    )
    (found,) = conversations(path)
    assert [turn.text for turn in found.turns] == ["Hello.", "Hi."]
    assert found.session.startswith("history-")


def qwen(number: int, parent: int, kind: str, *parts: object, **more: object) -> dict[str, object]:
    return {
        "uuid": f"q-{number}",
        "parentUuid": f"q-{parent}" if parent else None,
        "sessionId": "quay-1",
        "timestamp": at(number),
        "type": kind,
        "cwd": "/home/sam/quay",
        "message": {"role": "x", "parts": list(parts)},
        **more,
    }


def test_qwen_keeps_claudes_tree_with_geminis_messages() -> None:
    data = jsonl(
        qwen(
            1,
            0,
            "user",
            {"text": "Mend the crane."},
            {"text": "<qwen:user-prompt-submit-context>\nhook\n</qwen:user-prompt-submit-context>"},
            systemPayload={"displayText": "Mend the crane."},
        ),
        qwen(
            2,
            1,
            "assistant",
            {"text": "hm", "thought": True},
            {"functionCall": {"id": "c1", "name": "read_file", "args": {}}},
            model="m",
        ),
        qwen(
            3,
            2,
            "tool_result",
            {"functionResponse": {"id": "c1", "name": "read_file", "response": {"output": "rust"}}},
            toolCallResult={"status": "error"},
        ),
        qwen(4, 1, "system", subtype="rewind", systemPayload={"targetUuid": "q-1"}),
        qwen(5, 4, "user", {"text": "Sell the crane."}, subtype="mid_turn_user_message"),
        qwen(6, 5, "assistant", {"text": "Sold."}),
        qwen(6, 5, "assistant", {"text": "Truly."}, {"sonar": 1}),
        qwen(7, 6, "user", {"text": "A task ended."}, subtype="notification"),
        qwen(8, 7, "system", subtype="slash_command", systemPayload={"phase": "invocation", "rawCommand": "/ask why rust?"}),
        qwen(9, 8, "system", subtype="custom_title", systemPayload={"customTitle": "Crane"}),
        qwen(10, 9, "system", subtype="tide_table"),
    )
    assert recognised("x.jsonl", data) == "qwen"
    records = read("qwen", data)
    assert spoken(records) == [("", "Mend the crane."), ("queued", "Sell the crane."), ("argument", "why rust?")]
    assert "rust" not in alive(records) and {"Mend the crane.", "Sell the crane.", "Sold.", "Truly."} <= set(alive(records))
    (result,) = [turn for turn in turns_of(records) if turn.speaker is Speaker.TOOL]
    assert result.error and result.call == "c1"
    assert [mark for mark, _ in spoken(records, Speaker.HARNESS)] == ["expanded", "notification", "command"]
    assert facts(records)["title"] == "Crane"
    assert [record.unknown for record in records if record.unknown] == [("part:sonar",)]
