"""Syncing: clones of one bare remote, in any order, end as the one clone that had everything; nothing of people is lost."""

from __future__ import annotations

import os
import random
import re
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


NAMES = ("payment retries", "harbour gate", "crane")
TEMPLATES = (
    "topic | {name} | retry-limit | Attempts at the {name} stop after {n}.",
    "topic | {name} | | Of the {name} part {n} is painted red.",
    "topic | {name} | port | The {name} listens on port {n}. | from=2026-03-0{d}",
    "topic | {name} | preference | Ines checks the {name} {n} times. | stance=preference",
    "topic | {name} | event | The {name} was moved to berth {n}. | kind=episodic | from=2026-02-0{d}",
)


class History:
    """A random history of two clones, and one that did everything; the same seed gives the same."""

    def __init__(self, remote: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self.two = [clone(remote, f"left{seed}"), clone(remote, f"right{seed}")]
        self.single = clone(remote, f"single{seed}")
        self.number = 0
        self.told: list[bytes] = []
        self.notes: list[str] = []
        self.changes: dict[str, str] = {}

    def session(self) -> bytes:
        self.number += 1
        said = []
        for _ in range(self.chance.randint(1, 3)):
            template, name = self.chance.choice(TEMPLATES), self.chance.choice(NAMES)
            said.append(template.format(name=name, n=self.chance.randint(1, 6), d=self.chance.randint(1, 9)))
        return session(f"s{self.number}", f"2026-03-{self.chance.randint(1, 27):02}T{self.chance.randint(6, 20):02}:00", *said)

    def note(self, side: int) -> None:
        """Somebody writes a line under Notes of a page, and commits it."""
        pages = sorted((self.two[side].root / "wiki/topics").glob("[!i]*.md"))
        if pages:
            page = self.chance.choice(pages)
            self.notes.append(f"Note {len(self.notes)} by side {side}.")
            text = page.read_text()
            head = "" if "\n## Notes\n" in text else "## Notes\n\n"
            before, mark, after = text.partition("\n[^")
            page.write_text(f"{before}\n{head}{self.notes[-1]}\n{mark}{after}")
            git(self.two[side].root, "commit", "-qam", "a note")

    def play(self) -> None:
        for _ in range(self.chance.randint(5, 9)):
            side = self.chance.randint(0, 1)
            match self.chance.choice(("tell", "tell", "both", "note", "compile", "sync", "sync")):
                case "tell":
                    self.told.append(self.session())
                    tell(self.two[side], self.told[-1])
                case "both":
                    self.told.append(self.session())
                    for each in self.two:
                        tell(each, self.told[-1])
                case "note":
                    self.note(side)
                case "compile":
                    self.two[side].compile(model=Dictated())
                case "sync":
                    self.two[side].sync(model=Dictated(), compile=self.chance.random() < 0.8)
        for side in self.chance.sample((0, 1), 2):
            report = self.two[side].sync(model=Dictated())
            assert (report.problems, report.code - bool(report.conflicts)) == ([], 0)
        assert self.two[0].sync(model=Dictated()).merges == []
        assert self.two[1].sync(model=Dictated()).merges == []
        tell(self.single, *self.told)
        self.single.compile(model=Dictated())


def without_notes(files: dict[str, bytes]) -> dict[str, bytes]:
    """Files without the lines that `History.note` writes."""
    gone = re.compile(rb"\n*^(## Notes|Note \d+ by side \d\.)$\n*", re.M)
    return {path: re.sub(rb"\n+", b"\n", gone.sub(b"\n", data)) for path, data in files.items()}


@pytest.mark.parametrize("seed", range(int(os.environ.get("HISTORIES", "3"))))
def test_random_histories_of_two_clones_give_the_wiki_of_one(remote: Path, seed: int) -> None:
    history = History(remote, seed)
    history.play()
    one, other = map(wiki, history.two)
    assert one == other
    assert without_notes(one) == without_notes(wiki(history.single))
    if not history.notes:
        assert one == wiki(history.single)
    everything = b"\n".join(one.values()).decode()
    assert [everything.count(note) for note in history.notes] == [1] * len(history.notes)
    for each in history.two:
        check(each)
        found = each.recompile(check=True, model=Dictated())
        assert (found.files, found.problems) == ((), [])
