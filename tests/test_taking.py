"""Hand edits: what a person does to a page stays, whatever is compiled after it."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from dictated import Dictated, git, session, tell
from handwork import (
    EAST,
    LINE,
    MOVED,
    PAGE,
    THREE,
    add,
    anew,
    by_hand,
    compiled,
    cut,
    edit,
    page,
    save,
    settled,
    shown,
    start,
    swap,
)
from wikimem.faces.api import Vault
from wikimem.faces.cli import main

FOUR = "Retries stop after 4 attempts."


@pytest.fixture
def told(vault: Vault) -> Vault:
    return start(vault)


def other(text: str) -> str:
    """What a model makes of a text that words everything differently."""
    known = {THREE: "No more than three tries are made.", EAST: "Its place is on that side of the house."}
    return known.get(text, f"Also: {text}")


ELSE = Dictated(rewords=other, edition="2", name="else")


def test_a_changed_line_is_kept_as_it_was_written(told: Vault) -> None:
    report = by_hand(told, swap(THREE, FOUR))
    assert report.edits == (FOUR,)
    assert FOUR in str(shown(told))
    assert THREE not in str(shown(told))
    assert "human (Nora) · said 2026-06-01" in page(told)
    settled(told)
    anew(told)
    assert FOUR in str(shown(told))
    assert THREE not in str(shown(told))
    settled(told)
    anew(told, ELSE)
    assert [line for line in shown(told) if "attempts" in line or "tries" in line] == [f"- {FOUR}"]
    settled(told)


def test_a_removed_line_stays_away(told: Vault) -> None:
    report = by_hand(told, cut(EAST))
    assert report.edits == (f"Removed: “{EAST}”",)
    settled(told)
    tell(told, session("three", "2026-03-06", LINE.format("", EAST)))
    compiled(told)
    assert EAST not in page(told)
    anew(told)
    assert EAST not in page(told)
    settled(told)


def test_a_removed_line_stays_away_however_it_is_worded(told: Vault) -> None:
    by_hand(told, cut(EAST))
    anew(told, ELSE)
    assert "side of the house" not in page(told)
    assert "three tries" in page(told)
    settled(told)
    anew(told)
    assert (EAST in page(told), THREE in page(told)) == (False, True)
    settled(told)


SECTIONS = [
    ("Facts", "- Invoices go out on Mondays.", "- Invoices go out on Mondays."),
    ("Facts", "* Invoices go out on Mondays. (since 2026-02-01)", "- Invoices go out on Mondays. (since 2026-02-01)"),
    ("Facts", "- Ports 80 and 443 (both) are _open_ [sic].", "- Ports 80 and 443 (both) are \\_open\\_ \\[sic\\]."),
    ("Events", "- The queue was emptied. (on 2026-05-02)", "- The queue was emptied. (on 2026-05-02)"),
    ("Facts", "- Ines prefers tea. (preference)", "- Ines prefers tea."),
]


@pytest.mark.parametrize(("section", "written", "becomes"), SECTIONS)
def test_a_new_line_becomes_a_claim(told: Vault, section: str, written: str, becomes: str) -> None:
    report = by_hand(told, add(written, section))
    assert len(report.edits) == 1
    assert becomes in shown(told)
    assert written == becomes or written not in page(told)
    settled(told)
    anew(told, ELSE)
    assert becomes in shown(told)
    settled(told)


NOT_CLAIMS = [
    "```\n- Not a claim, code.\n```",
    "<!--\n- Not a claim, a comment.\n-->",
    "| a | b |\n| - | - |\n| not | a claim |",
    "- [ ] Not a claim, a task.\n- [x] Nor this one.",
    "> - Not a claim, a quotation.",
    "Not a claim, prose.",
    "  - Not a claim, nested.",
    "### Not a claim, a heading",
    "- ~~Not a claim, struck through.~~",
    "-",
    "***",
]


@pytest.mark.parametrize("written", NOT_CLAIMS)
def test_what_is_no_plain_item_is_prose_and_stays(told: Vault, written: str) -> None:
    edit(told, swap("## Facts\n\n", f"## Facts\n\n{written}\n\n"))
    save(told)
    assert compiled(told).edits == ()
    assert written in page(told)
    settled(told)


@pytest.mark.parametrize("line", ["(since 2026-01-15)", "(2026-01-15 to 2026-12-31)", "(until 2026-12-31)", "(since 2026-03-02)"])
def test_dates_changed_by_hand_hold(told: Vault, line: str) -> None:
    report = by_hand(told, swap(THREE, f"{THREE} {line}"))
    assert len(report.edits) == 1
    assert f"- {THREE} {line}" in shown(told)
    settled(told)
    anew(told)
    assert f"- {THREE} {line}" in shown(told)
    by_hand(told, swap(line, "(since 2025)"))
    assert f"- {THREE} (since 2025)" in shown(told)
    settled(told)


def test_a_date_taken_away_by_hand_stays_away(told: Vault) -> None:
    tell(told, session("three", "2026-03-06", LINE.format("", "Berth 4 is dry.") + " | from=2026-03-05"))
    compiled(told)
    by_hand(told, swap(" (since 2026-03-05)", ""))
    assert "- Berth 4 is dry." in shown(told)
    settled(told)


def test_a_line_moved_to_another_section_takes_its_stance(told: Vault) -> None:
    line = next(line for line in page(told).splitlines() if EAST in line and line.startswith("- "))

    def done(text: str) -> str:
        return text.replace(f"{line}\n", "").replace("## Events", f"## Opinions\n\n{line}\n\n## Events")

    assert by_hand(told, done).edits == (EAST,)
    assert "## Opinions" in page(told)
    assert page(told).index("## Opinions") < page(told).rindex(EAST)
    settled(told)


def test_a_stance_written_by_hand_holds(told: Vault) -> None:
    by_hand(told, swap(EAST, f"{EAST} (inference)"))
    assert f"- {EAST} (inference)" in shown(told)
    settled(told)


def test_an_added_line_that_says_what_a_claim_says_adds_nothing(told: Vault) -> None:
    assert by_hand(told, add(f"- {EAST}")).edits == ()
    assert shown(told).count(f"- {EAST}") == 1
    settled(told)


def test_an_edit_of_an_edit_and_back_again(told: Vault) -> None:
    first = shown(told)
    by_hand(told, swap(THREE, FOUR))
    by_hand(told, swap(FOUR, "Retries stop after 5 attempts."))
    assert [line for line in shown(told) if "Retries" in line] == ["- Retries stop after 5 attempts."]
    settled(told)
    by_hand(told, swap("Retries stop after 5 attempts.", THREE))
    assert sorted(shown(told)) == sorted(first)
    settled(told)
    anew(told, ELSE)
    assert THREE in page(told)
    settled(told)


def test_a_removed_line_can_be_added_again_and_removed_again(told: Vault) -> None:
    line = next(line for line in page(told).splitlines() if EAST in line and line.startswith("- "))
    by_hand(told, cut(EAST))
    by_hand(told, add(f"- {EAST}"))
    assert EAST in page(told)
    settled(told)
    by_hand(told, cut(EAST))
    assert EAST not in page(told)
    settled(told)
    by_hand(told, add(line))
    assert EAST in page(told)
    settled(told)


def test_a_line_copied_and_changed_is_another_line(told: Vault) -> None:
    line = next(line for line in page(told).splitlines() if THREE in line and line.startswith("- "))
    by_hand(told, add(line.replace(THREE, "The gateway gives up after a minute.")))
    assert THREE in page(told)
    assert "The gateway gives up after a minute." in page(told)
    settled(told)


def test_a_line_struck_through_by_hand_is_removed(told: Vault) -> None:
    by_hand(told, swap(f"- {EAST}", f"- ~~{EAST}~~"))
    assert EAST not in page(told)
    settled(told)


def test_a_word_mended_in_the_history_brings_nothing_back(told: Vault) -> None:
    tell(told, session("three", "2026-03-06", LINE.format("retry-limit", "Retries stop after 5 attempts.")))
    compiled(told)
    assert f"~~{THREE}~~" in page(told)
    by_hand(told, swap(f"~~{THREE}~~", "~~Retries stopped after 3 attempts.~~"))
    told_now = page(told)
    assert "- Retries stop after 5 attempts. [^" in told_now
    assert "- ~~Retries stopped after 3 attempts.~~" in told_now
    assert "conflict" not in told_now
    settled(told)


def test_the_head_is_a_person_s_to_change(told: Vault) -> None:
    def done(text: str) -> str:
        head = "title: Second tries\ntype: decision\naliases: [tries, retry rule]\nscope: project:harbour\n"
        head += "# mine\ntags: [money]\nstatus: current\nsummary: What is tried twice.\n"
        return "---\n" + head + text[text.index("valid_from") :]

    report = by_hand(told, done)
    assert len(report.edits) == 5
    moved = "decisions/second-tries.md"
    assert not (told.root / "wiki" / PAGE).exists()
    text = page(told, moved)
    for line in ("title: Second tries", "type: decision", "# mine", "tags: [money]", "summary: What is tried twice."):
        assert f"\n{line}\n" in text
    assert "aliases: [payment retries, retry rule, tries]" in text
    settled(told)
    anew(told, ELSE)
    assert "title: Second tries" in page(told, moved)
    by_hand(told, swap("payment retries, retry rule, tries", "tries"), moved)
    assert "aliases: [tries]" in page(told, moved)
    settled(told)
    by_hand(told, swap("aliases: [tries]", "aliases: [Payment retries, tries]"), moved)
    assert "aliases: [Payment retries, tries]" in page(told, moved)
    settled(told)
    by_hand(told, swap("title: Second tries", "title: Payment retries"), moved)
    assert "title: Payment retries" in page(told, "decisions/payment-retries.md")
    settled(told)


def test_the_heading_is_the_title_too(told: Vault) -> None:
    by_hand(told, swap("# Payment retries", "# Trying again"))
    assert "title: Trying again" in page(told, "topics/trying-again.md")
    settled(told)


NEW = """---
title: Tide tables
tags: [sea]
aliases: [tides]
---

