"""Configs: what is added to a file of another program comes out again, and what was there stays as it was."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import configs
from wikimem.core.configs import Append, Put

HOOK = Append(("hooks", "Stop"), {"run": "wikimem-hook", "n": 1}, "wikimem-hook")
SERVER = Put(("servers", "wikimem"), {"command": "x", "args": ["-m", "y"]})


def test_what_others_wrote_keeps_its_order_and_indentation() -> None:
    before = '{\n    "z": 1,\n    "hooks": {\n        "Stop": [\n            "mine"\n        ]\n    },\n    "a": "ü"\n}\n'
    after = configs.added(before, [HOOK, SERVER])
    assert list(json.loads(after)) == ["z", "hooks", "a", "servers"]
    assert '\n    "z": 1' in after
    assert "ü" in after
    assert after.endswith("}\n")
    assert configs.removed(after, [HOOK, SERVER]) == before


def test_adding_twice_changes_nothing() -> None:
    once = configs.added("", [HOOK, SERVER])
    assert configs.added(once, [HOOK, SERVER]) == once


def test_an_entry_of_another_version_is_known_by_its_mark() -> None:
    old = configs.added("", [Append(HOOK.keys, {"run": "/old/wikimem-hook"}, "wikimem-hook")])
    assert configs.removed(old, [HOOK]) == ""


def test_a_value_that_was_there_before_comes_back() -> None:
    before = '{"servers": {"wikimem": "by hand"}}'
    after = configs.added(before, [SERVER])
    changed = json.dumps(json.loads(after) | {"more": 1})
    assert json.loads(configs.removed(changed, [SERVER], before)) == {"servers": {"wikimem": "by hand"}, "more": 1}


def test_line_ends_and_byte_order_mark_stay() -> None:
    after = configs.added('\ufeff{\r\n  "a": 1\r\n}\r\n', [SERVER])
    assert after.startswith("\ufeff{\r\n")
    assert after.count("\n") == after.count("\r\n")


@pytest.mark.parametrize("text", ["{", "[1]", '// a comment\n{"a": 1}', '{"hooks": 3}', '{"hooks": {"Stop": "x"}}'])
def test_what_is_no_plain_json_object_is_refused_and_said(text: str) -> None:
    with pytest.raises(configs.NotJson):
        configs.added(text, [HOOK])


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.sampled_from(["hooks", "servers", "x", "y"]), _VALUES, max_size=4),
    st.dictionaries(st.text(min_size=1, max_size=4).filter(lambda key: key not in ("hooks", "servers")), _VALUES, max_size=2),
)
def test_taking_out_gives_back_what_was_there_also_after_others_changed_it(
    told: dict[str, object], more: dict[str, object]
) -> None:
    before = json.dumps(told)
    try:
        after = configs.added(before, [HOOK, SERVER])
    except configs.NotJson:
        return
    assert configs.removed(after, [HOOK, SERVER], before) == before
    changed = json.dumps(json.loads(after) | more)
    left = configs.removed(changed, [HOOK, SERVER], before)
    assert (json.loads(left) if left else {}) == {**told, **more}


@given(st.text(alphabet="ab #\n", max_size=30), st.sampled_from(["#", "<!--"]))
def test_a_block_comes_out_again(before: str, comment: str) -> None:
    text = before + ("\n" if before and not before.endswith("\n") else "")
    after = configs.with_block(text, "one\ntwo\n", comment)
    assert configs.with_block(after, "one\ntwo\n", comment) == after
    assert "three" in configs.with_block(after, "three", comment)
    assert configs.without_block(after, comment) == text
    assert configs.without_block(after + "later\n", comment).endswith("later\n")
