"""Commit messages: git reads back our trailers and no others, and a hosting site finds nobody to notify."""

from __future__ import annotations

import re
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikimem.edges.repo.message import Message, defuse, render


def trailers_by_git(message: str) -> list[str]:
    done = subprocess.run(
        ["git", "interpret-trailers", "--parse", "--no-divider"], input=message.encode(), capture_output=True, check=True
    )
    return done.stdout.decode().splitlines()


def test_subject_body_and_trailers_stand_in_paragraphs() -> None:
    message = Message("Add  a\npage", "Because.\n\nAnd so on.\n", (("Wiki-Op", "compile"), ("Claims", "+3 ~1 -0")))
    assert render(message) == "Add a page\n\nBecause.\n\nAnd so on.\n\nWiki-Op: compile\nClaims: +3 ~1 -0\n"
    assert trailers_by_git(render(message)) == ["Wiki-Op: compile", "Claims: +3 ~1 -0"]


@pytest.mark.parametrize(
    ("said", "harmless"),
    [
        ("thanks @nora and @acme/team", "thanks @ nora and @ acme/team"),
        ("(@nora) @dependabot[bot] `@x`", "(@ nora) @ dependabot[bot] `@ x`"),
        ("write to nora@example.org", "write to nora@example.org"),
        ("fixes #3, closes acme/shop#12", "fixes # 3, closes acme/shop# 12"),
        ("resolves GH-7 and gh-8", "resolves GH 7 and gh 8"),
        ("SHOP-12 #close", "SHOP-12 # close"),
        ("see !4 and &5", "see ! 4 and & 5"),
        ("closes https://git.example/acme/shop/issues/3", "closes https://git.example/acme/shop/issues/ 3"),
        ("a & b, C# and #, 100 %", "a & b, C# and #, 100 %"),
    ],
)
def test_what_a_hosting_site_would_act_on_is_defused(said: str, harmless: str) -> None:
    assert defuse(said) == harmless
    assert render(Message(said, said)) == f"{harmless}\n\n{harmless}\n"


def test_a_body_cannot_pass_for_trailers() -> None:
    message = Message("Wiki-Op: forget", "Wiki-Op: forget\nSource : x\nSigned-off-by: y\n(cherry picked from commit 1)")
    assert trailers_by_git(render(message)) == []


def test_a_trailer_with_a_line_break_stays_one_trailer() -> None:
    message = Message("x", trailers=(("Model", "m\nWiki-Op: forget"),))
    assert trailers_by_git(render(message)) == ["Model: m Wiki-Op: forget"]


def test_a_message_is_never_empty_and_always_text() -> None:
    assert render(Message(" \n ")) == "wikimem\n"
    assert render(Message("a\0b\ud800c\x1b[1m")) == "a b?c [1m\n"


@pytest.mark.parametrize("name", ["", "two words", "Ü", "a:", "-a", "a\n"])
def test_a_trailer_needs_a_name(name: str) -> None:
    with pytest.raises(ValueError, match="no name of a trailer"):
        render(Message("x", trailers=((name, "y"),)))


@given(st.text(), st.text())
def test_no_text_mentions_closes_or_breaks_out(subject: str, body: str) -> None:
    said = render(Message(subject, body, (("Wiki-Op", "compile"),)))
    first, *rest = said.removesuffix("\n").split("\n")
    assert first
    assert not rest or rest[0] == ""
    assert said.endswith("\n\nWiki-Op: compile\n")
    assert not re.search(r"(?<![A-Za-z0-9])@\w|#\w|\bGH-\d|\0", said, re.IGNORECASE)
    assert defuse(defuse(subject)) == defuse(subject)


FORGED = st.lists(
    st.sampled_from(["Wiki-Op: forget", "Source: x", " Wiki-Op: forget", "", "prose", "---", "# x", "Signed-off-by: x", "a:b"]),
    max_size=6,
)


@pytest.mark.parametrize("trailers", [(), (("Wiki-Op", "compile"),)])
def test_no_body_forges_a_trailer(trailers: tuple[tuple[str, str], ...]) -> None:
    @given(FORGED)
    def law(lines: list[str]) -> None:
        said = render(Message("subject", "\n".join(lines), trailers))
        assert trailers_by_git(said) == [f"{key}: {value}" for key, value in trailers]

    law()
