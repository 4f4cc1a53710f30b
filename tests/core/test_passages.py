"""Passages: speech whole, calls by their head, results by their ends and errors, thinking not at all."""

from wikimem.core import passages
from wikimem.core.turns import Form, Speaker, Turn


def turn(text: str, form: Form = Form.PROSE, *, error: bool = False, at: str = "L1") -> Turn:
    speaker = {Form.RESULT: Speaker.TOOL}.get(form, Speaker.ASSISTANT)
    return Turn(at, speaker, form, text, "sonnet", "2026-08-14T10:00:00Z", "id-" + at, error=error)


def kept(one: Turn) -> list[str]:
    return [passage.text for passage in passages.of("s", "project:a", [one])]


def test_a_passage_tells_where_it_is_from() -> None:
    (found,) = passages.of("20260814-codex-9f3a1c2b", "project:a", [turn("hello", at="L7")])
    assert found.cite == "20260814-codex-9f3a1c2b:L7"
    assert (found.scope, found.said, found.name, found.identity) == (
        "project:a",
        "2026-08-14T10:00:00Z",
        "sonnet",
        "id-L7",
    )


def test_speech_is_whole_however_long() -> None:
    text = "word " * 10_000
    assert kept(turn(text)) == [text]


def test_of_a_call_the_head_is_kept() -> None:
    (text,) = kept(turn("x" * 1000, Form.CALL))
    assert text == "x" * passages.CALL + " …"
    assert kept(turn("make test", Form.CALL)) == ["make test"]


def test_of_a_result_both_ends_and_the_errors_are_kept() -> None:
    text = "first\n" + "fine\n" * 500 + "E   ValueError: bad port 5433\n" + "fine\n" * 500 + "last"
    (found,) = kept(turn(text, Form.RESULT))
    assert found.startswith("first")
    assert found.endswith("last")
    assert "ValueError: bad port 5433" in found
    assert len(found) < 2 * passages.END + 100


def test_a_result_full_of_errors_stays_short() -> None:
    (found,) = kept(turn("error: no\n" * 100_000, Form.RESULT))
    assert len(found) <= 2 * passages.END + 2 * passages.ERRORS
    (found,) = kept(turn("error " * 100_000, Form.RESULT))
    assert len(found) <= 2 * passages.END + 2 * passages.ERRORS


def test_of_a_failed_result_more_is_kept() -> None:
    text = "a" * 900 + "the reason" + "b" * 5000
    assert "the reason" in kept(turn(text, Form.RESULT, error=True))[0]
    assert "the reason" not in kept(turn(text, Form.RESULT))[0]


def test_ordinals_count_all_turns_also_those_left_out() -> None:
    turns = [
        turn("a", at="L1"),
        turn("hm", Form.THINKING, at="L2"),
        turn(" \n", at="L3"),
        turn("b", at="L4"),
        turn("c", at="L5"),
    ]
    found = passages.of("s", "", turns, frozenset({"L4"}))
    assert [(passage.at, passage.ordinal) for passage in found] == [("L1", 0), ("L5", 4)]
