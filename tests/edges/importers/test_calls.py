"""Logged calls that repeat the history: each message is told once, in order, whatever window the log shows."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from wikimem.edges.importers import calls
from wikimem.edges.importers.calls import Call

SYSTEM = {"role": "system", "content": "You sell bread."}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def model(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def call(number: int, sent: list[dict[str, Any]], *got: dict[str, Any]) -> Call:
    return Call(
        f"s{number}", "span", f"2026-08-14T10:{number:02}:00Z", f"2026-08-14T10:{number:02}:30Z", list(sent), got, "gpt-q"
    )


def texts(*logged: Call) -> list[str]:
    return [turn.text for turn in calls.conversation("c", logged).turns]


@given(st.lists(st.sampled_from(["yes", "no", "rye", "spelt"]), min_size=1, max_size=8), st.integers(1, 9))
def test_whatever_window_is_sent_each_message_is_told_once(said: list[str], window: int) -> None:
    """A window of at least three messages of a dialogue shows what is new without doubt where answers differ."""
    history: list[dict[str, Any]] = []
    logged = []
    for number, words in enumerate(said):
        history.append(user(words))
        answer = model(f"answer {number}")
        logged.append(call(number, [SYSTEM, *history[-(window + 1) :]], answer))
        history.append(answer)
    assert texts(*logged) == ["You sell bread.", *(message["content"] for message in history)]


def test_a_call_made_again_tells_only_its_new_answer() -> None:
    logged = (call(1, [user("Rye?")], model("Yes.")), call(2, [user("Rye?")], model("No.")))
    assert texts(*logged) == ["Rye?", "Yes.", "No."]


def test_agents_that_talk_in_turns_have_histories_of_their_own() -> None:
    one, other = [user("Bake.")], [user("Sell.")]
    logged = [call(1, one, model("Baking.")), call(2, other, model("Selling."))]
    one += [model("Baking."), user("More.")]
    other += [model("Selling."), user("Dearer.")]
    logged += [call(3, one, model("Done.")), call(4, other, model("Sold."))]
    assert texts(*logged) == ["Bake.", "Baking.", "Sell.", "Selling.", "More.", "Done.", "Dearer.", "Sold."]


def test_only_the_last_message_sent_has_the_time_of_the_call() -> None:
    told = calls.conversation("c", [call(1, [user("Long ago."), model("Indeed."), user("Now.")], model("Yes."))])
    assert [turn.said for turn in told.turns] == ["2026-08-14", "2026-08-14", "2026-08-14T10:01:00Z", "2026-08-14T10:01:30Z"]
    assert [turn.identity for turn in told.turns] == ["s1-1", "s1-2", "s1-3", "s1-4"]


def test_calls_without_anything_new_are_noise() -> None:
    told = calls.conversation("c", [call(1, [user("Rye?")]), call(2, [user("Rye?")]), call(3, [])])
    assert told.noise == {"span that repeats what was said": 1, "span without text": 1}
