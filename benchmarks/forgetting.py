"""Forgetting one of many sources: what a dry run and a real one take, without history. Prints a line each.

    python benchmarks/forgetting.py [SOURCES] [--keep FOLDER]

Invented sessions of 20 turns about 4,000 things, with a claim in every second turn; the search index and the
built site are there, as in a vault in use. `--keep` makes the vault in a folder, or uses the one that is there.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import wikimem
from dictated import Dictated, session
from wikimem.faces.api import Vault

SYLLABLES = ("ba", "co", "di", "fe", "gu", "ha", "jo", "ku", "la", "mi", "no", "pe", "qua", "ro", "su", "ta", "vi", "wo", "xe")


def name(number: int) -> str:
    """A name that is like no other: names that are nearly alike would be held against each other."""
    dice = random.Random(number)
    return " ".join("".join(dice.choices(SYLLABLES, k=4)) for _ in range(2))


def talk(number: int) -> bytes:
    dice = random.Random(number)
    said: list[str | tuple[str, str]] = []
    for _ in range(10):
        thing = name(dice.randrange(4000))
        port = dice.randrange(2000, 9999)
        said.append(f"topic | {thing} | port | The {thing} listens on port {port}.")
        said.append(("assistant", f"Noted: port {port} for the {thing}; I will write number {dice.randrange(10**9)} down."))
    return session(f"s{number}", f"2026-0{number % 6 + 1}-{number % 27 + 1:02}T{number % 20:02}:00", *said)


def made(folder: Path, count: int) -> Vault:
    if (folder / "memory").is_dir():
        return Vault.open(folder / "memory")
    vault = wikimem.create(folder / "memory")
    (folder / "told").mkdir()
    for number in range(count):
        (folder / "told" / f"{number:05}.jsonl").write_bytes(talk(number))
    vault.ingest(sorted((folder / "told").iterdir()))
    # All in one commit: a thousand would only take longer to make.
    vault.recompile(model=Dictated())
    return vault


def _children() -> float:
    """Processor seconds of the processes that this one started."""
    told = os.times()
    return told.children_user + told.children_system


def main(count: int, folder: Path) -> None:
    vault = made(folder, count)
    vault.recall(f"which port does the {name(7)} listen on")
    vault.build_site()
    held = vault.status()
    print(f"{held.sources} sources, {held.claims} claims, {held.pages} pages; load {os.getloadavg()[0]:.1f}")
    names = sorted(path.stem for path in (vault.root / "sources").rglob("*.yaml"))
    for yes in (False, True, True):
        source = random.Random(time.monotonic_ns()).choice(names)
        names.remove(source)
        start, cpu, git = time.monotonic(), time.process_time(), _children()
        report = vault.forget(source, yes=yes, model=Dictated())
        took, worked, helped = time.monotonic() - start, time.process_time() - cpu, _children() - git
        told = f"{report.claims} claims, {len(report.pages_changed)} pages changed, {report.needles} needles"
        spent = f"{took:.1f} s, {worked:.1f} s of this process, {helped:.1f} s of git"
        print(f"{'forget' if yes else 'dry run'}: {spent}; {told}, left {report.left_files}")
    print(f"verify: {len(vault.verify().problems)} problems")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("sources", nargs="?", type=int, default=1000)
    parser.add_argument("--keep", type=Path)
    wanted = parser.parse_args()
    if wanted.keep:
        wanted.keep.mkdir(parents=True, exist_ok=True)
        main(wanted.sources, wanted.keep)
    else:
        with tempfile.TemporaryDirectory() as scratch:
            main(wanted.sources, Path(scratch))
