"""The view of a session: prose whole, heads of calls and results, errors whole; what is no evidence is not in it."""

from __future__ import annotations

from wikimem.core import texts, views
from wikimem.core.screening import TASK, screen
from wikimem.core.turns import Form, Speaker, Turn

LONG = "\n".join(f"line {number} is fine" for number in range(400))


def person(at: str, text: str, **more: str) -> Turn:
    return Turn(at, Speaker.HUMAN, Form.PROSE, text, **more)  # type: ignore[arg-type]


def view(*turns: Turn) -> views.View:
    return views.of("s", screen(turns), {"scope": "project:quay", "title": "T", "started": "2026-03-02"}, "Ines")


def test_prose_is_whole_and_calls_and_results_are_cut() -> None:
    prose = "word " * 2000
    found = view(
        person("L1", prose),
        Turn("L2", Speaker.ASSISTANT, Form.CALL, "make check " + "FAST=yes " * 50, "Bash", call="c"),
        Turn("L3", Speaker.TOOL, Form.RESULT, LONG, call="c"),
        Turn("L4", Speaker.ASSISTANT, Form.PROSE, prose),
    )
    whole, call, result, last = (len(one.words) for one in found.spoken)
    assert whole == last == len(prose)
    # No word is cut, for half a word can be quoted by nobody.
    assert views.CALL - 10 < call <= views.CALL
    assert views.RESULT - 10 < result <= views.RESULT
    assert texts.find(found.spoken[1].words.rstrip(), found.spoken[1].turn.text) is not None
    assert (found.scope, found.title, found.started, found.me) == ("project:quay", "T", "2026-03-02", "Ines")
    # A cut is a piece of the turn, so that whatever is quoted from it stands in it.
    assert all(one.words in one.turn.text for one in found.spoken)


def test_errors_in_a_long_result_are_kept() -> None:
    failed = f"{LONG}\nE  AssertionError: depth is 9\nexit code 2"
    found = view(Turn("L1", Speaker.TOOL, Form.RESULT, failed, call="c"))
    head, *rest = found.spoken[0].words.splitlines()[-2:]
    assert (head, rest) == ("E  AssertionError: depth is 9", ["exit code 2"])
    every = view(Turn("L1", Speaker.TOOL, Form.RESULT, LONG, call="c", error=True)).spoken[0].words
    assert every.endswith("line 399 is fine")
    assert len(every.splitlines()) < 40


def test_what_is_no_evidence_is_not_shown_but_counted() -> None:
    found = view(
        Turn("L1", Speaker.HARNESS, Form.PROSE, "hook ran"),
        person("L2", "Moor at berth 4."),
        Turn("L3", Speaker.ASSISTANT, Form.THINKING, "hm"),
        person("L4", "  \n "),
        person("L5", "Thanks."),
    )
    assert [(one.number, one.turn.at) for one in found.spoken] == [(1, "L2"), (4, "L5")]
    assert view(person("L1", f"{TASK} x>"), person("L2", "Moor at berth 4.")).spoken == ()


def test_an_exchange_begins_with_a_person_s_first_words_after_others() -> None:
    found = view(
        Turn("L1", Speaker.ASSISTANT, Form.PROSE, "Hello."),
        person("L2", "Moor."),
        person("L3", "At berth 4."),
        Turn("L4", Speaker.ASSISTANT, Form.PROSE, "Done."),
        person("L5", "No, berth 5."),
    )
    assert [[one.turn.at for one in exchange] for exchange in found.exchanges()] == [["L1"], ["L2", "L3", "L4"], ["L5"]]
    assert view().exchanges() == ()


def test_a_model_reads_a_line_a_turn_with_its_place_speaker_and_time() -> None:
    shown = views.text(
        view(
            person("L1", "Moor at berth 4.", name="Ines", said="2026-03-02T09:00:00Z"),
            Turn("L2", Speaker.ASSISTANT, Form.CALL, "make check", "Bash", call="c"),
            Turn("L3", Speaker.TOOL, Form.RESULT, "exit code 2", "Bash", call="c", error=True),
            Turn("L4", Speaker.ASSISTANT, Form.PROSE, "It failed.", "some-model"),
            person("L5", "Stop.", mark="rejection", about="make\ncheck"),
        )
    )
    assert shown.split("\n") == [
        "2026-03-02",
        "[L1] human Ines 09:00: Moor at berth 4.",
        "[L2] calls Bash: make check",
        "[L3] tool failed: exit code 2",
        "[L4] assistant: It failed.",
        "",
        "[L5] human (rejection: make check): Stop.",
    ]


def test_one_long_word_is_cut_anywhere() -> None:
    (one,) = view(Turn("L1", Speaker.ASSISTANT, Form.CALL, "x" * 500, "Bash")).spoken
    assert one.words == "x" * views.CALL
