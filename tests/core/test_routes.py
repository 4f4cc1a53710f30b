"""Routes: patterns of folders and of remotes, and which of them counts."""

from __future__ import annotations

import pytest

from wikimem.core import routes
from wikimem.core.routes import Route, Routes


@pytest.mark.parametrize(
    ("pattern", "cwd", "remote", "wanted"),
    [
        ("/home/sam/harbour", "/home/sam/harbour", "", True),
        ("/home/sam/harbour/", "/home/sam/harbour/docs", "", True),
        ("/home/sam/harbour", "/home/sam/harbour-old", "", False),
        ("/home/sam/*/private", "/home/sam/a/b/private", "", True),
        ("/home/sam/harbour", "", "", False),
        ("C:\\work", "C:\\work\\tides", "", True),
        ("github.com/acme", "/anywhere", "git@github.com:acme/tides.git", True),
        ("github.com/acme/*", "/anywhere", "https://github.com/acme/tides", True),
        ("github.com/acme/tides", "", "ssh://git@github.com:22/Acme/Tides.git", True),
        ("github.com/acme/tides", "", "https://github.com/acme/tides-old.git", False),
        ("*/secret", "", "https://example.org/sam/secret.git/", True),
        ("github.com/acme", "/github.com/acme", "", False),
    ],
)
def test_a_pattern_is_about_a_folder_or_about_a_remote(pattern: str, cwd: str, remote: str, wanted: bool) -> None:
    assert routes.matches(pattern, cwd, remote) is wanted


def test_the_first_route_counts_and_never_is_asked_apart() -> None:
    told = Routes(("/home/sam/diary",), (Route(("/home/sam/work",), "/v/work"), Route(("/home/sam",), "/v/home")))
    assert told.vault("/home/sam/work/x", "") == "/v/work"
    assert told.vault("/home/sam/diary", "") == "/v/home" and told.forbids("/home/sam/diary/2026", "")
    assert told.vault("/srv", "") == "" and not told.forbids("/srv", "")
