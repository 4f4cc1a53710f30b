"""Reflections by rule: repeats are grouped, what stands alone is left, and what differs is no repeat."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.test_cold import claim
from core.test_fold import file
from wikimem.core import fold, judgements
from wikimem.core.claims import Claim, Kind, Mention
from wikimem.core.consolidation import checks, reflections, views
from wikimem.core.consolidation.views import Draft
from wikimem.core.judgements import Judgement
from wikimem.core.rules import repeating

ROPES = Mention("project:harbour", "topic", "mooring ropes")
CRANE = Mention("project:harbour", "topic", "north crane")
WISH = "Please tie a double bowline knot on every hawser at the pontoon."
AGAIN = "A double bowline on each hawser at the pontoon, please."
FACT = "The harbour master counts spare hawsers in the tarred shed."


def wish(text: str, source: str, day: str, mention: Mention = ROPES) -> Claim:
    return replace(claim(text, source, mention, said=f"2026-{day}T09:00:00Z"), kind=Kind.PROCEDURAL)


def fact(text: str, source: str, day: str, attribute: str = "") -> Claim:
    return claim(text, source, ROPES, attribute, said=f"2026-{day}T09:00:00Z")


def found(*claims: Claim, judged: tuple[Judgement, ...] = ()) -> list[tuple[str, Draft]]:
    """Title of the page and each proposal; all of them pass."""
    sources = sorted({one.evidence[0].source for one in claims})
    files = [file(each, *(one for one in claims if one.evidence[0].source == each)) for each in sources]
    wiki = fold.whole(files, judgements.settled(judged))
    out = []
    for ask in reflections.asks(wiki, True):
        assert isinstance(ask.asked, views.Reflecting)
        for draft in views.read(ask, repeating.reflect(ask.asked)):
            assert checks.check(draft, wiki, set(sources)) is None
            out.append((wiki.subjects[draft.about[0]].title, draft))
    return out


def said(*claims: Claim) -> list[str]:
    return [" ".join(text for text, _ in draft.said) for _, draft in found(*claims)]


def test_a_wish_of_two_sessions_in_other_words_is_grouped_and_one_that_stands_alone_is_left() -> None:
    alone = wish("Never paint the bollards green without asking.", "b", "03-09")
    ((title, draft),) = found(wish(WISH, "a", "03-02"), wish(AGAIN, "b", "03-09"), alone)
    assert title == "Mooring ropes"
    assert draft.said[0][0] == f"Asked for in 2 sessions, from 2026-03-02 to 2026-03-09: “{AGAIN}”"
    assert {*draft.said[0][1]} == {wish(WISH, "a", "03-02").id, wish(AGAIN, "b", "03-09").id}
    assert (draft.stance, draft.confidence) == ("inference", 50)


def test_a_fact_needs_three_sessions() -> None:
    second, third = FACT.replace("counts", "has counted"), FACT.replace("spare", "all spare")
    assert said(fact(FACT, "a", "03-02"), fact(second, "b", "03-09")) == []
    assert said(fact(FACT, "a", "03-02"), fact(second, "b", "03-09"), fact(third, "c", "03-19")) == [
        f"Came up in 3 sessions, from 2026-03-02 to 2026-03-19: “{third}”"
    ]


def test_the_same_session_twice_and_the_same_day_are_no_pattern() -> None:
    assert said(wish(WISH, "a", "03-02"), wish(AGAIN, "a", "03-09")) == []
    assert said(wish(WISH, "a", "03-02"), wish(AGAIN, "b", "03-02")) == []


@pytest.mark.parametrize(
    "other",
    [
        "Tie 2 bowline knots on every hawser at the pontoon.",
        "Tie a single hitch on every bollard at the quay.",
        "Please tie a double bowline knot on every hawser at the pontoon on [2026-03-12].",
    ],
)
def test_what_tells_another_number_thing_or_day_is_no_repeat(other: str) -> None:
    assert said(wish(WISH, "a", "03-02"), wish(other, "b", "03-09")) == []


def test_who_says_otherwise_later_makes_it_less_sure_with_a_reason() -> None:
    third, otherwise = f"Once more: {WISH}", "Do not tie a double bowline knot on every hawser at the pontoon."
    ((_, draft),) = found(
        wish(WISH, "a", "03-02"), wish(AGAIN, "b", "03-09"), wish(third, "c", "03-12"), wish(otherwise, "d", "03-20")
    )
    assert draft.said[1] == (f"But otherwise on 2026-03-20: “{otherwise}”", (wish(otherwise, "d", "03-20").id,))
    assert draft.confidence == 60 - views.CONTRARY


def test_a_repeat_on_another_page_is_told_on_the_page_where_it_was_said_first_and_only_there() -> None:
    ((title, draft),) = found(wish(WISH, "a", "03-02", CRANE), wish(AGAIN, "b", "03-09"))
    assert title == "North crane"
    assert len(draft.about) == 2


def test_a_value_that_is_given_anew_each_time_is_told_with_what_holds_now() -> None:
    values = [
        fact(f"Ropes need {number} strands.", source, day, "retry-limit")
        for number, source, day in ((3, "a", "01-02"), (5, "b", "02-02"), (7, "c", "03-02"))
    ]
    told = "The retry limit was given 3 times, each time anew, from 2026-01-02 to 2026-03-02; now: “Ropes need 7 strands.”"
    assert said(*values) == [told]
    assert said(*values[:2]) == []
    assert said(values[0], values[1], fact("Ropes need 5 strands.", "c", "03-02", "retry-limit")) == []


def test_a_failure_that_came_back_is_told_and_one_that_did_not_is_not() -> None:
    mention = Mention("project:harbour", "gotcha", "rope tears")
    fixes = [
        replace(
            claim(f"`make rope` failed; after a change of `{name}.py` it passed.", source, mention, start=day), kind=Kind.EPISODIC
        )
        for name, source, day in (("hemp", "a", "2026-01-03"), ("tar", "b", "2026-02-03"))
    ]
    assert said(*fixes) == ["Came back: ended in 2 sessions, from 2026-01-03 to 2026-02-03."]
    assert said(fixes[0]) == []


def test_commands_are_left_to_those_who_tell_their_runs() -> None:
    mention = Mention("project:harbour", "procedure", "make rope")
    assert said(wish(WISH, "a", "03-02", mention), wish(AGAIN, "b", "03-09", mention)) == []
