"""Data sets: each shape in small, and what is said of files that are none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wikimem.core.evaluation.cases import Sort
from wikimem.core.turns import Speaker
from wikimem.edges.datasets import READERS, BadDataset


def written(path: Path, told: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(told), encoding="utf-8")
    return path


def test_locomo(tmp_path: Path) -> None:
    sample = {
        "sample_id": "c1",
        "conversation": {
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"dia_id": "D1:1", "speaker": "Ada", "text": "I planted a pear tree.", "blip_caption": "a small tree"},
                {"dia_id": "D1:2", "speaker": "Ben", "text": "Lovely!"},
            ],
        },
        "qa": [
            {"question": "What did Ada plant?", "answer": "a pear tree", "evidence": ["D1:01; D9:9"], "category": 4},
            {"question": "What did Ben plant?", "adversarial_answer": "a tree", "evidence": ["D1:1"], "category": 5},
        ],
    }
    (haystack,) = READERS["locomo"](written(tmp_path / "l.json", [sample]))
    assert haystack.talks[0].started == "2023-05-08T13:56:00"
    assert haystack.talks[0].turns[0].text.endswith("[picture: a small tree]")
    assert haystack.cases[0].evidence == ("c1-01:D1:1",)
    assert [case.sort for case in haystack.cases] == [Sort.ANSWERABLE, Sort.ABSENT]


LONG = {
    "question_id": "q1",
    "question_type": "knowledge-update",
    "question": "Where do I live?",
    "answer": "Bergen",
    "haystack_session_ids": ["s1", "s2"],
    "haystack_dates": ["2023/05/25 (Thu) 20:21", "2023/05/27 (Sat) 10:20"],
    "haystack_sessions": [
        [{"role": "user", "content": "I live in Oslo.", "has_answer": True}, {"role": "assistant", "content": "Good."}],
        [{"role": "user", "content": "I moved to Bergen.", "has_answer": True}],
    ],
    "answer_session_ids": ["s1", "s2"],
}


def test_longmemeval_rows(tmp_path: Path) -> None:
    absent = LONG | {"question_id": "q2_abs"}
    first, second = READERS["longmemeval"](written(tmp_path / "rows.json", [LONG, absent]))
    assert first.cases[0].evidence == ("s1:s1-t1", "s2:s2-t1")
    assert first.cases[0].outdated == ("s1:s1-t1",), "what the earlier session says of it is out of date"
    assert first.cases[0].opposed
    assert first.talks[0].turns[1].speaker is Speaker.ASSISTANT
    assert second.cases[0].sort is Sort.ABSENT
    (alone,) = READERS["longmemeval"](written(tmp_path / "one.json", LONG))
    assert alone == first


def test_longmemeval_haystack_with_several_questions(tmp_path: Path) -> None:
    several = {key: value for key, value in LONG.items() if key not in ("question", "answer")} | {
        "questions": ["Where do I live?", "Where did I live?"],
        "answers": ["Bergen", 7],
        "answer_session_ids": [["s2"], ["s1"]],
    }
    (haystack,) = READERS["longmemeval"](written(tmp_path / "h.json", [several]))
    assert [(case.category, case.sessions) for case in haystack.cases] == [("knowledge-update", ("s2",)), ("other", ("s1",))]
    assert haystack.cases[1].answer == "7"


def test_beam(tmp_path: Path) -> None:
    chat = [
        {
            "batch_number": 1,
            "turns": [
                [
                    {"role": "user", "id": 0, "time_anchor": "March-15-2024", "content": "I never used Flask. ->-> 1,1"},
                    {"role": "assistant", "id": 1, "content": "Good to know."},
                ],
                [{"role": "user", "id": 2, "content": "My Flask app works."}, {"role": "user", "id": 2, "content": "It does."}],
            ],
        }
    ]
    asked = {
        "contradiction_resolution": [
            {"question": "Flask?", "ideal_answer": "both", "source_chat_ids": {"first_statement": [0], "second_statement": [2]}}
        ],
        "abstention": [{"question": "Why?", "ideal_response": "not told"}],
        "knowledge_update": [
            {"question": "Now?", "answer": "works", "source_chat_ids": {"original_info": [0], "updated_info": [1]}}
        ],
    }
    written(tmp_path / "100K" / "1" / "chat.json", chat)
    written(tmp_path / "100K" / "1" / "probing_questions" / "probing_questions.json", asked)
    (haystack,) = READERS["beam"](tmp_path)
    assert (haystack.name, haystack.talks[0].started) == ("100K/1", "2024-03-15T00:00:00")
    assert haystack.talks[0].turns[0].text == "I never used Flask."
    absent, opposed, update = haystack.cases
    assert (update.evidence, update.outdated) == (("b01:m0", "b01:m1"), ("b01:m0",))
    assert absent.sort is Sort.ABSENT
    assert opposed.evidence == ("b01:m0",), "an id that is there twice is no evidence"
    assert opposed.opposed


def test_personamem(tmp_path: Path) -> None:
    header = "question_id,question_type,user_question_or_message,correct_answer,shared_context_id,end_index_in_shared_context"
    (tmp_path / "questions_32k.csv").write_text(f"{header}\nq1,recall,Any ideas?,(b),c1,2\nq2,recall,More?,(a),c1,3\n")
    context = [{"role": "system", "content": "x"}, {"role": "user", "content": "hi"}, {"role": "system", "content": "y"}]
    written(tmp_path / "shared_contexts_32k.jsonl", {"c1": context})
    first, second = READERS["personamem"](tmp_path / "questions_32k.csv")
    assert [len(one.talks) for one in (first, second)] == [1, 2]
    assert first.cases[0].answer == "(b)"


@pytest.mark.parametrize("dataset", sorted(READERS))
@pytest.mark.parametrize("told", ["{", '"text"', "[]", '[{"sample_id": 3}]', '[{"question_id": 1}]', "[null]"])
def test_a_file_that_is_none_is_told_in_a_sentence(tmp_path: Path, dataset: str, told: str) -> None:
    path = tmp_path / "questions_1.csv"
    path.write_text(told)
    (tmp_path / "shared_contexts_1.jsonl").write_text(told)
    try:
        found = list(READERS[dataset](path))
    except BadDataset as error:
        assert str(path) in str(error)
    else:
        assert found == []
