"""Canonical JSONL: what is written comes back, and broken lines cost nothing but themselves."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import branches
from wikimem.core.turns import Damage, Form, Noise, Record, Speaker, Turn
from wikimem.edges import lines
from wikimem.edges.importers import canonical
from wikimem.edges.importers.format import Conversation, Head

_TEXT = st.text(st.characters(exclude_categories=["Cs"]))
_SAID = st.sampled_from(["", "2026-08-14", "2026-08-14T10:11:03", "2026-08-14T10:11:03Z", "2026-08-14T00:11:03+02:00"])
_TURNS = st.builds(
    Turn,
    at=st.just("?"),
    speaker=st.sampled_from(Speaker),
    form=st.sampled_from(Form),
    text=_TEXT,
    name=_TEXT,
    said=_SAID,
    identity=_TEXT,
    reply=_TEXT,
    call=_TEXT,
    error=st.booleans(),
    mark=_TEXT,
    about=_TEXT,
)


def records(data: bytes) -> list[Record]:
    return list(canonical.read(lines.numbered(lines.split([data]))))


def turns(found: list[Record]) -> list[Turn]:
    return [turn for record in found if isinstance(record.gave, tuple) for turn in record.gave]


@given(st.lists(_TURNS, max_size=5), _TEXT, _TEXT)
def test_reading_what_was_written_gives_the_turns_back(told: list[Turn], session: str, title: str) -> None:
    written = list(canonical.write(Conversation(session, title, "2026-08-14", tuple(told))))
    assert all(line.count(b"\n") == 1 and line.endswith(b"\n") for line in written)
    found = records(b"".join(written))
    assert turns(found) == [replace(turn, at=f"L{number}") for number, turn in enumerate(told, 2)]
    assert found[0].gave == Noise("header")
    assert found[0].facts.get("session", "") == session
    assert found[0].facts.get("title", "") == title


def test_fields_at_their_default_are_not_written() -> None:
    turn = Turn("", Speaker.HUMAN, Form.PROSE, "Cap it at three.", identity="m1")
    written = list(canonical.write(Conversation("c-17", "", "", (turn,))))
    assert written[1] == b'{"id":"m1","speaker":"human","name":"","time":"","text":"Cap it at three."}\n'


def test_a_speaker_that_is_none_of_ours_is_damage_and_the_lines_around_it_stand() -> None:
    found = records(
        b'{"wikimem":1,"session":"s"}\n'
        b'{"id":"1","speaker":"human","text":"one"}\n'
        b'{"id":"2","speaker":"root","text":"two"}\n'
        b'{"id":"3","speaker":"assistant","text":7}\n'
        b'{"id":"4","speaker":"tool","form":"result","text":"four","error":true}\n'
        b"[1]\n\n"
        b'{"id":"5","speaker":"hum'
    )
    assert [turn.text for turn in turns(found)] == ["one", "four"]
    damaged = [record.line for record in found if isinstance(record.gave, Damage)]
    assert damaged == [3, 4, 6, 8]
    assert len(found) == 8


def test_a_header_of_a_later_version_is_reported() -> None:
    (found,) = records(b'{"wikimem":2,"session":"s"}')
    assert isinstance(found.gave, Damage)
    assert "another version" in found.gave.reason


def test_it_is_recognised_by_its_header_alone() -> None:
    long = b'{"wikimem":1,"title":"' + b"x" * 70_000
    assert canonical.FORMAT.recognise(Head("a.jsonl", b'\xef\xbb\xbf{"wikimem": 1}\n', True))
    assert canonical.FORMAT.recognise(Head("a.jsonl", long[:65536], False))
    assert not canonical.FORMAT.recognise(Head("a.jsonl", b'{"role":"user","content":"wikimem"}\n', True))
    assert not canonical.FORMAT.recognise(Head("a.md", b"wikimem", True))


@given(st.binary(max_size=300))
def test_no_bytes_make_it_raise_and_every_line_is_accounted_for(data: bytes) -> None:
    whole = b'{"wikimem":1}\n' + data
    count = len(list(lines.split([whole])))
    assert {record.line for record in records(whole)} == set(range(1, 1 + count))


def test_a_turn_on_a_branch_that_was_left_takes_itself_back() -> None:
    said = (("kept", ""), ("left", "left"), ("also kept", ""))
    turns = tuple(Turn("", Speaker.HUMAN, Form.PROSE, text, identity=text, mark=mark) for text, mark in said)
    written = b"".join(canonical.write(Conversation("s", "", "", turns)))
    records = list(canonical.read(lines.numbered(lines.split([written]))))
    assert branches.dead(records) == {"left"}
    assert sum(isinstance(record.gave, tuple) for record in records) == 3


def test_the_offset_of_a_speaker_s_clock_is_written_and_read() -> None:
    turn = Turn("", Speaker.HUMAN, Form.PROSE, "Cap it.", said="2026-08-14T00:30:00+02:00", identity="m1")
    written = list(canonical.write(Conversation("c-17", "", "", (turn,))))
    assert b'"time":"2026-08-14T00:30:00+02:00"' in written[1]
    (found,) = turns(records(b"".join(written)))
    assert (found.said, found.offset) == ("2026-08-13T22:30:00Z", "+02:00")
    # The session begins by the clock that all share.
    assert records(b"".join(written))[1].facts["time"] == "2026-08-13T22:30:00Z"
