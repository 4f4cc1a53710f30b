"""Hand edits through git: squashed, rebased, picked, reverted, cloned, merged, half typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import NOW
from dictated import Dictated, git, session, tell, wiki
from handwork import (
    EAST,
    LINE,
    MOVED,
    PAGE,
    THREE,
    add,
    by_hand,
    compiled,
    cut,
    edit,
    page,
    run,
    save,
    settled,
    shown,
    start,
    swap,
)
from wikimem.faces.api import Vault

FOUR = "Retries stop after 4 attempts."
NOTE = "Ask Ines."


@pytest.fixture
def told(vault: Vault) -> Vault:
    return start(vault)


def clone(vault: Vault, name: str, *args: str) -> Vault:
    target = vault.root.parent / name
    run(vault.root.parent, "clone", "-q", *args, vault.root.as_uri(), str(target))
    return Vault.open(target, clock=lambda: NOW)


def edited(vault: Vault) -> None:
    edit(vault, swap(THREE, FOUR))
    edit(vault, cut(EAST))
    edit(vault, add("- Invoices go out on Mondays."))
    save(vault)


def kept(vault: Vault) -> None:
    """The three edits hold."""
    facts = [line for line in shown(vault) if "berth" not in line]
    assert sorted(facts) == ["- Invoices go out on Mondays.", f"- {FOUR}"]
    settled(vault)


def test_a_squashed_edit(told: Vault) -> None:
    git(told.root, "checkout", "-qb", "side")
    edited(told)
    edit(told, add("Prose of mine.\n", "Facts"))
    save(told)
    git(told.root, "checkout", "-q", "main")
    git(told.root, "merge", "-q", "--squash", "side")
    save(told, "squashed")
    compiled(told)
    assert "Prose of mine." in page(told)
    kept(told)


def test_a_squash_of_an_edit_that_was_taken(told: Vault) -> None:
    git(told.root, "checkout", "-qb", "side")
    edited(told)
    compiled(told)
    git(told.root, "checkout", "-q", "main")
    git(told.root, "merge", "-q", "--squash", "side")
    run(told.root, "commit", "-qm", "squashed")
    assert compiled(told).edits == ()
    kept(told)


def test_a_squash_of_a_claim_s_birth_and_its_removal_brings_it_back_once(told: Vault) -> None:
    # No parent ever showed the claim, so nothing tells a removal from a conflict in which one side was taken.
    git(told.root, "checkout", "-qb", "side")
    tell(told, session("three", "2026-03-06", LINE.format("", "The queue hums at night."), LINE.format("", "The queue is red.")))
    compiled(told)
    edit(told, cut("hums at night"))
    save(told)
    git(told.root, "checkout", "-q", "main")
    git(told.root, "merge", "-q", "--squash", "side")
    run(told.root, "commit", "-qm", "squashed")
    assert "hums at night" not in "".join(shown(told)) and "The queue is red." in page(told)
    assert compiled(told).edits == ()
    assert "- The queue hums at night." in shown(told)
    settled(told)
    # Now it was shown, and a removal is one.
    by_hand(told, cut("hums at night"))
    assert "- The queue hums at night." not in shown(told)
    settled(told)


@pytest.mark.parametrize("taken", [False, True])
def test_a_rebased_edit(told: Vault, taken: bool) -> None:
    git(told.root, "checkout", "-qb", "side")
    edited(told)
    if taken:
        compiled(told)
    git(told.root, "checkout", "-q", "main")
    tell(told, session("three", "2026-03-06", "topic | harbour gate | | The gate is green."))
    compiled(told)
    git(told.root, "checkout", "-q", "side")
    # Pages of lists change on both sides; either side will do.
    run(told.root, "rebase", "-q", "-Xours", "main")
    compiled(told)
    kept(told)


def test_a_picked_edit(told: Vault) -> None:
    git(told.root, "checkout", "-qb", "side")
    edited(told)
    git(told.root, "checkout", "-q", "main")
    tell(told, session("three", "2026-03-06", "topic | harbour gate | | The gate is green."))
    compiled(told)
    git(told.root, "cherry-pick", "side")
    compiled(told)
    kept(told)


def test_an_edit_reverted_before_it_was_taken_is_none(told: Vault) -> None:
    before = page(told)
    edited(told)
    git(told.root, "revert", "--no-edit", "HEAD")
    assert compiled(told).edits == ()
    assert page(told) == before
    settled(told)


@pytest.mark.parametrize("moment", ["", "2026-06-01T07:00:00Z"])
def test_the_revert_of_what_an_edit_gave_undoes_the_edit(told: Vault, moment: str) -> None:
    before = page(told)
    edited(told)
    compiled(told)
    sources = sorted(told.root.glob("sources/*/*/*-edit-*.jsonl"))
    after = page(told)
    git(told.root, "revert", "--no-edit", "HEAD")
    # Now the page shows the edit as it was typed; that is reverted, too.
    git(told.root, "revert", "--no-edit", "HEAD~3")
    assert page(told) == before
    report = compiled(told)
    assert report.edits == (f"Undone: the edits of {sources[0].stem}",)
    assert page(told) == before
    settled(told)
    # And the undoing can be undone, within the second and by a clock that is behind.
    (undoing,) = git(told.root, "log", "-1", "--format=%H", "--", "wiki").split()
    run(told.root, "revert", "--no-edit", undoing, moment=moment or git(told.root, "log", "-1", "--format=%cI", undoing).strip())
    compiled(told)
    assert sorted(shown(told)) == sorted(line.split(" [^")[0] for line in after.splitlines() if line.startswith("- "))
    settled(told)


def test_the_revert_of_a_compile_leaves_the_edit_as_it_was_typed(told: Vault) -> None:
    edited(told)
    compiled(told)
    git(told.root, "revert", "--no-edit", "HEAD")
    compiled(told)
    kept(told)


def test_an_old_page_checked_out_is_an_edit_back(told: Vault) -> None:
    before = shown(told)
    edited(told)
    old = git(told.root, "rev-parse", "HEAD~1").strip()
    compiled(told)
    git(told.root, "checkout", old, "--", f"wiki/{PAGE}")
    save(told)
    compiled(told)
    assert sorted(shown(told)) == sorted(before)
    settled(told)


def test_the_revert_of_a_removal_brings_the_line_back(told: Vault) -> None:
    before = shown(told)
    edit(told, cut(EAST))
    save(told)
    removal = git(told.root, "rev-parse", "HEAD").strip()
    compiled(told)
    assert EAST not in page(told)
    run(told.root, "revert", "--no-edit", removal, fails=True)
    text = page(told)
    if "<<<<<<<" in text:
        git(told.root, "revert", "--abort")
        before_it = git(told.root, "show", f"{removal}~1:wiki/{PAGE}").splitlines()
        edit(told, add(next(line for line in before_it if EAST in line and line[0] == "-")))
        save(told)
    report = compiled(told)
    assert report.edits == (f"Kept: “{EAST}”",)
    assert sorted(shown(told)) == sorted(before)
    settled(told)


def test_a_clone_of_depth_one_keeps_what_was_taken(told: Vault) -> None:
    edited(told)
    compiled(told)
    there = clone(told, "cut", "--depth", "1")
    tell(there, session("three", "2026-03-06", "topic | harbour gate | | The gate is green."))
    compiled(there)
    kept(there)


def test_a_clone_of_depth_one_waits_where_history_must_tell(told: Vault) -> None:
    edit(told, swap(THREE, FOUR))
    save(told)
    there = clone(told, "cut", "--depth", "1")
    compiled(there)
    assert FOUR in page(there)
    edit(told, cut(EAST))
    save(told)
    there = clone(told, "cut again", "--depth", "1")
    text = page(there)
    (problem,) = there.compile(model=Dictated()).problems
    assert (problem.where, problem.rule) == (f"wiki/{PAGE}", "shallow")
    assert page(there) == text
    git(there.root, "fetch", "-q", "--unshallow")
    compiled(there)
    assert EAST not in page(there)
    assert FOUR in page(there)
    settled(there)


def merged(here: Vault, there: Vault) -> None:
    """Bring what another clone has; a conflict is settled by taking our side."""
    run(here.root, "fetch", "-q", str(there.root), "HEAD")
    run(here.root, "merge", "-q", "-Xours", "--no-edit", "FETCH_HEAD")


@pytest.mark.parametrize("taken", [False, True])
def test_two_clones_that_edit_different_lines(told: Vault, taken: bool) -> None:
    there = clone(told, "other")
    edit(told, swap(THREE, FOUR))
    edit(told, add("- Invoices go out on Mondays."))
    save(told)
    edit(there, cut(MOVED))
    save(there)
    tell(there, session("three", "2026-03-06", LINE.format("", "The queue has a bell.")))
    if taken:
        compiled(told)
        compiled(there)
    merged(told, there)
    compiled(told)
    facts = ["- Invoices go out on Mondays.", f"- {FOUR}", "- The queue has a bell.", f"- {EAST}"]
    assert sorted(shown(told)) == sorted(facts)
    settled(told)
    merged(there, told)
    compiled(there)
    assert wiki(there) == wiki(told)
    settled(there)


def test_two_clones_that_change_one_line_show_both(told: Vault) -> None:
    there = clone(told, "other")
    by_hand(told, swap(THREE, FOUR))
    by_hand(there, swap(THREE, "Retries stop after 6 attempts."))
    merged(told, there)
    compiled(told)
    lines = [line for line in page(told).splitlines() if line.startswith("- Retries")]
    assert len(lines) == 2
    assert all("conflicts with" in line for line in lines)
    settled(told)
    merged(there, told)
    compiled(there)
    assert wiki(there) == wiki(told)
    by_hand(told, cut("6 attempts"))
    assert "conflict" not in page(told)
    settled(told)


def test_a_line_changed_in_a_clone_that_had_not_taken_it_is_no_loss(told: Vault) -> None:
    there = clone(told, "other")
    by_hand(told, swap(THREE, FOUR))
    edit(there, swap(THREE, "Retries stop after 6 attempts."))
    save(there)
    run(there.root, "fetch", "-q", str(told.root), "HEAD")
    run(there.root, "merge", "-q", "-Xours", "--no-edit", "FETCH_HEAD")
    compiled(there)
    assert {FOUR, "Retries stop after 6 attempts."} <= {line[2:].split(" (")[0] for line in shown(there)}
    settled(there)


def test_what_one_clone_removed_and_the_other_touched_later(told: Vault) -> None:
    """The removal is found behind the merge, though the other side's commits are younger."""
    there = clone(told, "other")
    edit(told, cut(EAST))
    save(told)
    tell(there, session("three", "2026-03-06", LINE.format("event", "The bell was rung.") + " | kind=episodic | from=2026-03-05"))
    compiled(there)
    edit(there, lambda text: text + "\n## Notes\n\nAsk Ines.\n")
    save(there)
    merged(told, there)
    assert EAST not in str(shown(told))
    compiled(told)
    assert EAST not in page(told)
    assert "The bell was rung." in page(told)
    settled(told)


