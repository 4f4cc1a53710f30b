"""The ledger: sidecars found, made when they are asked for, and read again whenever their kept values cannot be believed."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from conftest import claude, jsonl
from wikimem.core.sources import Sidecar
from wikimem.edges.ledger import Ledger
from wikimem.faces.api import Vault


@pytest.fixture
def sidecars(vault: Vault, tmp_path: Path) -> list[Sidecar]:
    added = []
    for number, cwd in enumerate(("/home/sam/harbour", "/home/sam/survey", "/home/sam/harbour")):
        record = {**claude(1, "user", f"Moor at berth {number}."), "cwd": cwd, "sessionId": f"s{number}"}
        (tmp_path / f"s{number}.jsonl").write_bytes(jsonl({**record, "uuid": f"u{number}"}))
        added += vault.ingest([tmp_path / f"s{number}.jsonl"]).added
    return sorted(added, key=lambda each: each.id)


def test_kept_sidecars_are_the_ones_that_were_read(vault: Vault, sidecars: list[Sidecar]) -> None:
    (vault.root / ".wikimem/ledger.json").unlink()
    read, kept = Ledger(vault.root), Ledger(vault.root)
    assert list(read.all().values()) == list(kept.all().values()) == sidecars
    assert list(kept.all()) == [each.id for each in sidecars]
    assert len(kept.all()) == 3 and sidecars[0].id in kept.all() and "20260101-none-00000000" not in kept.all()


def test_sources_of_a_folder_are_told_from_the_last(vault: Vault, sidecars: list[Sidecar]) -> None:
    wanted = [each for each in reversed(sidecars) if each.cwd == "/home/sam/harbour"]
    assert list(Ledger(vault.root).held_in("/home/sam/harbour")) == wanted and len(wanted) == 2
    assert list(Ledger(vault.root).held_in("/home/sam")) == []


def test_a_sidecar_that_changed_is_read_again(vault: Vault, sidecars: list[Sidecar]) -> None:
    Ledger(vault.root).all()
    path = vault.root / sidecars[1].paths()[0]
    path.write_text(path.read_text() + "remote: git@example.org:a/b.git\n")
    assert Ledger(vault.root).all()[sidecars[1].id].remote == "git@example.org:a/b.git"
    path.write_text("id: [unclosed\n")
    ledger = Ledger(vault.root)
    assert sidecars[1].id not in ledger.all()
    assert [problem.rule for problem in ledger.problems] == ["bad-sidecar"]


@pytest.mark.parametrize("told", [3, [], {}, {"id": "20260101-other-00000000"}])
def test_kept_values_of_another_source_are_not_believed(vault: Vault, sidecars: list[Sidecar], told: object) -> None:
    cache = vault.root / ".wikimem/ledger.json"
    Ledger(vault.root).all()
    kept = orjson.loads(cache.read_bytes())
    kept["sidecars"] = {path: [size, time, told] for path, (size, time, _) in kept["sidecars"].items()}
    cache.write_bytes(orjson.dumps(kept))
    assert list(Ledger(vault.root).all().values()) == sidecars
