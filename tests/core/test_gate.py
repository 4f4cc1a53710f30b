"""The write gate: a quote stands or the draft falls; speakers, secrets, dates and labels are held against the rules."""

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wikimem.core import gate, texts
from wikimem.core.claims import Basis, Bound, Holds, Kind, Mention, Stance
from wikimem.core.drafts import Draft, Gate, Quote
from wikimem.core.screening import screen
from wikimem.core.turns import Form, Speaker, Turn
from wikimem.core.vocabulary import SHIPPED


def turn(at: str, speaker: Speaker, text: str, form: Form = Form.PROSE, name: str = "", call: str = "") -> Turn:
    return Turn(at, speaker, form, text, name, said="2026-03-02T09:01:00Z", identity=f"id-{at}", call=call)


HUMAN, ASSISTANT, TOOL = Speaker.HUMAN, Speaker.ASSISTANT, Speaker.TOOL
SESSION = (
    turn("L1", HUMAN, "The small garden allows four beds. The large garden has no limit.", name="Mira"),
    turn("L2", ASSISTANT, "I think the large garden might be capped at 80, but I am not sure."),
    turn("L3", HUMAN, "No, there is no cap. We never used Redis for that."),
    turn("L4", ASSISTANT, "A: keep 10 days. B: keep “30 days”, then delete. Which one?"),
    turn("L5", HUMAN, "do B"),
    turn("L6", ASSISTANT, '{"command": "make ship"}', Form.CALL, name="Bash", call="c1"),
    turn("L7", TOOL, "make: *** [ship] Error 2", Form.RESULT, call="c1"),
    turn("L8", ASSISTANT, '{"file_path": "README.md"}', Form.CALL, name="Read", call="c2"),
    turn("L9", TOOL, "Maintainer: P. Example. The parser is in parse.py.", Form.RESULT, call="c2"),
    turn("L10", HUMAN, "The key is [masked:assignment] and see https://example.org/beds for more.\n My salary is secret."),
)


def draft(text: str, *quotes: Quote, stance: Stance = Stance.FACT, **more: object) -> Draft:
    plain = Draft(Mention("", "topic", "garden"), "", Kind.SEMANTIC, stance, text, quotes)
    return replace(plain, **more)  # type: ignore[arg-type]


def decide(*drafts: Draft, session: tuple[Turn, ...] = SESSION) -> tuple[list[str], list[tuple[str, str]]]:
    """Texts of admitted claims; rule and text of refusals."""
    claims, refused = gate.admit(drafts, Gate(screen(session), SHIPPED))
    return [claim.text for claim in claims], [(one.rule, one.text) for one in refused]


def rules(*drafts: Draft) -> list[str]:
    return [rule for rule, _ in decide(*drafts)[1]]


def test_a_quote_that_stands_is_stored_in_the_sources_own_words() -> None:
    claims, refused = gate.admit(
        [draft("The large garden has no limit.", Quote("L1", "The  large garden\nhas no limit", "human"))],
        Gate(screen(SESSION), SHIPPED),
    )
    assert not refused
    (evidence,) = claims[0].evidence
    assert evidence.quote == "The large garden has no limit"
    assert (evidence.name, evidence.said, evidence.turn) == ("Mira", "2026-03-02T09:01:00Z", "id-L1")


