"""Secrets planted over all formats that hold words: not one may stand anywhere in the vault afterwards. Prints one line.

    python benchmarks/planting.py [NUMBER] [SEED]

Invented tokens of vendors, passwords in URLs, headers, assignments, and remarks in `<private>`; captured, compiled, searched,
built as a site; then looked for in every file of the vault's folder and in every object of its repository.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import wikimem
from planted import found, plant


def main(number: int, seed: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder)
        (top / "files").mkdir()
        vault = wikimem.create(top / "memory")
        files, planted = plant(top / "files", number, seed)
        start = time.monotonic()
        masked: Counter[str] = Counter()
        for format, file in files.items():
            report = vault.ingest([file], format=format)
            masked.update(report.masked)
            if not report.added:
                print(f"{format}: nothing was kept: {report.problems}")
        vault.compile()
        vault.recall("when does the ferry gate open")
        vault.build_site()
        left = found(vault.root, [one.core for one in planted])
        kinds = ", ".join(f"{kind} {count}" for kind, count in masked.most_common())
        print(
            f"{len(planted)} secrets in {len(files)} formats, {len(left)} left; masked: {kinds}; {time.monotonic() - start:.0f} s"
        )
        for core, places in left.items():
            print(f"LEFT {core}: {', '.join(places)}")
        return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(*(int(word) for word in (*sys.argv[1:], *("200", "7")[len(sys.argv) - 1 :]))))
