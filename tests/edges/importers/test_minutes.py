"""Minutes in markdown and Zoom's saved chat: who spoke, and what is nobody's."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mangling import mangled
from wikimem.core.turns import Damage, Noise, Record, Speaker, Turn
from wikimem.edges import importers, lines
from wikimem.edges.importers import minutes, zoom_chat
from wikimem.edges.importers.format import Head, LineFormat

MINUTES = """\
---
title: Bakery weekly
date: 2026-08-14
---

# Bakery weekly

Present: all of us.

**Ada**: We keep the rye.
It sells.
**Bo**: And the spelt?

- **Ada:** Only on Fridays.

[12:03] Cy: I ordered flour.

Ada [12:04]
Thank you.

```
**Dee**: in a fence
```
"""
CHAT = (
    b"00:01:34\tAda:\tHello\r\n00:02:10\tBo (oven):\tRye?\r\nor spelt?\r\n"
    b'00:02:21\tAda:\tReacted to "Rye?" with \xf0\x9f\x98\x82\r\n'
    b'00:03:00\tCy:\tReplying to "Rye?"\r\n\r\nRye.\r\n'
)


def records(format: LineFormat, data: bytes) -> list[Record]:
    return list(format.read(lines.numbered(lines.split([data]))))


def turns(format: LineFormat, data: bytes) -> list[Turn]:
    return [turn for record in records(format, data) if isinstance(record.gave, tuple) for turn in record.gave]


def recognised(data: bytes, name: str) -> str:
    format = importers.recognise(Head(name, data, True))
    return format.name if format else ""


def test_labels_begin_what_somebody_said() -> None:
    assert [(turn.at, turn.name, turn.text) for turn in turns(minutes.FORMAT, MINUTES.encode())] == [
        ("L6", "", "# Bakery weekly"),
        ("L8", "", "Present: all of us."),
        ("L10", "Ada", "We keep the rye.\nIt sells."),
        ("L10-2", "Bo", "And the spelt?"),
        ("L14", "Ada", "Only on Fridays."),
        ("L16", "Cy", "I ordered flour."),
        ("L18", "Ada", "Thank you.\n\n```\n**Dee**: in a fence\n```"),
    ]
    assert recognised(MINUTES.encode(), "2026-08-14.md") == "minutes"
    facts = [record.facts for record in records(minutes.FORMAT, MINUTES.encode())]
    assert facts[0] == {"title": "Bakery weekly", "date": "2026-08-14"}


@pytest.mark.parametrize(
    "text",
    [
        "**User**: Hello.\n\n**Assistant**: Hello.\n\n**User**: Bye.\n",
        "**Note**: bread rises.\n\n**Warning**: it is hot.\n\n**Note**: still.\n",
        "# Notes\n\nAda said that Bo would bake.\n",
        "- **Oven** is on\n- **Mixer** is off\n- **Oven** is hot\n",
    ],
)
def test_what_only_looks_like_minutes_is_none(text: str) -> None:
    assert recognised(text.encode(), "note.md") != "minutes"


def test_zooms_chat() -> None:
    found = records(zoom_chat.FORMAT, CHAT)
    assert [(turn.at, turn.name, turn.text, turn.about) for turn in turns(zoom_chat.FORMAT, CHAT)] == [
        ("L1", "Ada", "Hello", ""),
        ("L2", "Bo (oven)", "Rye?\nor spelt?", ""),
        ("L5", "Cy", "Rye.", "Rye?"),
    ]
    assert [record.gave for record in found if isinstance(record.gave, Noise)] == [Noise("reaction")]
    assert {turn.speaker for turn in turns(zoom_chat.FORMAT, CHAT)} == {Speaker.HUMAN}
    assert recognised(CHAT, "chat.txt") == "zoom-chat"
    assert zoom_chat.FORMAT.hint(Path("2026-08-14_7/chat.txt"))["date"] == "2026-08-14"


def test_words_before_the_first_message_are_damage() -> None:
    first, _ = records(zoom_chat.FORMAT, b"lo\r\n00:01:34\tAda:\tHello\r\n")
    assert first.gave == Damage("words before the first message")


@given(st.sampled_from([(minutes.FORMAT, MINUTES.encode()), (zoom_chat.FORMAT, CHAT)]), st.data())
def test_mangled_ones_never_raise_and_account_for_all_words(which: tuple[LineFormat, bytes], data: st.DataObject) -> None:
    format, whole = which
    broken = data.draw(mangled(whole))
    found = records(format, broken)
    assert all(not isinstance(record.gave, tuple) or record.gave for record in found)
    assert [record.line for record in found] == sorted({record.line for record in found})
    recognised(broken, "x.md")
    if broken.strip(b"\x00 \t\r\n\f\v\xef\xbb\xbf"):
        assert found
