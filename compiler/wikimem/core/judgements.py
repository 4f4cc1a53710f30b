"""Judgements about pairs of claims and of mentions, kept for ever, one JSON line each. Not the choice of pairs.

A file of judgements is a set of sorted lines, so that git's `union` merge of two of them is right whatever was added.
Two machines may have judged one pair differently; then a person's word wins, else the more cautious relation, the one
that closes and hides less.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import orjson

from wikimem.core import linesets
from wikimem.errors import Problem

Pair = tuple[str, str]
"""Two ids, the smaller first."""


class Relation(StrEnum):
    """How two claims, or two mentions, stand to each other; from the most cautious to the least."""

    UNRELATED = "unrelated"
    DIFFERENT = "different"
    CONTRADICTS = "contradicts"
    A_REFINES_B = "a-refines-b"
    B_REFINES_A = "b-refines-a"
    SAME = "same"
    REPLACES = "replaces"
    DENIES = "denies"


_CAUTION = {relation: number for number, relation in enumerate(Relation)}


@dataclass(frozen=True, slots=True)
class Judgement:
    """One judgement.

    Args:
        pair: the two ids, the smaller first; `a` and `b` of the relation are the first and the second.
        of: `claims` or `mentions`.
        relation: for mentions `same` or `different`; for claims any other and `same`.
        by: the judge: a model's name, or `person`.
        reason: one sentence; may be empty.
    """

    pair: Pair
    of: str
    relation: Relation
    by: str
    reason: str = ""


def pair(one: str, other: str) -> Pair:
    """Two ids in canonical order."""
    return (one, other) if one <= other else (other, one)


def shelf(judgement: Judgement) -> str:
    """The file a judgement is kept in, below `wiki/.claims/pairs/`: two characters of the first id."""
    return f"{judgement.pair[0][:2]}.jsonl"


def write(judgements: Iterable[Judgement]) -> bytes:
    """A file of judgements: sorted lines, each once."""
    return b"".join(sorted({_line(judgement) for judgement in judgements}))


def _line(judgement: Judgement) -> bytes:
    told = {
        "pair": list(judgement.pair),
        "of": judgement.of,
        "relation": judgement.relation.value,
        "by": judgement.by,
        "reason": judgement.reason,
    }
    return orjson.dumps({name: value for name, value in told.items() if value}) + b"\n"


def read(data: bytes, where: str) -> tuple[tuple[Judgement, ...], tuple[Problem, ...]]:
    """The judgements of a file in order, and a problem for each line that is none."""
    message = "this line was left out: it is no judgement of a pair; the pair will be judged again"
    found, problems = linesets.read(data, where, _read, "pairs-line", message)
    return tuple(sorted(found, key=_line)), problems


def _read(told: Mapping[str, Any]) -> Judgement:
    one, other = told["pair"]
    of, by, reason = told["of"], told.get("by", ""), told.get("reason", "")
    relation = Relation(told["relation"])
    if not all(isinstance(text, str) for text in (one, other, by, reason)) or of not in ("claims", "mentions"):
        raise ValueError("not text")
    if not one < other or (of == "mentions" and relation not in (Relation.SAME, Relation.DIFFERENT)):
        raise ValueError("not in canonical order, or no relation of mentions")
    return Judgement((one, other), str(of), relation, str(by), str(reason))


def settled(judgements: Iterable[Judgement]) -> dict[Pair, Judgement]:
    """One judgement a pair: a person's, else the most cautious; the same whatever the order."""
    best: dict[Pair, Judgement] = {}
    for judgement in judgements:
        known = best.get(judgement.pair)
        if known is None or _rank(judgement) < _rank(known):
            best[judgement.pair] = judgement
    return dict(sorted(best.items()))


def _rank(judgement: Judgement) -> tuple[bool, int, bytes]:
    return (judgement.by != "person", _CAUTION[judgement.relation], _line(judgement))


def without(judgements: Iterable[Judgement], gone: frozenset[str]) -> tuple[Judgement, ...]:
    """The judgements without those about something that only sources which are gone had yielded."""
    return tuple(judgement for judgement in judgements if gone.isdisjoint(judgement.pair))


def living(judgements: Iterable[Judgement], ids: frozenset[str] | set[str]) -> tuple[Judgement, ...]:
    """The judgements of which both sides are among some ids."""
    return tuple(judgement for judgement in judgements if judgement.pair[0] in ids and judgement.pair[1] in ids)
