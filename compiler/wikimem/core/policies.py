"""Policies: what becomes of a change by its risk and the type of its page: committed, reviewed first, or refused.

Read from the table `[review]` of a vault's settings. How great a risk is, is decided by `risks`, which every start of the
program does without.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

MANY = 5
"""Claims that one source closes, from which on it is too many to go unseen."""


class Risk(StrEnum):
    """How much harm a change can do."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def rank(self) -> int:
        """0 for the lowest."""
        return tuple(Risk).index(self)


@dataclass(frozen=True, slots=True)
class Finding:
    """The risk of one change.

    Args:
        claim: id of the new claim that brings it about; empty if none of those asked about does.
        risk: how great it is.
        reason: what the change does, as a clause.
        page: its path below `wiki/`.
        type: the type of the page's subject.
    """

    claim: str
    risk: Risk
    reason: str
    page: str
    type: str


class Way(StrEnum):
    """What becomes of a change."""

    COMMIT = "commit"
    REVIEW = "review"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Policy:
    """What becomes of which change.

    Args:
        ways: by risk.
        types: by type of page and risk, before `ways`.
        many: how many claims one source may close before that is a high risk.
    """

    ways: Mapping[Risk, Way]
    types: Mapping[tuple[str, Risk], Way] = field(default_factory=dict)
    many: int = MANY

    def way(self, finding: Finding) -> Way:
        """What becomes of a change."""
        return self.types.get((finding.type, finding.risk)) or self.ways[finding.risk]


PRIVATE = Policy({Risk.LOW: Way.COMMIT, Risk.MEDIUM: Way.COMMIT, Risk.HIGH: Way.REVIEW})
"""One person's own memory: only what is risky waits."""
SHARED = Policy({Risk.LOW: Way.COMMIT, Risk.MEDIUM: Way.REVIEW, Risk.HIGH: Way.REVIEW})
"""A team's memory: what changes something for others waits."""


def read(told: Mapping[str, Any], kind: str) -> tuple[Policy, str]:
    """The policy of a table `[review]`.

    Args:
        told: the table: `low`, `medium` and `high`, each `commit`, `review` or `refuse`; `many`; and tables of the same
            words by type of page, as `[review.person]`.
        kind: of the vault, `private` or `shared`: what holds where the table says nothing.

    Returns:
        The policy, and what is wrong with the table, as a clause; empty if nothing is.
    """
    otherwise = SHARED if kind == "shared" else PRIVATE
    ways = dict(otherwise.ways)
    types: dict[tuple[str, Risk], Way] = {}
    many = otherwise.many
    for key, value in told.items():
        if key == "many":
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                return otherwise, f"review.many is {value!r}; it must be a number, 1 or more"
            many = value
        elif isinstance(value, dict):
            # Few settings name a type, and every start of the program comes by here.
            from wikimem.core.claims import TYPES

            if key not in TYPES:
                return otherwise, f"[review.{key}] is no type of page; known are {', '.join(TYPES)}"
            for risk, way in value.items():
                if wrong := _wrong(f"{key}.{risk}", risk, way):
                    return otherwise, wrong
                types[(key, Risk(risk))] = Way(way)
        elif wrong := _wrong(key, key, value):
            return otherwise, wrong
        else:
            ways[Risk(key)] = Way(value)
    return Policy(ways, types, many), ""


def _wrong(where: str, risk: str, way: object) -> str:
    if risk not in tuple(Risk):
        return f"review.{where} is no setting; known are {', '.join(Risk)}, many"
    return "" if way in tuple(Way) else f"review.{where} is {way!r}; it can be {' or '.join(Way)}"
