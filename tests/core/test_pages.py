"""Pages: any text comes back byte for byte, and what a person wrote is told apart from what is ours."""

import json
import re
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from wikimem.core import checks, keep, pages
from wikimem.core.footnotes import Footnote
from wikimem.core.lines import ClaimLine
from wikimem.core.pages import Heading, Kept, Link, Page

CASES = Path(__file__).parents[1] / "cases"
NASTY = [json.loads(line) for line in (CASES / "nasty.jsonl").read_text(encoding="utf-8").splitlines()]

OURS = """---
title: Logging setup
type: topic
aliases: []
scope: project:seedbank
status: current
summary: The service logs with slog.
valid_from:
valid_until:
---

# Logging setup

## Facts

- The service logs with slog. [^aaaaaaaaaaaa]
- Times are UTC. [^bbbbbbbbbbbb]

## History

- ~~The service logs with zap.~~ (until 2026-04, superseded by [^aaaaaaaaaaaa]) [^cccccccccccc]

## Related

- [New host](../environments/new-host.md)

[^aaaaaaaaaaaa]: fact · human · [L1](../../sources/a.jsonl#L1) “slog”
[^bbbbbbbbbbbb]: fact · human · [L2](../../sources/a.jsonl#L2) “UTC”
[^cccccccccccc]: fact · human · [L3](../../sources/a.jsonl#L3) “zap”
"""
GROWN = OURS.replace("- Times are UTC. [^bbbbbbbbbbbb]", "- Times are UTC. [^bbbbbbbbbbbb]\n- Logs rotate daily. [^dddddddddddd]")
SHRUNK = OURS.replace("- Times are UTC. [^bbbbbbbbbbbb]\n", "").replace(
    "[^bbbbbbbbbbbb]: fact · human · [L2](../../sources/a.jsonl#L2) “UTC”\n", ""
)

line_texts = st.sampled_from([*OURS.splitlines(), *NASTY, "```", "~~~~", "<!--", "-->", "## Notes", "## Mine", "   "])
page_texts = st.lists(line_texts | st.text(max_size=8), max_size=25).map(lambda found: "\n".join(found) + "\n")


def plain(text: str) -> str:
    return re.sub(r"\r+\n", "\n", text.lstrip("\ufeff"))


@settings(max_examples=1500, deadline=None)
@given(page_texts)
@example("\r\r\n")
@example("\ufeff\ufeff---\n")
def test_any_text_comes_back(text: str) -> None:
    page = pages.parse(text)
    assert pages.write(page) == plain(text)
    assert pages.parse(pages.write(page)) == page
    checks.of_text(text, "p")


def kinds(text: str) -> list[str]:
    return [type(line).__name__ for line in pages.parse(text).lines]


def test_each_line_of_ours_is_known() -> None:
    page = pages.parse(OURS)
    assert not any(isinstance(line, Kept) for line in page.lines)
    assert page.title == "Logging setup"
    assert [section for section, _ in page.claims] == ["Facts", "Facts", "History"]
    assert list(page.notes) == ["aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc"]
    assert page.links == (Link("New host", "../environments/new-host.md"),)
    assert checks.of_text(OURS, "p") == ()


def test_nothing_in_a_fence_a_comment_or_a_section_of_their_own_is_ours() -> None:
    text = OURS.replace(
        "## History",
        "```\n## Facts\n- x [^aaaaaaaaaaaa]\n```\n<!-- a\n- y [^aaaaaaaaaaaa]\n-->\n"
        "\n## Mine\n\n- z [^aaaaaaaaaaaa]\n\n"
        "## History",
    )
    page = pages.parse(text)
    assert len(page.claims) == 3
    assert pages.write(page) == text
    assert [line.section for line in page.lines if isinstance(line, Heading)] == ["Facts", "History", "Related"]


def test_a_fence_that_is_never_closed_hides_nothing() -> None:
    page = pages.parse(OURS.replace("## Facts\n", "## Facts\n```\n", 1))
    assert len(page.claims) == 3
    assert len(page.notes) == 3


def test_a_footnote_of_a_persons_own_is_theirs() -> None:
    page = pages.parse(OURS + "[^1]: mine\n[^aaaaaaaaaaaa]: rewritten\n")
    assert isinstance(page.lines[-1], Kept)
    assert isinstance(page.lines[-2], Kept)
    assert isinstance(page.lines[-3], Footnote)


def test_byte_order_mark_and_carriage_returns_are_not_content() -> None:
    assert pages.parse("\ufeff" + OURS.replace("\n", "\r\n")) == pages.parse(OURS)


