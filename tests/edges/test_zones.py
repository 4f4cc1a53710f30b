"""Zones by name: the whole database, near names for wrong ones, and rules that another process can be sent."""

from __future__ import annotations

import pickle
from importlib import metadata

import pytest

from wikimem.core.zones import UTC
from wikimem.edges import zones


def test_every_name_of_the_database_has_rules() -> None:
    names = zones.names()
    assert {"Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "UTC"} <= names
    assert len(names) > 400
    for name in sorted(names)[::20]:
        found = zones.named(name)
        assert found is not None and found.name == name
        assert found.floor("2026-06-01")


def test_utc_needs_no_rules() -> None:
    assert zones.named("UTC") is UTC
    other = zones.named("Etc/UTC")
    assert other is not None and other.floor("2026-06-01") == "2026-06-01T00:00:00"


@pytest.mark.parametrize(
    "name", ["", "Berlin", "europe/berlin", "CEST", "../../etc/passwd", "Europe", "zones", "Europe/Berlin/x"]
)
def test_what_is_no_name_has_no_zone(name: str) -> None:
    assert zones.named(name) is None


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("Europe/Berln", "Europe/Berlin"),
        ("new york", "America/New_York"),
        ("America/NewYork", "America/New_York"),
        ("Kolkatta", "Asia/Kolkata"),
    ],
)
def test_a_wrong_name_gets_the_one_that_was_meant(wrong: str, meant: str) -> None:
    assert meant in zones.near(wrong)


def test_of_a_name_like_no_other_nothing_is_said() -> None:
    assert zones.near("qqqq") == zones.near("") == ()


def test_rules_come_from_the_locked_package_and_reach_another_process() -> None:
    assert metadata.version("tzdata")
    found = zones.named("Europe/Berlin")
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert again.day("2026-01-21T23:30:00Z") == "2026-01-22"
