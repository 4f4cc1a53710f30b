"""Verify: each way in which a source can be lost or changed is found, and an honest vault passes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from conftest import claude, jsonl
from wikimem.core.sources import Sidecar
from wikimem.faces.api import Vault

DATA = jsonl(claude(1, "user", "Moor at berth 4."), claude(2, "assistant", [{"type": "text", "text": "ok"}], 1))


def git(root: Path, *args: str) -> str:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.invalid", *args]
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def source(vault: Vault, tmp_path: Path) -> Sidecar:
    file = tmp_path / "s.jsonl"
    file.write_bytes(DATA)
    (added,) = vault.ingest([file]).added
    return added


def rules(vault: Vault, against: str = "") -> set[str]:
    return {problem.rule for problem in vault.verify(against).problems}


def test_an_honest_vault_passes(vault: Vault, source: Sidecar) -> None:
    proof = vault.verify()
    assert (proof.sources, proof.bytes, proof.problems) == (1, len(DATA), ())


def test_changed_bytes_are_found(vault: Vault, source: Sidecar) -> None:
    (vault.root / source.path).write_bytes(DATA.replace(b"berth 4", b"berth 5"))
    assert rules(vault) == {"source-changed"}


def test_a_missing_file_and_a_stray_one_are_found(vault: Vault, source: Sidecar) -> None:
    (vault.root / source.path).rename(vault.root / source.folder / "other.jsonl")
    assert rules(vault) == {"source-missing", "stray-file"}


def test_a_broken_sidecar_is_found_and_stops_nothing(vault: Vault, source: Sidecar) -> None:
    (vault.root / source.folder / f"{source.id}.yaml").write_text("id: [unclosed\n")
    assert "bad-sidecar" in rules(vault)


def test_a_commit_that_changes_a_source_is_found_even_when_it_is_undone(vault: Vault, source: Sidecar) -> None:
    (vault.root / source.path).write_bytes(DATA + b"{}\n")
    git(vault.root, "commit", "-qam", "tamper")
    git(vault.root, "revert", "--no-edit", "HEAD")
    assert vault.verify().problems
    assert (vault.root / source.path).read_bytes() == DATA


def test_a_commit_that_deletes_a_source_is_found(vault: Vault, source: Sidecar) -> None:
    git(vault.root, "rm", "-q", source.path, f"{source.folder}/{source.id}.yaml")
    git(vault.root, "commit", "-qm", "Wiki-Op: forget it")
    assert vault.verify().problems


def test_a_squashed_or_shallow_history_is_proved_from_where_it_begins(vault: Vault, source: Sidecar, tmp_path: Path) -> None:
    tree = git(vault.root, "rev-parse", "HEAD^{tree}").strip()
    old = git(vault.root, "rev-parse", "HEAD").strip()
    squashed = git(vault.root, "commit-tree", tree, "-m", "all").strip()
    git(vault.root, "update-ref", "HEAD", squashed)
    proof = vault.verify(against=old)
    assert proof.problems == ()
    assert squashed[:10] in proof.since
    git(tmp_path, "clone", "-q", "--depth", "1", vault.root.as_uri(), str(tmp_path / "shallow"))
    assert Vault.open(tmp_path / "shallow").verify().problems == ()


def test_a_source_that_another_commit_had_is_missed(vault: Vault, source: Sidecar) -> None:
    old = git(vault.root, "rev-parse", "HEAD").strip()
    git(vault.root, "reset", "-q", "--hard", "HEAD~1")
    assert rules(vault) == set()
    assert rules(vault, old)


def test_an_uncommitted_source_is_found(vault: Vault, source: Sidecar) -> None:
    git(vault.root, "reset", "-q", "--soft", "HEAD~1")
    assert rules(vault) == {"not-committed"}
