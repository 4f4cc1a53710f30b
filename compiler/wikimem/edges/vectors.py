"""Vectors: what texts mean as numbers, by a sentence model that runs on this machine, and a store of them on disk.

A model is a folder, or a name that `huggingface_hub` keeps in its cache, with `tokenizer.json` and an ONNX file. Once it
is there, nothing is asked of the network. numpy, onnxruntime and tokenizers come with `wikimem[dense]` and are imported
when the first text is read. The store is a cache like the index: its loss costs time, no more.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

import orjson

VERSION = 1
LONGEST = 256
"""Tokens of a text that are read: what comes later in a long one is found by its words."""

_BATCH = 32
_WEIGHTS = ("onnx/model.onnx", "model.onnx")
_BESIDE = ("tokenizer.json", "1_Pooling/config.json")


class NoModel(Exception):
    """The model cannot be used; the text is one clause that says why and what to do. Becomes a `Problem`."""


class Embedder(Protocol):
    """Whatever makes vectors of texts."""

    key: str
    """What changes when other vectors come out."""

    def embed(self, texts: Sequence[str]) -> Any:
        """One row of length 1 for each text: float32, texts by dimensions."""
        ...


class Onnx:
    """A sentence model of the BERT family.

    Args:
        folder: with its files.
        name: as the settings name it.

    Raises:
        NoModel: a library or a file is missing, or cannot be read.
    """

    def __init__(self, folder: Path, name: str) -> None:
        try:
            import numpy
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise NoModel(f"{error.name} is not installed; `pip install 'wikimem[dense]'`") from None
        self._numpy = numpy
        weights = next((folder / one for one in _WEIGHTS if (folder / one).is_file()), None)
        if weights is None or not (folder / "tokenizer.json").is_file():
            raise NoModel(f"{folder} has no tokenizer.json or no {' or '.join(_WEIGHTS)}")
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        try:
            self._tokens = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._session = onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
            pooling = folder / "1_Pooling/config.json"
            self._first = pooling.is_file() and bool(orjson.loads(pooling.read_bytes()).get("pooling_mode_cls_token"))
        except Exception as error:  # whatever these libraries raise on files that are no model
            raise NoModel(f"{folder} holds no model that can be read ({type(error).__name__})") from None
        self._tokens.enable_truncation(LONGEST)
        self._tokens.enable_padding()
        self._inputs = [one.name for one in self._session.get_inputs()]
        self.key = sha256(f"{VERSION} {name} {weights.stat().st_size}".encode()).hexdigest()[:16]

    def embed(self, texts: Sequence[str]) -> Any:
        """As `Embedder.embed`."""
        order = sorted(range(len(texts)), key=lambda one: len(texts[one]))  # alike lengths need little padding
        rows: list[Any] = [None] * len(texts)
        for first in range(0, len(order), _BATCH):
            chosen = order[first : first + _BATCH]
            for place, row in zip(chosen, self._batch([texts[one] for one in chosen]), strict=True):
                rows[place] = row
        return self._numpy.array(rows, dtype="float32").reshape(len(texts), -1)

    def _batch(self, texts: Sequence[str]) -> Any:
        read = self._tokens.encode_batch(list(texts))
        ids = self._numpy.array([one.ids for one in read], dtype="int64")
        mask = self._numpy.array([one.attention_mask for one in read], dtype="int64")
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": self._numpy.zeros_like(ids)}
        out = self._session.run(None, {name: given[name] for name in self._inputs})[0]
        if out.ndim == 3:
            weights = mask[:, :, None]
            out = out[:, 0] if self._first else (out * weights).sum(1) / self._numpy.maximum(weights.sum(1), 1)
        return out / self._numpy.maximum(self._numpy.linalg.norm(out, axis=1, keepdims=True), 1e-9)


def find(name: str, root: Path, fetch: bool) -> Path:
    """The folder of a model.

    Args:
        name: a folder, from `root` on if it is relative; or a name such as `sentence-transformers/all-MiniLM-L6-v2`.
        root: the vault's.
        fetch: whether it may be fetched where it is not there yet.

    Raises:
        NoModel: it is not there.
    """
    folder = root / Path(name).expanduser()
    if folder.is_dir():
        return folder
    try:
        from huggingface_hub import hf_hub_download
    except ImportError:
        raise NoModel(f"{name} is no folder, and huggingface_hub is not installed; `pip install 'wikimem[dense]'`") from None
    try:
        weights = Path(hf_hub_download(name, _WEIGHTS[0], local_files_only=not fetch))
        for one in _BESIDE:
            hf_hub_download(name, one, local_files_only=not fetch)
    except Exception as error:  # of the network, the cache, or a name that is none
        told = "cannot be fetched" if fetch else "was not fetched yet; `wikimem ingest` fetches it"
        raise NoModel(f"the model {name} is no folder and {told} ({type(error).__name__})") from None
    return weights.parent.parent


@dataclass(frozen=True, slots=True)
class Kept:
    """The vectors of a vault, read.

    Args:
        key: of the model that made them.
        sources: each source that is in, with its content key.
        cites: the citation of each row.
        file: where the rows lie, half precision; None where there are none.
    """

    key: str
    sources: Mapping[str, str]
    cites: Sequence[str]
    file: Path | None

    def nearest(self, vector: Any, most: int) -> list[tuple[str, float]]:
        """The citations of the rows nearest to a vector, nearest first, each with its cosine."""
        if not self.cites:
            return []
        import numpy

        alike = self.rows() @ numpy.asarray(vector, dtype="float32")
        best = numpy.argsort(-alike, kind="stable")[:most]
        return [(self.cites[place], float(alike[place])) for place in best]

    def rows(self) -> Any:
        """All rows: float32, citations by dimensions."""
        import numpy

        if self.file is None:
            return numpy.zeros((0, 0), dtype="float32")
        return numpy.fromfile(self.file, dtype="float16").reshape(len(self.cites), -1).astype("float32")


def read(folder: Path) -> Kept:
    """What a folder keeps; nothing where it keeps none that is whole."""
    nothing = Kept("", {}, (), None)
    try:
        told = orjson.loads((folder / "current.json").read_bytes())
        file = folder / told["file"]
        kept = Kept(told["key"], told["sources"], told["cites"], file)
        whole = told["version"] == VERSION and file.stat().st_size == 2 * told["dimensions"] * len(kept.cites)
    except (OSError, ValueError, KeyError, TypeError):
        return nothing
    return kept if whole else nothing


def write(folder: Path, kept: Kept, gone: Collection[str], added: Iterable[tuple[str, str, Sequence[str], Any]]) -> Kept:
    """Leave out the rows of some sources, add those of others, and put the result in use.

    Args:
        folder: made if it is not there.
        kept: what was read of it.
        gone: sources.
        added: source, its content key, its citations, their rows; one that is there is replaced.
    """
    import numpy

    new = list(added)
    out = {*gone, *(source for source, *_ in new)}
    stay = [place for place, cite in enumerate(kept.cites) if cite.partition(":")[0] not in out]
    parts = [kept.rows()[stay]] if stay else []
    parts += [rows for _, _, cites, rows in new if len(cites)]
    whole = numpy.concatenate(parts).astype("float16") if parts else numpy.zeros((0, 1), dtype="float16")
    cites = [*(kept.cites[place] for place in stay), *(cite for _, _, told, _ in new for cite in told)]
    sources = {source: key for source, key in kept.sources.items() if source not in out}
    sources |= {source: key for source, key, _, _ in new}
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{secrets.token_hex(4)}.f16"
    whole.tofile(file)
    told = {
        "version": VERSION,
        "key": kept.key,
        "file": file.name,
        "dimensions": whole.shape[1],
        "sources": sources,
        "cites": cites,
    }
    fresh = folder / f"{file.stem}.json"
    fresh.write_bytes(orjson.dumps(told))
    fresh.replace(folder / "current.json")
    for other in folder.glob("*.f16"):
        if other != file:
            other.unlink(missing_ok=True)
    return read(folder)
