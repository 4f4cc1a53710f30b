"""Sessions of pi and of OpenClaw: branches, compactions, a person's commands, and what messengers wrap around words."""

from __future__ import annotations

from pathlib import Path

from agents import alive, at, facts, named, noise, read, recognised, spoken
from conftest import jsonl, turns_of
from wikimem.core.turns import Form, Noise, Speaker

HEAD = {"type": "session", "version": 3, "id": "pier-1", "timestamp": at(59), "cwd": "/home/sam/pier"}


def entry(own: str, parent: str | None, role: str, text: str, **more: object) -> dict[str, object]:
    message = {"role": role, "content": [{"type": "text", "text": text}], **more}
    return {"type": "message", "id": own, "parentId": parent, "timestamp": at(int(own[1:])), "message": message}


def test_a_session_with_a_call_a_command_and_a_compaction() -> None:
    records = read(
        "pi",
        jsonl(
            HEAD,
            entry("e1", None, "user", "Paint the rail."),
            {
                "type": "message",
                "id": "e2",
                "parentId": "e1",
                "timestamp": at(2),
                "message": {
                    "role": "assistant",
                    "model": "m",
                    "content": [
                        {"type": "thinking", "thinking": "which colour"},
                        {"type": "text", "text": "Painting."},
                        {"type": "toolCall", "id": "toolu_0123456789abcdef", "name": "bash", "arguments": {"command": "paint"}},
                        {"type": "scent"},
                    ],
                },
            },
            entry("e3", "e2", "toolResult", "no paint", toolCallId="toolu_0123456789abcdef", toolName="bash", isError=True),
            {
                "type": "message",
                "id": "e4",
                "parentId": "e3",
                "timestamp": at(4),
                "message": {"role": "bashExecution", "command": "ls tins", "output": "", "exitCode": 1},
            },
            {
                "type": "compaction",
                "id": "e5",
                "parentId": "e4",
                "timestamp": at(5),
                "summary": "Rail, no paint.",
                "firstKeptEntryId": "e1",
            },
            {"type": "model_change", "id": "e6", "parentId": "e5", "timestamp": at(6)},
        ),
    )
    told = turns_of(records)
    assert [(t.speaker.value, t.form.value, t.error, t.mark) for t in told] == [
        ("human", "prose", False, ""),
        ("assistant", "thinking", False, ""),
        ("assistant", "prose", False, ""),
        ("assistant", "call", False, ""),
        ("tool", "result", True, ""),
        ("human", "call", False, "shell"),
        ("tool", "result", True, "shell"),
        ("summary", "prose", False, ""),
    ]
    assert told[3].call == told[4].call and told[4].identity == "result:toolu_0123456789abcdef"
    assert [record.unknown for record in records if record.unknown] == [("block:scent",)]
    assert facts(records) == {"session": "pier-1", "cwd": "/home/sam/pier", "version": "3"}
    assert noise(records) == ["session", "model_change"]


def test_who_goes_back_and_says_something_else_leaves_a_dead_branch() -> None:
    records = read(
        "pi",
        jsonl(
            HEAD,
            entry("e1", None, "user", "Start."),
            entry("e2", "e1", "assistant", "Ready."),
            entry("e3", "e2", "user", "Use oak."),
            entry("e4", "e3", "assistant", "Oak ordered."),
            entry("e5", "e4", "assistant", "Oak cut."),
            entry("e6", "e2", "user", "Use steel."),
            entry("e7", "e6", "assistant", "Steel ordered."),
        ),
    )
    assert alive(records) == ["Start.", "Ready.", "Use steel.", "Steel ordered."]
    # Going back to the middle of an answer: what followed there is gone, what stood before stays.
    middle = read(
        "pi",
        jsonl(
            HEAD,
            entry("e1", None, "user", "Start."),
            entry("e2", "e1", "assistant", "One."),
            entry("e3", "e2", "assistant", "Two."),
            entry("e4", "e2", "user", "Stop at one."),
        ),
    )
    assert alive(middle) == ["Start.", "One.", "Stop at one."]


def test_a_branched_file_names_its_parent_and_old_versions_have_no_tree() -> None:
    old = {
        "type": "session",
        "id": "pier-2",
        "timestamp": at(9),
        "cwd": "/p",
        "provider": "x",
        "branchedFrom": "/h/2026-05-04_019df21f-e800-7000-8000-000000000002.jsonl",
    }
    lines = [{"type": "message", "timestamp": at(1), "message": {"role": "user", "content": "Same as before."}}]
    assert recognised("a.jsonl", jsonl(old, *lines)) == "pi"
    records = read("pi", jsonl(old, *lines))
    assert facts(records)["parent"] == "019df21f-e800-7000-8000-000000000002"
    assert spoken(records) == [("", "Same as before.")]
    assert named("pi").hint(Path("2026-05-04T08_019df21f-e800-7000-8000-00000000000b.jsonl")) == {
        "session": "019df21f-e800-7000-8000-00000000000b"
    }


def test_files_put_into_a_prompt_are_no_words() -> None:
    text = 'Explain <file name="/pier/plan.md">\nI always use oak.\n</file> please.'
    assert spoken(read("pi", jsonl(HEAD, entry("e1", None, "user", text)))) == [("", "Explain"), ("", "please.")]


def test_what_openclaw_wraps_around_words_or_sends_itself() -> None:
    head = {**HEAD, "agent": "openclaw"}
    envelope = 'Conversation info (untrusted metadata):\n```json\n{"chat": "pier"}\n```\n\nMove it to Monday.\n[message_id: 77]'
    records = read(
        "openclaw",
        jsonl(
            head,
            entry("e1", None, "user", envelope),
            entry("e2", "e1", "user", "Read HEARTBEAT.md if it exists. Reply HEARTBEAT_OK."),
            entry("e3", "e2", "user", "[Telegram Sam id:5 2026-05-04 08:03 UTC] And bring rope."),
            {
                "type": "custom_message",
                "id": "e4",
                "parentId": "e3",
                "timestamp": at(4),
                "customType": "openclaw.ctx",
                "content": "Injected.",
            },
            {"type": "compact", "id": "e5", "parentId": "e4", "timestamp": at(5)},
        ),
    )
    assert recognised("s.jsonl", jsonl(head)) == "openclaw"
    assert spoken(records) == [("", "Move it to Monday."), ("", "And bring rope.")]
    assert [mark for mark, _ in spoken(records, Speaker.HARNESS)] == ["envelope", "prompt", "envelope", "openclaw.ctx"]
    assert [record.gave for record in records][-1] == Noise("compact", known=False)
    assert all(turn.form is Form.PROSE for turn in turns_of(records))
