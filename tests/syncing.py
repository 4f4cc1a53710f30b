"""What tests of syncing share: clones of one bare remote, and people who edit pages and commit them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from conftest import NOW
from dictated import git
from wikimem.faces.api import Vault

LIMIT = "topic | payment retries | retry-limit | Retries stop after {} attempts."
QUEUE = "topic | payment retries | | Payment retries wait in the {} queue."
GATE = "topic | harbour gate | | The harbour gate closes at {}."
PAGE = "wiki/topics/payment-retries.md"


def publish(vault: Vault) -> Path:
    """A bare remote with what the vault has, that the vault follows."""
    path = vault.root.parent / "remote.git"
    git(vault.root.parent, "init", "-q", "--bare", "-b", "main", str(path))
    git(vault.root, "remote", "add", "origin", str(path))
    git(vault.root, "push", "-q", "-u", "origin", "main")
    return path


def clone(remote: Path, name: str, hour: int = 9) -> Vault:
    """A clone whose clock stands at some hour."""
    git(remote.parent, "clone", "-q", str(remote), name)
    other = remote.parent / name
    for key, value in (("user.name", name.capitalize()), ("user.email", f"{name}@example.org")):
        git(other, "config", key, value)
    moment = NOW if hour == NOW.hour else datetime(2026, 7, 1, hour, tzinfo=UTC)
    return Vault.open(other, clock=partial(moment.astimezone, UTC))


def edits(vault: Vault, change: Callable[[str], str], page: str = PAGE) -> None:
    """Somebody edits a page and commits it."""
    file = vault.root / page
    before = file.read_text()
    after = change(before)
    assert after != before
    file.write_text(after)
    git(vault.root, "commit", "-qam", "by hand")


def writes(vault: Vault, line: str, page: str = PAGE) -> None:
    """Somebody writes a line under Notes of a page, and commits it."""

    def change(text: str) -> str:
        head = "" if "\n## Notes\n" in text else "## Notes\n\n"
        before, mark, after = text.partition("\n[^")
        return f"{before}\n{head}{line}\n{mark}{after}"

    edits(vault, change, page)


def state(vault: Vault) -> tuple[str, str, str]:
    """Where a clone stands: its commit, what git finds changed, and what is in its work folder that should not stay."""
    left = sorted(path.name for path in vault.root.glob(".wikimem/staging/*")) + sorted(
        path.name for path in vault.root.glob(".wikimem/journal*")
    )
    return git(vault.root, "rev-parse", "HEAD"), git(vault.root, "status", "--porcelain"), " ".join(left)
