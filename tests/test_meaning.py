"""Meaning: the dense channel of a vault widens recall, and its loss only narrows it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

pytest.importorskip("numpy")
pytest.importorskip("onnxruntime")

import senses
from remembering import put, session
from wikimem import evaluate, meaning, probing
from wikimem import vault as vaults
from wikimem.faces.api import Vault

QUESTION = "Where on the pier does the hound sleep?"


@pytest.fixture
def kennel(vault: Vault, tmp_path: Path, reopen: Callable[[Vault], Vault]) -> Vault:
    """Two sessions of a harbour; the settings name a model that knows what a hound is."""
    senses.write(vault.root / "model", "dog hound puppy", "boat ship")
    (vault.root / "wikimem.local.toml").write_text('[recall]\ndense = "model"\n')
    put(
        tmp_path / "logs/a.jsonl",
        session("a", "2026-02-02", "/home/sam/harbour", "The pier needs paint and a place to sleep.", "Noted."),
    )
    put(tmp_path / "logs/b.jsonl", session("b", "2026-02-03", "/home/sam/harbour", "Our dog lies under the crane.", "Good boy."))
    opened = reopen(vault)
    opened.ingest([tmp_path / "logs"])
    return opened


def told(vault: Vault, question: str = QUESTION) -> str:
    return vault.recall(question).bundle.text


def test_what_was_said_in_other_words_is_found(kennel: Vault) -> None:
    found = kennel.recall(QUESTION)
    assert "Our dog lies under the crane." in found.bundle.text
    assert found.problems == ()


def test_without_a_model_words_alone_are_found(kennel: Vault, reopen: Callable[[Vault], Vault]) -> None:
    (kennel.root / "wikimem.local.toml").unlink()
    assert "The pier needs paint" in told(reopen(kennel))
    assert "dog" not in told(reopen(kennel))


def test_a_question_of_nothing_that_was_said_gets_nothing(kennel: Vault) -> None:
    assert told(kennel, "Which hound discovered the moons of Jupiter?") == ""


def test_a_model_that_is_gone_narrows_and_is_told(kennel: Vault, reopen: Callable[[Vault], Vault]) -> None:
    (kennel.root / "model/model.onnx").write_bytes(b"broken")
    found = reopen(kennel).recall(QUESTION)
    assert "The pier needs paint" in found.bundle.text
    assert [problem.rule for problem in found.problems] == ["dense"]
    assert "no model that can be read" in str(found.problems[0])


def test_lost_vectors_narrow_until_sources_come_in_again(kennel: Vault, tmp_path: Path) -> None:
    (meaning.folder(kennel.root) / "current.json").write_bytes(b"{")
    found = kennel.recall(QUESTION)
    assert "The pier needs paint" in found.bundle.text
    assert "it has read nothing yet" in str(found.problems[0])
    kennel.ingest([tmp_path / "logs"])
    assert "Our dog" in told(kennel)


def test_a_source_that_is_gone_leaves_no_vector(kennel: Vault) -> None:
    opened = vaults.open_at(kennel.root)
    (gone,) = (one for one in opened.ledger.all().values() if one.session == "b")
    for path in gone.paths():
        (kennel.root / path).unlink()
    opened.ledger.forget_cache()
    assert meaning.refresh(opened) == ()
    channel, _ = meaning.opened(opened)
    assert channel is not None
    assert gone.id not in channel.kept.sources
    assert not [cite for cite in channel.kept.cites if cite.startswith(gone.id)]


def test_an_evaluation_can_leave_it_out(kennel: Vault, tmp_path: Path) -> None:
    (source,) = (one.id for one in vaults.open_at(kennel.root).ledger.all().values() if one.session == "b")
    asked = tmp_path / "asked.jsonl"
    asked.write_bytes(orjson.dumps({"question": QUESTION, "expected": [f"{source}:L1"]}))
    opened = vaults.open_at(kennel.root)
    figures = [
        evaluate.own(opened, asked, wish=evaluate.Wish(ablate=ablate, offtopic=False)).figures()["all"]["recall@5"]
        for ablate in ((), (probing.MEANING,))
    ]
    assert figures == [1.0, 0.0]
