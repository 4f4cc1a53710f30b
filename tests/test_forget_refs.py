"""Forgetting and references: what has it is named, what is here is cleaned, and for a remote the commands are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from dictated import Dictated, Judged, as_model, check, git, session, tell
from reviewing import branches
from syncing import clone, publish
from wikimem import receipts
from wikimem.faces.api import Vault

CRANE = "topic | harbour crane | | The harbour crane lifts forty tonnes at most."
NEVER = "topic | harbour crane | | There never was a harbour crane."
LIMIT = "topic | payment retries | retry-limit | Retries stop after {} attempts."
DENIES: Judged = {frozenset({"The harbour crane lifts forty tonnes at most.", "There never was a harbour crane."}): "denies"}
SECRET = "555-0199"
WORDS = b"never was a harbour crane"


@pytest.fixture
def sources(vault: Vault) -> list[str]:
    """A vault with a remote, in which a denial waits on a branch that was pushed."""
    (one,) = tell(vault, session("one", "2026-03-02", LIMIT.format(3), CRANE))
    vault.compile(model=Dictated(DENIES))
    (two,) = tell(vault, session("two", "2026-03-04", "Good morning.", NEVER, LIMIT.format(5), f"Sam is called {SECRET} here."))
    vault.compile(model=Dictated(DENIES))
    publish(vault)
    vault.push_proposals()
    return [one, two]


def objects(root: Path, words: bytes) -> list[str]:
    """The objects that hold some words, reachable or not."""
    listed = git(root, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)").split()
    kinds = zip(listed[::2], listed[1::2], strict=True)
    return [name for name, kind in kinds if kind != "tree" and words.decode() in git(root, "cat-file", kind, name)]


def test_a_dry_run_names_each_reference_that_has_it(vault: Vault, sources: list[str], tmp_path: Path) -> None:
    git(vault.root, "tag", "v1")
    git(vault.root, "tag", "-a", "-m", "noted", "v2")
    git(vault.root, "tag", "old", git(vault.root, "rev-list", "--max-parents=0", "HEAD").strip())
    git(vault.root, "branch", "side")
    git(vault.root, "branch", "early", "old")
    git(vault.root, "worktree", "add", "-q", "--detach", str(tmp_path / "tree"))
    page = vault.root / "wiki/topics/harbour-crane.md"
    page.write_text(page.read_text() + "\nstashed\n")
    git(vault.root, "stash", "-q")
    (proposal,) = branches(vault.root)
    report = vault.forget(sources[1])
    found = report.residue
    assert found is not None
    assert set(found.branches) == {"side", proposal}
    assert set(found.tags) == {"v1", "v2"}
    assert set(found.remotes) == {"origin/main", f"origin/{proposal}"}
    assert found.stashes == ("stash@{0}",)
    assert {"HEAD", "refs/heads/main", "refs/heads/side"} <= set(found.reflogs)
    assert "refs/heads/early" not in found.reflogs
    assert found.worktrees == (str(tmp_path / "tree"),)
    told = receipts.text(report)
    for line in (
        f"proposal {proposal} (goes as well)",
        "tag v1",
        "stash entry stash@{0}",
        f"git push origin --delete {proposal}",
    ):
        assert line in told
    assert SECRET not in told
    assert branches(vault.root) == [proposal]


def test_a_branch_that_was_reset_away_is_told_by_its_log_and_goes_with_history(
    vault: Vault, sources: list[str], tmp_path: Path
) -> None:
    root = git(vault.root, "rev-list", "--max-parents=0", "HEAD").strip()
    git(vault.root, "branch", "side")
    git(vault.root, "branch", "-f", "side", root)
    assert "refs/heads/side" in (vault.forget(sources[1]).residue or pytest.fail()).reflogs
    report = vault.forget(sources[1], yes=True, history=True, bundle=tmp_path / "b", model=as_model(Dictated(DENIES)))
    assert (report.left_objects, report.left_files, report.code) == ((), (), 0)
    assert objects(vault.root, WORDS) == objects(vault.root, SECRET.encode()) == []
    check(vault)


def test_the_receipt_gives_the_commands_that_clean_the_remote_and_they_do(
    vault: Vault, sources: list[str], tmp_path: Path
) -> None:
    remote = vault.root.parent / "remote.git"
    git(vault.root, "tag", "v1")
    git(vault.root, "push", "-q", "origin", "v1", "main:other")
    git(vault.root, "fetch", "-q")
    assert objects(remote, WORDS)
    report = vault.forget(sources[1], yes=True, history=True, bundle=tmp_path / "b", model=as_model(Dictated(DENIES)))
    assert report.code == 0
    assert branches(vault.root) == []
    told = receipts.commands(report)
    assert len(told) == 4
    assert all(line in receipts.text(report) for line in told)
    assert objects(remote, WORDS)
    for line in told:
        git(vault.root, *line.split()[1:], "-q")
    git(remote, "reflog", "expire", "--expire=now", "--all")
    git(remote, "gc", "-q", "--prune=now")
    assert objects(remote, WORDS) == objects(remote, SECRET.encode()) == []
    fresh = clone(remote, "fresh")
    check(fresh)
    assert "origin/main" in git(vault.root, "branch", "-r", "--format=%(refname:short)")
    vault.sync(model=as_model(Dictated(DENIES)))


def test_a_lease_is_refused_where_the_remote_moved_meanwhile(vault: Vault, sources: list[str], tmp_path: Path) -> None:
    report = vault.forget(sources[1], yes=True, history=True, bundle=tmp_path / "b", model=as_model(Dictated(DENIES)))
    other = clone(vault.root.parent / "remote.git", "other")
    git(other.root, "commit", "-q", "--allow-empty", "-m", "new work")
    git(other.root, "push", "-q")
    (line,) = (each for each in receipts.commands(report) if "force-with-lease" in each)
    with pytest.raises(AssertionError, match="stale info"):
        git(vault.root, *line.split()[1:])


def test_what_a_remote_still_proposes_of_forgotten_words_does_not_wait_again(vault: Vault, sources: list[str]) -> None:
    assert len(vault.review().items) == 1
    vault.forget(matching="never was a harbour crane", yes=True, model=as_model(Dictated(DENIES)))
    assert branches(vault.root) == []
    assert vault.review(fetch=True).items == ()
    vault.compile(model=Dictated(DENIES))
    assert vault.review().items == ()
