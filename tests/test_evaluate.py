"""The evaluation, end to end: a small benchmark in a temporary vault, and a vault's own questions with gates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from wikimem import evaluate
from wikimem.edges.datasets import BadDataset
from wikimem.errors import UsageError
from wikimem.evaluate import BadQuestions, NoReport, Wish
from wikimem.faces.api import Vault
from wikimem.faces.cli import main

SAID = [
    ("Ada", "I planted a pear tree behind the shed on Saturday."),
    ("Ben", "Lovely, did the rain spoil it?"),
    ("Ada", "No, but my kiln cracked while firing the blue bowls."),
    ("Ben", "I adopted a greyhound called Pixel, by the way."),
]


@pytest.fixture
def locomo(tmp_path: Path) -> Path:
    turns = [{"dia_id": f"D1:{number}", "speaker": who, "text": text} for number, (who, text) in enumerate(SAID, 1)]
    asked = [
        {"question": "Which tree did Ada plant?", "answer": "pear", "evidence": ["D1:1"], "category": 4},
        {"question": "What is the name of Ben's greyhound?", "answer": "Pixel", "evidence": ["D1:4"], "category": 1},
    ]
    talk = {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": turns}
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([{"sample_id": "c1", "conversation": talk, "qa": asked}]))
    return path


@pytest.fixture
def kept(vault: Vault, tmp_path: Path) -> tuple[Vault, str]:
    """A vault with one session, and the id of its source."""
    turns = [
        {"id": f"m{number}", "speaker": "human", "name": who, "time": "2026-03-02T09:00:00Z", "text": text}
        for number, (who, text) in enumerate(SAID, 1)
    ]
    header = {"wikimem": 1, "session": "s1", "title": "Garden", "started": "2026-03-02T09:00:00Z", "cwd": ""}
    path = tmp_path / "talk.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in [header, *turns]))
    return vault, vault.ingest([path]).added[0].id


def asking(vault: Vault, *rows: dict[str, Any], gates: str = "") -> None:
    folder = vault.root / "eval"
    folder.mkdir(exist_ok=True)
    (folder / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    if gates:
        (folder / "gates.toml").write_text(gates)


def test_a_benchmark_is_captured_compiled_and_asked(locomo: Path) -> None:
    report = evaluate.evaluate("locomo", locomo)
    told = report.as_json()
    assert told["figures"]["all"]["recall@5"] == 1.0
    assert told["figures"]["off-topic"]["questions"] == 100
    assert told["figures"]["single-hop"]["offtopic_silent"] is None
    assert told["compile"]["turns"] == 4
    assert told["run"]["dataset"] == "locomo"
    assert len(told["run"]["sha256"]) == 64
    assert told["run"]["constants"]["SPREAD"]
    assert not told["problems"]


def test_the_same_run_gives_the_same_figures(locomo: Path) -> None:
    wish = Wish(compile=False, offtopic=False)
    first, second = evaluate.evaluate("locomo", locomo, wish), evaluate.evaluate("locomo", locomo, wish)
    assert first.figures() == second.figures()
    assert [row.found for row in first.rows] == [row.found for row in second.rows]
    assert first.compiled() == {}


def test_a_channel_can_be_left_out(locomo: Path) -> None:
    report = evaluate.evaluate("locomo", locomo, Wish(("floor",), compile=False))
    assert report.run["ablate"] == ["floor"]
    whole = evaluate.evaluate("locomo", locomo, Wish(compile=False))
    off = [told.figures()["off-topic"]["offtopic_silent"] for told in (report, whole)]
    assert off[0] is not None and off[1] is not None
    assert off[0] < off[1]


def test_beam_is_run_whole(tmp_path: Path) -> None:
    said = {
        1: (
            "March-15-2026",
            ["I have never written a Flask route in this harbour project.", "Noted.", "The quay sprint ends on March 29."],
        ),
        2: (
            "April-02-2026",
            ["I finished the Flask route of the harbour home page today.", "Well done.", "Berth fees moved to Fridays."],
        ),
    }
    chat = [
        {
            "batch_number": number,
            "turns": [
                [
                    {"role": ("user", "assistant")[at % 2], "id": number * 10 + at, "time_anchor": day, "content": text}
                    for at, text in enumerate(texts)
                ]
            ],
        }
        for number, (day, texts) in said.items()
    ]
    asked = {
        "abstention": [{"question": "Which violin does the conductor own?", "ideal_response": "not told"}],
        "contradiction_resolution": [
            {
                "question": "Have I written a Flask route in the harbour project?",
                "ideal_answer": "both",
                "source_chat_ids": {"first_statement": [10], "second_statement": [20]},
            }
        ],
        "information_extraction": [{"question": "When does the quay sprint end?", "answer": "29 March", "source_chat_ids": [12]}],
        "instruction_following": [{"question": "How are berth fees paid?", "expected_compliance": "as told"}],
    }
    for name, told in (("chat.json", chat), ("probing_questions/probing_questions.json", asked)):
        path = tmp_path / "100K" / "1" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(told))
    report = evaluate.evaluate("beam", tmp_path, Wish(offtopic=False))
    figures = report.figures()
    assert figures["contradiction_resolution"]["contradiction_coverage"] == 1.0
    assert figures["information_extraction"]["recall@5"] == 1.0
    assert figures["abstention"]["absent_silent"] == 1.0
    assert figures["instruction_following"]["recall@5"] is None, "no evidence is named"
    assert (figures["all"]["questions"], report.problems) == (4.0, [])


def test_personamem_is_run_whole(tmp_path: Path) -> None:
    header = "question_id,question_type,user_question_or_message,correct_answer,shared_context_id,end_index_in_shared_context"
    rows = [
        "q1,recall_user_shared_facts,Which tea do I drink in the evening?,(b),c1,2",
        "q2,suggest_new_ideas,Any ideas?,(a),c1,4",
    ]
    (tmp_path / "questions_32k.csv").write_text("\n".join((header, *rows, "")))
    context = [
        {"role": "system", "content": "Ada is a harbour pilot."},
        {"role": "user", "content": "User: I drink rooibos tea in the evening."},
        {"role": "system", "content": "Ada is a harbour pilot who sails."},
        {"role": "user", "content": "User: I gave up tea, I drink cocoa in the evening now."},
    ]
    (tmp_path / "shared_contexts_32k.jsonl").write_text(json.dumps({"c1": context}))
    report = evaluate.evaluate("personamem", tmp_path / "questions_32k.csv", Wish(offtopic=False))
    first = next(row for row in report.rows if row.case.id == "q1")
    assert first.found and first.contexts[2000].tokens > 0
    figures = report.figures()
    assert figures["all"]["questions"] == 2.0
    assert figures["all"]["recall@10"] is None, "no evidence is named"
    assert figures["recall_user_shared_facts"]["answerable_silent"] == 0.0
    assert report.costs()["p50_ms"] is not None


def test_what_cannot_be_measured_is_a_sentence(locomo: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no data set"):
        evaluate.evaluate("squad", locomo)
    with pytest.raises(UsageError, match="no channel"):
        evaluate.evaluate("locomo", locomo, Wish(("tea",)))
    with pytest.raises(UsageError, match="does not exist"):
        evaluate.evaluate("locomo", tmp_path / "none.json")
    empty = tmp_path / "empty.json"
    empty.write_text("[]")
    with pytest.raises(BadDataset, match="no question"):
        evaluate.evaluate("locomo", empty)


def test_own_questions_are_held_against_gates(kept: tuple[Vault, str]) -> None:
    vault, source = kept
    gates = '[[gate]]\nmetric = "recall@5"\nlimit = 0.9\n[[gate]]\nmetric = "mrr"\nlimit = 2\naction = "warn"\n'
    asking(
        vault,
        {"question": "Which tree was planted behind the shed?", "expected": [f"{source}:L2"]},
        {"question": "How are neutrons detected in a scintillator?", "expected": []},
        gates=gates,
    )
    report = vault.evaluate_own()
    assert [(one.kept, one.fails) for one in report.checked] == [(True, False), (False, False)]
    assert report.code == 0
    assert report.figures()["all"]["offtopic_silent"] == 1.0


def test_a_gate_that_is_not_kept_fails_the_run(kept: tuple[Vault, str]) -> None:
    vault, source = kept
    gates = '[[gate]]\nmetric = "recall@5"\nlimit = 0.9\n'
    asking(vault, {"question": "Which tree was planted behind the shed?", "expected": [f"{source}:L99"]}, gates=gates)
    report = vault.evaluate_own()
    assert report.code == 1
    assert "no turn" in str(report.problems[0])
    result = CliRunner().invoke(main, ["--vault", str(vault.root), "eval", "own"])
    assert result.exit_code == 1
    assert "FAILED" in result.output


def test_an_unknown_metric_in_a_gate_is_an_error(kept: tuple[Vault, str]) -> None:
    vault, source = kept
    asking(vault, {"question": "Tree?", "expected": [source]}, gates='[[gate]]\nmetric = "recal@5"\nlimit = 0.9\n')
    with pytest.raises(BadQuestions, match="recall@5"):
        vault.evaluate_own()


def test_questions_that_cannot_be_used_are_named(vault: Vault) -> None:
    with pytest.raises(UsageError, match="no questions"):
        vault.evaluate_own()
    asking(vault, {"question": "Tree?"})
    with pytest.raises(BadQuestions, match=r"questions\.jsonl:1"):
        vault.evaluate_own()
    asking(vault, {"question": "Tree?", "expected": []}, gates="[[gate]")
    with pytest.raises(BadQuestions, match="TOML"):
        vault.evaluate_own()


def test_two_reports_are_compared_on_the_command_line(locomo: Path, tmp_path: Path) -> None:
    run = CliRunner()
    for name, more in (("a", []), ("b", ["--ablate", "floor"])):
        result = run.invoke(main, ["eval", "locomo", str(locomo), "--turns", "--json", *more])
        assert result.exit_code == 0, result.output
        (tmp_path / name).write_text(result.stdout)
    result = run.invoke(main, ["eval", "compare", str(tmp_path / "a"), str(tmp_path / "b")])
    assert "The runs differ in ablate" in result.output
    assert "off-topic/offtopic_silent" in result.output
    with pytest.raises(NoReport):
        evaluate.compare(locomo, locomo)
    assert run.invoke(main, ["eval", "compare", str(locomo), "nowhere"]).exit_code == 2


def test_text_has_a_dash_where_nothing_was_counted(locomo: Path) -> None:
    result = CliRunner().invoke(main, ["eval", "locomo", str(locomo), "--turns"])
    assert result.exit_code == 0
    row = next(line for line in result.output.splitlines() if line.startswith("off-topic"))
    assert " - " in row
