"""wikimem: a memory for AI agents that is a markdown wiki, compiled from immutable transcripts and versioned in git.

The public API is two functions and the vault they return:

    import wikimem
    vault = wikimem.open("my-memory")          # or wikimem.create("my-memory")
    report = vault.ingest(["~/.claude/projects"])
    passage = vault.show("20260814-claude-code-9f3a1c2b:L118-L125")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os

    from wikimem.faces.api import Vault

__all__ = ["__version__", "create", "open"]
__version__ = "0.1.0"


def open(path: str | os.PathLike[str] | None = None) -> Vault:
    """Open a vault.

    Args:
        path: its folder; None finds the one that the current folder means, as the command line does.

    Raises:
        wikimem.errors.NoVault: there is none.
        wikimem.errors.NotAVault: the folder is none.
        wikimem.errors.BadSettings: its settings cannot be used.
    """
    from wikimem.faces.api import Vault

    return Vault.open(path)


def create(path: str | os.PathLike[str], here: bool = False, shared: bool = False) -> Vault:
    """Make a vault and open it; see `wikimem init --help`.

    Raises:
        wikimem.errors.UsageError: the folder holds something else already.
        wikimem.errors.WorldError: git stands in the way.
    """
    from wikimem.faces.api import Vault

    return Vault.init(path, here, shared)
