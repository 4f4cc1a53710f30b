"""Rulings: what people's edits say of claims, the last word of each, in whatever order the edits are read."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import edits, rulings
from wikimem.core.claims import Claim, Evidence, Holds, Kind, Mention, Stance
from wikimem.core.edits import (
    Added,
    Changed,
    Deleted,
    Edit,
    Kept,
    Merged,
    Named,
    Operation,
    Rejected,
    Settled,
    Split,
    Statement,
    Undone,
)
from wikimem.core.judgements import Relation, pair

MILL = Mention("", "topic", "mill")
QUAY = Mention("", "topic", "quay")
SESSION, EDIT = "20260302-claude-code-0000000a", "20260601-edit-0000000b"


def claim(text: str, at: str = "L1", quote: str = "the mill by the quay is painted red", source: str = SESSION) -> Claim:
    return Claim(MILL, "", Kind.SEMANTIC, Stance.FACT, text, (Evidence(at, "", quote, "human", source=source),))


RED = claim("The mill is painted red.")
OLD = claim("The mill is very old.", at="L2", quote="that old mill")


def said(text: str, mention: Mention = MILL) -> Statement:
    return Statement(mention, "", Kind.SEMANTIC, Stance.FACT, text, Holds())


def ruled(*operations: Operation, source: str = EDIT) -> rulings.Rulings:
    """The rulings of operations made one a minute."""
    return rulings.of(
        (source, number, Edit(each, "Nora", f"2026-06-01T08:{number:02}:00Z")) for number, each in enumerate(operations, 1)
    )


def shown(*claims: Claim, by: rulings.Rulings) -> list[str]:
    return [one.text for one in rulings.apply(claims, by)]


def test_where_nobody_ruled_the_claims_are_the_very_same() -> None:
    claims = (RED, OLD)
    assert rulings.of([]) is rulings.NONE
    assert rulings.apply(claims, rulings.NONE) is claims
    assert rulings.apply(claims, ruled(Deleted(edits.target(claim("The quay is long.", at="L9"))))) is claims


def test_what_was_removed_rejected_or_changed_is_shown_no_more() -> None:
    for operation in (
        Deleted(edits.target(RED)),
        Rejected(edits.target(RED), "no"),
        Changed(edits.target(RED), said("The mill is blue.")),
    ):
        assert shown(RED, OLD, by=ruled(operation)) == [OLD.text]


def test_the_last_word_counts() -> None:
    gone, back = Deleted(edits.target(RED)), Kept(edits.target(RED))
    assert shown(RED, by=ruled(gone, back)) == [RED.text]
    assert shown(RED, by=ruled(back, gone)) == []
    assert shown(RED, by=ruled(gone, back, gone)) == []


def test_a_removed_claim_does_not_come_back_in_other_words_from_the_same_place() -> None:
    gone = ruled(Deleted(edits.target(RED)))
    assert shown(claim("Red is what the mill is painted."), by=gone) == []
    assert shown(claim("Red is what the mill is painted.", at="L7"), by=gone) == ["Red is what the mill is painted."]
    assert shown(claim("The mill is painted red.", at="L7"), by=gone) == []


def test_what_people_left_standing_on_the_same_words_stays() -> None:
    near = claim("The mill stands by the quay.")
    gone = ruled(Deleted(edits.target(RED, (RED, near))))
    assert shown(RED, near, by=gone) == [near.text]


def test_what_a_person_states_after_a_removal_is_shown() -> None:
    operations = (Deleted(edits.target(RED)), Added(said(RED.text)))
    again = claim(RED.text, at="L2", source=EDIT)
    assert shown(RED, again, by=ruled(*operations)) == [RED.text]
    assert shown(RED, claim(RED.text, at="L1", source=EDIT), by=ruled(*reversed(operations))) == []


def test_undone_edits_count_no_more_and_undoing_can_be_undone() -> None:
    def edit(minute: int, operation: Operation, source: str) -> tuple[str, int, Edit]:
        return source, 1, Edit(operation, "Nora", f"2026-06-01T08:{minute:02}:00Z")

    gone = edit(1, Deleted(edits.target(RED)), "20260601-edit-00000001")
    undo = edit(2, Undone(gone[0]), "20260601-edit-00000002")
    redo = edit(3, Undone(undo[0]), "20260601-edit-00000003")
    assert shown(RED, by=rulings.of([gone])) == []
    assert shown(RED, by=rulings.of([gone, undo])) == [RED.text]
    assert shown(RED, by=rulings.of([gone, undo, redo])) == []


def test_names_merge_split_and_claims_move_with_them() -> None:
    split = ruled(Split(MILL, QUAY, (edits.target(RED),)))
    assert [one.mention for one in rulings.apply((RED, OLD), split)] == [QUAY, MILL]
    (judged,) = ruled(Merged(MILL, QUAY)).judged
    assert (judged.pair, judged.relation) == (pair(MILL.id, QUAY.id), Relation.SAME)
    (judged,) = ruled(Merged(MILL, QUAY), Split(MILL, QUAY, ())).judged
    assert judged.relation is Relation.DIFFERENT


def test_titles_and_aliases_are_the_last_that_were_given() -> None:
    told = ruled(Named(MILL, "title", "The old mill"), Named(MILL, "title", "Mill"), Named(MILL, "alias", "Red mill"))
    assert rulings.named((QUAY.id, MILL.id), told.titles) == "Mill"
    assert rulings.named((QUAY.id,), told.titles) == ""
    assert (told.aliases[MILL.id], told.unaliased[MILL.id]) == (("Red mill",), ())
    less = ruled(Named(MILL, "alias", "Red mill"), Named(MILL, "unalias", "Red mill"))
    assert (less.aliases[MILL.id], less.unaliased[MILL.id]) == ((), ("Red mill",))
    assert rulings.touched(told, less) == {MILL.id}
    assert rulings.touched(told, told) == set()


def test_a_settled_conflict_names_winner_and_time_until_the_loser_is_kept() -> None:
    settled = Settled(edits.target(RED), edits.target(OLD))
    assert ruled(settled).settled == {OLD.id: (RED.id, "2026-06-01T08:01:00Z")}
    assert ruled(settled, Kept(edits.target(OLD))).settled == {}
    assert ruled(settled, Settled(edits.target(OLD), edits.target(RED))).settled == {RED.id: (OLD.id, "2026-06-01T08:02:00Z")}


def test_two_wordings_that_people_gave_one_claim_contradict_each_other() -> None:
    one, other = Changed(edits.target(RED), said("The mill is blue.")), Changed(edits.target(RED), said("The mill is grey."))
    (judged,) = ruled(one, other).judged
    assert judged.relation is Relation.CONTRADICTS
    assert judged.pair == pair(edits.stated(said("The mill is blue.")), edits.stated(said("The mill is grey.")))
    assert judged.by == rulings.PERSON


EVERY: tuple[Operation, ...] = (
    Deleted(edits.target(RED)),
    Kept(edits.target(RED)),
    Rejected(edits.target(OLD), ""),
    Changed(edits.target(OLD), said("The mill is new.")),
    Named(MILL, "title", "Windmill"),
    Named(MILL, "alias", "Red mill"),
    Merged(MILL, QUAY),
    Split(MILL, QUAY, (edits.target(OLD),)),
    Settled(edits.target(RED), edits.target(OLD)),
    Undone("20260601-edit-00000000"),
)


@given(
    st.lists(st.tuples(st.sampled_from(EVERY), st.integers(0, 3), st.integers(0, 2)), max_size=8),
    st.randoms(use_true_random=False),
)
def test_the_order_in_which_edits_are_read_does_not_matter(told: list[tuple[Operation, int, int]], chance: random.Random) -> None:
    made = [
        (f"20260601-edit-0000000{source}", line, Edit(operation, "Nora", f"2026-06-01T08:00:{second:02}Z"))
        for line, (operation, second, source) in enumerate(told, 1)
    ]
    assert rulings.of(made) == rulings.of(chance.sample(made, len(made)))
