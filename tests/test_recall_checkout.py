"""Recall in a process that lives on while sources and pages are checked out, reset, moved and removed under it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from remembering import put, session
from wikimem.faces.api import Vault


@pytest.fixture
def quay(vault: Vault, tmp_path: Path) -> Vault:
    """Two commits: in the second the ferry has another bell, and a page of somebody's is gone."""
    page = vault.root / "wiki/topics/foghorn.md"
    put(page, b"---\ntitle: Foghorn\n---\n\n# Foghorn\n\nThe foghorn sounds at dusk.\n")
    put(tmp_path / "logs/a.jsonl", session("a", "2026-02-02", "/home/sam/quay", "The ferry bell hangs at pier 8080.", "Noted."))
    vault.ingest([tmp_path / "logs"])
    git(vault, "add", "-A")
    git(vault, "commit", "-qm", "first")
    put(
        tmp_path / "logs/b.jsonl",
        session("b", "2026-03-02", "/home/sam/quay", "The ferry bell hangs at pier 9090 now.", "Noted."),
    )
    vault.ingest([tmp_path / "logs"])
    git(vault, "rm", "-q", "wiki/topics/foghorn.md")
    git(vault, "commit", "-qm", "second")
    return vault


def git(vault: Vault, *words: str) -> None:
    subprocess.run(
        ["git", "-C", str(vault.root), "-c", "user.name=Sam", "-c", "user.email=sam@example.org", *words],
        check=True,
        capture_output=True,
    )


def told(vault: Vault) -> tuple[bool, bool, bool]:
    """Whether the first pier, the second pier and the page are found."""
    bell, horn = vault.recall("Where does the ferry bell hang?"), vault.recall("When does the foghorn sound?")
    assert bell.problems == horn.problems == ()
    return "8080" in bell.bundle.text, "9090" in bell.bundle.text, "foghorn sounds" in horn.bundle.text


def test_a_checkout_and_back_are_followed_by_the_next_answer(quay: Vault) -> None:
    assert told(quay) == (True, True, False)
    git(quay, "checkout", "-q", "HEAD~2")
    assert told(quay) == (True, False, True)
    git(quay, "checkout", "-q", "-")
    assert told(quay) == (True, True, False)


def test_a_hard_reset_is_followed(quay: Vault) -> None:
    assert told(quay) == (True, True, False)
    git(quay, "reset", "-q", "--hard", "HEAD~2")
    assert told(quay) == (True, False, True)


def test_what_is_removed_is_not_told_and_an_empty_vault_tells_nothing(quay: Vault) -> None:
    assert told(quay) == (True, True, False)
    for path in sorted((quay.root / "sources").rglob("*.*")):
        path.unlink()
    assert told(quay) == (False, False, False)


def test_a_page_that_moves_is_told_once_from_where_it_is(quay: Vault) -> None:
    git(quay, "checkout", "-q", "HEAD~2")
    assert told(quay)[2]
    (quay.root / "wiki/topics/foghorn.md").rename(quay.root / "wiki/topics/horn.md")
    found = quay.recall("When does the foghorn sound?").bundle.text
    assert found.count("The foghorn sounds at dusk.") == 1
    assert "[wiki/topics/horn.md:" in found
