"""Lines of the log of recalls: they come back as they were written, and what is broken costs nothing but itself."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from wikimem.core import masking, recalls
from wikimem.core.recalls import Feedback, Recall

WORDS = st.text(max_size=30)
IDS = st.lists(st.text(min_size=1, max_size=20), max_size=5, unique=True).map(tuple)
RECALLS = st.builds(
    Recall,
    id=st.from_regex(r"r[0-9a-f]{8}", fullmatch=True),
    time=st.just("2026-07-01T09:00:00Z"),
    question=WORDS,
    hash=st.just(""),
    scope=WORDS,
    at=st.just(""),
    known=st.just("2026-03"),
    ids=IDS,
    beside=IDS,
    tokens=st.integers(0, 9000),
    channel=st.sampled_from(["cli", "mcp"]),
    session=WORDS,
)
SAID = st.builds(
    Feedback,
    recall=st.just("r0a0b0c0d"),
    time=st.just("2026-07-01T09:05:00Z"),
    used=st.none() | IDS,
    misled=IDS,
    stale=IDS,
    missing=IDS,
    good=st.none() | st.booleans(),
    session=WORDS,
)


@given(st.lists(RECALLS | SAID, max_size=6))
def test_what_is_written_is_read_again(told: list[Recall | Feedback]) -> None:
    log = recalls.read(b"".join(map(recalls.write, told)).split(b"\n"))
    assert log.recalls == tuple(one for one in told if isinstance(one, Recall))
    assert log.feedback == tuple(one for one in told if isinstance(one, Feedback))
    assert log.broken == 0


@given(RECALLS, st.integers(2, 200))
def test_a_line_cut_short_costs_no_other(told: Recall, cut: int) -> None:
    whole = recalls.write(told)
    torn = whole[: min(cut, len(whole) - 2)]
    log = recalls.read((torn + recalls.write(told)).split(b"\n"))
    assert (log.recalls, log.broken) == ((told,), 1)


@pytest.mark.parametrize(
    "line",
    [
        b"{}",
        b"[]",
        b"7",
        b"\xff\xfe",
        b'{"recall": 3, "time": "2026"}',
        b'{"recall": "r1", "time": "2026", "ids": "none", "tokens": 1}',
        b'{"recall": "r1", "time": "2026", "ids": [1], "tokens": 1}',
        b'{"feedback": "r1"}',
        b'{"feedback": "r1", "time": "2026", "used": 1}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_line_of_a_log_is_counted(line: bytes) -> None:
    assert recalls.read([line, b"", b"  "]).broken == 1


def test_a_line_tells_whether_anything_was_given() -> None:
    given_one = Recall("r1", "2026-07-01T09:00:00Z", "why?", "", "", "", "", ("k7f3q2a6xw4m",), (), 90, "cli", "")
    nothing = Recall("r2", "2026-07-01T09:00:00Z", "", "ab12", "", "", "", (), (), 0, "cli", "")
    told = [json.loads(recalls.write(one)) for one in (given_one, nothing)]
    assert [one["injected"] for one in told] == [True, False]
    assert "question" not in told[1] and told[1]["hash"] == "ab12"


def test_of_an_answer_the_last_word_counts_and_what_is_missing_adds_up() -> None:
    first = Feedback("r1", "2026-07-01T09:00:00Z", ("a", "b"), ("c",), (), ("the port",), True)
    then = Feedback("r1", "2026-07-01T09:09:00Z", None, ("b",), ("c",), ("the date", "the port"))
    log = recalls.read((recalls.write(first) + recalls.write(then)).split(b"\n"))
    united = log.of("r1")
    assert united is not None
    assert (united.used, united.misled, united.stale) == (("a",), ("b",), ("c",))
    assert (united.missing, united.good) == (("the port", "the date"), True)
    assert log.of("r2") is None


def test_none_used_is_said_and_not_the_same_as_nothing_said() -> None:
    assert recalls.united([Feedback("r1", "t", used=())]).used == ()
    assert recalls.united([Feedback("r1", "t", good=True)]).used is None


TOKENS = st.sampled_from(
    [
        "authorization, bearer abcdefghijk",
        "Api-Key: 'ab12cd34'",
        "PG_TOKEN=ab12cd34",
        "a://b:c9d@e",
        "<private>",
        "</private>",
        "ghp_abcdefghijklmnopqrstuvwxyzABCDEF0123",
        "password = 'hunter2222'",
        "sk-abc",
        "AKIA",
    ]
)
TEXTS = st.lists(st.text(max_size=12) | TOKENS | st.from_regex(r"[A-Za-z0-9 _.,:/@'-]{0,60}", fullmatch=True), max_size=6)


@settings(deadline=None)
@given(TEXTS.map(" ".join))
@example("Bearer abcdefghijkl1234")
@example("Bearer abcdefghijk1234")
@example("-----BEGIN PRIVATE KEY----- abcdef -----END PRIVATE KEY-----")
@example("a harmless question that ends oddly " * 20 + "\x97")
@example("Authorization, Bearer abcdefghijklmnop")
@example("which port does staging use since 2026-03?")
@example("AKIA" + "ABCDEFGHIJKLMNOP")
@example("DB_KEY=abcd1234")
@example("'X-Api-Key': 'abcd1234'")
@example("a://b:c12@d")
@example("<Private>x</private>")
def test_what_counts_as_plain_holds_no_secret(text: str) -> None:
    if recalls.is_plain(text):
        assert masking.text(text.encode("utf-8", "replace"))[1] == {}


def test_usual_questions_are_plain() -> None:
    assert recalls.is_plain("Why didn't we use the 3 retries, e.g. in Zürich?")
    assert recalls.is_plain("Fix `src/app.py`: the retry (see #42) is wrong; use get_all(id) instead, 50% of calls fail")
    assert not recalls.is_plain("why does ghp_abcdefghijklmnopqrstuvwxyzABCDEF0123 fail")
