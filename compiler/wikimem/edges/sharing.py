"""Whether others see a vault: told from its repository's config file alone, for an agent waits. Git is asked as a last resort."""

from __future__ import annotations

from pathlib import Path


def has_remote(root: Path) -> bool:
    """Whether a repository has a remote, told from its config file alone: somebody waits for the answer.

    Args:
        root: a folder with `.git` in it; of any other the answer is that of `remote_of`.
    """
    try:
        place = root / ".git"
        if place.is_file():
            # A linked worktree: its own folder names the one that all share.
            own = (root / place.read_text("utf-8").removeprefix("gitdir:").strip()).resolve()
            place = (own / (own / "commondir").read_text("utf-8").strip()).resolve()
        return '[remote "' in (place / "config").read_text("utf-8", "replace")
    except OSError:
        from wikimem.edges.repo.remote import remote_of

        return bool(remote_of(str(root)))
