"""Syncing: clones of one bare remote, in any order, end as the one clone that had everything; nothing of people is lost."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path

import pytest

from dictated import Dictated, check, git, session, tell, wiki
from syncing import GATE, LIMIT, QUEUE, clone, publish
from wikimem.faces.api import Vault


@pytest.fixture
def remote(vault: Vault) -> Path:
    return publish(vault)


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
        self.added: list[str] = []
        self.reworded: list[str] = []

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

    def add(self, side: int) -> None:
        """Somebody adds a line to the facts of a page, or rewords one, and commits it."""
        pages = [
            page for page in sorted((self.two[side].root / "wiki/topics").glob("[!i]*.md")) if "## Facts" in page.read_text()
        ]
        if pages:
            page, number = self.chance.choice(pages), len(self.added) + len(self.reworded)
            head, mark, rest = page.read_text().partition("## Facts\n\n")
            if self.chance.random() < 0.5:
                self.added.append(f"Line {number} was added by side {side}.")
                rest = f"- {self.added[-1]}\n{rest}"
            else:
                self.reworded.append(f"This says {number} in the words of side {side}.")
                rest = re.sub(r"^- .*?(?= (?:\(|\[\^))", f"- {self.reworded[-1]}", rest, count=1)
            page.write_text(head + mark + rest)
            git(self.two[side].root, "commit", "-qam", "by hand")

    def play(self, *more: str) -> None:
        for _ in range(self.chance.randint(5, 9)):
            side = self.chance.randint(0, 1)
            match self.chance.choice(("tell", "tell", "both", "note", "compile", "sync", "sync", *more)):
                case "tell":
                    self.told.append(self.session())
                    tell(self.two[side], self.told[-1])
                case "both":
                    self.told.append(self.session())
                    for each in self.two:
                        tell(each, self.told[-1])
                case "note":
                    self.note(side)
                case "edit":
                    self.add(side)
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


@pytest.mark.parametrize("seed", range(1000, 1000 + int(os.environ.get("HISTORIES", "2"))))
def test_random_histories_in_which_people_edit_claims_lose_no_edit(remote: Path, seed: int) -> None:
    history = History(remote, seed)
    history.play("edit", "edit", "edit")
    assert wiki(history.two[0]) == wiki(history.two[1])
    pages = "".join(page.read_text() for page in history.two[0].root.glob("wiki/topics/**/*.md"))
    assert [pages.count(f"- {line} [^") + pages.count(f"- ~~{line}~~") > 0 for line in history.added] == [True] * len(
        history.added
    )
    kept = "".join(path.read_text() for path in history.two[0].root.glob("sources/**/*-edit-*.jsonl"))
    assert [line in kept for line in history.reworded] == [True] * len(history.reworded)
    for each in history.two:
        check(each)
        found = each.recompile(check=True, model=Dictated())
        assert (found.files, found.problems) == ((), [])
