"""Syncing what people wrote on both sides: nothing is lost, and where both wrote at one place it is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from dictated import Dictated, check, git, session, tell, wiki
from syncing import GATE, LIMIT, PAGE, QUEUE, clone, edits, publish, writes
from wikimem.faces.api import Vault


@pytest.fixture
def remote(vault: Vault) -> Path:
    """A remote whose wiki has one page with two claims and a note."""
    tell(vault, session("one", "2026-03-02", LIMIT.format(3), QUEUE.format("east")))
    vault.compile(model=Dictated())
    writes(vault, "Ask Ines.")
    return publish(vault)


@pytest.fixture
def two(remote: Path) -> tuple[Vault, Vault]:
    return clone(remote, "mine"), clone(remote, "theirs")


def sync(*vaults: Vault, conflicts: tuple[str, ...] = ()) -> list[str]:
    """Sync some clones one after the other; what was taken from the pages. Afterwards all are the same."""
    taken: list[str] = []
    for each in vaults:
        report = each.sync(model=Dictated())
        assert (report.problems, tuple(report.conflicts)) == ([], conflicts if report.merges else ())
        taken += [*report.edits, *(words for made in report.compiled for words in made.edits)]
    vaults[0].sync(model=Dictated())
    assert all(wiki(each) == wiki(vaults[0]) for each in vaults)
    for each in vaults:
        check(each)
    return taken


def page(vault: Vault, path: str = PAGE) -> str:
    return (vault.root / path).read_text()


def test_notes_of_both_sides_at_different_places_are_both_there(two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    edits(mine, lambda text: text.replace("## Facts\n", "Read this first.\n\n## Facts\n"))
    edits(theirs, lambda text: text.replace("Ask Ines.", "Ask Ines or Tom."))
    sync(mine, theirs)
    assert [page(mine).count(words) for words in ("Read this first.", "Ask Ines or Tom.", "Ask Ines.\n")] == [1, 1, 0]


def test_what_one_side_took_away_does_not_come_back(two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    edits(mine, lambda text: text.replace("Ask Ines.\n", ""))
    tell(theirs, session("two", "2026-03-04", QUEUE.format("west")))
    sync(mine, theirs)
    assert "Ask Ines" not in page(theirs)
    assert "west queue" in page(mine)


@pytest.mark.parametrize("first", [0, 1])
def test_both_sides_change_one_note_and_both_texts_stay(two: tuple[Vault, Vault], first: int) -> None:
    edits(two[0], lambda text: text.replace("Ask Ines.", "Ask Tom."))
    edits(two[1], lambda text: text.replace("Ask Ines.", "Ask Nora."))
    sync(two[first], two[1 - first], conflicts=(PAGE,))
    # In whatever order they sync, the page is the same.
    assert page(two[0]).count("Ask Nora.\nAsk Tom.\n") == 1
    assert "Ask Ines" not in page(two[0])


def test_both_sides_set_one_key_and_the_page_can_still_be_read(two: tuple[Vault, Vault]) -> None:
    for each, name in zip(two, ("Tom", "Nora"), strict=True):
        edits(each, lambda text, name=name: text.replace("\nstatus:", f"\nowner: {name}\nstatus:"))  # type: ignore[misc]
    sync(*two, conflicts=(PAGE,))
    assert page(two[0]).count("\nowner: Nora\n# owner: Tom\n") == 1


def test_the_same_note_on_both_sides_stands_once(two: tuple[Vault, Vault]) -> None:
    for each in two:
        writes(each, "Never on Fridays.")
    sync(*two)
    assert page(two[0]).count("Never on Fridays.") == 1


def test_both_sides_reword_one_claim_and_the_later_wording_holds(two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    edits(
        mine, lambda text: text.replace("- Payment retries wait in the east queue.", "- Payment retries wait in the red queue.")
    )
    edits(
        theirs,
        lambda text: text.replace("- Payment retries wait in the east queue.", "- Payment retries wait in the blue queue."),
    )
    taken = sync(mine, theirs)
    # Each side took its own before both were joined.
    assert sorted(taken) == ["Payment retries wait in the blue queue.", "Payment retries wait in the red queue."]
    told = "".join(path.read_text() for path in mine.root.glob("sources/**/*-edit-*.jsonl"))
    assert "red queue" in told and "blue queue" in told
    assert "- Payment retries wait in the east queue." not in page(mine)
    assert "blue queue" in page(mine)


@pytest.mark.parametrize("compile", [True, False])
def test_edits_that_the_other_side_only_committed_are_taken(remote: Path, two: tuple[Vault, Vault], compile: bool) -> None:
    mine, theirs = two
    edits(theirs, lambda text: text.replace("- Retries stop after 3", "- Retries stop after 4"))
    edits(theirs, lambda text: text.replace("## Facts\n\n", "## Facts\n\n- The west queue is empty on Sundays.\n"))
    git(theirs.root, "push", "-q")
    edits(mine, lambda text: "".join(line for line in text.splitlines(True) if "east queue. [^" not in line))
    tell(mine, session("two", "2026-03-04", GATE.format("dusk")))
    report = mine.sync(model=Dictated(), compile=compile)
    assert report.problems == []
    told = [*report.edits, *(words for made in report.compiled for words in made.edits)]
    assert sorted(told) == [
        "Removed: “Payment retries wait in the east queue.”",
        "Retries stop after 4 attempts.",
        "The west queue is empty on Sundays.",
    ]
    assert "- Retries stop after 4 attempts." in page(mine)
    assert "- The west queue is empty on Sundays. [^" in page(mine)
    assert "east queue" not in page(mine)
    sync(theirs, mine)
    assert mine.recompile(check=True, model=Dictated()).files == ()


def test_a_page_that_people_made_is_merged_by_git_and_loses_nothing(two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    own = "wiki/topics/our-own.md"
    for each, line in ((mine, "From Tom."), (theirs, "From Nora.")):
        (each.root / own).write_text(f"# Our own\n\n{line}\n")
        git(each.root, "add", own)
        git(each.root, "commit", "-qm", "a page")
    sync(mine, theirs, conflicts=(own,))
    assert page(mine, own) == "# Our own\n\nFrom Nora.\nFrom Tom.\n"


def test_notes_follow_a_page_that_the_other_side_named_anew(two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    edits(mine, lambda text: text.replace("title: Payment retries", "title: Second attempts"))
    mine.compile(model=Dictated())
    assert not (mine.root / PAGE).exists()
    writes(theirs, "Only on Mondays.")
    sync(mine, theirs)
    text = page(mine, "wiki/topics/second-attempts.md")
    assert [text.count(words) for words in ("Ask Ines.", "Only on Mondays.")] == [1, 1]
    assert not (mine.root / PAGE).exists()


def test_a_page_deleted_on_one_side_is_gone_and_what_the_other_wrote_on_it_is_kept(two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    git(mine.root, "rm", "-q", PAGE)
    git(mine.root, "commit", "-qm", "away")
    writes(theirs, "Only on Mondays.")
    for each in (mine, theirs, mine):
        each.sync(model=Dictated())
    assert (wiki(mine), page(mine).count("Only on Mondays."), page(mine).count("- Retries stop")) == (wiki(theirs), 1, 0)


@pytest.mark.parametrize("compile", [True, False])
@pytest.mark.parametrize("busy", [False, True])
def test_a_revert_that_the_other_side_only_pushed_undoes_the_edit_on_both(
    two: tuple[Vault, Vault], compile: bool, busy: bool
) -> None:
    mine, theirs = two
    edits(theirs, lambda text: text.replace("- Retries stop after 3", "- Retries stop after 4"))
    theirs.compile(model=Dictated())
    sync(theirs, mine)
    assert "- Retries stop after 4 attempts. [^" in page(mine)
    (edit,) = (source for source in mine._opened.ledger.all() if "-edit-" in source)
    # Both what the edit gave and the edit as it was typed are reverted, and pushed by plain git.
    given, typed = git(theirs.root, "log", "-2", "--format=%H", "--", PAGE).split()
    git(theirs.root, "revert", "--no-edit", given)
    git(theirs.root, "revert", "--no-edit", typed)
    git(theirs.root, "push", "-q")
    if busy:
        tell(mine, session("two", "2026-03-04", GATE.format("dusk")))
    report = mine.sync(model=Dictated(), compile=compile)
    assert report.problems == []
    sync(mine, theirs)
    if not compile:
        mine.compile(model=Dictated())
        sync(mine, theirs)
    for each in (mine, theirs):
        assert "- Retries stop after 3 attempts. [^" in page(each)
        assert "after 4" not in page(each)
        check(each)
    assert f"Undone: the edits of {edit}" in git(mine.root, "log", "--format=%b")
    assert mine.recompile(check=True, model=Dictated()).files == ()
