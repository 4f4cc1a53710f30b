"""Codex's rollouts: two streams told once, forks without their copies, machine text, tools, dialogs, and versions."""

from __future__ import annotations

from pathlib import Path

from agents import alive, codex, event, facts, item, named, noise, read, recognised, spoken
from conftest import jsonl, turns_of
from wikimem.core import identity
from wikimem.core.identity import Holder
from wikimem.core.turns import Form, Speaker, Turn

META = codex(
    0,
    "session_meta",
    {
        "id": "tide-1",
        "cwd": "/home/sam/tides",
        "cli_version": "0.92.0",
        "source": "cli",
        "git": {"branch": "main", "repository_url": "git@example.org:sam/tides.git"},
    },
)


def calls(data: bytes) -> list[tuple[str, str, str, bool]]:
    found = [turn for turn in turns_of(read("codex", data)) if turn.form in (Form.CALL, Form.RESULT)]
    return [(turn.name, turn.text, turn.call, turn.error) for turn in found]


def test_words_told_as_item_and_as_event_count_once_in_either_order() -> None:
    records = read(
        "codex",
        jsonl(
            META,
            item(1, "user", "Store heights in centimetres."),
            event(1, "user_message", message="Store heights in centimetres."),
            event(2, "agent_message", message="Centimetres it is."),
            item(2, "assistant", "Centimetres it is."),
            item(3, "user", "continue"),
            event(3, "user_message", message="continue"),
            item(4, "user", "continue"),
            event(4, "user_message", message="continue"),
        ),
    )
    assert [text for _, text in spoken(records)] == ["Store heights in centimetres.", "continue", "continue"]
    assert [text for _, text in spoken(records, Speaker.ASSISTANT)] == ["Centimetres it is."]


def test_one_stream_alone_is_enough() -> None:
    only_items = read("codex", jsonl(META, item(1, "user", "Use port 8181."), item(2, "assistant", "Done.")))
    only_events = read(
        "codex", jsonl(META, event(1, "user_message", message="Use port 8181."), event(2, "agent_message", message="Done."))
    )
    for records in (only_items, only_events):
        assert [turn.text for turn in turns_of(records)] == ["Use port 8181.", "Done."]


def test_the_items_of_newer_versions_tell_the_same() -> None:
    done = {"type": "UserMessage", "content": [{"type": "text", "text": "Sort by height."}]}
    answer = {"type": "AgentMessage", "phase": "final_answer", "content": [{"type": "Text", "text": "Sorted."}]}
    ran = {
        "type": "CommandExecution",
        "id": "call_77aa88bb99cc",
        "command": ["make", "test"],
        "aggregated_output": "2 failed",
        "exit_code": 2,
        "status": "failed",
    }
    records = read(
        "codex",
        jsonl(
            META,
            event(1, "item_completed", item=done),
            item(1, "user", "Sort by height."),
            event(2, "item_completed", item=ran),
            event(3, "item_completed", item=answer),
        ),
    )
    told = turns_of(records)
    assert [(turn.speaker.value, turn.form.value, turn.error) for turn in told] == [
        ("human", "prose", False),
        ("assistant", "call", False),
        ("tool", "result", True),
        ("assistant", "prose", False),
    ]
    assert told[1].call == told[2].call == "call_77aa88bb99cc"


def test_what_the_harness_says_in_a_users_name_is_no_persons() -> None:
    env = "<environment_context><cwd>/home/sam/tides</cwd></environment_context>"
    agents = "# AGENTS.md instructions for /home/sam/tides\n\n<INSTRUCTIONS>\nI like tabs.\n</INSTRUCTIONS>"
    editor = "# Context from my IDE setup:\n\n## Open tabs:\n- tide.py\n\n## My request for Codex:\nRename it to surge."
    records = read(
        "codex",
        jsonl(
            META,
            item(1, "developer", "Sandbox is on."),
            item(1, "user", agents, env),
            item(2, "user", f"{env}\nAlso keep the old name."),
            item(3, "user", editor),
            item(4, "user", "<turn_aborted>\nThe user interrupted.\n</turn_aborted>"),
            item(5, "user", "Another language model started to solve this problem and produced a summary. It chose feet."),
        ),
    )
    assert spoken(records) == [("", "Also keep the old name."), ("", "Rename it to surge.")]
    assert [text.split("\n")[0][:20] for _, text in spoken(records, Speaker.SUMMARY)] == ["Another language mod"]
    assert "instructions" in [mark for mark, _ in spoken(records, Speaker.HARNESS)]


