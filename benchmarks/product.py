"""A memory product beside ours: basic-memory (markdown notes, SQLite), as its users have it without a key and without a model.

It is installed into an environment of its own, which goes with the run; it is no dependency of ours, and nothing of it is
copied. Each turn becomes a note, each conversation a project; it is asked through its own tool `search_notes`, type `text`,
since its other types first fetch a model. It needs Python 3.12 or later.

This file is also the half that runs in that environment, where there is no wikimem: `python product.py ask` reads projects
with their questions as JSON from standard input and writes, for each question, the titles found and the milliseconds.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

WANTED = "basic-memory==0.24.1"


def installed(place: Path, python: str) -> Path:
    """The interpreter of an environment that holds the product; made if it is not there."""
    interpreter = place / "venv" / "bin" / "python"
    if not interpreter.exists():
        subprocess.run([python, "-m", "venv", str(place / "venv")], check=True)
        subprocess.run([str(interpreter), "-m", "pip", "install", "--quiet", WANTED], check=True)
    return interpreter


def search(
    place: Path, python: str, notes: Mapping[str, Sequence[tuple[str, str]]], asked: Mapping[str, Sequence[str]]
) -> dict[str, list[tuple[list[str], float]]]:
    """What the product finds.

    Args:
        place: a folder for its environment, its home and the notes.
        python: an interpreter to make the environment with.
        notes: title and text of each, by project.
        asked: questions, by project.

    Returns:
        For each question the titles found, best first, and the milliseconds, by project.
    """
    interpreter = installed(place, python)
    own = {"HOME": str(place / "home"), "BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "false", "BASIC_MEMORY_LOG_LEVEL": "ERROR"}
    environment = {**os.environ, **own}
    environment.pop("PYTHONPATH", None)
    (place / "home").mkdir(parents=True, exist_ok=True)
    for project, texts in notes.items():
        folder = place / "notes" / project
        folder.mkdir(parents=True, exist_ok=True)
        for number, (title, text) in enumerate(texts):
            (folder / f"{number:05}.md").write_text(f"---\ntitle: {json.dumps(title)}\n---\n\n{text}\n", encoding="utf-8")
        command = [str(interpreter.with_name("basic-memory")), "project", "add", project, str(folder)]
        subprocess.run(command, env=environment, check=True, capture_output=True)
    done = subprocess.run(
        [str(interpreter), __file__, "ask"],
        input=json.dumps(asked),
        env=environment,
        check=True,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    found: dict[str, list[tuple[list[str], float]]] = json.loads(done.stdout.splitlines()[-1])
    return found


async def ask(asked: Mapping[str, Sequence[str]]) -> dict[str, list[tuple[list[str], float]]]:
    """Ask the product in its own process, by the tool that agents call."""
    import basic_memory.mcp.tools  # type: ignore[import-not-found]  # in the product's environment only
    from basic_memory.mcp.server import mcp  # type: ignore[import-not-found]  # the same
    from fastmcp import Client  # type: ignore[import-not-found]  # the same

    assert basic_memory.mcp.tools  # importing it registers the tools
    found: dict[str, list[tuple[list[str], float]]] = {}
    async with Client(mcp) as client:
        for project, questions in asked.items():
            for question in questions:
                wanted = {"query": question, "project": project, "page_size": 10, "search_type": "text", "output_format": "json"}
                start = time.perf_counter()
                told: Any = (await client.call_tool("search_notes", wanted)).data
                spent = (time.perf_counter() - start) * 1000
                titles = [one["title"] for one in told["results"]] if isinstance(told, dict) else []
                found.setdefault(project, []).append((titles, spent))
    return found


if __name__ == "__main__" and sys.argv[1:] == ["ask"]:
    print("\n" + json.dumps(asyncio.run(ask(json.load(sys.stdin)))))
