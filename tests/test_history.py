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
