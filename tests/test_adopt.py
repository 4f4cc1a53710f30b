"""Adopting what people wrote down: kinds of files, authors and dates from git, nothing twice."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from wikimem import adopt, vault
from wikimem.core.turns import Speaker, Turn
from wikimem.errors import UsageError
from wikimem.init import init


@pytest.fixture
def opened(tmp_path: Path) -> vault.Vault:
    return vault.open_at(init(tmp_path / "memory", False).root)


def git(folder: Path, *args: str, author: str = "Ada <ada@example.org>", day: str = "2026-08-14T10:00:00Z") -> None:
    name, mail = author.rstrip(">").split(" <")
    told = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in (("NAME", name), ("EMAIL", mail))}
    env = {**told, "GIT_AUTHOR_DATE": day, "GIT_COMMITTER_DATE": day, "PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(folder)}
    subprocess.run(["git", *args], cwd=folder, check=True, capture_output=True, env=env)


def project(folder: Path) -> Path:
    (folder / "docs").mkdir(parents=True)
    git(folder, "init", "-b", "main")
    (folder / "CLAUDE.md").write_text("# Bakery\n\n- Bake rye on Fridays\n- Ovens heat to 250 degrees\n")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "rules")
    (folder / "CLAUDE.md").write_text("# Bakery\n\n- Bake rye on Fridays\n- Ovens heat to 230 degrees\n")
    git(folder, "commit", "-am", "cooler", author="Bo <bo@example.org>", day="2026-09-01T08:00:00Z")
    with (folder / "CLAUDE.md").open("a") as file:
        file.write("- Flour comes from the mill\n")
    return folder


def turns(opened: vault.Vault, source: str) -> tuple[Turn, ...]:
    return opened.ledger.read(source).turns


def test_authors_and_dates_come_from_git(opened: vault.Vault, tmp_path: Path) -> None:
    report = adopt.adopt(opened, (project(tmp_path / "bakery"),))
    (taken,) = report.taken
    assert (taken.kind, taken.statements, taken.dated, taken.fresh) == ("instructions", 3, 2, True)
    assert taken.source.startswith("20260814-adopted-")
    assert [(turn.name, turn.said, turn.text) for turn in turns(opened, taken.source)] == [
        ("Ada", "2026-08-14T10:00:00Z", "Bake rye on Fridays"),
        ("Bo", "2026-09-01T08:00:00Z", "Ovens heat to 230 degrees"),
        ("", "", "Flour comes from the mill"),
    ]
    sidecar = opened.ledger.all()[taken.source]
    assert (sidecar.format, sidecar.session) == ("adopted", "adopted:bakery/CLAUDE.md")
    assert sidecar.cwd == str((tmp_path / "bakery").resolve())
    assert report.commit


def test_adopting_again_adds_nothing_and_a_change_keeps_the_other_turns(opened: vault.Vault, tmp_path: Path) -> None:
    bakery = project(tmp_path / "bakery")
    (first,) = adopt.adopt(opened, (bakery,)).taken
    again = adopt.adopt(opened, (bakery,))
    assert (again.commit, [(each.source, each.fresh) for each in again.taken]) == ("", [(first.source, False)])
    (bakery / "CLAUDE.md").write_text("# Bakery\n\n- Bake rye on Fridays\n- Ovens heat to 230 degrees\n- Close at six\n")
    (second,) = adopt.adopt(opened, (bakery,)).taken
    before, after = turns(opened, first.source), turns(opened, second.source)
    assert [turn.identity for turn in before[:2]] == [turn.identity for turn in after[:2]]
    assert after[2].identity not in {turn.identity for turn in before}


def test_a_dry_run_counts_and_writes_nothing(opened: vault.Vault, tmp_path: Path) -> None:
    report = adopt.adopt(opened, (project(tmp_path / "bakery"),), dry_run=True)
    told = report.as_json()
    assert (told["statements"], told["dry_run"], told["commit"], told["files"][0]["source"]) == (3, True, "", "")
    assert told["files"][0]["noise"] == {"heading": 1}
    assert not opened.ledger.all()
    json.dumps(told)


def test_kinds_of_files(opened: vault.Vault, tmp_path: Path) -> None:
    home = tmp_path / "home"
    files = {
        "code/AGENTS.md": "- Use tabs in Go\n",
        "code/.cursor/rules/go.mdc": "---\nglobs: '*.go'\n---\n- Name errors well\n",
        "code/README.md": "Not for agents.\n",
        "code/node_modules/x/CLAUDE.md": "- Somebody else's\n",
        "memory/MEMORY.md": "- [Ovens](ovens.md): how hot\n",
        "memory/ovens.md": "---\nname: ovens\n---\nThey run at 230 degrees.\n",
        "brain/.obsidian/app.json": "{}",
        "brain/Bread.md": "---\ndate: 2026-03-02\n---\nRye keeps for a week, see [[Storage]].\n",
        "basic/rye.md": "---\ntitle: Rye\npermalink: bread/rye\n---\n## Observations\n- [taste] Sour and dark #bread\n",
        "bundle/index.md": '---\nokf_version: "0.2"\n---\n- [Ada](people/ada.md)\n',
        "bundle/people/ada.md": "---\ntype: person\ntitle: Ada\ntimestamp: 2026-02-01T10:00:00Z\n---\nAda bakes the rye.\n",
    }
    for name, text in files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    (home / "code" / "CLAUDE.md").symlink_to("AGENTS.md")
    folders = tuple(home / name for name in ("code", "memory", "brain", "basic", "bundle"))
    report = adopt.adopt(opened, folders)
    assert not report.problems
    found = {Path(each.where).relative_to(home).as_posix(): each for each in report.taken}
    assert {name: each.kind for name, each in found.items()} == {
        "code/.cursor/rules/go.mdc": "instructions",
        "code/AGENTS.md": "instructions",
        "memory/MEMORY.md": "claude-memory",
        "memory/ovens.md": "claude-memory",
        "brain/Bread.md": "obsidian",
        "basic/rye.md": "basic-memory",
        "bundle/people/ada.md": "okf",
    }
    (ada,) = turns(opened, found["bundle/people/ada.md"].source)
    assert (ada.mark, ada.about, ada.said, ada.speaker) == ("adopted:person", "Ada", "2026-02-01", Speaker.HUMAN)
    (oven,) = turns(opened, found["memory/ovens.md"].source)
    assert oven.speaker is Speaker.ASSISTANT
    (bread,) = turns(opened, found["brain/Bread.md"].source)
    assert (bread.about, bread.said) == ("Bread", "2026-03-02")


def test_a_named_file_is_a_note(opened: vault.Vault, tmp_path: Path) -> None:
    note = tmp_path / "ideas.md"
    note.write_text("## Oven\n\nHeat it early.\n")
    (taken,) = adopt.adopt(opened, (note,)).taken
    assert (taken.kind, taken.source.startswith("undated-adopted-")) == ("notes", True)


def test_secrets_are_masked(opened: vault.Vault, tmp_path: Path) -> None:
    note = tmp_path / "CLAUDE.md"
    secret = "ghp_" + "a1B2" * 9
    note.write_text(f"- The token is {secret}\n")
    report = adopt.adopt(opened, (note,))
    assert sum(report.masked.values()) == 1
    assert secret not in turns(opened, report.taken[0].source)[0].text


def test_what_cannot_be_adopted_is_said(opened: vault.Vault, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        adopt.adopt(opened, (tmp_path / "gone",))
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="Nothing to adopt below"):
        adopt.adopt(opened, (tmp_path / "empty",))
    hollow = tmp_path / "CLAUDE.md"
    hollow.write_text("# Only a heading\n")
    report = adopt.adopt(opened, (hollow,))
    assert [problem.rule for problem in report.problems] == ["no-statements"]
    assert not report.commit
