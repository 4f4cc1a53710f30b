"""Routes: which vault a session belongs to, and which sessions belong to none. Pure; the user's config says so.

A pattern that begins like a path (`/`, `~`, a drive) is about the folder a session was held in, and covers all below it.
Any other is about the repository's remote, written `host/owner/name`. `*` stands for anything, also over slashes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase

_PATH = re.compile(r"[/\\~]|[A-Za-z]:[/\\]")
_REMOTE = re.compile(r"(?:[a-z+]+://)?(?:[^@/\s]+@)?(?P<host>[^:/\s]+)(?::\d+(?=/))?[:/]+(?P<path>.+?)(?:\.git)?/*\Z")


@dataclass(frozen=True, slots=True)
class Route:
    """Sessions that match one of the patterns go to this vault (its folder)."""

    patterns: tuple[str, ...]
    vault: str


@dataclass(frozen=True, slots=True)
class Routes:
    """What the user's config says.

    Args:
        never: patterns of sessions that no vault takes.
        to: routes, the first that matches counts.
        default: the folder of the vault of whatever no route is about; empty if the config names none.
    """

    never: tuple[str, ...] = ()
    to: tuple[Route, ...] = ()
    default: str = ""

    def forbids(self, cwd: str, remote: str) -> bool:
        """Whether no vault may take a session of this folder and remote."""
        return any(matches(pattern, cwd, remote) for pattern in self.never)

    def vault(self, cwd: str, remote: str) -> str:
        """The folder of the vault that a session belongs to; '' if no route says so."""
        for route in self.to:
            if any(matches(pattern, cwd, remote) for pattern in route.patterns):
                return route.vault
        return ""


def matches(pattern: str, cwd: str, remote: str) -> bool:
    """Whether a pattern is about a session of this folder and this remote; either may be empty."""
    if _PATH.match(pattern):
        return _covers(_slashed(pattern), _slashed(cwd))
    return _covers(_slashed(pattern).casefold(), address(remote).casefold())


def address(remote: str) -> str:
    """A remote's URL of any style as `host/owner/name`; '' for none."""
    match = _REMOTE.match(remote.strip())
    return f"{match['host']}/{match['path'].strip('/')}" if match else remote.strip()


def _slashed(path: str) -> str:
    return path.replace("\\", "/").rstrip("/")


def _covers(pattern: str, value: str) -> bool:
    return bool(pattern and value) and (fnmatchcase(value, pattern) or fnmatchcase(value, f"{pattern}/*"))
