"""What the rest of wikimem sees of an index: open, add, remove, known, search. No Whoosh type leaves it."""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from wikimem.core.answers import Answer
from wikimem.core.queries import Query, Within, parse
from wikimem.edges.index import noted
from wikimem.edges.index.batch import Unit
from wikimem.errors import Problem, VaultLocked

if TYPE_CHECKING:
    from wikimem.core.statements import Statement
    from wikimem.edges.index.reading import Snapshot
    from wikimem.edges.index.searching import Taste

VERSION = 8
"""Raised whenever the schema or the analysis changes: an index of another version is rebuilt, never read."""
WAIT = 60.0
"""Seconds that a writer waits for another."""

_ATTEMPTS = 5
_ANYWHERE = Within()
_MADE = re.compile("[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class Unusable:
    """The folder holds no index that can be read; `why` is one clause. The answer to it is `Index.rebuild`."""

    why: str


@dataclass(frozen=True, slots=True)
class Found:
    """What a search gave.

    Args:
        query: how the question was understood; without terms, there was nothing to look for.
        hits: the answers, best first; empty if nothing is relevant.
        problems: which parts of the index could not be asked. If there are any, a rebuild is due.
    """

    query: Query
    hits: tuple[Answer, ...]
    problems: tuple[Problem, ...] = ()


class Index:
    """The index of the turns, or of the wiki. Any number of processes may read while one writes: they see its last commit."""

    def __init__(self, root: Path, folder: Path, staged: bool = False) -> None:
        self.root = root
        self.folder = folder
        self._staged = staged
        self._snapshot: Snapshot | None = None
        self._problem = ""
        self._seen: tuple[int, ...] = ()

    @classmethod
    def open(cls, root: Path) -> Index | Unusable:
        """The index below `root`; an empty one is made if there is none."""
        told = _current(root)
        if told is None:
            return cls.rebuild(root).publish()
        if isinstance(told, Unusable):
            return told
        index = cls(root, told)
        index._load()
        return Unusable(index._problem) if index._snapshot is None else index

    @classmethod
    def rebuild(cls, root: Path) -> Index:
        """A new, empty index beside the one in use, which stays in use until `publish`."""
        from wikimem.edges.index import writing

        folder = root / secrets.token_hex(4)
        writing.create(folder)
        return cls(root, folder, staged=True)

    def publish(self) -> Index:
        """Make this the index that `open` finds, and remove what else lies there."""
        with self._lock():
            self._follow()
            self._stamp()
            self._staged = False
            for other in self.root.iterdir():
                if other.is_dir() and other != self.folder and _MADE.fullmatch(other.name):
                    shutil.rmtree(other, ignore_errors=True)
        self._load()
        return self

    def close(self) -> None:
        """Close its files; the next call opens them again."""
        if self._snapshot is not None:
            self._snapshot.close()
            self._snapshot = None

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Parts of the index that could not be read when it was last looked at."""
        self._refresh()
        return self._unreadable() if self._snapshot is None else tuple(self._snapshot.problems)

    def _unreadable(self) -> tuple[Problem, ...]:
        return (Problem(str(self.folder), "index", f"the index cannot be read: {self._problem}"),)

    def add(self, added: Collection[Unit]) -> None:
        """Put units in, in one commit; one that is there already is replaced.

        Raises:
            VaultLocked: another process did not stop writing in time.
        """
        self._commit(added, ())

    def remove(self, sources: Collection[str]) -> None:
        """Take units out, so that none of their text stays in any file of the index.

        Raises:
            VaultLocked: as for `add`.
        """
        self._commit((), sources)

    def known(self) -> Mapping[str, str]:
        """The units that are in, each with its content key."""
        from wikimem.edges.index.reading import Broken

        self._refresh()
        if self._snapshot is not None and not self._snapshot.problems:
            told = noted.read(self.root, self.folder, self._snapshot.generation)
            if told is not None:
                return told
        while self._snapshot is not None:
            try:
                found = self._snapshot.sources()
            except Broken as broken:
                self._snapshot.drop(broken)
            else:
                if not self._snapshot.problems and not self._staged:
                    noted.write(self.root, self.folder, self._snapshot.generation, found)
                return found
        return {}

    def doubt(self) -> None:
        """Believe no note of what is in: something could not be read, so that the next call of `known` reads it all."""
        noted.drop(self.root)

    def search(
        self,
        question: str,
        limit: int | None = 10,
        within: Within = _ANYWHERE,
        context: int = 0,
        listing: bool = False,
        taste: Taste | None = None,
        wiki: Index | None = None,
        meaning: Mapping[str, float] | None = None,
    ) -> Found:
        """The passages that answer, best first. Any text may be asked; none raises, and none matches everything.

        Args:
            question: a question, or words.
            limit: at most so many hits; None for all that are ranked.
            within: scope, days and speaker it is confined to.
            context: neighbours brought on each side of each hit.
            listing: for a list that a person reads: whatever has one of the words, and nothing else. Otherwise what
                stands beside the words may be the answer, and where too little of the question is covered is none.
            taste: what ranking may use, for benchmarks; overrules `listing`.
            wiki: the index of the claims and pages, searched together with this one, which holds the turns.
            meaning: how near turns are in meaning, above 0 to 1, by citation.
        """
        from wikimem.edges.index import schema, searching
        from wikimem.edges.index.reading import Broken
        from wikimem.edges.index.space import Space

        query = parse(question, schema.stem)
        chosen = taste or (searching.LISTING if listing else searching.RECALL)
        self._refresh()
        if wiki is not None:
            wiki._refresh()
        looked_again = False
        while self._snapshot is not None:
            beside = wiki._snapshot if wiki is not None else None
            try:
                hits = searching.search(Space(self._snapshot, beside, within), query, limit, context, chosen, meaning)
            except Broken as broken:
                owner = self if broken.segment in self._snapshot.segments or wiki is None else wiki
                if looked_again and owner._snapshot is not None:
                    owner._snapshot.drop(broken)
                else:  # a writer may have merged the segment away just now
                    owner._load()
                    looked_again = True
            else:
                more = wiki.problems if wiki is not None else ()
                return Found(query, tuple(hits), (*self._snapshot.problems, *more))
        return Found(query, (), self._unreadable())

    def claim(self, id: str, within: Within, wiki: Index) -> Statement | None:
        """The standing that a claim's id means, if there is one and it may be shown.

        Args:
            id: twelve characters, or any text that is none.
            within: what the asker is confined to.
            wiki: as for `search`.
        """
        from wikimem.edges.index.reading import Broken
        from wikimem.edges.index.space import Space, may_answer

        self._refresh()
        wiki._refresh()
        if self._snapshot is None or wiki._snapshot is None:
            return None
        try:
            found = Space(self._snapshot, wiki._snapshot, within).by_claim(id)
        except Broken as broken:
            (self if broken.segment in self._snapshot.segments else wiki)._load()
            return None
        return found if found is not None and may_answer(found, within) else None

    def _commit(self, added: Collection[Unit], removed: Collection[str]) -> None:
        from wikimem.edges.index import writing

        if not added and not removed:
            return
        with self._lock():
            self._follow()
            known = noted.read(self.root, self.folder, writing.generation(self.folder))
            writing.commit(self.folder, added, removed)
            if self._staged:
                return
            self._stamp()
            if known is not None:
                gone = set(removed)
                kept = {unit: key for unit, key in known.items() if unit not in gone} | {unit.source: unit.key for unit in added}
                noted.write(self.root, self.folder, writing.generation(self.folder), kept)

    @contextmanager
    def _lock(self) -> Iterator[None]:
        from filelock import FileLock, Timeout

        path = self.root / "lock"
        try:
            with FileLock(path, timeout=WAIT):
                yield
        except Timeout:
            raise VaultLocked(str(path), WAIT) from None

    def _follow(self) -> None:
        """Write where others read: another process may have put a rebuilt index in use, or somebody deleted it all."""
        from wikimem.edges.index import writing

        if self._staged and self.folder.is_dir():
            return
        told = _current(self.root)
        self.folder = told if isinstance(told, Path) else self.folder
        self._staged = False
        if not self.folder.is_dir():
            writing.create(self.folder)

    def _stamp(self) -> None:
        new = self.root / f"current.{secrets.token_hex(4)}"
        new.write_bytes(orjson.dumps({"version": VERSION, "folder": self.folder.name}))
        new.replace(self.root / "current")

    def _refresh(self) -> None:
        """Look whether anything was committed since: one stat, and no more if nothing was."""
        if self._snapshot is None or self._staged or self._seen != _mark(self.root):
            self._load()

    def _load(self) -> None:
        from wikimem.edges.index.reading import Snapshot

        self._seen = _mark(self.root)
        told = None if self._staged else _current(self.root)
        if isinstance(told, Path):
            self.folder = told
        self.close()
        for _ in range(_ATTEMPTS):
            try:
                self._snapshot = Snapshot(self.folder)
            except Exception as error:  # whatever broken bytes raise
                # Or a writer replaced the table while the folder was listed: then it is there at the next look.
                self._problem = f"its table of segments is damaged or gone ({type(error).__name__})"
            else:
                return


def _current(root: Path) -> Path | Unusable | None:
    """The folder of the index in use; None if there never was one."""
    try:
        told = orjson.loads((root / "current").read_bytes())
        version, folder = told["version"], root / str(told["folder"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        return Unusable("its file `current` is damaged")
    return folder if version == VERSION else Unusable(f"it is of version {version} and not {VERSION}")


def _mark(root: Path) -> tuple[int, ...]:
    """What changes of `current` with each commit."""
    try:
        stat = (root / "current").stat()
    except OSError:
        return ()
    return (stat.st_ino, stat.st_mtime_ns, stat.st_size)
