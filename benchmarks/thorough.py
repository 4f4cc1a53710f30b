"""Quick against thorough recall by `rules`: how much of the evidence stands in one context of a budget. Not a test.

    python benchmarks/thorough.py locomo LOCOMO.json [--haystacks N] [--budget 2000]
    python benchmarks/thorough.py own VAULT QUESTIONS.jsonl

Both answer the same questions from the same vault; the budget holds for all that is rendered. Of a thorough answer the
spans count as the turns they stand in, and the quick entries that are left beside them.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from wikimem import evaluate, probing, thorough
from wikimem import vault as vaults
from wikimem.compile import Wish as Compiling
from wikimem.compile import compile
from wikimem.core.evaluation import own
from wikimem.core.evaluation.cases import Case, Sort, is_met
from wikimem.core.evaluation.reports import Evaluation
from wikimem.edges import datasets
from wikimem.init import init
from wikimem.recall import recall
from wikimem.vault import Vault


def main() -> None:
    """Print coverage by category, seconds, and how many questions gained and lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset", choices=["locomo", "longmemeval", "own"])
    parser.add_argument("path", type=Path)
    parser.add_argument("questions", type=Path, nargs="?")
    parser.add_argument("--haystacks", type=int, default=0)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--budget", type=int, default=2000)
    given = parser.parse_args()
    rows: dict[str, list[tuple[float, float]]] = defaultdict(list)
    spent = [0.0, 0.0]
    with tempfile.TemporaryDirectory() as place:
        for vault, cases in _vaults(given, Path(place)):
            for case in cases:
                if case.sort is Sort.ANSWERABLE and case.evidence:
                    told = _asked(vault, case, given.budget, spent)
                    for name in ("all", case.category):
                        rows[name].append(told)
    for name, pairs in sorted(rows.items()):
        quick, slow = (sum(column) / len(pairs) for column in zip(*pairs, strict=True))
        better, worse = sum(b > a for a, b in pairs), sum(b < a for a, b in pairs)
        print(f"{name:16} {len(pairs):5}  quick {quick:.3f}  thorough {slow:.3f}  better {better}  worse {worse}")
    number = len(rows["all"])
    print(f"seconds a question: quick {spent[0] / number:.3f}, thorough {spent[1] / number:.3f}")


def _vaults(given: argparse.Namespace, place: Path) -> Iterator[tuple[Vault, Iterable[Case]]]:
    if given.dataset == "own":
        cases, _ = own.read(given.questions.read_text().split("\n"), "questions")
        yield vaults.open_at(given.path), cases
        return
    read = datasets.READERS[given.dataset](given.path)
    for number, haystack in enumerate(read, 1):
        if number <= given.skip or (given.haystacks and number > given.skip + given.haystacks):
            continue
        vault = vaults.open_at(init(place / f"v{number}").root)
        report = Evaluation({})
        evaluate._capture(vault, place / f"talks{number}", haystack, report)
        compile(vault, Compiling())
        yield vault, tuple(evaluate._placed(haystack, vault, report))


def _asked(vault: Vault, case: Case, budget: int, spent: list[float]) -> tuple[float, float]:
    start = time.perf_counter()
    quick = recall(vault, case.question, budget=budget)
    spent[0] += time.perf_counter() - start
    start = time.perf_counter()
    slow = thorough.recall_thoroughly(vault, case.question, budget=budget, model="rules")
    spent[1] += time.perf_counter() - start
    beside = {one.cite for one in slow.spans}
    return _share(case, probing._context(quick.bundle).keys), _share(case, probing._context(slow.quick.bundle).keys | beside)


def _share(case: Case, keys: frozenset[str]) -> float:
    return sum(is_met(one, keys) for one in case.evidence) / len(case.evidence)


if __name__ == "__main__":
    main()
