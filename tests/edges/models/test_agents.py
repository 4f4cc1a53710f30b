"""The user's own agent as a model: how it is called, what of its output is used, and what is said when it cannot."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from edges.models.asked import Ask
from wikimem.core import replies
from wikimem.core.extraction import SCHEMA
from wikimem.core.questions import Question
from wikimem.edges.models.agents import Agent
from wikimem.errors import ModelFailed, ModelPaused, TooLong

Install = Callable[[str, str], Path]

NOTE = """
import json, os, sys
prompt = sys.stdin.read()
note = {"arguments": sys.argv[1:], "prompt": prompt, "cwd": os.getcwd(), "files": os.listdir("."),
        "disabled": os.environ.get("WIKIMEM_DISABLE")}
open(os.environ["NOTE"], "a").write(json.dumps(note) + "\\n")
"""
CLAUDE = (
    NOTE
    + """
print(json.dumps({"type": "result", "subtype": "success", "is_error": False, "result": "Done.",
    "structured_output": {"claims": []}, "total_cost_usd": 0.0125, "session_id": "s",
    "usage": {"input_tokens": 10, "cache_creation_input_tokens": 3000, "cache_read_input_tokens": 400, "output_tokens": 12}}))
"""
)
CODEX = (
    NOTE
    + """
told = sys.argv[1:]
schema = json.load(open(told[told.index("--output-schema") + 1]))
open(os.environ["NOTE"], "a").write(json.dumps({"schema": schema}) + "\\n")
open(told[told.index("--output-last-message") + 1], "w").write('{"episode": null, "claims": []}')
print(json.dumps({"type": "thread.started", "thread_id": "t"}))
print(json.dumps({"type": "turn.completed", "usage": {"input_tokens": 4000, "cached_input_tokens": 3400, "output_tokens": 20}}))
"""
)


@pytest.fixture
def note(tmp_path: Path) -> Path:
    """Where a program of `install` notes how it was called."""
    return tmp_path / "note.jsonl"


@pytest.fixture
def install(tmp_path: Path, note: Path) -> Install:
    """Puts a program on the PATH, which has no other."""

    def make(name: str, code: str) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        path = folder / name
        path.write_text(f"#!{sys.executable}\n{code}")
        path.chmod(0o755)
        return path

    (tmp_path / "bin").mkdir()
    os.environ |= {"PATH": str(tmp_path / "bin"), "NOTE": str(note)}
    return make


def notes(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_claude_code_is_asked_without_tools_or_trace(asker: Ask, install: Install, note: Path, question: Question) -> None:
    install("claude", CLAUDE)
    model = asker(Agent("claude-code:sonnet", 20))
    reply = model.ask(question)
    assert (reply.content, reply.read, reply.wrote) == ({"claims": []}, 3410, 12)
    assert (model.spent.cached, model.spent.micros, model.name) == (400, 12_500, "claude-code:sonnet")
    (called,) = notes(note)
    told = called["arguments"]
    assert isinstance(told, list)
    assert told[:4] == ["-p", "--output-format", "json", "--json-schema"]
    assert json.loads(told[4]) == replies.sent(SCHEMA)
    assert told[5:] == ["--safe-mode", "--tools", "", "--strict-mcp-config", "--no-session-persistence", "--model", "sonnet"]
    assert (called["disabled"], called["files"]) == ("1", [])
    assert str(called["prompt"]).startswith("<wikimem-task")
    assert not Path(str(called["cwd"])).exists()


def test_codex_is_asked_without_writing_or_trace(asker: Ask, install: Install, note: Path, question: Question) -> None:
    install("codex", CODEX)
    model = asker(Agent("codex", 20))
    reply = model.ask(question)
    assert (reply.content, reply.read, reply.wrote, model.spent.cached) == ({"claims": []}, 4000, 20, 3400)
    called, schema = notes(note)
    told = called["arguments"]
    assert isinstance(told, list)
    assert told[:6] == ["exec", "--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only", "--json"]
    assert told[-1] == "-"
    assert called["disabled"] == "1"
    assert str(called["prompt"]).startswith("<wikimem-task")
    assert schema["schema"] == replies.strict(SCHEMA)
    assert not Path(str(called["cwd"])).exists()


@pytest.mark.parametrize(("name", "program"), [("claude-code", "claude"), ("codex", "codex")])
def test_a_missing_program_is_named(asker: Ask, install: Install, question: Question, name: str, program: str) -> None:
    with pytest.raises(ModelPaused, match=f"`{program}`, which is not on the PATH"):
        asker(Agent(name, 20)).ask(question)


def failing(words: str) -> str:
    told = {"type": "result", "subtype": "error", "is_error": True, "result": words}
    return f"import json, sys\nsys.stdin.read()\nprint(json.dumps({told!r}))\nsys.exit(1)"


@pytest.mark.parametrize(
    ("words", "error", "said"),
    [
        ("Invalid API key · Please run /login", ModelPaused, "not logged in.*run `claude` and then /login"),
        ("You've hit your limit, resets 12pm (Europe/London)", ModelPaused, "no room left.*resets 12pm"),
        ("Prompt is too long", TooLong, "longer than it reads"),
        ("The moon is in the wrong house", ModelFailed, "wrong house"),
        ("API Error: 529 overloaded", ModelFailed, "529"),
    ],
)
def test_what_an_agent_says_of_itself_is_understood(
    asker: Ask, install: Install, question: Question, words: str, error: type[Exception], said: str
) -> None:
    install("claude", failing(words))
    with pytest.raises(error, match=said):
        asker(Agent("claude-code", 20)).ask(question)


def test_an_agent_that_is_not_logged_in_is_asked_once(asker: Ask, install: Install, note: Path, question: Question) -> None:
    install("claude", NOTE + failing("Please run /login"))
    model = asker(Agent("claude-code", 20))
    for _ in range(3):
        with pytest.raises(ModelPaused):
            model.ask(question)
    assert len(notes(note)) == 1


def test_an_older_agent_that_lacks_an_option_is_named(asker: Ask, install: Install, question: Question) -> None:
    install("claude", "import sys\nsys.exit(\"error: unknown option '--safe-mode'\")")
    with pytest.raises(ModelPaused, match=r"too old.*--safe-mode"):
        asker(Agent("claude-code", 20)).ask(question)


def test_codex_that_is_not_logged_in_says_how(asker: Ask, install: Install, question: Question) -> None:
    event = {"type": "turn.failed", "error": {"message": "401 Unauthorized: not logged in"}}
    install("codex", f"import json, sys\nsys.stdin.read()\nprint(json.dumps({event!r}))\nsys.exit(1)")
    with pytest.raises(ModelPaused, match="codex login"):
        asker(Agent("codex", 20)).ask(question)


def test_an_agent_that_takes_too_long_is_asked_again(
    asker: Ask, install: Install, question: Question, slept: list[float]
) -> None:
    install("claude", "import sys, time\nsys.stdin.read()\ntime.sleep(30)")
    with pytest.raises(ModelFailed, match=r"within 0\.2 s"):
        asker(Agent("claude-code", 0.2)).ask(question)
    assert len(slept) == 4


def test_prose_of_an_agent_is_repaired_like_any_other(asker: Ask, install: Install, question: Question) -> None:
    code = CLAUDE.replace('"structured_output": {"claims": []}, ', "").replace(
        '"result": "Done."', '"result": "Sorry." if "wikimem-reply" not in prompt else "```json\\n{\\"claims\\": []}\\n```"'
    )
    install("claude", code)
    assert asker(Agent("claude-code", 20)).ask(question).read == 2 * 3410
