"""WebVTT and SRT: who said what, in one piece, at the line where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core.turns import Damage, Noise, Record, Speaker, Turn
from wikimem.edges import lines
from wikimem.edges.importers import webvtt
from wikimem.edges.importers.format import Head


def records(text: str | bytes) -> list[Record]:
    data = text.encode() if isinstance(text, str) else text
    return list(webvtt.read(lines.numbered(lines.split([data]))))


def turns(found: list[Record]) -> list[Turn]:
    return [turn for record in found if isinstance(record.gave, tuple) for turn in record.gave]


def said(text: str | bytes) -> list[tuple[str, str, str]]:
    return [(turn.at, turn.name, turn.text) for turn in turns(records(text))]


MEETING = """\
WEBVTT

1
00:00:01.000 --> 00:00:03.000
Ada Lind (Guest): We ship on Friday.

2
00:00:04.500 --> 00:00:06.000
Ada Lind (Guest): At ten: sharp.

3
00:00:06.100 --> 00:00:07.000
Ben | Ops: Fine by me.

NOTE a remark
about nothing

4
00:00:12.000 --> 00:00:13.000
Ben | Ops: One more thing.

5
00:00:13.500 --> 00:00:14.000
10:30 Meeting: is moved.
"""


def test_cues_of_one_person_are_joined_until_a_pause_or_another_person() -> None:
    assert said(MEETING) == [
        ("L5", "Ada Lind (Guest)", "We ship on Friday. At ten: sharp."),
        ("L13", "Ben | Ops", "Fine by me."),
        ("L20", "Ben | Ops", "One more thing."),
        ("L24", "", "10:30 Meeting: is moved."),
    ]
    found = records(MEETING)
    assert [(record.line, record.gave) for record in found if isinstance(record.gave, Noise)] == [
        (1, Noise("header")),
        (15, Noise("note")),
    ]
    assert [record.line for record in found if isinstance(record.gave, tuple)] == [3, 11, 18, 22]
    assert {turn.speaker for turn in turns(found)} == {Speaker.HUMAN}


def test_voice_spans_name_the_speaker_also_twice_in_one_cue() -> None:
    found = said(
        "\ufeffWEBVTT\r\n\r\n7c1b/3-0\r\n0:5.120 --> 0:8.4\r\n<v Ada Lind>Not the 12th &amp; not later.</v>\r\n"
        "<v.first.loud Omar (Guest)>Fine <i>by</i> me.\r\n\r\n00:08.400 --> 00:09.000\r\nmore\r\n"
    )
    assert found == [
        ("L5", "Ada Lind", "Not the 12th & not later."),
        ("L6", "Omar (Guest)", "Fine by me."),
        ("L9", "", "more"),
    ]


def test_two_voices_on_one_text_line_are_one_record_with_two_turns() -> None:
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>Tea?</v> <v Ben>Yes.</v> <v Ada>Good.</v>\n"
    assert said(text) == [("L4", "Ada", "Tea?"), ("L4-2", "Ben", "Yes."), ("L4-3", "Ada", "Good.")]
    assert [record.line for record in records(text)] == [1, 3]


def test_a_sentence_with_a_colon_is_no_speaker_where_nobody_is_labelled() -> None:
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\nThe reason: nobody asked.\n\n00:05.000 --> 00:06.000\nand so on\n"
    assert [name for _, name, _ in said(text)] == ["", ""]


def test_captions_that_roll_up_are_told_once() -> None:
    found = records(
        "WEBVTT\nKind: captions\n\n"
        "00:01.000 --> 00:03.000 align:start position:0%\n \nwe begin<00:02.000><c> now</c>\n\n"
        "00:03.000 --> 00:03.010 align:start position:0%\nwe begin now\n \n\n"
        "00:03.010 --> 00:05.000 align:start position:0%\nwe begin now\nwith the<00:04.000><c> budget</c>\n"
    )
    assert [turn.text for turn in turns(found)] == ["we begin now with the budget"]
    assert [record.gave for record in found if record.line in (8, 9)] == [Noise("repeated cue")]


def test_srt_with_commas_blank_cues_and_words_without_a_time() -> None:
    found = records(
        "1\n00:00:00,500 --> 00:00:07,000\nOne.\n\n2\n00:00:07,000 --> 00:00:08,000\n\n\nlost words\n\n"
        "4\n00:00:10,000 --> 00:00:1d,000\nFour.\n\n"
        "5\n00:00:30,000 --> 00:00:31,000\n<font color='#fff'>Five</font> &lt; six\n"
    )
    assert [turn.text for turn in turns(found)] == ["One.", "Four.", "Five < six"]
    assert [(r.line, r.gave) for r in found if not isinstance(r.gave, tuple)] == [
        (5, Noise("empty cue")),
        (9, Damage("words of a cue without a time")),
    ]


_NAMES = st.sampled_from(["", "Ada", "Ben Okri", "Lumi | Outside"])
_WORDS = st.text("abcdefghij klm.,", min_size=1, max_size=30).map(str.strip).filter(bool)


@given(st.lists(st.tuples(_NAMES, _WORDS, st.integers(0, 5)), max_size=30))
def test_no_word_is_lost_and_each_keeps_its_speaker(cues: list[tuple[str, str, int]]) -> None:
    rows = ["WEBVTT\n"]
    clock = 0
    for name, words, gap in cues:
        clock += gap
        rows.append(f"00:00:{clock % 60:02}.000 --> 00:00:{clock % 60:02}.900\n<v {name}>{words}\n" if name else "")
        rows[-1] = rows[-1] or f"00:00:{clock % 60:02}.000 --> 00:00:{clock % 60:02}.900\n{words}\n"
        clock += 1
    told = turns(records("\n".join(rows)))
    expected: list[tuple[str, str]] = []
    for name, words, _ in cues:
        if expected and expected[-1][0] == name:
            expected[-1] = (name, f"{expected[-1][1]} {words}")
        else:
            expected.append((name, words))
    joined: list[tuple[str, str]] = []
    for turn in told:
        if joined and joined[-1][0] == turn.name:
            joined[-1] = (turn.name, f"{joined[-1][1]} {turn.text}")
        else:
            joined.append((turn.name, turn.text))
    squeezed = [(name, " ".join(words.split())) for name, words in expected]
    assert joined == squeezed


def test_a_line_of_spaces_between_cues_divides_them() -> None:
    assert said("1\n00:01.000 --> 00:02.000\nOne.\n \n2\n00:09.000 --> 00:10.000\nTwo.\n") == [
        ("L3", "", "One."),
        ("L7", "", "Two."),
    ]


@given(st.binary(max_size=200), st.integers(0, 300), st.integers(0, 300))
def test_no_bytes_make_it_raise(noise: bytes, start: int, end: int) -> None:
    data = MEETING.encode()
    found = records(data[:start] + noise + data[end:])
    assert len({(record.line, record.offset) for record in found}) == len(found)


@pytest.mark.parametrize(
    ("path", "date", "session"),
    [
        ("acde/2026-02-12_230/transcript_corrected.vtt", "2026-02-12", "2026-02-12_230"),
        ("calls/GMT20260212-140000_Recording.transcript.vtt", "2026-02-12", "GMT20260212-140000_Recording"),
        ("2026-02-12/standup.srt", "2026-02-12", "standup"),
        ("captions.vtt", "", ""),
    ],
)
def test_the_path_tells_the_day_and_the_meeting(path: str, date: str, session: str) -> None:
    hint = webvtt.FORMAT.hint(Path(path))
    assert (hint.get("date", ""), hint.get("session", "")) == (date, session)


@pytest.mark.parametrize(
    ("data", "known"),
    [
        (b"\xef\xbb\xbfWEBVTT - a title\n\n", True),
        (b"1\n00:00:00,500 --> 00:00:07,000\nOne\n", True),
        (b"00:00:00.500 --> 00:00:07.000\nwithout its first line\n", True),
        (b"WEBVTTX\n", False),
        (b"a --> b\n", False),
        (b"some text\n", False),
    ],
)
def test_what_is_recognised(data: bytes, known: bool) -> None:
    assert webvtt.FORMAT.recognise(Head("x", data, True)) is known
