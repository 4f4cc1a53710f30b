"""Copies answer once, irregular forms are found, and long reports do not bury the few words that people say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import ranking
from wikimem.core.prose import Prose
from wikimem.core.turns import Form, Speaker, Turn
from wikimem.edges.index import Batch, Index, Sheet
from wikimem.edges.index.searching import CHANNELS, RECALL, without

_OPENED: list[Index] = []


@pytest.fixture(autouse=True)
def _close() -> Iterator[None]:
    yield
    while _OPENED:
        _OPENED.pop().close()


def opened(root: Path, *units: Batch | Sheet) -> Index:
    index = Index.open(root)
    assert isinstance(index, Index)
    _OPENED.append(index)
    index.add(units)
    return index


def batch(source: str, *said: tuple[Speaker, str]) -> Batch:
    turns = [Turn(f"L{line}", who, Form.PROSE, text) for line, (who, text) in enumerate(said, 1)]
    return Batch(source, "k", "", turns)


def cites(index: Index, question: str, wiki: Index | None = None, listing: bool = False) -> list[str]:
    return [hit.passage.cite for hit in index.search(question, listing=listing, wiki=wiki).hits if hasattr(hit, "passage")]


def test_a_session_that_was_exported_twice_answers_once(tmp_path: Path) -> None:
    said = (Speaker.HUMAN, "Put the tide tables into their own module, please.")
    index = opened(tmp_path, batch("s1", said), batch("s2", (Speaker.HUMAN, "Hello."), said))
    copies = {"s1:L1", "s2:L2"}
    assert len(copies.intersection(cites(index, "tide tables module"))) == 1
    assert copies.issubset(cites(index, "tide tables module", listing=True)), "a list that a person reads leaves nothing out"


def test_short_words_that_are_said_again_are_no_copy(tmp_path: Path) -> None:
    said = (Speaker.HUMAN, "Yes, deploy it.")
    index = opened(tmp_path, batch("s1", said), batch("s2", (Speaker.HUMAN, "Now?"), said))
    assert len([cite for cite in cites(index, "deploy") if cite in ("s1:L1", "s2:L2")]) == 2


def test_an_irregular_form_is_found_by_its_verb(tmp_path: Path) -> None:
    index = opened(tmp_path, batch("s1", (Speaker.HUMAN, "She bought a kayak in May.")))
    assert cites(index, "who wants to buy a kayak") == ["s1:L1"]


def test_where_agents_say_nearly_all_people_come_first(tmp_path: Path) -> None:
    talk = [(Speaker.ASSISTANT, f"Step {number} of the plan is done, all checks pass.") for number in range(30)]
    report = (Speaker.ASSISTANT, "The tide cache expires after an hour; the tide cache holds stations.")
    decision = (Speaker.HUMAN, "Let the tide cache live for a day instead, stations hardly ever change.")
    wiki = opened(tmp_path / "wiki", Sheet("wiki/x.md", "k", [Prose("wiki/x.md", 1, "X", (), "", "", "Something else.")]))
    at_work = opened(tmp_path / "work", batch("s1", *talk[:15], report, *talk[15:], decision))
    assert cites(at_work, "how long does the tide cache hold stations", wiki)[0] == "s1:L32"
    assert ranking.REPORTED < ranking.NARRATED
    assert ranking.RAN < ranking.DONE


@given(st.lists(st.sampled_from(sorted(CHANNELS))))
def test_a_channel_that_is_left_out_stays_out(channels: list[str]) -> None:
    taste = without(RECALL, channels)
    for channel, told in CHANNELS.items():
        for name, value in told.items():
            assert (getattr(taste, name) == value) == (channel in channels)
