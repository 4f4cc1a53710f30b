"""Answers of an evaluation: each question from its bundle, marked by its benchmark's protocol, by any model there is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from conftest import NOW
from edges.models.server import Server
from test_evaluate import SAID, asking
from test_thorough import Scripted
from wikimem import answering, evaluate
from wikimem.answering import Answering
from wikimem.assets import folders
from wikimem.core.evaluation.judging import Judged
from wikimem.core.questions import Question, Reply
from wikimem.core.solutions import Asked
from wikimem.edges.prompts import Prompts
from wikimem.errors import ModelFailed, UsageError
from wikimem.evaluate import Wish
from wikimem.faces.api import Vault
from wikimem.faces.cli import main

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
TREE = {"question": "Which tree did Ada plant?", "answer": "pear", "evidence": ["D1:1"], "category": 4}
KILN = {"question": "What did Ben break while firing the kiln?", "answer": "a vase", "evidence": [], "category": 5}


@pytest.fixture
def locomo(tmp_path: Path) -> Path:
    turns = [{"dia_id": f"D1:{number}", "speaker": who, "text": text} for number, (who, text) in enumerate(SAID, 1)]
    talk = {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": turns}
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([{"sample_id": "c1", "conversation": talk, "qa": [TREE, KILN]}]))
    return path


def answers(report: evaluate.Evaluation) -> dict[str, Any]:
    told = report.as_json()["answers"]
    assert isinstance(told, dict)
    return told


class Brain:
    """Answers with the words of the first spot that names a pear, else not; judges that a pear is right."""

    edition, reads_prompts = "", True

    def __init__(self, name: str = "brain", fails: str = "") -> None:
        self.name, self._fails = name, fails
        self.asked: list[Question] = []

    def ask(self, question: Question) -> Reply:
        self.asked.append(question)
        if self._fails and self._fails == question.task.value:
            raise ModelFailed(self.name, "it is asleep")
        match question.values:
            case Asked():
                spot = next((one for one in question.values.spots if "pear" in one.text), None)
                if spot is None or "tree" not in question.values.question:
                    return Reply({"verdict": "not-in-memory", "answer": "", "citations": []}, 50, 5)
                cited = [{"spot": spot.number, "quote": "pear tree"}]
                return Reply(
                    {"verdict": "answered", "answer": "Ada planted a pear tree.", "short": "pear", "citations": cited}, 50, 5
                )
            case Judged():
                return Reply({"score": int("pear" in question.values.given)}, 20, 2)
        raise AssertionError(question.task)


def by(model: Any, judge: Any = None, jobs: int = 1) -> Wish:
    who = Answering(model, judge or model, Prompts(folders("prompts"), []), jobs=jobs)
    return Wish(compile=False, offtopic=False, answering=who)


@pytest.mark.parametrize("jobs", [1, 3])
def test_each_question_is_answered_from_its_bundle_and_judged(locomo: Path, jobs: int) -> None:
    brain, judge = Brain(), Brain("judge")
    told = answers(evaluate.evaluate("locomo", locomo, by(brain, judge, jobs)))
    figures = told["figures"]["all"]
    assert (figures["accuracy"], figures["f1"], figures["lost"], figures["abstained"]) == (1.0, 1.0, 0.0, 1.0)
    assert figures["citations"] == 1.0
    assert told["cost"]["tokens_in"] == 100.0
    assert told["cost"]["judge_tokens_in"] == 20.0
    assert told["cost"]["p50_ms"] is not None
    assert told["cost"]["context_tokens"] > 0
    first, second = told["questions"]
    assert (first["verdict"], first["score"], first["answer"]) == ("answered", 1.0, "Ada planted a pear tree.")
    assert (second["verdict"], second["score"]) == ("not-in-memory", None)
    assert len(brain.asked) == 2
    assert [question.task.value for question in judge.asked] == ["judge"]


def test_all_that_is_needed_to_answer_again_is_in_the_report(locomo: Path) -> None:
    run = evaluate.evaluate("locomo", locomo, by(Brain(), Brain("judge"))).as_json()["run"]
    assert (run["answers"], run["judge"], run["budget"]) == ("brain", "judge", 2000)


def test_without_somebody_who_answers_there_are_no_answers(locomo: Path) -> None:
    assert answers(evaluate.evaluate("locomo", locomo, Wish(compile=False, offtopic=False))) == {}


@pytest.mark.parametrize(("fails", "problem"), [("answer", "it is asleep"), ("judge", "not judged: it is asleep")])
def test_a_model_that_fails_leaves_a_reason_and_no_mark(locomo: Path, fails: str, problem: str) -> None:
    told = answers(evaluate.evaluate("locomo", locomo, by(Brain(fails=fails))))
    assert told["questions"][0]["problem"] == problem
    assert told["figures"]["all"]["accuracy"] is None


def test_by_rule_there_are_answers_without_a_key(locomo: Path) -> None:
    report = evaluate.evaluate("locomo", locomo, Wish(compile=False, offtopic=False, answering=answering.named("rules")))
    told = answers(report)
    assert told["questions"][0]["score"] == 1.0
    assert told["cost"]["calls"] == 0.0
    assert report.code == 0


def test_packets_are_answered_and_judged_in_two_rounds(locomo: Path, vault: Vault) -> None:
    run = CliRunner()
    call = [
        "--vault",
        str(vault.root),
        "eval",
        "locomo",
        str(locomo),
        "--turns",
        "--no-offtopic",
        "--answers",
        "handoff",
        "--json",
    ]

    def go_on(brain: Brain) -> set[str]:
        tasks = set()
        while (packet := vault.next().packet) is not None:
            tasks.add(packet.task)
            spot = next((line[1:2] for line in packet.prompt.split("\n") if line.startswith("[")), "1")
            cited = [{"spot": int(spot), "quote": "pear tree"}]
            reply = (
                {"score": 1}
                if packet.task == "judge"
                else {"verdict": "answered", "answer": "pear", "citations": cited}
                if "tree" in packet.prompt.rpartition("Question")[2].partition("\n")[0]
                else {"verdict": "not-in-memory", "answer": "", "citations": []}
            )
            vault.submit(packet.id, json.dumps(reply))
        return tasks

    first = run.invoke(main, call)
    assert first.exit_code == 3
    assert json.loads(first.output)["answers"]["waiting"] == 2
    assert go_on(Brain()) == {"answer"}
    assert run.invoke(main, call).exit_code == 3
    assert go_on(Brain()) == {"judge"}
    last = run.invoke(main, call)
    assert last.exit_code == 0
    told = json.loads(last.output)["answers"]
    assert (told["figures"]["all"]["accuracy"], told["figures"]["all"]["abstained"], told["waiting"]) == (1.0, 1.0, 0)


def test_packets_need_a_vault_to_wait_in(locomo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["eval", "locomo", str(locomo), "--answers", "handoff"])
    assert result.exit_code == 2
    assert "need a vault" in result.output
    with pytest.raises(UsageError, match="no model"):
        answering.named("nobody")


def test_a_real_client_answers_and_judges_and_pays_once(locomo: Path, vault: Vault) -> None:
    def brain(prompt: str) -> Any:
        if 'name="judge"' in prompt:
            return {"score": 1}
        cited = [{"spot": number, "quote": "pear tree"} for number in range(1, 6)]
        return {"verdict": "answered", "answer": "A pear tree.", "short": "pear tree", "citations": cited}

    with Server(brain) as server:
        lines = ["[compile]", f'api_base = "{server.base}"', "price_in = 1.0", "price_out = 4.0", "seconds = 20"]
        (vault.root / "wikimem.local.toml").write_text("\n".join(lines) + "\n")
        who = answering.named("openai/scripted", "", answering.near(str(vault.root)))
        told = answers(evaluate.evaluate("locomo", locomo, Wish(compile=False, offtopic=False, answering=who)))
        assert told["cost"]["calls"] == len(server.requests)
        assert told["cost"]["usd"] == pytest.approx((server.read + 4 * server.wrote) / 1e6)
        assert told["questions"][0]["score"] == 1.0
        assert told["figures"]["all"]["citations_dropped"] > 0
        before = len(server.requests)
        again = answering.named("openai/scripted", "", answering.near(str(vault.root)))
        repeated = answers(evaluate.evaluate("locomo", locomo, Wish(compile=False, offtopic=False, answering=again)))
        assert len(server.requests) == before
        assert repeated["figures"] == told["figures"]
        assert repeated["cost"]["calls"] == 0.0


def test_options_are_shown_and_the_letter_decides(tmp_path: Path) -> None:
    names = ("question_id", "question_type", "user_question_or_message", "correct_answer", "all_options")
    header = ",".join((*names, "shared_context_id", "end_index_in_shared_context"))
    row = "q1,recall,What shall I drink?,(b),\"['(a) Coffee, as ever.', '(b) Mate, as you like it.']\",c1,2"
    (tmp_path / "questions_32k.csv").write_text(f"{header}\n{row}\n")
    said = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "I drink mate every morning, never coffee."}]
    (tmp_path / "shared_contexts_32k.jsonl").write_text(json.dumps({"c1": said}) + "\n")
    for choice, score in (("(b)", 1.0), ("a", 0.0)):
        model = Scripted({"verdict": "not-in-memory", "answer": "", "citations": [], "choice": choice})
        told = answers(evaluate.evaluate("personamem", tmp_path / "questions_32k.csv", by(model)))
        assert told["questions"][0]["score"] == score
        assert "Option (b) Mate, as you like it." in model.asked[0].prompt()
        assert len(model.asked) == 1


def test_a_rubric_is_judged_criterion_by_criterion(tmp_path: Path) -> None:
    asked = {
        "information_extraction": [
            {"question": "Which tree?", "answer": "pear", "rubric": ["names the pear", "names the shed"], "source_chat_ids": [1]}
        ]
    }
    (tmp_path / "probing_questions").mkdir()
    (tmp_path / "probing_questions" / "probing_questions.json").write_text(json.dumps(asked))
    turns = [[{"id": 1, "role": "user", "content": "I planted a pear tree."}]]
    (tmp_path / "chat.json").write_text(json.dumps([{"batch_number": 1, "turns": turns}]))
    judge = Scripted({"score": 1}, {"score": 0.5})
    told = answers(evaluate.evaluate("beam", tmp_path, by(Brain(), judge)))
    assert told["questions"][0]["score"] == 0.75
    assert len(judge.asked) == 2
    assert "names the shed" in judge.asked[1].prompt()


def test_the_day_on_which_is_asked_is_told(tmp_path: Path) -> None:
    row = {
        "question_id": "q1_abs",
        "question_type": "temporal-reasoning",
        "question": "When did I plant the pear tree?",
        "answer": "It was never said.",
        "question_date": "2023/06/01 (Thu) 00:58",
        "haystack_dates": ["2023/05/25 (Thu) 20:21"],
        "haystack_session_ids": ["s1"],
        "haystack_sessions": [[{"role": "user", "content": "I planted a pear tree."}]],
        "answer_session_ids": ["s1"],
    }
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([row]))
    model, judge = Brain(), Scripted({"score": 1})
    told = answers(evaluate.evaluate("longmemeval", path, by(model, judge)))
    assert "Question (asked on 2023-06-01): " in model.asked[0].prompt()
    assert "cannot be answered" in judge.asked[0].prompt()
    assert told["figures"]["all"]["abstention_judged"] == 1.0


def test_a_vault_s_own_questions_are_answered_too(vault: Vault, tmp_path: Path) -> None:
    header = {"wikimem": 1, "session": "s1", "title": "Garden", "started": "2026-03-02T09:00:00Z", "cwd": ""}
    turns = [
        {"id": f"m{n}", "speaker": "human", "name": who, "time": "2026-03-02T09:00:00Z", "text": text}
        for n, (who, text) in enumerate(SAID, 1)
    ]
    (tmp_path / "talk.jsonl").write_text("".join(json.dumps(line) + "\n" for line in [header, *turns]))
    source = vault.ingest([tmp_path / "talk.jsonl"]).added[0].id
    asking(vault, {"question": TREE["question"], "expected": [f"{source}:L2"], "answer": "pear"})
    report = Vault.open(vault.root, clock=lambda: NOW).evaluate_own(answers="rules")
    assert answers(report)["figures"]["all"]["accuracy"] == 1.0
    printed = CliRunner().invoke(main, ["--vault", str(vault.root), "eval", "own", "--answers", "rules"])
    assert printed.exit_code == 0
    assert "right" in printed.output
