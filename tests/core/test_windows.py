"""Views: what a model reads of a session, whole or in windows; nothing in the middle is dropped."""

from __future__ import annotations

import itertools
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import actions, views
from wikimem.core.turns import Form, Speaker, Turn
from wikimem.core.views import Spoken, View


def spoken(number: int, speaker: Speaker, text: str, form: Form = Form.PROSE, **more: str) -> Spoken:
    turn = Turn(f"L{number}", speaker, form, text, **{"said": "2026-03-02T09:14:00Z", **more})  # type: ignore[arg-type]
    return Spoken(number, turn, text, actions.of(turn))


def view(*every: Spoken) -> View:
    return View("20260302-claude-code-00000001", "project:harbour", "", "", "", every)


def test_a_line_is_a_turn_and_a_day_is_told_once() -> None:
    text = views.text(
        view(
            spoken(1, Speaker.HUMAN, "we deploy on Fridays only"),
            spoken(2, Speaker.ASSISTANT, "Noted.", name="model-9"),
            spoken(3, Speaker.ASSISTANT, '{"command": "make release"}', Form.CALL, name="Bash", call="t1"),
            spoken(4, Speaker.TOOL, "no rule to make target", Form.RESULT, call="t1"),
            spoken(5, Speaker.HUMAN, "and on Monday", said="2026-03-03T10:00:00Z", mark="answer", about="When\nelse?"),
        )
    )
    assert text.splitlines() == [
        "2026-03-02",
        "[L1] human 09:14: we deploy on Fridays only",
        "[L2] assistant: Noted.",
        '[L3] calls Bash: {"command": "make release"}',
        "[L4] tool: no rule to make target",
        "",
        "2026-03-03",
        "[L5] human 10:00 (answer: When else?): and on Monday",
    ]


def test_what_reading_a_file_returned_is_shown_in_brief_and_errors_whole() -> None:
    read = spoken(1, Speaker.ASSISTANT, '{"file_path": "/home/sam/harbour/gate.py"}', Form.CALL, name="Read", call="t1")
    run = spoken(2, Speaker.ASSISTANT, '{"command": "make"}', Form.CALL, name="Bash", call="t2")
    shown = spoken(3, Speaker.TOOL, "x" * 200, Form.RESULT, call="t1")
    built = spoken(4, Speaker.TOOL, "y" * 200, Form.RESULT, call="t2")
    failed = replace(shown, turn=replace(shown.turn, error=True))
    brief = views.brief(view(read, run, shown, built, failed))
    assert [len(one.words) for one in brief.spoken[2:]] == [views.BRIEF, 200, 200]


TURNS = st.lists(st.tuples(st.sampled_from([Speaker.HUMAN, Speaker.ASSISTANT]), st.integers(1, 400)), max_size=40)


@given(TURNS, st.integers(200, 1500))
def test_windows_hold_every_word_once_and_fit(turns: list[tuple[Speaker, int]], size: int) -> None:
    whole = view(*(spoken(n, speaker, f"word{n} " * (length // 6 + 1)) for n, (speaker, length) in enumerate(turns)))
    found = views.windows(whole, size)
    own = [one for each in found for one in each.spoken[each.earlier :]]
    assert "".join(one.words for one in own) == "".join(one.words for one in whole.spoken)
    assert [one.turn.at for one in own] == sorted((one.turn.at for one in own), key=lambda at: int(at[1:]))
    assert all(len(each.spoken) > each.earlier for each in found) or not turns
    assert all(sum(len(one.words) for one in each.spoken) <= size for each in found)


@given(TURNS, st.integers(200, 1500))
def test_each_window_begins_with_the_end_of_the_one_before(turns: list[tuple[Speaker, int]], size: int) -> None:
    whole = view(*(spoken(n, speaker, f"word{n} " * (length // 6 + 1)) for n, (speaker, length) in enumerate(turns)))
    found = views.windows(whole, size)
    assert found[0].earlier == 0
    for before, after in itertools.pairwise(found):
        again = after.spoken[: after.earlier]
        assert again == before.spoken[len(before.spoken) - len(again) :]


def test_a_window_ends_between_exchanges_where_it_can() -> None:
    said = [(Speaker.HUMAN, 40), (Speaker.ASSISTANT, 300)] * 12
    whole = view(*(spoken(n, speaker, "w" * length) for n, (speaker, length) in enumerate(said)))
    found = views.windows(whole, 1500)
    assert len(found) > 2
    assert all(each.spoken[each.earlier].is_person for each in found)


def test_a_short_session_is_one_window() -> None:
    whole = view(spoken(1, Speaker.HUMAN, "hello"))
    assert views.windows(whole, 10_000) == (whole,)


def test_a_turn_longer_than_a_window_is_read_in_pieces() -> None:
    words = " ".join(f"word{n}" for n in range(1000))
    found = views.windows(view(spoken(1, Speaker.HUMAN, words)), 1000)
    assert "".join(one.words for each in found for one in each.spoken[each.earlier :]) == words
    assert {one.turn.at for each in found for one in each.spoken} == {"L1"}
