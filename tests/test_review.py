"""What is risky waits on a branch, on no page; a person lets it in, keeps it out for ever, or words it otherwise."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import wikimem
from dictated import Dictated, check, git, session, tell, wiki
from handwork import by_hand, swap
from reviewing import BRANCH, DENIED, LIMIT, NEVER, NEW, NO_GATE, WEEK, branches, compiled, everywhere, settings, waiting
from syncing import clone, publish
from wikimem import memory, proposing, withholding
from wikimem.core import claimfiles
from wikimem.core.vocabulary import SHIPPED
from wikimem.errors import BadSettings, NoItem, UsageError
from wikimem.faces.api import Vault

DENIAL = "The queue never kept any messages."
Reopen = Callable[[Vault], Vault]


def test_a_denial_waits_on_a_branch_and_stands_nowhere_else(vault: Vault) -> None:
    waiting(vault)
    sources = [path for path in everywhere(vault, DENIAL) if path.startswith("sources/")]
    assert everywhere(vault, DENIAL) == sources
    assert "The harbour gate closes at dusk." in (vault.root / "wiki/topics/harbour-gate.md").read_text()
    assert branches(vault.root) == [BRANCH]
    assert DENIAL in git(vault.root, "show", f"{BRANCH}:wiki/topics/payment-retries.md")
    assert DENIAL not in git(vault.root, "log", "--format=%B", "main")
    check(vault)


def test_the_list_tells_risk_and_reason_and_the_page(vault: Vault) -> None:
    (item,) = waiting(vault).review().items
    assert (item.number, item.risk, item.page, item.branch) == (1, "high", "topics/payment-retries.md", BRANCH)
    assert item.reasons == ("denies what was held for true",)


def test_the_commit_on_the_branch_says_what_it_would_change_and_its_risk(vault: Vault) -> None:
    waiting(vault)
    body = git(vault.root, "log", "-1", "--format=%B", BRANCH)
    assert "- The queue keeps messages for a week. [retracted]" in body
    assert f"“{DENIAL}”" in body
    assert "Risk: high (denies what was held for true)" in body
    assert git(vault.root, "rev-parse", f"{BRANCH}^1") == git(vault.root, "rev-parse", "main")


def test_approving_gives_what_a_vault_gives_that_reviews_nothing(vault: Vault, tmp_path_factory: pytest.TempPathFactory) -> None:
    waiting(vault)
    done = vault.approve(["1"])
    assert (done.left, done.changed) == (0, "+1 ~0 -1")
    assert branches(vault.root) == []
    other = settings(wikimem.create(tmp_path_factory.mktemp("free") / "memory"), '\n[review]\nhigh = "commit"\n')
    tell(other, session("one", "2026-03-02", LIMIT.format(3), WEEK), session("two", "2026-03-04", "Good morning.", NEVER, NEW))
    compiled(other)
    assert wiki(vault) == wiki(other)
    check(vault)


def test_rejecting_is_remembered_and_outlives_a_model_that_words_it_otherwise(vault: Vault) -> None:
    waiting(vault)
    done = vault.disapprove(["1"], "it did in spring")
    assert git(vault.root, "log", "-1", "--format=%s").strip() == "review: 1 rejected"
    assert done.left == 0
    assert branches(vault.root) == []
    assert DENIAL not in (vault.root / "wiki/topics/payment-retries.md").read_text()
    other = Dictated(DENIED, edition="2", rewords=lambda text: text.replace("never kept any messages", "kept no messages ever"))
    report = vault.recompile(model=other)
    assert (report.problems, report.failed) == ([], {})
    page = (vault.root / "wiki/topics/payment-retries.md").read_text()
    assert "kept no messages ever" not in page
    assert "The queue keeps messages for a week." in page
    assert vault.review().items == ()
    assert "it did in spring" in git(vault.root, "log", "--format=%B")
    check(vault)


def test_what_was_rejected_can_be_brought_back(vault: Vault) -> None:
    (item,) = waiting(vault).review().items
    vault.disapprove(["1"])
    vault.keep(item.ids[0])
    assert DENIAL in (vault.root / "wiki/topics/payment-retries.md").read_text()


def test_editing_lets_it_in_in_the_persons_words(vault: Vault) -> None:
    waiting(vault)
    done = vault.amend("1", "The queue kept messages in spring only.")
    assert done.done == (f"reworded: {DENIAL} → The queue kept messages in spring only.",)
    page = (vault.root / "wiki/topics/payment-retries.md").read_text()
    assert "The queue kept messages in spring only." in page
    assert DENIAL not in page
    vault.recompile(model=Dictated(DENIED, edition="2"))
    page = (vault.root / "wiki/topics/payment-retries.md").read_text()
    assert "The queue kept messages in spring only." in page
    assert DENIAL not in page
    check(vault)


def test_a_recompile_leaves_what_waits_waiting(vault: Vault) -> None:
    waiting(vault)
    assert vault.recompile(check=True, model=Dictated(DENIED)).files == ()
    vault.recompile(model=Dictated(DENIED, edition="2"))
    assert [path for path in everywhere(vault, DENIAL) if path.startswith("wiki/")] == []
    assert [item.reasons for item in vault.review().items] == [("denies what was held for true",)]


def test_a_proposal_is_made_anew_where_the_wiki_moved_on(vault: Vault) -> None:
    waiting(vault)
    tell(vault, session("three", "2026-03-05", "topic | payment retries | | Retries wait in the north queue."))
    compiled(vault)
    tell(vault, session("four", "2026-03-06", "topic | payment retries | | The north queue never existed."))
    compiled(
        vault, Dictated({**DENIED, frozenset({"Retries wait in the north queue.", "The north queue never existed."}): "denies"})
    )
    shown = git(vault.root, "show", f"{BRANCH}:wiki/topics/payment-retries.md")
    assert "Retries wait in the north queue" in shown
    assert DENIAL in shown
    (item,) = vault.review().items
    assert len(item.ids) == 2
    vault.approve([item.ids[0]])
    assert [len(each.ids) for each in vault.review().items] == [1]
    vault.approve(["all"])
    check(vault)
    assert vault.review().items == ()


def test_numbers_stay_those_of_the_last_list(vault: Vault, reopen: Reopen) -> None:
    waiting(vault)
    (item,) = vault.review().items
    tell(vault, session("three", "2026-03-05", "topic | harbour gate | | There is no harbour gate."))
    compiled(vault, Dictated({**DENIED, **NO_GATE}))
    assert {each.title for each in vault.review_show().items} == {"Harbour gate", "Payment retries"}
    done = reopen(vault).approve(["1"])
    assert done.done == (f"approved: {DENIAL}",)
    assert done.left == 1
    with pytest.raises(NoItem):
        vault.approve(["1"])
    assert item.ids


def test_what_waits_is_kept_when_the_process_dies_before_the_branch_is_made(vault: Vault) -> None:
    waiting(vault)
    source, opened = _source(vault, "two"), vault._opened
    file, _ = claimfiles.read(git(vault.root, "show", f"{BRANCH}:{memory.path(source)}").encode(), source)
    assert file is not None
    with opened.repository() as repo:
        (proposal,) = proposing.gather(opened, repo, memory.load(vault.root, opened.ledger, SHIPPED))
    withholding.lay_aside(opened, file, proposal.claims[source], proposal.judged)
    git(vault.root, "branch", "-D", BRANCH)
    assert [item.reasons for item in vault.review().items] == [("denies what was held for true",)]
    compiled(vault)
    assert branches(vault.root) == [BRANCH]
    assert withholding.laid_aside(opened) == {}


def _source(vault: Vault, session: str) -> str:
    return next(each.id for each in vault._opened.ledger.all().values() if each.session == session)


def test_a_session_against_a_hand_edit_is_proposed_not_applied(vault: Vault) -> None:
    tell(vault, session("one", "2026-03-02", LIMIT.format(3)))
    compiled(vault)
    page = vault.root / "wiki/topics/payment-retries.md"
    by_hand(vault, swap("Retries stop after 3 attempts.", "Retries stop after 4 attempts."))
    tell(vault, session("two", "2026-08-06", LIMIT.format(9)))
    compiled(vault)
    assert "9 attempts" not in page.read_text()
    (item,) = vault.review().items
    assert (item.risk, item.reasons) == ("high", ("speaks against what a person wrote here",))
    vault.approve(["all"])
    assert "9 attempts" in page.read_text()
    check(vault)


def test_what_the_same_session_took_back_does_not_pass_for_true_while_the_rest_waits(vault: Vault) -> None:
    vault = settings(vault, '\n[review]\nmedium = "review"\n')
    tell(vault, session("one", "2026-03-02", LIMIT.format(3)))
    compiled(vault)
    tell(vault, session("two", "2026-03-04", LIMIT.format(7), LIMIT.format(5)))
    compiled(vault)
    page = vault.root / "wiki/topics/payment-retries.md"
    assert "7 attempts" not in page.read_text()
    assert "5 attempts" not in page.read_text()
    vault.approve(["all"])
    assert "- Retries stop after 5 attempts." in page.read_text()


def test_what_the_policy_refuses_is_proposed_to_nobody(vault: Vault) -> None:
    vault = settings(vault, '\n[review.topic]\nhigh = "refuse"\n')
    tell(vault, session("one", "2026-03-02", WEEK))
    compiled(vault)
    tell(vault, session("two", "2026-03-04", NEVER))
    compiled(vault)
    assert branches(vault.root) == []
    claims = vault.root / "wiki/.claims/2026/03" / f"{_source(vault, 'two')}.jsonl"
    assert '"rule":"policy"' in claims.read_text()
    assert DENIAL not in claims.read_text()


@pytest.mark.parametrize(
    ("told", "clause"),
    [
        (']\nlow = "maybe"', "commit or review or refuse"),
        (']\ngrave = "review"', "low, medium, high, many"),
        ("]\nmany = 0", "1 or more"),
        ('.walrus]\nlow = "review"', "no type of page"),
    ],
)
def test_a_setting_that_is_none_is_told(vault: Vault, told: str, clause: str) -> None:
    with pytest.raises(BadSettings, match=clause):
        settings(vault, f"\n[review{told}\n")


def test_an_item_of_several_claims_is_not_worded_anew_as_a_whole(vault: Vault) -> None:
    waiting(vault)
    tell(vault, session("three", "2026-03-05", "topic | payment retries | | The queue was never there."))
    compiled(
        vault, Dictated({**DENIED, frozenset({"The queue keeps messages for a week.", "The queue was never there."}): "denies"})
    )
    vault.review()
    with pytest.raises(UsageError, match="holds 2 claims"):
        vault.amend("1", "Other words.")


def test_two_machines_see_one_proposal_and_whoever_decides_decides_for_both(vault: Vault) -> None:
    waiting(vault)
    remote = publish(vault)
    (pushed,) = vault.push_proposals().pushed
    assert (pushed.branch, pushed.claims, pushed.link) == (BRANCH, 1, "")
    other = clone(remote, "mira")
    assert [item.page for item in other.review(fetch=True).items] == ["topics/payment-retries.md"]
    other.approve(["1"])
    other.sync()
    vault.sync()
    assert DENIAL in (vault.root / "wiki/topics/payment-retries.md").read_text()
    assert vault.review().items == ()
    vault.push_proposals()
    assert branches(vault.root) == []
    assert wiki(vault) == wiki(other)


def test_proposals_of_two_machines_for_one_day_become_one(vault: Vault) -> None:
    tell(vault, session("one", "2026-03-02", LIMIT.format(3), WEEK), session("gate", "2026-03-02", NEW))
    compiled(vault)
    remote = publish(vault)
    other = clone(remote, "mira")
    tell(vault, session("two", "2026-03-04", NEVER))
    compiled(vault)
    tell(other, session("three", "2026-03-05", "topic | harbour gate | | There is no harbour gate."))
    compiled(other, Dictated(NO_GATE))
    vault.push_proposals()
    other.sync()
    vault.sync()
    late = other.push_proposals()
    assert late.pushed == ()
    assert "wikimem sync" in str(late.problems[0])
    other.sync()
    (pushed,) = other.push_proposals().pushed
    assert pushed.claims == 2
    assert len(vault.review(fetch=True).items) == 2
    vault.approve(["all"])
    vault.sync()
    other.sync()
    assert other.review(fetch=True).items == ()
    assert wiki(vault) == wiki(other)


def test_what_is_merged_on_the_host_waits_no_more(vault: Vault) -> None:
    waiting(vault)
    remote = publish(vault)
    vault.push_proposals()
    hand = clone(remote, "host").root
    git(hand, "merge", "-q", "--no-ff", "-m", "merged", f"origin/{BRANCH}")
    git(hand, "push", "-q", "origin", "main")
    vault.sync()
    assert DENIAL in (vault.root / "wiki/topics/payment-retries.md").read_text()
    assert vault.review().items == ()
    check(vault)


def test_two_machines_that_let_in_different_claims_of_one_session_let_in_both(vault: Vault) -> None:
    vault = settings(vault, '\n[review]\nlow = "review"\n')
    tell(vault, session("one", "2026-03-02", "Good morning.", LIMIT.format(3), NEW))
    compiled(vault)
    remote = publish(vault)
    vault.push_proposals()
    other = clone(remote, "mira")
    (gate,) = [item.ids[0] for item in other.review(fetch=True).items if item.title == "Harbour gate"]
    (limit,) = [item.ids[0] for item in vault.review().items if item.title == "Payment retries"]
    other.approve([gate])
    vault.approve([limit])
    vault.sync()
    other.sync()
    vault.sync()
    assert wiki(vault) == wiki(other)
    assert {path for path in wiki(vault) if path.startswith("topics/")} >= {"topics/harbour-gate.md", "topics/payment-retries.md"}
    assert vault.review().items == other.review().items == ()


def test_what_waits_survives_a_rewritten_branch(vault: Vault) -> None:
    waiting(vault)
    git(vault.root, "commit", "-q", "--amend", "-m", "told otherwise")
    assert [item.page for item in vault.review().items] == ["topics/payment-retries.md"]
    tell(vault, session("three", "2026-03-05", "topic | harbour gate | | There is no harbour gate."))
    compiled(vault, Dictated({**DENIED, **NO_GATE}))
    assert len(vault.review().items) == 2
    vault.approve(["all"])
    assert DENIAL in (vault.root / "wiki/topics/payment-retries.md").read_text()
    check(vault)


def test_what_is_forgotten_waits_no_more_and_what_else_waited_does(vault: Vault) -> None:
    waiting(vault)
    tell(vault, session("three", "2026-03-05", "Hello.", "topic | harbour gate | | There is no harbour gate."))
    compiled(vault, Dictated({**DENIED, **NO_GATE}))
    assert len(vault.review().items) == 2
    old = git(vault.root, "rev-parse", BRANCH).strip()
    assert vault.forget(_source(vault, "two"), yes=True).commit
    assert branches(vault.root) == []
    vault = Vault.open(vault.root, clock=vault._opened.clock)
    assert [len(item.ids) for item in vault.review().items] == [1]
    assert DENIAL not in str(vault.review().as_json())
    compiled(vault, Dictated({**DENIED, **NO_GATE}))
    assert branches(vault.root) == [BRANCH]
    assert old not in git(vault.root, "rev-list", BRANCH).split()
    vault.approve(["all"])
    assert "There is no harbour gate." in (vault.root / "wiki/topics/harbour-gate.md").read_text()
    check(vault)
