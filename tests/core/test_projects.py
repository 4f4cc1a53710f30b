"""Projects: what a repository is called, and which of its folders settings say are packages."""

from __future__ import annotations

import pytest

from wikimem.core import projects

ACME = {"acme/shop": ["packages/*", "services/api", "packages/*/plugins/*"], "lab": ["tools/*"]}
REMOTE = "git@github.com:acme/shop.git"


@pytest.mark.parametrize(
    ("remote", "cwd", "scope"),
    [
        (REMOTE, "/home/sam/shop/packages/api", "project:shop/packages/api"),
        (REMOTE, "/home/sam/shop/packages/api/src/deep", "project:shop/packages/api"),
        (REMOTE, "/home/sam/shop/packages/api/plugins/tax/src", "project:shop/packages/api/plugins/tax"),
        (REMOTE, "C:\\work\\Shop\\packages\\Web UI", "project:shop/packages/web-ui"),
        (REMOTE, "/home/sam/shop/services/api", "project:shop/services/api"),
        (REMOTE, "/home/sam/shop/services/mail", "project:shop"),
        (REMOTE, "/home/sam/shop/packages", "project:shop"),
        (REMOTE, "/home/sam/shop", "project:shop"),
        (REMOTE, "", "project:shop"),
        ("https://github.com/Acme/Shop", "/home/sam/shop/packages/api", "project:shop/packages/api"),
        # A worktree of another name, also in a folder that looks like one of packages.
        (REMOTE, "/home/sam/trees/feature-x/packages/api", "project:shop/packages/api"),
        (REMOTE, "/home/sam/packages/feature-x/packages/api", "project:shop/packages/api"),
        (REMOTE, "/home/sam/shop/.claude/worktrees/x/packages/api/src", "project:shop/packages/api"),
        # Another repository of that name, or without a remote.
        ("git@github.com:other/shop.git", "/home/sam/shop/packages/api", "project:shop"),
        ("", "/home/sam/shop/packages/api", "project:shop/packages/api"),
        ("", "/home/sam/lab/tools/kelp/src", "project:lab/tools/kelp"),
        ("", "/home/sam/lab/docs", "project:docs"),
        ("", "/home/sam/elsewhere/packages/api", "project:api"),
        ("", "", ""),
    ],
)
def test_a_folder_is_in_the_package_that_settings_name(remote: str, cwd: str, scope: str) -> None:
    told, wrong = projects.packages(ACME)
    assert wrong == ""
    assert told.scope(remote, cwd) == scope


def test_a_pattern_of_any_folder_takes_no_hidden_one_and_needs_the_repositorys_own_name() -> None:
    told, _ = projects.packages({"shop": ["*"]})
    assert told.scope(REMOTE, "/home/sam/shop/api/src") == "project:shop/api"
    assert told.scope(REMOTE, "/home/sam/shop/.github/workflows") == "project:shop"
    assert told.scope(REMOTE, "/home/sam/trees/x/api") == "project:shop"


def test_the_repository_that_is_named_most_exactly_counts() -> None:
    told, _ = projects.packages({"shop": ["packages/*"], "acme/shop": ["apps/*"]})
    assert told.scope(REMOTE, "/home/sam/shop/apps/till") == "project:shop/apps/till"
    assert told.scope("git@github.com:other/shop.git", "/home/sam/shop/packages/till") == "project:shop/packages/till"


def test_without_settings_nothing_is_guessed() -> None:
    assert projects.NONE.scope(REMOTE, "/home/sam/shop/packages/api") == "project:shop"


@pytest.mark.parametrize(
    "told",
    [
        {"acme/shop": "packages/*"},
        {"acme/shop": []},
        {"acme/shop": [7]},
        {"acme/shop": ["/packages"]},
        {"acme/shop": ["../packages"]},
        {"acme/shop": ["packages/**"]},
        {"acme/shop": ["packages\\api"]},
        {"acme/shop": [""]},
        {"/": ["packages/*"]},
        {"": ["packages/*"]},
    ],
)
def test_what_cannot_be_meant_is_told_in_a_clause(told: dict[str, object]) -> None:
    found, wrong = projects.packages(told)
    assert found == projects.NONE
    assert "projects" in wrong
    assert "\n" not in wrong


@pytest.mark.parametrize("text", ["project:shop", "project:shop/packages/api", "user:nora", "agent:gull"])
def test_scopes_are_known_as_such(text: str) -> None:
    assert projects.is_scope(text)


@pytest.mark.parametrize(
    "text",
    ["shop", "project:", "project:Shop", "project:shop/", "project:shop/../lab", "user:nora/desk", "team:shop", "project:a//b"],
)
def test_what_is_no_scope_is_none(text: str) -> None:
    assert not projects.is_scope(text)
