"""Syncing: clones of one bare remote, in any order, end as the one clone that had everything; nothing of people is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import NOW
from dictated import Dictated, check, git, session, tell, wiki
from wikimem.faces.api import Vault

LIMIT = "topic | payment retries | retry-limit | Retries stop after {} attempts."
QUEUE = "topic | payment retries | | Payment retries wait in the {} queue."
GATE = "topic | harbour gate | | The harbour gate closes at {}."


@pytest.fixture
def remote(vault: Vault) -> Path:
    """A bare remote with the vault's first commit, that the vault follows."""
    path = vault.root.parent / "remote.git"
    git(vault.root.parent, "init", "-q", "--bare", "-b", "main", str(path))
    git(vault.root, "remote", "add", "origin", str(path))
    git(vault.root, "push", "-q", "-u", "origin", "main")
    return path


def clone(remote: Path, name: str) -> Vault:
    git(remote.parent, "clone", "-q", str(remote), name)
    other = remote.parent / name
    for key, value in (("user.name", name.capitalize()), ("user.email", f"{name}@example.org")):
        git(other, "config", key, value)
    return Vault.open(other, clock=lambda: NOW)


def test_two_clones_become_the_one_that_had_everything(remote: Path) -> None:
    mine, theirs, single = (clone(remote, name) for name in ("mine", "theirs", "single"))
    one, two = session("one", "2026-03-02", LIMIT.format(3), QUEUE.format("east")), session("two", "2026-03-04", LIMIT.format(5))
    both = session("both", "2026-03-05", GATE.format("dusk"))
    tell(mine, one, both)
    tell(theirs, two, both)
    tell(single, one, two, both)
    single.compile(model=Dictated())
    assert mine.sync(model=Dictated()).merges == []
    joined = theirs.sync(model=Dictated())
    assert (len(joined.merges), joined.problems, joined.conflicts) == (1, [], [])
    assert mine.sync(model=Dictated()).pushed == 0
    assert wiki(mine) == wiki(theirs) == wiki(single)
    for each in (mine, theirs):
        check(each)
    again = theirs.sync(model=Dictated())
    assert (again.fetched, again.pushed, again.merges, again.compiled) == (0, 0, [], [])
