"""Does recall know when it knows nothing? Questions on other subjects must get nothing, and the rest their answers.

    python benchmarks/offtopic.py LOCOMO.json [--claims]

The questions stand in `wikimem.core.evaluation.offtopic`. An answerable
question loses its answer when the floor empties it, though without the floor some of its evidence would be found.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

import locomo
from wikimem.core.evaluation.offtopic import CHOSEN_ON, HELD_OUT
from wikimem.edges.index.searching import Taste


def silent(asked: locomo.Asked, questions: Sequence[str]) -> int:
    """How many of the questions get nothing."""
    return sum(not asked.search(question).hits for question in questions)


def lost(pairs: Sequence[tuple[locomo.Asked, locomo.Talk]]) -> tuple[float, float]:
    """The share of answerable questions that the floor takes an answer from, and of those that get nothing at all."""
    gone = empty = count = 0
    for asked, talk in pairs:
        for question in talk.questions:
            count += 1
            if not asked.search(question.text).hits:
                empty += 1
                gone += locomo.recall(asked, question, Taste(floor=0.0)) > 0
    return gone / count, empty / count


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--claims", action="store_true")
    given = parser.parse_args()
    talks = locomo.read(given.path)
    with tempfile.TemporaryDirectory() as place:
        apart = [(locomo.index(Path(place) / talk.name, [talk], given.claims), talk) for talk in talks]
        whole = locomo.index(Path(place) / "all", talks, given.claims)
        for name, indexes, pairs in (
            ("one index each", [asked for asked, _ in apart], apart),
            ("all in one", [whole], [(whole, talk) for talk in talks]),
        ):
            for which, questions in (("chosen on", CHOSEN_ON), ("held out", HELD_OUT)):
                counts = [silent(asked, questions) for asked in indexes]
                print(f"{name}, {which}: of {len(questions)} off-topic questions get nothing: {counts}")
            gone, empty = lost(pairs)
            print(f"{name}: answerable questions that lose their answer {gone:.1%}, that get nothing {empty:.1%}")


if __name__ == "__main__":
    main()
