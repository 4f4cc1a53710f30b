"""Notes: blocks of text at their lines, nothing lost, and no transcript of an agent taken for a person's note."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core.turns import Noise, Record, Speaker
from wikimem.edges import lines
from wikimem.edges.importers import note
from wikimem.edges.importers.format import Head

NOTE = """\
---
title: "Standup"
date: 2026-08-14
---
# Retry queue

We met on Thursday.
Ada wants fewer retries.

The plan:

- three attempts
- then the dead letter queue

  with an alarm
1. or two

Code:

```python
retries = 3

# not a heading
```

> quoted
"""


def records(data: bytes) -> list[Record]:
    return list(note.read(lines.numbered(lines.split([data]))))


def texts(found: list[Record]) -> list[tuple[str, str]]:
    return [(turn.at, turn.text) for record in found if isinstance(record.gave, tuple) for turn in record.gave]


def test_blocks_become_turns_at_the_line_where_they_start() -> None:
    found = records(NOTE.encode())
    assert texts(found) == [
        ("L5", "# Retry queue"),
        ("L7", "We met on Thursday.\nAda wants fewer retries."),
        ("L10", "The plan:"),
        ("L12", "- three attempts\n- then the dead letter queue\n\n  with an alarm\n1. or two"),
        ("L18", "Code:\n\n```python\nretries = 3\n\n# not a heading\n```"),
        ("L26", "> quoted"),
    ]
    assert all(turn.speaker is Speaker.HUMAN for record in found[1:] for turn in record.gave)  # type: ignore[union-attr]
    assert found[0].gave == Noise("front matter")
    assert found[0].facts == {"title": "Standup", "date": "2026-08-14"}
    assert found[1].facts == {"title": "Retry queue"}


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert texts(records(b"---\nwords\n")) == [("L1", "---\nwords")]


def test_a_list_directly_below_its_sentence_is_one_block_with_it() -> None:
    assert texts(records(b"We need:\n- salt\n\n- bread\n\nDone.\n")) == [
        ("L1", "We need:\n- salt\n\n- bread"),
        ("L6", "Done."),
    ]


def test_crlf_bom_and_broken_utf8_are_read() -> None:
    assert texts(records(b"\xef\xbb\xbfOne\r\n\r\nTw\xff\r\n")) == [("L1", "One"), ("L3", "Tw\ufffd")]


_LINES = st.lists(
    st.one_of(
        st.sampled_from(["", "# Head", "- item", "  more", "```", "~~~ sh", "1. one", "---", "plain", "> q", "title: x"]),
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), max_size=12),
    ),
    max_size=25,
)


@given(_LINES)
def test_every_line_with_words_is_in_exactly_one_record(told: list[str]) -> None:
    # A heading first, so that nothing is front matter.
    rows = ["# Start", *told]
    shown = [line for _, text in texts(records("\n".join(rows).encode())) for line in text.split("\n")]
    # The byte 0 is blank in a text file, as is whatever Python calls white space.
    with_words = [line.rstrip() for line in rows if line.replace("\x00", "").strip()]
    assert [line.rstrip() for line in shown if line.replace("\x00", "").strip()] == with_words


@given(st.binary(max_size=200))
def test_no_bytes_make_it_raise(data: bytes) -> None:
    numbers = [record.line for record in records(data)]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize(
    ("path", "date"),
    [
        ("notes/2026-08-14 standup.md", "2026-08-14"),
        ("20260814-standup.md", "2026-08-14"),
        ("2026_08_14.txt", "2026-08-14"),
        ("2026-02-31.md", ""),
        ("1202608141.md", ""),
        ("standup.md", ""),
    ],
)
def test_the_file_name_tells_the_day(path: str, date: str) -> None:
    assert note.FORMAT.hint(Path(path)).get("date", "") == date


@pytest.mark.parametrize(
    ("name", "data", "is_note"),
    [
        ("a.md", b"# Groceries\n\n- salt\n", True),
        ("NOTES", "Käse kaufen\n".encode(), True),
        ("a.txt", b"caf\xe9 and more", False),
        ("a.txt", b"a\x00b", False),
        ("a.txt", bytes(range(1, 32)) * 3, False),
        ("a.md", b"  \n", False),
        ("a.json", b'{"a": 1}', False),
        ("a.txt", b'{"type":"user"}\n', False),
        ("a.md", b"\n# aider chat started at 2024-08-05 19:33:02\n\n#### fix it\n", False),
        ("a.md", b"# Chat\n\n**User**\n\nhello\n\n---\n\n**Cursor**\n\nhi\n", False),
        ("a.md", b"## User\n\nhello\n\n## Assistant\n\nhi\n", False),
    ],
)
def test_what_is_a_note(name: str, data: bytes, is_note: bool) -> None:
    assert note.FORMAT.recognise(Head(name, data, whole=True)) is is_note


def test_a_character_cut_by_the_end_of_the_head_is_no_fault() -> None:
    cut = "one \N{GREEK SMALL LETTER ALPHA}".encode()[:-1]
    assert note.FORMAT.recognise(Head("a.txt", cut, whole=False))
    assert not note.FORMAT.recognise(Head("a.txt", cut, whole=True))
