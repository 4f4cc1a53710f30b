"""Checkups: what was looked at in an installation, what is so, and what to do about it. Values; nothing is looked at here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class State(StrEnum):
    """How something stands, the gravest last."""

    OK = "ok"
    LOOK = "look"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Checkup:
    """One thing that was looked at.

    Args:
        name: of the thing: `git`, `index`, `hooks of claude-code`.
        state: how it stands.
        told: what is so, one clause.
        advice: what to do; empty where there is nothing to do.
    """

    name: str
    state: State
    told: str
    advice: str = ""

    def as_json(self) -> dict[str, Any]:
        """The checkup as plain values; the shape is stable."""
        return {"name": self.name, "state": self.state.value, "told": self.told, "advice": self.advice}


def ok(name: str, told: str) -> Checkup:
    """Nothing to do."""
    return Checkup(name, State.OK, told)


def look(name: str, told: str, advice: str) -> Checkup:
    """It works, and a person should know."""
    return Checkup(name, State.LOOK, told, advice)


def broken(name: str, told: str, advice: str) -> Checkup:
    """It does not work until somebody does something."""
    return Checkup(name, State.BROKEN, told, advice)


def gravest(checkups: Iterable[Checkup]) -> State:
    """The gravest state of some checkups; `ok` for none."""
    order = list(State)
    return max((each.state for each in checkups), key=order.index, default=State.OK)
