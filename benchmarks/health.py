"""Figures of lint and verify on a large vault, such as `benchmarks/site.py make` invents. Not a test.

python benchmarks/health.py VAULT [--verify]

Each is told by the clock and by the processor's seconds, since the machine may be busy: lint cold (nothing kept), warm, and warm
after one page was touched; verify with the megabytes of sources that it proves a second, anew and after an earlier one.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wikimem.faces.api import Vault


def timed(what: str, run: Callable[[], Any]) -> tuple[Any, float]:
    """Run something and print how long it took; what it gave, and the processor's seconds."""
    start, used = time.perf_counter(), os.times()
    found = run()
    now = os.times()
    spent = sum(now[:4]) - sum(used[:4])
    print(f"{what}: {time.perf_counter() - start:.1f} s, {spent:.1f} s of processor, load {os.getloadavg()[0]:.0f}", flush=True)
    return found, spent


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vault", type=Path)
    parser.add_argument("--verify", action="store_true")
    given = parser.parse_args()
    (given.vault / ".wikimem" / "lint.json").unlink(missing_ok=True)
    found, _ = timed("lint, cold", lambda: Vault.open(given.vault).lint())
    timed("lint, warm", lambda: Vault.open(given.vault).lint())
    page = next((given.vault / "wiki" / "topics").glob("*.md"))
    page.touch()
    timed("lint, one page touched", lambda: Vault.open(given.vault).lint())
    kinds = Counter(one.rule for one in (*found.problems, *found.hints))
    print(f"{len(found.conflicts)} conflicts, {len(found.stale)} stale, {dict(kinds)}")
    if given.verify:
        for what, anew in (("verify, with nothing kept", True), ("verify again", False)):
            proof, spent = timed(what, lambda anew=anew: Vault.open(given.vault).verify(anew=anew))
            print(f"{proof.sources} sources, {proof.bytes / 1e6:.0f} MB, {proof.quotes} quotes, {len(proof.problems)} problems")
            print(f"{proof.bytes / 1e6 / spent:.1f} MB a second of processor; {proof.pages} pages as they were then")


if __name__ == "__main__":
    main()
