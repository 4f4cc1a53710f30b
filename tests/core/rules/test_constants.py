"""Values that a person wants in code which an agent just wrote: of the file, of what was said, or of nothing."""

from __future__ import annotations

import pytest

from scripts import play

EDIT = "agent: I set the port to 7070 in cones.py.\nwrites: src/cones.py\nhuman: {}"

GIVEN = [
    ("use 7171 instead", "cones.py", "port", "The port of `cones.py` should be 7171."),
    ("no, make it 7171, the other one is taken", "cones.py", "port", "The port of `cones.py` should be 7171."),
    ("the port should be 7171.", "cones.py", "port", "The port of `cones.py` should be 7171."),
    ("The port in kilns.py is 7171", "kilns.py", "port", "The port of `kilns.py` is 7171."),
    ("change the port to 7171", "cones.py", "port", "The port of `cones.py` should be 7171."),
    ("kilns.py must listen on port 7171", "kilns.py", "port", "The port of `kilns.py` should be 7171."),
    ("use 30 seconds for the timeout", "cones.py", "timeout", "The timeout of `cones.py` should be 30 seconds."),
    ("the read timeout should be 30 seconds", "read timeout", "timeout", "The read timeout should be 30 seconds."),
    ("logs go to /var/log/kiln now", "logs", "path", "The place of the logs is `/var/log/kiln`."),
]


@pytest.mark.parametrize(("words", "name", "attribute", "text"), GIVEN)
def test_a_value_for_code_that_was_written_is_of_its_file(words: str, name: str, attribute: str, text: str) -> None:
    found = [(c.mention.name, c.attribute, c.text) for c in play(EDIT.format(words)).claims if c.attribute]
    assert found == [(name, attribute, text)]


@pytest.mark.parametrize(
    "words",
    [
        "what if the port were 7171?",
        "If the gallery is open, the port should be 7443.",
        "run the kiln on port 7171 and look at the log",
        "see 7171",
        "My landlord says the port should be 7171.",
    ],
)
def test_what_is_asked_supposed_or_done_once_gives_no_value(words: str) -> None:
    assert not [claim for claim in play(EDIT.format(words)).claims if claim.attribute]


def test_a_bare_number_is_of_nothing_where_the_agent_told_of_two_values() -> None:
    script = "agent: The port is 7070 and the timeout is 9000.\nwrites: src/cones.py\nhuman: use 7171 instead"
    assert play(script).claims == ()


def test_without_code_that_was_written_nobody_knows_what_has_the_value() -> None:
    assert not [claim for claim in play("agent: Hello.\nhuman: the port should be 7171").claims if claim.attribute]
