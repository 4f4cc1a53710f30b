"""Open indexes between recalls of one process: the same answers as with opening them anew, whatever changes in between."""

from __future__ import annotations

import gc
import shutil
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from remembering import Saying, remember, render, session
from wikimem import indexing, keeping
from wikimem.edges import spool
from wikimem.faces.api import Vault
from wikimem.indexing import Shelves
from wikimem.recall import recall
from wikimem.vault import Vault as Opened
from wikimem.vault import open_at

HARBOUR = "/home/sam/harbour"


@pytest.fixture
def filled(vault: Vault, tmp_path: Path) -> Vault:
    (tmp_path / "one.jsonl").write_bytes(
        session("one", "2026-03-02", HARBOUR, "The tide tables are served from port 8090.", "Noted.", "Berth 4 stays free.", "ok")
    )
    vault.ingest([tmp_path / "one.jsonl"])
    remember(vault, Saying("one", 1, "topic: tide tables", "port", "Tide tables use port 8090.", "served from port 8090"))
    return vault


def found(vault: Vault, words: str) -> str:
    return vault.recall(words).bundle.text


def test_a_second_recall_opens_nothing_and_says_the_same(filled: Vault) -> None:
    opened = filled._opened
    first = found(filled, "tide tables")
    kept = keeping.take(opened)
    assert kept is not None and kept.done is not None
    kept.done()
    assert found(filled, "tide tables") == first
    again = keeping.take(opened)
    assert again is not None and again.turns is kept.turns and again.done is not None
    again.done()


def test_a_new_source_of_the_same_process_is_found_at_once(filled: Vault, tmp_path: Path) -> None:
    assert found(filled, "crane inspections") == ""
    (tmp_path / "two.jsonl").write_bytes(session("two", "2026-03-09", HARBOUR, "Crane inspections are on Mondays.", "ok"))
    filled.ingest([tmp_path / "two.jsonl"])
    assert "on Mondays" in found(filled, "crane inspections")


def test_what_is_said_in_a_live_session_is_found_at_once(filled: Vault, tmp_path: Path) -> None:
    live = tmp_path / "live.jsonl"
    live.write_bytes(session("live", "2026-06-30", HARBOUR, "The lighthouse lamp is dimmed at dawn.", "ok"))
    told = spool.Told(live, "claude-code", "live", HARBOUR, "", "2026-07-01T09:00:00Z")
    assert found(filled, "lighthouse lamp") == ""
    spool.keep(filled.root, told)
    assert "dimmed at dawn" in found(filled, "lighthouse lamp")
    with live.open("ab") as file:
        file.write(session("live", "2026-06-30", HARBOUR, "", "", "Foghorns are tested on Sundays.", "ok").split(b"\n", 2)[2])
    spool.keep(filled.root, told)
    assert "on Sundays" in found(filled, "foghorns tested")


def test_claims_and_pages_that_others_wrote_are_found_at_once(filled: Vault, reopen: Callable[[Vault], Vault]) -> None:
    assert "8090" in found(filled, "tide tables")
    remember(filled, Saying("one", 3, "topic: berth plan", "", "Berth 4 is kept free.", "Berth 4 stays free"))
    assert "wiki/topics/berth-plan.md" in found(filled, "berth 4 free")
    page = filled.root / "wiki" / "topics" / "berth-plan.md"
    page.write_text(page.read_text() + "\n## Notes\n\nThe harbour master phones about lanterns.\n")
    assert "lanterns" in found(filled, "harbour master lanterns")
    render(filled)  # without what the person wrote
    assert "lanterns" not in found(filled, "harbour master lanterns")


def test_a_glance_spares_the_look_but_not_what_an_index_tells(filled: Vault) -> None:
    root = filled.root
    patient = Vault.open(root, glance=3600.0)
    assert found(patient, "lanterns of the harbour master") == ""
    page = root / "wiki" / "topics" / "tide-tables.md"
    page.write_text(page.read_text() + "\n## Notes\n\nThe harbour master phones about lanterns.\n")
    assert found(patient, "lanterns of the harbour master") == "", "the files are not looked at again for an hour"
    assert "lanterns" in found(filled, "lanterns of the harbour master")
    assert "lanterns" in found(patient, "lanterns of the harbour master"), "another process has brought the index up"


