"""Event logs of coding agents: Kimi's wire log, Copilot CLI's events, Droid's sessions and stream."""

from __future__ import annotations

from pathlib import Path

from agents import alive, at, facts, named, noise, read, recognised, spoken
from conftest import jsonl, turns_of
from wikimem.core.turns import Noise, Speaker


def kimi(minute: int, kind: str, **more: object) -> dict[str, object]:
    return {"type": kind, **more, "time": 1_777_881_600_000 + minute * 60_000}


def loop(minute: int, kind: str, **more: object) -> dict[str, object]:
    return kimi(minute, "context.append_loop_event", event={"type": kind, **more})


def test_kimi_tells_prompts_twice_and_answers_in_pieces() -> None:
    user, words = {"kind": "user"}, [{"type": "text", "text": "Tar the hull."}]
    data = jsonl(
        {"type": "metadata", "protocol_version": "1.4", "created_at": 1_777_881_600_000},
        kimi(0, "config.update", cwd="/home/sam/hull", systemPrompt="You are an agent."),
        kimi(1, "turn.prompt", input=words, origin=user),
        kimi(1, "context.append_message", message={"role": "user", "content": words, "origin": user}),
        kimi(2, "turn.steer", input=[{"type": "text", "text": "Only the keel."}], origin=user),
        kimi(
            2,
            "context.append_message",
            message={
                "role": "user",
                "content": [{"type": "text", "text": "Plan mode is on."}],
                "origin": {"kind": "injection", "name": "plan_mode"},
            },
        ),
        loop(3, "content.part", uuid="p-1", stepUuid="s-1", part={"type": "think", "think": "keel"}),
        loop(3, "content.part", uuid="p-2", stepUuid="s-1", part={"type": "text", "text": "Tarring."}),
        loop(3, "tool.call", toolCallId="Bash_0", name="Bash", args={"command": "tar"}, stepUuid="s-1"),
        loop(4, "tool.result", toolCallId="Bash_0", result={"output": "no tar", "isError": True}),
        loop(5, "tool.call", toolCallId="Ask_0", name="AskUserQuestion", args={"questions": [{"question": "Which tar?"}]}),
        loop(6, "tool.result", toolCallId="Ask_0", result={"output": '{"answers":{"Which tar?":"pine"}}'}),
        kimi(7, "permission.record_approval_result", toolCallId="Bash_1", action="Running: rm", result={"decision": "approved"}),
        kimi(
            7,
            "permission.record_approval_result",
            toolCallId="Bash_2",
            action="Running: rm",
            result={"decision": "rejected", "feedback": "Never delete tar."},
        ),
        kimi(8, "context.apply_compaction", summary="Keel, pine tar."),
        kimi(9, "seagull.landed"),
    )
    assert recognised("wire.jsonl", data) == "kimi"
    records = read("kimi", data)
    assert spoken(records) == [
        ("", "Tar the hull."),
        ("queued", "Only the keel."),
        ("answer", "pine"),
        ("rejection", "Never delete tar."),
    ]
    assert spoken(records, Speaker.HARNESS) == [("plan_mode", "Plan mode is on.")]
    assert spoken(records, Speaker.SUMMARY) == [("", "Keel, pine tar.")]
    assert [turn.error for turn in turns_of(records) if turn.speaker is Speaker.TOOL] == [True, False]
    assert len({turn.reply for turn in turns_of(records) if turn.said.endswith("08:03:00Z")}) == 1
    assert facts(records) == {"cwd": "/home/sam/hull"}
    assert Noise("seagull.landed", known=False) in [record.gave for record in records]


def test_kimis_folder_tells_session_title_and_parent(tmp_path: Path) -> None:
    main = tmp_path / "sessions" / "wd_x" / "session_77" / "agents" / "main"
    main.mkdir(parents=True)
    (main.parent.parent / "state.json").write_text('{"title":"Hull","workDir":"/home/sam/hull"}')
    hint = named("kimi").hint
    assert hint(main / "wire.jsonl") == {"session": "77", "cwd": "/home/sam/hull", "title": "Hull"}
    sub = hint(main.parent / "agent-0" / "wire.jsonl")
    assert (sub["session"], sub["parent"], sub["agent"]) == ("77/agent-0", "77", "agent-0")
    prompt = kimi(
        1, "turn.prompt", input=[{"type": "text", "text": "Count planks."}], origin={"kind": "system_trigger", "name": "subagent"}
    )
    assert spoken(read("kimi", jsonl(prompt)), Speaker.ASSISTANT) == [("prompt", "Count planks.")]