def test_a_person_may_begin_with_a_tag() -> None:
    typed = ["<user_id> is never filled in.", "<div>Centre this.</div>", "<T> is generic."]
    records = read("codex", jsonl(META, *(item(n, "user", text) for n, text in enumerate(typed))))
    assert [text for _, text in spoken(records)] == typed


def test_a_command_that_a_person_ran_is_theirs_and_its_output_the_tools() -> None:
    ran = (
        "<user_shell_command>\n<command>\ntide --now\n</command>\n<result>\nExit code: 0\n3.1 m\n</result>\n</user_shell_command>"
    )
    (shell, result) = turns_of(read("codex", jsonl(META, item(1, "user", ran))))
    assert (shell.speaker, shell.form, shell.mark, shell.text) == (Speaker.HUMAN, Form.CALL, "shell", "tide --now")
    assert (result.speaker, result.form) == (Speaker.TOOL, Form.RESULT)


def test_a_call_and_its_result_are_joined_and_told_once() -> None:
    data = jsonl(
        META,
        codex(
            1,
            "response_item",
            {"type": "function_call", "name": "shell", "arguments": '{"cmd":"ls"}', "call_id": "call_aa11bb22cc33"},
        ),
        event(1, "exec_command_end", call_id="call_aa11bb22cc33", command=["ls"], aggregated_output="a.txt", exit_code=0),
        codex(1, "response_item", {"type": "function_call_output", "call_id": "call_aa11bb22cc33", "output": "a.txt"}),
        codex(
            2,
            "response_item",
            {"type": "function_call", "name": "shell", "arguments": '{"cmd":"x"}', "call_id": "call_dd44ee55ff66"},
        ),
        codex(
            2,
            "response_item",
            {
                "type": "function_call_output",
                "call_id": "call_dd44ee55ff66",
                "output": '{"output":"no such file","metadata":{"exit_code":1}}',
            },
        ),
    )
    assert calls(data) == [
        ("shell", '{"cmd":"ls"}', "call_aa11bb22cc33", False),
        ("shell", "a.txt", "call_aa11bb22cc33", False),
        ("shell", '{"cmd":"x"}', "call_dd44ee55ff66", False),
        ("", "no such file", "call_dd44ee55ff66", True),
    ]


def test_two_calls_of_one_weak_id_are_two() -> None:
    data = jsonl(
        META,
        *(
            codex(n, "response_item", {"type": "function_call", "name": name, "call_id": "call_1"})
            for n, name in ((1, "shell"), (2, "apply_patch"))
        ),
    )
    assert [name for name, *_ in calls(data)] == ["shell", "apply_patch"]


def test_answers_in_a_dialog_are_a_persons() -> None:
    asked = '{"questions":[{"id":"unit","question":"Which unit?","options":[{"label":"cm"}]}]}'
    records = read(
        "codex",
        jsonl(
            META,
            codex(
                1,
                "response_item",
                {"type": "function_call", "name": "request_user_input", "arguments": asked, "call_id": "call_q"},
            ),
            codex(
                2,
                "response_item",
                {
                    "type": "function_call_output",
                    "call_id": "call_q",
                    "output": '{"answers":{"unit":{"answers":["cm","user_note: as in the old tables"]}}}',
                },
            ),
        ),
    )
    (answer,) = [turn for turn in turns_of(records) if turn.speaker is Speaker.HUMAN]
    assert (answer.mark, answer.about, answer.text) == ("answer", "Which unit?", "cm\nuser_note: as in the old tables")


