"""Figures of capture, each measured as a whole process: ingest, ingest again, verify, memory, kills.

Usage: python benchmarks/capture.py FOLDER… [--kills N]

For each folder: a fresh vault, one ingest, a second ingest with nothing new, a verify. With --kills, N further ingests of
the first folder are killed at random moments; after each, `verify` must pass, and at the end the sources must equal those
of an undisturbed run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any


def run(*args: str, cwd: Path | None = None) -> tuple[float, float, str, int]:
    """Wall seconds, peak megabytes, output and exit code of one wikimem process."""
    before = time.perf_counter()
    script = "import sys; from wikimem.faces.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", script, *args], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    out, _ = process.communicate()
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return time.perf_counter() - before, peak, out, process.returncode


def fresh(work: Path, name: str) -> Path:
    """An empty vault."""
    vault = work / name
    shutil.rmtree(vault, ignore_errors=True)
    run("init", str(vault))
    return vault


def measure(work: Path, folder: Path) -> None:
    """Print the figures of one folder."""
    vault = fresh(work, "vault")
    seconds, peak, out, code = run("--vault", str(vault), "ingest", "--json", str(folder))
    told: dict[str, Any] = json.loads(out)
    again, _, second, _ = run("--vault", str(vault), "ingest", "--json", str(folder))
    checked, _, proof, verdict = run("--vault", str(vault), "verify", "--json")
    size = told["bytes"] / 1e6
    stored = json.loads(proof)["bytes"] / 1e6
    print(f"\n{folder}")
    print(f"  ingest   {seconds:6.2f} s  {size:6.1f} MB  {size / seconds:5.1f} MB/s  peak so far {peak:.0f} MB  exit {code}")
    print(f"  sources {len(told['added'])}, records {told['records']}, turns {told['turns']} {told['speakers']}")
    print(f"  damaged {told['damaged']}, unknown {told['unknown']}, masked {told['masked']}, left out {len(told['left_out'])}")
    print(f"  again    {again:6.2f} s  commit {json.loads(second)['commit'] or 'none'}")
    print(f"  verify   {checked:6.2f} s  {stored / checked:5.1f} MB/s  exit {verdict}")
    balanced = told["records"] == told["records_with_turns"] + sum(told["noise"].values()) + told["damaged"]
    print(f"  account  {'balanced' if balanced else 'NOT BALANCED'}")


def sources(vault: Path) -> dict[str, bytes]:
    """Every stored file but the time of recording."""
    found = {}
    for path in sorted((vault / "sources").rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            if path.suffix == ".yaml":
                data = b"\n".join(line for line in data.split(b"\n") if not line.startswith(b"recorded:"))
            found[path.relative_to(vault).as_posix()] = data
    return found


def kill(work: Path, folder: Path, times: int) -> None:
    """Kill ingests at random moments and look at what they leave."""
    calm = fresh(work, "calm")
    span, *_ = run("--vault", str(calm), "ingest", str(folder))
    wanted = sources(calm)
    script = "import sys; from wikimem.faces.cli import main; main()"
    bad = partly = 0
    for _ in range(times):
        vault = fresh(work, "killed")
        process = subprocess.Popen(
            [sys.executable, "-c", script, "--vault", str(vault), "ingest", str(folder)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        time.sleep(random.uniform(0.02, span))
        os.killpg(process.pid, 9)
        process.wait()
        partly += bool(sources(vault)) and sources(vault) != wanted
        _, _, first, _ = run("--vault", str(vault), "ingest", str(folder))
        _, _, proof, code = run("--vault", str(vault), "verify")
        clean = subprocess.run(["git", "status", "--porcelain"], cwd=vault, capture_output=True, text=True).stdout
        if code or sources(vault) != wanted or clean:
            bad += 1
            print(first, proof, clean)
    print(f"\nkilled {times} times within {span:.2f} s ({partly} left some files behind): {bad} bad")


def main() -> None:
    """Read the arguments and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--kills", type=int, default=0)
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        for folder in told.folders:
            measure(Path(work), folder)
        if told.kills:
            kill(Path(work), told.folders[0], told.kills)


if __name__ == "__main__":
    main()
