"""Big JSON documents: members of lists, torn ones, and what is whole inside them."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mangling import document, json_values, mangled
from wikimem.edges.importers import documents
from wikimem.edges.importers.documents import Torn


def is_item(value: object) -> bool:
    return isinstance(value, dict) and "words" in value


class Slow:
    """A source that gives a few bytes at a time, however many are wanted."""

    def __init__(self, data: bytes) -> None:
        self.file = io.BytesIO(data)

    def read(self, size: int = -1, /) -> bytes:
        return self.file.read(7)


def read(data: bytes) -> list[Any]:
    return list(documents.values(io.BytesIO(data), is_item))


def test_a_list_gives_its_members_and_anything_else_itself() -> None:
    assert read(b'[{"words":"a"},{"words":"b"}]') == [{"words": "a"}, {"words": "b"}]
    assert read(b'{"words":"a"}') == [{"words": "a"}]
    assert read(b'\xef\xbb\xbf {"words":"a"}\n{"words":"b"}\n') == [{"words": "a"}, {"words": "b"}]
    assert read(b"") == []


def test_lists_that_were_glued_together_are_read_both() -> None:
    assert read(b'[{"words":"a"}][{"words":"b"}]') == [{"words": "a"}, {"words": "b"}]


def test_a_torn_member_costs_only_itself() -> None:
    data = b'[{"words":"a","inner":[{"id":1,"text":"whole"},{"id":2,"te{"words":"b"},{"words":"c"}]'
    torn, *rest = read(data)
    assert isinstance(torn, Torn)
    assert torn.pieces == ({"id": 1, "text": "whole"},)
    assert rest == [{"words": "b"}, {"words": "c"}]


def test_a_list_that_is_cut_short_gives_what_is_whole() -> None:
    first, torn = read(b'[{"words":"a"},{"words":"b","inner":[{"id":1},{"id":')
    assert first == {"words": "a"}
    assert torn == Torn("not JSON: cut short or mangled", ({"id": 1},))


def test_nesting_beyond_reason_is_torn_and_the_next_value_is_read() -> None:
    *torn, last = read(b'[{"a":' + b"[" * 200_000 + b'},{"words":"b"}]')
    assert last == {"words": "b"}
    assert all(isinstance(each, Torn) for each in torn)


def test_what_stands_in_strings_is_no_value() -> None:
    words = 'she wrote {"words":"not me"} and ["', "\u2028", "\U0001f600"
    assert read(json.dumps([{"words": each} for each in words]).encode()) == [{"words": each} for each in words]


@given(st.lists(json_values().map(lambda value: {"words": value}), max_size=6), st.sampled_from([None, 1]))
def test_values_are_the_same_however_little_is_read_at_once(values: list[dict[str, object]], indent: int | None) -> None:
    data = document(values, indent)
    reader = documents._Reader(b"", Slow(data), is_item)
    assert list(reader.values()) == read(data) == json.loads(data)


@given(st.data())
def test_mangled_documents_never_raise_and_keep_the_members_before_the_damage(data: st.DataObject) -> None:
    whole = document([{"words": f"number {number}", "inner": [{"id": number}]} for number in range(4)])
    broken = data.draw(mangled(whole))
    found = read(broken)
    kept = 0
    for number in range(4):
        member = document({"words": f"number {number}", "inner": [{"id": number}]})
        if broken.startswith(whole[: whole.index(member) + len(member)]):
            kept = number + 1
    assert [each["words"] for each in found[:kept]] == [f"number {number}" for number in range(kept)]


@pytest.mark.parametrize("tail", [b"", b"]", b"\x00\x00", b",null"])
def test_every_whole_member_of_a_cut_list_is_there(tail: bytes) -> None:
    members = [document({"words": str(number)}) for number in range(3)]
    found = read(b"[" + b",".join(members) + tail)
    assert [each for each in found if is_item(each)] == [{"words": "0"}, {"words": "1"}, {"words": "2"}]
