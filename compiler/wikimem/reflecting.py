"""Reflecting the wiki in its index: claims by subject, people's prose by page. Nothing is read while nothing changed.

Whether anything changed is told by the names, sizes and times of the files below `wiki/`: `mark` is a hash over them.
It lies beside the index, with the keys of the pages, so that only pages that changed are read again. Claims have to be
folded to be shown, so all claims files are read as soon as one of them changed; only subjects that differ are written.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from wikimem.core import prose
from wikimem.core.vocabulary import Vocabulary
from wikimem.edges.index import Index, Sheet, Topic, Unit, Unusable
from wikimem.edges.ledger import Ledger
from wikimem.errors import Problem

if TYPE_CHECKING:
    from wikimem.core.fold import Wiki

_VERSION = 1
_CLAIMS = "wiki/.claims/"
_UNITS = 500
_FOLDING = 5
"""How many times longer it takes to fold a byte of claims than to index one of a source."""
_LARGE = 10_000
"""Characters of the claims of a subject, from which on its page may be several."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at the files of the wiki tells.

    Args:
        claims: a hash over the claims files, the sources they stand for, the vocabulary and the zone; empty if there are none.
        pages: size and time of each page that people may write on, by path.
        bytes: of all claims files.
        mark: a hash over all of it; empty if there is nothing.
    """

    claims: str
    pages: Mapping[str, tuple[int, int]]
    bytes: int
    mark: str


@dataclass(frozen=True, slots=True)
class Before:
    """A wiki, and what a look at the claims files told that it was folded from: `Look.claims`.

    Where an index shows just these files, only the subjects that have changed since need be looked at.
    """

    wiki: Wiki
    claims: str


def look(root: Path, ledger: Ledger, vocabulary: Vocabulary) -> Look:
    """The files of the wiki as they are now; none of them is opened."""
    known = ledger.all()
    claims: list[str] = []
    lines: list[str] = []
    pages: dict[str, tuple[int, int]] = {}
    total = 0
    for path, size, time in _walk(root, "wiki"):
        line = f"{path}\n{size}\n{time}"
        if path.startswith(_CLAIMS):
            source = known.get(path.rpartition("/")[2].removesuffix(".jsonl"))
            claims.append(f"{line}\n{source.sha256}-{len(source.members)}{source.place}" if source else line)
            total += size
        else:
            pages[path] = (size, time)
            lines.append(line)
    zone = [] if ledger.zone.is_utc else [ledger.zone.name]
    folded = _hash([*claims, repr(vocabulary.attributes), *zone]) if claims else ""
    return Look(folded, pages, total, f"{_VERSION}-{_hash([folded, *lines])}" if folded or pages else "")


def is_fresh(place: Path, now: Look) -> bool:
    """Whether the wiki's index shows the wiki as it was looked at.

    Args:
        place: the folder of the index.
        now: the wiki.
    """
    try:
        return (place / "wiki" / "mark").read_text(encoding="ascii") == now.mark
    except (OSError, ValueError):
        return not now.mark


def doubt(place: Path) -> None:
    """Take the wiki's index for behind: something of it could not be read.

    Args:
        place: the folder of the index.
    """
    with suppress(OSError):
        (place / "wiki" / "mark").unlink(missing_ok=True)


def cost(place: Path, now: Look) -> int:
    """How long it takes to bring the index up, in bytes of sources that take as long to index."""
    seen = _seen(place)
    changed = sum(size for path, (size, time) in now.pages.items() if seen.pages.get(path, ())[:2] != (size, time))
    return changed + (_FOLDING * now.bytes if now.claims != seen.claims else 0)


def opened(place: Path) -> Index | Unusable | None:
    """The index of the wiki as it is; None if there is none.

    Args:
        place: the folder of the index.
    """
    if not (place / "wiki" / "current").exists():
        return None
    return Index.open(place / "wiki")


def problems(place: Path) -> tuple[Problem, ...]:
    """What was wrong with pages when they were last read.

    Args:
        place: the folder of the index.
    """
    return tuple(Problem(*told) for told in _seen(place).problems)


def refresh(
    place: Path,
    root: Path,
    ledger: Ledger,
    vocabulary: Vocabulary,
    wiki: Wiki | None = None,
    before: Before | None = None,
) -> Index | None:
    """The index of the wiki, brought in step; None for a vault without claims and pages.

    Args:
        place: the folder of the index.
        root: the vault's folder.
        ledger: its sources.
        vocabulary: its attributes.
        wiki: what the claims files on disk fold to, if the caller knows; otherwise they are read.
        before: an older `wiki` from which the caller came to it, if there is one.

    Raises:
        VaultLocked: another process is writing to the index and did not end in time.
    """
    now = look(root, ledger, vocabulary)
    index = opened(place)
    usable = isinstance(index, Index) and not index.problems
    if usable and is_fresh(place, now):
        return index if isinstance(index, Index) else None
    there = index.known() if isinstance(index, Index) else {}
    usable = usable and isinstance(index, Index) and not index.problems  # damage shows when something is read
    if index is None and not now.mark:
        return None
    if not usable:
        if isinstance(index, Index):
            index.close()
        (place / "wiki").mkdir(parents=True, exist_ok=True)
        fresh = Index.rebuild(place / "wiki")
        _bring_up(fresh, place, _Ground(root, ledger, vocabulary, wiki, None), now, _Seen(), {})
        index = fresh.publish()
    else:
        assert isinstance(index, Index)
        _bring_up(index, place, _Ground(root, ledger, vocabulary, wiki, before), now, _seen(place), there)
    _write(place / "wiki" / "mark", now.mark.encode())
    return index


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was in the wiki when it was last read: `Look.claims`; size, time and key of each page; what was wrong."""

    claims: str = ""
    pages: Mapping[str, tuple[int, int, str]] = field(default_factory=dict)
    problems: tuple[tuple[str, str, str], ...] = ()


