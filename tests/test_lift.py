"""What stays on a card gets onto its page when questions were answered with it, and what was undone or rejected does not."""

from __future__ import annotations

import itertools
from datetime import timedelta

import pytest

from conftest import NOW
from dictated import Dictated, check, session, tell, wiki
from handwork import anew
from reviewing import compiled
from wikimem import background, memory
from wikimem.core import fold
from wikimem.faces.api import Vault
from wikimem.vault import open_at

GUESS = "topic | tide pump | | The tide pump probably leaks at the seal. | stance=inference | confidence=0.6"
OTHER = "topic | tide pump | | The keeper seldom oils the hinges. | stance=inference | confidence=0.6"
SURE = "topic | tide pump | | The tide pump was painted red."
PAGE = "wiki/topics/tide-pump.md"
QUESTION = "Where does the tide pump leak?"


@pytest.fixture
def told(vault: Vault) -> Vault:
    """A vault in which a session guessed two things, in one turn each."""
    tell(vault, session("one", "2026-03-02", SURE, ("assistant", GUESS), "Go on.", ("assistant", OTHER)))
    compiled(vault)
    assert "probably leaks" not in page(vault)
    return vault


def page(vault: Vault) -> str:
    return (vault.root / PAGE).read_text()


def ask(vault: Vault, session: str = "", day: int = 0, channel: str = "cli", question: str = QUESTION) -> str:
    later = Vault.open(vault.root, clock=lambda: NOW + timedelta(days=day))
    found = later.recall(question, channel=channel, session=session)
    assert "probably leaks" in found.bundle.text
    return found.id


def test_what_two_sessions_asked_for_gets_onto_its_page_and_nothing_else(told: Vault) -> None:
    ask(told, "s-1")
    assert told.lift().claims == {}
    ask(told, "s-2")
    before = wiki(told)
    seen = told.lift(dry_run=True)
    assert list(seen.claims.values()) == ["The tide pump probably leaks at the seal."]
    assert wiki(told) == before
    done = told.lift()
    assert done.claims == seen.claims
    assert "The tide pump probably leaks at the seal. (inference, 0.6)" in page(told)
    assert "hinges" not in page(told)
    check(told)
    assert told.lift().claims == {}
    assert compiled(told).outcomes == []


def test_the_same_question_on_two_days_counts_and_on_one_day_does_not(told: Vault) -> None:
    ask(told)
    ask(told)
    assert told.lift().claims == {}
    ask(told, day=1)
    assert len(told.lift().claims) == 1


@pytest.mark.parametrize(("session", "channel"), [("one", "mcp"), ("s-2", "hook")])
def test_its_own_session_and_hooks_do_not_count(told: Vault, session: str, channel: str) -> None:
    ask(told, "s-1")
    ask(told, session, channel=channel)
    assert told.lift().claims == {}


def test_what_somebody_found_of_use_is_lifted_at_once_and_what_misled_never(told: Vault) -> None:
    recall = ask(told, "s-1")
    given = next(number for number, id in enumerate(told.feedback(recall).recall.ids, 1) if id.endswith(":L2"))
    told.feedback(recall, used=(str(given),))
    assert len(told.lift(dry_run=True).claims) == 1
    told.feedback(recall, misled=(str(given),))
    ask(told, "s-2")
    ask(told, "s-3")
    assert told.lift().claims == {}


def test_recall_itself_lifts_nothing(told: Vault) -> None:
    before = wiki(told)
    for number in range(4):
        ask(told, f"s-{number}")
    assert wiki(told) == before


def test_what_was_lifted_outlives_a_recompile_by_a_model_that_words_it_otherwise(told: Vault) -> None:
    ask(told, "s-1")
    ask(told, "s-2")
    told.lift()
    anew(told, Dictated(edition="2", rewords=lambda text: text.replace("leaks at", "drips from")))
    assert "probably" in page(told)
    check(told)


def test_what_was_undone_is_not_lifted_again(told: Vault) -> None:
    ask(told, "s-1")
    ask(told, "s-2")
    done = told.lift()
    told.undo(done.source)
    assert "probably leaks" not in page(told)
    ask(told, "s-3")
    assert told.lift().claims == {}
    told.undo(done.source)
    assert "probably leaks" in page(told)
    check(told)


def test_what_was_rejected_is_not_lifted_however_often_it_is_asked_for(told: Vault) -> None:
    ask(told, "s-1")
    ask(told, "s-2")
    (id,) = told.lift().claims
    told.reject(id, "it was the hose")
    assert "probably leaks" not in page(told)
    for number in range(3, 6):
        ask(told, f"s-{number}")
    assert told.lift().claims == {}
    anew(told, Dictated(edition="2", rewords=lambda text: text.replace("leaks at", "drips from")))
    assert "probably" not in page(told)


def test_what_would_do_more_than_add_stays_on_its_card_and_says_why(vault: Vault) -> None:
    doubtful = GUESS.replace("0.6", "0.2")
    tell(vault, session("one", "2026-03-02", SURE, ("assistant", doubtful)))
    compiled(vault)
    ask(vault, "s-1")
    ask(vault, "s-2")
    done = vault.lift()
    assert done.claims == {}
    assert [*done.left.values()] == ["high risk: it is hardly sure"]
    assert "probably leaks" not in page(vault)


def test_the_background_lifts_once_a_day(told: Vault) -> None:
    ask(told, "s-1")
    background.work(open_at(told.root, lambda: NOW))
    ask(told, "s-2")
    background.work(open_at(told.root, lambda: NOW))
    assert "probably leaks" not in page(told)
    done = background.work(open_at(told.root, lambda: NOW + timedelta(days=1)))
    assert done.problems == ()
    assert "probably leaks" in page(told)


def test_no_word_of_a_question_gets_into_git(told: Vault) -> None:
    for name in ("s-1", "s-2"):
        ask(told, name, question="Where does the tide pump leak, asks Ottokar?")
    done = told.lift()
    assert done.claims
    stored = [path.read_bytes() for top in ("wiki", "sources") for path in (told.root / top).rglob("*") if path.is_file()]
    assert not any(b"Ottokar" in data for data in stored)


def test_the_fold_is_the_same_in_any_order_of_sources_and_edits(told: Vault) -> None:
    ask(told, "s-1")
    ask(told, "s-2")
    done = told.lift()
    told.undo(done.source)
    told.undo(done.source)
    vocabulary = told._opened.settings.vocabulary
    files = [*memory.load(told.root, told._opened.ledger, vocabulary).files.values()]
    assert len(files) == 4
    whole = fold.whole(files, {}, vocabulary)
    assert any("probably leaks" in one.text for subject in whole.subjects.values() for one in subject.claims)
    for order in itertools.permutations(files):
        wiki_ = fold.empty(vocabulary)
        for end in range(1, len(order) + 1):
            wiki_ = fold.again(wiki_, order[:end], {}, vocabulary)
        assert wiki_ == whole
        assert wiki_.ground.alone == whole.ground.alone
