"""The ledger: the sources of a vault on disk, found by their sidecars and read into sessions.

There is no ledger file: the sidecars are the ledger, so two machines never conflict over it. A cache in `.wikimem/`,
checked by size and time of each sidecar, spares reading them again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from wikimem.core import moments, projects, sources
from wikimem.core.projects import Packages
from wikimem.core.sources import Sidecar
from wikimem.core.zones import UTC, Zone
from wikimem.edges import lines
from wikimem.errors import Problem

if TYPE_CHECKING:
    from wikimem.core.sessions import Session
    from wikimem.core.turns import Record

_CACHE_VERSION = 1


class Ledger:
    """The sources of one vault.

    Args:
        root: the vault's folder.
        zone: the time zone in which it tells days.
        packages: what its settings say of repositories with several packages.
    """

    def __init__(self, root: Path, zone: Zone = UTC, packages: Packages = projects.NONE) -> None:
        self.root = root
        self.zone = zone
        self.packages = packages
        self.problems: list[Problem] = []
        self._known: Mapping[str, Sidecar] | None = None
        self._looked: tuple[tuple[str, int], ...] = ()

    def all(self) -> Mapping[str, Sidecar]:
        """All sidecars by source id, in order of id; unreadable ones become `problems`."""
        if self._known is None:
            self._looked = self._mark()
            self._known = self._load()
        return self._known

    def forget_cache(self) -> None:
        """Look at the disk again at the next call."""
        self._known = None

    def look(self) -> None:
        """Look at the disk again if sources came or went since: for processes that live long. One stat a month of sources."""
        if self._known is not None and self._looked != self._mark():
            self.forget_cache()

    def _mark(self) -> tuple[tuple[str, int], ...]:
        """What changes when a file of a source comes or goes, also by a checkout."""
        folders = [*sorted((self.root / "sources").glob("*/*")), self.root / "sources/undated"]
        found = []
        for folder in folders:
            with suppress(OSError):
                found.append((folder.name, folder.stat().st_mtime_ns))
        return tuple(found)

    def find(self, prefix: str) -> list[str]:
        """Ids that begin with `prefix` or whose hash does."""
        known = self.all()
        if prefix in known:
            return [prefix]
        return [source for source in known if source.startswith(prefix) or source.rsplit("-", 1)[1].startswith(prefix)]

    def held_in(self, cwd: str) -> Iterator[Sidecar]:
        """The sources of sessions that were held in a folder, in order of id from the last; the others are not looked at."""
        known = self.all()
        for source in reversed(list(known)):
            if not isinstance(known, _Known) or known.told(source).get("cwd", "") == cwd:
                sidecar = known[source]
                if sidecar.cwd == cwd:
                    yield sidecar

    def read(self, source: str) -> Session:
        """The session of a source.

        Raises:
            FileNotFoundError: one of its files is gone.
        """
        from wikimem.core.sessions import assemble, dated
        from wikimem.edges import importers

        sidecar = self.all()[source]
        facts = {name: getattr(sidecar, name) for name in ("session", "cwd", "branch", "parent") if getattr(sidecar, name)}
        with ExitStack() as stack:
            files = [("", self._records(sidecar, stack))]
            for member in sidecar.members:
                if not member.line and member.name.endswith(".jsonl"):
                    path = self.root / sidecar.folder / sidecar.id / member.name
                    raw = self._lines([path], stack)
                    files.append((member.name.removesuffix(".jsonl"), _member_records(sidecar.format, raw)))
            session = assemble(source, files, {**sidecar.hint, **facts})
            return dated(session, self.zone, importers.is_utc(sidecar.format))

    def text(self, source: str, first: int, last: int, member: str = "") -> list[bytes]:
        """The stored lines `first` to `last` (from 1, both included) of a source or of one of its members."""
        sidecar = self.all()[source]
        with ExitStack() as stack:
            paths = [self.root / sidecar.folder / sidecar.id / member] if member else self._main(sidecar)
            found = []
            for number, line in enumerate(self._lines(paths, stack), 1):
                if number > last:
                    break
                if number >= first:
                    found.append(line.rstrip(b"\r\n"))
            return found

    def lines(self, source: str) -> Iterator[bytes]:
        """All stored lines of a source, each with its newline; none of a file that is gone."""
        for path in self._main(self.all()[source]):
            with suppress(FileNotFoundError), path.open("rb") as file:
                yield from lines.split(lines.blocks(file))

    def check(self, source: str) -> Iterator[Problem]:
        """What is wrong with a source's files: missing, or not the bytes that were captured."""
        sidecar = self.all()[source]
        wanted = {sidecar.path: sidecar.sha256}
        for member in sidecar.members:
            wanted[f"{sidecar.folder}/{sidecar.id}/{member.name}"] = member.sha256
        for path, digest in wanted.items():
            try:
                found = _digest(self.root / path)
            except FileNotFoundError:
                yield Problem(path, "source-missing", f"the file is gone; `git checkout -- {path}` restores it")
            except OSError as error:
                yield Problem(path, "source-unreadable", f"it cannot be read: {error.strerror or error}")
            else:
                if found != digest:
                    yield Problem(
                        path, "source-changed", f"its bytes are not those captured; `git checkout -- {path}` restores it"
                    )

    def strays(self) -> Iterator[Problem]:
        """Files under `sources/` that belong to no source."""
        known = {path for sidecar in self.all().values() for path in sidecar.paths()}
        for path in _walk(self.root / "sources"):
            relative = path.relative_to(self.root).as_posix()
            if relative not in known:
                yield Problem(relative, "stray-file", "no sidecar names it; move it out of sources/ and ingest it")

    def _main(self, sidecar: Sidecar) -> list[Path]:
        parts = [member for member in sidecar.members if member.line]
        return [
            self.root / sidecar.path,
            *(self.root / sidecar.folder / sidecar.id / part.name for part in sorted(parts, key=lambda part: part.line)),
        ]

    def _records(self, sidecar: Sidecar, stack: ExitStack) -> Iterator[Record]:
        # Who only looks up what is known of sources needs no importer.
        from wikimem.edges import importers

        format = importers.named(sidecar.format)
        reader = format.read if isinstance(format, importers.LineFormat) else importers.CANONICAL.read
        return reader(lines.numbered(self._lines(self._main(sidecar), stack)))

    def _lines(self, paths: list[Path], stack: ExitStack) -> Iterator[bytes]:
        for path in paths:
            file = stack.enter_context(path.open("rb"))
            yield from lines.split(lines.blocks(file))

    def _load(self) -> Mapping[str, Sidecar]:
        cache_path = self.root / ".wikimem" / "ledger.json"
        cached = _read_cache(cache_path)
        fresh: dict[str, Any] = {}
        found: dict[str, str] = {}
        made: dict[str, Sidecar] = {}
        self.problems = []
        changed = False
        for relative, size, time in _sidecars(self.root):
            entry = cached.get(relative)
            if entry is None or entry[:2] != [size, time] or not _is_of(entry[2], relative):
                changed = True
                told = self._parse(self.root / relative, relative)
                if told is None:
                    continue
                entry = [size, time, told]
                try:
                    sidecar = sources.from_mapping(told)
                except ValueError as error:
                    self.problems.append(Problem(relative, "bad-sidecar", f"{error}; restore it with git"))
                    continue
                made[sidecar.id] = self._placed(sidecar)
                found[sidecar.id] = relative
            else:
                found[entry[2]["id"]] = relative
            fresh[relative] = entry
        if changed or len(fresh) != len(cached):
            _write_cache(cache_path, fresh)
        return _Known({id: fresh[found[id]][2] for id in sorted(found)}, made, self._made)

    def _made(self, told: object) -> Sidecar:
        return self._placed(sources.from_mapping(told))

    def _placed(self, sidecar: Sidecar) -> Sidecar:
        """The sidecar with its package, and with times that its format gives without a zone, and that are UTC, said to be so."""
        sidecar = sources.placed(sidecar, self.packages)
        if self.zone.is_utc:
            return sidecar
        from wikimem.edges import importers

        if not importers.is_utc(sidecar.format):
            return sidecar
        started, ended = (f"{time}Z" if moments.is_bare(time) else time for time in (sidecar.started, sidecar.ended))
        return replace(sidecar, started=started, ended=ended)

    def _parse(self, path: Path, relative: str) -> object:
        # The sidecars of the spool are JSON, and change while an agent waits: YAML would take forty times as long.
        with suppress(OSError, ValueError):
            return orjson.loads(path.read_bytes())
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            return yaml.load(path.read_bytes(), Loader=loader)
        except (yaml.YAMLError, OSError, ValueError) as error:
            clause = " ".join(str(error).split())
            self.problems.append(Problem(relative, "bad-sidecar", f"it cannot be read ({clause}); restore it with git"))
            return None