def _seen(place: Path) -> _Seen:
    try:
        told: Any = orjson.loads((place / "wiki" / "seen.json").read_bytes())
        if told["version"] != _VERSION:
            return _Seen()
        pages = {str(path): (int(size), int(time), str(key)) for path, (size, time, key) in told["pages"].items()}
        return _Seen(str(told["claims"]), pages, tuple((str(a), str(b), str(c)) for a, b, c in told["problems"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return _Seen()


@dataclass(frozen=True, slots=True)
class _Ground:
    """What the index of a wiki is made from; as the arguments of `refresh`."""

    root: Path
    ledger: Ledger
    vocabulary: Vocabulary
    wiki: Wiki | None
    before: Before | None


def _bring_up(index: Index, place: Path, ground: _Ground, now: Look, seen: _Seen, there: Mapping[str, str]) -> None:
    subjects = {unit for unit in there if unit.startswith("claims/")}
    waiting: list[Unit] = []
    gone: set[str] = set()
    if now.claims != seen.claims or (now.claims and not subjects):
        keys = _touched(ground, seen) if now.claims and subjects else None
        topics = _topics(ground, keys) if now.claims else {}
        waiting += (topic for unit, topic in topics.items() if there.get(unit) != topic.key)
        gone |= (subjects if keys is None else subjects & {f"claims/{key}" for key in keys}) - topics.keys()
    pages, sheets, problems = _sheets(ground.root, now, seen, there)
    waiting += (sheet for sheet in sheets if sheet.pieces)
    written = there.keys() - subjects
    gone |= {path for path in written if path not in pages} | {sheet.source for sheet in sheets if not sheet.pieces} & written
    index.remove(gone)
    for first in range(0, len(waiting), _UNITS):
        index.add(waiting[first : first + _UNITS])
    told = {"version": _VERSION, "claims": now.claims, "pages": pages, "problems": problems}
    _write(place / "wiki" / "seen.json", orjson.dumps(told))


def _touched(ground: _Ground, seen: _Seen) -> tuple[str, ...] | None:
    """The keys of subjects that may differ from what the index shows; None if nobody knows."""
    if ground.wiki is None or ground.before is None or ground.before.claims != seen.claims:
        return None
    from wikimem.core import fold

    return fold.touched(ground.before.wiki, ground.wiki)


def _topics(ground: _Ground, keys: Iterable[str] | None) -> dict[str, Topic]:
    """Subjects as they are indexed, by unit; all of them, or those of some keys that there are."""
    from wikimem import memory
    from wikimem.core import statements

    wiki = ground.wiki or memory.load(ground.root, ground.ledger, ground.vocabulary).wiki
    sidecars = ground.ledger.all().items()
    scopes = {source: sidecar.scope for source, sidecar in sidecars}
    found = {}
    chosen = wiki.subjects.values() if keys is None else (wiki.subjects[key] for key in keys if key in wiki.subjects)
    for subject in chosen:
        told, relations = statements.of(
            subject, f"wiki/{wiki.path(subject.key)}", ground.vocabulary, scopes, _moved(wiki, subject.key)
        )
        unit = f"claims/{subject.key}"
        themes = wiki.cold.themes.get(subject.key, {})
        found[unit] = Topic(unit, statements.key(told, relations, themes), told, relations, themes)
    return found


def _moved(wiki: Wiki, key: str) -> dict[str, str]:
    """The pages of a subject's claims, where they are not all on one."""
    standings = wiki.subjects[key].standings
    if sum(len(one.claim.text) + 200 for one in standings) < _LARGE:
        return {}
    from wikimem.core import splits

    found: dict[str, str] = {}
    for path, page in splits.all_pages(wiki, key, wiki.cold, {}).items():
        for _, line in page.claims:
            # A claim that holds again stands on two pages; where it holds is told first.
            found.setdefault(line.id, f"wiki/{path}")
    return found


def _sheets(
    root: Path, now: Look, seen: _Seen, there: Mapping[str, str]
) -> tuple[dict[str, tuple[int, int, str]], list[Sheet], list[tuple[str, str, str]]]:
    """Size, time and key of each page; those that have to be written; and what is wrong with pages."""
    pages: dict[str, tuple[int, int, str]] = {}
    sheets = []
    bad = {where: (where, rule, message) for where, rule, message in seen.problems}
    problems = []
    for path, (size, time) in now.pages.items():
        before = seen.pages.get(path)
        if before is not None and before[:2] == (size, time) and there.get(path, "") == before[2]:
            pages[path] = before
            problems += [bad[path]] if path in bad else []
            continue
        sheet, wrong = _sheet(root, path)
        pages[path] = (size, time, sheet.key if sheet.pieces else "")
        problems += wrong
        if there.get(path, "") != pages[path][2]:
            sheets.append(sheet)
    return pages, sheets, problems


def _sheet(root: Path, path: str) -> tuple[Sheet, list[tuple[str, str, str]]]:
    from wikimem.edges import pages

    try:
        data = (root / path).read_bytes()
    except OSError as error:
        return Sheet(path, "", ()), [(path, "page", f"it cannot be read: {error.strerror or error}")]
    leaf = pages.read(path, data)
    return Sheet(path, sha256(data).hexdigest()[:16], leaf.pieces), [(one.where, one.rule, one.message) for one in leaf.problems]


def _walk(root: Path, top: str) -> Iterator[tuple[str, int, int]]:
    """The claims files, and the pages that people may write on, by path from the root, with size and time of each.

    Symbolic links are not followed. It is done before each recall, for every page: so nothing else is asked of a file.
    """
    pending = [top]
    while pending:
        folder = pending.pop()
        inside = f"{folder}/".startswith(_CLAIMS)
        with suppress(FileNotFoundError, NotADirectoryError), os.scandir(root / folder) as entries:
            for entry in entries:
                name = entry.name
                path = f"{folder}/{name}"
                if entry.is_dir(follow_symlinks=False):
                    if not prose.is_generated(f"{path}/"):
                        pending.append(path)
                elif not (inside or (name.endswith(".md") and not prose.is_generated(path))):
                    continue
                elif entry.is_file(follow_symlinks=False) and _is_text(name):
                    with suppress(FileNotFoundError):
                        stat = entry.stat(follow_symlinks=False)
                        yield path, stat.st_size, stat.st_mtime_ns


def _is_text(name: str) -> bool:
    """Whether a file's name can be shown at all: one that is not UTF-8 cannot, and no page of ours has one."""
    return name.isascii() or not any("\ud800" <= character <= "\udfff" for character in name)


def _hash(lines: list[str]) -> str:
    return sha256("\n\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _write(path: Path, data: bytes) -> None:
    new = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    new.write_bytes(data)
    new.replace(path)
