"""Data sets: benchmarks as conversations and questions. One module each; none of them is part of this repository.

locomo        LoCoMo: long chats of two people, dated sessions, evidence by turn
longmemeval   LongMemEval: official rows, the oracle shape, and haystacks with several questions
beam          BEAM: a folder of conversations with probing questions, evidence by message
personamem    PersonaMem: questions in CSV, shared contexts in JSONL beside it, no evidence named
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from wikimem.edges.datasets import beam, locomo, longmemeval, personamem
from wikimem.edges.datasets.format import BadDataset, Haystack, Talk

__all__ = ["READERS", "BadDataset", "Haystack", "Talk"]

READERS: Mapping[str, Callable[[Path], Iterator[Haystack]]] = {
    "locomo": locomo.read,
    "longmemeval": longmemeval.read,
    "beam": beam.read,
    "personamem": personamem.read,
}
"""Each reads a file or folder; raises `BadDataset` where it is not what its name says, and `OSError`."""