def copilot(number: int, kind: str, **data: object) -> dict[str, object]:
    return {"type": kind, "data": data, "id": f"e{number}", "timestamp": at(number), "parentId": f"e{number - 1}"}


def test_copilots_words_are_the_content_and_calls_count_once() -> None:
    data = jsonl(
        copilot(
            1,
            "session.start",
            sessionId="mast-1",
            copilotVersion="1.0.11",
            context={"cwd": "/home/sam/mast", "branch": "main", "repository": "sam/mast"},
        ),
        copilot(2, "system.message", content="You are helpful."),
        copilot(3, "user.message", content="Raise the mast.", transformedContent="<reminder>x</reminder> Raise the mast."),
        copilot(
            4,
            "assistant.message",
            messageId="m-1",
            content="Raising.",
            reasoningText="how",
            toolRequests=[
                {"toolCallId": "call_1", "name": "bash", "arguments": {"command": "hoist"}},
                {"toolCallId": "call_2", "name": "ask_user", "arguments": {"question": "How high?"}},
            ],
        ),
        copilot(5, "tool.execution_start", toolCallId="call_1", toolName="bash", arguments={"command": "hoist"}),
        copilot(6, "tool.execution_complete", toolCallId="call_1", success=False, result={"content": "jammed"}),
        copilot(
            7, "tool.execution_complete", toolCallId="call_2", success=True, result={"content": "User responded: Ten metres."}
        ),
        copilot(8, "user.message", content="Do the sub-task.", parentAgentTaskId="task-1"),
        copilot(9, "session.compaction_complete", summaryContent="The mast jammed."),
        copilot(10, "session.seagull"),
        copilot(11, "tool.execution_start", toolCallId="call_9", toolName="bash", arguments={"command": "alone"}),
    )
    assert recognised("events.jsonl", data) == "copilot"
    records = read("copilot", data)
    assert spoken(records) == [("", "Raise the mast."), ("answer", "Ten metres.")]
    assert spoken(records, Speaker.SUMMARY) == [("", "The mast jammed.")]
    assert [turn.text for turn in turns_of(records) if turn.form.value == "call"] == [
        '{"command":"hoist"}',
        '{"question":"How high?"}',
        '{"command":"alone"}',
    ]
    assert [(turn.name, turn.error) for turn in turns_of(records) if turn.speaker is Speaker.TOOL] == [
        ("bash", True),
        ("ask_user", False),
    ]
    assert ("prompt", "Do the sub-task.") in spoken(records, Speaker.ASSISTANT)
    assert facts(records) == {
        "session": "mast-1",
        "cwd": "/home/sam/mast",
        "branch": "main",
        "version": "1.0.11",
        "remote": "https://github.com/sam/mast",
    }
    assert noise(records) == ["session.start", "tool.execution_start", "session.seagull"]
    assert named("copilot").hint(Path("/x/session-state/mast-1/events.jsonl")) == {"session": "mast-1"}


def test_copilots_rewinds_take_back_an_event_and_all_after_it() -> None:
    records = read(
        "copilot",
        jsonl(
            copilot(1, "user.message", content="Use oak."),
            copilot(2, "assistant.message", content="Oak."),
            copilot(3, "user.message", content="And pine."),
            copilot(4, "assistant.message", content="Pine."),
            copilot(5, "session.snapshot_rewind", upToEventId="e3"),
            copilot(6, "user.message", content="And ash."),
        ),
    )
    assert alive(records) == ["Use oak.", "Oak.", "And ash."]


