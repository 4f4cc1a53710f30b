"""Diff: what the memory says differently between two commits, with the words that prove it."""

from __future__ import annotations

import pytest

from dictated import Dictated, commits, git, session, tell
from wikimem.errors import BadRange, UsageError
from wikimem.faces import text
from wikimem.faces.api import Vault

LIMIT = "topic | payment retries | retry-limit | Retries stop after {} attempts."
NEVER = "topic | payment retries | | Payment retries never used the west queue."
WEST = "topic | payment retries | | Payment retries used the west queue."


@pytest.fixture
def grown(vault: Vault) -> list[str]:
    """Commits of the wiki, oldest first: a limit, another limit, a denial."""
    judged = {frozenset({line.split("| ")[-1] for line in (NEVER, WEST)}): "denies"}
    found = []
    for name, day, said in (("one", "02", [LIMIT.format(3), WEST]), ("two", "04", [LIMIT.format(5)]), ("three", "06", [NEVER])):
        tell(vault, session(name, f"2026-03-{day}", *said))
        found.append(vault.compile(model=Dictated(judged)).outcomes[0].commit)
    # What denies waits until somebody lets it in.
    found[-1] = vault.approve(["all"]).commit
    return found


def told(vault: Vault, commits: str) -> list[tuple[str, str]]:
    pages = vault.diff(commits).as_json()["pages"]
    return [(change["change"], change["claim"]["text"]) for page in pages for change in page["changes"]]


def test_gained_corrected_and_retracted(vault: Vault, grown: list[str]) -> None:
    one, two, three = grown
    assert told(vault, f"{one}..{two}") == [("corrected", "Retries stop after 3 attempts.")]
    assert told(vault, f"{two}..{three}") == [
        ("ended", "Payment retries used the west queue."),
        ("gained", "Payment retries never used the west queue."),
    ]
    assert vault.diff(f"{one}..{three}").counts == "+1 ~1 -1"
    assert vault.diff(f"{two}..{three}").as_json()["before"] == two


def test_backwards_it_says_the_opposite(vault: Vault, grown: list[str]) -> None:
    one, two, _ = grown
    assert ("ended", "Retries stop after 5 attempts.") in told(vault, f"{two}..{one}")
    assert ("gained", "Retries stop after 3 attempts.") in told(vault, f"{two}..{one}")


def test_ranges(vault: Vault, grown: list[str]) -> None:
    for range_, count in [("HEAD~1..HEAD", 2), ("HEAD~1", 2), ("HEAD~1..", 2), ("HEAD..HEAD", 0), ("..", 0)]:
        assert len(told(vault, range_)) == count


def test_the_words_that_prove_it_are_told(vault: Vault, grown: list[str]) -> None:
    shown = text.difference(vault.diff(f"{grown[0]}..{grown[1]}"))
    assert "  ~ Retries stop after 3 attempts.\n    → Retries stop after 5 attempts.\n" in shown
    assert "human 2026-03-04 20260304-claude-code-" in shown
    assert "“Retries stop after 5 attempts.”" in shown


def test_a_range_that_is_none_is_a_sentence(vault: Vault, grown: list[str]) -> None:
    for range_ in ["nonsense", "HEAD..nonsense", "HEAD~900..HEAD", "HEAD...HEAD~1", "-x..HEAD", "--all", " .. x", "HEAD:wiki"]:
        with pytest.raises(BadRange, match="cannot be compared"):
            vault.diff(range_)


def test_a_vault_without_a_wiki_has_no_difference(vault: Vault) -> None:
    assert vault.diff("HEAD..HEAD").pages == ()
    with pytest.raises(UsageError, match="one commit yet, so there is nothing to compare"):
        vault.diff()


def test_a_commit_of_somebody_else_says_nothing(vault: Vault, grown: list[str]) -> None:
    (vault.root / "README").write_text("hello\n")
    git(vault.root, "add", "README")
    git(vault.root, "commit", "-qm", "a readme")
    assert told(vault, "HEAD~1..HEAD") == []
    assert len(commits(vault)) > 3


def test_a_commit_after_which_the_first_claims_came_is_compared_with_nothing(vault: Vault, grown: list[str]) -> None:
    first = git(vault.root, "rev-list", "--max-parents=0", "HEAD").strip()
    assert {kind for kind, _ in told(vault, f"{first}..HEAD")} == {"gained", "late"}
