"""What tests of reviewing share: a vault with one replaced, one denied and one new statement, and what is read of it."""

from __future__ import annotations

from pathlib import Path

from dictated import Dictated, git, session, tell
from wikimem.compile import Compiled
from wikimem.faces.api import Vault

LIMIT = "topic | payment retries | retry-limit | Retries stop after {} attempts."
QUEUE = "topic | payment retries | | The queue keeps messages for {}."
NEW = "topic | harbour gate | | The harbour gate closes at dusk."
WEEK, NEVER = QUEUE.format("a week"), "topic | payment retries | | The queue never kept any messages."
DENIED = {frozenset({"The queue keeps messages for a week.", "The queue never kept any messages."}): "denies"}
NO_GATE = {frozenset({"The harbour gate closes at dusk.", "There is no harbour gate."}): "denies"}
BRANCH = "memory/project-harbour/2026-07-01"


def settings(vault: Vault, told: str) -> Vault:
    """The vault with more settings, committed."""
    file = vault.root / "wikimem.toml"
    file.write_text(file.read_text() + told)
    git(vault.root, "commit", "-qam", "settings")
    return Vault.open(vault.root, clock=vault._opened.clock)


def compiled(vault: Vault, model: Dictated | None = None) -> Compiled:
    """Compile, and see that nothing went wrong."""
    report = vault.compile(model=model or Dictated(DENIED))
    assert report.problems == [], report.problems
    assert [one.reason for one in report.outcomes] == [""] * len(report.outcomes)
    return report


def waiting(vault: Vault) -> Vault:
    """A vault in which a denial waits, and beside it something new was taken."""
    tell(vault, session("one", "2026-03-02", LIMIT.format(3), WEEK))
    compiled(vault)
    tell(vault, session("two", "2026-03-04", "Good morning.", NEVER, NEW))
    report = compiled(vault)
    assert [one.waiting for one in report.outcomes] == [1]
    return vault


def everywhere(vault: Vault, words: str) -> list[str]:
    """The files under the vault that hold some words, git's own and what is ignored left out."""
    found = []
    for path in sorted(vault.root.rglob("*")):
        inside = path.relative_to(vault.root).parts
        if path.is_file() and inside[0] not in (".git", ".wikimem") and words.encode() in path.read_bytes():
            found.append(path.relative_to(vault.root).as_posix())
    return found


def branches(root: Path) -> list[str]:
    """The proposals' branches."""
    return git(root, "for-each-ref", "--format=%(refname:short)", "refs/heads/memory/").split()
