"""A sentence model so small that a test can write it: words of one group mean the same, and nothing else does."""

from __future__ import annotations

from pathlib import Path

import numpy
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace


def write(folder: Path, *groups: str) -> Path:
    """Its folder: a tokenizer, and an ONNX file that looks up one vector for each word.

    Args:
        folder: made.
        groups: words that mean the same, `dog puppy hound`.
    """
    folder.mkdir(parents=True)
    vocabulary = {"[PAD]": 0, "[UNK]": 1}
    rows = [[0.0] * (len(groups) + 1), [0.0] * len(groups) + [0.05]]
    for place, group in enumerate(groups):
        for word in group.split():
            vocabulary[word] = len(vocabulary)
            rows.append([float(place == other) for other in range(len(groups))] + [0.0])
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "model.onnx").write_bytes(_model(numpy.array(rows, dtype="float32")))
    return folder


def _number(value: int) -> bytes:
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def _whole(field: int, value: int) -> bytes:
    return _number(field << 3) + _number(value)


def _part(field: int, value: bytes | str) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return _number(field << 3 | 2) + _number(len(data)) + data


def _value(name: str, kind: int, dimensions: int) -> bytes:
    shape = b"".join(_part(1, _part(2, f"d{place}")) for place in range(dimensions))
    return _part(1, name) + _part(2, _part(1, _whole(1, kind) + _part(2, shape)))


def _model(weights: numpy.ndarray) -> bytes:
    """The ONNX file of one Gather, in the wire format of protocol buffers."""
    tensor = (
        b"".join(_whole(1, size) for size in weights.shape) + _whole(2, 1) + _part(8, "weights") + _part(9, weights.tobytes())
    )
    node = _part(1, "weights") + _part(1, "input_ids") + _part(2, "out") + _part(4, "Gather")
    graph = _part(1, node) + _part(2, "senses") + _part(5, tensor)
    graph += _part(11, _value("input_ids", 7, 2)) + _part(12, _value("out", 1, 3))
    return _whole(1, 8) + _part(7, graph) + _part(8, _part(1, "") + _whole(2, 17))
