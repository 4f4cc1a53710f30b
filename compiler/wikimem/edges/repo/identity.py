"""Who commits, and the few of the user's git settings that we obey. Read, never written."""

from __future__ import annotations

import os
from collections.abc import Mapping

from wikimem.edges.repo.plumbing import Plumbing, text

_FALLBACK = {"NAME": "wikimem", "EMAIL": "wikimem@localhost"}


def settings_of(git: Plumbing) -> dict[str, str]:
    """The settings that matter here, names in lower case; the last of several counts."""
    answer = git.ask("config", "-z", "--get-regexp", r"^(user|author|committer|commit|core|hook)\.")
    settings: dict[str, str] = {}
    for item in text(answer.out).split("\0"):
        name, equals, value = item.partition("\n")
        if name:
            settings[name.lower()] = value if equals else "true"
    return settings


def variables(config: Mapping[str, str]) -> dict[str, str]:
    """Variables for who commits: only what neither the environment nor the settings tell."""
    return {
        f"GIT_{role}_{what}": fallback
        for role in ("AUTHOR", "COMMITTER")
        for what, fallback in _FALLBACK.items()
        if not os.environ.get(f"GIT_{role}_{what}")
        and not config.get(f"{role.lower()}.{what.lower()}")
        and not config.get(f"user.{what.lower()}")
        and not (what == "EMAIL" and os.environ.get("EMAIL"))
    }


def on(value: str) -> bool:
    """Whether git takes a setting's value for true."""
    return value.strip().lower() in {"true", "yes", "on"} or (value.strip().isdigit() and int(value) != 0)
