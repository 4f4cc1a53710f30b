"""The remote of a folder, from what is there; and never a password."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from wikimem.edges.repo import remote_of


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("https://git.example/acme/shop.git", "https://git.example/acme/shop.git"),
        ("https://nora:hunter2@git.example:8443/acme/shop", "https://git.example:8443/acme/shop"),
        ("https://x-access-token@git.example/acme/shop", "https://git.example/acme/shop"),
        ("https://nora:p@ss@git.example/acme/shop", "https://git.example/acme/shop"),
        ("https://nora:pa/ss@git.example/acme/shop", "https://git.example/acme/shop"),
        ("https://git.example/acme/shop?private_token=abc#x", "https://git.example/acme/shop"),
        ("https://git.example/@scope/shop", "https://git.example/@scope/shop"),
        ("ssh://git@git.example:22/acme/shop", "ssh://git.example:22/acme/shop"),
        ("git@git.example:acme/shop.git", "git.example:acme/shop.git"),
        ("nora:hunter2@git.example:acme/shop.git", "git.example:acme/shop.git"),
        ("/srv/git/a@b/shop.git", "/srv/git/a@b/shop.git"),
        ("../shop", "../shop"),
        ("https://[::1/broken", ""),
    ],
)
def test_user_and_password_are_removed(person: Any, url: str, told: str) -> None:
    person.git("config", "remote.origin.url", url)
    assert remote_of(str(person.top)) == told


def test_origin_else_the_only_one(person: Any) -> None:
    assert remote_of(str(person.top)) == ""
    person.git("remote", "add", "up.stream", "https://git.example/up")
    assert remote_of(str(person.top)) == "https://git.example/up"
    person.git("remote", "add", "fork", "https://git.example/fork")
    assert remote_of(str(person.top)) == ""
    person.git("remote", "add", "origin", "https://git.example/origin")
    person.git("config", "--add", "remote.origin.url", "https://git.example/second")
    assert remote_of(str(person.top)) == "https://git.example/origin"


def test_folders_in_it_and_its_worktrees_have_the_same(person: Any, tmp_path: Path) -> None:
    person.git("remote", "add", "origin", "https://git.example/origin")
    person.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "linked")
    (person.top / "a/b").mkdir(parents=True)
    for folder in (person.top / "a/b", tmp_path / "linked"):
        assert remote_of(str(folder)) == "https://git.example/origin"


@pytest.mark.parametrize("cwd", ["", "relative", "/no/such/folder", "C:\\Users\\nora", "nul\0", "x" * 5000, os.devnull])
def test_what_is_no_folder_has_none(cwd: str) -> None:
    assert remote_of(cwd) == ""


def test_a_folder_without_repository_and_a_broken_one_have_none(person: Any, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    assert remote_of(str(tmp_path / "plain")) == ""
    (person.top / ".git/config").write_text('[remote "origin\nurl')
    assert remote_of(str(person.top)) == ""
