"""What people say after a recall in their session: corrections of what it told, and what is none."""

from __future__ import annotations

from wikimem.core import reactions
from wikimem.core.bundles import GUARD
from wikimem.core.reactions import Correction
from wikimem.core.screening import screen
from wikimem.core.turns import Form, Speaker, Turn

ANSWER = f"""{GUARD}

## wiki/environments/staging.md: Staging (project:harbour)

- The staging database listens on port 5432. (fact, since 2026-01-13)
  [20260113-claude-code-9f3a1c2b:L4] 2026-01-13, human
> staging is on 5432, Ines set it up

- Berth plans are printed on Fridays. (fact)
"""


def talk(*said: str, answer: str = ANSWER) -> reactions.Reactions:
    """A session that recalls, and what the person says after it; the assistant reports between."""
    turns = [
        Turn("L1", Speaker.HUMAN, Form.PROSE, "Connect to the staging database."),
        Turn("L2", Speaker.ASSISTANT, Form.CALL, 'wikimem recall "staging database port"', name="Bash", call="c1"),
        Turn("L3", Speaker.TOOL, Form.RESULT, answer, name="Bash", call="c1"),
    ]
    for number, text in enumerate(said):
        turns.append(Turn(f"L{4 + 2 * number}", Speaker.ASSISTANT, Form.PROSE, "Connecting to port 5432."))
        turns.append(Turn(f"L{5 + 2 * number}", Speaker.HUMAN, Form.PROSE, text))
    return reactions.of(screen(turns))


def test_a_correction_of_what_was_told_is_found() -> None:
    found = talk("No, that's outdated. The staging database is on 6543 since spring.")
    assert found.recalls == 1
    assert found.corrections == (Correction("L5", "No, that's outdated.", "L3"),)


def test_so_is_one_a_little_later_that_says_how_it_is_now() -> None:
    assert [one.at for one in talk("go on", "We moved staging away from 5432.").corrections] == ["L7"]


def test_an_objection_to_something_else_is_none() -> None:
    assert talk("No, don't add a comment there.").corrections == ()
    assert talk("That's wrong, the button should be green.").corrections == ()


def test_a_question_or_thanks_is_none() -> None:
    assert talk("Is the staging database still on 5432?").corrections == ()
    assert talk("Great, the staging database answers.").corrections == ()


def test_what_comes_much_later_is_none() -> None:
    assert talk("ok", "next", "go on", "No, staging is not on 5432 any more.").corrections == ()


def test_a_recall_that_gave_nothing_does_not_count() -> None:
    assert talk("No, staging is on port 5432.", answer="Nothing relevant was said.") == reactions.Reactions(0, ())


def test_memory_that_a_hook_put_into_a_prompt_counts() -> None:
    prompt = f"<wikimem-memory>\n{ANSWER}</wikimem-memory>\nConnect to staging."
    turns = [
        Turn("L1", Speaker.HUMAN, Form.PROSE, prompt),
        Turn("L2", Speaker.ASSISTANT, Form.PROSE, "Port 5432 it is."),
        Turn("L3", Speaker.HUMAN, Form.PROSE, "5432 is the old value, it's now 6543."),
    ]
    found = reactions.of(screen(turns))
    assert (found.recalls, [one.at for one in found.corrections]) == (1, ["L3"])


def test_so_does_memory_that_the_harness_put_beside_it() -> None:
    turns = [
        Turn("L1", Speaker.HARNESS, Form.PROSE, ANSWER),
        Turn("L1-2", Speaker.HUMAN, Form.PROSE, "Connect to staging."),
        Turn("L2", Speaker.HUMAN, Form.PROSE, "No, staging is not on 5432 any more."),
    ]
    found = reactions.of(screen(turns))
    assert (found.recalls, [one.at for one in found.corrections]) == (1, ["L2"])


def test_a_session_without_recalls_gives_nothing() -> None:
    turns = [Turn("L1", Speaker.HUMAN, Form.PROSE, "No, that's wrong: staging is on port 6543.")]
    assert reactions.of(screen(turns)) == reactions.Reactions(0, ())
