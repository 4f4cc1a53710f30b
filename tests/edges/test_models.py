"""Models: which one a name means; the built-in rules; replies from a folder, each for the one question it was made for."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from wikimem.assets import folders
from wikimem.core.claims import Mention
from wikimem.core.questions import Question, Reply, Task
from wikimem.core.spending import AS_EVER
from wikimem.core.views import View
from wikimem.edges import models
from wikimem.edges.models import Model
from wikimem.edges.models.recorded import Recorded, key, record
from wikimem.edges.prompts import Prompts
from wikimem.errors import ModelFailed, UnknownModel

ONE, OTHER = Mention("", "topic", "slog"), Mention("", "topic", "Slog library")
PROMPTS = Prompts(folders("prompts"), ["port"])
QUESTION = PROMPTS.question(Task.MENTIONS, (ONE, OTHER))


def named(name: str, work: Path = Path("nowhere")) -> Model:
    return models.named(name, work, AS_EVER, lambda: "2026-07-01T09:00:00Z")


def test_names() -> None:
    assert named("rules").name == "rules"
    assert named("recorded:here").name == "recorded"
    for name in ("", "recorded", "recorded:", "gpt", "rules:x", "Rules"):
        with pytest.raises(UnknownModel, match="is no model"):
            named(name)


def test_the_rules_answer_each_task_and_need_no_prompt() -> None:
    rules = named("rules")
    assert not rules.reads_prompts

    def unasked() -> str:
        raise AssertionError("nobody reads this prompt")

    view = View("s", "", "", "", "", ())
    extracted = rules.ask(Question(Task.EXTRACT, view, {}, unasked)).content
    assert extracted["claims"] == []
    assert rules.ask(Question(Task.MENTIONS, (ONE, OTHER), {}, unasked)).content["relation"] in ("same", "different")


def test_a_recorded_reply_answers_its_question(tmp_path: Path) -> None:
    path = record(tmp_path / "new" / "folder", QUESTION, Reply({"relation": "same", "reason": "ü"}, 12, 3))
    assert path.name == f"{key(QUESTION)}.json"
    assert Recorded(path.parent).ask(QUESTION) == Reply({"relation": "same", "reason": "ü"}, 12, 3)
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    record(path.parent, QUESTION, Reply({"relation": "different"}))
    assert Recorded(str(path.parent)).ask(QUESTION).content == {"relation": "different"}


@pytest.mark.parametrize(
    "other",
    [
        replace(QUESTION, schema={"type": "object"}),
        replace(QUESTION, task=Task.CLAIMS),
        replace(QUESTION, prompt=lambda: "another prompt"),
        PROMPTS.question(Task.MENTIONS, (OTHER, ONE)),
    ],
)
def test_another_question_has_another_recording(tmp_path: Path, other: Question) -> None:
    record(tmp_path, QUESTION, Reply({"relation": "same"}))
    with pytest.raises(ModelFailed, match="no reply is recorded for this question"):
        Recorded(tmp_path).ask(other)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "cannot be read"),
        (b"{", "cannot be read"),
        (b"\xff\xfe", "cannot be read"),
        (b"[]", 'holds no "reply"'),
        (b'{"answer": 1}', 'holds no "reply"'),
        (None, "cannot be read"),
    ],
)
def test_a_recording_that_is_none_is_a_sentence(tmp_path: Path, data: bytes | None, why: str) -> None:
    path = tmp_path / f"{key(QUESTION)}.json"
    path.mkdir() if data is None else path.write_bytes(data)
    with pytest.raises(ModelFailed, match=why):
        Recorded(tmp_path).ask(QUESTION)


@pytest.mark.parametrize("tokens", [None, "many", 1.5, [1]])
def test_tokens_that_are_no_number_count_as_none(tmp_path: Path, tokens: object) -> None:
    (tmp_path / f"{key(QUESTION)}.json").write_text(json.dumps({"reply": {}, "read": tokens, "wrote": tokens}))
    assert Recorded(tmp_path).ask(QUESTION) == Reply({}, 0, 0)
