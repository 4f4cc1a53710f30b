"""The remote of a folder: what tells two checkouts of one project from two projects. Never a password."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from wikimem.edges.repo.place import locate
from wikimem.edges.repo.plumbing import Plumbing, text
from wikimem.errors import GitFailed

_SCP = re.compile(r"[^/\\]*@(?=[^/\\@]+:)")


def remote_of(cwd: str) -> str:
    """The address of a folder's `origin`, or of its only remote, without user and password.

    Args:
        cwd: the folder, as a transcript names it; it may be of another machine.

    Returns:
        Empty where there is no folder, no repository, no remote, or several of which none is `origin`. Never raises.
    """
    try:
        folder = Path(cwd)
        place = locate(folder) if cwd and folder.is_absolute() and folder.is_dir() else None
        if place is None:
            return ""
        told = Plumbing(place, seconds=10.0).ask("config", "-z", "--get-regexp", r"^remote\..*\.url$")
    except (OSError, ValueError, GitFailed):
        return ""
    remotes: dict[str, str] = {}
    for item in text(told.out).split("\0"):
        name, _, url = item.partition("\n")
        if url:
            remotes.setdefault(name.removeprefix("remote.").removesuffix(".url"), url)
    if "origin" not in remotes and len(remotes) != 1:
        return ""
    return without_secrets(remotes.get("origin") or next(iter(remotes.values())))


def without_secrets(url: str) -> str:
    """An address without user, password and query."""
    if "://" not in url:
        return _SCP.sub("", url, count=1)
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    host = parts.netloc.rpartition("@")[2]
    path = parts.path
    # A password with a slash in it that nobody escaped: what looks like the host is the user.
    if "@" in path and "@" not in parts.netloc and not re.fullmatch(r"[^:]*(:\d*)?|\[.*\](:\d*)?", parts.netloc):
        host, slash, path = path.rpartition("@")[2].partition("/")
        path = slash + path
    return urlunsplit((parts.scheme, host, path, "", ""))
