"""Sweep: finds what tools keep, obeys routes and the never list, leaves out our own sessions, and repeats for nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import wikimem
from agents import codex, item, opencode, said
from conftest import NOW, claude, jsonl
from wikimem.edges import homes
from wikimem.errors import BadSettings
from wikimem.faces import text
from wikimem.faces.api import Vault
from wikimem.faces.cli import main
from wikimem.sweep import ELSEWHERE, NEVER, NO_ROUTE, REMOTE, SHARED
from wikimem.vault import find, open_at, user_config, user_routes


def home() -> Path:
    return Path(os.environ["HOME"])


def session(name: str, cwd: str, words: str) -> None:
    path = home() / ".claude" / "projects" / "x" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(jsonl({**claude(1, "user", words), "cwd": cwd, "sessionId": name, "uuid": f"{name}-1"}))


def config(told: str) -> None:
    user_config().parent.mkdir(parents=True, exist_ok=True)
    user_config().write_text(told)


def sessions(vault: Vault) -> list[str]:
    ledger = open_at(vault.root).ledger
    return sorted(each.session for each in ledger.all().values())


def commits(vault: Vault) -> str:
    return subprocess.run(
        ["git", "rev-list", "--count", "HEAD"], cwd=vault.root, check=True, capture_output=True, text=True
    ).stdout


def test_it_looks_where_the_tools_keep_sessions_and_takes_each_once(vault: Vault, tmp_path: Path) -> None:
    session("s-1", str(tmp_path), "Paint the hull.")
    rollout = home() / ".codex" / "sessions" / "2026" / "05" / "04" / "rollout-a.jsonl"
    rollout.parent.mkdir(parents=True)
    rollout.write_bytes(jsonl(codex(0, "session_meta", {"id": "c-1", "cwd": str(tmp_path)}), item(1, "user", "Tar the keel.")))
    (home() / ".local" / "opencode").mkdir(parents=True)
    base = opencode(home() / ".local" / "opencode" / "opencode.db")
    said(base, 1, "user", {"type": "text", "text": "Light the buoy."})
    history = tmp_path / ".aider.chat.history.md"
    history.write_text("# aider chat started at 2026-05-04 08:00:00\n\n#### Sort the boats  \n")
    os.utime(history, (NOW.timestamp() - 86400, NOW.timestamp() - 86400))
    swept = vault.sweep()
    assert sessions(vault) == ["c-1", "s-1", "ses_harbour"]
    assert {path.relative_to(home()).as_posix() for path in swept.looked} == {
        ".claude/projects",
        ".codex/sessions",
        ".local/opencode/opencode.db",
    }
    # Now it is known where the person works, and what lies there.
    vault.sweep()
    assert sessions(vault) == ["2026-05-04T08:00:00", "c-1", "s-1", "ses_harbour"]
    before = commits(vault)
    again = vault.sweep()
    assert again.reports[vault.root].added == [] and commits(vault) == before and not again.failed
    base.close()


def test_routes_and_the_never_list_decide_and_may_change(vault: Vault, tmp_path: Path) -> None:
    other = Vault.init(tmp_path / "work memory")
    session("s-home", "/home/sam/garden", "Water the roses.")
    session("s-work", "/home/sam/work/tides", "Chart the tides.")
    session("s-diary", "/home/sam/diary", "A private thought.")
    config(f'never = "/home/sam/diary"\n[[routes]]\nmatch = ["/home/sam/work"]\nvault = "{other.root.as_posix()}"\n')
    swept = vault.sweep()
    assert (sessions(vault), sessions(other)) == (["s-home"], ["s-work"])
    assert sorted(set(swept.reports[vault.root].left_out.values())) == sorted({NEVER, ELSEWHERE})
    assert set(swept.reports[other.root].left_out.values()) == {NEVER, NO_ROUTE}
    vault.sweep()
    assert (sessions(vault), sessions(other)) == (["s-home"], ["s-work"])
    config("never = []\n")
    vault.sweep()
    assert sessions(vault) == ["s-diary", "s-home", "s-work"]


def test_a_vault_for_some_projects_never_gets_the_others(vault: Vault) -> None:
    session("s-home", "/home/sam/garden", "Water the roses.")
    session("s-work", "/home/sam/work/tides", "Chart the tides.")
    config(f'[[routes]]\nmatch = "/home/sam/work"\nvault = "{vault.root.as_posix()}"\n')
    vault.sweep()
    assert sessions(vault) == ["s-work"]


def test_sessions_of_our_own_compiler_are_left_out_and_those_that_speak_of_it_are_not(vault: Vault) -> None:
    session("s-ours", "/h", '<wikimem-task name="extract" nonce="77">Read this transcript.</wikimem-task>')
    session("s-dev", "/h", 'In our prompt, "<wikimem-task" should be shorter.')
    rollout = home() / ".codex" / "sessions" / "rollout-b.jsonl"
    rollout.parent.mkdir(parents=True)
    rollout.write_bytes(
        jsonl(
            codex(0, "session_meta", {"id": "c-ours", "cwd": "/h"}),
            item(1, "developer", "Sandbox."),
            item(1, "user", "<environment_context>x</environment_context>"),
            item(1, "user", "<wikimem-task>Judge.</wikimem-task>"),
        )
    )
    report = vault.sweep().reports[vault.root]
    assert sessions(vault) == ["s-dev"]
    assert sum("our own compiler" in why for why in report.left_out.values()) == 2
    vault.sweep()
    assert sessions(vault) == ["s-dev"]


def test_a_session_that_goes_on_is_left_until_it_is_quiet(vault: Vault) -> None:
    path = home() / ".claude" / "projects" / "x" / "s-live.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(jsonl({**claude(1, "user", "Still typing."), "timestamp": "2026-07-01T08:50:00Z"}))
    os.utime(path, (NOW.timestamp(), NOW.timestamp()))
    assert len(vault.sweep().reports[vault.root].open) == 1 and sessions(vault) == []
    later = Vault.open(vault.root, clock=lambda: NOW.replace(hour=10))
    assert len(later.sweep().reports[vault.root].added) == 1


def test_a_vault_that_is_written_to_waits_for_the_next_sweep(vault: Vault) -> None:
    session("s-1", "/h", "Paint the hull.")
    with vault._opened.writing():
        code = "import sys, wikimem; s = wikimem.open(sys.argv[1]).sweep(); print(len(s.busy), s.failed)"
        done = subprocess.run([sys.executable, "-c", code, str(vault.root)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "False"]
    assert sessions(vault) == []


def test_a_route_to_nowhere_is_a_problem_and_its_sessions_wait(vault: Vault, tmp_path: Path) -> None:
    session("s-1", "/home/sam/work", "Paint the hull.")
    config(f'[[routes]]\nmatch = "/home/sam/work"\nvault = "{(tmp_path / "gone").as_posix()}"\n')
    swept = vault.sweep()
    assert swept.failed and sessions(vault) == []
    assert "a route leads nowhere" in text.swept(swept) and str(swept.as_json()["problems"][0]["rule"]) == "route"


@pytest.mark.parametrize(
    "told",
    [
        "never = 3\n",
        "nevr = []\n",
        "[[routes]]\nmatch = 'x'\n",
        "never = [\n",
        "[[routes]]\nmatch=[1]\nvault='v'\n",
        "[[routes]]\nmatch='m'\nvault=2\n",
    ],
)
def test_a_config_that_cannot_be_used_is_named_with_what_is_wrong(told: str) -> None:
    config(told)
    with pytest.raises(BadSettings, match=r"config\.toml"):
        user_routes()


def test_a_route_also_says_which_vault_a_folder_means(tmp_path: Path) -> None:
    made = wikimem.create(tmp_path / "memory")
    (tmp_path / "work" / "tides").mkdir(parents=True)
    config(f'[[routes]]\nmatch = "{(tmp_path / "work").resolve().as_posix()}"\nvault = "{made.root.as_posix()}"\n')
    assert find(start=tmp_path / "work" / "tides") == made.root


def test_the_home_of_a_tool_may_be_moved(tmp_path: Path) -> None:
    (tmp_path / "cx" / "sessions").mkdir(parents=True)
    (tmp_path / "Library" / "Application Support" / "Cursor" / "User" / "globalStorage").mkdir(parents=True)
    base = tmp_path / "Library" / "Application Support" / "Cursor" / "User" / "globalStorage" / "state.vscdb"
    base.write_bytes(b"")
    environ = {"HOME": str(tmp_path), "CODEX_HOME": str(tmp_path / "cx")}
    assert homes.sessions(environ, "darwin") == [tmp_path / "cx" / "sessions", base]
    assert homes.sessions(environ, "linux") == [tmp_path / "cx" / "sessions"]


def test_the_command_prints_and_its_json_has_a_stable_shape(vault: Vault) -> None:
    session("s-1", "/h", "Paint the hull.")
    run = [sys.executable, "-c", "from wikimem.faces.cli import main; main()", "--vault", str(vault.root), "sweep"]
    dry = subprocess.run([*run, "--dry-run"], capture_output=True, text=True, check=True).stdout
    assert "Looked in 1 place" in dry and "Would add 1 source" in dry
    assert sessions(vault) == []
    told = subprocess.run([*run, "--json"], capture_output=True, text=True, check=True).stdout
    assert '"looked"' in told and '"vaults"' in told and '"busy": []' in told
    assert sessions(vault) == ["s-1"]


def test_a_vault_with_a_remote_gets_only_what_a_route_sends(vault: Vault, tmp_path: Path) -> None:
    session("s-1", str(tmp_path / "harbour"), "Paint the hull.")
    session("s-2", str(tmp_path / "quarry"), "Cut the slate.")
    subprocess.run(["git", "remote", "add", "origin", "https://git.example.org/m.git"], cwd=vault.root, check=True)
    swept = vault.sweep()
    assert sessions(vault) == []
    assert set(swept.reports[vault.root].left_out.values()) == {REMOTE}
    config(f'[[routes]]\nmatch = ["{(tmp_path / "harbour").as_posix()}"]\nvault = "{vault.root.as_posix()}"\n')
    vault.sweep()
    assert sessions(vault) == ["s-1"]


def test_a_shared_vault_gets_nothing_even_by_a_route(vault: Vault, tmp_path: Path) -> None:
    team = wikimem.create(tmp_path / "team", shared=True)
    session("s-1", str(tmp_path / "harbour"), "Paint the hull.")
    config(f'[[routes]]\nmatch = ["{tmp_path.as_posix()}"]\nvault = "{team.root.as_posix()}"\n')
    swept = vault.sweep()
    assert (sessions(vault), sessions(team)) == ([], [])
    assert [problem.message for problem in swept.problems] == [SHARED]


def test_from_a_folder_that_means_no_vault_the_ends_of_routes_are_served(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As cron runs it: in the home folder."""
    session("s-1", "/home/ada/work/app", "Paint the hull.")
    session("s-2", "/home/ada/elsewhere", "Tar the keel.")
    monkeypatch.chdir(home())
    assert CliRunner().invoke(main, ["sweep"]).exit_code == 2
    config(f'[[routes]]\nmatch = ["/home/ada/work"]\nvault = "{vault.root}"\n')
    done = CliRunner().invoke(main, ["sweep"])
    assert done.exit_code == 0, done.output
    assert sessions(vault) == ["s-1"]
    assert str(vault.root) in done.output
