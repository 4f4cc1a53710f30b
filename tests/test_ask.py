"""Ask: answers whose citations stand, or none; filed back they are inferences that prove nothing and may grow stale."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from conftest import NOW
from dictated import Dictated, git
from edges.models.server import Server
from remembering import put, session
from test_thorough import Scripted
from wikimem.core.solutions import Asked, Verdict
from wikimem.errors import SecretLeft, UsageError
from wikimem.faces.api import Vault
from wikimem.faces.cli import main
from wikimem.show import Shown

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
QUESTION = "Which port do the tide tables use?"
PORT = "topic | tide tables | port | The port of the tide tables is {}."


def tell(vault: Vault, name: str, day: str, *words: str, cwd: str = "/home/sam/harbour") -> None:
    """A session that is captured and compiled as it dictates."""
    put(vault.root.parent / "logs" / f"{name}.jsonl", session(name, day, cwd, *words))
    vault.ingest([vault.root.parent / "logs" / f"{name}.jsonl"])
    vault.compile(model=Dictated())


@pytest.fixture
def harbour(vault: Vault) -> Vault:
    tell(vault, "jan", "2026-01-10", PORT.format(8090), "Noted.", "And the gate is painted green by Olaf.")
    return vault


def reply(*citations: tuple[int, str], verdict: str = "answered", answer: str = "Port 8090.") -> dict[str, Any]:
    cited = [{"spot": spot, "quote": quote} for spot, quote in citations]
    return {"verdict": verdict, "answer": answer, "short": "8090", "citations": cited}


def source(vault: Vault, name: str) -> str:
    return next(each.stem for each in (vault.root / "sources").rglob("*.yaml") if f"session: {name}" in each.read_text())


def test_by_rule_an_answer_quotes_what_was_said_and_cites_it(harbour: Vault) -> None:
    found = harbour.ask(QUESTION)
    assert found.solution.verdict is Verdict.ANSWERED
    assert "8090" in found.solution.text
    assert found.solution.citations[0].spot.cite == f"{source(harbour, 'jan')}:L1"
    assert (found.code, found.model) == (0, "rules")
    told = found.as_json()
    assert told["citations"][0]["quote"] in PORT.format(8090)
    assert told["citations"][0]["stance"] == "fact"


@pytest.mark.parametrize("question", ["How are neutrons counted in a scintillator?", "Who composed the opera?"])
def test_what_memory_does_not_hold_is_not_answered(harbour: Vault, question: str) -> None:
    found = harbour.ask(question)
    assert (found.solution.verdict, found.solution.text, found.solution.citations) == (Verdict.ABSENT, "", ())
    assert found.code == 1


def test_a_question_that_takes_an_old_value_for_granted_is_told_what_holds(harbour: Vault) -> None:
    tell(harbour, "jun", "2026-06-02", PORT.format(9300), "Noted.")
    found = harbour.ask("Is the port of the tide tables 8090?")
    assert found.solution.verdict is Verdict.OTHERWISE
    assert "9300" in found.solution.text
    assert found.code == 0
    past = harbour.ask("Which port did the tide tables use?", at="2026-02")
    assert "8090" in past.solution.text
    assert past.solution.verdict is Verdict.ANSWERED


def test_a_model_answers_from_numbered_spots_and_what_it_makes_up_is_dropped(harbour: Vault) -> None:
    model = Scripted(reply((1, "port of the tide tables is 8090"), (1, "since the flood")))
    found = harbour.ask(QUESTION, model=model)
    asked = model.asked[0].values
    assert isinstance(asked, Asked)
    assert asked.spots[0].number == 1
    assert found.solution.text == "Port 8090."
    assert len(found.solution.citations) == 1
    assert [problem.rule for problem in found.problems] == ["citation"]
    assert "since the flood" in str(found.problems[0])


@pytest.mark.parametrize("told", [reply(), reply((1, "the port is a secret")), reply((9, "8090"))])
def test_an_answer_without_a_citation_that_stands_is_not_given(harbour: Vault, told: dict[str, Any]) -> None:
    found = harbour.ask(QUESTION, model=Scripted(told))
    assert (found.solution.verdict, found.solution.text) == (Verdict.ABSENT, "")
    assert found.code == 1


def test_without_evidence_no_model_is_asked(harbour: Vault) -> None:
    model = Scripted(reply((1, "8090")))
    assert harbour.ask("How are neutrons counted in a scintillator?", model=model).code == 1
    assert model.asked == []


def test_a_thorough_answer_may_cite_what_only_looking_found(harbour: Vault) -> None:
    path = next(str(p.relative_to(harbour.root)) for p in (harbour.root / "sources").rglob("*.jsonl"))
    span = {"path": path, "first": 3, "last": 3, "quote": "painted green by Olaf"}
    model = Scripted({"looks": [], "spans": [span]}, reply((1, "painted green"), answer="Olaf painted it green."))
    found = harbour.ask("Which colour has the tide gate?", model=model, effort="thorough")
    assert found.solution.citations[0].spot.cite.endswith(":L3")
    assert found.solution.text == "Olaf painted it green."


def test_under_strict_isolation_another_scope_is_neither_evidence_nor_answer(harbour: Vault) -> None:
    tell(
        harbour,
        "dock",
        "2026-02-02",
        "topic | crane tables | port | The port of the crane tables is 7070.",
        "Noted.",
        cwd="/home/sam/dock",
    )
    (harbour.root / "wikimem.local.toml").write_text('[vault]\nisolation = "strict"\n')
    opened = Vault.open(harbour.root, clock=lambda: NOW)
    model = Scripted(reply((1, "8090")))
    assert "7070" not in str(opened.ask("Which port do the crane tables use?", scope="project:harbour").as_json())
    opened.ask("Which port do the crane tables use?", scope="project:harbour", model=model)
    assert all("7070" not in question.prompt() for question in model.asked)
    assert "7070" in opened.ask("Which port do the crane tables use?", scope="project:dock").solution.text


def test_an_empty_question_and_a_date_that_is_none_are_sentences(harbour: Vault) -> None:
    with pytest.raises(UsageError, match="Nothing was asked"):
        harbour.ask("  ")
    with pytest.raises(UsageError, match="no date"):
        harbour.ask(QUESTION, at="yesterday")


def test_a_packet_waits_and_its_reply_becomes_the_answer(harbour: Vault) -> None:
    first = harbour.ask(QUESTION, model="handoff")
    waiting = harbour.next().packet
    assert waiting is not None
    assert (first.waiting, first.code, waiting.task) == (waiting.id, 3, "answer")
    assert harbour.ask(QUESTION, model="handoff").waiting == waiting.id
    refused = harbour.submit(waiting.id, json.dumps({"verdict": "sure"}))
    assert not refused.taken
    harbour.submit(waiting.id, json.dumps(reply((1, "8090"))))
    assert harbour.ask(QUESTION, model="handoff").solution.text == "Port 8090."


def test_a_packet_of_a_question_that_nobody_asks_again_grows_stale(harbour: Vault) -> None:
    harbour.ask(QUESTION, model="handoff")
    assert harbour.next().waiting == 1
    later = Vault.open(harbour.root, clock=lambda: NOW.replace(day=20))
    assert later.next().waiting == 0


def test_a_compile_by_packets_leaves_the_packet_of_a_question_alone(harbour: Vault) -> None:
    waiting = harbour.ask(QUESTION, model="handoff").waiting
    put(harbour.root.parent / "logs" / "feb.jsonl", session("feb", "2026-02-10", "/home/sam/harbour", "Berth 4 is free.", "Ok."))
    harbour.ingest([harbour.root.parent / "logs" / "feb.jsonl"])
    harbour.compile(model="handoff")
    assert waiting in {packet.id for skip in range(2) if (packet := harbour.next(skip).packet)}


def test_a_real_client_asks_a_server_and_pays_once(harbour: Vault) -> None:
    with Server(lambda prompt: reply((1, "8090")), accepts=("json_schema",)) as server:
        lines = ["[compile]", f'api_base = "{server.base}"', "price_in = 1.0", "price_out = 4.0", "seconds = 20"]
        (harbour.root / "wikimem.local.toml").write_text("\n".join(lines) + "\n")
        opened = Vault.open(harbour.root, clock=lambda: NOW)
        assert opened.ask(QUESTION, model="openai/scripted").solution.text == "Port 8090."
        assert opened.ask(QUESTION, model="openai/scripted").solution.text == "Port 8090."
        assert len(server.requests) == 1


def saved(vault: Vault, *citations: tuple[int, str], answer: str = "The tide tables use port 8090.") -> Any:
    return vault.ask(QUESTION, model=Scripted(reply(*citations or ((1, "8090"),), answer=answer)), save=True)


def test_a_saved_answer_is_an_inference_on_a_page_of_its_own_in_one_commit_to_review(harbour: Vault) -> None:
    before = git(harbour.root, "rev-parse", "HEAD").strip()
    found = saved(harbour)
    assert found.kept is not None
    page = (harbour.root / found.kept.page).read_text()
    assert found.kept.page == "wiki/syntheses/which-port-do-the-tide-tables-use.md"
    assert "## Inferences" in page
    assert "the memory gave: The tide tables use port 8090." in page
    assert "inference · assistant" in page
    assert "## Facts" not in page
    changed = git(harbour.root, "diff", "--name-only", before, "HEAD").split()
    assert git(harbour.root, "rev-list", "--count", f"{before}..HEAD").strip() == "2"
    reviewed = git(harbour.root, "show", "--name-only", "--format=", found.kept.commit).split()
    assert all(path.startswith("wiki/") for path in reviewed)
    assert {path for path in changed if path.startswith("sources/")} == {
        f"sources/2026/07/{found.kept.source}{suffix}" for suffix in (".jsonl", ".yaml")
    }
    assert harbour.verify().problems == ()
    assert git(harbour.root, "status", "--porcelain").strip() == ""


def test_a_saved_answer_is_a_source_like_others_and_survives_a_recompile(harbour: Vault) -> None:
    page = saved(harbour).kept.page
    before = (harbour.root / page).read_bytes()
    assert harbour.recompile(check=True, model=Dictated()).code == 0
    harbour.recompile(model=Dictated())
    assert (harbour.root / page).read_bytes() == before
    assert harbour.status().pending == 0


def test_a_saved_answer_proves_nothing_for_the_next_one(harbour: Vault) -> None:
    source = saved(harbour, answer="The tide tables use port 8090, and Olaf likes herrings.").kept.source
    model = Scripted(reply((1, "8090")))
    harbour.ask(QUESTION, model=model)
    harbour.ask("Does Olaf like herrings?", model=model)
    for question in model.asked:
        assert isinstance(question.values, Asked)
        assert not any(source in spot.cite or "herrings" in spot.text for spot in question.values.spots)
    assert "herrings" not in harbour.ask("Does Olaf like herrings?").solution.text


def test_a_saved_answer_ends_no_fact_and_is_no_evidence_for_one(harbour: Vault) -> None:
    before = {path: path.read_text() for path in (harbour.root / "wiki").rglob("*.md") if "sessions" not in path.parts}
    source = saved(harbour, answer="The port of the tide tables is 1234.").kept.source
    facts = {path: text for path, text in before.items() if path.name != "index.md"}
    assert facts
    for path, text in facts.items():
        assert path.read_text() == text
        assert source not in text


def test_the_same_answer_saved_twice_is_kept_once(harbour: Vault) -> None:
    first = saved(harbour).kept
    head = git(harbour.root, "rev-parse", "HEAD")
    second = saved(harbour).kept
    assert second.source == first.source
    assert second.commit == ""
    assert git(harbour.root, "rev-parse", "HEAD") == head


def test_a_saved_answer_grows_stale_when_a_claim_it_rests_on_ends(harbour: Vault) -> None:
    kept = saved(harbour).kept
    assert harbour.ask(QUESTION).earlier[0].stale == ()
    assert not [one for one in harbour.lint().problems if one.rule == "stale-answer"]
    tell(harbour, "jun", "2026-06-02", PORT.format(9300), "Noted.")
    (problem,) = [one for one in harbour.lint().problems if one.rule == "stale-answer"]
    assert kept.source in problem.where
    assert "has ended" in problem.message
    assert harbour.ask(QUESTION).earlier[0].stale
    output = CliRunner().invoke(main, ["--vault", str(harbour.root), "ask", QUESTION]).output
    assert "stale: " in output
    assert "9300" in output


def test_a_saved_answer_grows_stale_when_its_claim_is_rejected(harbour: Vault) -> None:
    saved(harbour)
    claim = next(one.claim for one in harbour.ask(QUESTION).earlier[0].answer.rests if one.claim)
    harbour.reject(claim)
    assert "not claimed any more" in harbour.ask(QUESTION).earlier[0].stale[0]


def test_without_an_answer_nothing_is_saved(harbour: Vault) -> None:
    head = git(harbour.root, "rev-parse", "HEAD")
    found = harbour.ask("How are neutrons counted in a scintillator?", save=True)
    assert found.kept is None
    assert "no answer to file" in str(found.problems[-1])
    assert git(harbour.root, "rev-parse", "HEAD") == head


def test_an_answer_that_holds_a_secret_is_not_saved(harbour: Vault) -> None:
    head = git(harbour.root, "rev-parse", "HEAD")
    with pytest.raises(SecretLeft):
        saved(harbour, answer="The token is ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8.")
    assert git(harbour.root, "rev-parse", "HEAD") == head
    assert git(harbour.root, "status", "--porcelain").strip() == ""


def test_an_answer_that_the_gate_refuses_is_kept_and_says_why(harbour: Vault) -> None:
    found = saved(harbour, answer="It was changed yesterday, see port 8090.")
    assert found.kept.page == ""
    assert "date" in str(found.problems[-1])


def test_a_saved_answer_reads_on_a_page_and_can_be_opened_by_its_citation(harbour: Vault) -> None:
    kept = saved(harbour).kept
    shown = harbour.show("Which port do the tide tables use")
    assert isinstance(shown, Shown)
    assert shown.path == kept.page
    assert "port 8090" in str(harbour.show(f"{kept.source}:L1").as_json())


@pytest.mark.parametrize(
    ("told", "words", "code"),
    [
        (QUESTION, "8090", 0),
        ("How are neutrons counted in a scintillator?", "Not in memory.", 1),
    ],
)
def test_the_command_prints_an_answer_with_its_citations(harbour: Vault, told: str, words: str, code: int) -> None:
    result = CliRunner().invoke(main, ["--vault", str(harbour.root), "ask", told])
    assert result.exit_code == code
    assert words in result.output
    asked = CliRunner().invoke(main, ["--vault", str(harbour.root), "ask", "--json", told])
    assert json.loads(asked.output)["question"] == told
    if not code:
        assert f"[1] {source(harbour, 'jan')}:L1 (fact, human, 2026-01-10): “" in result.output


def test_the_command_says_which_packet_waits_and_files_on_request(harbour: Vault) -> None:
    waiting = CliRunner().invoke(main, ["--vault", str(harbour.root), "ask", "--model", "handoff", QUESTION])
    assert waiting.exit_code == 3
    assert "wikimem next" in waiting.output
    filed = CliRunner().invoke(main, ["--vault", str(harbour.root), "ask", "--save", QUESTION])
    assert "Filed as " in filed.output
    assert "wiki/syntheses/which-port-do-the-tide-tables-use.md" in filed.output


def test_a_recall_shows_a_saved_answer_behind_the_evidence_and_no_more_when_it_is_stale(harbour: Vault) -> None:
    source = saved(harbour).kept.source
    shown = harbour.recall(QUESTION).bundle.text
    assert 0 < shown.index("> topic | tide tables | port") < shown.index("the memory gave")
    tell(harbour, "jun", "2026-06-02", PORT.format(9300), "Noted.")
    later = harbour.recall(QUESTION)
    assert "the memory gave" not in later.bundle.text
    assert "9300" in later.bundle.text
    (problem,) = later.problems
    assert (problem.where, problem.rule) == (source, "stale-answer")
    assert "has ended" in problem.message


def test_a_saved_answer_is_forgotten_with_what_it_rests_on(harbour: Vault) -> None:
    kept = saved(harbour, answer="The tide tables use port 8090, as Olaf said.").kept
    report = harbour.forget(source(harbour, "jan"))
    assert kept.source in report.sources
    harbour.forget(source(harbour, "jan"), yes=True)
    left = [path for path in (harbour.root / "wiki").rglob("*") if path.is_file() and b"8090" in path.read_bytes()]
    left += [path for path in (harbour.root / "sources").rglob("*") if path.is_file() and b"8090" in path.read_bytes()]
    assert left == []
    assert harbour.ask(QUESTION).earlier == ()


def test_a_saved_answer_that_rests_on_something_else_is_not_forgotten(harbour: Vault) -> None:
    kept = saved(harbour).kept
    tell(harbour, "feb", "2026-02-10", "topic | berth 4 | | Berth 4 is kept free for the pilot boat.", "Noted.")
    harbour.forget(source(harbour, "feb"), yes=True)
    assert harbour.ask(QUESTION).earlier[0].source == kept.source
    assert (harbour.root / kept.page).is_file()
