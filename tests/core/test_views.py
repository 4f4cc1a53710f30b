"""The view of a session: what is cut, and that what is left can be quoted."""

from __future__ import annotations

from wikimem.core import gate, texts, views
from wikimem.core.turns import Form, Speaker, Turn


def view(*turns: Turn) -> views.View:
    return views.of("20260508-script-0badcafe", gate.screen(turns), {})


def test_prose_is_whole_and_calls_and_results_are_cut_at_a_word() -> None:
    long = "kiln " * 100 + "furnace"
    prose = Turn("L1", Speaker.HUMAN, Form.PROSE, long)
    call = Turn("L2", Speaker.ASSISTANT, Form.CALL, "x" + long, name="Bash", call="c")
    result = Turn("L3", Speaker.TOOL, Form.RESULT, "xy" + long, call="c")
    spoken = view(prose, call, result).spoken
    assert spoken[0].words == long
    for one, size in ((spoken[1], views.CALL), (spoken[2], views.RESULT)):
        assert size - 5 < len(one.words.split("\n")[0]) <= size
        assert texts.find(one.words.rstrip(), one.turn.text) is not None


def test_one_long_word_is_cut_anywhere() -> None:
    (one,) = view(Turn("L1", Speaker.ASSISTANT, Form.CALL, "x" * 500, name="Bash")).spoken
    assert one.words == "x" * views.CALL


def test_errors_are_kept_beyond_the_cut() -> None:
    text = "fine\n" * 100 + "TypeError: no cone\nfine"
    (one,) = view(Turn("L1", Speaker.TOOL, Form.RESULT, text)).spoken
    assert one.words.endswith("TypeError: no cone")