def test_another_rendering_is_no_edit(told: Vault) -> None:
    edited(told)
    compiled(told)
    (told.root / ".wikimem/wiki.json").write_bytes(b'{"edition":"0"}')
    assert compiled(told).edits == ()
    kept(told)


def test_an_editor_with_other_line_ends(told: Vault) -> None:
    before = page(told)
    (told.root / "wiki" / PAGE).write_bytes(before.replace("\n", "\r\n").encode())
    assert compiled(told).edits == ()
    (told.root / "wiki" / PAGE).write_bytes(before.replace(THREE, FOUR).replace("\n", "\r\n").encode())
    save(told)
    assert FOUR in compiled(told).edits
    assert FOUR in str(shown(told))
    assert THREE not in str(shown(told))


@pytest.mark.parametrize("staged", ["", "all", "half"])
def test_a_half_typed_page_is_left_alone_until_somebody_says_so(told: Vault, staged: str) -> None:
    if staged == "half":
        edit(told, add("- Invoices go"))
        git(told.root, "add", "-A")
        edit(told, swap("- Invoices go", "- Invoices go out on Mondays."))
    else:
        edit(told, add("- Invoices go out on Mondays."))
    edit(told, swap(THREE, FOUR))
    edit(told, cut(EAST))
    edit(told, lambda text: text + "\n## Notes\n\nAsk Ines.\n")
    git(told.root, "add", "-A") if staged == "all" else None
    typed, index = page(told), git(told.root, "diff", "--cached")
    tell(told, session("three", "2026-03-06", LINE.format("", "The queue has a bell.")))
    report = told.compile(model=Dictated())
    assert {problem.rule for problem in report.problems} == {"uncommitted"}
    assert report.edits == ()
    assert (page(told), git(told.root, "diff", "--cached")) == (typed, index)
    assert FOUR not in git(told.root, "show", f"HEAD:wiki/{PAGE}")
    report = told.compile(model=Dictated(), take_edits=True)
    assert len(report.edits) == 3
    if staged == "half":
        # What is staged is another text than what is typed: the edits are taken, and the page stays as it is.
        assert page(told) == typed
        assert git(told.root, "diff", "--cached") == index
        git(told.root, "add", "-A")
        run(told.root, "commit", "-qm", "mine")
    else:
        assert report.problems == []
    compiled(told)
    assert "Ask Ines." in page(told)
    assert "The queue has a bell." in page(told)
    facts = [line for line in shown(told) if "berth" not in line and "bell" not in line]
    assert sorted(facts) == ["- Invoices go out on Mondays.", f"- {FOUR}"]
    settled(told)


