"""History: the commits of a page, newest first, and what each changed on it."""

from __future__ import annotations

import pytest

from dictated import Dictated, commits, git, session, tell
from wikimem.errors import NoPage, UsageError
from wikimem.faces import text
from wikimem.faces.api import Vault

LIMIT = "topic | payment retries | retry-limit | Retries stop after {} attempts."
PAGE = "wiki/topics/payment-retries.md"


def grow(vault: Vault) -> list[str]:
    """Two limits and a note by hand; the ids of the two sources."""
    found = []
    for name, day, limit in (("one", "02", 3), ("two", "04", 5)):
        found += tell(vault, session(name, f"2026-03-{day}", LIMIT.format(limit)))
        vault.compile(model=Dictated())
    page = vault.root / PAGE
    page.write_text(page.read_text() + "\n## Notes\n\nAsk Ines.\n")
    git(vault.root, "commit", "-qam", "a note")
    return found


def test_each_commit_of_a_page_and_what_it_changed(vault: Vault) -> None:
    one, two = grow(vault)
    past = vault.history("payment-retries")
    assert (past.path, past.title) == (PAGE, "Payment retries")
    note, second, first = past.steps
    assert (note.subject, note.source, note.gained, note.ended, note.lost) == ("a note", "", (), (), ())
    assert note.other == 2
    assert (second.source, second.gained) == (two, ("Retries stop after 5 attempts.",))
    (ended,) = second.ended
    assert ended.startswith("~~Retries stop after 3 attempts.~~ (until 2026-03-04, superseded by [^")
    assert (first.source, first.gained, first.ended, first.lost) == (one, ("Retries stop after 3 attempts.",), (), ())
    assert [step.commit for step in past.steps] == [each for each in commits(vault) if each in {s.commit for s in past.steps}]
    shown = text.past(past)
    assert "Retries stop after 5 attempts." in shown
    assert "a note" in shown
    assert set(past.as_json()["steps"][0]) >= {"commit", "when", "subject", "source", "gained", "ended", "lost"}


def test_a_line_that_is_gone_is_told_as_lost(vault: Vault) -> None:
    grow(vault)
    vault.recompile(model=Dictated(rewords=lambda words: words.replace("stop", "end")), reword=True)
    last = vault.history("payment-retries").steps[0]
    assert last.gained == ("Retries end after 5 attempts.",)
    assert len(last.lost) == 2
    assert last.source == ""


def test_names_of_a_page(vault: Vault) -> None:
    grow(vault)
    for name in ["payment-retries", "Payment Retries", "topics/payment-retries", PAGE, f"./{PAGE}"]:
        assert vault.history(name).path == PAGE


def test_a_name_of_no_page_is_a_sentence(vault: Vault) -> None:
    grow(vault)
    for name in ["", "nonsense", "../../etc/passwd", "index", "topics/index", "wiki/topics/../../x", "payment retry"]:
        with pytest.raises(NoPage, match="is no page of this wiki"):
            vault.history(name)


def test_a_page_of_a_person_s_own_that_is_in_no_commit_has_no_history(vault: Vault) -> None:
    grow(vault)
    (vault.root / "wiki/topics/draft.md").write_text("# A draft\n")
    assert vault.history("draft").steps == ()


def test_a_merge_is_told_by_its_commits(vault: Vault) -> None:
    grow(vault)
    git(vault.root, "switch", "-qc", "side", "HEAD~1")
    (vault.root / "README").write_text("side\n")
    git(vault.root, "add", "README")
    git(vault.root, "commit", "-qm", "side")
    git(vault.root, "switch", "-q", "-")
    git(vault.root, "merge", "-q", "--no-edit", "side")
    assert vault.history("payment-retries").steps[0].subject == "a note"


def test_with_a_date_only_claims_that_held_then(vault: Vault) -> None:
    one, two = grow(vault)
    (first_ended, first) = vault.history("payment-retries", at="2026-03-03").steps
    assert (first_ended.source, first_ended.gained, len(first_ended.ended)) == (two, (), 1)
    assert (first.source, first.gained) == (one, ("Retries stop after 3 attempts.",))
    (second,) = vault.history("payment-retries", at="2026-03-05").steps
    assert (second.source, second.gained, second.ended) == (two, ("Retries stop after 5 attempts.",), ())
    assert vault.history("payment-retries", at="2026-02").steps == ()


def test_with_a_date_of_knowledge_only_claims_said_by_then(vault: Vault) -> None:
    one, two = grow(vault)
    assert {line for step in vault.history("payment-retries", known="2026-03-03").steps for line in step.gained} == {
        "Retries stop after 3 attempts."
    }
    assert [step.source for step in vault.history("payment-retries", known="2026-03-05").steps] == [two, one]
    with pytest.raises(UsageError, match="is no date"):
        vault.history("payment-retries", known="soon")


