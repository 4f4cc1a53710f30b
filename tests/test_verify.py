"""Verify: each way in which a source can be lost or changed is found, and an honest vault passes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from conftest import claude, jsonl
from dictated import Dictated, session, tell
from wikimem.core.sources import Sidecar
from wikimem.faces.api import Vault
from wikimem.proving import KEPT

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
    assert rules(vault) == {"source-lost"}
    assert "append-only" in rules(vault, old)


def test_a_source_that_a_reset_lost_is_named_with_the_commit_that_has_it(vault: Vault, source: Sidecar) -> None:
    """Case 078: somebody resets hard to a history that was replaced."""
    had = git(vault.root, "rev-parse", "HEAD").strip()
    git(vault.root, "reset", "-q", "--hard", "HEAD~1")
    (problem,) = vault.verify().problems
    assert (problem.rule, problem.where) == ("source-lost", f"{source.folder}/{source.id}.yaml")
    assert had[:12] in problem.message
    git(vault.root, "checkout", had[:12], "--", "sources")
    git(vault.root, "commit", "-qm", "brought back")
    assert rules(vault) == set()


def test_an_uncommitted_source_is_found(vault: Vault, source: Sidecar) -> None:
    git(vault.root, "reset", "-q", "--soft", "HEAD~1")
    assert rules(vault) == {"not-committed"}


LINE = "topic | berth 4 | | Berth 4 is nine metres deep."


@pytest.fixture
def compiled(vault: Vault) -> Path:
    """The claims file of a compiled source."""
    (source,) = tell(vault, session("one", "2026-03-02", LINE, ("assistant", "Berth 4 is nine metres deep, noted.")))
    vault.compile(model=Dictated())
    return vault.root / "wiki/.claims/2026/03" / f"{source}.jsonl"


def test_a_compiled_wiki_passes_with_its_quotes(vault: Vault, compiled: Path) -> None:
    proof = vault.verify()
    assert (proof.quotes, proof.problems) == (1, ())


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ('"quote":"Berth 4 is nine metres deep."', '"quote":"Berth 4 is ten metres deep."', "quote"),
        ('"at":"L1"', '"at":"L9"', "quote"),
        ('"turn":"one-001"', '"turn":"one-002"', "quote"),
        ('"speaker":"human"', '"speaker":"tool"', "quote"),
        ('"text":"Berth 4 is nine', '"text":"Berth 4 is ten', "claims-line"),
        ('{"claim"', '{"clam"', "claims-line"),
        ('{"claim"', "{", "claims-line"),
    ],
)
def test_a_tampered_claims_file_is_found(vault: Vault, compiled: Path, old: str, new: str, rule: str) -> None:
    text = compiled.read_text()
    assert old in text
    compiled.write_text(text.replace(old, new))
    proof = vault.verify()
    assert rule in {problem.rule for problem in proof.problems}
    assert any(compiled.name in problem.where for problem in proof.problems)
    assert proof.quotes == 0


def test_claims_of_no_source_are_found(vault: Vault, compiled: Path) -> None:
    other = compiled.with_name("20260301-claude-code-00000000.jsonl")
    other.write_text(compiled.read_text().replace(compiled.stem, other.stem))
    assert {problem.rule for problem in vault.verify().problems} == {"orphan"}


def test_a_page_that_shows_what_no_source_yields_is_found(vault: Vault, compiled: Path) -> None:
    page = vault.root / "wiki/topics/berth-4.md"
    page.write_text(page.read_text().replace("## Facts\n\n", "## Facts\n\n- Berth 4 is closed. [^aaaaaaaaaaaa]\n"))
    found = {problem.rule: problem for problem in vault.verify().problems}
    assert set(found) == {"unknown-claim", "footnote"}
    assert found["unknown-claim"].where == "wiki/topics/berth-4.md"


def test_a_page_that_was_broken_is_found(vault: Vault, compiled: Path) -> None:
    page = vault.root / "wiki/topics/berth-4.md"
    page.write_text(page.read_text().replace("title: Berth 4", "title: Berth: 4"))
    assert {problem.rule for problem in vault.verify().problems} == {"frontmatter"}


def test_a_proposal_that_does_not_stand_is_found(vault: Vault) -> None:
    accepted = "topic | berth 4 | | Berth 4 is closed in May. | words=Yes, please. | accepts=L2: close berth 4 in May"
    said = (("Good morning."), ("assistant", "Shall I close berth 4 in May?"), f"Yes, please.\n{accepted}")
    (source,) = tell(vault, session("one", "2026-03-02", *said))
    vault.compile(model=Dictated())
    assert vault.verify().problems == ()
    file = vault.root / "wiki/.claims/2026/03" / f"{source}.jsonl"
    file.write_text(file.read_text().replace("close berth 4 in May", "close berth 5 in May"))
    assert {problem.rule for problem in vault.verify().problems} == {"quote"}


def test_what_an_earlier_verify_found_right_is_counted_apart_and_hashed_again(vault: Vault, compiled: Path) -> None:
    first, second, third = vault.verify(), vault.verify(), vault.verify(anew=True)
    assert [(proof.files, proof.pages) for proof in (first, second, third)] == [(0, 0), (1, 1), (0, 0)]
    assert [(proof.quotes, proof.bytes, proof.problems) for proof in (second, third)] == [(first.quotes, first.bytes, ())] * 2


def _source(vault: Vault) -> Path:
    (path,) = (vault.root / "sources").rglob("*.jsonl")
    return path


PAGE = "wiki/topics/berth-4.md"
CLAIMS = "the claims file"
SOURCE = "the source"


@pytest.mark.parametrize(
    ("what", "old", "new", "rule"),
    [
        (SOURCE, "nine metres", "five metres", "source-changed"),
        (CLAIMS, '"quote":"Berth 4 is nine', '"quote":"Berth 4 is nin', "quote"),
        (CLAIMS, '"at":"L1"', '"at":"L9"', "quote"),
        (CLAIMS, '"speaker":"human"', '"speaker":"tool"', "quote"),
        (CLAIMS, '{"claim"', "{", "claims-line"),
        (PAGE, "title: Berth 4", "title: Berth: 4", "frontmatter"),
        (PAGE, "## Facts\n\n", "## Facts\n\n- Berth 4 is closed. [^aaaaaaaaaaaa]\n", "unknown-claim"),
    ],
)
def test_damage_is_found_after_an_earlier_verify_found_it_right(
    vault: Vault, compiled: Path, what: str, old: str, new: str, rule: str
) -> None:
    """Also where size and times of the file are what they were: an audit believes bytes alone."""
    path = {SOURCE: _source(vault), CLAIMS: compiled}.get(what, vault.root / PAGE)
    assert vault.verify().problems == vault.verify().problems == ()
    text, stat = path.read_text(), path.stat()
    assert old in text
    path.write_text(text.replace(old, new))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    found = rules(vault)
    assert rule in found
    assert rules(vault) == {problem.rule for problem in vault.verify(anew=True).problems} == found
    path.write_text(text)
    assert vault.verify().problems == ()


def test_a_page_found_right_is_found_wrong_when_its_claim_is_gone(vault: Vault, compiled: Path) -> None:
    assert vault.verify().problems == ()
    lines = compiled.read_text().splitlines(keepends=True)
    compiled.write_text("".join(line for line in lines if not line.startswith('{"claim"')))
    proof = vault.verify()
    assert {problem.rule for problem in proof.problems} == {"unknown-claim"}
    assert (proof.files, proof.pages, proof.quotes) == (0, 1, 0)


def test_quotes_of_a_source_that_changed_are_looked_at_again(vault: Vault, compiled: Path) -> None:
    """The claims file has the bytes that were found right, and the sidecar says so; the source has not."""
    assert vault.verify().problems == ()
    path = _source(vault)
    path.write_text(path.read_text().replace("nine metres deep.", "ten metres deep."))
    assert rules(vault) == {"source-changed", "quote"}


@pytest.mark.parametrize("told", [b"", b"[]", b"{", b'{"program":""}', b'{"program":1,"right":3}', b"\xff"])
def test_notes_of_an_earlier_verify_that_cannot_be_read_are_made_again(vault: Vault, compiled: Path, told: bytes) -> None:
    vault.verify()
    notes = vault.root / ".wikimem" / KEPT
    good = notes.read_bytes()
    notes.write_bytes(told)
    assert (vault.verify().files, vault.verify().files) == (0, 1)
    assert notes.read_bytes() == good


def test_claims_that_a_split_moved_are_known(vault: Vault, compiled: Path) -> None:
    """A claim that people gave to another subject has an id that stands in no claims file."""
    (id,) = [line[10:22] for line in compiled.read_text().splitlines() if line.startswith('{"claim"')]
    vault.split("berth 4", [id], "berth 5")
    assert vault.verify().problems == vault.verify().problems == ()
