"""The report: what people keep saying, what was decided, what failed, by project, with counts, quotes and days."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from conftest import claude, jsonl
from dictated import Dictated, session, tell
from wikimem.faces import text
from wikimem.faces.api import Vault
from wikimem.faces.cli import main

TABS = "topic | indentation | | Indent with tabs, also in {}."
GOTCHA = "gotcha | locked database | | The database stays locked after {}."


def runs(*outcomes: tuple[str, bool]) -> Iterator[dict[str, Any]]:
    """A session in which commands were run, each with whether it passed."""
    yield claude(1, "user", "Make it green.")
    for number, (command, passed) in enumerate(outcomes):
        call = {"type": "tool_use", "id": f"c{number}", "name": "Bash", "input": {"command": command}}
        told = "12 passed in 3.1s" if passed else "3 failed, 9 passed in 3.1s"
        result = {"type": "tool_result", "tool_use_id": f"c{number}", "content": told, "is_error": not passed}
        yield claude(2 * number + 2, "assistant", [call], 2 * number + 1)
        yield claude(2 * number + 3, "user", [result], 2 * number + 2)


@pytest.fixture
def told(vault: Vault, tmp_path: Path) -> Vault:
    tell(
        vault,
        session("one", "2026-03-02", TABS.format("SQL"), GOTCHA.format("a crash")),
        session(
            "two", "2026-03-20", TABS.format("templates"), GOTCHA.format("an upgrade"), "topic | berths | | Berth 4 is free."
        ),
    )
    path = tmp_path / "runs.jsonl"
    path.write_bytes(jsonl(*runs(("make test", False), ("make test", False), ("make test", True), ("make lint", True))))
    vault.ingest([path])
    vault.compile(model=Dictated())
    return vault


def test_what_is_said_in_several_sessions_is_told_with_counts_and_quotes(told: Vault) -> None:
    (found,) = told.report().projects
    (telling,) = [one for one in found.tellings if one.title.casefold() == "indentation"]
    assert (telling.times, telling.sessions) == (2, 2)
    assert [quote.day for quote in telling.quotes] == ["2026-03-20", "2026-03-02"]
    assert "also in templates" in telling.quotes[0].words
    assert not any("berth" in one.title for one in found.tellings)


def test_gotchas_met_again_and_commands_that_fail(told: Vault) -> None:
    (found,) = told.report().projects
    assert [(one.title, one.sessions) for one in found.troubles] == [("Locked database", 2)]
    (failing,) = found.failing
    assert (failing.command, failing.runs, failing.failed) == ("make test", 3, 2)


def test_a_report_reads_as_text_and_is_of_one_project_if_asked(told: Vault) -> None:
    shown = text.found(told.report())
    assert "harbour: 3 sessions, 2026-03-02 to 2026-03-20" in shown
    assert "2 of 3 runs, last 2026-03-02: make test" in shown
    assert told.report("harbour").projects == told.report().projects
    assert told.report("quay").projects == ()
    assert "Nothing stands out" in text.found(told.report("quay"))


def test_the_first_compile_ends_with_it(vault: Vault, tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(jsonl(*runs(("make test", False), ("make test", False))))
    vault.ingest([path])
    shown = CliRunner().invoke(main, ["--vault", str(vault.root), "compile"]).output
    assert "Commands that fail most" in shown
    again = CliRunner().invoke(main, ["--vault", str(vault.root), "compile"]).output
    assert again == "Nothing to compile.\n"


def test_what_has_no_date_is_counted_and_what_a_person_did_to_the_wiki_is_not(vault: Vault, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.md").write_text(f"topic | labels | | Labels are {name} inch wide.\n\nIn {name}.\n")
    vault.ingest([tmp_path / "one.md", tmp_path / "two.md"])
    vault.compile(model=Dictated())
    vault.rename("labels", "Paper labels")
    (found,) = vault.report().projects
    assert (found.sessions, found.first, found.last) == (2, "", "")
    assert "Of no project: 2 sessions\n" in text.found(vault.report())


def test_decisions_are_those_of_the_month_before_the_last_session_and_say_so(vault: Vault) -> None:
    """Also what belongs to no project, where the last session of any counts."""
    decided = "decision | {0} | | Team {0} is formed. | scope={1}"
    tell(
        vault,
        session("one", "2026-02-02", decided.format("Oak", ""), decided.format("Fir", "project")),
        session("two", "2026-06-02", decided.format("Elm", ""), decided.format("Ash", "project")),
    )
    vault.compile(model=Dictated())
    told = {one.scope: (one.until, [each.title for each in one.decisions]) for one in vault.report().projects}
    assert told == {"project:harbour": ("2026-06-02", ["Ash"]), "": ("2026-06-02", ["Elm"])}
    assert "Decisions of the month to 2026-06-02" in text.found(vault.report())


def test_a_quote_in_a_quote_has_marks_of_its_own(vault: Vault) -> None:
    tell(vault, session("one", "2026-02-02", "decision | oak | | The user decided, asked “How long?”: “Short.” | scope=project"))
    vault.compile(model=Dictated())
    assert "“The user decided, asked ‘How long?’: ‘Short.’”" in text.found(vault.report())


def test_what_one_file_says_under_one_heading_was_not_said_again_and_again(vault: Vault, tmp_path: Path) -> None:
    file = tmp_path / "CLAUDE.md"
    file.write_text("# House\n\n## Style\n\n- Always write docstrings.\n- Never use tabs.\n- Prefer short names.\n")
    vault.adopt([file])
    vault.compile()
    assert [telling.title for one in vault.report().projects for telling in one.tellings] == []
