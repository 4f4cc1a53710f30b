"""Vectors: a real, tiny ONNX model; a store that is a cache."""

from __future__ import annotations

from pathlib import Path

import pytest

numpy = pytest.importorskip("numpy")
pytest.importorskip("onnxruntime")

import senses  # noqa: E402 - it needs what may be missing
from wikimem.edges import vectors  # noqa: E402
from wikimem.edges.vectors import Kept, NoModel, Onnx  # noqa: E402


@pytest.fixture
def model(tmp_path: Path) -> Onnx:
    return Onnx(senses.write(tmp_path / "model", "dog puppy", "boat ship"), "tiny")


def test_words_of_one_meaning_are_alike_and_others_are_not(model: Onnx) -> None:
    rows = model.embed(["the dog", "a puppy barks", "our ship", ""])
    assert rows.shape == (4, 3)
    assert rows[0] @ rows[1] > 0.99
    assert rows[0] @ rows[2] < 0.1
    assert numpy.linalg.norm(rows[:3], axis=1) == pytest.approx(1)


def test_a_text_has_the_same_vector_beside_any_others(model: Onnx) -> None:
    texts = [f"{'the ' * number}dog and ship" for number in range(70)]
    together = model.embed(texts)
    assert all(together[place] == pytest.approx(model.embed([texts[place]])[0], abs=1e-6) for place in (0, 3, 69))


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoModel, match=r"no tokenizer\.json"):
        Onnx(tmp_path, "x")
    (tmp_path / "tokenizer.json").write_text("{}")
    (tmp_path / "model.onnx").write_bytes(b"no model")
    with pytest.raises(NoModel, match="holds no model that can be read"):
        Onnx(tmp_path, "x")


def test_a_model_that_was_never_fetched_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(NoModel, match="was not fetched yet; `wikimem ingest` fetches it"):
        vectors.find("nobody/no-such-model-at-all", tmp_path, fetch=False)


def test_what_is_written_is_read_and_what_is_gone_is_gone(tmp_path: Path) -> None:
    rows = numpy.eye(3, dtype="float32")
    empty = Kept("m", {}, (), None)
    kept = vectors.write(
        tmp_path, empty, (), [("a", "1", ["a:L1", "a:L2"], rows[:2]), ("b", "1", ["b:L1"], rows[2:]), ("c", "1", [], ())]
    )
    assert kept == vectors.read(tmp_path)
    assert kept.sources == {"a": "1", "b": "1", "c": "1"}
    assert kept.nearest(rows[2], 2)[0] == ("b:L1", 1.0)
    less = vectors.write(tmp_path, kept, ["a"], [("b", "2", ["b:L9"], rows[:1])])
    assert (less.cites, less.sources) == (["b:L9"], {"b": "2", "c": "1"})
    assert [path.stat().st_size for path in tmp_path.glob("*.f16")] == [6]
    none = vectors.write(tmp_path, less, ["b", "c"], [])
    assert (none.nearest(rows[0], 5), none.sources) == ([], {})


@pytest.mark.parametrize("damage", [b"", b"{", b"[1]", b'{"version": 1}'])
def test_a_damaged_store_is_none(tmp_path: Path, damage: bytes) -> None:
    vectors.write(tmp_path, Kept("m", {}, (), None), (), [("a", "1", ["a:L1"], numpy.ones((1, 3), dtype="float32"))])
    (tmp_path / "current.json").write_bytes(damage)
    assert vectors.read(tmp_path).sources == {}


def test_a_cut_store_is_none(tmp_path: Path) -> None:
    vectors.write(tmp_path, Kept("m", {}, (), None), (), [("a", "1", ["a:L1"], numpy.ones((1, 3), dtype="float32"))])
    (file,) = tmp_path.glob("*.f16")
    file.write_bytes(file.read_bytes()[:-1])
    assert vectors.read(tmp_path).sources == {}
