"""Branching: which sessions were held on branches of somebody's code that are not merged. Asked ahead, never by a recall.

.wikimem/unmerged.json      what the code repositories on this machine said, with the commits that it rests on

A recall looks whether these commits still are those of the branches, by reading files; where one is not, nothing is known until
`refresh` runs again. Pages say nothing of it: they are made of sources alone.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from wikimem.core import routes, unmerged
from wikimem.core.answers import Answer
from wikimem.core.sources import Sidecar
from wikimem.core.turns import Form
from wikimem.core.unmerged import PLAIN, Unmerged
from wikimem.vault import Vault

_VERSION = 1
SECONDS = 20.0
"""How long all repositories together are asked at most, where nobody waits."""
AT_ONCE = 3.0
"""The same where somebody waits."""
_PARTS = frozenset({"defaults", "open", "merged", "sources"})
_ROOM = 300_000_000
"""Bytes of sessions that are read at most to see whether they were held on one branch alone."""
_BRANCH = re.compile(rb'"gitBranch"\s*:\s*"((?:[^"\\]|\\.)*)"')
_MERGES = re.compile(r"\b(?:gh pr merge|glab mr merge)\b")
_NAME = "unmerged"


def refresh(vault: Vault, seconds: float = SECONDS) -> int:
    """Ask the code repositories that sessions were held in, as far as they are on this machine.

    Args:
        vault: the vault.
        seconds: how long all repositories together are asked at most; the next run goes on from there.

    Returns:
        How many sessions were on a branch that is known not to be merged.
    """
    path = vault.work / f"{_NAME}.json"
    sessions = [one for one in vault.ledger.all().values() if one.branch not in PLAIN and one.cwd]
    if not sessions:
        path.unlink(missing_ok=True)
        return 0
    from wikimem.edges.repo import offshoots
    from wikimem.edges.repo.offshoots import Judged

    until = time.monotonic() + seconds
    told = _read(path)
    known = told.get("seen", {})
    before = {one["common"]: Judged(one["defaults"], one["open"], one["merged"]) for one in told.get("repositories", [])}
    seen: dict[str, list[Any]] = {}
    repositories = []
    for common, place, group in _repositories(sessions):
        if time.monotonic() > until and common not in before:
            continue
        left = min(offshoots.SECONDS, until - time.monotonic())
        found = offshoots.judged(place, {one.branch for one in group}, left, before.get(common, offshoots.NOTHING))
        apart = [one for one in group if one.branch in found.open]
        seen |= _seen(vault, apart, known)
        on = {one.id: one.branch for one in apart if one.id in seen and _counts(one, seen, apart)}
        if found.defaults:
            repositories.append(
                {"common": common, "defaults": found.defaults, "open": found.open, "merged": found.merged, "sources": on}
            )
    temporary = path.with_suffix(".tmp")
    temporary.write_bytes(orjson.dumps({"version": _VERSION, "repositories": repositories, "seen": seen}))
    temporary.replace(path)
    return sum(len(one["sources"]) for one in repositories)


def among(vault: Vault, answers: Iterable[Answer], folder: str = "") -> Unmerged:
    """What is known of the sessions that some answers are from.

    Args:
        vault: the vault.
        answers: of a recall.
        folder: where whoever asks is at work; the branch that is checked out there is theirs.
    """
    return of(vault, (source for answer in answers for source in unmerged.sources(answer)), folder)


def of(vault: Vault, sources: Iterable[str], folder: str = "") -> Unmerged:
    """What is known of some sessions, by source id; of those alone whose branches are as they were when they were asked about."""
    told = _kept(vault).get("repositories", [])
    if not told:
        return unmerged.NONE
    from wikimem.edges.repo import offshoots

    wanted = set(sources)
    found: dict[str, str] = {}
    for one in told:
        mine = {source: branch for source, branch in one["sources"].items() if source in wanted}
        if not mine:
            continue
        names = set(mine.values())
        rests = [one["defaults"], *(one["open"].get(name, {}) for name in names)]
        now = offshoots.tips(Path(one["common"]), {ref for refs in rests for ref in refs})
        if _same(one["defaults"], now):
            found |= {source: name for source, name in mine.items() if _same(one["open"].get(name, {}), now)}
    return Unmerged(found, offshoots.current(folder) if found else "")


def _same(then: Mapping[str, str], now: Mapping[str, str]) -> bool:
    return bool(then) and all(now.get(ref) == commit for ref, commit in then.items())


def _repositories(sessions: Iterable[Sidecar]) -> Iterable[tuple[str, Any, list[Sidecar]]]:
    """The repositories that are here, each with its sessions; those of a folder that is gone go by their remote."""
    from wikimem.edges.repo.place import locate
    from wikimem.edges.repo.remote import remote_of

    by_folder: dict[str, list[Sidecar]] = {}
    for one in sessions:
        by_folder.setdefault(one.cwd, []).append(one)
    found: dict[str, tuple[Any, list[Sidecar]]] = {}
    by_remote: dict[str, str] = {}
    remotes: dict[Path, str] = {}
    gone: list[Sidecar] = []
    for folder, group in sorted(by_folder.items()):
        place = None
        with suppress(OSError, ValueError):
            place = locate(Path(folder)) if Path(folder).is_absolute() and Path(folder).is_dir() else None
        if place is not None and place.common not in remotes:
            remotes[place.common] = routes.address(remote_of(folder)).casefold()
        remote = remotes[place.common] if place is not None else ""
        for one in group:
            if place is not None and routes.address(one.remote).casefold() in ("", remote):
                found.setdefault(str(place.common), (place, []))[1].append(one)
                by_remote.setdefault(remote, str(place.common))
            else:
                gone.append(one)
    for one in gone:
        common = by_remote.get(routes.address(one.remote).casefold(), "") if one.remote else ""
        if common:
            found[common][1].append(one)
    return [(common, place, group) for common, (place, group) in sorted(found.items())]


def _seen(vault: Vault, sessions: Iterable[Sidecar], known: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Of each session, by source id: whether it was on one branch alone, and when it merged one; '' for never."""
    room = _ROOM
    found: dict[str, list[Any]] = {}
    for one in sessions:
        told = known.get(one.id)
        if isinstance(told, list) and len(told) == 2:
            found[one.id] = told
            continue
        room -= one.raw.bytes
        if room < 0:
            break
        with suppress(OSError):  # a session whose bytes are gone
            names = {match[1] for line in vault.ledger.lines(one.id) for match in _BRANCH.finditer(line)}
            found[one.id] = [len(names) <= 1, _merged(vault, one.id)]
    return found


