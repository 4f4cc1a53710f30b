"""Tidiness: near-duplicates are listed by their words, never across scopes, and never where a value or a day differs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dictated import Dictated, session, tell
from wikimem.errors import Problem
from wikimem.faces.api import Vault

LINE = "{} | {} | {} | {}"
ONE = "Nightly backups of the harbour database are copied to the second vault."


def hints(vault: Vault, rule: str, *said: tuple[str, str, str, str], cwd: str = "") -> list[Problem]:
    """The hints of a rule after two sessions; each says half of it, the second in another folder if one is given."""
    half = (len(said) + 1) // 2
    lines = [LINE.format(*one) for one in said]
    tell(vault, session("a", "2026-01-10", *lines[:half]))
    tell(vault, session("b", "2026-01-12", *lines[half:], cwd=cwd or "/home/sam/harbour"))
    vault.compile(model=Dictated())
    return [one for one in vault.lint().hints if one.rule == rule]


def test_two_wordings_on_two_pages_are_told_with_both_lines(vault: Vault) -> None:
    other = "The nightly backup of the harbour database is copied to the second vault."
    (found,) = hints(vault, "near-duplicate", ("topic", "backups", "", ONE), ("topic", "disaster plan", "", other))
    assert found.where == "wiki/topics/backups.md"
    assert ONE in found.message
    assert other in found.message
    assert "wiki/topics/disaster-plan.md" in found.message
    assert vault.lint().is_clean


@pytest.mark.parametrize(
    "other",
    [
        "Nightly backups of the harbour database are copied to the third cellar and kept for long.",
        "Nightly backups of the harbour database are copied to the second vault since 2025-04-01.",
        "Nightly backups of the harbour database are copied to the second vault on port 4110.",
    ],
)
def test_other_words_another_value_and_another_day_are_no_twins(vault: Vault, other: str) -> None:
    assert hints(vault, "near-duplicate", ("topic", "backups", "", ONE), ("topic", "disaster plan", "", other)) == []


def test_two_scopes_are_never_compared(vault: Vault) -> None:
    said = (("topic", "backups", "", ONE), ("topic", "disaster plan", "", ONE.replace("are copied", "are being copied")))
    assert hints(vault, "near-duplicate", *said, cwd="/home/sam/foundry") == []


def test_pages_named_with_the_same_words_are_told(vault: Vault) -> None:
    said = (
        ("topic", "tide gauge alarms", "", "Alarms ring twice."),
        ("gotcha", "alarms of the tide gauge", "", "Rain rings them."),
    )
    (found,) = hints(vault, "twin-pages", *said)
    assert "tide-gauge" in found.message
    assert found.where.startswith("wiki/")


def test_an_attribute_that_no_vocabulary_knows_is_told_once_with_the_number_of_claims(
    vault: Vault, reopen: Callable[[Vault], Vault]
) -> None:
    settings = vault.root / "wikimem.toml"
    whole = settings.read_text()
    settings.write_text(whole + "\n[vocabulary.hue]\nsingle = true\n")
    vault = reopen(vault)
    said = (("topic", "kiln", "hue", "The kiln is blue."), ("topic", "oven", "hue", "The oven is green."))
    assert hints(vault, "unknown-attribute", *said) == []
    settings.write_text(whole)
    (found,) = [one for one in reopen(vault).lint().hints if one.rule == "unknown-attribute"]
    assert "2 claims have the attribute hue" in found.message


def test_an_attribute_that_is_another_one_in_other_words_is_told_with_it(vault: Vault, reopen: Callable[[Vault], Vault]) -> None:
    settings = vault.root / "wikimem.toml"
    whole = settings.read_text()
    settings.write_text(whole + "\n[vocabulary.limits-retry]\nsingle = true\n\n[vocabulary.glaze]\nsingle = true\n")
    said = (("topic", "kiln", "limits-retry", "The kiln tries 3 times."), ("topic", "oven", "glaze", "The oven is green."))
    assert hints(reopen(vault), "unknown-attribute", *said) == []
    settings.write_text(whole)
    told = [one.message for one in reopen(vault).lint().hints if one.rule == "unknown-attribute"]
    assert [("it looks like retry-limit;" in one, "it looks like" in one) for one in told] == [(False, False), (True, True)]
