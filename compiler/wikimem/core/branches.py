"""Which part of a session was rewound: the person went back, said something else, and the old branch is no history.

A transcript that keeps every branch has many forks that mean nothing (parallel tools, progress records). Only one kind is
a rewind: two different prompts of a person under one and the same turn. Then the one that stands later in the file is
alive, and everything that hangs on the earlier one is dead: kept and shown, but evidence for nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from wikimem.core.turns import Form, Record, Speaker, Turn

_PROMPTS = frozenset({"", "argument"})


def dead(records: Iterable[Record]) -> frozenset[str]:
    """The uuids of the records on rewound branches, and of those that a later record took back.

    Args:
        records: those of one file, in any order. A parent that is not among them begins a new segment, which is alive.
    """
    parents: dict[str, str] = {}
    silent: set[str] = set()
    prompts: list[tuple[int, str]] = []
    gone: set[str] = set()
    for record in records:
        gone.update(record.retracts)
        if not record.uuid:
            continue
        parents[record.uuid] = record.parent
        if not isinstance(record.gave, tuple) or all(turn.speaker is Speaker.HARNESS for turn in record.gave):
            silent.add(record.uuid)
        elif any(_is_prompt(turn) for turn in record.gave):
            prompts.append((record.line, record.uuid))
    gone &= parents.keys()
    rivals: dict[str, list[str]] = defaultdict(list)
    for _, uuid in sorted(prompts):
        anchor = _anchor(uuid, parents, silent)
        if anchor:
            rivals[anchor].append(uuid)
    gone.update(uuid for prompts_there in rivals.values() for uuid in prompts_there[:-1])
    return _with_descendants(gone, parents) if gone else frozenset()


def _is_prompt(turn: Turn) -> bool:
    return turn.speaker is Speaker.HUMAN and turn.form is Form.PROSE and turn.mark in _PROMPTS


def _anchor(uuid: str, parents: dict[str, str], silent: set[str]) -> str:
    """The turn that a prompt answers: upwards past records that say nothing; '' at a root or a broken link."""
    steps = 0
    above = parents.get(uuid, "")
    while above in silent and steps < 10_000:
        above = parents.get(above, "")
        steps += 1
    return above if above in parents else ""


def _with_descendants(gone: set[str], parents: dict[str, str]) -> frozenset[str]:
    children: dict[str, list[str]] = defaultdict(list)
    for uuid, parent in parents.items():
        children[parent].append(uuid)
    found = set(gone)
    waiting = list(gone)
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return frozenset(found)
