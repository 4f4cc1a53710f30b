"""Scopes: the part sees the whole, and neither its neighbours nor what only looks like a scope."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import scopes

NAMES = st.sampled_from(["shop", "packages", "api", "web"])
SCOPES = st.lists(NAMES, min_size=1, max_size=4).map(lambda names: f"project:{'/'.join(names)}")


@pytest.mark.parametrize(
    ("scope", "lineage"),
    [
        ("project:shop/packages/api", ("project:shop/packages/api", "project:shop/packages", "project:shop")),
        ("project:shop", ("project:shop",)),
        ("user:nora", ("user:nora",)),
        ("", ("",)),
        ("project:shop/../lab", ("project:shop/../lab",)),
        ("project:shop/", ("project:shop/",)),
        ("project:shop//api", ("project:shop//api",)),
        ("shop/api", ("shop/api",)),
    ],
)
def test_a_scope_is_a_part_of_those_above_it(scope: str, lineage: tuple[str, ...]) -> None:
    assert scopes.lineage(scope) == lineage


@given(SCOPES, SCOPES)
def test_one_sees_another_only_if_it_is_a_part_of_it(one: str, other: str) -> None:
    assert scopes.sees(one, other) == (one == other or one.startswith(f"{other}/"))
    assert scopes.sees(one, other) == scopes.holds(other, one)


@given(st.lists(SCOPES, min_size=1, max_size=4))
def test_the_deepest_scope_sees_all_and_whoever_sees_it_does(found: list[str]) -> None:
    told = scopes.deepest(found)
    assert (told is None) == (not any(all(scopes.sees(one, other) for other in found) for one in found))
    assert told is None or all(scopes.sees(f"{told}/more", other) for other in found)


def test_what_nobody_knows_the_scope_of_is_seen_by_none() -> None:
    assert scopes.deepest(["project:shop", None]) is None
    assert scopes.deepest(["project:shop", ""]) is None
    assert scopes.deepest([]) is None
    assert not scopes.sees("project:shop", None)
