"""The line grammar: what is written is read back, and a markdown parser shows exactly the text."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from wikimem.core import lines, texts
from wikimem.core.lines import ClaimLine, Part, Tail

CASES = Path(__file__).parents[1] / "cases"
NASTY = [json.loads(line) for line in (CASES / "nasty.jsonl").read_text(encoding="utf-8").splitlines()]
IDS = st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=12, max_size=12)

fragments = st.lists(st.sampled_from(NASTY) | st.text(max_size=6), min_size=1, max_size=7)
nasty_texts = st.tuples(fragments, st.sampled_from(["", " "])).map(lambda made: texts.normal(made[1].join(made[0]))).filter(bool)
dates = st.sampled_from(["2026", "2026-08", "2026-08-14", "2026-08-14T10:11Z", "1999-12-31"])
spans = st.one_of(
    st.builds(Part, start=dates),
    st.builds(Part, end=dates),
    st.builds(Part, start=dates, end=dates),
    st.builds(Part, start=dates, on=st.just(True)),
)
ended = st.builds(
    lambda part, why, by: Part(part.start, part.end, part.on, why, by),
    spans | st.just(Part()),
    st.sampled_from(["superseded", "retracted"]),
    IDS,
)
tails = st.builds(
    Tail,
    st.lists(spans | ended, max_size=3).map(tuple),
    st.sampled_from(["", "evidence", "preference", "inference", "opinion", "fact"]),
    st.integers(0, 100),
    st.lists(IDS, max_size=2).map(tuple),
)


def reader() -> MarkdownIt:
    md = MarkdownIt("commonmark").enable(["strikethrough", "table"])
    # A parser prettifies the text of an autolink; what stands in the file is what counts here.
    md.normalizeLinkText = lambda url: url  # type: ignore[method-assign, assignment]
    return md


def shown(tokens: list[Token]) -> str:
    """The text of inline tokens, code spans as their content."""
    out = []
    for token in tokens:
        if token.type in ("text", "code_inline"):
            out.append(token.content)
        elif token.type in ("softbreak", "hardbreak", "html_inline", "image", "em_open", "strong_open"):
            out.append(f"<{token.type}>")
    return "".join(out)


def expected(text: str) -> str:
    """What a reader sees of claim text: backtick spans without their backticks, as CommonMark strips them."""

    def content(match: re.Match[str]) -> str:
        inner = match[0].strip("`")
        return inner[1:-1] if inner.strip() and inner[0] == inner[-1] == " " else inner

    return "".join(
        content(re.fullmatch(r"(?s).*", piece)) if kind == "code" else piece  # type: ignore[arg-type]
        for kind, piece in lines._pieces(text)
    )


@settings(max_examples=3000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(nasty_texts, tails, IDS, st.booleans(), st.integers(0, 30))
def test_a_line_is_read_back_and_shows_its_text(text: str, tail: Tail, id: str, struck: bool, number: int) -> None:
    line = ClaimLine(id, text, tail, struck, number)
    raw = lines.write(line)
    assert "\n" not in raw
    assert lines.read(raw) == line
    blocks = reader().parse(raw)
    kinds = [block.type for block in blocks]
    listed = "ordered_list" if number else "bullet_list"
    around = [f"{listed}_open", "list_item_open", "paragraph_open", "inline"]
    assert kinds == [*around, "paragraph_close", "list_item_close", f"{listed}_close"], raw
    told = lines.write_tail(tail)
    after = f" ({told})" if told else ""
    assert shown(blocks[3].children or []) == f"{expected(text)}{after} [^{id}]", raw


@settings(max_examples=1500, deadline=None)
@given(nasty_texts)
def test_escaping_inside_a_line_is_undone(text: str) -> None:
    assert lines.unescape(lines.escape(text, start=False)) == text


@given(st.text())
def test_normal_form_is_a_fixed_point(text: str) -> None:
    once = texts.normal(text)
    assert texts.normal(once) == once
    assert "\n" not in once


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        ("Retries stop after 3 attempts.", "Retries stop after 3 attempts."),
        ("Use `make test` in snake_case_dir/, not 2 * 3.", "Use `make test` in snake_case_dir/, not 2 * 3."),
        ("See https://example.org/a_b.", "See <https://example.org/a_b>."),
        ("1. first", "1\\. first"),
        ("It held (since 2020)", "It held \\(since 2020)"),
        ("C# and #42 stay, #tag does not", "C# and #42 stay, \\#tag does not"),
    ],
)
def test_only_markup_is_escaped(text: str, raw: str) -> None:
    assert lines.escape(text) == raw


@given(st.text(max_size=60))
def test_any_line_is_kept_byte_for_byte(raw: str) -> None:
    read = lines.read(raw + " [^abcdefghijkl]")
    assert read is None or lines.write(read) == raw + " [^abcdefghijkl]"


def test_a_line_that_a_person_rewrote_says_what_it_says() -> None:
    line = lines.read("* Retries stop *here*. (since 2026) [^abcdefghijkl]")
    assert line is not None
    assert (line.id, line.text, line.tail.parts) == ("abcdefghijkl", "Retries stop *here*.", (Part(start="2026"),))
    assert lines.write(line) == "* Retries stop *here*. (since 2026) [^abcdefghijkl]"
