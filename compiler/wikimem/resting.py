"""Resting: filed answers among what a search found: behind the evidence, and only while what they rest on is as it was.

An answer that was filed is an inference from what memory held then. Recall shows it after all that was said and claimed,
and leaves it out when a claim that it rests on has ended, is disputed, or is gone.
"""

from __future__ import annotations

from collections.abc import Iterable

from wikimem.core import filed, telling
from wikimem.core.answers import Answer, Told
from wikimem.core.passages import Hit
from wikimem.core.queries import Within
from wikimem.edges import concluded
from wikimem.edges.ledger import Ledger
from wikimem.errors import Problem
from wikimem.indexing import Shelves


def settled(
    ledger: Ledger, shelves: Shelves, within: Within, found: Iterable[Answer]
) -> tuple[tuple[Answer, ...], tuple[Problem, ...]]:
    """What a search found, filed answers last; and a problem for each that was left out because it is stale.

    Args:
        ledger: the vault's sources.
        shelves: the open indexes that were searched.
        within: what the search was confined to.
        found: the answers, best first.
    """
    first: list[Answer] = []
    last: list[Answer] = []
    problems: dict[str, Problem] = {}
    for answer in found:
        source = _source(answer)
        if not source:
            first.append(answer)
        elif why := _stale(ledger, shelves, within, source):
            told = f"an answer that was filed is stale ({why}) and was left out; ask again with `wikimem ask --save`"
            problems[source] = Problem(source, "stale-answer", told)
        else:
            last.append(answer)
    return (*first, *last), tuple(problems.values())


def _source(answer: Answer) -> str:
    """The source of a filed answer; empty for anything else."""
    match answer:
        case Hit(passage):
            source = passage.source
        case Told():
            source = answer.first.first.source if len(answer.statements) == 1 else ""
        case _:
            source = ""
    return source if f"-{filed.FORMAT}-" in source else ""


def _stale(ledger: Ledger, shelves: Shelves, within: Within, source: str) -> str:
    """What changed of what an answer rests on, in clauses; empty where it still stands."""
    if shelves.wiki is None or source not in ledger.all() or ledger.all()[source].format != filed.FORMAT:
        return ""
    changed: dict[str, None] = {}
    for answer in concluded.of(ledger, source):
        for rest in answer.rests:
            held = shelves.turns.claim(rest.claim, within, shelves.wiki) if rest.claim else None
            if told := filed.changed(rest, telling.state(held) if held is not None else None):
                changed[told] = None
    return "; ".join(changed)
