"""Footnotes: read back to the same value, whatever was said, by whoever, wherever."""

import json
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from wikimem.core import footnotes, texts
from wikimem.core.footnotes import Footnote, Place

NASTY = [
    json.loads(line) for line in (Path(__file__).parents[1] / "cases" / "nasty.jsonl").read_text(encoding="utf-8").splitlines()
]
words = st.lists(st.sampled_from([*NASTY, "“", "”", " · also [L1](x)", " · accepting [L1](x) “y”"]) | st.text(max_size=5))
said_words = words.map("".join)
locators = st.sampled_from(["L1", "L120-2", "agent-a1/L7", "msg_01 (x)", "D1:3", "[x]", "a`b"]) | said_words.map(
    texts.normal
).filter(bool)


def place(at: str, quote: str) -> Place:
    return Place(at, footnotes.link("sources/2026/08/x.jsonl", at, "topics/x.md"), footnotes.shown_quote(quote))


places = st.builds(place, locators, said_words)
notes = st.builds(
    Footnote,
    st.just("abcdefghijkl"),
    st.sampled_from(["fact", "evidence", "opinion"]),
    st.sampled_from(["human", "assistant", "tool"]),
    said_words.map(footnotes.shown_name),
    st.sampled_from(["", "2026", "2026-08-14"]),
    places,
    st.none() | places,
    st.lists(st.builds(place, locators, st.just("")), max_size=3).map(tuple),
)


concluded = st.builds(
    lambda place, also, rests: Footnote(
        "abcdefghijkl", "inference", "", "", "", place, None, tuple(also), concluded=True, rests=tuple(rests)
    ),
    places,
    st.lists(st.builds(place, locators, st.just("")), max_size=3),
    st.lists(st.sampled_from(["aaaaaaaaaaaa", "bbbbbbbbbbb2", "cccccccccc77"]), max_size=3, unique=True),
)


@settings(max_examples=1500, deadline=None)
@given(notes | concluded)
def test_a_footnote_is_read_back(note: Footnote) -> None:
    raw = footnotes.write(note)
    assert "\n" not in raw
    assert footnotes.read(raw) == note


@given(said_words)
def test_a_shown_quote_is_short_and_stands_in_what_was_said(quote: str) -> None:
    shown = footnotes.shown_quote(quote)
    assert len(shown) <= footnotes.QUOTE
    begins = shown.removesuffix("…") if len(texts.normal(quote)) > footnotes.QUOTE else shown
    assert texts.fold(texts.normal(quote)).text.startswith(texts.fold(begins).text)


def test_a_link_leads_to_the_line() -> None:
    path = "sources/2026/08/x.jsonl"
    assert footnotes.link(path, "L120-2", "topics/a.md") == "../../sources/2026/08/x.jsonl#L120"
    assert footnotes.link(path, "L1", "topics/a/history.md") == "../../../sources/2026/08/x.jsonl#L1"
    assert footnotes.link(path, "msg 1(é)", "a.md") == "../sources/2026/08/x.jsonl#msg%201%28%C3%A9%29"


def test_a_footnote_that_a_person_rewrote_is_kept_as_it_is() -> None:
    raw = "[^abcdefghijkl]: fact · human · [L1](../x#L1) “a * b”"
    found = footnotes.read(raw + " ")
    assert found is not None
    assert footnotes.write(found) == raw + " "
    assert footnotes.read("[^1]: mine") is None
