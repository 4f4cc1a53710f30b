"""Secrets planted over all formats that hold words: not one may stand anywhere in the vault afterwards. Prints one line.

    python benchmarks/planting.py [NUMBER] [SEED]

Invented tokens of vendors, passwords in URLs, headers, assignments, and remarks in `<private>`; captured, compiled, searched,
built as a site; said in a live session whose hooks copy it, and asked for in questions that the log keeps; then looked for in
every file of the vault's folder, git's own among them, and in every object of its repository.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import wikimem
from makers import document
from planted import Planted, found, plant, secret
from wikimem import attend, background
from wikimem.core.events import Event
from wikimem.faces.api import Vault
from wikimem.vault import open_at


def live(vault: Vault, top: Path, seed: int) -> list[Planted]:
    """Secrets in a session that goes on, and in what is asked of the memory meanwhile; more than those planted in files."""
    dice = random.Random(f"live {seed}")
    said = [secret(dice) for _ in range(20)]
    made = document("claude-code", [one.said for one in said])
    assert made is not None
    path = top / "live.jsonl"
    path.write_bytes(made[1])
    opened = open_at(vault.root)
    assert attend.keep(opened, Event("claude-code", "live-1", "/home/sam/harbour", str(path)), False) is not None
    attend.prompt(opened, Event("claude-code", "live-1", "/home/sam/harbour", prompt=said[0].said))
    background.work(opened)
    for one in said:
        vault.recall(f"when does the ferry gate open, {one.said}", channel="cli")
    vault.feedback(missing=[said[1].said])
    return said


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
        planted += live(vault, top, seed)
        vault.build_site()
        # What is no secret is found, in files and in git, or the search would prove nothing.
        assert "git" in found(vault.root, ["ferry"])["ferry"]
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
