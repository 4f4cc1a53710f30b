"""Edits: every operation comes back from its line, and a line that is none says so in one clause."""

from __future__ import annotations

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import edits, texts
from wikimem.core.claims import Basis, Bound, Claim, Evidence, Holds, Kind, Mention, Stance
from wikimem.core.edits import (
    Added,
    Changed,
    Deleted,
    Edit,
    Kept,
    Lifted,
    Merged,
    Named,
    Parted,
    Rejected,
    Settled,
    Split,
    Statement,
    Target,
    Undone,
)
from wikimem.core.turns import Form, Speaker, Turn

words = st.text(min_size=1, max_size=20).map(texts.normal).filter(lambda text: bool(texts.key(text)))
mentions = st.builds(Mention, st.sampled_from(["", "project:harbour"]), st.sampled_from(["topic", "person"]), words)
footings = st.tuples(st.just("20260302-claude-code-0000000a"), st.integers(1, 9).map("L{}".format), words)
targets = st.builds(
    Target,
    st.just("k7f3q2a6xw4m"),
    mentions,
    words,
    st.lists(footings, max_size=2).map(tuple),
    st.lists(words, max_size=2).map(tuple),
    st.booleans(),
)
bounds = st.sampled_from(["", "2026", "2026-03-02", "2026-03-02T09:00Z", "2026-03-02T09:00+01:00"]).map(
    lambda moment: Bound(moment, Basis.STATED) if moment else Bound()
)
statements = st.builds(
    Statement,
    mentions,
    st.sampled_from(["", "port"]),
    st.sampled_from(Kind),
    st.sampled_from(Stance),
    words,
    st.builds(Holds, bounds, bounds),
    st.integers(0, 3),
)
operations = st.one_of(
    st.builds(Changed, targets, statements),
    st.builds(Added, statements),
    st.builds(Deleted, targets, st.booleans()),
    st.builds(Kept, targets),
    st.builds(Lifted, targets),
    st.builds(Named, mentions, st.sampled_from(["title", "summary", "alias", "unalias"]), words),
    st.builds(Merged, mentions, mentions),
    st.builds(Split, mentions, mentions, st.lists(targets, max_size=2).map(tuple)),
    st.builds(Settled, targets, targets),
    st.builds(Parted, targets, targets),
    st.builds(Rejected, targets, words | st.just("")),
    st.builds(Undone, st.just("20260601-edit-0000000b")),
)
made = st.builds(
    Edit,
    operations,
    st.sampled_from(["", "Nora"]),
    st.just("2026-06-01T08:00:00Z"),
    st.sampled_from(["", "topics/mill.md"]),
    st.integers(0, 2),
)
MILL = Mention("", "topic", "mill")
TARGET = Target("k7f3q2a6xw4m", MILL, "The mill is red.", (("s", "L1", "red"),))
SAYS = Statement(MILL, "", Kind.SEMANTIC, Stance.FACT, "The mill is blue.", Holds())


@given(made)
def test_an_edit_comes_back_from_its_line(edit: Edit) -> None:
    line = edits.write(edit)
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    assert edits.read(line) == edit
    assert edits.write(edits.read(line)) == line


@given(made)
def test_an_edit_is_told_in_words_and_is_about_something(edit: Edit) -> None:
    assert edits.words(edit).strip()
    assert all(edits.about(edit.operation))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"{", "no edit of this version"),
        (b"[]", "no edit of this version"),
        (b'{"wikimem-edit":"paint"}', "no edit of this version"),
        (b'{"wikimem-edit":"keep"}', "no edit of this version"),
        (b'{"wikimem-edit":"undo","source":7}', "source is no text"),
        (b'{"wikimem-edit":"key","mention":["","topic","mill"],"key":"colour","value":"red"}', "'colour' cannot be 'red'"),
        (b'{"wikimem-edit":"key","mention":["","topic","mill"],"key":"type","value":"ship"}', "'type' cannot be 'ship'"),
        (b'{"wikimem-edit":"merge","one":["","topic","mill"],"other":["","ship","mill"]}', "names no subject"),
        (b'{"wikimem-edit":"merge","one":["","topic","mill"],"other":["","topic"," "]}', "names no subject"),
    ],
)
def test_what_is_no_edit_is_refused_in_one_clause(line: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        edits.read(line)


def test_a_statement_without_words_or_with_a_date_that_does_not_exist_is_none() -> None:
    told = orjson.loads(edits.write(Edit(Added(SAYS), "", "")))
    for name, value, why in (("text", " ", "it says nothing"), ("from", "2026-02-30", "from is no date")):
        with pytest.raises(ValueError, match=why):
            edits.read(orjson.dumps(told | {"statement": told["statement"] | {name: value}}))


def test_a_target_names_what_else_stands_on_its_words() -> None:
    def claim(text: str, at: str) -> Claim:
        return Claim(MILL, "", Kind.SEMANTIC, Stance.FACT, text, (Evidence(at, "", text, "human", source="s"),))

    red, near, far = claim("The mill is red.", "L1"), claim("The mill is old.", "L1"), claim("The mill is far.", "L2")
    about = edits.target(red, (red, near, far))
    assert (about.claim, about.text, about.beside) == (red.id, "The mill is red.", ("The mill is old.",))
    assert about.footings == (("s", "L1", "The mill is red."),)


def test_statements_become_claims_proved_by_their_own_line() -> None:
    turn = Turn("L2", Speaker.HUMAN, Form.PROSE, "The mill is blue.", identity="t2")
    done = [
        (1, Edit(Deleted(TARGET), "Nora", "2026-06-01T08:00:00Z")),
        (2, Edit(Changed(TARGET, SAYS), "Nora", "2026-06-01T08:00:01Z")),
    ]
    (claim,) = edits.claims([*done, (3, Edit(Added(SAYS), "Nora", ""))], {"L2": turn})
    assert (claim.text, claim.id) == ("The mill is blue.", edits.stated(SAYS))
    (proof,) = claim.evidence
    assert (proof.at, proof.turn, proof.quote, proof.name) == ("L2", "t2", "The mill is blue.", "Nora")
    assert proof.said == "2026-06-01T08:00:01Z"