# Tide tables

Ask Ines before printing.

## Facts

- High water is at noon.
- The tables hang in the office. (since 2026-01-01)

## Steps

1. Print them.
2. Hang them up.

## Notes

- Not a fact.
"""


@pytest.mark.parametrize("name", ["tide-tables", "my-tides"])
def test_a_page_that_a_person_writes_becomes_claims_and_keeps_its_prose(told: Vault, name: str) -> None:
    (told.root / f"wiki/topics/{name}.md").write_text(NEW)
    save(told)
    assert len(compiled(told).edits) == 5
    path = "topics/tide-tables.md"
    text = page(told, path)
    assert [line for line in shown(told, path) if "fact" not in line] == [
        "- High water is at noon.",
        "- The tables hang in the office. (since 2026-01-01)",
        "1. Print them.",
        "2. Hang them up.",
    ] or sorted(shown(told, path))
    for kept in ("tags: [sea]", "aliases: [tides]", "Ask Ines before printing.", "- Not a fact."):
        assert f"{kept}\n" in text
    assert text.count("High water is at noon.") == 3
    assert (told.root / f"wiki/topics/{name}.md").exists() is (name == "tide-tables")
    settled(told)
    anew(told, ELSE)
    assert "- High water is at noon." in shown(told, path)
    settled(told)


def test_a_page_of_prose_stays_a_person_s(told: Vault) -> None:
    text = "# Payment retries\n\nMine alone.\n"
    (told.root / "wiki/topics/mine.md").write_text(text)
    save(told)
    assert compiled(told).edits == ()
    assert page(told, "topics/mine.md") == text
    settled(told)


def test_a_deleted_page_stays_away_until_something_new_is_said(told: Vault) -> None:
    (told.root / "wiki" / PAGE).unlink()
    save(told)
    assert len(compiled(told).edits) == 3
    assert not (told.root / "wiki" / PAGE).exists()
    settled(told)
    anew(told, ELSE)
    assert not (told.root / "wiki" / PAGE).exists()
    said = [LINE.format("", text) for text in (THREE, EAST, "The queue has a bell.")]
    tell(told, session("three", "2026-03-06", *said))
    compiled(told)
    assert [line for line in shown(told) if line.startswith("- ")] == ["- The queue has a bell."]
    settled(told)


def test_a_page_renamed_by_hand_loses_nothing(told: Vault) -> None:
    before = page(told)
    git(told.root, "mv", f"wiki/{PAGE}", "wiki/topics/tries.md")
    save(told)
    assert compiled(told).edits == ()
    assert page(told) == before
    settled(told)


def test_a_line_moved_to_another_page_is_not_removed(told: Vault) -> None:
    tell(told, session("three", "2026-03-06", "topic | harbour gate | | The gate is green."))
    compiled(told)
    line = next(line for line in page(told).splitlines() if EAST in line and line.startswith("- "))
    edit(told, cut(EAST))
    edit(told, add(line), "topics/harbour-gate.md")
    save(told)
    assert compiled(told).edits == ()
    assert f"- {EAST}" in shown(told)
    settled(told)


def test_a_claim_under_a_heading_of_a_person_s_is_not_removed(told: Vault) -> None:
    by_hand(told, swap("## Facts", "## What we know"))
    assert "## What we know" in page(told)
    assert f"- {EAST}" in shown(told)
    settled(told)


def test_a_later_session_disputes_what_was_written_by_hand_and_does_not_end_it(told: Vault) -> None:
    by_hand(told, swap(THREE, FOUR))
    tell(told, session("three", "2026-08-06", LINE.format("retry-limit", "Retries stop after 9 attempts.")))
    compiled(told)
    assert "9 attempts" not in page(told)
    told.approve(["all"])
    lines = [line for line in page(told).splitlines() if line.startswith("- Retries")]
    assert len(lines) == 2
    assert all("conflicts with" in line for line in lines)
    assert "History" not in page(told)
    settled(told)


def test_what_says_the_same_as_a_line_by_hand_does_not_take_its_place(told: Vault) -> None:
    by_hand(told, swap(EAST, "The queue waits in the western wing. (since 2026-02-02)"))
    west = "The queue stands in the west wing."
    tell(told, session("three", "2026-03-01", LINE.format("", west)))
    compiled(told, Dictated({frozenset({"The queue waits in the western wing.", west}): "same"}))
    assert "- The queue waits in the western wing. (since 2026-02-02)" in shown(told)
    assert f"- {west}" not in shown(told)
    settled(told)


def test_the_same_words_prove_what_was_removed_and_what_was_left(told: Vault) -> None:
    words = "We cap it at three and keep it in SQLite."
    cap, store = "The cap of the till is three.", "The till is kept in SQLite."
    said = [f"topic | till | {name} | {text} | words={words}" for name, text in (("limit", cap), ("", store))]
    tell(told, session("three", "2026-03-06", "\n".join([words, *said])))
    compiled(told)
    by_hand(told, cut(cap), "topics/till.md")
    turned = {cap: "Nothing beyond the third is tried.", store: "SQLite holds the data."}
    anew(told, Dictated(rewords=lambda text: turned.get(text, text), edition="3"))
    assert shown(told, "topics/till.md") == ["- SQLite holds the data."]
    settled(told)


def test_an_edit_with_a_secret_is_not_kept_and_said(told: Vault) -> None:
    from wikimem.errors import SecretLeft

    edit(told, add("- The key is AKIAIOSFODNN7EXAMPLQ."))
    save(told)
    head = git(told.root, "rev-parse", "HEAD")
    with pytest.raises(SecretLeft):
        told.compile(model=Dictated())
    assert git(told.root, "rev-parse", "HEAD") == head
    assert MOVED in page(told)


def test_what_is_changed_and_not_committed_is_told(vault: Vault) -> None:
    start(vault)
    page = vault.root / "wiki" / PAGE
    page.write_text(page.read_text().replace("3 attempts", "4 attempts"))
    report = vault.compile()
    assert report.uncommitted == (f"wiki/{PAGE}",)
    assert vault.status().uncommitted == (f"wiki/{PAGE}",)
    told = CliRunner().invoke(main, ["--vault", str(vault.root), "compile"]).output
    assert f"not committed: wiki/{PAGE}" in told
    assert "--take-edits" in told
    assert vault.compile(take_edits=True).edits
    assert vault.compile().uncommitted == vault.status().uncommitted == ()
