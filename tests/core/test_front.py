"""Frontmatter: what is written is text for any reader, and comes back as the same text."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import checks, front, pages

TITLES = [
    "Moving: a report",
    "`rg` first",
    "Ticket #7 x",
    "@mira likes tabs",
    "- dash",
    '"quote" first',
    "it's",
    "{brace}",
    "[bracket]",
    "%x",
    "!x",
    "&x",
    "*x",
    "| x",
    "> x",
    "yes",
    "NO",
    "null",
    "~",
    "1.10",
    "0123",
    "12:30",
    "1e3",
    "2026-03-01",
    "tab\there",
    "line\nbreak",
    "ends with colon:",
    "# hash",
    "",
    " ",
    "rocket 🚀",
    "\u2028sep",
    "\x85next",
    "a: b: c # d",
    "=",
    "<<",
    ".inf",
    "key : value",
]


@pytest.mark.parametrize("text", TITLES)
def test_text_stays_text(text: str) -> None:
    line = front.write("title", text)
    assert "\n" not in line
    assert front.read(line) == ("title", text)
    assert yaml.safe_load(line) == {"title": text}


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_text_stays_text(text: str) -> None:
    line = front.write("title", text)
    assert front.read(line) == ("title", text)
    assert yaml.safe_load(line) == {"title": text}


@given(st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"])), max_size=4).map(tuple))
def test_lists_stay_lists(items: tuple[str, ...]) -> None:
    line = front.write("aliases", items)
    assert front.read(line) == ("aliases", items)
    assert yaml.safe_load(line) == {"aliases": list(items)}


@given(st.text(max_size=40))
def test_reading_never_raises(raw: str) -> None:
    front.read(f"title: {raw}")
    front.read(raw)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("title: NO # a comment", "NO"),
        ("title: 'it''s'", "it's"),
        ('title: "a\\tb" # c', "a\tb"),
        ("title: 12:30", "12:30"),
        ("title:", ""),
        ("aliases: [a, 'b, c', \"d\"]", ("a", "b, c", "d")),
        ("aliases: one", ("one",)),
        ("title: Deploys: why", None),
        ("title: {{date}}", None),
        ("title: [unclosed", None),
        ("title: |", None),
    ],
)
def test_the_forms_that_people_write(line: str, value: front.Value | None) -> None:
    assert front.read(line) == (line.split(":")[0], value)


UNTOUCHED = """---
# keep this comment
type: topic
country: NO
tags: [on, yes, 1e3, 22:30, 2026-03-01]
version: 1.10
closes: 12:30
commit: 12345e7
valid_from: 2026-03-08T21:14:05-05:00
valid_to: ~
list:
  - one

---
Body
"""


def test_an_untouched_page_keeps_its_bytes() -> None:
    assert pages.write(pages.parse(UNTOUCHED)) == UNTOUCHED


@pytest.mark.parametrize(
    ("head", "rule", "line", "hint"),
    [
        ("valid_from: 2026-02-30", "date", 2, "no date"),
        ("valid_until: {{date}}", "date", 2, "no date"),
        ("title: Deploys: why we moved", "frontmatter", 2, "title: the value holds a colon"),
        ("type: topic\ntags:\n\t- deploys", "frontmatter", 4, "a tab"),
        ("type: sandwich", "type", 2, "no type of page"),
        ("just words", "frontmatter", 2, "no `key: value`"),
    ],
)
def test_a_broken_header_is_named_and_kept(head: str, rule: str, line: int, hint: str) -> None:
    text = f"---\n{head}\n---\nBody stays readable.\n"
    (problem,) = checks.of_text(text, "wiki/topics/x.md")
    assert (problem.rule, problem.where) == (rule, f"wiki/topics/x.md:{line}")
    assert hint in problem.message
    assert pages.write(pages.parse(text)) == text


def test_an_unclosed_header_and_merge_markers_make_a_page_unfit() -> None:
    (problem,) = checks.of_text("---\ntitle: x\n\nBody\n", "p")
    assert problem.rule in checks.BROKEN
    (problem,) = checks.of_text("# x\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n", "p")
    assert (problem.rule, problem.where) == ("merge-marker", "p:2")
    assert checks.of_text("Title\n=======\n", "p") == ()


def test_a_line_of_a_person_s_own_that_rests_on_a_claim_without_a_footnote_is_told() -> None:
    text = "# x\n\nSee below. [^aaaaaaaaaaaa] Or there. [^bbbbbbbbbbbb]\n\n[^bbbbbbbbbbbb]: my own note\n"
    (problem,) = checks.of_text(text, "p")
    assert (problem.where, problem.rule) == ("p:3", "footnote")
    assert "aaaaaaaaaaaa" in problem.message
