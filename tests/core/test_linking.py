"""Replies about pairs: a relation of the list, or a clause that says what is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import linking
from wikimem.core.judgements import Relation

PAIR = ("a" * 12, "b" * 12)


@pytest.mark.parametrize("relation", [relation for relation in Relation if relation is not Relation.DIFFERENT])
def test_relations_of_claims(relation: Relation) -> None:
    found = linking.read({"relation": relation.value, "reason": " So\nit is. "}, PAIR, "claims", "m")
    assert (found.pair, found.of, found.relation, found.by, found.reason) == (PAIR, "claims", relation, "m", "So it is.")


@pytest.mark.parametrize("relation", ["same", "different"])
def test_relations_of_mentions(relation: str) -> None:
    assert linking.read({"relation": relation}, PAIR, "mentions", "m").relation == relation


@pytest.mark.parametrize(
    ("content", "of"),
    [
        ({"relation": "different"}, "claims"),
        ({"relation": "replaces"}, "mentions"),
        ({"relation": "SAME"}, "claims"),
        ({"relation": None}, "claims"),
        ({"relation": ["same"]}, "claims"),
        ({"relation": {}}, "mentions"),
        ({"relation": "same", "reason": 7}, "claims"),
        ({}, "claims"),
        ([], "claims"),
        ("same", "mentions"),
        (None, "mentions"),
    ],
)
def test_a_reply_that_is_none_raises_a_clause(content: object, of: str) -> None:
    with pytest.raises(ValueError, match=r"relation is|no object|reason is no text"):
        linking.read(content, PAIR, of, "m")


@given(st.text())
def test_a_reason_is_one_line_that_is_not_long(reason: str) -> None:
    told = linking.read({"relation": "same", "reason": reason}, PAIR, "claims", "m").reason
    assert "\n" not in told
    assert len(told) <= 300


@pytest.mark.parametrize(("schema", "count"), [(linking.CLAIMS, len(Relation) - 1), (linking.MENTIONS, 2)])
def test_schemas_name_what_is_understood(schema: dict[str, dict[str, dict[str, list[str]]]], count: int) -> None:
    of = "mentions" if count == 2 else "claims"
    relations = schema["properties"]["relation"]["enum"]
    assert len(relations) == count
    for relation in relations:
        linking.read({"relation": relation, "reason": ""}, PAIR, of, "m")
