"""Scopes: which one may see what another's sessions told, and how near two of them are. A name each; no sessions here.

`project:shop/packages/api` is a part of `project:shop`: what is so of the whole is so of the part, so the part may see it.
Parts that stand side by side may not see each other, nor the whole its parts, where a vault is strict.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_NAME = re.compile(r"(?:project|user|agent):(?P<path>[^/\s]+(?:/[^/\s]+)*)\Z")
_DOTS = frozenset({".", ".."})


@lru_cache(4096)
def lineage(scope: str) -> tuple[str, ...]:
    """A scope and all that it is a part of, itself first: what it may see. What is no scope is a part of nothing."""
    match = _NAME.match(scope)
    if match is None or not _DOTS.isdisjoint(match["path"].split("/")):
        return (scope,)
    found = [scope]
    while "/" in found[-1]:
        found.append(found[-1].rpartition("/")[0])
    return tuple(found)


def sees(scope: str, other: str | None) -> bool:
    """Whether a scope may see what is another's, in a strict vault; None is what several told who may not see each other."""
    return other in lineage(scope)


def holds(scope: str, other: str) -> bool:
    """Whether another scope is this very one, or a part of it."""
    return scope in lineage(other)


def deepest(scopes: Iterable[str | None]) -> str | None:
    """The scope among some that may see all of them; None if there is none."""
    found = set(scopes)
    if None in found or not found:
        return None
    last = max((scope for scope in found if scope is not None), key=lambda scope: len(lineage(scope)))
    return last if found <= set(lineage(last)) else None