def test_a_compaction_is_a_summary_once_and_its_copies_are_not_read() -> None:
    again = codex(
        5,
        "compacted",
        {
            "message": "So far: centimetres.",
            "replacement_history": [
                {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Store heights in centimetres."}]}
            ],
        },
    )
    records = read("codex", jsonl(META, item(1, "user", "Store heights in centimetres."), again, again, again))
    assert spoken(records, Speaker.SUMMARY) == [("", "So far: centimetres.")]
    assert len(spoken(records)) == 1
    assert noise(records).count("compacted:repeated") == 2


# Ids of version 7: the parent of 1 May, the fork of 4 May, 08:00.
PARENT, FORK = "019de0f4-8c00-7000-8000-000000000001", "019df21f-e800-7000-8000-000000000002"
LATER = "019df220-d260-7000-8000-00000000000a"


def test_a_fork_gives_only_what_is_its_own() -> None:
    records = read(
        "codex",
        jsonl(
            codex(0, "session_meta", {"id": FORK, "forked_from_id": PARENT, "cwd": "/home/sam/tides"}),
            codex(0, "session_meta", {"id": PARENT, "cwd": "/elsewhere"}),
            codex(0, "turn_context", {"turn_id": PARENT, "cwd": "/elsewhere", "model": "m-1"}),
            item(0, "user", "Old words."),
            event(0, "user_message", message="Old words."),
            item(0, "assistant", "Old answer."),
            codex(1, "turn_context", {"turn_id": LATER, "cwd": "/home/sam/tides", "model": "m-2"}),
            item(1, "user", "New words."),
            event(1, "user_message", message="New words."),
        ),
    )
    assert [turn.text for turn in turns_of(records)] == ["New words."]
    told = facts(records)
    assert (told["session"], told["parent"], told["cwd"]) == (FORK, PARENT, "/home/sam/tides")
    assert noise(records).count("copied from the parent session") == 4


def test_where_turns_have_no_ids_a_pause_ends_the_copy() -> None:
    records = read(
        "codex",
        jsonl(
            codex(0, "session_meta", {"id": "fork-2", "cwd": "/home/sam/tides"}),
            codex(0, "session_meta", {"id": "tide-1"}),
            item(0, "user", "Old words."),
            item(7, "user", "New words."),
        ),
    )
    assert [turn.text for turn in turns_of(records)] == ["New words."]


def test_another_header_in_the_middle_takes_nothing() -> None:
    records = read(
        "codex", jsonl(META, item(1, "user", "First."), codex(1, "session_meta", {"id": "glued"}), item(1, "user", "Second."))
    )
    assert [turn.text for turn in turns_of(records)] == ["First.", "Second."]


def test_a_resumed_session_that_copies_history_with_its_times_owns_only_the_rest() -> None:
    old = [item(1, "user", "Pin the image."), item(2, "assistant", "Pinned.")]
    first, second = (
        jsonl(META, *old),
        jsonl(codex(9, "session_meta", {"id": "tide-2"}), *old, item(9, "user", "Drop the arm build.")),
    )
    holders = [
        Holder(
            f"20260504-codex-0000000{n}",
            f"tide-{n}",
            "",
            [(turn.identity, turn.said) for turn in identity.of(turns_of(read("codex", data)))],
        )
        for n, data in ((1, first), (2, second))
    ]
    owned = identity.owners(holders)
    assert len(owned) == 2
    assert len(set(owned.values())) == 1
    assert identity.owners(holders[::-1]) == owned


def test_what_a_sub_agent_is_asked_no_person_typed() -> None:
    meta = codex(
        0,
        "session_meta",
        {"id": "sub-1", "source": {"subagent": {"thread_spawn": {"parent_thread_id": "tide-1", "agent_nickname": "Gull"}}}},
    )
    records = read("codex", jsonl(meta, event(1, "user_message", message="Count the gauges."), item(2, "assistant", "Nine.")))
    assert spoken(records) == []
    assert spoken(records, Speaker.ASSISTANT)[0] == ("prompt", "Count the gauges.")
    assert facts(records)["parent"] == "tide-1"


def test_bare_items_of_the_first_versions_are_read() -> None:
    data = jsonl(
        {"id": "old-1", "timestamp": at_old(), "instructions": None, "git": {"branch": "dev"}},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello, gauge."}]},
        {"record_type": "state"},
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "call_x"},
    )
    assert recognised("rollout-x.jsonl", data) == "codex"
    records = read("codex", data)
    assert [turn.text for turn in turns_of(records)] == ["Hello, gauge.", "{}"]
    assert (facts(records)["session"], facts(records)["branch"]) == ("old-1", "dev")
    assert "record_type:state" in noise(records)


def at_old() -> str:
    return "2025-08-01T10:00:00.000Z"


