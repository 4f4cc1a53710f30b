"""Syncing and risk: what two clones do to each other that neither let in by itself waits, and nothing changes unseen."""

from __future__ import annotations

from pathlib import Path

import pytest

from dictated import Dictated, Judged, check, git, session, tell, wiki
from reviewing import everywhere
from syncing import GATE, LIMIT, PAGE, QUEUE, clone, edits, publish
from wikimem.core.questions import Question, Reply
from wikimem.errors import ModelFailed
from wikimem.faces.api import Vault

EAST, NO_QUEUE = "Payment retries wait in the east queue.", "Payment retries never waited in any queue."
NEVER = f"topic | payment retries | | {NO_QUEUE}"
DENIES: Judged = {frozenset({EAST, NO_QUEUE}): "denies"}
GATES = ("east", "west", "north", "south", "river", "quay")
LIMITS = [f"topic | {name} gate | retry-limit | The {name} gate is tried {{}} times." for name in GATES]


@pytest.fixture
def remote(vault: Vault) -> Path:
    """A remote whose wiki has one claim."""
    tell(vault, session("one", "2026-03-02", LIMIT.format(3)))
    vault.compile(model=Dictated())
    return publish(vault)


@pytest.fixture
def two(remote: Path) -> tuple[Vault, Vault]:
    return clone(remote, "mine"), clone(remote, "theirs", hour=10)


def sync(vault: Vault, judged: Judged = {}) -> int:  # noqa: B006
    report = vault.sync(model=Dictated(judged))
    assert report.problems == []
    return report.waiting


def page(vault: Vault, path: str = PAGE) -> str:
    return (vault.root / path).read_text()


@pytest.mark.parametrize("first", [0, 1])
def test_a_denial_that_only_both_together_make_waits_whoever_unites(two: tuple[Vault, Vault], first: int) -> None:
    tell(two[0], session("two", "2026-03-04", QUEUE.format("east")))
    tell(two[1], session("three", "2026-03-05", "Good morning.", NEVER))
    one, other = two[first], two[1 - first]
    assert sync(one, DENIES) == 0
    assert sync(other, DENIES) == 1
    assert sync(one, DENIES) == 0
    assert wiki(one) == wiki(other)
    for each in two:
        assert f"- {EAST}" in page(each)
        assert not [path for path in everywhere(each, NO_QUEUE) if not path.startswith("sources/")]
        check(each)
        # Both can decide: the proposal went to the remote with the join.
        each.review(fetch=True)
        (item,) = each.review().items
        assert (item.risk.value, item.reasons) == ("high", ("denies what was held for true",))
    one.approve(["1"])
    assert sync(one, DENIES) == 0
    assert sync(other, DENIES) == 0
    assert f"~~{EAST}~~" in page(other)
    assert other.review().items == ()
    assert wiki(one) == wiki(other)


@pytest.mark.parametrize("first", [0, 1])
def test_a_denial_that_is_judged_only_after_the_join_waits_as_well(two: tuple[Vault, Vault], first: int) -> None:
    class Tired(Dictated):
        def ask(self, question: Question) -> Reply:
            if isinstance(question.values, tuple):
                raise ModelFailed("tired", "it sleeps")
            return super().ask(question)

    tell(two[0], session("two", "2026-03-04", QUEUE.format("east")))
    tell(two[1], session("three", "2026-03-05", "Good morning.", NEVER))
    one, other = two[first], two[1 - first]
    assert sync(one, DENIES) == 0
    other.compile(model=Dictated(DENIES))
    assert other.sync(model=Tired(DENIES), compile=False).waiting == 0
    assert NO_QUEUE in page(other)
    report = other.compile(model=Dictated(DENIES))
    assert (report.problems, bool(report.settled)) == ([], True)
    assert f"- {EAST}" in page(other)
    assert not [path for path in everywhere(other, NO_QUEUE) if not path.startswith("sources/")]
    (item,) = other.review().items
    assert item.reasons == ("denies what was held for true",)
    check(other)
    sync(other, DENIES)
    sync(one, DENIES)
    assert wiki(one) == wiki(other)
    other.approve(["all"])
    assert f"~~{EAST}~~" in page(other)