PAYOUT = "topic | payout queue | | The payout queue is drained at night."
QUEUE = "topic | queue for payouts | | The queue for payouts holds a week."
ALARM = "topic | payout queue | | The payout queue wakes Ines."


def queues(vault: Vault) -> list[str]:
    found = []
    for name, day, said in (("one", "02", PAYOUT), ("two", "09", QUEUE), ("three", "16", ALARM)):
        found += tell(vault, session(name, f"2026-03-{day}", said))
        vault.compile(model=Dictated())
    return found


def gains(vault: Vault, page: str, known: str = "") -> list[tuple[str, tuple[str, ...]]]:
    steps = vault.history(page, known=known).steps
    return [(step.source, step.gained) for step in steps if step.gained]


DRAINED, HOLDS, WAKES = (said.split("| ")[-1] for said in (PAYOUT, QUEUE, ALARM))


def test_a_renamed_page_keeps_its_history(vault: Vault) -> None:
    one, _, three = queues(vault)
    vault.rename("payout-queue", "Night queue")
    vault.rename("night-queue", "Late queue")
    (late, night, *_) = vault.history("late-queue").steps
    for step in (late, night):
        assert (step.gained, step.lost) == ((), ())
        assert step.other
    assert gains(vault, "late-queue") == [(three, (WAKES,)), (one, (DRAINED,))]
    assert gains(vault, "late-queue", "2026-03-10") == [(one, (DRAINED,))]


def test_a_page_that_was_merged_into_another_brings_its_history(vault: Vault) -> None:
    one, two, three = queues(vault)
    vault.merge("queue-for-payouts", "payout-queue")
    merging = vault.history("payout-queue").steps[0]
    assert (merging.gained, merging.lost) == ((), ())
    assert gains(vault, "payout-queue") == [(three, (WAKES,)), (two, (HOLDS,)), (one, (DRAINED,))]


def test_what_was_split_off_keeps_the_history_of_its_claims_alone(vault: Vault) -> None:
    _, _, three = queues(vault)
    vault.rename("payout-queue", "Night queue")
    vault.split("night-queue", [vault.why(WAKES, limit=1).found[0].claim], "alarms")
    assert gains(vault, "alarms") == [(three, (WAKES,))]
    assert [step.other > 0 for step in vault.history("alarms").steps] == [True, False]
    assert vault.history("night-queue").steps[0].lost == (WAKES,)


def test_a_new_page_under_an_old_name_has_no_part_in_the_history_of_the_renamed_one(vault: Vault) -> None:
    one, _, three = queues(vault)
    vault.rename("payout-queue", "Night queue")
    tell(vault, session("four", "2026-03-20", "topic | staff | | The staff meets on Mondays."))
    vault.compile(model=Dictated())
    vault.rename("staff", "Payout queue staff")
    vault.rename("payout-queue-staff", "payout queue")
    assert gains(vault, "night-queue") == [(three, (WAKES,)), (one, (DRAINED,))]


def test_what_was_known_of_a_page_does_not_depend_on_what_it_is_called_today(vault: Vault) -> None:
    queues(vault)
    vault.merge("queue-for-payouts", "payout-queue")
    vault.rename("payout-queue", "Night queue")

    def known(page: str, day: str) -> list[str]:
        return sorted(one.text for one in vault.timeline(page, known=day).stretches)

    assert known("night-queue", "2026-03-03") == [DRAINED]
    assert known("night-queue", "2026-03-10") == [DRAINED, HOLDS]
    assert "# Night queue" in text.shown(vault.show("night-queue", known="2026-03-03"))
    vault.split("night-queue", [vault.why(WAKES, limit=1).found[0].claim], "alarms")
    tell(vault, session("four", "2026-03-20", "topic | staff | | The staff meets on Mondays."))
    vault.compile(model=Dictated())
    vault.merge("alarms", "staff")
    assert known("staff", "2026-03-16") == [WAKES]
    assert known("night-queue", "2026-03-16") == [DRAINED, HOLDS]


def test_an_edit_of_a_claim_counts_from_when_it_was_made(vault: Vault) -> None:
    queues(vault)
    page = vault.root / "wiki/topics/payout-queue.md"
    page.write_text(page.read_text().replace(DRAINED, "The payout queue is drained at noon."))
    vault.compile(model=Dictated(), take_edits=True)
    (early,) = vault.timeline("payout-queue", known="2026-03-03").stretches
    assert early.text == DRAINED


def test_a_line_is_told_as_it_is_read(vault: Vault) -> None:
    tell(vault, session("one", "2026-03-02", "topic | backups | | Copies go to ~/backup [nightly]."))
    vault.compile(model=Dictated())
    assert vault.history("backups").steps[0].gained == ("Copies go to ~/backup [nightly].",)
