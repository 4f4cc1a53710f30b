"""Steps: what each asks of a wiki, what the built-in rules answer, and that the answer passes the checks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.test_cold import CRANE, FIVE, LIFTS, QUEUE, RETRIES, THREE, claim
from core.test_fold import file
from wikimem.core import fold
from wikimem.core.claims import Claim, Kind, Mention, Stance
from wikimem.core.consolidation import checks, leads, links, procedures, profiles, views
from wikimem.core.consolidation.views import Ask, Draft, Leading, Relating
from wikimem.core.fold import Wiki
from wikimem.core.rules import leading, relating

MAKE = Mention("project:harbour", "procedure", "make tide")
FACTS = [claim(f"The north crane has part {letter}.", "a", CRANE) for letter in "abcdefg"]


def answered(ask: Ask) -> tuple[Draft, ...]:
    """What the built-in rules propose."""
    if isinstance(ask.asked, Leading):
        return views.read(ask, leading.lead(ask.asked))
    if isinstance(ask.asked, Relating):
        return views.read(ask, relating.relate(ask.asked))
    return ask.drafts


def proposed(wiki: Wiki, asks: list[Ask]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Titles of the pages and sentences of each proposal; all of them pass."""
    sources = set(wiki.ground.files)
    found = {}
    for ask in asks:
        for draft in answered(ask):
            assert checks.check(draft, wiki, sources) is None
            titles = tuple(wiki.subjects[key].title for key in draft.about)
            found[titles] = tuple(text for text, _ in draft.said)
    return found


def test_a_page_of_two_lines_is_not_summed_up_and_one_of_few_not_by_rule() -> None:
    assert [*leads.asks(fold.whole([file("a", *FACTS[:2])], {}), False)] == []
    wiki = fold.whole([file("a", *FACTS[:3])], {})
    asks = [*leads.asks(wiki, False)]
    assert len(asks) == 1
    assert proposed(wiki, asks) == {}


def test_a_lead_by_rule_tells_single_values_first_since_when_and_the_last_event() -> None:
    port = claim("The north crane listens on port 6432.", "a", CRANE, "port", "2026-02-02", "2026-03-03T09:00:00Z")
    host = claim("The north crane stands on quay-2.", "a", CRANE, "host")
    events = [
        replace(claim(f"The crane was painted {colour}.", "a", CRANE, start=day), kind=Kind.EPISODIC)
        for colour, day in (("red", "2026-01-05"), ("blue", "2026-03-05"))
    ]
    wiki = fold.whole([file("a", *FACTS, port, host, *events)], {})
    (said,) = proposed(wiki, [*leads.asks(wiki, False)]).values()
    assert said == (
        "The north crane listens on port 6432 (since 2026-02-02).",
        "The north crane stands on quay-2.",
        "The crane was painted blue.",
    )


def test_a_page_without_values_of_its_own_is_not_summed_up_by_rule() -> None:
    wiki = fold.whole([file("a", *FACTS)], {})
    assert proposed(wiki, [*leads.asks(wiki, False)]) == {}


def test_guesses_and_conflicts_are_not_summed_up() -> None:
    guesses = [replace(one, stance=Stance.INFERENCE) for one in FACTS]
    assert [*leads.asks(fold.whole([file("a", *guesses)], {}), False)] == []


def test_the_basis_of_a_lead_changes_with_its_claims_alone() -> None:
    (first,) = leads.asks(fold.whole([file("a", *FACTS), file("b", THREE)], {}), False)
    (same,) = leads.asks(fold.whole([file("b", FIVE), file("a", *FACTS[::-1])], {}), False)
    (other,) = leads.asks(fold.whole([file("a", *FACTS, LIFTS)], {}), False)
    assert first.basis == same.basis != other.basis


def test_a_page_leads_back_to_those_that_name_it_with_what_they_say() -> None:
    names = claim("Behind the north crane the tide retries are counted.", "a")
    wiki = fold.whole([file("a", names), file("b", LIFTS)], {})
    found = proposed(wiki, [*links.asks(wiki, False)])
    assert found[("North crane", "Tide retries")] == (names.text,)
    assert found[("Tide retries", "North crane")] == (LIFTS.text,)


def test_the_words_of_a_quotation_stand_alone_beside_the_title() -> None:
    names = claim("The user on tide retries: “the north crane may count them.”", "a")
    wiki = fold.whole([file("a", names), file("b", LIFTS)], {})
    assert proposed(wiki, [*links.asks(wiki, False)])[("North crane", "Tide retries")] == ("“the north crane may count them.”",)


def test_a_long_reason_is_cut_at_a_word_and_closes_its_quotation() -> None:
    names = claim(f"The user on tide retries: “the north crane {'may count them again ' * 12}now.”", "a")
    wiki = fold.whole([file("a", names), file("b", LIFTS)], {})
    (text,) = proposed(wiki, [*links.asks(wiki, False)])[("North crane", "Tide retries")]
    assert len(text) <= 165
    assert text.startswith("“the north crane may count")
    assert text.endswith(" …”")


