"""The real Claude Code and Codex, offline, against a stub model: installed, captured, compiled, recalled, and no echo.

They run where `WIKIMEM_AGENTS` names a folder that npm filled with both packages; `make test-agents` does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from stub import Stub, stub

from wikimem import background, memory
from wikimem.faces.api import Vault
from wikimem.install import install
from wikimem.vault import open_at

RULE = "No, we never deploy on Fridays. Always use the blue lane for the checkout service."
ASKED = "Which lane do we use to deploy the checkout service?"
_CHECKOUT = Path(__file__).resolve().parents[2]
_BIN = Path(os.environ.get("WIKIMEM_AGENTS", "")) / "node_modules" / ".bin"


def program(name: str) -> str:
    found = _BIN / name
    if os.environ.get("WIKIMEM_AGENTS") and found.exists():
        return str(found)
    if os.environ.get("WIKIMEM_AGENTS"):
        pytest.fail(f"{found} is not there")
    pytest.skip("WIKIMEM_AGENTS names no folder with the agents: make test-agents installs them")


@pytest.fixture
def model() -> Iterator[Stub]:
    def say(asked: dict[str, Any]) -> str:
        # It repeats what it was told, as models do: that must not become evidence.
        return "You use the blue lane for the checkout service." if ASKED in json.dumps(asked) else "Understood, noted."

    with stub(say) as told:
        yield told


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def environment(vault: Vault, model: Stub) -> dict[str, str]:
    return {
        **{name: os.environ[name] for name in ("PATH", "HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL")},
        "PYTHONPATH": os.pathsep.join(sys.path),
        "NO_PROXY": "127.0.0.1",
        "WIKIMEM_HOOK_SECONDS": "30",
        "ANTHROPIC_BASE_URL": model.url,
        "ANTHROPIC_API_KEY": "stub",
        "STUB_KEY": "stub",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }


def claude(vault: Vault, model: Stub, project: Path, prompt: str) -> None:
    command = [program("claude"), "-p", prompt, "--output-format", "json"]
    done = subprocess.run(
        command, cwd=project, env=environment(vault, model), stdin=subprocess.DEVNULL, capture_output=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr


def codex(vault: Vault, model: Stub, project: Path, prompt: str) -> None:
    command = [program("codex"), "exec", "--dangerously-bypass-hook-trust", "--skip-git-repo-check", prompt]
    done = subprocess.run(
        command, cwd=project, env=environment(vault, model), stdin=subprocess.DEVNULL, capture_output=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr


def configured(model: Stub) -> None:
    config = Path(os.environ["HOME"]) / ".codex" / "config.toml"
    config.parent.mkdir()
    config.write_text(
        f'model = "stub"\nmodel_provider = "stub"\n\n[model_providers.stub]\nname = "stub"\nbase_url = "{model.url}/v1"\n'
        'env_key = "STUB_KEY"\nwire_api = "responses"\n'
    )


def settled(vault: Vault, sources: int) -> None:
    """Wait for the processes that the hooks started, then do what a later hour would do."""
    began = open_at(vault.root).clock()
    until = time.monotonic() + 60
    while time.monotonic() < until and not (vault.root / ".wikimem" / "background.due").exists():
        time.sleep(0.1)
    while time.monotonic() < until and len(open_at(vault.root).ledger.all()) < sources:
        background.work(open_at(vault.root, lambda: began + timedelta(hours=5 * sources)))
        time.sleep(0.2)
    from filelock import FileLock

    with FileLock(vault.root / ".wikimem" / "background.lock", timeout=30):
        return


def evidence(vault: Vault) -> list[tuple[str, str]]:
    opened = open_at(vault.root)
    wiki = memory.load(vault.root, opened.ledger, opened.settings.vocabulary).wiki
    claims = [claim for subject in wiki.subjects.values() for claim in subject.claims]
    return sorted((claim.text, one.source) for claim in claims for one in claim.evidence)


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_a_session_is_remembered_in_the_next_and_that_one_is_no_evidence(
    agent: str, vault: Vault, model: Stub, project: Path
) -> None:
    run = claude if agent == "claude-code" else codex
    program("claude" if agent == "claude-code" else "codex")
    if agent == "codex":
        configured(model)
    before = {path: path.read_bytes() for path in Path(os.environ["HOME"]).rglob("*") if path.is_file()}
    install(agent, open_at(vault.root), named=True)

    run(vault, model, project, RULE)
    settled(vault, 1)
    first = evidence(vault)
    assert any("blue lane" in text for text, _ in first)
    assert not any("wikimem-memory" in text for text in model.texts)

    run(vault, model, project, ASKED)
    heard = next(text for text in model.texts if ASKED in text)
    assert "<wikimem-memory>" in heard
    assert "blue lane" in heard
    settled(vault, 2)
    assert len(open_at(vault.root).ledger.all()) == 2
    assert evidence(vault) == first
    assert vault.verify().problems == ()

    install(agent, open_at(vault.root), named=True, uninstall=True)
    assert {path: path.read_bytes() for path in before} == before


def test_the_plugin_is_valid_and_can_be_installed(vault: Vault, model: Stub, project: Path) -> None:
    env = environment(vault, model)
    for command in (
        ["plugin", "validate", "--strict", str(_CHECKOUT)],
        ["plugin", "marketplace", "add", str(_CHECKOUT)],
        ["plugin", "install", "wikimem@wikimem"],
    ):
        done = subprocess.run([program("claude"), *command], cwd=project, env=env, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
    done = subprocess.run(
        [program("claude"), "plugin", "details", "wikimem@wikimem"],
        cwd=project,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "Skills (2)" in done.stdout
    assert "Hooks (5)" in done.stdout
