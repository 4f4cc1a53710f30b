"""The example vault in the repository is what capturing and compiling make of the example sessions, byte for byte."""

from __future__ import annotations

import importlib.util
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_the_example_is_in_step(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("rebuild", TOP / "tests" / "example" / "rebuild.py")
    assert spec is not None
    assert spec.loader is not None
    rebuild = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rebuild)
    made = rebuild.make(tmp_path / "example")
    assert files(made / "sources") == files(TOP / "sources")
    assert files(made / "wiki") == files(TOP / "wiki")


def test_no_secret_of_the_story_reached_the_example() -> None:
    stored = b"".join(files(TOP / "sources").values())
    assert b"[masked:url-password]" in stored
    assert b"[masked:assignment]" in stored


def test_the_page_that_the_readme_shows_is_one_of_the_example() -> None:
    shown = (TOP / "README.md").read_text().partition("```markdown\n")[2].partition("```")[0]
    page = (TOP / "wiki/environments/staging.md").read_text()
    lines = [line.partition(" …")[0] for line in shown.splitlines() if line]
    assert len(lines) > 5
    assert [line for line in lines if line not in page] == []
