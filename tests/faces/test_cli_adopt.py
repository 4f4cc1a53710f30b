"""The commands `adopt` and `export`, as they are called and read."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from wikimem.faces.cli import main


def run(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, list(args))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def test_adopt(tmp_path: Path) -> None:
    vault, rules = str(tmp_path / "memory"), tmp_path / "CLAUDE.md"
    rules.write_text("# Bakery\n\n- Bake rye on Fridays\n- Close at six\n")
    assert run("init", vault)[0] == 0
    code, output = run("--vault", vault, "adopt", "--dry-run", str(rules))
    assert (code, output.splitlines()[0]) == (0, "Would adopt 2 statements from 1 file.")
    code, output = run("--vault", vault, "adopt", "--json", str(rules))
    assert (code, json.loads(output)["statements"]) == (0, 2)
    code, output = run("--vault", vault, "adopt", str(rules))
    assert (code, output.splitlines()) == (0, ["Adopted 0 statements from 0 files.", "Unchanged: 1 file."])
    assert run("--vault", vault, "verify")[0] == 0
    code, output = run("--vault", vault, "search", "rye")
    assert (code, "Bake rye on Fridays" in output) == (0, True)
    (tmp_path / "AGENTS.md").write_text("# Nothing\n")
    code, output = run("--vault", vault, "adopt", str(tmp_path / "AGENTS.md"))
    assert (code, "it states nothing" in output) == (1, True)
    assert run("--vault", vault, "adopt", str(tmp_path / "gone"))[0] == 2


def test_export_without_claims_says_what_to_do(tmp_path: Path) -> None:
    vault = str(tmp_path / "memory")
    assert run("init", vault)[0] == 0
    code, output = run("--vault", vault, "export", "claude-md")
    assert (code, "The wiki has no claims yet" in output) == (2, True)
    code, output = run("--vault", vault, "export", "okf")
    assert (code, "name one with --out" in output) == (2, True)
    assert run("--vault", vault, "export", "notion")[0] == 2
