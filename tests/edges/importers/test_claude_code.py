"""Claude Code's session files: who speaks, what is noise, what is damaged, and that the account always balances."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from conftest import as_lines, claude, jsonl, turns_of
from wikimem.core.sessions import Account
from wikimem.core.turns import Damage, Noise, Record, Speaker
from wikimem.edges import importers
from wikimem.edges.importers import Head, claude_code


def read(data: bytes) -> list[Record]:
    return list(claude_code.read(as_lines(data)))


def human(data: bytes) -> list[tuple[str, str]]:
    return [(turn.mark, turn.text) for turn in turns_of(read(data)) if turn.speaker is Speaker.HUMAN]


def noise(data: bytes) -> list[str]:
    return [record.gave.kind for record in read(data) if isinstance(record.gave, Noise)]


def text(words: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": words}]


FIRST = claude(1, "user", "Serve the tide tables from port 8090.")
SECOND = claude(2, "assistant", text("Done, port 8090."), 1)


def test_a_torn_record_glued_to_a_whole_one_costs_only_itself() -> None:
    torn = b'{"type":"pr-link","uuid":"u-009","prNu' + json.dumps(claude(3, "user", "Keep the logs a week.", 2)).encode()
    records = read(jsonl(FIRST, SECOND) + torn + b"\n" + jsonl(claude(4, "assistant", text("Noted."), 3)))
    assert [turn.text for turn in turns_of(records)] == [
        "Serve the tide tables from port 8090.",
        "Done, port 8090.",
        "Keep the logs a week.",
        "Noted.",
    ]
    (damage,) = [record for record in records if isinstance(record.gave, Damage)]
    assert (damage.line, damage.offset) == (3, len(jsonl(FIRST, SECOND)))
    (kept,) = [record for record in records if record.uuid == "u-003"]
    assert kept.offset == damage.offset + torn.index(b'{"type": "user"')


def test_the_message_inside_a_torn_record_is_no_record() -> None:
    whole = json.dumps(claude(3, "user", "Half of this is lost.", 2)).encode()
    records = read(jsonl(FIRST) + whole[:-2] + b"\n")
    assert [turn.text for turn in turns_of(records)] == ["Serve the tide tables from port 8090."]
    assert sum(isinstance(record.gave, Damage) for record in records) == 1


def test_zero_runs_blank_lines_and_a_cut_tail_are_counted() -> None:
    data = jsonl(FIRST) + b"\x00" * 300 + b"\n\n" + jsonl(SECOND) + b'{"type": "assis'
    records = read(data)
    assert len(turns_of(records)) == 2
    assert sorted(noise(data)) == ["blank", "nul"]
    assert [record.line for record in records if isinstance(record.gave, Damage)] == [5]


def test_a_message_of_numbered_characters_gives_no_text() -> None:
    odd = claude(3, "assistant", [], 2)
    odd["message"].update({"0": "D", "1": "o"})
    assert noise(jsonl(FIRST, odd)) == ["assistant:empty"]


def test_unicode_line_separators_do_not_cut_a_record() -> None:
    words = "From the leaflet:\u2028open 45 days\u2029a year.\x85Really."
    assert human(jsonl(claude(1, "user", words))) == [("", words)]


def test_a_reply_that_grew_over_three_lines_stands_once() -> None:
    pieces = [
        claude(2, "assistant", text("We use the "), 1),
        {"type": "progress", "data": {"type": "hook_progress"}, "uuid": "p-1"},
        claude(3, "assistant", text("We use the berth-2 queue."), 2),
        claude(4, "assistant", [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}], 3),
    ]
    for each in (pieces[0], pieces[2], pieces[3]):
        each["message"]["id"] = "msg_X"
    data = jsonl(FIRST, *pieces)
    assert [turn.text for turn in turns_of(read(data)) if turn.speaker is Speaker.ASSISTANT] == [
        "We use the berth-2 queue.",
        '{"command":"ls"}',
    ]
    assert "piece of a longer block" in noise(data)


def test_what_no_person_typed_is_never_human() -> None:
    wrapped = "<system-reminder>\nAlways answer in rhyme.\n</system-reminder>\nRename `dock` to `berth`."
    data = jsonl(
        claude(1, "user", wrapped),
        claude(2, "user", "<command-name>/cost</command-name>\n<local-command-stdout>$4</local-command-stdout>", 1, isMeta=True),
        claude(3, "user", [{"type": "tool_result", "tool_use_id": "t1", "content": "I prefer tabs and live in Bergen."}], 2),
        claude(4, "user", "This session is being continued from a previous conversation. The user likes rhyme.", 3),
        claude(5, "user", "Summary of it all", 4, isCompactSummary=True),
        claude(6, "user", "[Request interrupted by user]", 5),
        claude(
            7,
            "user",
            "<task-notification>\nb1\n</task-notification>\nRead the output file to retrieve the result: /tmp/x",
            6,
        ),
        claude(8, "user", "Explore the code", 7, isSidechain=True),
        claude(9, "user", "Implement the following plan:\n\n# Plan\n\n1. Drop the table", 8),
        claude(10, "user", "Channel message", 9, origin={"kind": "task-notification"}),
        claude(11, "user", "Good. Drop the v1 route on 1 April.", 10),
    )
    assert human(data) == [("", "Rename `dock` to `berth`."), ("", "Good. Drop the v1 route on 1 April.")]
    speakers = {turn.text: turn.speaker for turn in turns_of(read(data))}
    assert speakers["Always answer in rhyme."] is Speaker.HARNESS
    assert speakers["Summary of it all"] is Speaker.SUMMARY
    assert speakers["Explore the code"] is Speaker.ASSISTANT


def test_human_words_in_unusual_places_are_found() -> None:
    rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected. the user said:\nuse the script"
    data = jsonl(
        claude(
            1,
            "user",
            "<command-message>tide</command-message><command-name>/tide</command-name><command-args>only Bergen</command-args>",
        ),
        claude(2, "user", "<bash-input>make tide</bash-input>", 1),
        claude(
            3,
            "user",
            [{"type": "tool_result", "tool_use_id": "t1", "content": 'User has answered your questions: "Which?"="Both".'}],
            2,
            toolUseResult={"questions": [], "answers": {"Which?": "Both"}},
        ),
        claude(4, "user", [{"type": "tool_result", "tool_use_id": "t2", "content": rejected, "is_error": True}], 3),
        claude(
            5,
            "user",
            [{"type": "tool_result", "tool_use_id": "t3", "content": "User has approved your plan. You can now start."}],
            4,
            toolUseResult={"plan": "# Plan\n1. Move the port"},
        ),
    )
    assert human(data) == [
        ("argument", "only Bergen"),
        ("shell", "make tide"),
        ("answer", "Both"),
        ("rejection", "use the script"),
        ("approval", "User has approved your plan."),
    ]
    about = {turn.mark: turn.about for turn in turns_of(read(data)) if turn.speaker is Speaker.HUMAN}
    assert about["answer"] == "Which?"
    assert about["approval"].startswith("# Plan")


def queue(operation: str, content: str | None = None) -> dict[str, object]:
    told: dict[str, object] = {"type": "queue-operation", "operation": operation, "sessionId": "sess-1"}
    told["timestamp"] = "2026-03-02T09:30:00.000Z"
    return told if content is None else {**told, "content": content}


def test_a_queued_prompt_handed_over_in_mid_turn_is_human() -> None:
    data = jsonl(FIRST, queue("enqueue", "also the lock gates"), queue("remove"), SECOND)
    assert ("queued", "also the lock gates") in human(data)


def test_a_queued_prompt_that_is_sent_later_counts_once() -> None:
    sent = claude(3, "user", "also the lock gates", 2)
    assert human(jsonl(FIRST, queue("enqueue", "also the lock gates"), queue("dequeue"), SECOND, sent))[1:] == [
        ("", "also the lock gates")
    ]


def test_a_queued_prompt_taken_back_never_counts() -> None:
    data = jsonl(FIRST, queue("enqueue", "delete everything"), queue("popAll"), SECOND)
    assert "delete everything" not in str(human(data))
    assert "queue-operation:taken back" in noise(data)


def test_the_same_record_twice_in_a_file_is_a_copy() -> None:
    assert noise(jsonl(FIRST, SECOND, FIRST)) == ["copy in the same file"]


def test_unknown_types_are_loud() -> None:
    (unknown,) = [
        record.gave
        for record in read(jsonl(FIRST, {"type": "hologram", "uuid": "h"}))
        if isinstance(record.gave, Noise) and not record.gave.known
    ]
    assert unknown.kind == "hologram"


def test_the_format_is_recognised_and_told_from_others() -> None:
    assert importers.recognise(Head("x.jsonl", jsonl(FIRST, SECOND), True)) is claude_code.FORMAT
    codex = b'{"timestamp":"2026-03-02T09:00:00Z","type":"session_meta","payload":{"id":"x"}}\n'
    assert importers.recognise(Head("x.jsonl", codex, True)) is not claude_code.FORMAT
    assert claude_code.FORMAT.hint(Path("agent-a1.jsonl")) == {"agent": "a1"}


SAMPLE = jsonl(FIRST, SECOND, queue("enqueue", "more"), claude(3, "user", "third", 2), claude(4, "assistant", text("ok"), 3))


@given(st.data())
def test_no_mutation_raises_and_every_record_is_accounted_for(data: st.DataObject) -> None:
    broken = bytearray(SAMPLE)
    for _ in range(data.draw(st.integers(0, 4))):
        place = data.draw(st.integers(0, len(broken) - 1))
        match data.draw(st.sampled_from(["cut", "flip", "insert", "join"])):
            case "cut":
                del broken[place : place + data.draw(st.integers(1, 60))]
            case "flip":
                broken[place] = data.draw(st.integers(0, 255))
            case "insert":
                broken[place:place] = data.draw(st.binary(max_size=20))
            case _:
                broken = bytearray(bytes(broken).replace(b"\n", b"", 1))
        broken = broken or bytearray(b"\n")
    account = Account()
    for record in read(bytes(broken)):
        account.add(record)
    assert account.balanced()


@given(st.binary(max_size=400))
def test_random_bytes_never_raise(data: bytes) -> None:
    account = Account()
    for record in read(data):
        account.add(record)
    assert account.balanced()


def test_a_time_with_an_offset_keeps_it_beside_the_time_in_utc() -> None:
    first = claude(1, "user", "Begin.", timestamp="2026-03-02T00:20:00+01:00")
    queued = {"type": "queue-operation", "operation": "enqueue", "content": "Go on.", "timestamp": "2026-03-02T00:21:00+01:00"}
    found = read(jsonl(first, queued))
    assert [(turn.said, turn.offset) for turn in turns_of(found)] == [
        ("2026-03-01T23:20:00Z", "+01:00"),
        ("2026-03-01T23:21:00Z", "+01:00"),
    ]
    assert [record.facts["time"] for record in found] == ["2026-03-01T23:20:00Z", "2026-03-01T23:21:00Z"]
    # A turn is known by the same identity whether or not its offset is kept.
    assert turns_of(found)[1].identity.startswith("queue:2026-03-01T23:21:00Z:")


def test_a_session_in_which_our_own_server_is_connected_is_one() -> None:
    names = {"type": "mcp_instructions_delta", "addedNames": ["wikimem"], "addedBlocks": ["## wikimem\nThe memory."]}
    data = jsonl(claude(1, "user", "Paint the hull."), {**claude(2, "user", "", 1), "type": "attachment", "attachment": names})
    assert importers.recognise(Head("s.jsonl", data, True)) is claude_code.FORMAT