def test_what_is_rejected_after_a_join_stays_out_on_both_sides(two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    tell(mine, session("two", "2026-03-04", QUEUE.format("east")))
    tell(theirs, session("three", "2026-03-05", "Good morning.", NEVER))
    sync(mine, DENIES)
    assert sync(theirs, DENIES) == 1
    theirs.disapprove(["1"], "it did, until May")
    sync(theirs, DENIES)
    sync(mine, DENIES)
    mine.compile(model=Dictated(DENIES))
    assert f"- {EAST}" in page(mine)
    assert mine.review(fetch=True).items == ()
    assert wiki(mine) == wiki(theirs)


@pytest.mark.parametrize("first", [0, 1])
def test_what_replaces_a_hand_edit_of_the_other_side_waits(
    two: tuple[Vault, Vault], first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.setenv(name, "2026-07-01T08:00:00Z")
    edits(two[0], lambda text: text.replace("- Retries stop after 3", "- Retries stop after 4"))
    tell(two[1], session("two", "2026-08-04", LIMIT.format(9)))
    one, other = two[first], two[1 - first]
    assert sync(one) + sync(other) + sync(one) == 1
    assert wiki(one) == wiki(other)
    assert "- Retries stop after 4 attempts." in page(one)
    assert "after 9" not in page(one)
    check(one)


def test_closing_many_of_the_other_side_waits(two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    tell(mine, session("two", "2026-03-04", "Good morning.", *(line.format(3) for line in LIMITS)))
    tell(theirs, session("three", "2026-03-05", "Good morning.", *(line.format(8) for line in LIMITS)))
    sync(mine)
    assert sync(theirs) == 6
    assert all(f"The {name} gate is tried 3 times." in page(theirs, f"wiki/topics/{name}-gate.md") for name in GATES)
    assert not [path for path in everywhere(theirs, "tried 8 times") if not path.startswith("sources/")]
    assert {item.reasons for item in theirs.review().items} == {("closes 6 claims at once",)}
    check(theirs)


def test_replacing_few_of_the_other_side_does_not(two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    tell(mine, session("two", "2026-03-04", *(line.format(3) for line in LIMITS[:4])))
    tell(theirs, session("three", "2026-03-05", *(line.format(8) for line in LIMITS[:4])))
    sync(mine)
    assert sync(theirs) == 0
    assert all(f"~~The {name} gate is tried 3 times.~~" in page(theirs, f"wiki/topics/{name}-gate.md") for name in GATES[:4])


def test_what_one_side_let_in_by_itself_does_not_wait_again(two: tuple[Vault, Vault]) -> None:
    mine, theirs = two
    tell(mine, session("two", "2026-03-04", QUEUE.format("east")), session("gate", "2026-03-04", GATE.format("dusk")))
    mine.compile(model=Dictated(DENIES))
    tell(mine, session("three", "2026-03-05", "Good morning.", NEVER))
    mine.compile(model=Dictated(DENIES))
    mine.approve(["all"])
    tell(theirs, session("four", "2026-03-06", "topic | pier | | The pier is long."))
    sync(theirs, DENIES)
    assert sync(mine, DENIES) == 0
    assert sync(theirs, DENIES) == 0
    assert f"~~{EAST}~~" in page(theirs)
    assert wiki(mine) == wiki(theirs)


def test_a_policy_that_commits_everything_lets_the_join_do_it(two: tuple[Vault, Vault]) -> None:
    for each in two:
        file = each.root / "wikimem.toml"
        file.write_text(file.read_text() + '\n[review]\nhigh = "commit"\n')
        git(each.root, "commit", "-qam", "settings")
    mine, theirs = (Vault.open(each.root, clock=each._opened.clock) for each in two)
    tell(mine, session("two", "2026-03-04", QUEUE.format("east")))
    tell(theirs, session("three", "2026-03-05", "Good morning.", NEVER))
    sync(mine, DENIES)
    assert sync(theirs, DENIES) == 0
    assert f"~~{EAST}~~" in page(theirs)