class _Known(Mapping[str, Sidecar]):
    """Sidecars by id, each made of its plain values when it is first asked for: most callers want few of thousands.

    Args:
        told: the values by id, in order; each was read to a sidecar before it was kept.
        made: those that were made already.
        make: makes one.
    """

    def __init__(
        self, told: Mapping[str, Mapping[str, Any]], made: dict[str, Sidecar], make: Callable[[object], Sidecar]
    ) -> None:
        self._told, self._made, self._make = told, made, make

    def told(self, source: str) -> Mapping[str, Any]:
        """The plain values of a sidecar."""
        return self._told[source]

    def __getitem__(self, source: str) -> Sidecar:
        found = self._made.get(source)
        if found is None:
            found = self._made[source] = self._make(self._told[source])
        return found

    def __contains__(self, source: object) -> bool:
        return source in self._told

    def __iter__(self) -> Iterator[str]:
        return iter(self._told)

    def __len__(self) -> int:
        return len(self._told)


class _Both(Mapping[str, Sidecar]):
    """The sidecars of two ledgers, in order of id; of a source that both have, the second's counts."""

    def __init__(
        self, one: Mapping[str, Sidecar], other: Mapping[str, Sidecar], without: frozenset[str], packages: Packages
    ) -> None:
        self._one, self._other, self._packages = one, other, packages
        self._ids = dict.fromkeys(sorted((one.keys() | other.keys()) - without))

    def __getitem__(self, source: str) -> Sidecar:
        if source not in self._ids:
            raise KeyError(source)
        return sources.placed(self._other[source] if source in self._other else self._one[source], self._packages)

    def __contains__(self, source: object) -> bool:
        return source in self._ids

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


