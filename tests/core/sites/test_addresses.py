"""Addresses: relative links that lead where they should, and no scheme but those of the web and of mail."""

from __future__ import annotations

from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.core.sites import addresses

PART = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/"), min_size=1, max_size=6).filter(
    lambda part: part not in (".", "..")
)
FILE = st.lists(PART, min_size=1, max_size=4).map("/".join)


@given(FILE, FILE, st.text(st.characters(exclude_categories=["Cs"]), max_size=6))
def test_a_link_leads_to_its_target_whatever_the_names_are(target: str, here: str, fragment: str) -> None:
    link = addresses.link(target, here, fragment)
    parts = urlsplit(link)
    assert (parts.scheme, parts.netloc, parts.query) == ("", "", "")
    assert normpath(join(dirname(here), unquote(parts.path))) == target
    assert unquote(parts.fragment) == fragment
    assert link.isascii()


@pytest.mark.parametrize(
    ("href", "told"),
    [
        ("https://example.org/a?b=c#d", True),
        ("HTTP://example.org", True),
        ("mailto:sam@example.org", True),
        ("javascript:alert(1)", False),
        (" https://example.org", False),
        ("https://", False),
        ("https:///x", False),
        ("//example.org", False),
        ('https://example.org/"onclick="', False),
        ("https://example.org\\@x", False),
        ("data:text/html,x", False),
    ],
)
def test_only_addresses_of_the_web_and_of_mail_are_linked(href: str, told: bool) -> None:
    assert addresses.safe(href) == (href if told else "")


@pytest.mark.parametrize("href", ["/x", "\\\\x", "x:y", "java\tscript:x", "a b"])
def test_what_is_not_plainly_relative_is_not(href: str) -> None:
    assert not addresses.is_relative(href)


def test_a_turn_is_addressed_by_its_locator_or_by_a_hash_of_it() -> None:
    assert addresses.turn("L120-2") == "L120-2"
    assert addresses.turn("agent-a1/L7") == "agent-a1/L7"
    assert addresses.turn('m1" onclick="x').startswith("t-")


def test_a_citation_of_a_page_names_source_and_locator() -> None:
    assert addresses.cited("../../sources/2026/08/20260814-claude-code-9f3a1c2b.jsonl#L120") == (
        "20260814-claude-code-9f3a1c2b",
        "L120",
    )
    assert addresses.cited("../topics/x.md") is None