def test_one_line_of_many_is_no_reason() -> None:
    names = claim("Behind the north crane the tide retries are counted.", "a")
    wiki = fold.whole([file("a", names), file("b", *FACTS)], {})
    assert ("Tide retries", "North crane") not in proposed(wiki, [*links.asks(wiki, False)])


def test_an_orphan_is_led_to_by_what_was_told_in_its_session() -> None:
    near, far = claim("The buoy is red.", "a", Mention("project:harbour", "topic", "buoy")), QUEUE
    wiki = fold.whole([file("a", near, far)], {})
    found = proposed(wiki, [*links.asks(wiki, False)])
    assert found == {
        ("buoy", "Tide retries"): (f"in the same session: {QUEUE.text}",),
        ("Tide retries", "buoy"): ("in the same session: The buoy is red.",),
    }


def test_a_command_is_not_led_to_by_whatever_was_told_when_it_ran() -> None:
    run = claim("`make gulls` runs the tests (seen to pass).", "a", Mention("project:harbour", "procedure", "make gulls"))
    assert [*links.asks(fold.whole([file("a", run, QUEUE)], {}), False)] == []


@pytest.mark.parametrize("strict", [False, True])
def test_no_scope_is_led_to_another(strict: bool) -> None:
    other = claim("The north crane bows to the tide retries.", "a", Mention("project:other", "topic", "north crane"))
    wiki = fold.whole([file("a", other, QUEUE)], {})
    assert [*links.asks(wiki, strict)] == []


def test_in_a_strict_vault_nothing_without_a_scope_is_told() -> None:
    free = [claim(one.text, "a", Mention("", "topic", "north crane")) for one in FACTS]
    wiki = fold.whole([file("a", *free)], {})
    assert len([*leads.asks(wiki, False)]) == 1
    assert [*leads.asks(wiki, True)] == []


def runs(*days: str) -> list[Claim]:
    """A command seen to work, in a session of each day."""
    text = "`make tide` runs the tests (seen to pass)."
    return [claim(text, f"s{number}", MAKE, said=f"{day}T09:00:00Z") for number, day in enumerate(days)]


def test_a_command_that_worked_in_two_sessions_is_a_procedure_and_one_is_left() -> None:
    once = fold.whole([file("s0", *runs("2026-01-02"))], {})
    assert [*procedures.asks(once, False)] == []
    twice = fold.whole([file(f"s{n}", one) for n, one in enumerate(runs("2026-01-02", "2026-01-09"))], {})
    found = proposed(twice, [*procedures.asks(twice, False)])
    assert found == {("make tide",): ("`make tide` runs the tests (seen to pass) in 2 sessions, from 2026-01-02 to 2026-01-09.",)}


def test_a_profile_is_one_line_for_each_attribute_that_holds_in_the_vocabulary_s_order() -> None:
    mira = Mention("project:harbour", "person", "Mira")
    told = [
        claim("Mira keeps a parrot.", "a", mira, "pet"),
        claim("Mira lives in Leeds.", "a", mira, "home", said="2026-01-02T09:00:00Z"),
        claim("Mira lives in York.", "b", mira, "home", said="2026-02-02T09:00:00Z"),
        claim("Mira was late.", "b", mira),
    ]
    wiki = fold.whole([file("a", *told[:2]), file("b", *told[2:])], {})
    assert proposed(wiki, [*profiles.asks(wiki, False)]) == {("Mira",): ("Mira lives in York.", "Mira keeps a parrot.")}


def test_a_topic_has_no_profile() -> None:
    assert [*profiles.asks(fold.whole([file("a", THREE)], {}), False)] == []


@pytest.mark.parametrize(
    "content",
    [
        None,
        {},
        {"sentences": "none"},
        {"sentences": ["text"]},
        {"sentences": [{"text": 1, "claims": []}]},
        {"sentences": [{"text": "x", "claims": "abc"}]},
    ],
)
def test_a_reply_of_another_form_is_an_error(content: object) -> None:
    with pytest.raises(ValueError, match=r"object|list|text"):
        views.read(next(leads.asks(fold.whole([file("a", *FACTS)], {}), False)), content)


@pytest.mark.parametrize("number", [0, 2, "1", None])
def test_a_reply_about_a_page_that_was_not_offered_is_an_error(number: object) -> None:
    ask = next(links.asks(fold.whole([file("a", claim("The buoy is red.", "a", CRANE), QUEUE)], {}), False))
    with pytest.raises(ValueError, match="no page number"):
        views.read(ask, {"links": [{"other": number, "text": "x", "claims": [QUEUE.id]}]})


def test_titles_of_the_pages_of_these_tests_are_as_expected() -> None:
    wiki = fold.whole([file("a", THREE, LIFTS)], {})
    assert {wiki.subjects[RETRIES.id].title, wiki.subjects[CRANE.id].title} == {"Tide retries", "North crane"}
