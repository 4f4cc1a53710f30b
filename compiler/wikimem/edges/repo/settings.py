"""How patient the git edge is, and whether it signs. Values only: who reads the user's settings is the vault."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class GitSettings:
    """The git part of a vault's settings; all times in seconds.

    Args:
        sign: `auto` signs where `commit.gpgsign` says so; `never` does not.
        seconds: time limit of one git command.
        hook_seconds: time limit of one hook.
        signing_seconds: time limit of making a signed commit.
        lock_waits: how long to wait for another git to let go of the index, try by try.
        stale_after: the age from which an index lock may be a left-over.
        attempts: how often a commit is built again when somebody else committed meanwhile.
    """

    sign: Literal["auto", "never"] = "auto"
    seconds: float = 120.0
    hook_seconds: float = 300.0
    signing_seconds: float = 60.0
    lock_waits: tuple[float, ...] = (0.1, 0.2, 0.4, 0.8, 1.5)
    stale_after: float = 60.0
    attempts: int = 5
