"""aider's chat history: whose line is whose, runs and their times, commands, and fences that hide or only seem to."""

from __future__ import annotations

from pathlib import Path

from agents import facts, named, noise, read, recognised, spoken
from conftest import turns_of
from wikimem.core.turns import Speaker

RUN = b"# aider chat started at 2026-05-04 08:00:00\n\n"


def human(text: bytes) -> list[tuple[str, str]]:
    return spoken(read("aider", RUN + text))


def test_a_run_with_a_prompt_an_answer_and_what_aider_prints() -> None:
    data = RUN + (
        b"> Aider v0.80  \n> Repo-map: on  \n\n#### Sort the boats  \n#### by length.  \n\n"
        b"Done:\n\nboats.py\n```python\nsorted(boats)\n```\n\n"
        b"> Applied edit to boats.py  \n\n# aider chat started at 2026-05-05 09:30:00\n\n#### Thanks  \n"
    )
    assert recognised(".aider.chat.history.md", data) == "aider"
    records = read("aider", data)
    assert spoken(records) == [("", "Sort the boats\nby length."), ("", "Thanks")]
    assert spoken(records, Speaker.ASSISTANT) == [("", "Done:\n\nboats.py\n```python\nsorted(boats)\n```")]
    assert [text for _, text in spoken(records, Speaker.HARNESS)] == ["Aider v0.80\nRepo-map: on", "Applied edit to boats.py"]
    assert [turn.said for turn in turns_of(records)] == ["2026-05-04T08:00:00"] * 4 + ["2026-05-05T09:30:00"]
    assert facts(records)["session"] == "2026-05-04T08:00:00"
    assert [turn.at for turn in turns_of(records)][:2] == ["L3", "L6"]


def test_prompts_after_each_other_are_each_their_own() -> None:
    assert human(b"#### hi  \n\n#### Use rope.  \n") == [("", "hi"), ("", "Use rope.")]


def test_commands_are_the_tools_and_their_words_a_persons() -> None:
    told = human(
        b"#### /add boats.py  \n\n#### /ask why rope?  \n\n####  why rope?  \n\n"
        b"Because.\n\n#### /run make test  \n\n#### !ls  \n\n#### y  \n\n"
        b"#### # Fix any errors below, if possible.  \n#### boats.py:3: E402  \n"
    )
    assert told == [("argument", "why rope?"), ("shell", "make test"), ("shell", "ls")]


def test_code_holds_lines_that_look_like_prompts() -> None:
    inside = b"#### Write it down.  \n\n```markdown\n#### A heading\n> a quotation\n```\nDone.\n\n#### Next.  \n"
    assert human(inside) == [("", "Write it down."), ("", "Next.")]
    # An answer that was interrupted never closes its fence, and hides no prompt.
    assert human(b"#### One.  \n\n```python\nsorted(\n\n> ^C again to exit  \n\n#### Two.  \n") == [("", "One."), ("", "Two.")]


def test_nothing_before_the_first_run_is_speech() -> None:
    records = read("aider", b"-*- mode: text -*-\n> leftovers  \n" + RUN + b"#### Hello.  \n")
    assert spoken(records) == [("", "Hello.")]
    assert noise(records) == ["before the first run", "run"]


def test_the_folder_of_the_history_is_the_project(tmp_path: Path) -> None:
    assert named("aider").hint(tmp_path / ".aider.chat.history.md") == {"cwd": str(tmp_path.resolve())}
    assert named("aider").hint(tmp_path / "copy.md") == {}
