"""Actions: what a tool call did, told by its name and arguments; nothing where that cannot be told."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import actions
from wikimem.core.actions import Action, Deed
from wikimem.core.turns import Form, Speaker, Turn


def call(tool: str, text: str, form: Form = Form.CALL) -> Turn:
    return Turn("L1", Speaker.ASSISTANT, form, text, tool)


@pytest.mark.parametrize(
    ("tool", "told", "deed", "target"),
    [
        ("Write", {"file_path": "src/a.py", "content": "x"}, Deed.WRITE, "src/a.py"),
        ("MultiEdit", {"file_path": "src/a.py"}, Deed.WRITE, "src/a.py"),
        ("NotebookEdit", {"notebook_path": "a.ipynb"}, Deed.WRITE, "a.ipynb"),
        ("Read", {"file_path": "src/a.py"}, Deed.READ, "src/a.py"),
        ("Bash", {"command": "make test && echo ok"}, Deed.RUN, "make test && echo ok"),
        ("shell", {"command": ["bash", "-lc", "make test"]}, Deed.RUN, "make test"),
        ("shell", {"command": ["git", "status"]}, Deed.RUN, "git status"),
        ("exec_command", {"cmd": "ls"}, Deed.RUN, "ls"),
        ("BASH", {"command": "ls"}, Deed.RUN, "ls"),
    ],
)
def test_calls_of_known_tools(tool: str, told: object, deed: Deed, target: str) -> None:
    assert actions.of(call(tool, json.dumps(told))) == Action(deed, target)


@pytest.mark.parametrize(
    ("tool", "text", "target"),
    [
        ("apply_patch", "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y\n*** End Patch", "src/a.py"),
        ("Edit", "`src/a.py`", "src/a.py"),
        ("Bash", "make test", "make test"),
        ("Bash", "Run the tests\n\n`make test 2>&1`", "make test 2>&1"),
    ],
)
def test_a_call_that_is_told_in_words(tool: str, text: str, target: str) -> None:
    found = actions.of(call(tool, text))
    assert found is not None
    assert found.target == target


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        ("Write", '{"content": "x"}'),
        ("Write", '{"file_path": 7}'),
        ("Write", "Wrote the file src/a.py"),
        ("Write", '{"file_path": "with space.py"}'),
        ("Bash", '{"command": ""}'),
        ("Bash", '{"command": [1, 2]}'),
        ("Bash", '{"command": []}'),
        ("Bash", "[1]"),
        ("Bash", "null"),
        ("Bash", "a\nb"),
        ("Teleport", '{"command": "ls"}'),
        ("", ""),
    ],
)
def test_what_cannot_be_told_is_no_action(tool: str, text: str) -> None:
    assert actions.of(call(tool, text)) is None


@pytest.mark.parametrize("form", [Form.PROSE, Form.RESULT, Form.THINKING])
def test_only_a_call_does_something(form: Form) -> None:
    assert actions.of(call("Bash", '{"command": "ls"}', form)) is None


nested = st.recursive(st.none() | st.integers() | st.text(max_size=5), lambda one: st.lists(one, max_size=3))


@given(st.sampled_from(["Bash", "Write", "Read"]), st.text() | st.dictionaries(st.text(), nested).map(json.dumps))
def test_any_arguments_give_an_action_with_a_target_or_none(tool: str, text: str) -> None:
    found = actions.of(call(tool, text))
    assert found is None or found.target
