"""Forgetting with history: no object of git holds it afterwards, everything else is as it was, and a copy was kept."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dictated import Dictated, as_model, check, commits, git, session, tell, wiki
from syncing import clone, publish
from wikimem.errors import CannotForget, CannotSync, UsageError
from wikimem.faces.api import Vault

CRANE = "topic | harbour crane | | The harbour crane lifts forty tonnes at most."
LIMIT = "topic | payment retries | retry-limit | Retries stop after {} attempts."
WORDS = b"forty tonnes"


@pytest.fixture
def sources(vault: Vault) -> list[str]:
    found = tell(
        vault,
        session("one", "2026-03-02", LIMIT.format(3), CRANE),
        session("two", "2026-03-04", LIMIT.format(5), "Sam is called 555-0199 here.", "The ferry leaves at nine."),
    )
    vault.compile(model=as_model(Dictated()))
    return found


def objects(root: Path, words: bytes) -> list[str]:
    """The objects that hold some words, reachable or not."""
    listed = git(root, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)").split()
    found = []
    for name, kind in zip(listed[::2], listed[1::2], strict=True):
        if kind != "tree" and words.decode() in git(root, "cat-file", kind, name):
            found.append(name)
    return found


def test_no_object_holds_it_and_the_rest_is_as_it_was(vault: Vault, sources: list[str], tmp_path: Path) -> None:
    git(vault.root, "tag", "-a", "-m", "before", "v1")
    git(vault.root, "branch", "side")
    mine = vault.root / "mine.txt"
    mine.write_text("not committed\n")
    report = vault.forget(sources[0], yes=True, history=True, bundle=tmp_path / "old.bundle", model=as_model(Dictated()))
    assert (report.left_objects, report.left_files, report.code) == ((), (), 0)
    assert objects(vault.root, WORDS) == objects(vault.root, b"3 attempts") == []
    assert mine.read_text() == "not committed\n"
    assert git(vault.root, "status", "--porcelain") == "?? mine.txt\n"
    assert report.rewritten is not None
    assert set(report.rewritten.refs) == {"refs/heads/main", "refs/heads/side", "refs/tags/v1"}
    # The other source's commits say what they said.
    said = git(vault.root, "log", "--format=%s").splitlines()
    assert {"init: a new vault", "compile: Payment retries (+1 ~0 -0)", "forget: 1 source, 2 claims"} <= set(said)
    assert not any("crane" in each for each in said)
    mine.unlink()
    check(vault)
    assert "Retries stop after 5 attempts." in (vault.root / "wiki/topics/payment-retries.md").read_text()
    git(tmp_path, "clone", "-q", str(tmp_path / "old.bundle"), "old")
    assert objects(tmp_path / "old", WORDS)


def test_a_text_goes_from_all_history_too(vault: Vault, sources: list[str], tmp_path: Path) -> None:
    report = vault.forget(matching="555-0199", yes=True, history=True, bundle=tmp_path / "b", model=as_model(Dictated()))
    assert report.code == 0
    assert objects(vault.root, b"555-0199") == []
    assert objects(vault.root, b"The ferry leaves at nine.")
    assert objects(vault.root, WORDS)
    check(vault)
    head = commits(vault)[0]
    vault.recompile(model=as_model(Dictated()))
    assert commits(vault)[0] == head


def test_what_keeps_it_is_named(vault: Vault, sources: list[str], tmp_path: Path) -> None:
    git(vault.root, "notes", "add", "-m", "The harbour crane lifts forty tonnes at most.")
    page = vault.root / "wiki/topics/harbour-crane.md"
    page.write_text(page.read_text() + "\nstashed\n")
    git(vault.root, "stash", "-q")
    report = vault.forget(sources[0], yes=True, history=True, bundle=tmp_path / "b", model=as_model(Dictated()))
    assert report.code == 1
    assert report.rewritten is not None
    assert {each.partition(":")[0] for each in report.rewritten.left} == {"refs/notes/commits", "refs/stash"}
    assert git(vault.root, "stash", "list").count("\n") == 1
    assert report.left_objects


def test_a_remote_that_keeps_the_old_history_is_not_joined_again(vault: Vault, sources: list[str], tmp_path: Path) -> None:
    remote = publish(vault)
    other = clone(remote, "other")
    vault.forget(sources[0], yes=True, history=True, bundle=tmp_path / "b", model=as_model(Dictated()))
    assert "origin" not in git(vault.root, "for-each-ref")
    before = commits(vault)
    with pytest.raises(CannotSync, match=r"still has commit .*force-with-lease"):
        vault.sync(model=as_model(Dictated()))
    assert commits(vault) == before
    git(vault.root, "push", "-qf", "origin", "main")
    vault.sync(model=as_model(Dictated()))
    # A clone of the old history is told, and does not bring it back by itself.
    with pytest.raises(CannotSync):
        other.sync(model=as_model(Dictated()))
    assert not re.search("forty", git(remote, "log", "-p", "--all"))


def test_what_was_forgotten_before_goes_from_history_later(vault: Vault, sources: list[str], tmp_path: Path) -> None:
    vault.forget(sources[0], yes=True, model=as_model(Dictated()))
    vault.forget(matching="555-0199", yes=True, model=as_model(Dictated()))
    with pytest.raises(UsageError, match=r"was forgotten already; `--history"):
        vault.forget(sources[0], yes=True)
    assert objects(vault.root, WORDS)
    report = vault.forget(sources[0], yes=True, history=True, bundle=tmp_path / "one")
    assert (report.code, objects(vault.root, WORDS)) == (0, [])
    assert objects(vault.root, b"555-0199")
    report = vault.forget(matching="555-0199", yes=True, history=True, bundle=tmp_path / "two")
    assert (report.code, objects(vault.root, b"555-0199")) == (0, [])
    assert objects(vault.root, b"The ferry leaves at nine.")
    check(vault)


@pytest.mark.parametrize(
    ("bundle", "told"),
    [
        ("", "--bundle FILE"),
        ("inside/x.bundle", "lies in the repository"),
        ("../there", "exists already"),
        ("../no/x", "no folder"),
    ],
)
def test_without_a_place_for_the_copy_nothing_is_done(vault: Vault, sources: list[str], bundle: str, told: str) -> None:
    (vault.root.parent / "there").write_text("")
    (vault.root / "inside").mkdir()
    before, pages = commits(vault), wiki(vault)
    with pytest.raises(CannotForget, match=told):
        vault.forget(sources[0], yes=True, history=True, bundle=vault.root / bundle if bundle else None)
    assert (commits(vault), wiki(vault)) == (before, pages)
    assert not (vault.root / ".wikimem/forgetting.json").exists()


def test_a_shallow_clone_is_refused(vault: Vault, sources: list[str], tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", vault.root.as_uri(), "shallow")
    with pytest.raises(CannotForget, match="shallow"):
        Vault.open(tmp_path / "shallow").forget(sources[0], yes=True, history=True, bundle=tmp_path / "b")