def _merged(vault: Vault, source: str) -> str:
    """When a session last merged a pull request by a command that did not fail; '' for never."""
    turns = vault.ledger.read(source).turns
    failed = {turn.call for turn in turns if turn.form is Form.RESULT and turn.error}
    times = [turn.said for turn in turns if turn.form is Form.CALL and turn.call not in failed and _MERGES.search(turn.text)]
    return max(times, default="")


def _counts(one: Sidecar, seen: Mapping[str, list[Any]], group: Iterable[Sidecar]) -> bool:
    """Whether a session was on its branch alone, and no session of that branch merged it since."""
    alone, _ = seen[one.id]
    merged = max((seen[other.id][1] for other in group if other.branch == one.branch and other.id in seen), default="")
    return bool(alone) and not (merged and one.started <= merged)


def _kept(vault: Vault) -> Mapping[str, Any]:
    """The file's content; read again where the file changed."""
    path = vault.root / ".wikimem" / f"{_NAME}.json"
    try:
        stat = path.stat()
    except OSError:
        return {}
    mark = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
    kept = vault.kept.get(_NAME)
    if isinstance(kept, tuple) and kept[0] == mark:
        return dict(kept[1])
    told = _read(path)
    vault.kept[_NAME] = (mark, told)
    return told


def _is_whole(told: Mapping[str, Any]) -> bool:
    """Whether somebody who wrote into the file left what is read of it."""
    every, seen = told.get("repositories"), told.get("seen")
    return (
        isinstance(every, list)
        and isinstance(seen, dict)
        and all(isinstance(one, dict) and isinstance(one.get("common"), str) for one in every)
        and all(isinstance(one.get(part), dict) for one in every for part in _PARTS)
    )


def _read(path: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        told = orjson.loads(path.read_bytes())
        if isinstance(told, dict) and told.get("version") == _VERSION and _is_whole(told):
            return told
    return {}
