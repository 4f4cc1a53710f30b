"""Which project a session belongs to: a slug of the repository it was held in.

The remote names it where there is one, so that clones and worktrees are one project; else the folder does.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_REMOTE = re.compile(r"(?:^|[/:])(?P<name>[^/:]+?)(?:\.git)?/*$")


@lru_cache(4096)  # thousands of sources are of few projects, and a recall asks for the scope of each
def slug(remote: str, cwd: str) -> str:
    """The project's slug; '' when neither a remote nor a folder is known.

    Args:
        remote: the URL of the repository's remote; may be empty.
        cwd: the folder of the session, of any operating system; may be empty.
    """
    match = _REMOTE.search(remote.strip())
    name = match["name"] if match else ""
    if not name:
        name = re.split(r"[/\\]", cwd.strip().rstrip("/\\"))[-1]
    folded = unicodedata.normalize("NFKC", name).casefold()
    return re.sub(r"[^\w]+", "-", folded).strip("-_")[:80]


def scope(remote: str, cwd: str) -> str:
    """`project:<slug>`, or '' when no project is known."""
    found = slug(remote, cwd)
    return f"project:{found}" if found else ""


def is_scope(text: str) -> bool:
    """Whether a text names a scope: `project:`, `user:` or `agent:` and a slug."""
    kind, _, name = text.partition(":")
    return kind in ("project", "user", "agent") and bool(name) and name == slug("", name)
