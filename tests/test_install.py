"""Install: each agent gets what its documentation asks for, twice is once, and everything is as before after it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

import wikimem
from dictated import git, session, tell
from wikimem import doctor, lookup
from wikimem.edges import harnesses
from wikimem.errors import NoVault, UsageError
from wikimem.faces import installing
from wikimem.faces.api import Vault
from wikimem.faces.cli import main
from wikimem.install import install
from wikimem.vault import open_at


def home() -> Path:
    return Path(os.environ["HOME"])


def everything() -> dict[str, bytes]:
    own = home() / ".local" / "wikimem"
    return {str(path): path.read_bytes() for path in home().rglob("*") if path.is_file() and own not in path.parents}


@pytest.mark.parametrize("agent", harnesses.AGENTS)
def test_after_uninstalling_every_file_is_as_before(agent: str, vault: Vault) -> None:
    (home() / ".claude").mkdir()
    (home() / ".claude" / "settings.json").write_text('{"model":"x",\n "hooks": {"Stop": [{"hooks": []}]}}')
    (home() / ".codex").mkdir()
    (home() / ".codex" / "config.toml").write_text('model = "x"')
    (home() / "AGENTS.md").write_text("# Agents\n\nBe kind.\n")
    before = everything()
    opened = open_at(vault.root)
    first = install(agent, opened, project=home())
    assert {each.what for each in first.files} <= {"made", "changed"}
    assert everything() != before
    assert {each.what for each in install(agent, opened, project=home()).files} == {"unchanged"}
    install(agent, opened, project=home(), uninstall=True)
    assert everything() == before
    assert all(each.path.exists() for each in install(agent, opened, project=home(), uninstall=True).files)


def _started(cwd: Path) -> str:
    """What the installed hook prints when a session begins in a folder."""
    told = json.loads((home() / ".claude" / "settings.json").read_text())["hooks"]["SessionStart"][0]["hooks"][0]
    event = json.dumps({"cwd": str(cwd), "hook_event_name": "SessionStart", "session_id": "x"})
    done = subprocess.run([told["command"], *told["args"]], input=event, capture_output=True, text=True, cwd=cwd, timeout=60)
    return done.stdout


def test_sessions_in_any_folder_are_told_of_the_vault_that_was_installed_from(vault: Vault, tmp_path: Path) -> None:
    tell(vault, session("one", "2026-03-02", "We always deploy with Helm 3."))
    vault.compile()
    project = tmp_path / "harbour"
    project.mkdir()
    with pytest.raises(NoVault):
        lookup.find(None, project)
    (note,) = [told for told in install("claude-code", open_at(vault.root)).notes if "default" in told]
    assert str(vault.root) in note
    assert "Helm 3" in _started(project)
    assert lookup.find(None, project) == vault.root
    other = wikimem.create(tmp_path / "other").root
    install("claude-code", open_at(other))
    assert lookup.find(None, project) == vault.root
    config = lookup.user_config()
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(f'default = "{other}"\n')
    assert lookup.find(None, project) == other
    assert lookup.find(None, vault.root) == vault.root


def test_from_the_top_of_a_repository_its_own_vault_is_meant(tmp_path: Path) -> None:
    code = tmp_path / "code"
    (code / "src").mkdir(parents=True)
    git(code, "init", "-q")
    git(code, "commit", "-q", "--allow-empty", "-m", "first")
    vault = wikimem.create(code / "memory")
    assert lookup.find(None, code) == vault.root
    assert lookup.find(None, code / "src") == vault.root
    notes = install("claude-code", open_at(vault.root)).notes
    assert any("repository around" in told for told in notes)
    with pytest.raises(NoVault):
        lookup.find(None, tmp_path)


def test_the_doctor_says_where_no_vault_is_meant(vault: Vault) -> None:
    install("claude-code", open_at(vault.root))
    assert [each.state for each in doctor.examine(str(vault.root)).checkups if each.name == "default vault"] == ["ok"]
    lookup._chosen().unlink()
    assert [each.state for each in doctor.examine(str(vault.root)).checkups if each.name == "default vault"] == ["look"]
    install("claude-code", open_at(vault.root), uninstall=True)
    install("claude-code", open_at(vault.root), named=True)
    assert not [each for each in doctor.examine(str(vault.root)).checkups if each.name == "default vault"]


def test_claude_code_runs_its_hooks_without_a_shell_by_an_absolute_interpreter(vault: Vault) -> None:
    install("claude-code", open_at(vault.root), named=True)
    told = json.loads((home() / ".claude" / "settings.json").read_text())
    assert set(told["hooks"]) == {"SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"}
    hook = told["hooks"]["Stop"][0]["hooks"][0]
    assert Path(hook["command"]).is_absolute()
    assert hook["args"][-3:] == ["claude-code", "turn", str(vault.root)]
    assert json.loads((home() / ".claude.json").read_text())["mcpServers"]["wikimem"]["args"][-1] == str(vault.root)
    assert (home() / ".claude" / "skills" / "memory-recall" / "SKILL.md").read_text().startswith("---\nname: memory-recall")


@pytest.mark.parametrize("agent", ["claude-code", "codex", "cursor"])
def test_a_hook_is_silent_where_wikimem_is_gone(agent: str, vault: Vault, tmp_path: Path) -> None:
    parts = install(agent, open_at(vault.root), dry_run=True).shown
    told = next(json.loads(text) for path, text in parts.items() if path.endswith(("settings.json", "hooks.json")))
    name, entry = next(iter(told["hooks"].items()))
    hook = entry[0].get("hooks", entry)[0]
    command = [hook["command"], *hook["args"]] if "args" in hook else ["sh", "-c", hook["command"]]
    # An interpreter that has no packages at all.
    command = [part.replace(sys.executable, f"{sys.executable} -I -S") if agent != "claude-code" else part for part in command]
    if agent == "claude-code":
        command[1:1] = ["-I", "-S"]
    done = subprocess.run(command, input=b"{}", capture_output=True, cwd=tmp_path, check=False, timeout=60)
    assert (name, done.returncode, done.stdout, done.stderr) == (name, 0, b"", b"")


def test_codex_gets_a_block_that_is_toml(vault: Vault) -> None:
    (home() / ".codex").mkdir()
    (home() / ".codex" / "config.toml").write_text('model = "x"\n[mcp_servers.other]\ncommand = "y"\n')
    install("codex", open_at(vault.root))
    told = tomllib.loads((home() / ".codex" / "config.toml").read_text())
    assert set(told["mcp_servers"]) == {"other", "wikimem"}
    assert told["model"] == "x"


def test_opencode_reads_the_memory_file(vault: Vault) -> None:
    install("opencode", open_at(vault.root))
    told = json.loads((home() / ".config" / "opencode" / "opencode.json").read_text())
    assert told["instructions"] == [str(vault.root / ".wikimem" / "briefs" / "MEMORY.md")]
    assert told["mcp"]["wikimem"]["enabled"] is True


def test_agents_md_goes_into_the_file_that_the_project_has(vault: Vault, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "CLAUDE.md").write_text("Be kind.\n")
    install("agents-md", open_at(vault.root), project=project)
    assert "wikimem recall" in (project / "CLAUDE.md").read_text()
    assert not (project / "AGENTS.md").exists()


def test_claudes_own_memory_is_told_of(vault: Vault) -> None:
    assert not any("own memory" in note for note in install("claude-code", open_at(vault.root)).notes)
    memory = home() / ".claude" / "projects" / "x" / "memory" / "MEMORY.md"
    memory.parent.mkdir(parents=True)
    memory.write_text("- likes tabs\n")
    assert any("own memory" in note for note in install("claude-code", open_at(vault.root)).notes)


def test_settings_with_comments_are_left_and_said() -> None:
    (home() / ".claude").mkdir()
    (home() / ".claude" / "settings.json").write_text("// mine\n{}")
    done = CliRunner().invoke(main, ["install", "claude-code"])
    assert done.exit_code == 1
    assert "left" in done.output
    assert "wikimem install --print" in done.output
    assert (home() / ".claude" / "settings.json").read_text() == "// mine\n{}"


def test_print_writes_nothing() -> None:
    before = everything()
    done = CliRunner().invoke(main, ["install", "cursor", "--print"])
    assert done.exit_code == 0
    assert "sessionStart" in done.output
    assert everything() == before


def test_an_unknown_agent_is_refused() -> None:
    with pytest.raises(UsageError, match="known are claude-code"):
        install("emacs", None)
    assert set(installing.AGENTS) == set(harnesses.AGENTS)
