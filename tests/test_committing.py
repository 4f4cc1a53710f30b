"""Committing: two clones and a plain merge, kills, other writers, hooks: the wiki is always the one that the sources give."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from conftest import NOW
from dictated import Dictated, check, commits, git, session, tell, wiki
from wikimem.core.questions import Question, Reply
from wikimem.errors import HookRefused, VaultLocked
from wikimem.faces.api import Vault

LIMIT = "topic | payment retries | retry-limit | Retries stop after {} attempts."
QUEUE = "topic | payment retries | | Payment retries wait in the {} queue."
KILLS, SOURCES = 6, 12


def clone(vault: Vault, name: str) -> Vault:
    git(vault.root.parent, "clone", "-q", str(vault.root), name)
    other = vault.root.parent / name
    for key, value in (("user.name", "Nora"), ("user.email", "nora@example.org")):
        git(other, "config", key, value)
    return Vault.open(other, clock=lambda: NOW)


def pull(into: Vault, other: Vault, side: str = "") -> bool:
    """A plain `git merge` of another clone; of files in conflict one side is taken, if told; whether nothing is left to do."""
    git(into.root, "fetch", "-q", str(other.root), "HEAD")
    git(into.root, "merge", "-q", "--no-edit", "FETCH_HEAD", fails=True)
    conflicts = git(into.root, "diff", "--name-only", "--diff-filter=U").split()
    if conflicts and side:
        git(into.root, "checkout", f"--{side}", "--", *conflicts)
        git(into.root, "add", *conflicts)
        git(into.root, "commit", "-q", "--no-edit")
    return not conflicts or bool(side)


GATE = "topic | harbour gate | | The harbour gate closes at {}."
COMMAND = "topic | payment retries | | `make retries` passes. | stance=evidence"
LIKES = "topic | payment retries | preference | Ines prefers short waits. | stance=preference"


@pytest.mark.parametrize(
    ("first", "second", "side"),
    [
        ([LIKES], [QUEUE.format("south"), GATE.format("dusk")], ""),
        ([QUEUE.format("west"), LIMIT.format(5)], [QUEUE.format("south"), LIMIT.format(7)], "theirs"),
        ([QUEUE.format("west"), LIMIT.format(5)], [QUEUE.format("south"), LIMIT.format(7)], "ours"),
    ],
)
def test_two_clones_and_a_merge_give_the_wiki_of_one(vault: Vault, first: list[str], second: list[str], side: str) -> None:
    tell(vault, session("one", "2026-03-02", LIMIT.format(3), QUEUE.format("east"), ("tool", COMMAND)))
    vault.compile(model=Dictated())
    mine, theirs, single = (clone(vault, name) for name in ("mine", "theirs", "single"))
    two, three = session("two", "2026-03-04", *first), session("three", "2026-03-06", *second)
    tell(mine, two)
    tell(theirs, three)
    tell(single, two, three)
    for each in (mine, theirs, single):
        each.compile(model=Dictated())
    assert pull(mine, theirs, side)
    assert mine.compile(model=Dictated()).problems == []
    assert pull(theirs, mine, side)
    theirs.compile(model=Dictated())
    assert wiki(mine) == wiki(theirs) == wiki(single)
    check(mine)
    head = commits(mine)
    assert (mine.compile(model=Dictated()).settled, commits(mine)) == ("", head)


def test_a_merge_of_two_clones_that_judged_one_pair_differently_settles_on_one_wiki(vault: Vault) -> None:
    pair = frozenset({"Payment retries wait in the east queue.", "Payment retries wait in the west queue."})
    mine, theirs = clone(vault, "mine"), clone(vault, "theirs")
    for each, relation in ((mine, "contradicts"), (theirs, "same")):
        tell(each, session("one", "2026-03-02", QUEUE.format("east")), session("two", "2026-03-04", QUEUE.format("west")))
        each.compile(model=Dictated({pair: relation}))
    pull(mine, theirs, "theirs")
    mine.compile(model=Dictated({pair: "unrelated"}))
    pull(theirs, mine, "ours")
    theirs.compile(model=Dictated({pair: "unrelated"}))
    assert wiki(mine) == wiki(theirs)
    # The more cautious of the two is what the page says.
    assert b"conflicts with" in wiki(mine)["topics/payment-retries.md"]
    check(mine)


def test_a_merge_left_with_markers_is_refused_until_somebody_takes_a_side(vault: Vault) -> None:
    tell(vault, session("one", "2026-03-02", LIMIT.format(3)))
    vault.compile(model=Dictated())
    other = clone(vault, "other")
    tell(vault, session("two", "2026-03-04", LIMIT.format(5)))
    tell(other, session("three", "2026-03-06", LIMIT.format(7)))
    vault.compile(model=Dictated())
    other.compile(model=Dictated())
    assert not pull(vault, other)
    git(vault.root, "add", "-A")
    git(vault.root, "commit", "-qm", "merged with its markers")
    merge = commits(vault)[0]
    report = vault.compile(model=Dictated())
    # The page was committed with the markers of git: it is named, and nothing of it is touched.
    assert {problem.rule for problem in report.problems} == {"merge-marker"}
    git(vault.root, "checkout", "-q", f"{merge}^2", "--", "wiki")
    git(vault.root, "commit", "-qm", "theirs")
    assert vault.compile(model=Dictated()).problems == []
    page = wiki(vault)["topics/payment-retries.md"].decode()
    assert "- Retries stop after 7 attempts. [^" in page
    assert page.count("~~Retries stop") == 2
    check(vault)


SCRIPT = """
import sys
from dictated import Dictated
from wikimem.faces.api import Vault
Vault.open(sys.argv[1]).compile(model=Dictated(), jobs=int(sys.argv[2]))
"""


def compiling(vault: Vault, jobs: int = 1, script: str = SCRIPT) -> subprocess.Popen[bytes]:
    """A compile in a process of its own, with the same model."""
    paths = [str(Path(__file__).parent), *(path for path in sys.path if path)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    return subprocess.Popen([sys.executable, "-c", script, str(vault.root), str(jobs)], env=env, stderr=subprocess.PIPE)


def finish(process: subprocess.Popen[bytes]) -> tuple[int, bytes]:
    """Its exit code and what it complained of."""
    _, error = process.communicate()
    return process.returncode, error


def many(count: int) -> list[bytes]:
    """Sessions that touch three pages, each more than once."""
    return [
        session(
            f"s{n}",
            f"2026-03-{n % 27 + 1:02}",
            f"topic | part {n % 3} | port | Part {n % 3} listens on port {5000 + n}.",
            f"topic | part {n % 3} | | Delivery number {n} was for part {n % 3} of the crane.",
        )
        for n in range(count)
    ]


def test_a_kill_at_any_moment_loses_nothing(vault: Vault) -> None:
    tell(vault, *many(SOURCES))
    undisturbed = clone(vault, "undisturbed")
    started = time.monotonic()
    assert finish(compiling(undisturbed)) == (0, b"")
    whole = time.monotonic() - started
    chance = random.Random(4)
    kills = 0
    for attempt in range(KILLS):
        # Early ones too: each run begins where the last one was cut off.
        process = compiling(vault, jobs=1 + attempt % 2)
        time.sleep(chance.uniform(0.15, 0.35 + whole / max(3, KILLS / 3)))
        process.kill()
        kills += finish(process)[0] != 0
        problems = [str(problem) for problem in vault.verify().problems]
        assert problems == []
    assert kills
    assert finish(compiling(vault)) == (0, b"")
    assert wiki(vault) == wiki(undisturbed)
    assert vault.status().unfinished is False
    check(vault)


class Between(Dictated):
    """Does something between two sources: when it is asked about the second."""

    def __init__(self, what: Callable[[], object]) -> None:
        super().__init__()
        self.what = what

    def ask(self, question: Question) -> Reply:
        if len(self.asked) == 1:
            self.what()
        return super().ask(question)


def test_somebody_commits_to_the_wiki_between_two_sources(vault: Vault, tmp_path: Path) -> None:
    tell(vault, session("one", "2026-03-02", QUEUE.format("east")), session("two", "2026-03-04", QUEUE.format("west")))
    page = vault.root / "wiki/topics/payment-retries.md"

    def edit() -> None:
        page.write_text(page.read_text() + "\n## Notes\n\nAsk Ines.\n")
        git(vault.root, "commit", "-qam", "a note")

    report = vault.compile(model=Between(edit))
    assert [one.reason for one in report.outcomes] == ["", ""]
    assert report.problems == []
    told = page.read_text()
    assert all(word in told for word in ("east", "west", "Ask Ines."))
    check(vault)


def test_somebody_merges_another_clone_between_two_sources(vault: Vault) -> None:
    tell(vault, session("one", "2026-03-02", QUEUE.format("east")), session("two", "2026-03-04", QUEUE.format("west")))
    other = clone(vault, "other")
    single = clone(vault, "single")
    third = session("three", "2026-03-06", QUEUE.format("south"))
    tell(other, third)
    other.compile(model=Dictated(), since="2026-03-05")
    report = vault.compile(model=Between(lambda: pull(vault, other, "ours")))
    assert [one.reason for one in report.outcomes] == ["", ""]
    tell(single, third)
    single.compile(model=Dictated())
    vault.compile(model=Dictated())
    assert wiki(vault) == wiki(single)
    check(vault)


def test_ingest_never_waits_for_a_model(vault: Vault, tmp_path: Path) -> None:
    tell(vault, session("one", "2026-03-02", QUEUE.format("east")), session("two", "2026-03-04", QUEUE.format("west")))
    added: list[str] = []
    late = session("three", "2026-03-06", QUEUE.format("south"))
    report = vault.compile(model=Between(lambda: added.extend(tell(Vault.open(vault.root), late))))
    assert len(added) == 1
    assert [one.reason for one in report.outcomes] == ["", ""]
    assert [one.source for one in vault.compile(model=Dictated()).outcomes] == added
    check(vault)


def test_a_second_compile_says_that_another_one_is_writing(vault: Vault) -> None:
    from wikimem import vault as vaults
    from wikimem.compile import Wish, compile

    tell(vault, session("one", "2026-03-02", QUEUE.format("east")), session("two", "2026-03-04", QUEUE.format("west")))
    told: list[str] = []

    def second() -> None:
        opened = vaults.open_at(vault.root)
        with pytest.raises(VaultLocked) as caught, opened.compiling(wait=0.05):
            pass
        told.append(str(caught.value))
        # A dry run takes no lock.
        assert compile(opened, Wish(dry_run=True)).pending

    vault.compile(model=Between(second))
    assert "Another wikimem is writing" in told[0]


def test_a_second_compile_waits_and_finds_nothing_left(vault: Vault) -> None:
    tell(vault, *many(6))
    first, second = compiling(vault), compiling(vault)
    assert [finish(first), finish(second)] == [(0, b"")] * 2
    found = git(vault.root, "log", "--format=%(trailers:key=Source,valueonly)", "--grep=Wiki-Op: compile").split()
    assert sorted(found) == sorted(set(found))
    assert len(found) == 6
    check(vault)


def test_a_hook_that_refuses_stops_the_compile_and_loses_nothing(vault: Vault) -> None:
    tell(vault, session("one", "2026-03-02", QUEUE.format("east")), session("two", "2026-03-04", QUEUE.format("west")))
    hook = vault.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho no pages on Fridays\nexit 1\n")
    hook.chmod(0o755)
    head = commits(vault)
    with pytest.raises(HookRefused, match="no pages on Fridays"):
        vault.compile(model=Dictated())
    assert commits(vault) == head
    assert git(vault.root, "status", "--porcelain") == ""
    assert vault.status().pending == 2
    hook.unlink()
    assert [one.reason for one in vault.compile(model=Dictated()).outcomes] == ["", ""]
    check(vault)


def test_clones_that_captured_one_session_at_other_times_are_one_after_a_merge(vault: Vault) -> None:
    mine, theirs = clone(vault, "mine"), clone(vault, "theirs")
    said = session("one", "2026-03-02", LIMIT.format(3))
    for each, hour in ((mine, 9), (theirs, 17)):
        moment = datetime(2026, 7, 1, hour, tzinfo=UTC)
        tell(Vault.open(each.root, clock=partial(moment.astimezone, UTC)), said)
        each.compile(model=Dictated())
    pull(mine, theirs, "theirs")
    assert not mine.verify().problems
    (sidecar,) = mine.root.glob("sources/2026/03/*.yaml")
    sidecar.write_text(sidecar.read_text().replace("recorded", "recorded_by"))
    git(mine.root, "commit", "-qam", "changed by hand")
    assert {problem.rule for problem in mine.verify().problems} >= {"append-only"}
