"""Hooks run alike by a git that can run them and by one that is too old for it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from wikimem.edges.repo import hooks
from wikimem.edges.repo.plumbing import Plumbing
from wikimem.errors import HookRefused

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the hooks are for a Unix shell")


@pytest.fixture(params=[True, False], ids=["git runs it", "we run the file"])
def run(request: Any, person: Any, writer: Any) -> Any:
    git = Plumbing(writer.repo.place)

    def run(name: str, *args: str, seconds: float = 20.0) -> str:
        return hooks.run(git, name, args, index=person.top / ".git/index", seconds=seconds, native=request.param)

    return run


def test_a_hook_gets_its_arguments_its_place_and_no_input(run: Any, person: Any, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    person.hook("commit-msg", f'{{ pwd; echo "$#" "$1"; cat; echo "$GIT_INDEX_FILE"; }} > "{seen}"; echo said; echo more >&2')
    assert run("commit-msg", "two words").split() == ["said", "more"]
    assert seen.read_text().splitlines() == [str(person.top), "1 two words", str(person.top / ".git/index")]


def test_no_hook_no_word(run: Any, person: Any) -> None:
    assert run("pre-commit") == ""
    person.hook("pre-commit", "exit 1").chmod(0o644)
    run("pre-commit")


def test_a_refusal_is_quoted_its_end_where_it_is_long(run: Any, person: Any) -> None:
    person.hook("pre-commit", "yes long | head -n 3000; echo the end; exit 3")
    with pytest.raises(HookRefused, match="the end") as refused:
        run("pre-commit")
    assert len(str(refused.value)) < 5000


def test_a_folder_of_hooks_from_the_settings(run: Any, person: Any, tmp_path: Path) -> None:
    for folder in (tmp_path / "shared hooks", person.top / "ours"):
        folder.mkdir()
        (folder / "pre-commit").write_text(f'#!/bin/sh\necho "from {folder.name}"; exit 1\n')
        (folder / "pre-commit").chmod(0o755)
        person.git("config", "core.hooksPath", str(folder) if folder.is_relative_to(tmp_path / "shared hooks") else "ours")
        with pytest.raises(HookRefused, match=f"from {folder.name}"):
            run("pre-commit")


def test_time_is_up(run: Any, person: Any) -> None:
    person.hook("pre-commit", "sleep 600")
    with pytest.raises(HookRefused, match=r"did not end within 0\.3 s"):
        run("pre-commit", seconds=0.3)
