"""Briefs: what people said comes first, a conflict is whole, what ended is told as ended, and the budget holds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dictated import session, tell
from remembering import Saying, remember
from wikimem import memory
from wikimem.core import briefs, bundles, exports
from wikimem.core.fold import Wiki
from wikimem.faces.api import Vault
from wikimem.vault import open_at

WORDS = (
    "Always merge with rebase.",
    "The hull is painted red.",
    "The hull is painted blue.",
    "The quay has four berths.",
    "No, five berths.",
)


@pytest.fixture
def wiki(vault: Vault) -> Wiki:
    tell(vault, session("one", "2026-03-02", *WORDS))
    remember(
        vault,
        Saying("one", 1, "topic: merging", "", "Merges are made with rebase.", WORDS[0], kind="procedural"),
        Saying("one", 2, "topic: hull", "colour", "The hull is red.", WORDS[1]),
        Saying("one", 3, "topic: hull", "colour", "The hull is blue.", WORDS[2]),
        Saying("one", 4, "topic: quay", "berths", "The quay has four berths.", WORDS[3]),
        Saying("one", 5, "topic: quay", "berths", "The quay has five berths.", WORDS[4]),
        denies=(("The quay has five berths.", "The quay has four berths."),),
    )
    return memory.load(vault.root, open_at(vault.root).ledger, open_at(vault.root).settings.vocabulary).wiki


def section(text: str, heading: str) -> list[str]:
    part = text.partition(f"\n{heading}:\n")[2].partition("\n\n")[0]
    return [line for line in part.splitlines() if line.startswith("- ")]


def test_what_people_told_stands_with_its_page(wiki: Wiki) -> None:
    text = briefs.of(wiki, "Memory of harbour", 2000)
    assert text.startswith("Memory of harbour: ")
    assert section(text, "Told by people") == ["- merging: Merges are made with rebase. (said 2026-03-02) [topics/merging.md]"]


def test_what_never_was_so_is_told_so(wiki: Wiki) -> None:
    lines = section(briefs.of(wiki, "Memory", 2000), "Changed lately")
    assert any(line.startswith("- never was so: The quay has four berths.") for line in lines)
    assert not any(line.startswith("- The quay has four") for line in lines)


def test_pages_stand_by_type(wiki: Wiki) -> None:
    lines = section(briefs.of(wiki, "Memory", 2000), "Pages")
    assert [line.partition(": ")[0] for line in lines] == ["- topics/"]
    assert {"hull", "merging", "quay"} == set(lines[0].partition(": ")[2].split(", "))


def test_nothing_gives_nothing(vault: Vault) -> None:
    opened = open_at(vault.root)
    assert briefs.of(memory.load(vault.root, opened.ledger, opened.settings.vocabulary).wiki, "Memory", 2000) == ""


@settings(max_examples=25, deadline=None)
@given(budget=st.integers(0, 700))
def test_the_budget_holds_and_a_conflict_is_whole(budget: int) -> None:
    text = briefs.of(_made(), "Memory", budget)
    assert bundles.tokens(text) <= budget or not text
    sides = section(text, "In conflict")
    assert len(sides) in (0, 2)


_MADE: list[Wiki] = []


def _made() -> Wiki:
    return _MADE[0]


@pytest.fixture(autouse=True)
def _kept(request: pytest.FixtureRequest) -> None:
    if "budget" in request.node.name:
        _MADE[:] = [request.getfixturevalue("wiki")]


def test_what_a_project_decided_itself_comes_before_what_belongs_to_none(vault: Vault) -> None:
    """Also where it was decided long before, and there is no room for all."""
    other = [f"We decided to paint hull {number} of the northern fleet in a very particular shade of red." for number in range(9)]
    tell(vault, session("one", "2026-03-02", "We decided to moor at the east quay."), session("two", "2026-03-09", *other))
    quay = "We decided to moor at the east quay."
    own = Saying("one", 1, "project: harbour", "decision", "The harbour moors at the east quay.", quay)
    rest = [
        Saying("two", number, f"topic: hull {number}", "decision", f"Hull {number} is red.", said)
        for number, said in enumerate(other, 1)
    ]
    remember(vault, own, *(replace(each, scope="") for each in rest))
    wiki = memory.load(vault.root, open_at(vault.root).ledger, open_at(vault.root).settings.vocabulary).wiki
    told = section(briefs.of(exports.scoped(wiki, "project:harbour", False), "Memory", 700, scope="project:harbour"), "Decided")
    assert "east quay" in told[0]
    without = section(briefs.of(exports.scoped(wiki, "project:harbour", False), "Memory", 700), "Decided")
    assert "east quay" not in without[0]