@pytest.mark.parametrize(
    ("told", "rule"),
    [
        (draft("The large garden is capped.", Quote("L1", "the large garden is capped at 80", "human")), "quote"),
        (draft("The large garden might be capped.", Quote("L2", "the large garden might be capped at 80")), "speaker"),
        (draft("The large garden might be capped.", Quote("L2", "might be capped at 80", "human")), "speaker"),
        (draft("The small garden has no limit.", Quote("L1", "The small garden ... has no limit.")), "quote"),
        (draft("There is a cap in the garden.", Quote("L3", "there is … cap")), "quote"),
        (draft("There is a cap in the garden.", Quote("L3", "cap")), "negation"),
        (draft("Redis was used for beds.", Quote("L3", "used Redis for that")), "negation"),
        (draft("The garden allows four beds.", Quote("L99", "four beds")), "turn"),
        (draft("The garden allows four beds."), "quote"),
        (draft("The garden allows our beds.", Quote("L1", "our beds")), "quote"),
        (draft("It has no limit.", Quote("L1", "has no limit")), "vague"),
        (draft("Garden.", Quote("L1", "garden")), "vague"),
        (draft("The cap was lifted yesterday.", Quote("L3", "there is no cap")), "date"),
        (draft("The garden, newly generated version.", Quote("L1", "has no limit")), "scaffold"),
        (draft("See https://example.net/version1 for beds.", Quote("L1", "four beds")), "link"),
        (draft("The garden grows well.", Quote("L1", "no limit"), attribute="status"), "volatile"),
        (
            draft("The parser is in parse.py.", Quote("L9", "The parser is in parse.py"), stance=Stance.EVIDENCE),
            "derivable",
        ),
        (draft("The garden is tool talk.", Quote("L7", "Error 2")), "speaker"),
        (
            draft("The garden is so.", Quote("L1", "four beds"), mention=Mention("", "sandwich", "x")),
            "form",
        ),
        (
            draft("The garden is so.", Quote("L1", "four beds", holds=Holds(Bound("2026-02-30", Basis.STATED)))),
            "date",
        ),
    ],
)
def test_what_does_not_pass_is_refused_by_name(told: Draft, rule: str) -> None:
    kept, refused = decide(told)
    assert kept == []
    assert refused == [(rule, told.text)]


def test_a_kept_negation_may_be_quoted_from_within() -> None:
    assert decide(draft("Redis was never used for beds.", Quote("L3", "used Redis for that")))[0]
    assert decide(draft("There is no cap.", Quote("L3", "there is no cap")))[0]


def test_dates_resolved_in_brackets_and_words_in_quotation_marks_pass() -> None:
    said = draft("Mira on the cap: “it went yesterday [2026-03-01]”.", Quote("L3", "there is no cap"))
    assert decide(said)[0]
    assert decide(draft("The cap went last week [2026-W09].", Quote("L3", "there is no cap")))[0]


def test_secrets_and_sensitive_drafts_leave_no_word_behind() -> None:
    secret = draft("The garden key is [masked:assignment].", Quote("L10", "The key is [masked:assignment]"))
    salary = draft("Mira keeps her salary secret.", Quote("L10", "My salary is secret"))
    marked = draft("The garden is private.", Quote("L1", "four beds"), sensitive=True)
    kept, refused = decide(secret, salary, marked)
    assert kept == []
    assert refused == [("secret", ""), ("sensitive", ""), ("sensitive", "")]
    misquoted = draft("Mira is paid well.", Quote("L10", "My pay is good"))
    assert decide(misquoted)[1] == [("sensitive", "")]
    claims, leaks = gate.admit(
        [draft("The garden allows four beds.", Quote("L1", "four beds"))],
        Gate(screen(SESSION), SHIPPED, leaks=lambda text: "four" in text),
    )
    assert (claims, [one.rule for one in leaks]) == ((), ["secret"])


def test_an_acceptance_needs_its_proposal() -> None:
    good = draft("Old beds are kept for 30 days.", Quote("L5", "do B", proposal=("L4", 'B: keep "30 days", then delete')))
    claims, refused = gate.admit([good], Gate(screen(SESSION), SHIPPED))
    assert not refused
    proposal = claims[0].evidence[0].proposal
    assert proposal is not None
    assert proposal.quote == "B: keep “30 days”, then delete"
    bad = [("L4", "B: keep 90 days"), ("L1", "four beds"), ("L9", "Maintainer")]
    for place in bad:
        assert rules(replace(good, quotes=(Quote("L5", "do B", proposal=place),))) == ["acceptance"]


