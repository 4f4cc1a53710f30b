"""Thorough recall: a model says where to look, code looks and checks; whatever fails, the quick answer stands and says so."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from remembering import Saying, put, remember, session
from wikimem.core import bundles
from wikimem.core.inquiries import Inquiry
from wikimem.core.questions import Question, Reply
from wikimem.edges.models.recorded import record
from wikimem.errors import ModelFailed
from wikimem.faces.api import Vault
from wikimem.faces.cli import main
from wikimem.seeking import Bounds
from wikimem.thorough import Sought, recall_thoroughly
from wikimem.vault import open_at

PORT = Saying("jan", 1, "topic: tide tables", "port", "The tide tables are served from port 8090.", "port 8090")
QUESTION = "Who mends the pump of berth 4?"


@pytest.fixture
def harbour(vault: Vault, tmp_path: Path) -> Vault:
    """Sessions of a harbour and of a dock; the answer to `QUESTION` stands in words that the question lacks."""
    logs = tmp_path / "logs"
    told = {
        "jan": ("2026-01-10", "/home/sam/harbour", "Serve the tide tables from port 8090, please.", "Done."),
        "feb": ("2026-02-01", "/home/sam/harbour", "The pump of berth 4 leaks again.", "I will note it in todo_west.md."),
        "jun": ("2026-06-02", "/home/sam/harbour", "From now on Ines looks after everything in todo_west.md.", "Noted."),
        "dock": ("2026-02-02", "/home/sam/dock", "Cranes are mended every Monday by Olaf.", "Noted."),
    }
    for name, (day, cwd, *words) in told.items():
        put(logs / f"{name}.jsonl", session(name, day, cwd, *words))
    vault.ingest([logs])
    remember(vault, PORT)
    return vault


def path_of(vault: Vault, name: str) -> str:
    return next(each.path for each in open_at(vault.root).ledger.all().values() if each.session == name)


class Scripted:
    """A model that answers one reply after the other; the last one again and again."""

    name, edition, reads_prompts = "scripted", "", True

    def __init__(self, *replies: Any) -> None:
        self._replies = list(replies)
        self.asked: list[Question] = []

    def ask(self, question: Question) -> Reply:
        reply = self._replies[min(len(self.asked), len(self._replies) - 1)]
        self.asked.append(question)
        if isinstance(reply, Exception):
            raise reply
        return Reply(reply, 100, 10)


def step(looks: Iterable[dict[str, Any]] = (), spans: Iterable[dict[str, Any]] = (), **more: Any) -> dict[str, Any]:
    return {"looks": list(looks), "spans": list(spans), **more}


def span(path: str, first: int, quote: str) -> dict[str, Any]:
    return {"path": path, "first": first, "last": first, "quote": quote}


def sought(vault: Vault, *replies: Any, question: str = QUESTION, **more: Any) -> tuple[Sought, Scripted]:
    model = Scripted(*replies)
    return recall_thoroughly(open_at(vault.root), question, model=model, **more), model


def seen(question: Question) -> str:
    """All that a step was shown."""
    assert isinstance(question.values, Inquiry)
    return "\n".join(one.text for one in question.values.seen)


def test_the_model_looks_step_by_step_and_its_spans_come_first(harbour: Vault) -> None:
    jun = path_of(harbour, "jun")
    found, model = sought(
        harbour,
        step([{"do": "grep", "pattern": "todo_west"}]),
        step([{"do": "read", "path": jun}]),
        step(spans=[span(jun, 1, "Ines looks after everything in todo_west.md")], note="Ines does.", premise="holds"),
    )
    assert "todo_west.md" in seen(model.asked[1])
    assert "L2 (assistant, 2026-06-02): Noted." in seen(model.asked[2])
    assert [one.cite for one in found.spans] == [f"{Path(jun).stem}:L1"]
    assert found.text.index("Ines looks after") < found.text.index("leaks again")
    assert found.text.count(bundles.GUARD) == 1
    assert found.problems == ()
    told = found.as_json()
    assert (told["steps"], told["tokens_in"], told["note"], told["premise"]) == (3, 300, "Ines does.", "holds")
    assert told["spans"][0]["quote"] == "Ines looks after everything in todo_west.md"
    assert found.text.count("\n## ") >= 2


def test_the_cards_are_what_the_quick_recall_finds(harbour: Vault) -> None:
    _, model = sought(harbour, step(), question="Which port serves the tide tables?")
    told = model.asked[0].values
    assert isinstance(told, Inquiry)
    assert "The tide tables are served from port 8090. (fact)" in told.cards[0].claim
    assert told.cards[0].path == path_of(harbour, "jan")


def test_a_span_that_does_not_stand_is_told_back_and_left_out(harbour: Vault) -> None:
    jun = path_of(harbour, "jun")
    found, model = sought(
        harbour,
        step(spans=[span(jun, 1, "Olaf looks after it")]),
        step(spans=[span(jun, 1, "Ines looks after"), span(jun, 9, "Ines"), span("../keys.txt", 1, "Ines")]),
    )
    assert "does not stand" in seen(model.asked[1])
    assert [one.words for one in found.spans] == ["Ines looks after"]
    assert [problem.rule for problem in found.problems] == ["span", "span"]
    assert "Olaf looks" not in found.text


def test_a_look_that_is_refused_is_told_back_and_nothing_is_read(harbour: Vault) -> None:
    (harbour.root.parent / "keys.txt").write_text("hidden words")
    looks = [
        {"do": "read", "path": "../keys.txt"},
        {"do": "grep", "pattern": "hidden", "path": "/"},
        {"do": "list", "path": ".git"},
    ]
    _, model = sought(harbour, step([*looks, {"do": "history", "path": "wiki/../.git/config"}]), step())
    told = seen(model.asked[1])
    assert told.count("cannot be read") == 3
    assert "hidden words" not in told


def test_the_same_look_twice_is_made_once(harbour: Vault) -> None:
    look = {"do": "grep", "pattern": "Ines"}
    _, model = sought(harbour, step([look]), step([look]), step())
    assert seen(model.asked[2]).endswith("this was looked at before")


@pytest.mark.parametrize(
    ("bounds", "clock", "stopped"),
    [(Bounds(steps=3), 0.0, "3 steps"), (Bounds(characters=10), 0.0, "kB"), (Bounds(seconds=-1), 0.0, "s was reached")],
)
def test_limits_end_the_looking_and_what_was_found_stays(harbour: Vault, bounds: Bounds, clock: float, stopped: str) -> None:
    jun = path_of(harbour, "jun")
    number = iter(range(100))

    class Endless(Scripted):
        def ask(self, question: Question) -> Reply:
            self.asked.append(question)
            return Reply(step([{"do": "search", "pattern": f"pump {next(number)}"}], [span(jun, 1, "Ines looks after")]))

    model = Endless()
    found = recall_thoroughly(open_at(harbour.root), QUESTION, model=model, bounds=bounds)
    assert len(model.asked) <= 3
    assert [one.words for one in found.spans] == ["Ines looks after"]
    assert stopped in str(found.problems[-1])


@pytest.mark.parametrize(
    "failure",
    [ModelFailed("scripted", "it is asleep"), OSError(5, "the disk is gone", "sources/x"), "no reply", {"looks": 4, "spans": []}],
)
def test_whatever_fails_the_quick_answer_is_given_and_says_so(harbour: Vault, failure: Any) -> None:
    found, _ = sought(harbour, step([{"do": "grep", "pattern": "Ines"}]), failure)
    quick = harbour.recall(QUESTION)
    assert found.text == quick.bundle.text != ""
    assert found.spans == ()
    assert [problem.rule for problem in found.problems] == ["quick-instead"]


def test_where_looking_finds_nothing_the_quick_answer_is_given(harbour: Vault) -> None:
    found, _ = sought(harbour, step())
    assert found.text == harbour.recall(QUESTION).bundle.text
    assert "found nothing more" in str(found.problems[-1])


def test_a_false_premise_is_told_with_the_words_that_say_so(harbour: Vault) -> None:
    jun = path_of(harbour, "jun")
    found, _ = sought(
        harbour, step(spans=[span(jun, 1, "Ines looks after")], premise="false"), question="Why does Olaf mend the pump?"
    )
    assert "What the question takes for granted is not so" in found.text


@pytest.mark.parametrize("budget", [150, 400, 2000])
def test_all_that_is_rendered_keeps_to_the_budget(harbour: Vault, budget: int) -> None:
    paths = [path_of(harbour, name) for name in ("jan", "feb", "jun")]
    spans = [span(path, 1, "the") for path in paths] + [span(paths[1], 1, "pump"), span(paths[2], 1, "Ines")]
    found, _ = sought(harbour, step(spans=spans), budget=budget)
    assert bundles.tokens(found.text) <= budget


def test_under_strict_isolation_the_model_sees_nothing_of_another_scope(harbour: Vault) -> None:
    (harbour.root / "wikimem.local.toml").write_text('[vault]\nisolation = "strict"\n')
    dock = path_of(harbour, "dock")
    looks = [{"do": "grep", "pattern": "Olaf|cranes"}, {"do": "search", "pattern": "cranes Olaf"}, {"do": "read", "path": dock}]
    found, model = sought(
        harbour,
        step([*looks, {"do": "list", "path": "sources/2026/02"}]),
        step(spans=[span(dock, 1, "Olaf")]),
        scope="project:harbour",
    )
    assert "Olaf" not in "".join(
        question.prompt().partition("<wikimem-data")[2].replace("Olaf|cranes", "") for question in model.asked[:1]
    )
    assert "by Olaf" not in seen(model.asked[1])
    assert Path(dock).stem not in seen(model.asked[1]).replace(f"{dock} cannot be read", "")
    assert found.spans == ()
    assert "Olaf" not in found.text


def test_under_a_date_only_what_had_been_said_by_then_is_seen(harbour: Vault) -> None:
    jun = path_of(harbour, "jun")
    found, model = sought(
        harbour, step([{"do": "grep", "pattern": "Ines|pump"}]), step(spans=[span(jun, 1, "Ines")]), known="2026-03"
    )
    assert "Ines" not in seen(model.asked[1])
    assert "leaks again" in seen(model.asked[1])
    assert found.spans == ()


def test_by_rule_a_file_that_an_answer_names_leads_to_the_next(harbour: Vault) -> None:
    found = harbour.recall_thoroughly(QUESTION, model="rules")
    assert f"{Path(path_of(harbour, 'jun')).stem}:L1" in {one.cite for one in found.spans}
    assert f"{Path(path_of(harbour, 'jun')).stem}:L1" not in {
        entry["cite"] for entry in harbour.recall(QUESTION).as_json()["entries"]
    }
    assert found.text == harbour.recall_thoroughly(QUESTION, model="rules").text


def test_recorded_replies_answer_without_anybody(harbour: Vault, tmp_path: Path) -> None:
    jun = path_of(harbour, "jun")
    script = [step([{"do": "grep", "pattern": "todo_west"}]), step(spans=[span(jun, 1, "Ines looks after")])]
    _, model = sought(harbour, *script)
    for question, reply in zip(model.asked, script, strict=True):
        record(tmp_path / "replies", question, Reply(reply, 3, 2))
    found = harbour.recall_thoroughly(QUESTION, model=f"recorded:{tmp_path / 'replies'}")
    assert [one.words for one in found.spans] == ["Ines looks after"]
    other = harbour.recall_thoroughly("Which port serves the tide tables?", model=f"recorded:{tmp_path / 'replies'}")
    assert "no reply is recorded" in str(other.problems[-1])
    assert other.text


def test_a_packet_waits_and_meanwhile_the_quick_answer_is_given(harbour: Vault) -> None:
    jun = path_of(harbour, "jun")
    first = harbour.recall_thoroughly(QUESTION, model="handoff")
    waiting = harbour.next().packet
    assert waiting is not None
    assert waiting.task == "seek"
    assert waiting.id in str(first.problems[-1])
    assert first.text == harbour.recall(QUESTION).bundle.text
    harbour.submit(waiting.id, json.dumps(step(spans=[span(jun, 1, "Ines looks after")])))
    assert [one.words for one in harbour.recall_thoroughly(QUESTION, model="handoff").spans] == ["Ines looks after"]


def test_it_is_an_effort_of_the_command_recall(harbour: Vault) -> None:
    run = CliRunner()
    plain = run.invoke(main, ["--vault", str(harbour.root), "recall", "--effort", "thorough", QUESTION])
    assert plain.exit_code == 0
    assert "Ines looks after" in plain.output
    told = json.loads(
        run.invoke(main, ["--vault", str(harbour.root), "recall", "--effort", "thorough", "--json", QUESTION]).output
    )
    assert (told["effort"], told["question"]) == ("thorough", QUESTION)
    assert told["looks"]
    wrong = run.invoke(main, ["--vault", str(harbour.root), "recall", "--effort", "thorough", "--model", "nobody", QUESTION])
    assert wrong.exit_code == 2
    assert "no model" in wrong.output


def test_a_long_turn_stands_on_a_card_as_the_part_that_matched_and_rules_see_all_of_it(harbour: Vault, tmp_path: Path) -> None:
    words = f"{'Nothing of note. ' * 60}The winch of berth 9 squeaks. {'Nothing else. ' * 60}"
    put(tmp_path / "long.jsonl", session("long", "2026-07-01", "/home/sam/harbour", words, "Noted."))
    harbour.ingest([tmp_path / "long.jsonl"])
    _, model = sought(harbour, step(), question="What does the winch of berth 9 do?")
    told = model.asked[0].values
    assert isinstance(told, Inquiry)
    assert told.cards[0].line.text.strip() == words.strip()
    shown = model.asked[0].prompt()
    assert "winch of berth 9 squeaks" in shown
    assert shown.count("Nothing of note.") < 20
