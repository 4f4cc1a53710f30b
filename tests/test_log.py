"""Log: each commit once, newest first, with what it did, from what, and how much the wiki changed by it."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from dictated import Dictated, git, session, tell
from wikimem.faces import health
from wikimem.faces.api import Vault
from wikimem.faces.cli import main
from wikimem.log import Entry, Logged

LINE = "topic | {} | {} | {}"


def grown(vault: Vault) -> tuple[str, str]:
    """Two sessions, the second of which corrects the first; the ids of the two sources."""
    found = []
    for name, day, port in (("one", "02", 4110), ("two", "05", 4220)):
        words = LINE.format("tide gauge", "port", f"The tide gauge listens on port {port}.")
        found += tell(vault, session(name, f"2026-03-{day}", words))
        vault.compile(model=Dictated())
    return found[0], found[1]


def test_each_operation_is_there_with_its_source_and_its_counts(vault: Vault) -> None:
    one, two = grown(vault)
    told = [(each.op, each.sources, each.changed) for each in vault.log().entries]
    assert told == [
        ("compile", (two,), "+0 ~1 -0"),
        ("ingest", (two,), ""),
        ("compile", (one,), "+1 ~0 -0"),
        ("ingest", (one,), ""),
        ("init", (), ""),
    ]
    assert vault.log().entries[0].risk.startswith("medium")
    assert [each.op for each in vault.log(limit=2).entries] == ["compile", "ingest"]
    assert len(vault.log(limit=0).entries) == 5


def test_what_a_person_commits_is_by_hand_with_their_name(vault: Vault) -> None:
    grown(vault)
    page = next((vault.root / "wiki" / "topics").glob("tide*.md"))
    page.write_text(page.read_text() + "\n## Notes\n\nAsk Ines.\n")
    git(vault.root, "-c", "user.name=Ines", "commit", "-qam", "a note: on the gauge")
    first = vault.log().entries[0]
    assert (first.op, first.who, first.subject) == ("by hand", "Ines", "a note: on the gauge")
    assert "a note: on the gauge (Ines)" in health.logged(vault.log(limit=1))


def test_a_merge_is_told_too(vault: Vault, tmp_path: Path) -> None:
    grown(vault)
    git(vault.root, "checkout", "-q", "-b", "side", "HEAD~1")
    (vault.root / "wiki" / "note.md").write_text("A note.\n")
    git(vault.root, "add", "wiki/note.md")
    git(vault.root, "commit", "-qm", "a note")
    git(vault.root, "checkout", "-q", "main")
    git(vault.root, "merge", "-q", "--no-ff", "-m", "both", "side")
    assert vault.log().entries[0].subject == "both"


def test_a_scope_sees_only_what_was_done_with_its_own_sources(vault: Vault) -> None:
    one, _ = grown(vault)
    line = LINE.format("kiln", "port", "The kiln listens on port 4330.")
    (other,) = tell(vault, session("three", "2026-03-09", line, cwd="/home/sam/foundry"))
    vault.compile(model=Dictated())
    scope = vault._opened.ledger.all()[other].scope
    assert scope != vault._opened.ledger.all()[one].scope
    told = vault.log(scope=scope)
    assert {each.sources for each in told.entries} == {(other,)}
    assert "gauge" not in health.logged(told)
    assert [each.op for each in vault.log(limit=1, scope=scope).entries] == ["compile"]


def test_the_command_prints_a_line_for_each_commit_and_stable_json(vault: Vault) -> None:
    _, two = grown(vault)
    shown = CliRunner().invoke(main, ["--vault", str(vault.root), "log", "--limit", "1"]).output
    head, below = shown.splitlines()
    commit = vault.log().entries[0].commit
    assert head.split()[2:6] == [commit[:10], "compile", "+0", "~1"]
    assert "Tide gauge" in head
    assert head.count("+0 ~1 -0") == 1
    assert below.strip().startswith("risk medium")
    assert below.endswith(two)
    told = json.loads(CliRunner().invoke(main, ["--vault", str(vault.root), "log", "--json"]).output)
    assert told["shallow"] is False
    assert set(told["entries"][0]) == {"commit", "when", "op", "who", "sources", "changed", "risk", "subject"}


def test_a_shallow_clone_says_that_older_commits_are_missing(vault: Vault, tmp_path: Path) -> None:
    grown(vault)
    git(tmp_path, "clone", "-q", "--depth", "2", f"file://{vault.root}", str(tmp_path / "clone"))
    found = Vault.open(tmp_path / "clone").log()
    assert (found.shallow, len(found.entries)) == (True, 2)
    assert "--unshallow" in health.logged(found)


def test_the_columns_stand_below_each_other_whatever_was_done() -> None:
    made = [Entry("a" * 40, "2026-03-02T10:00Z", op, "", (), "+0 ~1 -0", "", f"{op}: leads") for op in ("edit", "consolidate")]
    told = health.logged(Logged(tuple(made), shallow=False)).split("\n")
    assert len({line.index("+0 ~1 -0") for line in told}) == 1
    assert "consolidate +0" in told[1]