@pytest.mark.parametrize(
    ("words", "takes_up"), [("Interesting.", False), ("Oh, that’s interesting!", False), ("Yes, do B", True), ("ok", True)]
)
def test_polite_words_accept_nothing(words: str, takes_up: bool) -> None:
    talk = screen([turn("L1", Speaker.ASSISTANT, "B: keep it for 30 days."), turn("L2", Speaker.HUMAN, words)])
    good = draft("Old beds are kept for 30 days.", Quote("L2", words, proposal=("L1", "keep it for 30 days")))
    _, refused = gate.admit([good], Gate(talk, SHIPPED))
    assert [one.rule for one in refused] == ([] if takes_up else ["acceptance"])


def test_a_command_that_was_run_is_evidence() -> None:
    told = draft("`make ship` failed with error 2.", Quote("L6", "make ship"), Quote("L7", "Error 2"), stance=Stance.EVIDENCE)
    assert decide(told) == (["`make ship` failed with error 2."], [])


def test_of_several_quotes_those_that_stand_are_kept() -> None:
    kept, refused = decide(draft("The garden has no limit.", Quote("L1", "no limit"), Quote("L3", "no border")))
    assert kept == ["The garden has no limit."]
    assert refused == [("quote", "The garden has no limit.")]


def test_an_unknown_attribute_is_none_and_a_synonym_is_its_name() -> None:
    claims, _ = gate.admit(
        [
            draft("The garden has no limit.", Quote("L1", "no limit"), attribute="colour of the sky"),
            draft("The garden allows four beds.", Quote("L1", "four beds"), attribute="Max retries"),
        ],
        Gate(screen(SESSION), SHIPPED),
    )
    assert {claim.attribute for claim in claims} == {"", "retry-limit"}


def test_an_assistants_idea_is_no_fact_of_a_person() -> None:
    session = (
        turn("L1", HUMAN, "How do I keep a running median?"),
        turn("L2", ASSISTANT, "I keep two heaps; a histogram is simpler. You may want to sleep more."),
        turn("L3", HUMAN, "Interesting. For the journal I will use the histogram."),
    )
    kept, refused = decide(
        draft("The journal uses the histogram.", Quote("L3", "I will use the histogram")),
        draft("Two heaps are in use.", Quote("L2", "I keep two heaps")),
        draft("Mira wants to sleep more.", Quote("L2", "want to sleep more"), stance=Stance.PREFERENCE),
        draft("Perhaps a histogram is simpler.", Quote("L2", "a histogram is simpler"), stance=Stance.INFERENCE),
        session=session,
    )
    assert sorted(kept) == ["Perhaps a histogram is simpler.", "The journal uses the histogram."]
    assert [rule for rule, _ in refused] == ["speaker", "speaker"]


quotes = st.text(max_size=12)


@given(quotes, st.text(max_size=30))
@example("1", "¼")
@example("1", "¼0")
@example("4 m", "¼ m")
def test_whatever_is_found_stands_in_the_text(quote: str, text: str) -> None:
    found = texts.find(quote, text)
    if found is not None:
        own = text[slice(*found)]
        assert own
        assert texts.find(own, text) is not None
        assert " ".join(texts.fold(own).text.split()) == " ".join(texts.fold(quote).text.split())


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ('he said "no - never"', "well, he said “no —\n never”.", "he said “no —\n never”"),
        ("cafe\u0301 au lait", "one café au\u00a0lait", "café au\u00a0lait"),
        ("ＡＰＩ key", "the API key", "API key"),
        ("cap", "no capable", None),
        ("東京", "私は東京都です", "東京"),
        ("", "text", None),
        ("a  b", "a\u200b \t b", "a\u200b \t b"),
    ],
)
def test_what_is_folded_in_a_quote(quote: str, text: str, found: str | None) -> None:
    span = texts.find(quote, text)
    assert (text[slice(*span)] if span else None) == found
