"""Seeking by rule: names that the cards bring up are followed by the letter, then it is read around, then lines are named."""

from __future__ import annotations

from wikimem.core import inquiries
from wikimem.core.inquiries import Do, Glimpse, Inquiry, Seen
from wikimem.core.rules import marking, seeking
from wikimem.core.shelving import Line


def card(at: str, text: str, path: str = "sources/2026/03/20260302-note-0badcafe.md", speaker: str = "human") -> Glimpse:
    return Glimpse(path, Line(at, text, speaker, "2026-03-02"))


CARDS = (card("L4", "We moved the tide job to `cron_tides.py`, Ines wants it so."), card("L9", "The tide job runs at night."))
FIRST = Inquiry("When does the tide job run?", "", CARDS)


def test_files_and_names_that_the_cards_bring_up_are_looked_for() -> None:
    looks = inquiries.read(seeking.step(FIRST)).looks
    assert {look.do for look in looks} == {Do.SEARCH, Do.GREP}
    assert any("cron_tides" in look.pattern and "tide" in look.pattern for look in looks if look.do is Do.SEARCH)
    assert {look.pattern for look in looks if look.do is Do.GREP} == {r"cron_tides\.py", "Ines"}


def test_what_the_question_names_itself_is_not_followed_again() -> None:
    looks = inquiries.read(seeking.step(Inquiry("What is in `cron_tides.py`?", "", CARDS[:1]))).looks
    assert {look.pattern.split()[-1] for look in looks if look.do is Do.SEARCH} == {"Ines"}


def test_then_it_is_read_around_the_best_lines_and_then_it_is_done() -> None:
    first = inquiries.read(seeking.step(FIRST))
    second = FIRST.after([Seen(look, CARDS if look.do is Do.SEARCH else ()) for look in first.looks])
    looks = inquiries.read(seeking.step(second)).looks
    assert looks
    assert {look.do for look in looks} == {Do.READ}
    new = (card("L10", "Since June the tide job of cron_tides.py runs at 02:30."), card("L11", "Thanks!"))
    third = second.after([Seen(look, new) for look in looks])
    done = inquiries.read(seeking.step(third))
    assert done.looks == ()
    assert [(span.first, span.quote) for span in done.spans] == [(10, "Since June the tide job of cron_tides.py runs at 02:30.")]


def test_the_last_step_looks_no_further_and_leaves_the_cards_to_the_quick_answer() -> None:
    step = inquiries.read(seeking.step(Inquiry(FIRST.question, "", CARDS, left=1)))
    assert (step.looks, step.spans) == ((), ())


def test_pages_are_no_evidence_of_themselves() -> None:
    step = inquiries.read(seeking.step(Inquiry("Tide job?", "", (card("L3", "The tide job.", "wiki/topics/tides.md"),), left=1)))
    assert step.spans == ()


def test_the_same_inquiry_gets_the_same_step() -> None:
    assert seeking.step(FIRST) == seeking.step(FIRST)


def test_without_cards_the_question_is_put_once_more_and_then_it_is_done() -> None:
    empty = Inquiry("Tide job?", "", ())
    first = inquiries.read(seeking.step(empty))
    assert [look.do for look in first.looks] == [Do.SEARCH]
    later = inquiries.read(seeking.step(empty.after([Seen(first.looks[0])])))
    assert (later.looks, later.spans) == ((), ())


def test_marking_by_rule_finds_the_expected_words_and_no_paraphrase() -> None:
    from wikimem.core.evaluation.judging import Judged, Protocol

    def score(expected: str, given: str, protocol: Protocol = Protocol.EXACT) -> float:
        return float(marking.mark(Judged(protocol, "Which?", expected, given))["score"])

    assert score("pear tree", "She planted a Pear tree.") == 1
    assert score("pear tree", "She planted fruit.") == 0
    assert score("pear tree", "Not in memory. Pear tree.") == 0
    assert score("never said", "Not in memory.", Protocol.ABSTENTION) == 1
    assert score("never said", "A pear tree.", Protocol.ABSTENTION) == 0


def test_a_rare_name_leads_to_a_line_without_any_word_of_the_question_and_a_common_one_does_not() -> None:
    first = inquiries.read(seeking.step(FIRST))
    led = [card(f"L{number}", f"Ines feeds cat {number}.") for number in range(50, 60)]
    found = {r"cron_tides\.py": (card("L40", "cron_tides.py moved to the quay server."),), "Ines": tuple(led)}
    later = FIRST.after([Seen(look, found.get(look.pattern, ())) for look in first.looks])
    done = inquiries.read(seeking.step(Inquiry(later.question, "", later.cards, later.seen, left=1)))
    assert [span.first for span in done.spans] == [40]
