"""What a call did, by tool and arguments, in the shapes that transcripts give them."""

from __future__ import annotations

import pytest

from wikimem.core import actions
from wikimem.core.actions import Action, Deed
from wikimem.core.turns import Form, Speaker, Turn

CALLS = [
    ("Bash", '{"command":"make test","description":"Run the tests"}', Action(Deed.RUN, "make test")),
    ("Bash", "Run the tests\n\n`make test 2>&1`", Action(Deed.RUN, "make test 2>&1")),
    ("Bash", "`make test`", Action(Deed.RUN, "make test")),
    ("Bash", "Run the tests\nand tell me", None),
    ("shell", '{"command":["bash","-lc","make test"]}', Action(Deed.RUN, "make test")),
    ("Write", '{"file_path":"src/kiln.py","content":"x"}', Action(Deed.WRITE, "src/kiln.py")),
    ("Read", "`src/kiln.py`", Action(Deed.READ, "src/kiln.py")),
    ("apply_patch", "*** Begin Patch\n*** Update File: src/kiln.py\n", Action(Deed.WRITE, "src/kiln.py")),
    ("Edit", "Tool use: Edit", None),
    ("Teleport", '{"command":"make test"}', None),
]


@pytest.mark.parametrize(("tool", "text", "expected"), CALLS)
def test_action_of_a_call(tool: str, text: str, expected: Action | None) -> None:
    assert actions.of(Turn("L1", Speaker.ASSISTANT, Form.CALL, text, name=tool)) == expected


def test_speech_is_no_action() -> None:
    assert actions.of(Turn("L1", Speaker.ASSISTANT, Form.PROSE, "`make test`", name="Bash")) is None
