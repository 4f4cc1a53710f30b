"""Lint: values that were superseded and stand elsewhere still, with both lines."""

from __future__ import annotations

import pytest

from dictated import Dictated, check, session, tell
from wikimem.faces import text
from wikimem.faces.api import Vault

LINE = "topic | {} | {} | {}"
OLD, NEW = "The metrics server runs on port 7070.", "The metrics server runs on port 7171."


def changed(vault: Vault, *others: tuple[str, str, str], old: tuple[str, str] = ("port", OLD), new: str = NEW) -> Vault:
    """A value of the metrics server that a later one supersedes, and other claims of the first day."""
    first = [LINE.format("metrics server", *old), *(LINE.format(*other) for other in others)]
    tell(vault, session("a", "2026-01-10", *first), session("b", "2026-02-20", LINE.format("metrics server", old[0], new)))
    vault.compile(model=Dictated())
    check(vault)
    return vault


def test_a_claim_with_a_superseded_value_is_listed_with_both_lines(vault: Vault) -> None:
    elsewhere = "The dashboard reads the metrics server at port 7070."
    (found,) = changed(vault, ("dashboard", "", elsewhere)).lint().stale
    assert (found.page, found.claim[1], found.value) == ("wiki/topics/dashboard.md", elsewhere, "7070")
    assert (found.ended_page, found.ended[1], found.now[1]) == ("wiki/topics/metrics-server.md", OLD, NEW)
    shown = text.linted(vault.lint())
    assert shown.startswith("Warning: 7070 was superseded")
    assert elsewhere in shown
    assert OLD in shown
    told = vault.lint().as_json()["stale"]
    assert told == [
        {
            "page": found.page,
            "claim": {"id": found.claim[0], "text": elsewhere},
            "value": "7070",
            "ended": {"page": found.ended_page, "id": found.ended[0], "text": OLD},
            "now": {"id": found.now[0], "text": NEW},
        }
    ]


def test_a_stale_value_of_the_same_subject_is_listed_too(vault: Vault) -> None:
    (found,) = changed(vault, ("metrics server", "", "Alarms of the metrics server are sent from port 7070.")).lint().stale
    assert found.page == found.ended_page


@pytest.mark.parametrize(
    "words",
    [
        "The metrics server moved from 7070 to 7171.",
        "The metrics server is not on port 7070.",
        "Port 7070 of the metrics server is closed.",
        "The mill listens on port 7070.",
        "The metrics server counts kilns.",
    ],
)
def test_what_tells_of_the_change_or_of_something_else_is_not_stale(vault: Vault, words: str) -> None:
    assert changed(vault, ("mill", "", words)).lint().is_clean


def test_a_short_number_is_stale_only_beside_the_attribute(vault: Vault) -> None:
    old = ("timeout", "The metrics server has a timeout of 30 s.")
    others = (
        ("mill", "", "The metrics server has 30 kilns."),
        ("oven", "", "The timeout of 30 s of the metrics server is long."),
    )
    made = changed(vault, *others, old=old, new="The metrics server has a timeout of 60 s.")
    assert [one.page for one in made.lint().stale] == ["wiki/topics/oven.md"]


def test_without_a_correction_there_is_nothing_to_look_at(vault: Vault) -> None:
    tell(vault, session("a", "2026-01-10", LINE.format("metrics server", "port", OLD)))
    vault.compile(model=Dictated())
    assert vault.lint().is_clean
    assert text.linted(vault.lint()) == "Nothing to look at."


def test_what_a_page_is_summed_up_with_leads_nowhere(vault: Vault) -> None:
    tell(vault, session("a", "2026-01-10", "topic | berths | | Berths are told of in [[pier]] and <!-- x -->."))
    vault.compile(model=Dictated())
    assert "summary: " in (vault.root / "wiki/topics/berths.md").read_text()
    assert [one for one in vault.lint().problems if one.rule == "dead-link"] == []
