"""Runs of LangSmith: model calls in the order of their start, LangChain's messages, traces with a root alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mangling import altered, document, mangled
from wikimem.core.turns import Form, Speaker
from wikimem.edges import importers
from wikimem.edges.importers import langsmith
from wikimem.edges.importers.format import Conversation, Head


def run(number: int, kind: str, inputs: Any, outputs: Any, **more: Any) -> dict[str, Any]:
    parent = None if number == 0 else "r0"
    times = {"start_time": f"2026-08-14T10:{number:02}:00", "end_time": f"2026-08-14T10:{number:02}:09"}
    order = {"dotted_order": f"20260814T10{number:02}00", "trace_id": "r0", "session_id": "a-project", "parent_run_id": parent}
    told = {"id": f"r{number}", "name": f"step {number}", "run_type": kind, "inputs": inputs, "outputs": outputs}
    return {**told, **times, **order, "extra": {"metadata": {"thread_id": "t-7", "ls_model_name": "gpt-q"}}, **more}


def lang(kind: str, text: str, **more: Any) -> dict[str, Any]:
    path = ["langchain", "schema", "messages", f"{kind}Message"]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": {"content": text, **more}}


def bread() -> list[dict[str, Any]]:
    called = [{"name": "stock", "args": {"kind": "rye"}, "id": "t1", "type": "tool_call"}]
    first = [lang("System", "You sell bread."), lang("Human", "Is there rye?")]
    answer = lang("AI", "", tool_calls=called)
    second = [*first, answer, lang("Tool", "4 loaves", tool_call_id="t1")]
    return [
        run(0, "chain", {"task": 7}, {"reward": 1}),
        run(1, "llm", {"messages": [first]}, {"generations": [[{"text": "", "message": answer}]]}),
        run(2, "tool", {"input": "{'kind': 'rye'}"}, {"output": "4 loaves"}),
        run(3, "llm", {"messages": [second]}, {"generations": [[{"text": "Four.", "message": lang("AI", "Four.")}]]}),
        run(4, "tool", {"input": "{}"}, None, error="ValueError: no oven"),
    ]


EXPECTED = [
    (Speaker.HARNESS, Form.PROSE, "You sell bread.", False),
    (Speaker.HUMAN, Form.PROSE, "Is there rye?", False),
    (Speaker.ASSISTANT, Form.CALL, '{"kind":"rye"}', False),
    (Speaker.TOOL, Form.RESULT, "4 loaves", False),
    (Speaker.ASSISTANT, Form.PROSE, "Four.", False),
    (Speaker.TOOL, Form.RESULT, "ValueError: no oven", True),
]


def jsonl(runs: list[dict[str, Any]]) -> bytes:
    return b"".join(document(each) + b"\n" for each in runs)


def read(path: Path, data: bytes) -> list[Conversation | str]:
    path.write_bytes(data)
    return list(langsmith.conversations(path))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.permutations(bread()))
def test_the_calls_tell_the_dialogue_whatever_their_order_in_the_file(tmp_path: Path, runs: list[dict[str, Any]]) -> None:
    (found,) = read(tmp_path / "runs.jsonl", jsonl(runs))
    assert isinstance(found, Conversation)
    assert [(turn.speaker, turn.form, turn.text, turn.error) for turn in found.turns] == EXPECTED
    assert (found.session, found.title) == ("t-7", "step 0")
    # LangSmith writes its times without a zone.
    assert found.turns[1].said == "2026-08-14T10:01:00"
    assert found.turns[4].name == "gpt-q"
    assert found.noise == {"run chain without text": 1}


def test_a_root_alone_is_the_dialogue(tmp_path: Path) -> None:
    runs = [run(0, "chain", {"question": "Is there rye?"}, {"answer": "Yes."}, extra={})]
    (found,) = read(tmp_path / "runs.json", document({"runs": runs}))
    assert isinstance(found, Conversation)
    assert [(turn.speaker, turn.text) for turn in found.turns] == [(Speaker.HUMAN, "Is there rye?"), (Speaker.ASSISTANT, "Yes.")]
    assert found.session == "r0"


def test_a_graph_that_gives_its_whole_state_back_tells_each_message_once(tmp_path: Path) -> None:
    sent = [{"type": "human", "content": "Is there rye?"}]
    runs = [run(0, "chain", {"messages": sent}, {"messages": [*sent, {"type": "ai", "content": "Yes."}]})]
    (found,) = read(tmp_path / "runs.json", document(runs))
    assert isinstance(found, Conversation)
    assert [turn.text for turn in found.turns] == ["Is there rye?", "Yes."]


def test_a_torn_line_costs_only_itself(tmp_path: Path) -> None:
    raw = jsonl(bread())
    cut = raw.replace(b'"end_time": "2026-08-14T10:02:09"', b'"end_ti', 1)
    reason, found = read(tmp_path / "runs.jsonl", cut)
    assert reason == "item 3: not JSON: torn before the next whole one"
    assert isinstance(found, Conversation)
    assert [turn.text for turn in found.turns] == [text for _, _, text, _ in EXPECTED]


def test_it_is_recognised_by_content() -> None:
    format = importers.recognise(Head("runs.jsonl", jsonl(bread()), True))
    assert format is not None and format.name == "langsmith"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_mangled_and_altered_runs_never_raise(tmp_path: Path, data: st.DataObject) -> None:
    altered_runs = data.draw(altered(bread()))
    raw = jsonl(altered_runs) if isinstance(altered_runs, list) else document(altered_runs)
    for piece in (raw, data.draw(mangled(raw))):
        assert all(isinstance(each, str) or each.turns for each in read(tmp_path / "runs.jsonl", piece))
        importers.recognise(Head("runs.jsonl", piece, True))