def test_an_index_that_is_deleted_or_damaged_is_made_again(filled: Vault) -> None:
    first = found(filled, "tide tables")
    shutil.rmtree(indexing.folder(filled.root))
    assert found(filled, "tide tables") == first
    for path in indexing.folder(filled.root).rglob("*.pst"):
        path.write_bytes(b"\0" * 40)
    for _ in range(3):
        found(filled, "tide tables berth")
    assert found(filled, "tide tables") == first


def test_two_threads_never_share_what_is_open(filled: Vault) -> None:
    expected = {words: found(filled, words) for words in ("tide tables", "berth 4", "served from port")}
    assert at_once(lambda words: found(filled, words), expected) == {words: {text} for words, text in expected.items()}


def at_once(ask: Callable[[str], str], asked: Iterable[str]) -> dict[str, set[str]]:
    """All the answers to each of some words, asked twenty times by a thread of its own."""
    got: dict[str, set[str]] = {words: set() for words in asked}
    threads = [threading.Thread(target=lambda words=words: got[words].update(ask(words) for _ in range(20))) for words in got]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return got


@pytest.mark.parametrize("take", [keeping.take, keeping.take_as_they_are])
def test_a_vault_that_is_gone_leaves_no_file_open(filled: Vault, take: Callable[[Opened], Shelves | None]) -> None:
    vault = open_at(filled.root)
    recall(vault, "tide tables")
    as_is(vault, "tide tables")
    kept = take(vault)
    assert kept is not None and kept.done is not None
    kept.done()
    turns = kept.turns
    assert turns._snapshot is not None
    del vault, kept
    gc.collect()
    assert turns._snapshot is None


def as_is(vault: Opened, words: str) -> str:
    """As a hook or a server asks: the indexes are taken as they are."""
    return recall(vault, words, patience=0).bundle.text


def test_indexes_that_are_taken_as_they_are_stay_open_and_follow_who_writes_to_them(filled: Vault, tmp_path: Path) -> None:
    vault = open_at(filled.root)
    first = found(filled, "tide tables")
    assert as_is(vault, "tide tables") == as_is(vault, "tide tables") == first
    kept = keeping.take_as_they_are(vault)
    assert kept is not None and kept.done is not None
    kept.done()
    (tmp_path / "two.jsonl").write_bytes(session("two", "2026-03-09", HARBOUR, "Crane inspections are on Mondays.", "ok"))
    assert as_is(vault, "crane inspections") == ""
    filled.ingest([tmp_path / "two.jsonl"])
    assert "on Mondays" in as_is(vault, "crane inspections")
    remember(filled, Saying("one", 3, "topic: berth plan", "", "Berth 4 is kept free.", "Berth 4 stays free"))
    assert "wiki/topics/berth-plan.md" not in as_is(vault, "berth 4 free")
    found(filled, "berth 4 free")  # which brings the index up
    assert "wiki/topics/berth-plan.md" in as_is(vault, "berth 4 free")
    again = keeping.take_as_they_are(vault)
    assert again is not None and again.turns is kept.turns and again.done is not None
    again.done()


def test_indexes_that_come_go_or_break_are_opened_anew(filled: Vault) -> None:
    vault = open_at(filled.root)
    place = indexing.folder(filled.root)
    first = found(filled, "tide tables")
    assert as_is(vault, "tide tables") == first
    shutil.rmtree(place / "wiki")
    without = as_is(vault, "tide tables")
    assert "port 8090" in without and "tide-tables.md" not in without
    shutil.rmtree(place)
    gone = recall(vault, "tide tables", patience=0)
    assert (gone.bundle.text, [one.rule for one in gone.problems]) == ("", ["no-index"])
    assert found(filled, "tide tables") == first == as_is(vault, "tide tables")
    for path in place.rglob("*.pst"):
        path.write_bytes(b"\0" * 40)
    assert recall(open_at(filled.root), "tide tables", patience=0).problems
    found(filled, "tide tables"), found(filled, "tide tables")
    assert as_is(vault, "tide tables") == found(filled, "tide tables")


def test_two_threads_take_indexes_as_they_are(filled: Vault) -> None:
    vault = open_at(filled.root)
    expected = {words: found(filled, words) for words in ("tide tables", "berth 4", "served from port")}
    assert at_once(lambda words: as_is(vault, words), expected) == {words: {text} for words, text in expected.items()}
