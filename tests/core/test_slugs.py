"""Slugs: one page, one file, on every file system; never another page's."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core import slugs
from wikimem.core.slugs import Named


def named(*titles: str, type: str = "topic", scope: str = "") -> list[Named]:
    return [Named(f"key{number}", title, type, scope) for number, title in enumerate(titles)]


def test_equal_titles_never_share_a_file() -> None:
    found = slugs.assign(
        [
            Named("p1", "Sleepy copper lantern", "topic", "project:harbour"),
            Named("p2", "Sleepy copper lantern", "topic", "project:orchard"),
            Named("p3", "Sleepy copper lantern", "person", "project:orchard"),
            Named("p4", "sleepy COPPER lantern", "topic", ""),
        ]
    )
    assert found["p1"] == "sleepy-copper-lantern-harbour"
    assert found["p4"] == "sleepy-copper-lantern"
    assert found["p2"] != found["p3"]
    assert all(made.startswith("sleepy-copper-lantern-orchard-") for made in (found["p2"], found["p3"]))


def test_scripts_and_signs_stay_apart() -> None:
    found = slugs.assign(named("街路樹", "航海日誌", "!!!", "🚀", "C++", "C#", "C"))
    assert found["key0"] == "街路樹"
    assert found["key1"] == "航海日誌"
    assert found["key2"].startswith("topic-")
    assert found["key3"].startswith("topic-")
    assert (found["key4"], found["key5"], found["key6"]) == ("c-plus-plus", "c-sharp", "c")
    assert len(set(found.values())) == 7


@pytest.mark.parametrize(
    ("title", "made"),
    [
        ("CON", "topic-con"),
        ("nul", "topic-nul"),
        ("LPT9", "topic-lpt9"),
        ("com1.notes", "com1-notes"),
        ("release.", "release"),
        (".hidden", "hidden"),
        ("-rf", "rf"),
        ("index", "topic-index"),
        ("README", "topic-readme"),
        ('a/b:c*d?e"f<g>h|i', "a-b-c-d-e-f-g-h-i"),
        ("../../outside", "outside"),
        ("..\\..\\outside", "outside"),
        ("%2e%2e/outside", "2e-2e-outside"),
        ("a.md\x00.txt", "a-md-txt"),
        ("tab\tand\nnewline", "tab-and-newline"),
        ("ﬁne ＡＰＩ", "fine-api"),
    ],
)
def test_hostile_titles(title: str, made: str) -> None:
    assert slugs.slug(title, "topic", "key") == made


@pytest.mark.parametrize("title", ["x" * 400, "長" * 200, "b" * 78 + "ﬀ𝒳", "e\u0301" * 100, "คำ" * 60])
def test_long_titles_are_cut_and_told_apart(title: str) -> None:
    one, other = slugs.slug(title, "topic", "one"), slugs.slug(title, "topic", "other")
    assert len(one.encode()) <= slugs.LONGEST
    assert one == other or one[-6:] != other[-6:]
    if len(title) > 100:
        assert one != other


titles = st.text(max_size=40) | st.sampled_from(
    ["a b", "A-B", "a  b!", "con", "CON ", "a-b-orchard", "İ", "ß", "ss", "\u0301", "a\u0301", "á", "K", "K", "x" * 90]
)


@given(st.lists(st.tuples(titles, st.sampled_from(["", "project:orchard", "user:mira"])), max_size=9))
def test_slugs_are_unique_valid_and_independent_of_order(subjects: list[tuple[str, str]]) -> None:
    every = [Named(f"key{number}", title, "topic", scope) for number, (title, scope) in enumerate(subjects)]
    found = slugs.assign(every)
    assert len({made.casefold() for made in found.values()}) == len(every)
    for made in found.values():
        assert 0 < len(made.encode()) <= slugs.LONGEST
        assert made.split(".")[0] not in slugs.RESERVED
        assert re.fullmatch(r"[^\s/\\.:*?\"<>|\x00-\x1f]+", made)
        assert made.strip("-") == made
    assert slugs.assign(random.Random(3).sample(every, len(every))) == found


def test_links_lead_from_page_to_page() -> None:
    assert slugs.relative("projects/shop.md", "topics/api.md") == "../projects/shop.md"
    assert slugs.relative("topics/api.md", "sessions/2026/08/x.md") == "../../../topics/api.md"
