"""Captures the example sessions anew into the repository's `sources/`, as a vault of its own would hold them."""

from __future__ import annotations

import shutil
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import wikimem
from wikimem.faces.api import Vault

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
RECORDED = datetime(2026, 7, 1, 9, 0, tzinfo=UTC)


def capture(folder: Path) -> Path:
    """Make a vault in `folder`, ingest the example sessions and notes, and return its `sources/`."""
    wikimem.create(folder)
    vault = Vault.open(folder, clock=lambda: RECORDED)
    sessions = HERE / "sessions"
    report = vault.ingest([sessions, *sorted((sessions / "notes").glob("*.md"))])
    if report.problems:
        raise SystemExit("\n".join(map(str, report.problems)))
    return folder / "sources"


def main() -> None:
    """Replace the repository's `sources/` by what capture makes of the sessions now."""
    with tempfile.TemporaryDirectory() as work:
        made = capture(Path(work) / "example")
        shutil.rmtree(TOP / "sources", ignore_errors=True)
        shutil.copytree(made, TOP / "sources")
    sys.stdout.write(f"{len(list((TOP / 'sources').rglob('*.yaml')))} sources\n")


if __name__ == "__main__":
    main()
