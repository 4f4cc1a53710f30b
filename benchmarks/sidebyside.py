"""The same questions to wikimem, plain BM25 (bm25s), SQLite FTS5 and a memory product, in one run. Not a test: it prints figures.

    python benchmarks/sidebyside.py LOCOMO.json [--compile] [--product PYTHON3.12]

Each conversation is a haystack of its own. All search the same turns with the same captions; the name of who speaks stands
in the text that the other two index, so that they can find a speaker too. FTS5 is asked for any of the words, with its
porter tokenizer; bm25s with its English stop words, and a stemmer if PyStemmer is installed. What is compared is the
first ten turns, categories 1 to 4. With `--compile`, wikimem also has what `rules` compile; without, it has turns only.
bm25s is no dependency: where it is not installed, its line says so. `--product` names a Python 3.12 or later, with which the
product (`product.py`) is installed into an environment that goes with the run, or stays below `--place`.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import product as beside
from wikimem import evaluate
from wikimem.core.evaluation import figures
from wikimem.core.evaluation.cases import Case, Sort
from wikimem.edges.datasets import Haystack, locomo

DEPTH = 10
CHOSEN_ON = ("conv-26", "conv-30", "conv-41")

Search = Callable[[str], Sequence[str]]


def documents(haystack: Haystack) -> Iterator[tuple[str, str]]:
    """Place and text of each turn."""
    for talk in haystack.talks:
        for turn in talk.turns:
            yield f"{talk.session}:{turn.identity}", f"{turn.name}: {turn.text}"


def fts5(haystack: Haystack) -> Search:
    """SQLite's full-text search, ranked by its BM25."""
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE turns USING fts5(place UNINDEXED, text, tokenize='porter unicode61')")
    base.executemany("INSERT INTO turns VALUES (?, ?)", documents(haystack))

    def search(question: str) -> Sequence[str]:
        asked = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
        rows = base.execute("SELECT place FROM turns WHERE turns MATCH ? ORDER BY rank LIMIT ?", (asked, DEPTH))
        return [place for (place,) in rows]

    return search


def bm25s(haystack: Haystack) -> Search:
    """bm25s as its documentation uses it."""
    import bm25s as library

    stemmer = None
    if importlib.util.find_spec("Stemmer"):
        import Stemmer

        stemmer = Stemmer.Stemmer("english")
    places, texts = zip(*documents(haystack), strict=True)
    index = library.BM25()
    index.index(library.tokenize(list(texts), stopwords="en", stemmer=stemmer, show_progress=False), show_progress=False)

    def search(question: str) -> Sequence[str]:
        asked = library.tokenize([question], stopwords="en", stemmer=stemmer, show_progress=False)
        found, _ = index.retrieve(asked, k=min(DEPTH, len(places)), show_progress=False)
        return [places[number] for number in found[0]]

    return search


def share(case: Case, found: Sequence[str]) -> float:
    """The share of a question's evidence that was found."""
    return sum(one in found for one in case.evidence) / len(case.evidence)


def measure(path: Path, make: Callable[[Haystack], Search]) -> tuple[dict[str, list[float]], list[float]]:
    """Recall of each question by conversation, and the milliseconds of each search."""
    shares: dict[str, list[float]] = {}
    times = []
    for haystack in locomo.read(path):
        search = make(haystack)
        for case in haystack.cases:
            if case.sort is Sort.ANSWERABLE and case.evidence:
                start = time.perf_counter()
                found = search(case.question)
                times.append((time.perf_counter() - start) * 1000)
                shares.setdefault(haystack.name, []).append(share(case, found))
    return shares, times


def product(path: Path, python: str, place: Path) -> tuple[dict[str, list[float]], list[float]]:
    """The same of the product; its time is that of a call of its tool, without starting it."""
    haystacks = list(locomo.read(path))
    cases = {
        haystack.name: [case for case in haystack.cases if case.sort is Sort.ANSWERABLE and case.evidence]
        for haystack in haystacks
    }
    notes = {haystack.name: list(documents(haystack)) for haystack in haystacks}
    asked = {name: [case.question for case in wanted] for name, wanted in cases.items()}
    answers = beside.search(place, python, notes, asked)
    shares = {
        name: [share(case, found) for case, (found, _) in zip(wanted, answers[name], strict=True)]
        for name, wanted in cases.items()
    }
    return shares, [spent for found in answers.values() for _, spent in found]


def ours(path: Path, compiled: bool) -> tuple[dict[str, list[float]], list[float]]:
    """The same of wikimem; its time includes the assembling of the context."""
    report = evaluate.evaluate("locomo", path, evaluate.Wish(compile=compiled, offtopic=False))
    shares: dict[str, list[float]] = {}
    times = []
    for row in report.rows:
        value = figures.recall(row, DEPTH)
        if value is not None:
            shares.setdefault(row.haystack, []).append(value)
            times.append(row.seconds * 1000)
    return shares, times


def line(name: str, shares: dict[str, list[float]], times: list[float]) -> str:
    """One line of figures."""
    groups = {
        "all": [value for values in shares.values() for value in values],
        "chosen on": [value for key, values in shares.items() if key in CHOSEN_ON for value in values],
        "held out": [value for key, values in shares.items() if key not in CHOSEN_ON for value in values],
    }
    told = "  ".join(f"{key} {sum(values) / len(values):.3f}" for key, values in groups.items() if values)
    pace = f"p50 {figures.percentile(times, 50):.1f} ms, p95 {figures.percentile(times, 95):.1f} ms"
    return f"{name:24} recall@{DEPTH}: {told}  ({pace})"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--product", default="", metavar="PYTHON")
    parser.add_argument("--place", type=Path, default=None)
    given = parser.parse_args()
    print(line("SQLite FTS5", *measure(given.path, fts5)))
    if importlib.util.find_spec("bm25s"):
        print(line("bm25s", *measure(given.path, bm25s)))
    else:
        print("bm25s                    is not installed")
    if given.product:
        with tempfile.TemporaryDirectory() as work:
            print(line(beside.WANTED, *product(given.path, given.product, (given.place or Path(work)).resolve())))
    print(line("wikimem, turns only", *ours(given.path, False)))
    if given.compile:
        print(line("wikimem, compiled", *ours(given.path, True)))


if __name__ == "__main__":
    main()