def test_new_and_deleted_pages_in_no_commit_are_taken_when_somebody_says_so(told: Vault) -> None:
    new = told.root / "wiki/topics/gate.md"
    new.write_text("---\ntitle: Harbour gate\n---\n\nMine.\n\n## Facts\n\n- The gate is green.\n")
    (told.root / "wiki" / PAGE).unlink()
    assert {problem.rule for problem in told.compile(model=Dictated()).problems} <= {"uncommitted"}
    report = told.compile(model=Dictated(), take_edits=True)
    assert report.problems == []
    assert len(report.edits) == 4
    assert not (told.root / "wiki" / PAGE).exists()
    assert not new.exists()
    assert "- The gate is green." in shown(told, "topics/harbour-gate.md")
    assert "Mine." in page(told, "topics/harbour-gate.md")
    settled(told)


def test_a_broken_page_is_left_alone_and_stops_nothing(told: Vault) -> None:
    tell(told, session("three", "2026-03-06", "topic | harbour gate | | The gate is green."))
    compiled(told)
    edit(told, swap("title: Payment retries", "title: [Payment: retries"))
    broken = page(told)
    save(told)
    edit(told, swap("green", "blue"), "topics/harbour-gate.md")
    save(told)
    report = told.compile(model=Dictated())
    assert [(problem.where, problem.rule) for problem in report.problems] == [(f"wiki/{PAGE}:2", "frontmatter")]
    assert page(told) == broken
    assert report.edits == ("The gate is blue.",)
    assert "The gate is blue." in page(told, "topics/harbour-gate.md")


def test_what_is_said_of_an_edit(told: Vault, tmp_path: Path) -> None:
    report = by_hand(told, swap(THREE, FOUR))
    assert report.as_json()["edits"] == [FOUR]
    subjects = git(told.root, "log", "-2", "--format=%s%n%(trailers:key=Wiki-Op,unfold)").split("\n")
    assert "edit: 1 change by Nora" in subjects
    assert "Wiki-Op: edit" in subjects
    assert FOUR in str(told.history("payment retries"))
    answer = str(told.recall("when do retries stop after attempts?").as_json())
    assert FOUR in answer
    assert "edit" in str(told.why("payment retries"))
    assert FOUR in str(told.diff("HEAD~1"))
