"""Page files as they are searched: what people wrote, under its heading and title; nothing that we wrote; never a stop."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.edges import pages

PAGE = """\
---
title: NO
aliases: [0123, 12:30, yes, "Ticket #42 x"]
scope: project:harbour
valid_from: 2026-01-10
valid_until:
mine: 1_000
---

# NO

The harbour opens at six.[^aaaaaaaaaaaa]

## Facts

- Berth 4 stays free. (since 2026-01-10) [^aaaaaaaaaaaa]
- Sam doubts it;
  ask him.

## Related

- [Cranes](../topics/cranes.md)

## Notes

Ask the keeper.

### Keys

> Under the mat.

```
## no heading
```

## My own

| key | hook |
|-----|------|
| red | 4    |

[^aaaaaaaaaaaa]: fact · human · [L1](../../sources/2026/01/x.jsonl#L1) “berth 4”
[^note]: My footnote.
"""


def read(text: str, path: str = "wiki/topics/no.md") -> pages.Leaf:
    return pages.read(path, text.encode())


def test_what_people_wrote_comes_with_its_heading_and_line_and_ours_does_not() -> None:
    leaf = read(PAGE)
    assert [(piece.section, piece.text) for piece in leaf.pieces] == [
        ("", "The harbour opens at six."),
        ("Facts", "- Sam doubts it;\n  ask him."),
        ("Notes", "## Notes\n\nAsk the keeper."),
        ("Keys", "### Keys\n\n> Under the mat.\n\n```\n## no heading\n```"),
        ("My own", "## My own\n\n| key | hook |\n|-----|------|\n| red | 4    |\n\n[^note]: My footnote."),
    ]
    lines = PAGE.split("\n")
    for piece in leaf.pieces[1:]:
        assert lines[piece.line - 1] == piece.text.split("\n")[0]
    assert leaf.problems == ()


def test_values_of_the_header_are_the_text_they_are() -> None:
    piece = read(PAGE).pieces[0]
    assert (piece.title, piece.aliases, piece.scope) == ("NO", ("0123", "12:30", "yes", "Ticket #42 x"), "project:harbour")


@pytest.mark.parametrize("begin", ["\ufeff", "\ufeff\r\n"])
def test_a_byte_order_mark_loses_no_header(begin: str) -> None:
    text = PAGE.replace("\n", "\r\n") if "\r" in begin else PAGE
    assert read(f"\ufeff{text}") == read(PAGE)


@pytest.mark.parametrize(
    ("text", "title", "found"),
    [
        ("", "", []),
        ("---\n---\n", "", []),
        ("just words", "no", ["just words"]),
        ("\n---\ntitle: X\n---\nwords", "no", ["---", "title: X\n---\n\nwords"]),
        ("---\ntitle: X\nwords", "no", ["---\n\ntitle: X\nwords"]),
        ("words\n---\nx: 1\n---\n", "no", ["words\n---", "x: 1\n---"]),
        ("---\ntitle: !!int 5\naliases: one\nscope: [a]\n---\nwords", "no", ["words"]),
        ("---\naliases: {a: b}\ntitle: 'It''s'\n---\nwords", "It's", ["words"]),
        ("---\nnull\n---\nwords", "no", None),
        ("# Berths\n\nwords", "Berths", ["words"]),
    ],
)
def test_headers_of_every_kind(text: str, title: str, found: list[str] | None) -> None:
    leaf = read(text)
    if found is None:
        assert [problem.rule for problem in leaf.problems] == ["page"]
        assert "words" in leaf.pieces[-1].text
    else:
        assert leaf.problems == ()
        assert [piece.text for piece in leaf.pieces] == found
        assert {piece.title for piece in leaf.pieces} <= {title}


@pytest.mark.parametrize(
    "broken",
    [
        b"---\ntitle: [\n---\nthe keeper\n",
        b"---\n- a\n- b\n---\nthe keeper\n",
        b"---\ntitle: *x\n---\nthe keeper\n",
        b"---\na: b: c\n---\nthe keeper\n",
        b"---\na: " + b"[" * 5000 + b"\n---\nthe keeper\n",
        b"---\ntitle: A\n---\n<<<<<<< ours\nthe keeper\n=======\nnobody\n>>>>>>> theirs\n",
        b"the keeper \xff\xfe\n",
        "the keeper".encode("utf-16"),
    ],
)
def test_a_broken_page_is_told_and_searched_as_text(broken: bytes) -> None:
    leaf = pages.read("wiki/topics/x.md", broken)
    assert [(problem.where, problem.rule) for problem in leaf.problems] == [("wiki/topics/x.md", "page")]
    assert leaf.problems[0].message.endswith("it is searched as plain text")
    text = " ".join(piece.text for piece in leaf.pieces).replace("\x00", "")
    assert "the keeper" in text


def test_a_long_section_is_several_pieces_that_lose_nothing() -> None:
    paragraphs = [f"Paragraph {number} " + "word " * 60 for number in range(20)]
    code = "```\n" + "\n".join(f"line {number} " + "x" * 50 for number in range(100)) + "\n```"
    leaf = read("# T\n\n## Notes\n\n" + "\n\n".join(paragraphs) + f"\n\n{code}\n")
    assert len(leaf.pieces) > 8
    assert all(len(piece.text) < 2400 for piece in leaf.pieces)
    whole = "\n".join(piece.text for piece in leaf.pieces)
    assert all(f"Paragraph {number} " in whole for number in range(20))
    assert all(f"line {number} " in whole for number in range(100))


markdown = st.lists(
    st.sampled_from(
        ["---", "title: x", "# A", "## Facts", "## Notes", "- item", "word", "", "```", "<!--", "-->", "> q", "[^a]: b"]
    )
    | st.text(max_size=20),
    max_size=12,
).map("\n".join)


@given(markdown)
def test_nothing_stops_and_lines_are_where_they_are_said_to_be(text: str) -> None:
    leaf = pages.read("wiki/x.md", text.encode("utf-8", "surrogatepass"))
    count = text.count("\n") + 1
    for piece in leaf.pieces:
        assert piece.text
        assert 1 <= piece.line <= count


@given(st.binary(max_size=200))
def test_bytes_of_any_kind_stop_nothing(data: bytes) -> None:
    pages.read("wiki/x.md", data)
