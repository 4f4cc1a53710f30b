"""The way out: a file of instructions, a folder for Obsidian, an OKF bundle; nothing of somebody else's is written over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from wikimem import adopt, export, memory, vault
from wikimem.core import adopted, bundles, claimfiles, exports, extraction, gate, views
from wikimem.core.claimfiles import ClaimFile, Stamp
from wikimem.core.drafts import Gate
from wikimem.core.screening import screen
from wikimem.core.vocabulary import SHIPPED
from wikimem.errors import UsageError
from wikimem.init import init

RULES = """\
# Bakery

## Ovens

- Ovens heat to 230 degrees
- Always clean the ovens on Fridays
- The small oven [is] *old*

## Rye bread

- Rye bread rests in the ovens for an hour
"""


@pytest.fixture
def opened(tmp_path: Path) -> vault.Vault:
    """A vault with what was adopted, compiled by the rules for adopted sources alone."""
    opened = vault.open_at(init(tmp_path / "memory", False).root)
    rules = tmp_path / "CLAUDE.md"
    rules.write_text(RULES)
    (taken,) = adopt.adopt(opened, (rules,)).taken
    session = opened.ledger.read(taken.source)
    screened = screen(session.turns)
    drafts, _, refused = extraction.read(adopted.extract(views.of(taken.source, screened, {"title": "Bakery"})), "", "")
    claims, objections = gate.admit(drafts, Gate(screened, SHIPPED))
    assert not refused and not objections
    stamp = Stamp(taken.source, opened.ledger.all()[taken.source].content, "", "rules", "")
    path = opened.root / memory.path(taken.source)
    path.parent.mkdir(parents=True)
    path.write_bytes(claimfiles.write(ClaimFile(stamp, claims)))
    return opened


def test_instructions_by_section_with_citations(opened: vault.Vault) -> None:
    made = export.export(opened, "claude-md")
    (source,) = opened.ledger.all()
    body = made.text.split("\n\n", 3)[3]
    assert body == (
        "## Preferences\n\n"
        f"- Always clean the ovens on Fridays [{source}:L3]\n\n"
        "## Facts\n\n"
        f"- Ovens heat to 230 degrees [{source}:L2]\n"
        f"- Rye bread rests in the ovens for an hour [{source}:L5]\n"
        f"- The small oven \\[is\\] old (Ovens) [{source}:L4]\n"
    )
    assert (made.claims, made.left) == (4, 0)


@pytest.mark.parametrize("budget", [120, 160, 200, 2000])
def test_the_budget_holds_and_what_does_not_fit_is_counted(opened: vault.Vault, budget: int) -> None:
    made = export.export(opened, "claude-md", budget=budget)
    assert bundles.tokens(made.text) <= budget
    assert made.claims + made.left == 4
    assert ("more, found with" in made.text) == bool(made.left)


def test_a_file_of_ours_is_written_again_and_a_persons_is_not(opened: vault.Vault, tmp_path: Path) -> None:
    out = tmp_path / "CLAUDE.memory.md"
    export.export(opened, "claude-md", out)
    first = out.read_text()
    export.export(opened, "claude-md", out)
    assert out.read_text() == first
    theirs = tmp_path / "CLAUDE.md"
    with pytest.raises(UsageError, match="was not made by an export"):
        export.export(opened, "claude-md", theirs)
    assert theirs.read_text() == RULES


def test_what_was_exported_is_not_adopted_as_somebodys_words(opened: vault.Vault, tmp_path: Path) -> None:
    export.export(opened, "claude-md", tmp_path / "AGENTS.md")
    export.export(opened, "okf", tmp_path / "bundle")
    report = adopt.adopt(opened, (tmp_path / "AGENTS.md", tmp_path / "bundle"))
    assert [problem.rule for problem in report.problems] == ["our-own"] * 3
    assert not report.taken


def test_obsidian(opened: vault.Vault, tmp_path: Path) -> None:
    made = export.export(opened, "obsidian", tmp_path / "brain")
    files = {path.relative_to(tmp_path / "brain").as_posix(): path.read_text() for path in (tmp_path / "brain").rglob("*.md")}
    assert set(files) == {"topics/ovens.md", "topics/rye-bread.md"} and made.files == 2
    page = files["topics/rye-bread.md"]
    front = yaml.safe_load(page.split("---\n")[1])
    assert (front["title"], front["tags"]) == ("Rye bread", ["wikimem", "wikimem/topic"])
    assert "- [[topics/ovens|Ovens]]" in page
    assert "](" not in page
    (source,) = opened.ledger.all()
    assert re.search(rf"\[\^[a-z2-7]{{12}}\]: fact · human · {source}:L5 “Rye bread rests", page)


def test_okf(opened: vault.Vault, tmp_path: Path) -> None:
    out = tmp_path / "bundle"
    export.export(opened, "okf", out)
    for path in out.rglob("*.md"):
        text = path.read_text()
        if path.name == "index.md":
            assert text.startswith('---\nokf_version: "0.2"\n---\n') == (path.parent == out)
            assert "sessions" not in text
        else:
            front = yaml.safe_load(text.split("---\n")[1])
            assert front["type"] == "topic" and front["description"]
        for target in re.findall(r"\]\(([^)]+)\)", text):
            assert (path.parent / target).exists(), target


def test_an_export_again_removes_what_is_gone_and_nothing_else(opened: vault.Vault, tmp_path: Path) -> None:
    out = tmp_path / "brain"
    export.export(opened, "obsidian", out)
    (out / "topics" / "mine.md").write_text("my own")
    listing = out / export.LISTING
    listing.write_text(listing.read_text().replace("[\n", '[\n  "topics/old.md",\n  "../outside.md",\n', 1))
    (out / "topics" / "old.md").write_text("gone from the wiki")
    outside = tmp_path / "outside.md"
    outside.write_text("not ours")
    export.export(opened, "obsidian", out)
    assert not (out / "topics" / "old.md").exists()
    assert (out / "topics" / "mine.md").read_text() == "my own"
    assert outside.read_text() == "not ours"


def test_a_folder_of_somebody_elses_is_left_alone(opened: vault.Vault, tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "note.md").write_text("x")
    with pytest.raises(UsageError, match="holds files that no export made"):
        export.export(opened, "okf", tmp_path / "theirs")
    with pytest.raises(UsageError, match="name one with --out"):
        export.export(opened, "okf")
    with pytest.raises(UsageError, match="is a file"):
        export.export(opened, "okf", tmp_path / "CLAUDE.md")
    with pytest.raises(UsageError, match="cannot be exported to"):
        export.export(opened, "notion")


def test_scopes(opened: vault.Vault) -> None:
    found = memory.load(opened.root, opened.ledger, SHIPPED).wiki
    assert exports.scoped(found, "", False) is found
    assert {subject.title for subject in exports.scoped(found, "project:shop", False).subjects.values()} >= {"Rye bread"}
    strict = exports.scoped(found, "project:shop", True)
    assert all(subject.scope in ("", "project:shop") for subject in strict.subjects.values())
    assert exports.okf(strict)["index.md"]


def test_an_empty_wiki_is_said_to_be_one(tmp_path: Path) -> None:
    empty = vault.open_at(init(tmp_path / "memory", False).root)
    with pytest.raises(UsageError, match="The wiki has no claims"):
        export.export(empty, "claude-md")
