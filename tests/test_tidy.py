"""Lint looks again only where something changed, gives hints apart from problems, and mends what is mechanical in one commit."""

from __future__ import annotations

import json
import os
import shutil

from click.testing import CliRunner

from dictated import Dictated, check, commits, git, session, tell
from wikimem.core import splits
from wikimem.faces import text
from wikimem.faces.api import Vault
from wikimem.faces.cli import main

LINE = "topic | {} | {} | {}"
GAUGE = "wiki/topics/tide-gauge.md"


def grown(vault: Vault) -> Vault:
    """A vault with a page and an index."""
    words = LINE.format("tide gauge", "port", "The tide gauge listens on port 4110.")
    tell(vault, session("one", "2026-03-02", words))
    vault.compile(model=Dictated())
    return vault


def add(vault: Vault, path: str, words: str) -> None:
    """Write a page by hand and commit it."""
    file = vault.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(words)
    git(vault.root, "add", path)
    git(vault.root, "commit", "-qm", f"write {path}")


def rules(vault: Vault) -> list[tuple[str, str]]:
    return [(one.rule, one.where) for one in vault.lint().hints]


def test_a_page_that_nothing_links_to_and_that_claims_nothing_is_an_orphan(vault: Vault) -> None:
    add(grown(vault), "wiki/topics/harbour-lore.md", "# Harbour lore\n\nSomething to read.\n")
    assert ("orphan", "wiki/topics/harbour-lore.md") in rules(vault)
    page = vault.root / GAUGE
    page.write_text(page.read_text() + "\n## Notes\n\nSee [[harbour lore]].\n")
    assert "orphan" not in dict(rules(vault))
    assert vault.lint().is_clean


def test_a_page_that_people_made_long_is_told(vault: Vault) -> None:
    page = grown(vault).root / GAUGE
    page.write_text(page.read_text() + "\n## Notes\n\n" + "A long story of the gauge. " * splits.TOKENS)
    assert ("too-long", GAUGE) in rules(vault)


def test_an_index_that_is_behind_is_a_hint_and_mended(vault: Vault) -> None:
    grown(vault)
    assert rules(vault) == []
    shutil.rmtree(vault.root / ".wikimem" / "index")
    assert dict(rules(vault)) == {"index-missing": ".wikimem/index"}
    done = vault.tidy()
    assert (done.indexed, done.commit) == (True, "")
    assert rules(vault) == []


def test_hints_do_not_fail_a_check_and_are_printed_as_such(vault: Vault) -> None:
    add(grown(vault), "wiki/topics/harbour-lore.md", "# Harbour lore\n\nSomething to read.\n")
    done = CliRunner().invoke(main, ["--vault", str(vault.root), "lint"])
    assert done.exit_code == 0
    assert "Hint: wiki/topics/harbour-lore.md" in done.output
    told = json.loads(CliRunner().invoke(main, ["--vault", str(vault.root), "lint", "--json"]).output)
    assert {"orphan"} <= {one["rule"] for one in told["hints"]}


def test_what_is_kept_of_a_look_gives_the_same_as_a_look_without_it(vault: Vault) -> None:
    add(grown(vault), "wiki/topics/harbour-lore.md", "# Harbour lore\n\nSee [gone](gone.md).\n")
    first = vault.lint()
    kept = vault.root / ".wikimem" / "lint.json"
    assert kept.exists()
    assert vault.lint() == first
    for damage in (b"{", b"[]", b'{"version":1,"pages":{}}', b'{"version":0}'):
        kept.write_bytes(damage)
        assert vault.lint() == first


def test_a_page_that_changed_is_read_again_and_a_new_claim_is_seen(vault: Vault) -> None:
    grown(vault)
    assert vault.lint().is_clean
    page = vault.root / GAUGE
    page.write_text(page.read_text() + "\n## Notes\n\nSee [gone](gone.md).\n")
    os.utime(page, ns=(1, 1))
    assert [one.rule for one in vault.lint().problems] == ["dead-link"]
    git(vault.root, "checkout", "-q", GAUGE)
    other = LINE.format("ferry", "", "The ferry reads the tide gauge at port 4110.")
    later = LINE.format("tide gauge", "port", "The tide gauge listens on port 4220.")
    tell(vault, session("two", "2026-03-05", other), session("three", "2026-03-06", later))
    vault.compile(model=Dictated())
    assert [one.value for one in vault.lint().stale] == ["4110"]


def test_a_link_to_an_old_name_leads_to_the_page_again_in_one_commit(vault: Vault) -> None:
    grown(vault)
    vault.rename("tide-gauge", "Water level")
    add(vault, "wiki/topics/harbour-lore.md", "# Harbour lore\n\nSee [the gauge](tide-gauge.md) and [x](nowhere.md).\n")
    before = vault.lint()
    assert [one.rule for one in before.problems] == ["dead-link", "dead-link"]
    assert "lint --fix" in before.problems[0].message
    number = len(commits(vault))
    done = vault.tidy()
    assert (done.links, len(commits(vault))) == (1, number + 1)
    assert "[the gauge](water-level.md) and [x](nowhere.md)" in (vault.root / "wiki/topics/harbour-lore.md").read_text()
    assert [one.rule for one in vault.lint().problems] == ["dead-link"]
    again = vault.tidy()
    assert (again.commit, again.links) == ("", 0)


def test_a_page_that_is_not_what_its_claims_give_is_rendered_again_and_edits_are_taken_first(vault: Vault) -> None:
    grown(vault)
    page = vault.root / GAUGE
    whole = page.read_text()
    page.write_text(whole.replace("## Facts", "## Fact"))
    page.write_text(whole.replace("listens on port 4110", "listens on port 4220"))
    git(vault.root, "commit", "-qam", "the port is another")
    done = vault.tidy()
    assert done.left == ()
    assert "listens on port 4220" in page.read_text()
    check(vault)
    assert vault.recompile(check=True, model=Dictated()).code == 0


def test_a_page_with_changes_that_are_not_committed_is_left_alone(vault: Vault) -> None:
    grown(vault)
    vault.rename("tide-gauge", "Water level")
    add(vault, "wiki/topics/harbour-lore.md", "# Harbour lore\n\nSee [the gauge](tide-gauge.md).\n")
    lore = vault.root / "wiki/topics/harbour-lore.md"
    lore.write_text(lore.read_text() + "\nUnfinished\n")
    vault.tidy()
    assert lore.read_text().endswith("(tide-gauge.md).\n\nUnfinished\n")


def test_the_command_says_what_it_mended(vault: Vault) -> None:
    grown(vault)
    vault.rename("tide-gauge", "Water level")
    add(vault, "wiki/topics/harbour-lore.md", "# Harbour lore\n\nSee [the gauge](tide-gauge.md).\n")
    done = CliRunner().invoke(main, ["--vault", str(vault.root), "lint", "--fix"])
    assert done.exit_code == 0
    assert "Links that lead somewhere again: 1." in done.output
    assert CliRunner().invoke(main, ["--vault", str(vault.root), "lint", "--since", "HEAD"]).exit_code == 2
    assert "Hint" in text.linted(vault.lint())
