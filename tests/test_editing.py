"""Editing by command, and the two clocks: what a person says of a page holds against every recompile."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dictated import Dictated, check, commits, git, session, tell, wiki
from wikimem.errors import NoClaim, NoPage, UsageError
from wikimem.faces import text
from wikimem.faces.api import Vault
from wikimem.show import Shown

LIMIT = "topic | payment retries | retry-limit | Retries stop after {} attempts."
PAYOUT = "topic | payout queue | | The payout queue is drained at night."
QUEUE = "topic | queue for payouts | | The queue for payouts holds a week."


@pytest.fixture
def told(vault: Vault) -> Vault:
    tell(
        vault,
        session("one", "2026-03-02", LIMIT.format(3), PAYOUT),
        session("two", "2026-03-09", LIMIT.format(5), QUEUE),
    )
    vault.compile(model=Dictated())
    return vault


def page(vault: Vault, name: str) -> str:
    return wiki(vault)[f"topics/{name}.md"].decode()


def claim(vault: Vault, words: str) -> str:
    return vault.why(words, limit=1).found[0].claim


def survives(vault: Vault) -> None:
    """A recompile changes no page and no claim, and says so beforehand; only pairs that rules passed over are judged."""
    before = wiki(vault)
    files = vault.recompile(check=True, model=Dictated()).files
    assert [path for path in files if "/pairs/" not in path] == []
    vault.recompile(model=Dictated())
    after = wiki(vault)
    assert {path: data for path, data in after.items() if "/pairs/" not in path} == {
        path: data for path, data in before.items() if "/pairs/" not in path
    }
    check(vault)


def test_two_pages_of_one_thing_become_one(told: Vault) -> None:
    done = told.merge("queue-for-payouts", "payout-queue")
    assert done.commit == commits(told)[0]
    assert "topics/queue-for-payouts.md" not in wiki(told)
    shown = page(told, "payout-queue")
    assert "drained at night" in shown
    assert "holds a week" in shown
    assert "aliases: [queue for payouts]" in shown
    assert "merge" not in text.edited(done)
    survives(told)


def test_what_was_merged_wrongly_is_split_again(told: Vault) -> None:
    told.merge("queue-for-payouts", "payout-queue")
    told.split("payout-queue", [claim(told, "holds a week")], "weekly queue")
    assert "holds a week" in page(told, "weekly-queue")
    assert "holds a week" not in page(told, "payout-queue")
    moved = text.difference(told.diff("HEAD~1..HEAD"))
    assert "  = The queue for payouts holds a week. [moved]" in moved
    assert moved.count("The queue for payouts holds a week.") == 2  # and in its quote
    survives(told)


def test_a_page_gets_another_title_and_keeps_the_old_name(told: Vault) -> None:
    told.rename("payout-queue", "Night queue")
    assert "title: Night queue" in page(told, "night-queue")
    assert "aliases: [Payout queue]" in page(told, "night-queue") or "aliases: [payout queue]" in page(told, "night-queue")
    found = told.show("payout queue")
    assert isinstance(found, Shown)
    assert found.path == "wiki/topics/night-queue.md"
    survives(told)


def test_an_alias_comes_and_goes(told: Vault) -> None:
    told.alias("payout-queue", "PQ")
    assert "aliases: [PQ]" in page(told, "payout-queue")
    told.alias("payout-queue", "PQ", remove=True)
    assert "aliases: []" in page(told, "payout-queue")
    survives(told)


def test_a_page_is_told_by_the_name_it_has_now(told: Vault) -> None:
    told.rename("payout-queue", "Night queue")
    assert told.alias("night-queue", "payouts").words == ("Alias of Night queue: payouts",)
    assert "key topics/night-queue.md: Alias of Night queue: payouts" in git(told.root, "log", "-2", "--format=%B")
    assert told.merge("queue-for-payouts", "night-queue").words[0] == "Queue for payouts and Night queue are one."


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda vault: vault.alias("payout-queue", "Payout Queue"), "is a name of Payout queue already"),
        (lambda vault: vault.alias("payout-queue", "payouts"), "is a name of Payout queue already"),
        (lambda vault: vault.alias("payout-queue", "staff", remove=True), "is no alias of Payout queue"),
        (lambda vault: vault.rename("payout-queue", "Payout queue"), "has this title already"),
    ],
)
def test_a_name_that_changes_nothing_makes_no_commit(told: Vault, wrong: Callable[[Vault], object], says: str) -> None:
    told.alias("payout-queue", "payouts")
    head = commits(told)[0]
    with pytest.raises(UsageError, match=says):
        wrong(told)
    assert commits(told)[0] == head


def test_a_conflict_is_listed_and_settled(vault: Vault) -> None:
    east, west = "The queue runs in the east.", "The queue runs in the west."
    model = Dictated({frozenset({east, west}): "contradicts"})
    tell(
        vault,
        session("one", "2026-03-02", f"topic | queue | | {east}"),
        session("two", "2026-03-09", f"topic | queue | | {west}"),
    )
    vault.compile(model=model)
    (conflict,) = vault.lint().conflicts
    assert {words for _, words in conflict.claims} == {east, west}
    assert "wikimem settle" in text.linted(vault.lint())
    vault.settle(next(id for id, words in conflict.claims if words == east))
    assert vault.lint().conflicts == ()
    assert f"- {east}" in page(vault, "queue")
    assert f"~~{west}~~" in page(vault, "queue")
    with pytest.raises(NoClaim, match="no conflict"):
        vault.settle(conflict.claims[0][0])


def test_a_rejected_claim_stays_away_until_it_is_kept(told: Vault) -> None:
    id = claim(told, "drained at night")
    told.reject(id, "it never was")
    assert "topics/payout-queue.md" not in wiki(told)
    survives(told)
    told.keep(id)
    assert "drained at night" in page(told, "payout-queue")
    survives(told)
    with pytest.raises(NoClaim, match="nobody removed"):
        told.keep(id)


@pytest.mark.parametrize(
    ("do", "error", "why"),
    [
        (lambda vault: vault.merge("payout-queue", "nothing-such"), NoPage, "no page"),
        (lambda vault: vault.merge("payout-queue", "payout-queue"), UsageError, "one page already"),
        (lambda vault: vault.rename("payout-queue", "  "), UsageError, "not empty"),
        (lambda vault: vault.split("payout-queue", ["aaaaaaaaaaaa"], "x"), NoClaim, "no such claim"),
        (lambda vault: vault.reject("aaaaaaaaaaaa"), NoClaim, "no page shows"),
    ],
)
def test_what_cannot_be_done_is_a_sentence_and_changes_nothing(
    told: Vault, do: Callable[[Vault], object], error: type[Exception], why: str
) -> None:
    before = commits(told)
    with pytest.raises(error, match=why):
        do(told)
    assert commits(told) == before
    check(told)


def test_the_timeline_tells_what_held_when(told: Vault) -> None:
    course = told.timeline("payment-retries", "retry-limit")
    assert [(one.text, one.end, bool(one.ending)) for one in course.stretches] == [
        ("Retries stop after 3 attempts.", "2026-03-09", True),
        ("Retries stop after 5 attempts.", "", False),
    ]
    (early,) = told.timeline("payment-retries", "retry-limit", known="2026-03-05").stretches
    assert (early.text, early.ending) == ("Retries stop after 3 attempts.", "")
    assert "superseded by" in text.course(course)
    with pytest.raises(UsageError, match="retry-limit"):
        told.timeline("payment-retries", "colour")


def test_a_page_is_shown_as_of_a_day_and_as_it_was_known(told: Vault) -> None:
    def shown(at: str = "", known: str = "") -> str:
        found = told.show("payment-retries", at, known)
        assert isinstance(found, Shown)
        return found.text

    assert "after 3 attempts" in shown(at="2026-03-04")
    assert "after 5 attempts" not in shown(at="2026-03-04").partition("[^")[0]
    assert "after 5 attempts" not in shown(known="2026-03-04")
    assert "~~Retries stop after 3 attempts.~~" in shown(known="2026-03-10")
    with pytest.raises(UsageError, match="no date"):
        shown(at="yesterday")
    with pytest.raises(UsageError, match="known by"):
        shown(known="2020")


def test_lint_names_links_to_nowhere(told: Vault) -> None:
    path = told.root / "wiki" / "topics" / "payout-queue.md"
    path.write_text(path.read_text() + "\n## Notes\n\nSee [the plan](plan.md) and [this](../index.md).\n")
    (problem,) = told.lint().problems
    assert (problem.rule, "plan.md" in problem.message) == ("dead-link", True)
