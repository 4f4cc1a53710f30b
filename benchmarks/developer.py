"""Sixty questions of working developers on their own sessions: is a line that answers among the first five? Not a test.

    python benchmarks/developer.py SPECSTORY_FOLDER PROJECT_FOLDER

The questions stand in `developer.jsonl`, in words of their own, with the turns that answer them. Those of category `choosing`
chose constants, those of category `reporting` are what is reported. The two folders are captured into a temporary vault
and compiled by `rules`; then it is `wikimem eval own` with the hundred off-topic questions.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from wikimem import evaluate
from wikimem import vault as vaults
from wikimem.compile import Wish as Compiling
from wikimem.compile import compile
from wikimem.ingest import ingest
from wikimem.init import init
from wikimem.intake import Wish as Ingesting

QUESTIONS = Path(__file__).with_name("developer.jsonl")
SHOWN = ("questions", "any@5", "any@10", "mrr", "coverage@2000", "offtopic_silent", "answerable_silent")


def main() -> None:
    """Print the figures, and which questions have no answering line among the first five."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        vault = vaults.open_at(init(Path(place) / "vault").root)
        ingest(vault, Ingesting(tuple(given.folders)))
        vault.ledger.forget_cache()
        compile(vault, Compiling())
        report = evaluate.own(vault, QUESTIONS, wish=evaluate.Wish(offtopic=True))
    for category, told in report.figures().items():
        print(f"{category:10}", "  ".join(f"{name} {told[name]:.3f}" for name in SHOWN if told[name] is not None))
    for row in report.as_json()["questions"]:
        if row["figures"].get("any@5") == 0:
            print("missed", row["id"], row["question"])
    print(*report.problems, sep="\n")


if __name__ == "__main__":
    main()