def test_checks_name_what_is_not_proved_or_stands_twice() -> None:
    rules = [problem.rule for problem in checks.of_text(SHRUNK.replace("## History", "- A. [^bbbbbbbbbbbb]\n## History"), "p")]
    assert rules == ["footnote"]
    double = OURS.replace("- Times are UTC. [^bbbbbbbbbbbb]\n", "- Times are UTC. [^bbbbbbbbbbbb]\n" * 2)
    assert [(problem.rule, problem.where) for problem in checks.of_text(double, "p")] == [("twice", "p:18")]


def test_a_page_tells_which_claims_it_would_lose() -> None:
    assert checks.lost(pages.parse(OURS), pages.parse(SHRUNK), ()) == ("bbbbbbbbbbbb",)
    assert checks.lost(pages.parse(OURS), pages.parse(SHRUNK), ["bbbbbbbbbbbb"]) == ()
    assert checks.lost(pages.parse(OURS), pages.parse(GROWN), ()) == ()


def carried(old: str, new: str, was: str | None = None) -> str:
    return pages.write(keep.carry(pages.parse(old), pages.parse(new), pages.parse(was) if was else None))


theirs = st.lists(
    st.sampled_from(
        ["My note.", "- mine", "  continued", "<!-- c -->", "```\n## Facts\n```", "### Sub", "| a | b |", "[^1]: own"]
    ),
    min_size=1,
    max_size=3,
).map("\n".join)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.tuples(st.integers(10, 26), theirs, st.booleans(), st.booleans()), max_size=4))
def test_what_people_wrote_stays_where_it_was(edits: list[tuple[int, str, bool, bool]]) -> None:
    lines = OURS.splitlines()
    for place, words, before, after in sorted(edits, reverse=True):
        lines[place:place] = [*([""] if before else []), words, *([""] if after else [])]
    edited = "\n".join(lines) + "\n"
    # The same claims: the same bytes.
    assert carried(edited, OURS) == edited
    for new in (GROWN, SHRUNK):
        result = carried(edited, new)
        for _, words, _, _ in edits:
            assert words in result
        assert [line for line in pages.parse(result).lines if isinstance(line, ClaimLine)] == [
            line for line in pages.parse(new).lines if isinstance(line, ClaimLine)
        ]
        # And it settles: rendering again changes nothing.
        assert carried(result, new) == result


def test_notes_and_own_sections_come_after_what_is_new() -> None:
    old = OURS.replace("\n[^aaaaaaaaaaaa]: ", "\n## Notes\n\nMine.\n\n[^aaaaaaaaaaaa]: ", 1)
    new = OURS.replace(
        "- [New host](../environments/new-host.md)\n",
        "- [New host](../environments/new-host.md)\n- [Old host](../environments/old-host.md)\n",
    )
    result = carried(old, new)
    assert result.index("Old host") < result.index("## Notes") < result.index("Mine.") < result.index("[^aaaaaaaaaaaa]: ")
    assert "Old host](../environments/old-host.md)\n\n## Notes\n\nMine.\n\n[^aaa" in result


def test_keys_and_comments_of_the_frontmatter_stay() -> None:
    old = OURS.replace("type: topic\n", "type: topic\n# why a topic\nowner: Noa\ntags:\n  - logs\n")
    assert carried(old, GROWN) == GROWN.replace("type: topic\n", "type: topic\n# why a topic\nowner: Noa\ntags:\n  - logs\n")


def test_a_link_that_a_person_added_stays_and_one_of_ours_goes() -> None:
    old = OURS.replace(
        "- [New host](../environments/new-host.md)\n",
        "- [New host](../environments/new-host.md)\n- [Mine](../topics/mine.md): see there\n",
    )
    new = OURS.replace("\n## Related\n\n- [New host](../environments/new-host.md)\n", "")
    result = carried(old, new, was=OURS)
    assert "[Mine](../topics/mine.md): see there" in result
    assert "New host" not in result


def test_a_page_that_only_people_wrote_gets_ours_below_its_title() -> None:
    result = carried("Just my text.\n", OURS)
    assert result.startswith("---\ntitle: Logging setup\n")
    assert "# Logging setup\n\nJust my text.\n\n## Facts\n" in result


def test_two_renderings_are_one_value() -> None:
    page = pages.parse(OURS)
    assert isinstance(page, Page)
    assert carried(OURS, OURS) == OURS
    assert "Kept" not in kinds(OURS)
