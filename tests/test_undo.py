"""Undoing: as a commit and a verdict that no compile and no model forgets; and the undoing of an undoing."""

from __future__ import annotations

import re

import pytest

from dictated import Dictated, as_model, check, commits, git, session, tell, wiki
from wikimem.errors import CannotUndo, UsageError
from wikimem.faces.api import Vault

LIMIT = "topic | payment retries | retry-limit | Retries stop after {} attempts."
CRANE = "topic | harbour crane | | The harbour crane lifts forty tonnes at most."
PAGE = "topics/payment-retries.md"


@pytest.fixture
def sources(vault: Vault) -> list[str]:
    found = tell(vault, session("one", "2026-03-02", LIMIT.format(3)), session("two", "2026-03-04", LIMIT.format(3), CRANE))
    vault.compile(model=as_model(Dictated()))
    return found


def pages(vault: Vault) -> str:
    """What the pages say, without the cards of sessions."""
    return "".join(
        data.decode() for path, data in wiki(vault).items() if path.endswith(".md") and not path.startswith("sessions")
    )


def settled(vault: Vault, out: str) -> None:
    """It stays out, whatever is compiled anew."""
    (vault.root / ".wikimem/wiki.json").unlink()
    vault.compile(model=as_model(Dictated()))
    assert out not in pages(vault)
    vault.recompile(model=as_model(Dictated(edition="2", rewords=lambda text: text.replace("forty", "40"))))
    assert out not in pages(vault)
    assert out.replace("forty", "40") not in pages(vault)
    check(vault)


def test_an_undone_source_stays_out_and_others_that_say_the_same_keep_it(vault: Vault, sources: list[str]) -> None:
    before = len(commits(vault))
    done = vault.undo(sources[1])
    assert (done.changed, len(commits(vault)) - before) == ("+0 ~0 -1", 2)
    assert "3 attempts" in pages(vault)
    assert "forty tonnes" not in pages(vault)
    assert (vault.root / f"sources/2026/03/{sources[1]}.jsonl").exists()
    settled(vault, "forty tonnes")


def test_undoing_again_brings_it_back_and_again_takes_it_out(vault: Vault, sources: list[str]) -> None:
    with_it = pages(vault)
    assert vault.undo(sources[1]).words == (f"Undone: what {sources[1]} gave",)
    without = pages(vault)
    assert vault.undo(sources[1]).words == (f"Brought back: what {sources[1]} gave",)
    assert pages(vault) == with_it
    vault.undo(sources[1])
    assert pages(vault) == without
    check(vault)


def test_a_commit_that_compiled_a_source_is_undone(vault: Vault, sources: list[str]) -> None:
    (compiled,) = (line.split()[0] for line in git(vault.root, "log", "--oneline").splitlines() if "crane" in line)
    vault.undo(compiled)
    assert "forty tonnes" not in pages(vault)
    settled(vault, "forty tonnes")


def test_the_commit_of_an_undo_is_undone(vault: Vault, sources: list[str]) -> None:
    before = pages(vault)
    vault.undo(sources[1])
    vault.undo("HEAD")
    assert pages(vault) == before
    vault.undo("HEAD~1")
    assert "forty tonnes" not in pages(vault)


def test_a_claim_is_undone_and_brought_back(vault: Vault, sources: list[str]) -> None:
    before = pages(vault)
    (claim,) = set(re.findall(r"forty tonnes at most\. \[\^(\w+)\]", before))
    vault.undo(claim)
    assert "forty tonnes" not in pages(vault)
    vault.undo(f"[^{claim}]")
    assert pages(vault) == before
    vault.undo(claim)
    settled(vault, "forty tonnes")


def test_a_hand_edit_is_undone(vault: Vault, sources: list[str]) -> None:
    before = pages(vault)
    edited = vault.rename("payment retries", "Retrying payments")
    assert "Retrying payments" in pages(vault)
    vault.undo(edited.source)
    assert pages(vault) == before
    check(vault)


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ("recompile", "`git revert"),
        ("person", "a person made it"),
        ("init", "it made the vault"),
        ("merge", "it is a merge"),
        ("forget", "is gone"),
    ],
)
def test_other_commits_are_refused_with_what_to_do_instead(vault: Vault, sources: list[str], made: str, told: str) -> None:
    name = "HEAD"
    if made == "recompile":
        vault.recompile(model=as_model(Dictated(rewords=str.upper, edition="2")), reword=True)
    elif made == "person":
        (vault.root / "mine.txt").write_text("mine")
        git(vault.root, "add", "mine.txt")
        git(vault.root, "commit", "-qm", "mine")
    elif made == "init":
        name = git(vault.root, "rev-list", "--max-parents=0", "HEAD").strip()
    elif made == "merge":
        git(vault.root, "checkout", "-qb", "side", "HEAD~1")
        git(vault.root, "commit", "-q", "--allow-empty", "-m", "side")
        git(vault.root, "checkout", "-q", "main")
        git(vault.root, "merge", "-q", "-m", "joined", "side")
    else:
        vault.forget(sources[1], yes=True)
    before = commits(vault)
    with pytest.raises(CannotUndo, match=told):
        vault.undo(name)
    assert commits(vault) == before


@pytest.mark.parametrize("name", ["", "  ", "nothing", "0000000", "aaaaaaaaaaaa", "2026030"])
def test_a_name_of_nothing_changes_nothing(vault: Vault, sources: list[str], name: str) -> None:
    before = commits(vault)
    with pytest.raises(UsageError):
        vault.undo(name)
    assert commits(vault) == before
