"""Chat messages: as lines of one conversation, and as documents that hold several."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wikimem.core.turns import Damage, Form, Noise, Record, Speaker, Turn
from wikimem.edges import lines
from wikimem.edges.importers import openai_messages
from wikimem.edges.importers.format import Conversation, Head

CALL = {"id": "c1", "type": "function", "function": {"name": "find_order", "arguments": '{"id":"7"}'}}
ORDER: list[dict[str, Any]] = [
    {"role": "system", "content": "You sell bread."},
    {"role": "user", "content": "Where is my rye?"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "name": "find_order", "content": "Error: no such order"},
    {"role": "assistant", "content": "There is no order 7."},
]


def jsonl(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def records(data: bytes) -> list[Record]:
    return list(openai_messages.read(lines.numbered(lines.split([data]))))


def turns(data: bytes) -> list[Turn]:
    return [turn for record in records(data) if isinstance(record.gave, tuple) for turn in record.gave]


def document(tmp_path: Path, data: bytes) -> list[Conversation | str]:
    path = tmp_path / "chat.json"
    path.write_bytes(data)
    return list(openai_messages.conversations(path))


def texts(conversation: Conversation | str) -> list[str]:
    assert isinstance(conversation, Conversation)
    return [turn.text for turn in conversation.turns]


def test_a_message_a_line() -> None:
    found = turns(jsonl(*ORDER))
    assert [(turn.at, turn.speaker, turn.form, turn.text) for turn in found] == [
        ("L1", Speaker.HARNESS, Form.PROSE, "You sell bread."),
        ("L2", Speaker.HUMAN, Form.PROSE, "Where is my rye?"),
        ("L3", Speaker.ASSISTANT, Form.CALL, '{"id":"7"}'),
        ("L4", Speaker.TOOL, Form.RESULT, "Error: no such order"),
        ("L5", Speaker.ASSISTANT, Form.PROSE, "There is no order 7."),
    ]
    assert found[2].name == found[3].name == "find_order"
    assert found[2].call == found[3].call == "c1"
    assert found[3].error


def test_words_and_calls_of_one_message_are_blocks_of_its_line() -> None:
    message = {"id": "m9", "role": "assistant", "content": "Looking.", "reasoning": "Hm.", "tool_calls": [CALL, CALL]}
    found = turns(jsonl(message | {"model": "gpt-q", "created_at": 1786702263}))
    assert [(turn.at, turn.form, turn.identity, turn.reply) for turn in found] == [
        ("L1", Form.THINKING, "m9", "m9"),
        ("L1-2", Form.PROSE, "m9-2", "m9"),
        ("L1-3", Form.CALL, "m9-3", "m9"),
        ("L1-4", Form.CALL, "m9-4", "m9"),
    ]
    assert {turn.said for turn in found} == {"2026-08-14T10:11:03Z"}
    assert found[1].name == "gpt-q"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (
            [{"type": "text", "text": "one"}, {"type": "image_url", "image_url": {}}, {"type": "text", "text": "two"}],
            "one\ntwo",
        ),
        ([{"type": "input_image"}], "[image]"),
        ([{"type": "input_text", "text": " in "}], "in"),
        (["bare"], "bare"),
        ("  ", ""),
        (None, ""),
        (7, ""),
        ([7, None, {"type": ["x"]}], "[block]"),
        ("lone \ud800 half", "lone \ufffd half"),
    ],
)
def test_content_of_any_kind(content: object, text: str) -> None:
    found = turns(jsonl({"role": "user", "content": content}))
    assert [turn.text for turn in found] == ([text] if text else [])


def test_what_no_person_typed_is_split_off() -> None:
    wrapped = "<system-reminder>be brief</system-reminder>\nbake two"
    note = "[System note: you were interrupted.]\n\nbake three"
    keeper = "Review the conversation above and update the skill library."
    found = turns(jsonl(*({"role": "user", "content": text} for text in (wrapped, note, keeper))))
    assert [(turn.speaker, turn.text) for turn in found] == [
        (Speaker.HARNESS, "be brief"),
        (Speaker.HUMAN, "bake two"),
        (Speaker.HARNESS, "[System note: you were interrupted.]"),
        (Speaker.HUMAN, "bake three"),
        (Speaker.HARNESS, keeper),
    ]


def test_a_speaker_before_the_words_is_dropped_where_all_have_one() -> None:
    rows = [{"role": "user", "content": "User: rye?"}, {"role": "assistant", "content": "Assistant: yes"}]
    assert [turn.text for turn in turns(jsonl(*rows))] == ["rye?", "yes"]
    assert turns(jsonl(*rows, {"role": "user", "content": "thanks"}))[0].text == "User: rye?"
    assert [turn.text for turn in turns(jsonl(rows[0]))] == ["User: rye?"]


def test_lists_of_a_growing_conversation_give_each_message_once() -> None:
    def pair(number: int) -> list[dict[str, str]]:
        said = f"2026-05-15T10:0{number}:00.5+00:00"
        words = {"user": f"q{number}", "assistant": f"a{number}"}
        return [{"role": role, "content": text, "timestamp": said} for role, text in words.items()]

    found = records(jsonl([pair(1)], [pair(1), pair(2)], [pair(1)], [pair(2), pair(3)]))
    given = [[(turn.at, turn.text) for turn in record.gave] for record in found if isinstance(record.gave, tuple)]
    assert given == [[("L1", "q1"), ("L1-2", "a1")], [("L2-3", "q2"), ("L2-4", "a2")], [("L4-3", "q3"), ("L4-4", "a3")]]
    assert found[2].gave == Noise("repeated")
    assert found[1].facts == {"time": "2026-05-15T10:02:00Z"}


def test_the_same_words_later_in_a_conversation_without_times_are_not_a_copy() -> None:
    yes = {"role": "user", "content": "yes"}
    again = [yes, {"role": "assistant", "content": "sure?"}, yes]
    assert [turn.text for turn in turns(jsonl(again, [*again, {"role": "assistant", "content": "done"}]))] == [
        "yes",
        "sure?",
        "yes",
        "done",
    ]


def test_torn_and_foreign_lines_are_told() -> None:
    found = records(jsonl(ORDER[1]) + b'{"role":"user","con\n' + jsonl({"event": "x"}) + b"\n" + jsonl(ORDER[4]))
    assert [type(record.gave) for record in found] == [tuple, Damage, Noise, Noise, tuple]
    assert found[2].gave == Noise("no message", known=False)


def test_a_run_of_a_benchmark_is_one_conversation(tmp_path: Path) -> None:
    data = json.dumps([{"task_id": 3, "trial": 1, "reward": 1.0, "info": {}, "traj": ORDER}]).encode()
    (found,) = document(tmp_path, data)
    assert isinstance(found, Conversation)
    assert found.session.startswith("task-3-1-")
    assert [turn.text for turn in found.turns] == [turn.text for turn in turns(jsonl(*ORDER))]
    assert document(tmp_path, data) == [found]


@pytest.mark.parametrize(
    "shape",
    [
        lambda: json.dumps(ORDER, indent=1).encode(),
        lambda: json.dumps({"messages": ORDER}).encode(),
        lambda: json.dumps([{"messages": ORDER}]).encode(),
        lambda: json.dumps([ORDER]).encode(),
        lambda: jsonl({"messages": ORDER}),
        lambda: b"\xef\xbb\xbf" + jsonl(ORDER),
    ],
)
def test_one_conversation_in_many_shapes(tmp_path: Path, shape: Any) -> None:
    assert [texts(one) for one in document(tmp_path, shape())] == [[turn.text for turn in turns(jsonl(*ORDER))]]


def test_a_wrapper_tells_session_time_and_folder(tmp_path: Path) -> None:
    wrapper = {"session_id": "s-1", "session_start": "2026-04-29T20:00:00Z", "model": "q", "title": "Rye", "cwd": "/w"}
    (found,) = document(tmp_path, json.dumps(wrapper | {"messages": [*ORDER, {"role": "session_meta"}]}).encode())
    assert isinstance(found, Conversation)
    assert (found.session, found.started, found.title, found.cwd) == ("s-1", "2026-04-29T20:00:00Z", "Rye", "/w")
    assert found.turns[-1].name == "q"
    assert found.noise == {"no message": 1}


def test_dialogues_written_as_text(tmp_path: Path) -> None:
    shown = "user: rye?\nassistant: None\ntool: Error: none\nassistant: No rye.\n\nOnly oats."
    (found,) = document(tmp_path, jsonl({"messages_display": shown}))
    assert texts(found) == ["rye?", "Error: none", "No rye.\n\nOnly oats."]
    assert isinstance(found, Conversation)
    assert found.noise == {"empty message": 1}


def test_pairs_of_sharegpt(tmp_path: Path) -> None:
    talk = [{"from": "human", "value": "rye?"}, {"from": "gpt", "value": "no"}]
    (found,) = document(tmp_path, json.dumps([{"id": "x_0", "conversations": talk}]).encode())
    assert isinstance(found, Conversation)
    assert (found.session, texts(found)) == ("x_0", ["rye?", "no"])
    assert [turn.speaker for turn in found.turns] == [Speaker.HUMAN, Speaker.ASSISTANT]


def test_of_logged_requests_the_longest_counts(tmp_path: Path) -> None:
    logged = jsonl({"messages": ORDER[:2]}, {"messages": ORDER}, {"messages": ORDER[:4]}, {"messages": ORDER[1:2]})
    assert [len(texts(one)) for one in document(tmp_path, logged)] == [5, 1]
    named = jsonl({"id": "a", "messages": ORDER[:2]}, {"id": "b", "messages": ORDER})
    assert [len(texts(one)) for one in document(tmp_path, named)] == [2, 5]


def test_what_is_whole_of_a_cut_document_is_kept_and_the_rest_told(tmp_path: Path) -> None:
    data = json.dumps([{"messages": ORDER}, {"messages": ORDER[1:]}]).encode()
    reason, kept = document(tmp_path, data[:-30])
    assert len(texts(kept)) == 5
    assert isinstance(reason, str)
    assert "not whole JSON" in reason
    inner = json.dumps({"messages": ORDER}).encode()
    reason, kept = document(tmp_path, inner[:-20])
    assert len(texts(kept)) == 4
    assert isinstance(reason, str)


def test_a_torn_line_costs_itself_alone(tmp_path: Path) -> None:
    found = document(tmp_path, jsonl({"messages": ORDER}) + b'{"messages":[{"ro\n' + jsonl({"messages": ORDER[1:]}, {"x": 1}))
    assert [type(one).__name__ for one in found] == ["str", "str", "Conversation", "Conversation"]
    assert "line 2" in str(found[0])
    assert found[1] == "line 4: no messages"


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "content", "messages", "tool_calls", "type", "text", "id", "function", "from", "value"]),
            inner | st.sampled_from(["user", "assistant", "tool", "text", "human"]),
            max_size=4,
        )
    ),
    max_leaves=12,
)


_MESSAGE = st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "tool"]), "content": _JSON})


@given(st.lists(_JSON | _MESSAGE, min_size=1))
def test_any_json_is_accounted_for(values: list[Any]) -> None:
    found = records(jsonl(*values))
    assert [record.line for record in found] == list(range(1, len(values) + 1))


@given(data=st.one_of(st.binary(max_size=200), _JSON.map(lambda value: json.dumps(value).encode())))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_bytes_make_it_raise(tmp_path: Path, data: bytes) -> None:
    records(data)
    assert all(isinstance(one, Conversation | str) for one in document(tmp_path, data))
    head = Head("x.json", data, True)
    assert isinstance(openai_messages.LINES.recognise(head), bool)
    assert isinstance(openai_messages.DOCUMENT.recognise(head), bool)


@pytest.mark.parametrize("deep", ["[" * 900 + "]" * 900, '{"a":' * 900 + "1" + "}" * 900])
def test_deep_nesting_is_no_trouble(deep: str) -> None:
    row = '{"role":"assistant","content":"x","tool_calls":[{"function":{"name":"f","arguments":' + deep + "}}]}"
    assert [turn.form for turn in turns(f"[{row}]\n".encode())] in ([Form.PROSE, Form.CALL], [])


@pytest.mark.parametrize(
    ("data", "form"),
    [
        (jsonl(*ORDER), "lines"),
        (jsonl([ORDER], [ORDER]), "lines"),
        (jsonl(ORDER), "document"),
        (json.dumps(ORDER, indent=2).encode(), "document"),
        (json.dumps({"messages": ORDER}).encode(), "document"),
        (jsonl({"messages": ORDER}, {"messages": ORDER}), "document"),
        (jsonl({"type": "user", "uuid": "u", "sessionId": "s", "message": ORDER[1]}), ""),
        (jsonl({"role": "user", "message": {"content": []}}), ""),
        (json.dumps([{"mapping": {}, "messages": ORDER}]).encode()[:-1] + b" ", ""),
        (json.dumps({"a": 1}).encode(), ""),
        (b"role: user\n", ""),
    ],
)
def test_what_is_recognised(data: bytes, form: str) -> None:
    head = Head("x", data, True)
    found = [
        name for name, one in (("lines", openai_messages.LINES), ("document", openai_messages.DOCUMENT)) if one.recognise(head)
    ]
    # Both may know a file; the registry asks for lines first.
    assert found[:1] == ([form] if form else [])


def test_a_document_longer_than_the_head_is_recognised() -> None:
    long = json.dumps([{"task_id": 0, "reward": 0, "info": {}, "traj": [{"role": "system", "content": "x" * 99_000}]}]).encode()
    assert openai_messages.DOCUMENT.recognise(Head("x", long[:65536], False))
    listed = json.dumps([{"role": "user", "content": "x" * 99_000}]).encode()
    assert openai_messages.DOCUMENT.recognise(Head("x", listed[:65536], False))
    assert not openai_messages.LINES.recognise(Head("x", listed[:65536], False))


ANTHROPIC: list[dict[str, Any]] = [
    {"role": "user", "content": [{"type": "text", "text": "Is there rye?"}, {"type": "image", "source": {}}]},
    {
        "role": "assistant",
        "id": "msg_1",
        "model": "claude-q",
        "content": [
            {"type": "thinking", "thinking": "Look.", "signature": "x"},
            {"type": "text", "text": "Looking."},
            {"type": "tool_use", "id": "t1", "name": "stock", "input": {"kind": "rye"}},
        ],
    },
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "no oven", "is_error": True}]},
]


def test_blocks_of_anthropics_interface() -> None:
    found = turns(jsonl(*ANTHROPIC))
    assert [(turn.at, turn.speaker, turn.form, turn.text, turn.call, turn.error) for turn in found] == [
        ("L1", Speaker.HUMAN, Form.PROSE, "Is there rye?", "", False),
        ("L2", Speaker.ASSISTANT, Form.THINKING, "Look.", "", False),
        ("L2-2", Speaker.ASSISTANT, Form.PROSE, "Looking.", "", False),
        ("L2-3", Speaker.ASSISTANT, Form.CALL, '{"kind":"rye"}', "t1", False),
        ("L3", Speaker.TOOL, Form.RESULT, "no oven", "t1", True),
    ]
    assert {turn.reply for turn in found[1:4]} == {"msg_1"}


@pytest.mark.parametrize(
    "response",
    [
        {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Yes."}]},
        {"choices": [{"message": {"role": "assistant", "content": "Yes."}}]},
    ],
)
def test_logged_calls_are_conversations(tmp_path: Path, response: dict[str, Any]) -> None:
    sent = {"model": "m", "messages": [{"role": "user", "content": "Is there rye?"}]}
    data = jsonl({"request": sent, "response": response})
    assert openai_messages.DOCUMENT.recognise(Head("log.jsonl", data, True))
    (found,) = document(tmp_path, data)
    assert texts(found) == ["Is there rye?", "Yes."]


def test_a_message_keeps_the_offset_of_its_time() -> None:
    row = b'{"role":"user","content":"Begin.","timestamp":"2026-03-02T00:20:00+05:45"}\n{"role":"assistant","content":"Ok."}\n'
    assert [(turn.said, turn.offset) for turn in turns(row)] == [("2026-03-01T18:35:00Z", "+05:45"), ("", "")]
