"""The Python face: a vault with the verbs as methods. The command line calls nothing else.

Each method is documented where the verb is; verbs are imported when they are first used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from wikimem import vault as vaults

if TYPE_CHECKING:
    from wikimem.adopt import Adoption
    from wikimem.core.reports import Report
    from wikimem.export import Exported
    from wikimem.recall import Listed, Recalled
    from wikimem.show import Passage
    from wikimem.status import Status
    from wikimem.verify import Proof


class Vault:
    """An open vault; `root` is its folder."""

    def __init__(self, opened: vaults.Vault) -> None:
        self._opened = opened
        self.root = opened.root

    @classmethod
    def open(cls, path: str | os.PathLike[str] | None = None, clock: Callable[[], datetime] | None = None) -> Vault:
        """Open the vault in a folder, or the one that the current folder means; `clock` gives the time of recording."""
        root = vaults.find(os.fspath(path) if path is not None else None)
        return cls(vaults.open_at(root, clock) if clock else vaults.open_at(root))

    @classmethod
    def init(cls, path: str | os.PathLike[str], here: bool = False) -> Vault:
        """Make a vault; see `wikimem.init`."""
        from wikimem.init import init

        return cls(vaults.open_at(init(Path(path).expanduser(), here).root))

    def ingest(
        self,
        paths: Iterable[str | os.PathLike[str]],
        *,
        since: str = "",
        project: str = "",
        limit: int = 0,
        dry_run: bool = False,
        format: str = "",
        progress: Callable[[str], None] = lambda path: None,
    ) -> Report:
        """Capture transcripts; see `wikimem.ingest`."""
        from wikimem.ingest import Wish, ingest

        named = tuple(Path(path).expanduser() for path in paths)
        return ingest(self._opened, Wish(named, since, project, limit, dry_run, format), progress)

    def adopt(self, paths: Iterable[str | os.PathLike[str]], dry_run: bool = False) -> Adoption:
        """Take what people wrote down for their agents; see `wikimem.adopt`."""
        from wikimem.adopt import adopt

        return adopt(self._opened, tuple(Path(path).expanduser() for path in paths), dry_run)

    def export(self, target: str, out: str | os.PathLike[str] | None = None, *, scope: str = "", budget: int = 2000) -> Exported:
        """Write what is remembered for another tool; see `wikimem.export`."""
        from wikimem.export import export

        return export(self._opened, target, Path(out).expanduser() if out is not None else None, scope, budget)

    def show(self, citation: str) -> Passage:
        """What a citation cites; see `wikimem.show`."""
        from wikimem.show import show

        return show(self._opened, citation)

    def recall(self, question: str, scope: str = "", budget: int = 2000) -> Recalled:
        """Evidence for a question; see `wikimem.recall`."""
        from wikimem.recall import recall

        return recall(self._opened, question, scope, budget)

    def search(
        self, words: str, *, scope: str = "", since: str = "", until: str = "", speaker: str = "", limit: int = 10
    ) -> Listed:
        """Turns that hold some words; see `wikimem.recall`."""
        from wikimem.core.turns import Speaker
        from wikimem.recall import search

        return search(self._opened, words, scope, since, until, Speaker(speaker) if speaker else None, limit)

    def status(self) -> Status:
        """What the vault holds; see `wikimem.status`."""
        from wikimem.status import status

        return status(self._opened)

    def verify(self, against: str = "") -> Proof:
        """Prove that nothing was changed or lost; see `wikimem.verify`."""
        from wikimem.verify import verify

        return verify(self._opened, against)
