"""The face of hooks, as an agent runs it: a process with JSON on its input, an answer or nothing, and never an error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dictated import joined, records, session, tell
from wikimem import background
from wikimem.edges import spool
from wikimem.faces import hooks
from wikimem.faces.api import Vault
from wikimem.vault import open_at

CWD = "/home/sam/harbour"
RULE = "No, we always deploy the ferry service from the blue lane, never from the green one."


def run(agent: str, event: str, told: object, vault: Vault | None = None, **environ: str) -> subprocess.CompletedProcess[bytes]:
    command = hooks.command(agent, event, str(vault.root) if vault else "")
    data = told if isinstance(told, bytes) else json.dumps(told).encode()
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "WIKIMEM_HOOK_SECONDS": "50", **environ}
    return subprocess.run(command, input=data, capture_output=True, env=env, cwd=os.environ["HOME"], timeout=60, check=False)


@pytest.fixture
def told(vault: Vault) -> Vault:
    tell(vault, session("one", "2026-03-02", RULE, ("assistant", "Understood.")))
    vault.compile()
    background.work(open_at(vault.root))
    return vault


def quiet(vault: Vault) -> None:
    """Wait until nothing is at work in the background."""
    from filelock import FileLock

    with FileLock(vault.root / ".wikimem" / "background.lock", timeout=30):
        return


def test_start_and_prompt_answer_with_context(told: Vault) -> None:
    done = run("claude-code", "start", {"session_id": "two", "cwd": CWD, "source": "startup"}, told)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "blue lane" in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    done = run(
        "codex", "prompt", {"session_id": "two", "cwd": CWD, "prompt": "From which lane is the ferry service deployed?"}, told
    )
    answer = json.loads(done.stdout)["hookSpecificOutput"]
    assert answer["hookEventName"] == "UserPromptSubmit"
    assert "blue lane" in answer["additionalContext"]


def test_a_resumed_session_is_not_told_again(told: Vault) -> None:
    assert run("claude-code", "start", {"session_id": "two", "cwd": CWD, "source": "resume"}, told).stdout == b""


def test_a_turn_is_copied_and_an_end_is_captured_by_a_process_of_its_own(told: Vault, tmp_path: Path) -> None:
    path = Path(os.environ["HOME"]) / ".claude" / "projects" / "x" / "two.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(joined(records("two", "2026-03-03", "No, we never paint the hull in winter.", cwd=CWD)))
    event = {"session_id": "two", "cwd": CWD, "transcript_path": str(path)}
    assert run("claude-code", "turn", event, told).stdout == b""
    assert [each.session for each in spool.every(told.root)] == ["two"]
    assert run("claude-code", "end", event, told).stdout == b""
    until = time.monotonic() + 60
    while time.monotonic() < until and len(open_at(told.root).ledger.all()) < 2:
        time.sleep(0.2)
    quiet(told)
    assert {each.session for each in open_at(told.root).ledger.all().values()} == {"one", "two"}
    assert any("never paint" in page.read_text("utf-8") for page in (told.root / "wiki").rglob("*.md"))


@pytest.mark.parametrize("data", [b"", b"not json", b"[]", b'{"session_id": 3}', b"\xff\xfe"])
@pytest.mark.parametrize("event", ["start", "prompt", "turn", "end", "strange"])
def test_whatever_is_given_nothing_fails(vault: Vault, event: str, data: bytes) -> None:
    done = run("claude-code", event, data, vault)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    quiet(vault)


def test_without_a_vault_there_is_silence(tmp_path: Path) -> None:
    done = run("claude-code", "prompt", {"cwd": str(tmp_path), "prompt": "Which lane?"})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_it_can_be_switched_off(told: Vault) -> None:
    done = run("claude-code", "start", {"session_id": "two", "cwd": CWD}, told, WIKIMEM_DISABLE="1")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_what_failed_stands_in_the_log(vault: Vault) -> None:
    (vault.root / "wikimem.toml").write_text("[vault\n")
    done = run("claude-code", "start", {"cwd": CWD}, vault)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "BadSettings" in (vault.root / ".wikimem" / "hooks.log").read_text()


@pytest.mark.parametrize(
    ("event", "barred"), [("prompt", ("litellm", "mcp", "git", "click", "jinja2")), ("start", ("litellm", "mcp", "click"))]
)
def test_little_is_imported(told: Vault, event: str, barred: tuple[str, ...]) -> None:
    code = (
        "import sys; from wikimem.faces import hooks; hooks.main(sys.argv[1:]); "
        f"sys.stderr.write(' '.join(sorted({{name.split('.')[0] for name in sys.modules}} & {set(barred)!r})))"
    )
    command = [sys.executable, "-c", code, "claude-code", event, str(told.root)]
    data = json.dumps({"session_id": "two", "cwd": CWD, "prompt": "From which lane is the ferry service deployed?"}).encode()
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "WIKIMEM_HOOK_SECONDS": "50"}
    done = subprocess.run(command, input=data, capture_output=True, env=env, timeout=60, check=True)
    assert b"blue lane" in done.stdout
    assert done.stderr == b""