def test_facts_goals_titles_and_unknown_types() -> None:
    records = read(
        "codex",
        jsonl(
            META,
            event(1, "thread_goal_updated", goal={"objective": "Ship the tide table."}),
            event(2, "thread_goal_updated", goal={"objective": "Ship the tide table.", "tokensUsed": 9}),
            event(3, "thread_name_updated", thread_name="Tide table"),
            event(4, "seagull_landed", n=1),
            codex(5, "hologram", {"x": 1}),
            codex(6, "response_item", {"type": "telepathy"}),
        ),
    )
    assert facts(records) == {
        "session": "tide-1",
        "cwd": "/home/sam/tides",
        "branch": "main",
        "version": "0.92.0",
        "remote": "git@example.org:sam/tides.git",
        "title": "Tide table",
    }
    assert spoken(records, Speaker.HARNESS) == [("goal", "Ship the tide table.")]
    strange = [
        record.gave.kind for record in records if not isinstance(record.gave, tuple) and not getattr(record.gave, "known", True)
    ]
    assert strange == ["event_msg:seagull_landed", "hologram", "response_item:telepathy"]


def test_thoughts_and_reviews() -> None:
    records = read(
        "codex",
        jsonl(
            META,
            event(1, "agent_reasoning", text="**Check** the datum"),
            codex(
                1, "response_item", {"type": "reasoning", "summary": [{"type": "summary_text", "text": "**Check** the datum"}]}
            ),
            event(
                2,
                "exited_review_mode",
                review_output={"overall_explanation": "Fine.", "findings": [{"title": "Datum", "body": "Wrong."}]},
            ),
        ),
    )
    told: list[Turn] = turns_of(records)
    assert [(turn.form.value, turn.text) for turn in told] == [
        ("thinking", "**Check** the datum"),
        ("prose", "Fine.\n\nDatum\n\nWrong."),
    ]


def test_the_files_name_tells_the_session_when_its_first_line_is_torn() -> None:
    path = Path(f"rollout-2026-05-04T10-00-00-{FORK}.jsonl")
    assert named("codex").hint(path) == {"session": FORK}
    data = b'{"timestamp":"2026-05-04T08:00:00Z","type":"session_me\n' + jsonl(item(1, "user", "Use port 8181."))
    assert recognised(path.name, data) == "codex"
    assert spoken(read("codex", data)) == [("", "Use port 8181.")]


def test_turns_that_were_rolled_back_are_dead() -> None:
    records = read(
        "codex",
        jsonl(
            META,
            item(1, "user", "Use feet."),
            item(2, "assistant", "Feet."),
            item(3, "user", "Use yards."),
            item(4, "assistant", "Yards."),
            item(5, "user", "And miles."),
            event(6, "thread_rolled_back", num_turns=2),
            item(7, "user", "Use metres."),
            item(8, "assistant", "Metres."),
        ),
    )
    assert alive(records) == ["Use feet.", "Feet.", "Use metres.", "Metres."]


def test_the_stream_of_exec_is_another_format() -> None:
    data = jsonl(
        {"type": "thread.started", "thread_id": "t-1"},
        {"type": "turn.started"},
        {"type": "item.started", "item": {"id": "item_1", "type": "command_execution", "command": "ls", "status": "in_progress"}},
        {
            "type": "item.completed",
            "item": {
                "id": "item_1",
                "type": "command_execution",
                "command": "ls",
                "aggregated_output": "",
                "exit_code": 2,
                "status": "failed",
            },
        },
        {"type": "item.completed", "item": {"id": "item_2", "type": "agent_message", "text": "Nothing there."}},
        {
            "type": "item.started",
            "item": {"id": "item_3", "type": "command_execution", "command": "cut", "status": "in_progress"},
        },
        {"type": "item.completed", "item": {"id": "item_4", "type": "oracle"}},
    )
    assert recognised("out.jsonl", data) == "codex-exec"
    records = read("codex-exec", data)
    assert [(turn.form.value, turn.text, turn.error) for turn in turns_of(records)] == [
        ("call", "ls", False),
        ("result", "(no output)", True),
        ("prose", "Nothing there.", False),
        ("call", "cut", False),
    ]
    assert [
        record.gave.kind for record in records if not isinstance(record.gave, tuple) and not getattr(record.gave, "known", True)
    ] == ["item:oracle"]
