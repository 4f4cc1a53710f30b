"""Captures and compiles the example anew into the repository's `sources/` and `wiki/`, as a vault of its own holds them."""

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


SCOPE = "project:tallyhusk"


def make(folder: Path) -> Path:
    """Make a vault in `folder`, ingest and compile the example sessions and notes, and return the folder."""
    wikimem.create(folder)
    vault = Vault.open(folder, clock=lambda: RECORDED)
    sessions = HERE / "sessions"
    # Claude Code tells its project itself; what the others belong to, whoever captures them says.
    others = [sessions / "meetings", sessions / "specstory", sessions / "ops-desk", *sorted((sessions / "notes").glob("*.md"))]
    problems = [*vault.ingest([sessions / "claude-code"]).problems, *vault.ingest(others, scope=SCOPE).problems]
    compiled = vault.compile()
    problems += compiled.problems
    if problems or compiled.notes:
        raise SystemExit("\n".join(map(str, [*problems, *compiled.notes])))
    return folder


def main() -> None:
    """Replace the repository's `sources/` and `wiki/` by what the sessions give now."""
    with tempfile.TemporaryDirectory() as work:
        made = make(Path(work) / "example")
        for name in ("sources", "wiki"):
            shutil.rmtree(TOP / name, ignore_errors=True)
            shutil.copytree(made / name, TOP / name)
    sources, pages = (len(list((TOP / name).rglob(suffix))) for name, suffix in (("sources", "*.yaml"), ("wiki", "*.md")))
    sys.stdout.write(f"{sources} sources, {pages} files of the wiki\n")


if __name__ == "__main__":
    main()
