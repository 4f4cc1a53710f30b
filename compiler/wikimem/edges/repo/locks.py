"""When to keep away from a repository: operations in progress, and the lock on the user's index.

We hold that lock ourselves from just before the branch moves until the index knows of it. In between, a commit of the
user's would be made from an index without our files, and so would take them out again.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from wikimem.edges.repo import scratch
from wikimem.edges.repo.place import Place
from wikimem.edges.repo.settings import GitSettings
from wikimem.errors import GitBusy

OPERATIONS = (
    ("rebase-apply/applying", "applying patches", "git am --continue", "git am --abort"),
    ("rebase-merge", "a rebase", "git rebase --continue", "git rebase --abort"),
    ("rebase-apply", "a rebase", "git rebase --continue", "git rebase --abort"),
    ("MERGE_HEAD", "a merge", "git commit", "git merge --abort"),
    ("CHERRY_PICK_HEAD", "a cherry-pick", "git cherry-pick --continue", "git cherry-pick --abort"),
    ("REVERT_HEAD", "a revert", "git revert --continue", "git revert --abort"),
    ("sequencer", "a cherry-pick or revert", "git cherry-pick --continue", "git cherry-pick --abort"),
    ("BISECT_LOG", "a bisect", "git bisect reset", "git bisect reset"),
)
"""What marks an operation in the git folder, its name, how to finish it, how to call it off. The first found counts."""

_HARMLESS = ("cat-file", "fsmonitor--daemon", "credential-cache--daemon")


def check_idle(place: Place) -> None:
    """Refuse to go on while an operation is in progress.

    Raises:
        GitBusy: one is; it names it.
    """
    for sign, name, finish, stop in OPERATIONS:
        if (place.git / sign).exists():
            ways = f"`{finish}`" if finish == stop else f"`{finish}`, or call it off with `{stop}`"
            raise GitBusy(str(place.top), f"{name} is in progress", f"Finish it with {ways}, and run again.")


def wait(place: Place, settings: GitSettings) -> tuple[str, ...]:
    """Wait until nobody holds the index, removing a lock that a dead git left behind.

    Returns:
        What was removed, as sentences.

    Raises:
        GitBusy: it is still held.
    """
    lock = place.git / "index.lock"
    return _until(lambda: not lock.exists(), lock, place, settings)


@contextmanager
def held(place: Place, settings: GitSettings) -> Iterator[tuple[str, ...]]:
    """Hold the index: no git adds, commits or checks out meanwhile. Gives what `wait` gives.

    Raises:
        GitBusy: somebody else holds it.
    """
    lock = place.git / "index.lock"
    mine = place.git / f"wikimem-{scratch.mark(place)}-{os.getpid()}.lock"
    mine.write_bytes(_token(place))
    try:
        notes = _until(lambda: _take(mine, lock), lock, place, settings)
    finally:
        mine.unlink(missing_ok=True)
    try:
        yield notes
    finally:
        lock.unlink(missing_ok=True)


def release(place: Place) -> bool:
    """Remove the index lock if it is one that a killed commit of this vault held; true if it was."""
    lock = place.git / "index.lock"
    with suppress(OSError):
        if lock.read_bytes() == _token(place):
            lock.unlink()
            return True
    return False


def release_refs(place: Place, settings: GitSettings) -> tuple[str, ...]:
    """Remove the locks on `HEAD` and its branch that a git killed together with us left.

    While a git runs here, perhaps the very one that outlived us, they are waited for and stay.

    Returns:
        What was removed, as sentences.
    """
    branch = (place.git / "HEAD").read_text("utf-8", "surrogateescape").removeprefix("ref:").strip()
    locks = (place.git / "HEAD.lock", place.common / f"{branch}.lock")
    for pause in (0.0, *settings.lock_waits):
        time.sleep(pause)
        found = [lock for lock in locks if lock.exists()]
        if not found or not alive(place):
            for lock in found:
                lock.unlink(missing_ok=True)
            return tuple(f"Removed {lock}, left by a git that was killed." for lock in found)
    return ()


def alive(place: Place) -> bool:
    """Whether some git may be working on this repository; true where that cannot be found out."""
    if sys.platform == "linux" and Path("/proc/self/cwd").exists():
        return any(_works_on(process, place) for process in Path("/proc").iterdir() if process.name.isdigit())
    command = ["tasklist", "/NH", "/FO", "CSV"] if os.name == "nt" else ["ps", "-A", "-o", "comm="]
    try:
        listed = subprocess.run(command, capture_output=True, check=True, timeout=10, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError):
        return True
    names = (line.strip(b'"\r ').rpartition(b"/")[2] for line in listed.stdout.splitlines())
    return any(name == b"git" or name.startswith((b"git-", b"git.exe")) for name in names)


def _until(done: Callable[[], bool], lock: Path, place: Place, settings: GitSettings) -> tuple[str, ...]:
    notes: list[str] = []
    for pause in (*settings.lock_waits, None):
        if done():
            return tuple(notes)
        notes += _remove_stale(lock, place, settings)
        if notes and done():
            return tuple(notes)
        if pause is None:
            break
        time.sleep(pause)
    raise GitBusy(
        str(place.top),
        f"another git holds {lock.name}, so nothing was committed",
        f"Wait for it to end and run again; if no git is running, delete {lock}.",
    )


def _remove_stale(lock: Path, place: Place, settings: GitSettings) -> list[str]:
    with suppress(FileNotFoundError):
        age = time.time() - lock.stat().st_mtime
        if age > settings.stale_after and not alive(place):
            lock.unlink()
            return [f"Removed {lock}: it was {age / 60:.0f} minutes old and no git was running here."]
    return []


def _take(mine: Path, lock: Path) -> bool:
    """Make the lock with our token in it in one step, so that a kill never leaves one that nobody owns."""
    try:
        os.link(mine, lock)
    except FileExistsError:
        return False
    except OSError:
        # No hard links on this file system.
        try:
            with lock.open("xb") as opened:
                opened.write(mine.read_bytes())
        except FileExistsError:
            return False
    return True


def _token(place: Place) -> bytes:
    return b"wikimem " + scratch.mark(place).encode() + b"\n"


def _works_on(process: Path, place: Place) -> bool:
    try:
        if not (process / "comm").read_bytes().startswith(b"git"):
            return False
        words = (process / "cmdline").read_bytes().split(b"\0")
        if any(word.decode("utf-8", "replace") in _HARMLESS for word in words[:4]):
            return False
        folder = (process / "cwd").readlink()
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return any(folder.is_relative_to(each) for each in (place.top, place.git, place.common))