class Joined(Ledger):
    """The sources of a vault together with those of another clone that wait in a folder of their own. Reads only.

    Args:
        ledger: the vault's.
        other: the folder's; of a source that both have, the folder's counts.
        without: ids of sources that are to go.
    """

    def __init__(self, ledger: Ledger, other: Ledger, without: frozenset[str]) -> None:
        super().__init__(ledger.root, ledger.zone, ledger.packages)
        self._ledger, self._other, self._without = ledger, other, without

    def all(self) -> Mapping[str, Sidecar]:
        if self._known is None:
            self._known = _Both(self._ledger.all(), self._other.all(), self._without, self.packages)
        return self._known

    def forget_cache(self) -> None:
        self._known = None
        self._other.forget_cache()

    def read(self, source: str) -> Session:
        from wikimem.core.sessions import dated

        return dated(self._of(source).read(source), self.zone)

    def text(self, source: str, first: int, last: int, member: str = "") -> list[bytes]:
        return self._of(source).text(source, first, last, member)

    def lines(self, source: str) -> Iterator[bytes]:
        return self._of(source).lines(source)

    def _of(self, source: str) -> Ledger:
        return self._other if source in self._other.all() else self._ledger


def render(sidecar: Sidecar) -> bytes:
    """The sidecar's file: YAML in a fixed order, every text quoted where YAML would read something else."""
    import yaml

    told = sources.to_mapping(sidecar)
    return yaml.safe_dump(told, sort_keys=False, allow_unicode=True, width=10_000).encode()


def _member_records(format: str, raw: Iterator[bytes]) -> Iterator[Record]:
    from wikimem.edges import importers

    chosen = importers.named(format)
    if isinstance(chosen, importers.LineFormat) and chosen.json:
        return chosen.read(lines.numbered(raw))
    return iter(())


def _walk(top: Path) -> Iterator[Path]:
    pending = [str(top)]
    while pending:
        with suppress(FileNotFoundError), os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                else:
                    yield Path(entry.path)


def _sidecars(root: Path) -> Iterator[tuple[str, int, int]]:
    """The sidecars by path from the root, with size and time of each; somebody waits, so nothing else is asked of a file."""
    pending = ["sources"]
    while pending:
        folder = pending.pop()
        # A member that happens to be YAML lies in a source's folder, and is no sidecar.
        is_member = sources.ID.match(folder.rpartition("/")[2]) is not None
        with suppress(FileNotFoundError), os.scandir(root / folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    pending.append(f"{folder}/{entry.name}")
                elif entry.name.endswith(".yaml") and not is_member:
                    with suppress(FileNotFoundError):
                        stat = entry.stat()
                        yield f"{folder}/{entry.name}", stat.st_size, stat.st_mtime_ns


def _is_of(told: object, relative: str) -> bool:
    """Whether kept values are those of the sidecar that lies there."""
    return isinstance(told, dict) and relative.endswith(f"/{told.get('id')}.yaml")


def _digest(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        for block in lines.blocks(file):
            digest.update(block)
    return digest.hexdigest()


def _read_cache(path: Path) -> dict[str, Any]:
    try:
        told = orjson.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    if not isinstance(told, dict) or told.get("version") != _CACHE_VERSION or not isinstance(told.get("sidecars"), dict):
        return {}
    return {k: v for k, v in told["sidecars"].items() if isinstance(v, list) and len(v) == 3}


def _write_cache(path: Path, entries: dict[str, Any]) -> None:
    # A cache that cannot be written costs time, nothing else.
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        temporary = path.with_suffix(f".{os.getpid()}.tmp")
        temporary.write_bytes(orjson.dumps({"version": _CACHE_VERSION, "sidecars": entries}))
        temporary.replace(path)
