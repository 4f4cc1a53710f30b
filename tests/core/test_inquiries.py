"""Steps of looking into a question: what of a reply is understood, and how what was seen is told."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import inquiries
from wikimem.core.inquiries import LOOKS, SPANS, Do, Glimpse, Inquiry, Look, Premise, Seen
from wikimem.core.shelving import Entry, Line, Span, Version

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["looks", "spans", "do", "path", "first", "quote", "x"]), inner)
    ),
    max_leaves=20,
)


def test_a_reply_is_read_into_looks_and_spans() -> None:
    step = inquiries.read(
        {
            "reason": "names lead on",
            "looks": [
                {"do": "grep", "pattern": "berth", "path": "wiki"},
                {"do": "read", "path": "wiki/a.md", "first": 4, "last": 9},
            ],
            "spans": [{"path": "wiki/a.md", "first": 4, "last": 4, "quote": "It is free."}],
            "premise": "false",
            "note": "Berth  4\nis free.",
        }
    )
    assert step.looks == (Look(Do.GREP, "wiki", "berth"), Look(Do.READ, "wiki/a.md", "", 4, 9))
    assert step.spans == (Span("wiki/a.md", 4, 4, "It is free."),)
    assert (step.premise, step.note) == (Premise.FALSE, "Berth 4 is free.")


@pytest.mark.parametrize("content", [None, [], "done", {}, {"looks": []}, {"looks": [], "spans": "none"}])
def test_what_is_no_reply_is_refused_as_a_whole(content: Any) -> None:
    with pytest.raises(ValueError, match="looks"):
        inquiries.read(content)


def test_items_that_are_not_of_the_form_are_passed_over_and_there_is_a_limit() -> None:
    looks = [{"do": "delete", "path": "wiki"}, 4, *[{"do": "search", "pattern": f"w{n}"} for n in range(20)]]
    spans = [
        {"path": "wiki/a.md"},
        {"path": "a", "first": True, "last": -3, "quote": "q"},
        *[{"path": "b", "first": 9, "last": 2, "quote": "q"}] * 90,
    ]
    step = inquiries.read({"looks": looks, "spans": spans})
    assert [look.pattern for look in step.looks] == [f"w{n}" for n in range(LOOKS)]
    assert step.spans[:2] == (Span("a", 1, 1, "q"), Span("b", 9, 9, "q"))
    assert len(step.spans) == SPANS


@given(JSON)
def test_no_reply_breaks_the_reader(content: Any) -> None:
    try:
        step = inquiries.read(content)
    except ValueError:
        return
    assert all(span.first <= span.last for span in step.spans)


def test_a_line_is_told_with_its_place_speaker_and_day() -> None:
    line = Line("L12", " Berth 4\nis free. ", "human Ines", "2026-03-02T09:00:00Z", "rewound")
    assert inquiries.glimpse(Glimpse("sources/x.jsonl", line)) == (
        "sources/x.jsonl L12 (human Ines, 2026-03-02, rewound): Berth 4\nis free."
    )
    assert inquiries.glimpse(Glimpse("x", Line("L1", "long " * 90), brief="… long …")) == "x L1: … long …"
    told = inquiries.glimpse(Glimpse("sources/x.jsonl", Line("L1", "it is free"), "Berth 4 is free. (fact)"))
    assert told == "sources/x.jsonl L1: claim: Berth 4 is free. (fact) Proved by: it is free"


def test_what_a_look_gave_is_told_with_what_is_left() -> None:
    seen = Seen(Look(Do.LIST, "wiki"), others=(inquiries.entry(Entry("wiki/a.md", 3, "note")),), more="there is more")
    assert seen.text == "wiki/a.md (note)\n(there is more)"
    assert Seen(Look(Do.SEARCH, pattern="berth")).text == "(nothing)"
    assert inquiries.version(Version("c1", "2026-03-02T09:00:00Z", "told", ("a",), ("b",))) == "2026-03-02 told\n+ a\n- b"
    assert Look(Do.READ, "wiki/a.md", "", 2, 0).words == "read wiki/a.md, lines 2 to the end"


def test_each_step_leaves_one_fewer() -> None:
    first = Inquiry("Berth?", "", (), left=3)
    later = first.after([Seen(Look(Do.LIST))]).after([])
    assert (later.left, len(later.seen), later.question) == (1, 1, "Berth?")


@pytest.mark.parametrize("wide", [20, 60, 500])
def test_what_is_shown_of_a_line_holds_the_words_while_they_fit(wide: int) -> None:
    line = Line("L1", f"{'before ' * 40}the pump leaks{' after' * 40}")
    told = inquiries.shown(line, "the pump leaks", wide)
    assert "the pump leaks" in told
    assert len(told) <= wide + 4


def test_of_a_search_a_model_reads_the_best_hits() -> None:
    hits = tuple(Glimpse("x", Line(f"L{number}", "words")) for number in range(1, 60))
    assert Seen(Look(Do.SEARCH, pattern="words"), hits).text.count("\n") == inquiries.CARDS - 1
    assert Seen(Look(Do.GREP, pattern="words"), hits).text.count("\n") == 58
