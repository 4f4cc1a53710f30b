"""Turns over all sources: a copy counts once, and its owner does not depend on the order of capture."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import identity
from wikimem.core.identity import Holder
from wikimem.core.turns import Form, Speaker, Turn


def said(text: str, own: str = "") -> Turn:
    return Turn("L1", Speaker.HUMAN, Form.PROSE, text, identity=own)


def test_without_a_provider_the_identity_is_chained() -> None:
    first = [turn.identity for turn in identity.of([said("a"), said("b"), said("c")])]
    again = [turn.identity for turn in identity.of([said("a"), said("b"), said("d")])]
    other = [turn.identity for turn in identity.of([said("x"), said("b")])]
    assert first[:2] == again[:2]
    assert first[2] != again[2]
    assert first[1] != other[1]


def test_the_providers_identity_stays() -> None:
    assert [turn.identity for turn in identity.of([said("a", "u-1")])] == ["u-1"]


PARENT = Holder("20260302-claude-code-aaaaaaaa", "p", "", [("u1", "2026-03-02T09:01:00Z"), ("u2", "2026-03-02T09:02:00Z")])
FORK = Holder(
    "20260302-claude-code-00000000",
    "f",
    "p",
    [*PARENT.turns, ("u9", "2026-03-03T10:00:00Z")],
)


def test_the_named_parent_owns() -> None:
    assert identity.owners([FORK, PARENT]) == {"u1": PARENT.source, "u2": PARENT.source}


def test_of_a_chain_of_forks_the_oldest_ancestor_owns() -> None:
    child = Holder("20260304-claude-code-11111111", "g", "f", [*FORK.turns, ("u11", "2026-03-04T10:00:00Z")])
    owned = identity.owners([child, FORK, PARENT])
    assert owned["u1"] == PARENT.source
    assert owned["u9"] == FORK.source


def test_without_a_parent_the_earliest_own_turn_decides() -> None:
    left = Holder("b", "1", "", [("u1", ""), ("u5", "2026-03-05T00:00:00Z")])
    right = Holder("a", "2", "", [("u1", ""), ("u6", "2026-03-06T00:00:00Z")])
    assert identity.owners([right, left]) == {"u1": "b"}


def test_copies_through_and_through_belong_to_the_smaller_id() -> None:
    assert identity.owners([Holder("b", "", "", [("u", "")]), Holder("a", "", "", [("u", "")])]) == {"u": "a"}


@given(st.permutations([PARENT, FORK, Holder("c", "x", "", [("u9", ""), ("u1", "")])]))
def test_the_order_of_capture_plays_no_part(holders: list[Holder]) -> None:
    assert identity.owners(holders) == identity.owners([PARENT, FORK, Holder("c", "x", "", [("u9", ""), ("u1", "")])])