def test_droids_kept_sessions_have_claudes_blocks() -> None:
    def message(number: int, role: str, *blocks: dict[str, object]) -> dict[str, object]:
        return {
            "type": "message",
            "id": f"m{number}",
            "timestamp": at(number),
            "message": {"role": role, "content": list(blocks)},
        }

    data = jsonl(
        {"type": "session_start", "id": "dock-1", "title": "Dock", "cwd": "/home/sam/dock", "version": 2},
        message(1, "user", {"type": "text", "text": "<system-reminder>\nBe brief.\n</system-reminder>\n\nFill the dock."}),
        message(
            2,
            "assistant",
            {"type": "text", "text": "Filling."},
            {"type": "tool_use", "id": "tu1", "name": "Execute", "input": {}},
            {"type": "hologram"},
        ),
        message(3, "user", {"type": "tool_result", "tool_use_id": "tu1", "content": "Error: Command failed (exit code: 1)"}),
        {"type": "compaction_state", "id": "c1", "timestamp": at(4), "summaryText": "Dock half full."},
        {"type": "tide", "id": "x", "timestamp": at(5)},
    )
    assert recognised("d.jsonl", data) == "droid"
    records = read("droid", data)
    assert spoken(records) == [("", "Fill the dock.")]
    assert [(turn.call, turn.error) for turn in turns_of(records) if turn.call] == [("tu1", False), ("tu1", True)]
    assert spoken(records, Speaker.SUMMARY) == [("", "Dock half full.")]
    assert [record.unknown for record in records if record.unknown] == [("block:hologram",)]
    assert facts(records) == {"session": "dock-1", "cwd": "/home/sam/dock", "title": "Dock", "version": "2"}


def test_droids_stream_repeats_its_answer_at_the_end() -> None:
    def flat(number: int, kind: str, **more: object) -> dict[str, object]:
        return {"type": kind, "session_id": "dock-2", "timestamp": at(number), "id": f"s{number}", **more}

    data = jsonl(
        flat(1, "system", subtype="init", model="m", cwd="/d"),
        flat(2, "message", role="user", text="Empty it."),
        flat(3, "tool_call", toolCallId="c1", toolName="Execute", parameters={"command": "pump"}),
        flat(4, "tool_result", toolCallId="c1", value={"stdout": "", "exitCode": 3}),
        flat(5, "message", role="assistant", text="Empty."),
        flat(6, "completion", finalText="Empty."),
    )
    assert recognised("d.jsonl", data) == "droid"
    records = read("droid", data)
    assert [(turn.speaker.value, turn.text, turn.error) for turn in turns_of(records)] == [
        ("human", "Empty it.", False),
        ("assistant", '{"command":"pump"}', False),
        ("tool", "(no output)", True),
        ("assistant", "Empty.", False),
    ]
    assert noise(records) == ["system", "completion"]


def test_a_plan_that_a_person_approves_is_theirs() -> None:
    data = jsonl(
        kimi(
            1,
            "permission.record_approval_result",
            toolCallId="Exit_1",
            toolName="ExitPlanMode",
            action="x",
            result={"decision": "approved", "selectedLabel": "Approve"},
        ),
        loop(
            1,
            "tool.call",
            toolCallId="Exit_1",
            name="ExitPlanMode",
            args={},
            display={"kind": "plan_review", "plan": "Tar first."},
        ),
        loop(1, "tool.result", toolCallId="Exit_1", result={"output": "Exited plan mode."}),
    )
    (approval,) = [turn for turn in turns_of(read("kimi", data)) if turn.speaker is Speaker.HUMAN]
    assert (approval.mark, approval.text, approval.about) == ("approval", "Approve", "Tar first.")
    asked = {"toolCallId": "c1", "name": "exit_plan_mode", "arguments": {"summary": "Mast first."}}
    for told, wanted in (("Plan approved! Go on.", 1), ("The plan was rejected.", 0), ("User has not approved it.", 0)):
        records = read(
            "copilot",
            jsonl(
                copilot(1, "assistant.message", content="", toolRequests=[asked]),
                copilot(2, "tool.execution_complete", toolCallId="c1", success=True, result={"content": told}),
            ),
        )
        found = [turn for turn in turns_of(records) if turn.speaker is Speaker.HUMAN]
        assert [turn.about for turn in found] == ["Mast first."] * wanted
