"""Zones by name: the rules of the IANA database, as the package `tzdata` holds them. Not the arithmetic (`core.zones`).

The package is asked before the system: two machines with the same locked requirements then have the same rules, and so
the same pages.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache
from importlib import resources
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from wikimem.core.zones import UTC, Zone


class _Rules(ZoneInfo):
    """Rules that can be sent to another process, wherever they were read."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return _rules, (self.key,)


def named(name: str) -> Zone | None:
    """The zone of a name, `Europe/Berlin`; None if there is none of it."""
    if name == UTC.name:
        return UTC
    try:
        return Zone(name, _rules(name)) if name in names() else None
    except (OSError, ValueError):
        return None


def near(name: str) -> tuple[str, ...]:
    """Names that somebody may have meant by one that is none, the likeliest first, at most three."""
    folded = {each.casefold(): each for each in sorted(names())}
    wanted = name.strip().casefold().replace(" ", "_")
    city = wanted.rsplit("/", 1)[-1]
    told = [each for key, each in folded.items() if city and key.rsplit("/", 1)[-1] == city]
    close = [folded[key] for key in get_close_matches(wanted, folded, 3, 0.75)]
    cities = {key.rsplit("/", 1)[-1]: each for key, each in folded.items()}
    close += [cities[key] for key in get_close_matches(city, cities, 3, 0.75)]
    return tuple(dict.fromkeys((*told, *close)))[:3]


@lru_cache(maxsize=1)
def names() -> frozenset[str]:
    """The names of all zones."""
    try:
        told = resources.files("tzdata").joinpath("zones").read_text(encoding="utf-8")
    except (ModuleNotFoundError, FileNotFoundError):
        from zoneinfo import available_timezones

        return frozenset({*available_timezones(), UTC.name})
    return frozenset({*told.split(), UTC.name})


@lru_cache(maxsize=8)
def _rules(name: str) -> ZoneInfo:
    try:
        with resources.files("tzdata").joinpath("zoneinfo", *name.split("/")).open("rb") as file:
            return _Rules.from_file(file, key=name)
    except (ModuleNotFoundError, FileNotFoundError):
        try:
            return ZoneInfo(name)
        except ZoneInfoNotFoundError as error:
            raise ValueError(str(error)) from None
