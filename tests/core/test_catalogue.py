"""The catalogue: which page a name means, and what is near where none does."""

from __future__ import annotations

import pytest

from wikimem.core import catalogue
from wikimem.core.catalogue import Entry

ENTRIES = (
    Entry("topics/payment-retries.md", "Payment retries", ("retry policy",)),
    Entry("procedures/payment-retries.md", "Payment retries", ()),
    Entry("people/ines-duarte.md", "Ines Duarte", ("Ines", "the harbour master")),
    Entry("topics/übung.md", "Übung", ()),
    Entry("topics/c-plus-plus.md", "C++", ()),
    Entry("topics/queue/history.md", "Queue: history", ()),
)


@pytest.mark.parametrize(
    ("name", "paths"),
    [
        ("ines-duarte", ["people/ines-duarte.md"]),
        ("INES DUARTE", ["people/ines-duarte.md"]),
        ("the Harbour Master", ["people/ines-duarte.md"]),
        ("retry policy", ["topics/payment-retries.md"]),
        ("payment retries", ["topics/payment-retries.md", "procedures/payment-retries.md"]),
        ("procedures/payment-retries", ["procedures/payment-retries.md"]),
        ("./wiki/topics/payment-retries.md", ["topics/payment-retries.md"]),
        ("ÜBUNG", ["topics/übung.md"]),
        ("U\u0308bung", ["topics/übung.md"]),
        ("topics/queue/history", ["topics/queue/history.md"]),
    ],
)
def test_names(name: str, paths: list[str]) -> None:
    found, near = catalogue.find(name, ENTRIES)
    assert ([entry.path for entry in found], near) == (paths, ())


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("payment-retris", ("payment-retries",)),
        ("duarte", ("ines-duarte",)),
        ("master", ("ines-duarte",)),
        ("zeppelin", ()),
        ("", ()),
        ("!!!", ()),
    ],
)
def test_what_is_near(name: str, near: tuple[str, ...]) -> None:
    assert catalogue.find(name, ENTRIES) == ((), near)


@pytest.mark.parametrize(
    ("path", "is_page"),
    [
        ("topics/a.md", True),
        ("topics/a/history.md", True),
        ("topics/index.md", False),
        ("index.md", False),
        ("sessions/2026/08/x.md", False),
        (".claims/2026/08/x.jsonl", False),
        ("topics/a.txt", False),
        ("elsewhere/a.md", False),
        ("topics", False),
    ],
)
def test_what_is_a_page(path: str, is_page: bool) -> None:
    assert catalogue.is_page(path) == is_page
