"""The command line: help, exit codes, one sentence per error, JSON of a stable shape, and what it must not import."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from conftest import claude, jsonl
from wikimem.faces.api import Vault
from wikimem.faces.cli import main

README = Path(__file__).resolve().parents[2] / "README.md"


def run(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, list(args))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


@pytest.mark.parametrize("name", sorted(main.commands))
def test_every_command_has_help_and_is_in_the_readme(name: str) -> None:
    code, output = run(name, "--help")
    assert code == 0
    assert len(output.splitlines()) > 5
    assert f"wikimem {name}" in README.read_text(encoding="utf-8")
    for parameter in main.commands[name].params:
        if parameter.param_type_name == "option":
            assert getattr(parameter, "help", None), f"{name} {parameter.name} has no help"


def test_the_whole_way(tmp_path: Path) -> None:
    vault = str(tmp_path / "memory")
    (tmp_path / "s.jsonl").write_bytes(jsonl(claude(1, "user", "Moor at berth 4.")))
    assert run("init", vault)[0] == 0
    code, output = run("--vault", vault, "ingest", str(tmp_path / "s.jsonl"))
    assert (code, "Added 1 source from 1 file" in output) == (0, True)
    code, output = run("--vault", vault, "ingest", "--json", str(tmp_path / "s.jsonl"))
    told = json.loads(output)
    assert (code, told["added"], told["unchanged"]) == (0, [], 1)
    code, output = run("--vault", vault, "status", "--json")
    assert (code, json.loads(output)["projects"]) == (0, {"harbour": 1})
    (sidecar,) = (tmp_path / "memory").rglob("*-claude-code-*.yaml")
    code, output = run("--vault", vault, "show", f"{sidecar.stem}:L1")
    assert (code, "Moor at berth 4." in output) == (0, True)
    code, output = run("--vault", vault, "show", "--json", sidecar.stem)
    assert [turn["at"] for turn in json.loads(output)["turns"]] == ["L1"]
    assert run("--vault", vault, "verify")[0] == 0
    next((tmp_path / "memory").rglob("*-claude-code-*.jsonl")).write_bytes(b"x")
    code, output = run("--vault", vault, "verify", "--json")
    assert (code, json.loads(output)["problems"][0]["rule"]) == (1, "source-changed")


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["--vault", "nowhere", "status"], "is not a vault"),
        (["--vault", "{vault}", "show", "nonsense:::"], "is no page of this wiki"),
        (["--vault", "{vault}", "show", "20260101-note-12345678:L1"], "cannot be shown"),
        (["--vault", "{vault}", "ingest", "missing.jsonl"], "does not exist"),
        (["--vault", "{vault}", "ingest", "--since", "yesterday", "."], "no date that exists"),
        (["--vault", "{vault}", "ingest"], "Missing argument"),
        (["fly"], "No such command"),
    ],
)
def test_a_wrong_call_is_one_sentence_and_exit_code_2(vault: Vault, args: list[str], why: str) -> None:
    code, output = run(*(arg.format(vault=vault.root) for arg in args))
    assert code == 2
    assert why in output
    assert "Traceback" not in output


def test_start_up_imports_nothing_heavy() -> None:
    script = (
        "import sys; from wikimem.faces.cli import main\n"
        "try: main(['--help'], standalone_mode=False)\nfinally: print(sorted(sys.modules))"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    loaded = out.splitlines()[-1]
    for name in ("'git'", "'yaml'", "'rich'", "'whoosh'", "'litellm'", "'orjson'"):
        assert name not in loaded


def test_the_site_is_built_and_told(tmp_path: Path) -> None:
    vault = str(tmp_path / "memory")
    (tmp_path / "s.jsonl").write_bytes(jsonl(claude(1, "user", "Moor at berth 4.")))
    assert run("init", vault)[0] == 0
    assert run("--vault", vault, "ingest", str(tmp_path / "s.jsonl"))[0] == 0
    code, output = run("--vault", vault, "site", "build", "--jobs", "1")
    assert (code, "Built 0 pages, 1 session, 0 commits" in output) == (0, True)
    assert "Moor at berth 4." in next((tmp_path / "memory/_site/sessions").rglob("*-claude-code-*.html")).read_text(
        encoding="utf-8"
    )
    code, output = run("--vault", vault, "site", "build", "--jobs", "1")
    assert (code, output.startswith("Nothing changed")) == (0, True)
    code, output = run("--vault", vault, "site", "build", "--json", "--jobs", "1")
    assert (code, json.loads(output)["sessions"]) == (0, 1)
    code, output = run("--vault", vault, "site", "build", "--base", "javascript:alert(1)")
    assert (code, "is no address of a site" in output) == (2, True)


@pytest.mark.parametrize("name", sorted(main.commands["site"].commands))  # type: ignore[attr-defined]
def test_every_command_of_the_site_has_help_and_is_in_the_readme(name: str) -> None:
    code, output = run("site", name, "--help")
    assert (code, len(output.splitlines()) > 5) == (0, True)
    assert f"wikimem site {name}" in README.read_text(encoding="utf-8")


def test_dates_are_read_alike_everywhere(tmp_path: Path) -> None:
    vault = str(tmp_path / "memory")
    (tmp_path / "s.jsonl").write_bytes(jsonl(claude(1, "user", "Moor at berth 4.")))
    run("init", vault)
    run("--vault", vault, "ingest", str(tmp_path / "s.jsonl"))
    day = run("--vault", vault, "search", "berth")[1].split("  ")[1][:10]

    def found(*args: str) -> bool:
        code, output = run("--vault", vault, "search", "berth", *args)
        assert code == 0
        return "Moor at berth 4." in output

    for date in (day, day[:7], day[:4]):
        assert found("--from", date, "--to", date)
    assert not found("--from", str(int(day[:4]) + 1))
    assert not found("--to", str(int(day[:4]) - 1))
    refused = "which is no date that exists; write 2026, 2026-03, 2026-03-24 or 2026-03-24T10:00Z.\n"
    for command, option in (
        ("search berth", "--from"),
        ("search berth", "--to"),
        ("search berth", "--at"),
        ("recall berth", "--known"),
        ("show x", "--at"),
        ("compile", "--since"),
        ("sweep", "--since"),
    ):
        code, output = run("--vault", vault, *command.split(), option, "soon")
        assert (code, output) == (2, f"wikimem: {option[2:]} is 'soon', {refused}"), (command, option)
    assert "''" not in run("search", "berth", "--speaker", "nobody")[1]
