"""Markdown of anybody becomes HTML that cannot do anything; what it says stays readable."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmless import Page, wrong
from wikimem.edges.sites import markup

CASES = Path(__file__).resolve().parents[2] / "cases"
PAYLOADS = (CASES / "payloads.txt").read_text(encoding="utf-8").splitlines()


def test_there_are_a_hundred_payloads() -> None:
    assert len(set(PAYLOADS)) >= 100


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("frame", ["{}", "Look: {} and on.", "- {}\n- x", "> {}", "| a | b |\n|---|---|\n| {} | x |", "# {}"])
def test_no_payload_gets_through(payload: str, frame: str) -> None:
    text = frame.format(payload)
    for made in (markup.html(text), markup.speech([(text, False)]), markup.speech([("see ", False), (text, True)])):
        assert wrong(Page(made)) == []
        assert "<img" not in made


@given(st.text(alphabet=st.sampled_from("<>\"'&()[]!`\\ \n:/javscript#*_|-1\ue000\ue001"), max_size=60))
def test_nothing_that_anybody_writes_gets_through(text: str) -> None:
    assert wrong(Page(markup.html(text))) == []
    assert wrong(Page(markup.speech([(text, False), ("middle", True), (text, False)]))) == []


def test_a_payload_stays_readable() -> None:
    assert "<script>alert(1)</script>" in Page(markup.html("He wrote <script>alert(1)</script> there.")).text
    assert "<code>&lt;b&gt;code&lt;/b&gt;</code>" in markup.html("Mind `<b>code</b>` here.")


def test_links_of_the_web_stay_and_others_become_text() -> None:
    made = markup.html("[a](https://example.org/x) [b](mailto:a@example.org) [c](other.md) [d](ftp://example.org)")
    assert Page(made).links == ["https://example.org/x", "mailto:a@example.org"]
    assert Page(made).text.strip() == "a b c d"
    assert 'rel="noopener noreferrer nofollow"' in made


def test_a_relative_link_leads_where_the_page_says() -> None:
    made = markup.html("[c](other.md) [d](/root.md) [e](x:y.md)", lambda href: {"other.md": "other.html"}.get(href, ""))
    assert Page(made).links == ["other.html"]


def test_an_image_is_its_words() -> None:
    assert Page(markup.html("![a berth plan](https://example.org/x.png)")).text.strip() == "[image: a berth plan]"


def test_cited_words_are_marked_inside_markdown() -> None:
    assert "<mark>never restart</mark>" in markup.speech([("**Please** ", False), ("never restart", True), (" it.", False)])
    assert "<mark>two words</mark>" in markup.speech([("say ", False), ("two words", True)])


def test_marks_that_would_cross_markup_are_left_out() -> None:
    made = markup.speech([("a **b", False), (" c** d", True), (" e", False)])
    assert "<mark>" not in made
    assert "\ue000" not in made
    assert "\ue001" not in made


def test_headings_begin_below_those_of_the_page() -> None:
    assert [tag for tag, _ in Page(markup.html("# One\n\n## Two\n\n###### Six")).elements] == ["h3", "h4", "h6"]


def test_a_table_can_be_scrolled_and_keeps_its_alignment() -> None:
    made = markup.html("| a | b |\n|---|--:|\n| 1 | 2 |")
    assert '<div class="wide" tabindex="0">' in made
    assert '<td align="right">2</td>' in made


def test_a_huge_text_is_shown_as_it_is() -> None:
    made = markup.html("**x** " * 20_000)
    assert "<strong>" not in made
    assert Page(made).text.startswith("**x**")
