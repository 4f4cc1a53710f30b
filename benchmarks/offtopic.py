"""Does recall know when it knows nothing? Questions on other subjects must get nothing, and the rest their answers.

    python benchmarks/offtopic.py LOCOMO.json [--claims]

`CHOSEN_ON` was used to choose the floor; `HELD_OUT` was written after that and used for nothing else. An answerable
question loses its answer when the floor empties it, though without the floor some of its evidence would be found.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

import locomo
from wikimem.edges.index.searching import Taste

CHOSEN_ON = """
How do I configure an nginx reverse proxy for websockets?
What is the boiling point of ethanol at sea level?
Which Kubernetes version did we pin in the staging cluster?
When was the treaty of Westphalia signed?
How many moons does Jupiter have?
What did the auditors say about the depreciation schedule of the forklifts?
Who won the chess world championship in 1972?
What is the time complexity of heapsort?
Which port does the Postgres replica listen on?
How do you say good morning in Finnish?
What is the recommended torque for the rear axle bolts?
Why did the Gradle build fail on the release branch?
What are the side effects of amoxicillin?
How long does it take to fly from Lima to Auckland?
What was the closing price of copper futures last week?
Which tax form does a sole proprietor file in Ohio?
When does the customs office in Rotterdam open?
What is the best fertilizer for acidic clay soil in vineyards?
How is photosynthesis different in cactus plants?
Where did the Vikings build their first settlement in Greenland?
""".strip().splitlines()

HELD_OUT = """
How do I rotate the TLS certificates on the mail gateway?
What is the melting temperature of tungsten?
Which teams were relegated from the Bundesliga last season?
Who wrote the libretto of The Magic Flute?
How much notice must a landlord give in Scotland?
What did the hydrologist report about the groundwater level?
Why does the parser crash on empty Unicode strings?
When did Portugal join the European Union?
How do you remove rust from a cast iron pan?
Which voltage does the compressor need?
What is the difference between a mutex and a semaphore?
How many calories are in a hundred grams of lentils?
Where is the invoice for the June shipment of ball bearings?
What does the warranty of the dishwasher exclude?
Which glacier feeds the Rhone?
How was the bridge over the Tay rebuilt after the collapse?
What is the exchange rate of the zloty?
Did the migration of the billing schema finish before the deadline?
What speed is allowed on Belgian motorways?
How are neutrons detected in a scintillator?
""".strip().splitlines()


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
