"""The index of the wiki follows by the subjects that changed, and holds then what it would hold if it were made anew."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from remembering import Saying, remember, render, session
from wikimem import indexing, memory, reflecting
from wikimem.core.vocabulary import SHIPPED
from wikimem.faces.api import Vault
from wikimem.reflecting import Before
from wikimem.vault import open_at

SAYINGS = (
    Saying("one", 1, "topic: tide tables", "port", "Tide tables use port 8090.", "from port 8090", "2026-03-02"),
    Saying("one", 3, "topic: berth plan", "", "Berth 4 is kept free.", "Berth 4 stays free"),
    Saying("two", 1, "topic: tide tables", "port", "Tide tables use port 8095.", "now on port 8095", "2026-03-09"),
    Saying("two", 1, "topic: quay lamps", "", "The tide tables light the quay lamps.", "light the quay lamps"),
    Saying("two", 3, "person: Ines", "", "Ines inspects the cranes.", "Ines inspects the cranes"),
)


@pytest.fixture
def filled(vault: Vault, tmp_path: Path) -> Vault:
    first = ("The tide tables are served from port 8090.", "Noted.", "Berth 4 stays free.", "ok")
    second = ("Tide tables are now on port 8095; they light the quay lamps.", "Noted.", "Ines inspects the cranes.", "ok")
    (tmp_path / "one.jsonl").write_bytes(session("one", "2026-03-02", "/home/sam/harbour", *first))
    (tmp_path / "two.jsonl").write_bytes(session("two", "2026-03-09", "/home/sam/harbour", *second))
    vault.ingest([tmp_path / "one.jsonl", tmp_path / "two.jsonl"])
    return vault


def state(vault: Vault) -> Before:
    """The wiki of the claims files on disk, and what tells them."""
    opened = open_at(vault.root)
    wiki = memory.load(vault.root, opened.ledger, SHIPPED).wiki
    return Before(wiki, reflecting.look(vault.root, opened.ledger, SHIPPED).claims)


def follow(vault: Vault, before: Before | None) -> Mapping[str, str]:
    """What the index holds after it followed."""
    opened = open_at(vault.root)
    wiki = memory.load(vault.root, opened.ledger, SHIPPED).wiki
    with indexing.refresh(vault.root, opened.ledger, SHIPPED, wiki, before) as shelves:
        assert shelves.wiki is not None
        return dict(shelves.wiki.known())


def anew(vault: Vault) -> Mapping[str, str]:
    """What it holds when it is made anew."""
    shutil.rmtree(indexing.folder(vault.root))
    return follow(vault, None)


def test_following_claim_by_claim_ends_where_a_rebuild_does(filled: Vault) -> None:
    remember(filled, SAYINGS[0])
    follow(filled, None)
    for saying in SAYINGS[1:]:
        before = state(filled)
        remember(filled, saying)
        followed = follow(filled, before)
        assert followed == anew(filled)


def test_a_subject_that_goes_leaves_the_index(filled: Vault) -> None:
    remember(filled, *SAYINGS)
    follow(filled, None)
    before = state(filled)
    source = next(each.id for each in open_at(filled.root).ledger.all().values() if each.session == "two")
    (filled.root / memory.path(source)).unlink()
    shutil.rmtree(filled.root / "wiki" / "topics")
    shutil.rmtree(filled.root / "wiki" / "people")
    render(filled)
    followed = follow(filled, before)
    assert (
        "8095" not in filled.recall("tide tables port").bundle.text
        or "claim" not in filled.recall("tide tables port").bundle.text
    )
    assert not any("quay" in unit for unit in followed)
    assert followed == anew(filled)


def test_an_index_that_shows_other_files_is_brought_up_in_whole(filled: Vault) -> None:
    remember(filled, SAYINGS[0])
    follow(filled, None)
    remember(filled, *SAYINGS[1:])
    after = state(filled)  # says that nothing changed since, of claims that the index never saw
    followed = follow(filled, after)
    assert followed == anew(filled)
    assert sum(unit.startswith("claims/") for unit in followed) == 4
