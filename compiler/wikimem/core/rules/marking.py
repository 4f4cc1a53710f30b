"""Marking by rule: whether the words that are expected stand in an answer. It cannot tell a paraphrase; a model can."""

from __future__ import annotations

from typing import Any

from wikimem.core.evaluation.judging import Judged, Protocol, bare

ABSTAINED = ("not in memory", "memory says otherwise")
"""What the answers say that are none."""

_SHARE = 0.8


def mark(judged: Judged) -> dict[str, Any]:
    """The reply to a judge's question, in the form of `judging.SCHEMA`."""
    given = judged.given.casefold()
    silent = any(words in given for words in ABSTAINED)
    if judged.protocol is Protocol.ABSTENTION:
        return {"reason": "it says that memory does not tell" if silent else "it answers", "score": int(silent)}
    wanted = set(bare(judged.expected))
    there = len(wanted & set(bare(given))) / len(wanted) if wanted else 0.0
    passes = there >= _SHARE and not silent
    return {"reason": f"{there:.0%} of the expected words stand in it", "score": int(passes)}
