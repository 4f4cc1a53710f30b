"""Which paths may be named on the shelf: whatever is spelled, it stays below wiki/ and sources/."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wikimem.core import shelving

ATTACKS = (
    "../../home/keys.txt",
    "/home/ines/.ssh/id",
    "wiki/../../home/keys.txt",
    "wiki/..",
    "wiki/./topics",
    "wiki//topics",
    "..\\..\\keys.txt",
    "wiki\\topics",
    "%2e%2e/keys.txt",
    "wiki/%2E%2e/keys.txt",
    "wiki%2f..%2fkeys",
    "C:\\Users\\ines\\keys.txt",
    "C:/Users/ines/keys.txt",
    "wiki/tides.md:hidden",
    "wiki/tides.md::$DATA",
    ".git/config",
    ".wikimem/replies/till.db",
    "wiki/.claims/pairs/ab.jsonl",
    "sources/.git/config",
    "wiki/GIT~1/config",
    "wiki/tides.md\x00.txt",
    "wiki/tides\n.md",
    "wiki/\u202etides.md",
    "wiki/\uff0e\uff0e/keys.txt",
    "wiki/\u2024\u2024/keys.txt",
    "wiki/tides.md.",
    "wiki/tides.md ",
    "wiki/con",
    "sources/2026/AUX.md",
    "~/keys.txt",
    "wikimem.toml",
    "Wiki/tides.md",
    "",
    "x" * 5000,
)


@pytest.mark.parametrize("path", ATTACKS)
def test_a_path_that_could_lead_elsewhere_is_refused_by_its_spelling(path: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        shelving.parts(path)


@pytest.mark.parametrize("path", ["wiki", "wiki/", "wiki/topics/tide-tables.md", "sources/2026/02/20260202-note-0badcafe.md"])
def test_a_plain_path_is_taken(path: str) -> None:
    assert "/".join(shelving.parts(path)) == path.removesuffix("/")


@given(
    st.one_of(st.text(), st.lists(st.sampled_from(["wiki", "..", ".", "", "a", "sources", "~", "C:", "\\", "%2e"])).map("/".join))
)
@example("wiki/a/../../..")
def test_no_path_that_is_taken_leaves_the_shelf_on_any_system(path: str) -> None:
    try:
        parts = shelving.parts(path)
    except ValueError:
        return
    assert parts[0] in shelving.TOPS
    for kind in (PurePosixPath, PureWindowsPath):
        told = kind("/vault", *parts) if kind is PurePosixPath else kind("C:/vault", *parts)
        assert told.parts[2:] == parts
        assert ".." not in told.parts


@given(st.text(max_size=300), st.integers(0, 300), st.integers(0, 300), st.integers(1, 100))
def test_a_window_is_no_longer_than_asked_and_holds_the_beginning_of_what_matched(text: str, a: int, b: int, wide: int) -> None:
    start, end = sorted((min(a, len(text)), min(b, len(text))))
    shown = shelving.window(text, start, end, wide)
    assert len(shown) <= wide + 4
    if len(text) > wide:
        assert "…" in shown
    else:
        assert shown == text


@pytest.mark.parametrize(("at", "line"), [("L12", 12), ("L12-2", 12), ("agent-a1/L7", 7), ("m-4", 0), ("", 0)])
def test_a_locator_tells_its_line(at: str, line: int) -> None:
    assert shelving.number(at) == line
