"""LoCoMo (Maharana et al. 2024): long chats of two people, in dated sessions, with questions and the turns that answer them.

The caption of a picture belongs to its turn. Questions of category 5 ask for what was never said, or said by the other one;
a few cite turns that do not exist: what exists of their evidence counts, and a question without any has no retrieval figure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from wikimem.core.evaluation.cases import Case, Sort
from wikimem.core.turns import Speaker
from wikimem.edges.datasets.format import BadDataset, Haystack, Talk, guarded, load, moment, turn

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}

_DATE = "%I:%M %p on %d %B, %Y"
_CITED = re.compile(r"D:?(\d+):0*(\d+)")


def read(path: Path) -> Iterator[Haystack]:
    """One haystack a conversation."""
    told = load(path, "LoCoMo")
    if not isinstance(told, list):
        raise BadDataset(path, "LoCoMo", "it is no list of conversations")
    return guarded(path, "LoCoMo", (_haystack(sample) for sample in told))


def _haystack(sample: Mapping[str, Any]) -> Haystack:
    held = sample["conversation"]
    numbers = sorted(int(match[1]) for key in held if (match := re.fullmatch(r"session_(\d+)", key)))
    talks = []
    place: dict[str, str] = {}
    for number in numbers:
        said = moment(held.get(f"session_{number}_date_time", ""), _DATE)
        session = f"{sample['sample_id']}-{number:02}"
        turns = []
        for row in held[f"session_{number}"]:
            caption = row.get("blip_caption")
            text = f"{row['text']}\n[picture: {caption}]" if caption else row["text"]
            turns.append(turn(row["dia_id"], Speaker.HUMAN, text, said, row["speaker"]))
            place[row["dia_id"]] = f"{session}:{row['dia_id']}"
        talks.append(Talk(session, said, tuple(turns)))
    cases = tuple(_case(number, row, place) for number, row in enumerate(sample["qa"], 1))
    return Haystack(sample["sample_id"], tuple(talks), cases)


def _case(number: int, row: Mapping[str, Any], place: Mapping[str, str]) -> Case:
    ids = (f"D{int(a)}:{int(b)}" for part in row.get("evidence", ()) for a, b in _CITED.findall(part))
    evidence = tuple(dict.fromkeys(place[one] for one in ids if one in place))
    return Case(
        f"q{number:03}",
        row["question"],
        CATEGORIES.get(row["category"], str(row["category"])),
        Sort.ABSENT if row["category"] == 5 else Sort.ANSWERABLE,
        evidence,
        tuple(dict.fromkeys(one.partition(":")[0] for one in evidence)),
        str(row.get("answer", "")),
    )
